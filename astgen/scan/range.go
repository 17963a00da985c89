package scan

import (
	"math/big"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file finds bounds and strides of the values of a variable.

// A valueRange is what the values of a variable lie between.
type valueRange struct {
	name  string
	known poly.Set
	all   poly.Set
	parts []poly.Basic
	only  *equality // of the one value, if an equality gives it
	step  int64
	base  affine.Expr // a value, modulo step
	hull  *rows       // of all parts
	each  []*rows     // of each part
}

// An equality is coef*x + rest = 0, where x does not occur in rest and coef is not 0.
type equality struct {
	coef int64
	rest affine.Expr
}

// rows are what the inequalities of a conjunction say of a variable.
type rows struct {
	lo, hi []bound
	outer  []poly.Formula // those that do not mention it
}

// A bound is coef*x >= rest of lower bounds, coef*x <= rest of upper ones; coef > 0.
type bound struct {
	coef int64
	rest affine.Expr
}

// expr returns the least value of a lower bound, the greatest of an upper one.
func (b bound) expr(lower bool) affine.Expr {
	if lower {
		return affine.Floor(affine.Total(b.rest, 1, affine.Num(b.coef-1)), b.coef)
	}
	return affine.Floor(b.rest, b.coef)
}

// newRange returns the range of the variable in values, where what is known holds.
func newRange(values poly.Set, name string, known poly.Set) *valueRange {
	all := tidy(values.Intersect(known)).Simplify()
	v := &valueRange{name: name, known: known, all: all, parts: all.Basics(), step: 1, base: affine.Num(0)}
	if len(v.parts) == 0 {
		return v
	}
	v.equalities()
	if v.only != nil {
		return v
	}
	hull := all.SimpleHull().Gist(known).Simplify()
	if list := hull.Basics(); len(list) > 0 {
		v.hull = v.rowsOf(list[0])
	}
	for _, p := range v.parts {
		if list := p.Set().Gist(known).Basics(); len(list) > 0 {
			v.each = append(v.each, v.rowsOf(list[0]))
		}
	}
	return v
}

// equalities looks for an equality that gives the value, or for a stride.
func (v *valueRange) equalities() {
	for _, h := range v.all.AffineHull().Basics() {
		r := newReader(h.Space(), h.Divs())
		for _, c := range h.Constraints() {
			if !c.Eq {
				continue
			}
			v.equality(r, c.Affine)
		}
	}
}

// equality looks at the row a = 0.
func (v *valueRange) equality(r *rowReader, a poly.Affine) {
	coef := r.sum(a).Coef(v.name)
	inner := int64(0) // gcd of the coefficients of floors in which the variable occurs
	rest := a
	rest.Divs = append([]int64{}, a.Divs...)
	for i, c := range a.Divs {
		if c != 0 && mentions(r.floor[i], v.name) {
			inner = affine.GCD(inner, abs(c))
			rest.Divs[i] = 0
		}
	}
	if coef == 0 && inner == 0 {
		return
	}
	e := affine.Total(r.expr(rest), -coef, affine.Var(v.name))
	if inner == 0 {
		if v.only == nil || abs(v.only.coef) > abs(coef) {
			v.only = &equality{coef, e}
		}
		return
	}
	// coef*x + e = 0 modulo inner
	g := affine.GCD(abs(coef), inner)
	step := inner / g
	if step <= v.step {
		return
	}
	inverse := new(big.Int).ModInverse(big.NewInt(affine.Remainder(coef/g, step)), big.NewInt(step))
	if inverse == nil {
		return
	}
	v.step = step
	k := inverse.Int64()
	if k > step/2 {
		k -= step
	}
	v.base = affine.Scaled(affine.Floor(e, g), -k)
}

func abs(a int64) int64 { return max(a, -a) }

// rowsOf returns what the rows of b say of the variable. Floors in which it occurs are replaced by what they lie between.
func (v *valueRange) rowsOf(b poly.Basic) *rows {
	r := newReader(b.Space(), b.Divs())
	var out rows
	for _, c := range b.Constraints() {
		v.row(&out, r, c.Eq, c.Affine)
		if c.Eq {
			v.row(&out, r, true, negated(c.Affine))
		}
	}
	return &out
}

func negated(a poly.Affine) poly.Affine {
	neg := func(x []int64) []int64 {
		y := make([]int64, len(x))
		for i := range x {
			y[i] = -x[i]
		}
		return y
	}
	return poly.Affine{Const: -a.Const, Params: neg(a.Params), In: neg(a.In), Out: neg(a.Out), Divs: neg(a.Divs)}
}

// row adds the row a >= 0.
func (v *valueRange) row(out *rows, r *rowReader, eq bool, a poly.Affine) {
	if e := r.expr(a); !mentions(e, v.name) {
		out.outer = append(out.outer, holds(eq, e))
		return
	}
	coef, rest, ok := v.linear(r, a)
	switch {
	case !ok || coef == 0:
	case coef > 0:
		out.lo = append(out.lo, bound{coef, affine.Scaled(rest, -1)})
	default:
		out.hi = append(out.hi, bound{-coef, rest})
	}
}

// linear returns a row coef*x + rest >= 0 that holds wherever a >= 0 does, without x in rest; false where there is none.
func (v *valueRange) linear(r *rowReader, a poly.Affine) (coef int64, rest affine.Expr, ok bool) {
	for range len(a.Divs) + 1 {
		at := -1
		for i := len(a.Divs) - 1; i >= 0; i-- {
			if a.Divs[i] != 0 && mentions(r.floor[i], v.name) {
				at = i
				break
			}
		}
		if at < 0 {
			e := r.expr(a)
			coef := r.sum(a).Coef(v.name)
			return coef, affine.Total(e, -coef, affine.Var(v.name)), true
		}
		// c*floor(num/den): num - den + 1 <= den*floor <= num
		d, c := r.divs[at], a.Divs[at]
		num := d.Num
		if c < 0 {
			num.Const -= d.Den - 1
		}
		a = combined(a, d.Den, num, c, at)
	}
	return 0, nil, false
}

// combined returns k*a + c*b without the floor at a position of a.
func combined(a poly.Affine, k int64, b poly.Affine, c int64, at int) poly.Affine {
	mix := func(x, y []int64) []int64 {
		z := make([]int64, max(len(x), len(y)))
		for i := range z {
			if i < len(x) {
				z[i] = affine.Times(k, x[i])
			}
			if i < len(y) {
				z[i] = affine.Plus(z[i], affine.Times(c, y[i]))
			}
		}
		return z
	}
	a.Divs = append([]int64{}, a.Divs...)
	a.Divs[at] = 0
	return poly.Affine{Const: affine.Plus(affine.Times(k, a.Const), affine.Times(c, b.Const)),
		Params: mix(a.Params, b.Params), In: mix(a.In, b.In), Out: mix(a.Out, b.Out), Divs: mix(a.Divs, b.Divs)}
}

// side returns the lower or the upper bounds.
func (r *rows) side(lower bool) []bound {
	if lower {
		return r.lo
	}
	return r.hi
}

// bound returns the least or the greatest value that the loop may have, and what the values satisfy: the bounds of all parts together
// where there are some, else the weakest of those of each.
func (v *valueRange) bound(lower bool) (affine.Expr, poly.Formula) {
	if v.hull != nil && len(v.hull.side(lower)) > 0 {
		e, f := v.strictest(v.hull.side(lower), lower)
		if !v.loose(f, lower) {
			return e, f
		}
	}
	var all []affine.Expr
	var some []poly.Formula
	for _, r := range v.each {
		e, f := v.strictest(r.side(lower), lower)
		all = append(all, e)
		some = append(some, f)
	}
	if lower {
		return affine.MinOf(all...), poly.Or(some...)
	}
	return affine.MaxOf(all...), poly.Or(some...)
}

// fewValues is how many values beyond those of all parts a loop may run through for a simpler bound.
const fewValues = 1000

// loose reports whether more than a few values satisfy the bound of the hull and that of no part: so it is where parts have bounds by different
// parameters, of which all that is known is that they fit a type.
func (v *valueRange) loose(hull poly.Formula, lower bool) bool {
	if len(v.each) < 2 {
		return false
	}
	all := []poly.Formula{hull}
	for _, r := range v.each {
		var outside []poly.Formula
		for _, b := range r.side(lower) {
			if x := affine.Var(v.name).Times(b.coef); lower { // coef*(x + few) < rest
				outside = append(outside, poly.Less(x.Add(b.coef*fewValues), b.rest))
			} else {
				outside = append(outside, poly.Less(b.rest, x.Add(-b.coef*fewValues)))
			}
		}
		if outside == nil {
			return false
		}
		all = append(all, poly.Or(outside...))
	}
	return !poly.NewParamSet(v.all.Params(), all...).Intersect(v.known).IsEmpty()
}

// strictest returns the bound that holds where all of list do.
func (v *valueRange) strictest(list []bound, lower bool) (affine.Expr, poly.Formula) {
	if len(list) == 0 {
		fail("%s has no bound", v.name)
	}
	var exprs []affine.Expr
	var all []poly.Formula
	for _, b := range list {
		exprs = append(exprs, b.expr(lower))
		if x := affine.Var(v.name).Times(b.coef); lower {
			all = append(all, poly.AtMost(b.rest, x))
		} else {
			all = append(all, poly.AtMost(x, b.rest))
		}
	}
	if lower {
		return affine.MaxOf(exprs...), poly.And(all...)
	}
	return affine.MinOf(exprs...), poly.And(all...)
}

// residue returns what is known of values that are base + k*step.
func (v *valueRange) residue() []poly.Formula {
	if v.step == 1 {
		return nil
	}
	d := affine.Total(affine.Var(v.name), -1, v.base)
	return []poly.Formula{poly.Equal(affine.Total(d, -v.step, affine.Floor(d, v.step)), affine.Num(0))}
}

// first returns the least value that is at least lo and base + k*step.
func (v *valueRange) first(lo affine.Expr) affine.Expr {
	if v.step == 1 {
		return lo
	}
	// the least value is often one of the lattice
	at := poly.NewParamSet(v.all.Params(), poly.Equal(affine.Var(v.name), lo)).Intersect(v.known)
	if at.IsSubset(poly.NewParamSet(v.all.Params(), v.residue()...)) {
		return lo
	}
	// base + step*ceil((lo - base)/step)
	d := affine.Total(affine.Total(lo, -1, v.base), 1, affine.Num(v.step-1))
	return affine.Remainders(affine.Total(v.base, v.step, affine.Floor(d, v.step)))
}

// outer returns what a superset of the values says of parameters and variables around: it holds wherever there are values.
func (v *valueRange) outer(superset poly.Set) poly.Set {
	outer := always
	if hull, ok := hulled(tidy(superset.Intersect(v.known))); ok {
		for _, b := range hull.Gist(v.known).Basics() {
			outer = poly.NewParamSet(hull.Params(), v.rowsOf(b).outer...)
		}
	}
	if v.step > 1 {
		outer = outer.Intersect(v.all.ProjectOut(v.name).AffineHull())
	}
	return outer
}

// closest returns the lower bound from which on the fewest values hold all there are, and how many; nil if there is none.
func (v *valueRange) closest() (lo affine.Expr, count int64) {
	var all []*rows
	if v.hull != nil {
		all = append(all, v.hull)
	}
	for _, r := range append(all, v.each...) {
		for _, b := range r.lo {
			x := v.first(b.expr(true))
			n, ok := v.distance(x)
			if ok && (lo == nil || n < count) {
				lo, count = x, n
			}
		}
	}
	return lo, count
}

// distance returns how many values from x on, a step apart, hold all there are; false if they do not, or the number has no bound.
func (v *valueRange) distance(x affine.Expr) (int64, bool) {
	const d = "distance"
	off := poly.NewParamSet(append(v.all.Params(), d), poly.Equal(affine.Var(d), affine.Total(affine.Var(v.name), -1, x)))
	far := v.all.Intersect(off)
	line := far.ProjectOut(far.Params()[:0]...)
	for _, p := range far.Params() {
		if p != d {
			line = line.ProjectOut(p)
		}
	}
	set := line.ParamToDim(d, 0)
	if set.IsEmpty() {
		return 0, true
	}
	if !set.Intersect(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(1)}, poly.Less(poly.Out(0), affine.Num(0)))).IsEmpty() {
		return 0, false
	}
	last := set.LexMax()
	_, point, ok := last.Sample()
	if !ok {
		return 0, false
	}
	return point[0]/v.step + 1, true
}
