package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// This file lowers integer expressions: bounds, subscripts and conditions.
// Sums are added up in the order in which ctext prints them.

// num returns a constant index.
func (f *function) num(c int64) value.Value { return constant.NewInt(f.index, c) }

// nsw says of an operation on indices that it does not overflow.
func (f *function) nsw(v value.Value) value.Value {
	flags := []enum.OverflowFlag{enum.OverflowFlagNSW}
	switch v := v.(type) {
	case *ir.InstAdd:
		v.OverflowFlags = flags
	case *ir.InstSub:
		v.OverflowFlags = flags
	case *ir.InstMul:
		v.OverflowFlags = flags
	}
	return v
}

func (f *function) add(x, y value.Value) value.Value { return f.nsw(f.block.NewAdd(x, y)) }
func (f *function) sub(x, y value.Value) value.Value { return f.nsw(f.block.NewSub(x, y)) }
func (f *function) mul(x, y value.Value) value.Value { return f.nsw(f.block.NewMul(x, y)) }

// expr returns the value of e.
func (f *function) expr(e affine.Expr) value.Value {
	switch e := e.(type) {
	case affine.Sum:
		return f.sum(e)
	case affine.FloorDiv:
		return f.floorDiv(f.expr(e.X), e.D)
	case affine.Mod:
		return f.mod(f.expr(e.X), e.D)
	case affine.Min:
		return f.extreme(enum.IPredSLT, e.Args)
	case affine.Max:
		return f.extreme(enum.IPredSGT, e.Args)
	}
	panic(fmt.Sprintf("ptx: unknown expression %T", e))
}

// extreme returns the argument of which pred holds towards the others.
func (f *function) extreme(pred enum.IPred, args []affine.Expr) value.Value {
	best := f.expr(args[0])
	for _, a := range args[1:] {
		v := f.expr(a)
		best = f.block.NewSelect(f.block.NewICmp(pred, v, best), v, best)
	}
	return best
}

// floorDiv returns x/d rounded down, d > 0.
func (f *function) floorDiv(x value.Value, d int64) value.Value {
	if d&(d-1) == 0 {
		return f.block.NewAShr(x, f.num(log2(d)))
	}
	q, r := f.block.NewSDiv(x, f.num(d)), f.block.NewSRem(x, f.num(d))
	below := f.block.NewICmp(enum.IPredSLT, r, f.num(0))
	return f.add(q, f.block.NewSExt(below, f.index)) // -1 if the remainder is negative
}

// mod returns x modulo d, never negative.
func (f *function) mod(x value.Value, d int64) value.Value {
	if d&(d-1) == 0 {
		return f.block.NewAnd(x, f.num(d-1))
	}
	r := f.block.NewSRem(x, f.num(d))
	below := f.block.NewICmp(enum.IPredSLT, r, f.num(0))
	return f.block.NewSelect(below, f.add(r, f.num(d)), r)
}

func log2(d int64) (n int64) {
	for ; d > 1; d /= 2 {
		n++
	}
	return n
}

// sum returns what is added, less what is subtracted, plus the constant.
func (f *function) sum(s affine.Sum) value.Value { return f.links(s.NumberFirst()) }

// links returns a sum, calculated from the left. Its first link is not negated.
func (f *function) links(c affine.Chain) (v value.Value) {
	for i, l := range c {
		var at value.Value = f.num(l.Coef)
		if l.Var != "" {
			at = f.term(l.Var, l.Coef)
		}
		switch {
		case i == 0:
			v = at
		case l.Minus:
			v = f.sub(v, at)
		default:
			v = f.add(v, at)
		}
	}
	return v
}

func (f *function) term(name string, coef int64) value.Value {
	v := f.variable(name)
	if coef == 1 {
		return v
	}
	return f.mul(v, f.num(coef))
}

// cond returns c as an i1. All rows are computed: they have no effects.
func (f *function) cond(c astgen.Cond) value.Value {
	if c == nil {
		return constant.True
	}
	var any value.Value = constant.False
	for i, rows := range c {
		var all value.Value = constant.True
		for k, r := range rows {
			if row := f.row(r); k == 0 {
				all = row
			} else {
				all = f.block.NewAnd(all, row)
			}
		}
		if i == 0 {
			any = all
		} else {
			any = f.block.NewOr(any, all)
		}
	}
	return any
}

// row returns e >= 0. Of a sum, each term stands on the side where it is positive.
func (f *function) row(e affine.Expr) value.Value {
	s, ok := e.(affine.Sum)
	if !ok {
		return f.block.NewICmp(enum.IPredSGE, f.expr(e), f.num(0))
	}
	if s.IsNum() {
		return constant.NewBool(s.Const >= 0)
	}
	c, pred := s.CompareNumberLeft(), enum.IPredSGE
	if c.AtMost {
		pred = enum.IPredSLE
	}
	terms := len(c.Left)
	if terms > 1 && c.Left[terms-1].Var == "" {
		terms-- // the number is added once both sides have their terms
	}
	left, right := f.links(c.Left[:terms]), f.links(c.Right)
	for _, l := range c.Left[terms:] {
		left = f.add(left, f.num(l.Coef))
	}
	return f.block.NewICmp(pred, left, right)
}

// wide returns an index with 64 bits.
func (f *function) wide(v value.Value) value.Value {
	if f.index.BitSize == 64 {
		return v
	}
	if c, ok := v.(*constant.Int); ok {
		return constant.NewInt(types.I64, c.X.Int64())
	}
	return f.block.NewSExt(v, types.I64)
}
