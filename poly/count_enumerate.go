package poly

import (
	"math/big"
)

// enumerate returns the number of points of parts, which have no parameters. It walks along all values of all
// dimensions but the last one, whose values it counts.
func enumerate(parts []Basic) *big.Int {
	e := &enumeration{total: new(big.Int), meter: begin("count", &parts)}
	defer e.meter.end()
	for _, same := range groupBy(parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		for _, b := range disjoint(same) {
			e.walk(b.allRows(), b.width())
		}
	}
	return e.total
}

// An enumeration counts points.
type enumeration struct {
	total *big.Int
	lines int
	meter *meter
}

// walk adds the integer points of rows over width columns. Divs are columns like others, being unique at each point.
func (e *enumeration) walk(rows []row, width int) {
	e.meter.spend(4 * len(rows) * width)
	if e.lines++; e.lines > maxPoints {
		panic(&LimitError{Op: "count", What: "lines of points", Bound: maxPoints})
	}
	rows, ok := fixedRows(rows, Int{}, 0)
	if !ok {
		return
	}
	if width == 1 {
		e.total.Add(e.total, big.NewInt(1))
		return
	}
	col := width - 1
	lo, hi, ok := interval(rows, width, e.meter)
	if !ok {
		return
	}
	if width == 2 {
		n := hi.Sub(lo).Add(one)
		e.total.Add(e.total, n.Big())
		return
	}
	for x := lo; x.Cmp(hi) <= 0; x = x.Add(one) {
		if fixed, ok := fixedRows(rows, x, col); ok {
			e.walk(fixed, width-1)
		}
	}
}

// fixedRows returns rows with the column col, the last one, set to x, or with col 0 as they are; without those that
// hold anyway, and false if one cannot hold.
func fixedRows(rows []row, x Int, col int) ([]row, bool) {
	var kept []row
	for _, r := range rows {
		c := r.clone()
		if col > 0 {
			c.c[0] = c.c[0].Add(c.c[col].Mul(x))
			c.c = c.c[:col]
		}
		switch c.normalize() {
		case never:
			return nil, false
		case unclear:
			kept = append(kept, c)
		}
	}
	return kept, true
}

// interval returns the least and the greatest integer that the last of width columns has on the rational points of
// rows, or false if there is none. It panics if there is no such bound.
func interval(rows []row, width int, m *meter) (lo, hi Int, ok bool) {
	t := newTableau(width-1, m)
	if !t.addAll(rows) {
		return lo, hi, false
	}
	up := unitVec(width, width-1)
	p, q, o := t.maximize(up)
	r, s, u := t.maximize(up.negated())
	if o == unbounded || u == unbounded {
		panic(&LimitError{Op: "count", What: "points", Bound: maxPoints})
	}
	lo, hi = r.FloorDiv(s).Neg(), p.FloorDiv(q)
	return lo, hi, lo.Cmp(hi) <= 0
}
