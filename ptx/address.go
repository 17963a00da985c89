package ptx

import (
	"slices"

	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file addresses elements of arrays in global memory.

// globalPlace returns a pointer to an element of an array in global memory.
func (f *function) globalPlace(r gpu.Ref) value.Value {
	switch {
	case r.Base != nil:
		return f.ahead(r)
	case f.tile != nil && f.tile.outer != nil:
		if p := f.fromOrigin(r); p != nil {
			return p
		}
	}
	return f.element(r.Array, r.Index)
}

// element returns a pointer to an element of a, computed from the first.
func (f *function) element(a *scop.Array, index []affine.Expr) value.Value {
	wide := f.wide
	if a.Small() { // then no number of an element needs 64 bits
		wide = func(v value.Value) value.Value { return v }
	}
	var at value.Value = f.num(0)
	for i, e := range index {
		x := wide(f.expr(e))
		if i == 0 {
			at = x
			continue
		}
		at = f.add(f.mul(at, wide(f.sum(f.affine(a.Extents[i])))), x)
	}
	return f.gep(f.cell(a), f.first(a), at)
}

// first returns the pointer to the first element of a.
func (f *function) first(a *scop.Array) value.Value {
	return f.param(Arg{ArrayArg, slices.Index(f.prog.Scop.Arrays, a), a.Elem})
}

// affine returns a, which is over parameters only.
func (f *function) affine(a scop.Affine) affine.Sum {
	s := affine.Num(a.Const)
	for i, c := range a.Params {
		s = s.Plus(affine.Var(f.prog.Scop.Params[i].Name).Times(c))
	}
	return s
}
