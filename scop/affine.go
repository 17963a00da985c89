package scop

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file gives what a program says by position, such as an Affine, its names: for sums, and for the sets made of them.

// Sum returns a as a sum over the parameters of p, with iters for the iterators.
func (p *Program) Sum(a Affine, iters []affine.Sum) affine.Sum {
	x := affine.Num(a.Const)
	for i, c := range a.Iters {
		if c != 0 {
			x = x.Plus(iters[i].Times(c))
		}
	}
	for i, c := range a.Params {
		if c != 0 {
			x = x.Plus(affine.Var(p.Params[i].Name).Times(c))
		}
	}
	return x
}

// ParamNames returns the names of the parameters, in order.
func (p *Program) ParamNames() []string {
	names := make([]string, len(p.Params))
	for i, x := range p.Params {
		names[i] = x.Name
	}
	return names
}

// Tuple returns the tuple of the instances of s: Name[Iters].
func (s *Stmt) Tuple() poly.Tuple { return poly.Tuple{Name: s.Name, Dims: s.Iters} }
