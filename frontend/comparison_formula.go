package frontend

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file writes conditions as formulas, for the check of stores (comparison_reach.go): once more, and
// otherwise than the conditions that split nests are read.

// A truth is what is known of a condition: the formula sure implies it, and it implies maybe. Where it is affine the two are one.
type truth struct {
	sure, maybe poly.Formula
	data        bool // it depends on elements of arrays, or on numbers that are not integers
	other       bool // it depends on something else that is no sum of variables
}

var (
	always = exactly(poly.True())
	never  = exactly(poly.False())
)

// unknownTruth returns what is known of a condition of which nothing is.
func unknownTruth(data bool) truth { return truth{poly.False(), poly.True(), data, !data} }

func exactly(f poly.Formula) truth { return truth{sure: f, maybe: f} }

// isExact reports whether t says just where the condition holds.
func (t truth) isExact() bool { return !t.data && !t.other }

func (t truth) not() truth {
	return truth{poly.Not(t.maybe), poly.Not(t.sure), t.data, t.other}
}

func (t truth) and(u truth) truth {
	return truth{poly.And(t.sure, u.sure), poly.And(t.maybe, u.maybe), t.data || u.data, t.other || u.other}
}

func (t truth) or(u truth) truth {
	return truth{poly.Or(t.sure, u.sure), poly.Or(t.maybe, u.maybe), t.data || u.data, t.other || u.other}
}

// sumOf returns x op y, if that is a sum.
func sumOf(op string, x, y affine.Sum) (affine.Sum, bool) {
	if !isSmall(x) || !isSmall(y) {
		return affine.Sum{}, false
	}
	numbers := x.IsNum() && y.IsNum()
	switch {
	case op == "+":
		return x.Plus(y), true
	case op == "-":
		return x.Minus(y), true
	case op == "*" && x.IsNum():
		return y.Times(x.Const), true
	case op == "*" && y.IsNum():
		return x.Times(y.Const), true
	case op == "<<" && y.IsNum() && 0 <= y.Const && y.Const < 20:
		return x.Times(1 << y.Const), true
	case op == ">>" && numbers && 0 <= y.Const && y.Const < 63:
		return affine.Num(x.Const >> y.Const), true
	case op == "/" && numbers && y.Const != 0:
		return affine.Num(x.Const / y.Const), true
	case op == "%" && numbers && y.Const != 0:
		return affine.Num(x.Const % y.Const), true
	case op == "&" && numbers:
		return affine.Num(x.Const & y.Const), true
	case op == "^" && numbers:
		return affine.Num(x.Const ^ y.Const), true
	}
	return affine.Sum{}, false
}

// isSmall reports whether products of x with another such sum do not overflow.
func isSmall(x affine.Sum) bool {
	return abs(x.Const) < 1<<30 && !slices.ContainsFunc(x.Terms, func(t affine.Term) bool { return abs(t.Coef) >= 1<<30 })
}

// A sumWhere is a value where a formula holds.
type sumWhere struct {
	when  poly.Formula
	value affine.Sum
}

// A choiceOfSums is an integer that has one of several values.
type choiceOfSums []sumWhere

func oneSum(v affine.Sum) choiceOfSums { return choiceOfSums{{poly.True(), v}} }

// comparisons are the formulas of the operators that compare.
var comparisons = map[string]compare{
	"<": poly.Less, "<=": poly.AtMost, "==": poly.Equal, "!=": poly.Unequal, ">": greater,
	">=": func(x, y affine.Expr) poly.Formula { return poly.AtMost(y, x) },
}

// compared returns the condition x op y.
func compared(op string, x, y choiceOfSums) truth {
	t := never
	for _, a := range x {
		for _, b := range y {
			t = t.or(exactly(poly.And(a.when, b.when, comparisons[op](a.value, b.value))))
		}
	}
	return t
}

func isComparison(op string) bool {
	return comparisons[op] != nil
}

// each returns the values f(a, b) of x and y.
func (x choiceOfSums) each(y choiceOfSums, f func(a, b affine.Sum) (affine.Sum, bool)) (all choiceOfSums, ok bool) {
	for _, a := range x {
		for _, b := range y {
			v, ok := f(a.value, b.value)
			if !ok {
				return nil, false
			}
			all = append(all, sumWhere{poly.And(a.when, b.when), v})
		}
	}
	return all, len(all) <= maxExtremes
}

// computed returns x op y.
func (x choiceOfSums) computed(op string, y choiceOfSums) (choiceOfSums, bool) {
	if len(y) == 1 && y[0].value.IsNum() {
		switch m := y[0].value.Const; {
		case op == "%" && 1 < m && m <= mostRemainders:
			return x.remainders(m, false)
		case op == "&" && 0 < m && m < mostRemainders && m&(m+1) == 0:
			return x.remainders(m+1, true)
		}
	}
	return x.each(y, func(a, b affine.Sum) (affine.Sum, bool) { return sumOf(op, a, b) })
}

// mostRemainders bounds the divisors of which each remainder is looked at by itself.
const mostRemainders = 16

// remainders returns the values of x modulo m, each where it is that; C's remainder, which has the sign of x, or, where
// floor is set, the one that is never negative.
func (x choiceOfSums) remainders(m int64, floor bool) (all choiceOfSums, ok bool) {
	for _, a := range x {
		if a.value.IsNum() {
			v := affine.Remainder(a.value.Const, m)
			if !floor {
				v = a.value.Const % m
			}
			all = append(all, sumWhere{a.when, affine.Num(v)})
			continue
		}
		if !isSmall(a.value) {
			return nil, false
		}
		is := func(v affine.Sum, r int64) poly.Formula { return poly.Equal(affine.Modulo(v, m), affine.Num(r)) }
		all = append(all, sumWhere{poly.And(a.when, is(a.value, 0)), affine.Num(0)})
		for r := int64(1); r < m; r++ {
			here := poly.And(a.when, is(a.value, r))
			if floor {
				all = append(all, sumWhere{here, affine.Num(r)})
				continue
			}
			all = append(all, sumWhere{poly.And(here, poly.NotNegative(a.value)), affine.Num(r)},
				sumWhere{poly.And(a.when, is(a.value.Times(-1), r), poly.Less(a.value, affine.Num(0))), affine.Num(-r)})
		}
	}
	return all, len(all) <= maxExtremes
}

// number returns t as C's 1 or 0.
func (t truth) number() (choiceOfSums, bool) {
	return oneSum(affine.Num(1)).where(t.maybe, oneSum(affine.Num(0))), t.isExact()
}

func (x choiceOfSums) negated() (all choiceOfSums) {
	for _, a := range x {
		all = append(all, sumWhere{a.when, a.value.Times(-1)})
	}
	return all
}

// where returns the values of x where test holds, and those of y elsewhere.
func (x choiceOfSums) where(test poly.Formula, y choiceOfSums) (all choiceOfSums) {
	for _, a := range x {
		all = append(all, sumWhere{poly.And(test, a.when), a.value})
	}
	for _, b := range y {
		all = append(all, sumWhere{poly.And(poly.Not(test), b.when), b.value})
	}
	return all
}

// maxReads bounds the expressions that are looked at for the conditions of a statement, or of a region: values of locals are
// looked at wherever these are used.
const maxReads = 100_000

// A formulaReader reads the conditions in the body of a statement of the program.
type formulaReader struct {
	lets  map[string]scop.Expr // the values of what is set once
	olds  []oldValue
	reads int
}

func newFormulaReader(s *scop.Stmt, olds []oldValue) *formulaReader {
	r := &formulaReader{lets: map[string]scop.Expr{}, olds: olds}
	twice := map[string]bool{}
	for _, a := range s.Body {
		if l, ok := a.(scop.Let); ok {
			twice[l.Name] = r.lets[l.Name] != nil
			r.lets[l.Name] = l.Value
		}
	}
	maps.DeleteFunc(r.lets, func(name string, _ scop.Expr) bool { return twice[name] })
	return r
}

// stores returns where a sets a new value, and not the old one again: see join.
func (r *formulaReader) stores(a scop.Store) truth { return r.fresh(a.Value) }

func (r *formulaReader) fresh(x scop.Expr) truth {
	switch x := x.(type) {
	case scop.Cond:
		if c := r.truth(x.C); r.mayBeOld(x) {
			return c.and(r.fresh(x.X)).or(c.not().and(r.fresh(x.Y)))
		}
	case scop.Read:
		if r.isOld(x) {
			return never
		}
	}
	return always
}

// isOld reports whether x is what a store held before: that which x is in the value of, or one that was joined with it.
func (r *formulaReader) isOld(x scop.Read) bool {
	return slices.ContainsFunc(r.olds, func(o oldValue) bool { return o.read == x.From })
}

// mayBeOld reports whether x, one of two values, or a part of them, is what the store held before.
func (r *formulaReader) mayBeOld(x scop.Cond) bool {
	for _, y := range []scop.Expr{x.X, x.Y} {
		switch y := y.(type) {
		case scop.Cond:
			if r.mayBeOld(y) {
				return true
			}
		case scop.Read:
			if r.isOld(y) {
				return true
			}
		}
	}
	return false
}

// named returns x, or the value of the local that it reads.
func (r *formulaReader) named(x scop.Expr) scop.Expr {
	for r.reads < maxReads {
		r.reads++
		v, ok := x.(scop.Var)
		if !ok || v.Kind != scop.LocalVar || r.lets[v.Name] == nil {
			break
		}
		x = r.lets[v.Name]
	}
	return x
}

// truth returns what is known of condition x.
func (r *formulaReader) truth(x scop.Expr) truth {
	switch x := r.named(x).(type) {
	case scop.Cond:
		c := r.truth(x.C)
		return c.and(r.truth(x.X)).or(c.not().and(r.truth(x.Y)))
	case scop.Unary:
		if x.Op == "!" {
			return r.truth(x.X).not()
		}
	case scop.Binary:
		switch x.Op {
		case "&&":
			return r.truth(x.X).and(r.truth(x.Y))
		case "||":
			return r.truth(x.X).or(r.truth(x.Y))
		}
		if !isComparison(x.Op) {
			break
		}
		if c, ok := r.condition(x.X); ok && isZero(x.Y) && x.Op == "!=" {
			return r.truth(c)
		} else if ok && isZero(x.Y) && x.Op == "==" {
			return r.truth(c).not()
		}
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		if ok1 && ok2 {
			return compared(x.Op, a, b)
		}
	}
	if v, ok := r.value(x); ok {
		return compared("!=", v, oneSum(affine.Num(0)))
	}
	return unknownTruth(r.isData(x))
}

// isData reports whether x is computed from elements of arrays, or from numbers that are no integers.
func (r *formulaReader) isData(x scop.Expr) (found bool) {
	scop.Visit(x, func(x scop.Expr) {
		switch x := x.(type) {
		case scop.Read:
			found = true
		case scop.Var:
			if v := r.named(x); v != scop.Expr(x) {
				found = found || r.isData(v)
			}
		}
		found = found || x.Type().IsFloat()
	})
	return found
}

func isZero(x scop.Expr) bool {
	c, ok := x.(scop.Const)
	return ok && c.I == 0 && c.F == 0
}

// condition returns the condition of which x is the value, 1 or 0.
func (r *formulaReader) condition(x scop.Expr) (scop.Expr, bool) {
	for {
		x = r.named(x)
		c, ok := x.(scop.Cast)
		if !ok {
			return x, x.Type() == scop.Bool
		}
		x = c.X
	}
}

// value returns integer x over iterators and parameters.
func (r *formulaReader) value(x scop.Expr) (choiceOfSums, bool) {
	switch x := r.named(x).(type) {
	case scop.Const:
		return oneSum(affine.Num(x.I)), !x.T.IsFloat()
	case scop.Var:
		return oneSum(affine.Var(x.Name)), x.Kind == scop.IterVar || x.Kind == scop.ParamVar
	case scop.Cast:
		if x.X.Type() == scop.Bool && !x.T.IsFloat() {
			return r.truth(x.X).number()
		}
		v, ok := r.value(x.X)
		return v, ok && !x.T.IsFloat() && !x.T.IsNarrow()
	case scop.Unary:
		v, ok := r.value(x.X)
		return v.negated(), ok && x.Op == "-"
	case scop.Binary:
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		if !ok1 || !ok2 {
			return nil, false
		}
		return a.computed(x.Op, b)
	case scop.Cond:
		c := r.truth(x.C)
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		return a.where(c.maybe, b), c.isExact() && ok1 && ok2
	}
	return nil, false
}
