package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the parameters for which a region does anything at all.

// Busy returns a condition on the parameters of p that holds wherever one of its
// statements has an instance: the bounds of each statement without its iterators
// (Fourier and Motzkin). Where coefficients of the iterators are 1 or -1 it holds
// nowhere else. It holds for all parameters if one of its elements is empty.
func Busy(p *scop.Program) Cond {
	var all []shadow
	for _, s := range p.Stmts {
		rows := busy(p, s).irredundant(Known{context: p.Context})
		if rows == nil {
			continue // no instance, whatever the parameters
		}
		if slices.ContainsFunc(all, func(have shadow) bool { return have.covers(rows) }) {
			continue // where it has one, another has one
		}
		all = append(slices.DeleteFunc(all, rows.covers), rows)
	}
	all = joined(all)
	cond := Cond{}
	for _, rows := range all {
		cond = append(cond, exprs(rows))
	}
	return cond
}

// joined returns shadows that hold just where one of all does, two of which that differ in one row being one where each value makes one of the
// rows hold: n >= 2 or n <= 1 is no condition.
func joined(all []shadow) []shadow {
	for i, a := range all {
		for j, b := range all[:i] {
			mine, its := a.without(b), b.without(a)
			if len(mine) != 1 || len(its) != 1 {
				continue
			}
			if sum := mine[0].Plus(its[0]); sum.IsNum() && sum.Const >= -1 { // not both are less than 0
				rest := a.without(mine)
				others := slices.Delete(slices.Delete(slices.Clone(all), i, i+1), j, j+1)
				if slices.ContainsFunc(others, func(have shadow) bool { return have.covers(rest) }) {
					return joined(others)
				}
				return joined(append(slices.DeleteFunc(others, rest.covers), rest))
			}
		}
	}
	return all
}

// without returns the rows of sh that are none of others.
func (sh shadow) without(others shadow) shadow {
	return slices.DeleteFunc(slices.Clone(sh), func(r affine.Sum) bool { return slices.ContainsFunc(others, r.Equal) })
}

// busy returns rows over the parameters that hold wherever s has an instance.
func busy(p *scop.Program, s *scop.Stmt) shadow {
	iters := make([]affine.Sum, len(s.Iters))
	for i, name := range s.Iters {
		iters[i] = affine.Var(iterator(name))
	}
	sh := shadow{}
	for _, b := range s.Bounds {
		sh = sh.with(p.Sum(b, iters).Tighten())
	}
	for _, name := range s.Iters {
		sh = sh.eliminate(iterator(name))
	}
	return sh
}

// iterator returns the name of an iterator, apart from those of parameters.
func iterator(name string) string { return name + "'" }
