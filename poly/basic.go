package poly

import (
	"math/big"
	"slices"
)

// A Basic is a conjunction of constraints over the dimensions of a space and over divs: integer variables d, each with
// an explicit definition d = floor(num/den) by columns before it. There are no other existential variables.
// The columns are the constant, parameters, in, out, divs, in this order. A Basic is never plainly empty.
type Basic struct {
	space Space
	divs  []div
	rows  []row
	known facts
	meter *meter
}

// facts are what an operation has found out about a Basic, so that others need not. They are a matter of speed only.
type facts uint8

const (
	inhabited facts = 1 << iota // it has a point
	needed                      // no inequality is redundant, and no equality implicit, as reduced leaves it
	essential                   // nor at integer points, as RemoveRedundant leaves it
)

// with returns b, of which f is known.
func (b Basic) with(f facts) Basic {
	b.known |= f
	return b
}

// A div is the variable floor(num/den), where den > 0 and num uses earlier columns.
type div struct {
	num vec
	den Int
}

// An Affine is Const + Params·params + In·in + Out·out + Divs·divs; short slices stand for zeros. Of a set, only Out is used.
type Affine struct {
	Const                 int64
	Params, In, Out, Divs []int64
}

// A Constraint is Affine >= 0, or Affine = 0 when Eq.
type Constraint struct {
	Eq bool
	Affine
}

// A Div is floor(Num/Den); Num may use earlier divs.
type Div struct {
	Num Affine
	Den int64
}

func (b Basic) width() int { return b.space.cols() + len(b.divs) }

// Space returns the names of b's columns.
func (b Basic) Space() Space { return b.space }

// Constraints returns the constraints of b, without those that define its divs.
func (b Basic) Constraints() []Constraint {
	list := make([]Constraint, len(b.rows))
	for i, r := range b.rows {
		list[i] = Constraint{r.eq, b.space.affine(r.c)}
	}
	return list
}

// Divs returns the divs of b in the order in which Affine.Divs refers to them.
func (b Basic) Divs() []Div {
	list := make([]Div, len(b.divs))
	for i, d := range b.divs {
		list[i] = Div{b.space.affine(d.num[:b.space.cols()+i]), int64Of(d.den)}
	}
	return list
}

// affine splits v by the kinds of its columns.
func (s Space) affine(v vec) Affine {
	xs := make([]int64, len(v))
	for i, x := range v {
		xs[i] = int64Of(x)
	}
	in, out, divs := s.inCol(), s.outCol(), s.cols()
	return Affine{xs[0], xs[1:in:in], xs[in:out:out], xs[out:divs:divs], xs[divs:]}
}

// vec is the inverse of affine.
func (s Space) vec(a Affine) vec {
	v := newVec(s.cols() + len(a.Divs))
	v[0] = NewInt(a.Const)
	put := func(first int, xs []int64) {
		for i, x := range xs {
			v[first+i] = NewInt(x)
		}
	}
	put(1, a.Params)
	put(s.inCol(), a.In)
	put(s.outCol(), a.Out)
	put(s.cols(), a.Divs)
	return v
}

// int64Of returns a, which must fit.
func int64Of(a Int) int64 {
	x, ok := a.Int64()
	if !ok {
		panic(&LimitError{Op: "constraints", What: "bits in a coefficient", Bound: 64})
	}
	return x
}

// universe returns the Basic of all points of a space.
func universe(s Space) Basic { return Basic{space: s} }

// identityCols returns the columns of a space, which map it onto itself.
func (s Space) identityCols() []int { return seq(make([]int, 0, s.cols()), 0, s.cols()) }

// intersect returns the points of a and of b, which are of the same tuples and parameters.
func (a Basic) intersect(b Basic) (Basic, bool) {
	switch {
	case len(b.rows) == 0:
		return a, true
	case len(a.rows) == 0:
		b.space = a.space
		return b, true
	}
	s := newSystem(a.space.cols(), 0)
	s.borrow(a, b)
	id := a.space.identityCols()
	s.add(a, id)
	s.add(b, id)
	both, ok := s.finish(a.space)
	s.giveBack()
	return both, ok
}

// same reports whether a and b are written alike.
func (a Basic) same(b Basic) bool {
	return a.space.sameTuples(b.space) &&
		slices.EqualFunc(a.divs, b.divs, func(d, e div) bool { return d.den.Equal(e.den) && d.num.equal(e.num) }) &&
		slices.EqualFunc(a.rows, b.rows, func(r, q row) bool { return r.eq == q.eq && r.c.equal(q.c) })
}

// hash returns a number that is the same for all that are written alike.
func (a Basic) hash() uint64 {
	h := uint64(len(a.divs))<<32 | uint64(len(a.rows))
	of := func(c vec) {
		for _, x := range c {
			h = (h ^ uint64(x.small)) * 0x100000001b3 // as in FNV-1a
		}
	}
	for _, d := range a.divs {
		of(d.num)
	}
	for _, r := range a.rows {
		of(r.c)
	}
	return h
}

// extend returns the columns of a point of b: x, which is the constant 1 and its dimensions, and the values of the divs.
// It is x itself where there are none.
func (b Basic) extend(x vec) vec {
	if len(b.divs) == 0 {
		return x
	}
	x = x.clone()
	for _, d := range b.divs {
		x = append(x, d.num.eval(x).FloorDiv(d.den))
	}
	return x
}

// contains reports whether the point x, which is the constant 1 and the dimensions, lies in b.
func (b Basic) contains(x vec) bool {
	x = b.extend(x)
	return !slices.ContainsFunc(b.rows, func(r row) bool { return !r.holds(x) })
}

// bounds returns the rows 0 <= num - den*x <= den-1 that say that the column at is d.
func (d div) bounds(width, at int) (lo, hi row) {
	l := newVec(width)
	copy(l, d.num)
	l[at] = l[at].Sub(d.den)
	h := l.negated()
	h[0] = h[0].Add(d.den).Sub(one)
	return row{c: l}, row{c: h}
}

// allRows returns the rows of b and those that define its divs.
func (b Basic) allRows() []row {
	rows := slices.Clone(b.rows)
	for i, d := range b.divs {
		lo, hi := d.bounds(b.width(), b.space.cols()+i)
		rows = append(rows, lo, hi)
	}
	return rows
}

// ratOf returns p/q.
func ratOf(p, q Int) *big.Rat { return new(big.Rat).SetFrac(p.Big(), q.Big()) }
