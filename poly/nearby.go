package poly

import "math"

// This file tells at little cost that conjunctions have no point in common, where constraints of one column alone show it: most parts
// of a schedule, of which each has a phase and a step of its own, have none with most others.

// colBounds are the least and the greatest value that a column may have.
type colBounds struct{ lo, hi int64 }

// bounds returns for each column of the space of b bounds of its values, by the constraints of this column alone: those of an int64 where there
// are none, or are greater ones.
func (b Basic) bounds() []colBounds {
	all := make([]colBounds, b.space.cols())
	for i := range all {
		all[i] = colBounds{math.MinInt64, math.MaxInt64}
	}
	b.meter.spend(len(b.rows) * b.width())
	for _, r := range b.rows {
		col := r.c.lead()
		if col < 0 || col >= len(all) || r.c.usesFrom(col+1) {
			continue
		}
		k, v := r.c[col], r.c[0]
		lower := k.Sign() > 0
		if lower {
			v = v.Neg()
		}
		if x, fits := v.CeilDiv(k.Abs()).Int64(); fits && (lower || r.eq) {
			all[col].lo = max(all[col].lo, x)
		}
		if x, fits := v.FloorDiv(k.Abs()).Int64(); fits && (!lower || r.eq) {
			all[col].hi = min(all[col].hi, x)
		}
	}
	return all
}

// boundsOf returns the bounds of each part.
func boundsOf(parts []Basic) [][]colBounds {
	all := make([][]colBounds, len(parts))
	for i, b := range parts {
		all[i] = b.bounds()
	}
	return all
}

// nearby returns what reports whether part i of a and part j of b may have values in common in the columns that both share: as many as shared
// says, from those of a and of b on that it says. Of single parts it is not asked: that they have none is found as fast.
func nearby(a, b []Basic, shared func(x, y Space) (colX, colY, n int)) func(i, j int) bool {
	if len(a)*len(b) <= 1 {
		return func(i, j int) bool { return true }
	}
	xs, ys := boundsOf(a), boundsOf(b)
	return func(i, j int) bool {
		x, y, n := shared(a[i].space, b[j].space)
		for c := range n {
			if xs[i][x+c].hi < ys[j][y+c].lo || ys[j][y+c].hi < xs[i][x+c].lo {
				return false
			}
		}
		return true
	}
}

// allColumns are the columns that parts of one space share.
func allColumns(x, _ Space) (colX, colY, n int) { return 1, 1, x.cols() - 1 }
