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
		col := r.only()
		if col < 0 || col >= len(all) {
			continue
		}
		k, c := r.c[col], r.c[0]
		if k.big != nil || c.big != nil || k.small == math.MinInt64 || c.small == math.MinInt64 {
			continue
		}
		n, d := -c.small, k.small // d*x >= n, or d*x == n
		if d > 0 || r.eq {
			all[col].lo = max(all[col].lo, -quotient(-n, d))
		}
		if d < 0 || r.eq {
			all[col].hi = min(all[col].hi, quotient(n, d))
		}
	}
	return all
}

// only returns the column that alone has a coefficient in r, beside that of the constant; -1 if there is none, or are several.
func (r row) only() int {
	col := -1
	for i, k := range r.c[1:] {
		switch {
		case k.isZero():
		case col >= 0:
			return -1
		default:
			col = 1 + i
		}
	}
	return col
}

// quotient returns floor(n/d).
func quotient(n, d int64) int64 {
	q := n / d
	if n%d != 0 && (n < 0) != (d < 0) {
		q--
	}
	return q
}

// boundsOf returns the bounds of each part.
func boundsOf(parts []Basic) [][]colBounds {
	all := make([][]colBounds, len(parts))
	for i, b := range parts {
		all[i] = b.bounds()
	}
	return all
}

// excludes reports whether n columns, from column a on with bounds x and from b on with bounds y, can have no values in common.
func excludes(x []colBounds, a int, y []colBounds, b, n int) bool {
	for i := range n {
		if x[a+i].hi < y[b+i].lo || y[b+i].hi < x[a+i].lo {
			return true
		}
	}
	return false
}

// nearby returns what reports whether part i of a and part j of b, which are of one space, may have points in common. Of single parts
// it is not asked: that they have none is found as fast.
func nearby(a, b []Basic) func(i, j int) bool {
	if len(a)*len(b) <= 1 {
		return func(i, j int) bool { return true }
	}
	x, y := boundsOf(a), boundsOf(b)
	return func(i, j int) bool { return !excludes(x[i], 1, y[j], 1, len(x[i])-1) }
}
