package poly

import "slices"

// This file proves that a quasi-polynomial is zero wherever a conjunction holds.

// Bounds on what vanishes does. The work of all proofs that a counter makes is counted in terms that are evaluated.
const (
	maxWidth  = 12       // values of one parameter, or of an expression between parallel bounds
	maxDepth  = 3        // of these, one within the other
	maxBox    = 200      // points that are looked at one by one
	maxGrid   = 500000   // terms that are evaluated at points of a grid
	maxEffort = 10000000 // all work: some tenths of a second

	mapEffort       = 60   // work of each term that changes coordinates
	canonicalEffort = 5000 // and that becomes canonical
)

// vanishes reports whether p is zero where b holds. True is certain, false is not. It looks at all values of parameters,
// and of expressions between parallel bounds, that b fixes or leaves few values; what is left it evaluates on a grid.
func (c *counter) vanishes(p polynomial, b Basic, depth int) bool {
	if p.isZero() {
		return true
	}
	if depth == maxDepth || c.effort < 0 {
		return false
	}
	for _, r := range b.rows {
		if r.eq && r.c[b.space.cols():].isZeroAll() {
			q, rest, ok := c.solved(p, b, r.c[:b.space.cols()])
			return !ok || c.vanishes(q, rest, depth)
		}
	}
	ranges := c.ranges(b)
	if zero, ok := c.zeroInBox(p, b, ranges); ok {
		return zero
	}
	zero, ok := c.zeroOnGrid(p)
	if !ok && c.canonizes(p) {
		c.effort -= canonicalEffort * len(p.terms)
		zero = c.canonical(p).isZero()
	}
	if zero {
		return true
	}
	for col, r := range ranges {
		if r.bounded && r.width().Cmp(NewInt(maxWidth)) < 0 {
			return c.vanishesAt(p, b, unitVec(c.known, col), r.lo, r.hi, depth)
		}
	}
	if expr, lo, hi, ok := b.strip(); ok && hi.Sub(lo).Cmp(NewInt(maxWidth)) < 0 {
		return c.vanishesAt(p, b, expr, lo, hi, depth)
	}
	return false
}

// canonizes reports whether canonical rewrites all floors of p.
func (c *counter) canonizes(p polynomial) bool {
	for i, l := range c.table.locals {
		if l.den.Cmp(NewInt(maxPeriod)) > 0 && p.uses(c.known+i) {
			return false
		}
	}
	return len(p.terms) <= maxCanonical
}

// A colRange is what a column may be, if it is bounded on both sides.
type colRange struct {
	lo, hi  Int
	bounded bool
}

func (r colRange) width() Int { return r.hi.Sub(r.lo) }

// ranges returns the ranges of all columns of parameters, that of the constant not being bounded.
func (c *counter) ranges(b Basic) []colRange {
	list := make([]colRange, c.known)
	for col := 1; col < c.known; col++ {
		r := &list[col]
		r.lo, r.hi, r.bounded = columnRange(b, col)
	}
	return list
}

// zeroInBox reports whether p is zero at all points of b, if these are in a small box. Columns that neither uses do not
// matter.
func (c *counter) zeroInBox(p polynomial, b Basic, ranges []colRange) (zero, ok bool) {
	x := newVec(c.known)
	x[0] = one
	volume := one
	for col := 1; col < c.known; col++ {
		r := &ranges[col]
		if !r.bounded && c.period(p, col).isZero() && !b.uses(col) {
			r.lo, r.hi = Int{}, Int{}
		} else if !r.bounded {
			return false, false
		}
		x[col] = r.lo
		if volume = volume.Mul(r.width().Add(one)); volume.Cmp(NewInt(maxBox)) > 0 {
			return false, false
		}
	}
	q := p.integral()
	for more := true; more; more = x.next(ranges) {
		if b.contains(x) {
			c.effort -= len(p.terms)
			if !q.at(c.extended(x)).isZero() {
				return false, true
			}
		}
	}
	return true, true
}

// next makes x, by columns, the next point of a box, or returns false after the last one, which the first one follows.
func (x vec) next(box []colRange) bool {
	for col := 1; col < len(box); col++ {
		if x[col] = x[col].Add(one); x[col].Cmp(box[col].hi) <= 0 {
			return true
		}
		x[col] = box[col].lo
	}
	return false
}

// uses reports whether a row or div of b uses the column col.
func (b Basic) uses(col int) bool {
	return slices.ContainsFunc(b.rows, func(r row) bool { return !r.c[col].isZero() }) ||
		slices.ContainsFunc(b.divs, func(d div) bool { return !d.num[col].isZero() })
}

// vanishesAt reports whether p is known to be zero where b holds and expr has a value from lo to hi.
func (c *counter) vanishesAt(p polynomial, b Basic, expr vec, lo, hi Int, depth int) bool {
	for v := lo; v.Cmp(hi) <= 0; v = v.Add(one) {
		row := expr.clone()
		row[0] = row[0].Sub(v)
		q, rest, ok := c.solved(p, b, row)
		if ok && !rest.isEmpty() && !c.vanishes(q, rest, depth+1) {
			return false
		}
	}
	return true
}

// strip returns an expression of parameters that two rows of b bound from both sides, the closest ones, and its bounds.
func (b Basic) strip() (expr vec, lo, hi Int, ok bool) {
	cols := b.space.cols()
	for i, r := range b.rows {
		for _, q := range b.rows[:i] {
			if !r.c[cols:].isZeroAll() || parallel(r.c, q.c) >= 0 {
				continue
			}
			if width := r.c[0].Add(q.c[0]); !ok || width.Cmp(hi.Sub(lo)) < 0 {
				expr = r.c[:cols].clone()
				expr[0] = Int{}
				lo, hi, ok = r.c[0].Neg(), q.c[0], true
			}
		}
	}
	return expr, lo, hi, ok
}

// solved returns p and b where the equality row over columns of parameters holds, in coordinates, as many, of which none of
// both uses one; or false if that is plainly nowhere. Coordinates change as in Euclid's algorithm, until the equality has
// one coefficient: unimodularly, so that points correspond one to one.
func (c *counter) solved(p polynomial, b Basic, row vec) (polynomial, Basic, bool) {
	s := newSystem(b.space.cols(), 0)
	s.meter = b.meter
	s.add(b, b.space.identityCols())
	row = row.clone()
	for {
		least, others := 0, 0
		for i := 1; i < len(row); i++ {
			if row[i].isZero() {
				continue
			}
			others++
			if least == 0 || row[i].Abs().Cmp(row[least].Abs()) < 0 {
				least = i
			}
		}
		var expr vec // of column least
		switch {
		case others == 0:
			return p, b, row[0].isZero()
		case row[least].isUnit():
			expr = solveFor(row.clone(), least)
		case others == 1:
			q := row[0].FloorDiv(row[least])
			if !q.Mul(row[least]).Equal(row[0]) {
				return p, b, false
			}
			expr = newVec(len(row))
			expr[0] = q.Neg()
		default:
			expr = unitVec(len(row), least)
			for i := 1; i < len(row); i++ {
				if i != least {
					expr[i] = row[i].FloorDiv(row[least]).Neg()
				}
			}
		}
		c.effort -= mapEffort * len(p.terms)
		p = c.at(p, least, expr)
		s.substitute(least, expr.clone().grown(s.width()))
		last := others == 1 || row[least].isUnit()
		if last {
			rest, ok := s.finish(b.space)
			return p, rest, ok
		}
		row.substitute(least, expr)
	}
}

// zeroOnGrid reports whether p is zero at all integer points, by its values at a grid of points, if that is not too large.
// Along a column, with a period that makes all floors rise by integers, p is a polynomial on each class of remainders; and
// a polynomial that is zero at more values of each column than its degree is zero.
func (c *counter) zeroOnGrid(p polynomial) (zero, ok bool) {
	degree := 0
	for _, t := range p.terms {
		degree = max(degree, t.mono.degree())
	}
	grid := make([]colRange, c.known)
	all := NewInt(int64(len(p.terms)))
	for col := 1; col < c.known; col++ {
		period := c.period(p, col)
		if period.isZero() {
			continue
		}
		size := period.Mul(NewInt(int64(degree + 1)))
		grid[col].hi = size.Sub(one)
		if all = all.Mul(size); all.Cmp(NewInt(maxGrid)) > 0 {
			return false, false
		}
	}
	q := p.integral()
	x := newVec(c.known)
	x[0] = one
	for more := true; more; more = x.next(grid) {
		c.effort -= len(p.terms)
		if !q.at(c.extended(x)).isZero() {
			return false, true
		}
	}
	return true, true
}

// period returns a number of steps along the column col after which all floors of p rise by integers, or 0 if p does not
// depend on that column.
func (c *counter) period(p polynomial, col int) Int {
	periods := make([]Int, c.table.width()) // 0 for what does not depend on col
	periods[col] = one
	for i, l := range c.table.locals {
		var period Int
		for j, k := range l.num {
			if !k.isZero() && !periods[j].isZero() {
				period = lcmOrOther(period, periods[j])
			}
		}
		if !period.isZero() {
			periods[c.known+i] = period.Mul(l.den)
		}
	}
	var all Int
	for id, period := range periods {
		if !period.isZero() && p.uses(id) {
			all = lcmOrOther(all, period)
		}
	}
	return all
}

// lcmOrOther returns the least common multiple of x and y > 0, or y if x is 0.
func lcmOrOther(x, y Int) Int {
	if x.isZero() {
		return y
	}
	return x.lcm(y)
}

// A scaledPolynomial is a polynomial times den, which makes all coefficients integers: for fast evaluation.
type scaledPolynomial struct {
	terms []scaledTerm
	den   Int
}

type scaledTerm struct {
	coef Int
	mono monomial
}

// integral returns p, which is finite, for fast evaluation.
func (p polynomial) integral() scaledPolynomial {
	s := scaledPolynomial{den: one}
	for _, t := range p.terms {
		s.den = s.den.lcm(fromBig(t.coef.Denom()))
	}
	for _, t := range p.terms {
		k := fromBig(t.coef.Num()).Mul(s.den.quo(fromBig(t.coef.Denom())))
		s.terms = append(s.terms, scaledTerm{k, t.mono})
	}
	return s
}

// at returns the value at the point x by columns, times den.
func (p scaledPolynomial) at(x vec) Int {
	var sum Int
	for _, t := range p.terms {
		product := t.coef
		for _, f := range t.mono {
			for range f.exp {
				product = product.Mul(x[f.id])
			}
		}
		sum = sum.Add(product)
	}
	return sum
}
