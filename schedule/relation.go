package schedule

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file writes the tiles of a schedule as a relation. A tile is the integer
// points of a polygon in each space dimension, so that an instance at
// [tau, s0, .., sn] lies in tile [T, S0, .., Sn] of a phase just where
//
//	a   = tau + TimeShift - Height·T,               0 <= a < Height
//	b_p = s_p - Stride·S_p - Drift·T - Offset,      A·a + B·b_p + C >= 0 for each side of dimension p
//
// T and S_p need no rounding divisions: the constraints have them at coefficients
// that leave one value. That they do for all instances is the proof of partition. Where tiles overlap they leave
// several, the images of an instance, and with the sides of Owned besides one, its owner.

// between returns d with sides, and their rows in a tile of that many steps.
func (d TileDim) between(height int64, sides ...HalfPlane) TileDim {
	d.Sides = sides
	for a := range height {
		lo, hi := rowOf(sides, a)
		d.Lo, d.Hi = append(d.Lo, lo), append(d.Hi, hi)
	}
	return d
}

// rowOf returns the least and the greatest b that lie on all sides at step a; lo > hi: there is none.
func rowOf(sides []HalfPlane, a int64) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	none := false
	for _, p := range sides {
		switch rest := p.A*a + p.C; { // B·b + rest >= 0
		case p.B > 0:
			lo = max(lo, -floorDiv(rest, p.B))
		case p.B < 0:
			hi = min(hi, floorDiv(rest, -p.B))
		default:
			none = none || rest < 0
		}
	}
	if lo == math.MinInt64 || hi == math.MaxInt64 {
		panic(fmt.Sprintf("schedule: no two sides of %v bound the row of step %d", sides, a))
	}
	if none {
		hi = lo - 1
	}
	return lo, hi
}

// Relate sets Map and Owner to the relations that the phases of s describe, and Order to that of launches.
func (s *Schedule) Relate() {
	s.Map, s.Owner = poly.Map{}, poly.Map{}
	s.Order, s.points = s.launched(), s.plane()
	for _, st := range s.Canonical.Scop.Stmts {
		for phase := range s.Phases {
			s.Map = s.Map.Union(s.relation(st, phase, false).IntersectDomain(st.Domain))
			if s.Overlaps() {
				s.Owner = s.Owner.Union(s.relation(st, phase, true).IntersectDomain(st.Domain))
			}
		}
	}
}

// Overlaps reports whether tiles run instances whose results others store.
func (s *Schedule) Overlaps() bool {
	return slices.ContainsFunc(s.Phases, func(ph Phase) bool {
		return slices.ContainsFunc(ph.Space, func(d TileDim) bool { return d.Owned != nil })
	})
}

// relation returns where the instances of st lie that run in a phase, in the domain of st or not; those images
// only that own them if owned is set.
func (s *Schedule) relation(st *scop.Stmt, phase int, owned bool) poly.Map {
	c := s.Canonical
	v := c.vector(st, variables(st.Iters))
	names, values, rows := s.tileOf(v, phase, owned)
	stream := s.Phases[phase].Stream
	if stream != nil {
		names, values = append(names, "plane"), append(values, nil)
	}
	if s.Phases[phase].Boxes != nil && (stream != nil || !(owned && s.holdsOwned(st, phase))) {
		rows = append(rows, s.inBoxes(st, v, phase))
	}
	for i, name := range names {
		if name != "" {
			names[i] = fresh(name, c.Scop, st)
		}
	}
	if s.Fronts != nil {
		values = append(values, s.Fronts.wave(v))
	}
	values = append(values, v[0])
	if c.ranked() {
		values = append(values, affine.Num(int64(c.Ranks[st.Order])))
	}
	if c.Ways != nil {
		values = append(values, c.turn(st, v))
	}
	values = append(values, exprs(v[1:])...)
	names = append(names, poly.Dims(len(values)-len(names))...)
	return poly.NewFunction(c.Scop.ParamNames(), st.Tuple(), poly.Tuple{Dims: names}, values, rows...)
}

// tileOf returns the tile in which a point v = [tau, s0, ..] runs in a phase, for poly.NewFunction: names of its indices,
// their values where these are numbers, and what holds of them.
func (s *Schedule) tileOf(v []affine.Sum, phase int, owned bool) (names []string, values []affine.Expr, rows []poly.Formula) {
	ph, T := s.Phases[phase], poly.Out(0)
	a := v[0].Add(ph.TimeShift).Minus(T.Times(s.Height))
	names, values = []string{"T", ""}, []affine.Expr{nil, affine.Num(int64(phase))}
	rows = []poly.Formula{poly.NotNegative(a), poly.Less(a, affine.Num(s.Height))}
	for _, p := range ph.Nest() {
		d, S := ph.Space[p], poly.Out(len(values))
		names, values = append(names, d.Tile), append(values, nil)
		b := d.local(v[1+p], S, T)
		sides := d.Sides
		if owned {
			sides = slices.Concat(d.Sides, d.Owned)
		}
		for _, side := range sides {
			rows = append(rows, poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C)))
		}
	}
	return names, values, rows
}

// holdsOwned reports whether the boxes of st, in a phase that has Boxes and Owned, hold all points that its tile owns, at each of its steps.
func (s *Schedule) holdsOwned(st *scop.Stmt, phase int) bool {
	ph := s.Phases[phase]
	for a := int64(s.Canonical.Levels[st.Order]); a < s.Height; a += int64(s.Canonical.K) {
		box := ph.Box(st, a)
		for p, d := range ph.Space {
			if lo, hi := rowOf(d.Owned, a); lo < box.Lo[p] || hi > box.Hi[p] {
				return false
			}
		}
	}
	return true
}

// inBoxes holds where the point v lies in the box of st at its step, and where the tile streams, at the position at which it runs.
func (s *Schedule) inBoxes(st *scop.Stmt, v []affine.Sum, phase int) poly.Formula {
	ph, k := s.Phases[phase], int64(s.Canonical.K)
	in := poly.False()
	for a := int64(s.Canonical.Levels[st.Order]); a < s.Height; a += k {
		rows := []poly.Formula{poly.Equal(v[0].Add(ph.TimeShift).Minus(poly.Out(0).Times(s.Height)), affine.Num(a))}
		if ph.Stream != nil {
			rows = append(rows, poly.Equal(poly.Out(2+len(ph.Space)), v[1+ph.Stream.Dim].Add(ph.Stream.Delay(st, a))))
		}
		box := ph.Box(st, a)
		for i, p := range ph.Nest() {
			b := ph.Space[p].local(v[1+p], poly.Out(2+i), poly.Out(0))
			rows = append(rows, poly.AtMost(affine.Num(box.Lo[p]), b), poly.AtMost(b, affine.Num(box.Hi[p])))
		}
		in = poly.Or(in, poly.And(rows...))
	}
	return in
}

// local returns the local coordinate of the point at x in tile S of time tile T.
func (d TileDim) local(x, S, T affine.Sum) affine.Sum {
	return x.Minus(S.Times(d.Stride)).Minus(T.Times(d.Drift)).Add(-d.Offset)
}

// pointOrder returns the dimensions that order the points of a tile, of which points nothing is known but where they lie: their front, or tau, and
// where points of one tau are in order, those of space.
func (s *Schedule) pointOrder() []Dim {
	points := s.Dims[s.tileDims():]
	if s.Fronts != nil || !s.Canonical.Ordered {
		return points[:1]
	}
	return slices.Concat(points[:1], points[len(points)-len(s.Canonical.Space):])
}

// plane relates all points [tau, s0, ..], whether a statement has an instance there or not, to [tile, tau], or to the tile and all of
// the point where points of one tau are in order, or to the tile and the front of the point where there are fronts.
func (s *Schedule) plane() (m poly.Map) {
	if s.Overlaps() {
		return m // no proof asks
	}
	v := poly.Ins(1 + len(s.Canonical.Space))
	for phase := range s.Phases {
		_, values, rows := s.tileOf(v, phase, false)
		if s.Fronts != nil {
			values = append(values, s.Fronts.wave(v))
		} else {
			values = append(values, exprs(v[:len(s.pointOrder())])...)
		}
		m = m.Union(poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(len(v))}, poly.Tuple{Dims: poly.Dims(len(values))}, values, rows...))
	}
	return m
}
