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
	cond := Cond{}
	for _, rows := range all {
		cond = append(cond, exprs(rows))
	}
	return cond
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
