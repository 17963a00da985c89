package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// Known is what holds wherever the loops over the tiles of a phase lead.
type Known struct {
	Rows    []affine.Sum // >= 0 for every tile visited
	context poly.Set
}

// Implies reports whether one of the rows of k has the terms of r and is at
// least as strong. True is certain, false is not.
func (k Known) Implies(r affine.Sum) bool {
	return slices.ContainsFunc(k.Rows, func(have affine.Sum) bool { return have.Parallel(r) && have.Const <= r.Const })
}

// within returns k inside a loop over the variable.
func (k Known) within(name string, lo, hi affine.Expr) Known {
	k.Rows = slices.Concat(k.Rows, atLeast(affine.Var(name), lo), atMost(affine.Var(name), hi))
	return k
}

// atLeast returns rows that x >= e implies, as many as are sums.
func atLeast(x affine.Sum, e affine.Expr) (rows []affine.Sum) {
	switch e := e.(type) {
	case affine.Sum:
		rows = append(rows, x.Minus(e))
	case affine.FloorDiv:
		if num, ok := e.X.(affine.Sum); ok {
			rows = append(rows, x.Times(e.D).Minus(num).Add(e.D-1))
		}
	case affine.Max:
		for _, a := range e.Args {
			rows = append(rows, atLeast(x, a)...)
		}
	}
	return rows
}

// atMost returns rows that x <= e implies, as many as are sums.
func atMost(x affine.Sum, e affine.Expr) (rows []affine.Sum) {
	switch e := e.(type) {
	case affine.Sum:
		rows = append(rows, e.Minus(x))
	case affine.FloorDiv:
		if num, ok := e.X.(affine.Sum); ok {
			rows = append(rows, num.Minus(x.Times(e.D)))
		}
	case affine.Min:
		for _, a := range e.Args {
			rows = append(rows, atMost(x, a)...)
		}
	}
	return rows
}

// irredundant returns rows that, where k holds, hold together just where all
// of sh do, none of them implied by the others. It returns nil if they never hold.
func (sh shadow) irredundant(k Known) shadow {
	rows := shadow{}
	for _, r := range sh {
		if r.IsNum() && r.Const < 0 {
			return nil
		}
		if !r.IsNum() && !k.Implies(r) {
			rows = append(rows, r)
		}
	}
	if k.empty(rows) {
		return nil
	}
	for i := len(rows) - 1; i >= 0; i-- {
		others := slices.Delete(slices.Clone(rows), i, i+1)
		if k.empty(append(slices.Clone(others), rows[i].Negated())) {
			rows = others
		}
	}
	return rows
}

// empty reports whether no integers make the rows hold where k does.
func (k Known) empty(rows []affine.Sum) bool {
	all := slices.Concat(rows, k.Rows)
	if len(all) == 0 {
		return false
	}
	var names []string
	for _, r := range all {
		for _, t := range r.Terms {
			names = append(names, t.Var)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	constraints := make([]poly.Constraint, len(all))
	for i, r := range all {
		coefs := make([]int64, len(names))
		for _, t := range r.Terms {
			at, _ := slices.BinarySearch(names, t.Var)
			coefs[at] += t.Coef
		}
		constraints[i].Affine = poly.Affine{Const: r.Const, Params: coefs}
	}
	set := poly.ParamSet(names, constraints...)
	if k.context.Basics() != nil {
		set = set.Intersect(k.context)
	}
	return set.IsEmpty()
}
