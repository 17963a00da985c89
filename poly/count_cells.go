package poly

import (
	"math/big"
	"slices"
)

// A summand is a cell under change: a system whose known columns are the constant, parameters and variables, and whose
// divs use parameters only; and the polynomial, which follows all substitutions. It is mutable.
type summand struct {
	c     *counter
	s     *system
	vars  []int
	p     polynomial
	split bool // as in cell
}

// summand returns x, to be changed.
func (c *counter) summand(x cell) *summand {
	s := newSystem(x.b.space.cols(), 0)
	s.add(x.b, x.b.space.identityCols())
	return &summand{c, s, x.vars, x.p, x.split}
}

func (w *summand) clone() *summand {
	v := *w
	v.s = w.s.clone()
	return &v
}

// substitute replaces the variable at column col by expr, which may use it.
func (w *summand) substitute(col int, expr vec) {
	w.p = w.p.substitute(w.vars[col-w.c.known], w.express(expr))
	w.s.substitute(col, expr)
}

// express returns the expression v over the columns of w as a polynomial.
func (w *summand) express(v vec) polynomial {
	var sum polynomial
	plain := v.clone()
	for i, name := range w.vars {
		col := w.c.known + i
		sum = sum.plus(variable(name).scaled(new(big.Rat).SetInt(v[col].Big())))
		plain[col] = Int{}
	}
	return sum.plus(linear(w.c.tabled(w.s, plain)))
}

// linear returns the expression v as a polynomial in its columns.
func linear(v vec) polynomial {
	var terms []term
	for i, k := range v {
		if k.isZero() {
			continue
		}
		t := term{coef: new(big.Rat).SetInt(k.Big())}
		if i > 0 {
			t.mono = monomial{{i, 1}}
		}
		terms = append(terms, t)
	}
	return collect(terms)
}

// tabled returns the expression v of s, which uses no variables, over the columns of the table.
func (c *counter) tabled(s *system, v vec) vec {
	w := newVec(c.table.width())
	for i, k := range v {
		switch {
		case k.isZero():
		case i < c.known:
			w[i] = w[i].Add(k)
		case i < s.known:
			panic("poly: count: a floor of variables is left")
		default:
			d := s.locals[i-s.known]
			f := c.table.floor(c.tabled(s, d.num), d.den)
			w = w.grown(len(f))
			w.addMul(k, f)
		}
	}
	return w
}

// without returns w as a cell that lacks the variable at column col, which no row uses.
func (w *summand) without(col int) cell {
	space := w.c.space(len(w.vars) - 1)
	t := newSystem(space.cols(), 0)
	t.meter = w.s.meter
	images := make([]image, w.s.known, w.s.width())
	for i := range images {
		images[i].col = i
		if i >= col {
			images[i].col = max(i-1, 0)
		}
	}
	for _, l := range w.s.locals {
		images = append(images, t.addDiv(t.mapped(l.num, images), l.den))
	}
	for _, r := range w.s.rows {
		t.addRow(r.eq, t.mapped(r.c, images))
	}
	at := col - w.c.known
	return cell{t.finishOrEmpty(space), slices.Delete(slices.Clone(w.vars), at, at+1), w.p, w.split}
}

// gather changes variables, as Euclid does, until at most one of the coefficients, by variable, is not zero: if the
// coefficients are those of a row modulo m, that row then uses one variable modulo m. It returns that variable, or -1.
// The changes are unimodular, so that points correspond one to one.
func (w *summand) gather(coefs vec) int {
	for {
		least, count := -1, 0
		for i, k := range coefs {
			if k.isZero() {
				continue
			}
			count++
			if least < 0 || k.Abs().Cmp(coefs[least].Abs()) < 0 {
				least = i
			}
		}
		if count <= 1 {
			return least
		}
		expr := unitVec(w.s.width(), w.c.known+least)
		for i, k := range coefs {
			if i != least && !k.isZero() {
				q := k.FloorDiv(coefs[least])
				expr[w.c.known+i] = q.Neg()
				coefs[i] = k.Sub(q.Mul(coefs[least]))
			}
		}
		w.substitute(w.c.known+least, expr)
	}
}

// solve sums over x by way of the equality i, which determines a variable: a*v = l gives v = floor(l/a), where a divides
// l. In a set as it was given, that is a condition, as in { 1 : n mod 2 = 0 }. In a cell it becomes a factor that is 1 or
// 0, floor(l/a) - floor((l-1)/a), while the conditions are those of the rational v = l/a, which keeps pieces few.
func (c *counter) solve(x cell, i int) {
	w := c.summand(x)
	v := w.s.rows[i].c
	col := c.known + w.gather(slices.Clone(v[c.known:w.s.known]))
	if v[col].Sign() < 0 {
		v.scale(minusOne)
	}
	a, l := v[col], v.negated()
	l[col] = Int{}
	value := w.s.floor(l, a)
	if x.split && !a.isOne() {
		before := l.clone()
		before[0] = before[0].Sub(one)
		divides := w.express(value).minus(w.express(w.s.floor(before, a)))
		w.p = w.p.times(divides)
		v = w.s.rows[i].c // floor may have added columns
		for j, r := range w.s.rows {
			if k := r.c[col]; j != i && !k.isZero() {
				r.c.combine(a, k.Neg(), v)
			}
		}
		w.s.rows = slices.Delete(w.s.rows, i, i+1)
	}
	w.substitute(col, value)
	c.sum(w.without(col))
}

// pin sums over x by way of the one value floor(f/d) of variable v, where upper is f - d*v >= 0.
func (c *counter) pin(x cell, v int, upper vec) {
	w := c.summand(x)
	col := c.known + v
	f := upper.clone().grown(w.s.width())
	f[col] = Int{}
	w.substitute(col, w.s.floor(f, upper[col].Neg()))
	c.sum(w.without(col))
}

// split sums over x cell by cell: in each, one row is the tightest lower bound of variable v and one the tightest upper
// bound, earlier rows being less tight than it.
func (c *counter) split(x cell, v int) {
	col := c.known + v
	s := c.summand(x).s
	lower, upper := s.bounds(col)
	for _, i := range lower {
		for _, j := range upper {
			w := &summand{c, s.clone(), x.vars, x.p, true}
			w.s.rows = between(s.rows, lower, upper, i, j, col)
			if w.s.empty() {
				continue
			}
			for _, u := range w.residues(0, col) {
				for _, z := range u.residues(1, col) {
					z.integrate(col)
				}
			}
		}
	}
}

// between returns the rows of a cell: the lower bound i and the upper bound j first, then what makes them the tightest,
// and the rows that do not use col.
func between(rows []row, lower, upper []int, i, j, col int) []row {
	list := []row{rows[i].clone(), rows[j].clone()}
	for _, side := range []struct {
		best int
		all  []int
	}{{i, lower}, {j, upper}} {
		for _, k := range side.all {
			if k != side.best {
				list = append(list, row{c: tighter(rows[side.best].c, rows[k].c, col, k < side.best)})
			}
		}
	}
	for _, r := range rows {
		if r.c[col].isZero() {
			list = append(list, r.clone())
		}
	}
	return list
}

// residues returns w split by remainders so that, in the row at, the coefficient of column col divides those of all
// other variables.
func (w *summand) residues(at, col int) []*summand {
	r := w.s.rows[at].c
	a := r[col].Abs()
	coefs := make(vec, len(w.vars))
	for i := range coefs {
		if k := r[w.c.known+i]; w.c.known+i != col {
			coefs[i] = k.Sub(a.Mul(k.nearest(a)))
		}
	}
	y := w.gather(coefs)
	if y < 0 {
		return []*summand{w}
	}
	m := a.quo(a.gcd(coefs[y]))
	if m.Cmp(NewInt(maxCells)) > 0 {
		panic(&LimitError{Op: "count", What: "remainders", Bound: maxCells})
	}
	var list []*summand
	for k := (Int{}); k.Cmp(m) < 0; k = k.Add(one) {
		u := w.clone()
		expr := newVec(w.s.width())
		expr[0], expr[w.c.known+y] = k, m
		u.substitute(w.c.known+y, expr)
		list = append(list, u)
	}
	return list
}

// integrate sums over column col from the lower bound that row 0 states to the upper bound of row 1, and goes on with
// the other variables where the bounds leave room: a rational value. An integer may still lie between them or not: where
// l/a <= u/b, Faulhaber's formula from ceil(l/a) to floor(u/b) is right, being 0 where that range is empty. So no floor
// comes into the conditions.
func (w *summand) integrate(col int) {
	low, high := w.s.rows[0].c.clone(), w.s.rows[1].c.clone()
	room := shadow(low, high, col)
	a, b := low[col], high[col].Neg()
	low[col], high[col] = Int{}, Int{}
	lo, hi := w.s.floor(low, a).negated(), w.s.floor(high, b) // a*x + l >= 0: x >= -floor(l/a)
	w.p = w.p.sumOver(w.vars[col-w.c.known], w.express(lo), w.express(hi))
	w.s.rows = w.s.rows[2:]
	w.s.addRow(false, room)
	w.c.sum(w.without(col))
}
