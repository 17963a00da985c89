package report

import "slices"

// This file draws tiles as polygons that fit together without gaps.
//
// A tile is a set of integer points: at each time tau, those with lo <= s <= hi.
// Its outline passes half way between its points and those of its neighbours:
// through (lo-1/2, tau) and (hi+1/2, tau) for every row. Where a side has the
// same neighbour in two successive rows, the outline is a straight line
// between them. Where the neighbour changes, a corner lies between the rows,
// where the two sides that lead there meet if they go on. Both tiles, and the
// two that end and start there, use the same corner; that is why the outlines
// cover the plane once, whatever the rows are. Rows with integer slopes give
// hexagons with straight sides.

// outline returns the corners of t in (s, tau), or nil if t has no points.
// Corners on a straight line are left out.
func (p plane) outline(t tile) []point {
	first, last, ok := p.span(t)
	if !ok {
		return nil
	}
	right := p.side(t, first, last, +1)
	left := p.side(t, first, last, -1)
	for i := len(left) - 1; i >= 0; i-- {
		right = append(right, left[i])
	}
	return straighten(right)
}

// side returns the left (dir -1) or right (dir +1) side of t, from its first row to its last.
func (p plane) side(t tile, first, last int64, dir int64) []point {
	ps := []point{p.corner(t, first, first-1, dir)}
	for tau := first; tau <= last; tau++ {
		ps = append(ps, point{p.edge(t, tau, dir), float64(tau)})
		if tau < last {
			ps = append(ps, p.bend(t, tau, dir))
		}
	}
	return append(ps, p.corner(t, last, last+1, dir))
}

// edge is the s of the side of t at time tau: half a point beyond its last point.
func (p plane) edge(t tile, tau int64, dir int64) float64 {
	lo, hi, _ := p.row(t, tau)
	if dir < 0 {
		return float64(lo) - 0.5
	}
	return float64(hi) + 0.5
}

// corner is where the side of t ends, between its outermost row tau and the
// row beyond: at the bend of its neighbour if that goes on, else straight.
func (p plane) corner(t tile, tau, beyond int64, dir int64) point {
	n, ok := p.neighbour(t, tau, dir)
	if ok && p.has(n, beyond) {
		return p.bend(n, min(tau, beyond), -dir)
	}
	return point{p.edge(t, tau, dir), float64(tau+beyond) / 2}
}

// neighbour is the tile beside t at time tau.
func (p plane) neighbour(t tile, tau int64, dir int64) (tile, bool) {
	lo, hi, _ := p.row(t, tau)
	if dir < 0 {
		return p.owner(tau, lo-1)
	}
	return p.owner(tau, hi+1)
}

func (p plane) has(t tile, tau int64) bool {
	_, _, ok := p.row(t, tau)
	return ok
}

// bend is where the side of t passes between tau and tau+1, where t has points at both.
func (p plane) bend(t tile, tau int64, dir int64) point {
	other, below, ok := p.across(t, tau, tau+1, dir)
	_, above, _ := p.across(t, tau+1, tau, dir)
	mine := p.meet(t, tau, dir)
	switch {
	case below == 0 && above == 0: // one neighbour all the way
		return half(point{p.edge(t, tau, dir), float64(tau)}, point{p.edge(t, tau+1, dir), float64(tau + 1)})
	case !ok:
		return mine
	}
	theirs := p.meet(other, tau, -dir)
	apart := (theirs.x - mine.x) * float64(dir) // room for what ends and starts between
	if below == 0 || above == 0 || apart < 0 {
		return half(mine, theirs)
	}
	return mine
}

// across goes from t over tiles that have points at tau but not at next, and
// returns the first tile that has both, and how many it passed.
func (p plane) across(t tile, tau, next int64, dir int64) (other tile, passed int, ok bool) {
	other = t
	for range 4 * len(p.s.Phases) {
		if other, ok = p.neighbour(other, tau, dir); !ok {
			return other, passed, false
		}
		if p.has(other, next) {
			return other, passed, true
		}
		passed++
	}
	return other, passed, false
}

// meet is where the side of t up to tau and the one from tau+1 on meet if both
// go on as they are; half way between them if that is not between the rows.
func (p plane) meet(t tile, tau int64, dir int64) point {
	low, high := p.edge(t, tau, dir), p.edge(t, tau+1, dir)
	up, down := p.slope(t, tau, -1, dir), p.slope(t, tau+1, +1, dir)
	if k := (high - low + down) / (up + down); k >= 0 && k <= 1 { // false for 0/0
		return point{low + k*up, float64(tau) + k}
	}
	return point{(low+high)/2 + (up+down)/4, float64(tau) + 0.5}
}

// slope is how far the side of t moves per row when it comes to tau from below
// (toward -1) or above (+1), as long as the neighbour stays the same.
func (p plane) slope(t tile, tau int64, toward int64, dir int64) float64 {
	n, ok := p.neighbour(t, tau, dir)
	if !ok {
		return 0
	}
	rows := int64(0)
	for {
		next := tau + (rows+1)*toward
		if !p.has(t, next) {
			break
		}
		if m, ok := p.neighbour(t, next, dir); !ok || m != n {
			break
		}
		rows++
	}
	if rows == 0 {
		return 0
	}
	return (p.edge(t, tau, dir) - p.edge(t, tau+rows*toward, dir)) / float64(rows)
}

// straighten drops repeated points of a closed polygon, and those that lie on
// a line between their neighbours.
func straighten(ps []point) []point {
	ps = slices.Compact(ps)
	if len(ps) > 1 && ps[0] == ps[len(ps)-1] {
		ps = ps[1:]
	}
	var out []point
	n := len(ps)
	for i, p := range ps {
		before, after := ps[(i+n-1)%n], ps[(i+1)%n]
		if turn := cross(before, p, after); turn < -1e-9 || turn > 1e-9 {
			out = append(out, p)
		}
	}
	return out
}

// cross is twice the area of the triangle a b c, positive if it turns left.
func cross(a, b, c point) float64 {
	return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
}

func half(a, b point) point { return point{(a.x + b.x) / 2, (a.y + b.y) / 2} }
