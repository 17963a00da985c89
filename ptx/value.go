package ptx

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers the expressions of statements. The tree says every
// conversion; each operation happens in the type of its operands. Integers of
// the user wrap, unlike indices.

// A body is a statement at an instance.
type body struct {
	*function
	gpu.Compute
	iters  map[string]affine.Expr
	locals map[string]value.Value
	// read, unless it is nil, returns what access number k reads, in place of Refs.
	read func(k int) value.Value
}

// at returns the element that access a touches.
func (b *body) at(a *scop.Access) gpu.Ref {
	i := slices.Index(b.Stmt.Accesses, a)
	if i < 0 {
		panic(fmt.Sprintf("ptx: %s is not listed in %s", a.Text, b.Stmt.Name))
	}
	return b.Refs[i]
}

// expr returns the value of e; one of type Bool is an i1.
func (b *body) expr(e scop.Expr) value.Value {
	switch e := e.(type) {
	case scop.Const:
		return constantOf(e)
	case scop.Read:
		if b.read != nil {
			return b.read(slices.Index(b.Stmt.Accesses, e.From))
		}
		return b.value(b.at(e.From))
	case scop.Var:
		return b.variable(e)
	case scop.Unary:
		return b.unary(e)
	case scop.Binary:
		return b.binary(e)
	case scop.Cast:
		return b.cast(b.expr(e.X), e.X.Type(), e.T)
	case scop.Call:
		return b.call(e)
	case scop.Cond:
		return b.choice(b.expr(e.C), func() value.Value { return b.expr(e.X) }, func() value.Value { return b.expr(e.Y) })
	}
	panic(fmt.Sprintf("ptx: unknown expression %T", e))
}

// constantOf returns a literal, bit for bit.
func constantOf(c scop.Const) value.Value {
	switch c.T {
	case scop.Float:
		return float(types.Float, float64(float32(c.F)))
	case scop.Double:
		return float(types.Double, c.F)
	case scop.Bool:
		return constant.NewBool(c.I != 0)
	}
	return constant.NewInt(intType(c.T), c.I)
}

// A floatBits is a floating-point constant by its bits: LLVM takes those of a
// double for both types, and no decimal digits come in between.
type floatBits struct {
	t    types.Type
	bits uint64
}

func float(t types.Type, f float64) value.Value { return floatBits{t, math.Float64bits(f)} }

// Type returns the type of c.
func (c floatBits) Type() types.Type { return c.t }

// Ident returns c without its type.
func (c floatBits) Ident() string { return fmt.Sprintf("0x%016X", c.bits) }

// String returns c with its type.
func (c floatBits) String() string { return fmt.Sprintf("%v %s", c.t, c.Ident()) }

func (b *body) variable(e scop.Var) value.Value {
	switch e.Kind {
	case scop.LocalVar:
		if v := b.locals[e.Name]; v != nil {
			return v
		}
		panic(fmt.Sprintf("ptx: local %s of %s is read and not set", e.Name, b.Stmt.Name))
	case scop.IterVar:
		return b.cast(b.function.expr(b.iters[e.Name]), b.spelled, e.T)
	case scop.ParamVar:
		return b.cast(b.function.variable(e.Name), b.spelled, e.T)
	}
	i := slices.IndexFunc(b.prog.Scop.Scalars, func(s scop.Scalar) bool { return s.Name == e.Name })
	if i < 0 {
		panic(fmt.Sprintf("ptx: %s has no variable %s", b.Stmt.Name, e.Name))
	}
	t := b.prog.Scop.Scalars[i].Type
	return b.cast(b.param(Arg{ScalarArg, i, t}), t, e.T)
}

func (b *body) unary(e scop.Unary) value.Value {
	x, t := b.expr(e.X), e.Type()
	switch {
	case e.Op == "+":
		return x
	case e.Op == "-" && t.IsFloat():
		return b.block.NewFNeg(x)
	case e.Op == "-":
		return b.block.NewSub(constant.NewInt(intType(t), 0), x)
	case e.Op == "!" && t == scop.Bool:
		return b.block.NewXor(x, constant.True)
	case e.Op == "~":
		return b.block.NewXor(x, constant.NewInt(intType(t), -1))
	}
	panic(fmt.Sprintf("ptx: unknown operator %q on %v", e.Op, t))
}

func (b *body) binary(e scop.Binary) value.Value {
	switch e.Op {
	case "&&":
		return b.choice(b.expr(e.X), func() value.Value { return b.expr(e.Y) }, func() value.Value { return constant.False })
	case "||":
		return b.choice(b.expr(e.X), func() value.Value { return constant.True }, func() value.Value { return b.expr(e.Y) })
	}
	x, y, t := b.expr(e.X), b.expr(e.Y), e.X.Type()
	if e.Type() == scop.Bool {
		switch {
		case t.IsFloat() && e.Op == "<" && isZero(e.Y):
			return b.belowZero(x, t)
		case t.IsFloat() && e.Op == ">" && isZero(e.X):
			return b.belowZero(y, t)
		}
		return b.compare(e.Op, x, y, t)
	}
	if t.IsFloat() {
		return b.floatArith(e.Op, x, y)
	}
	return b.intArith(e.Op, x, y, t, e.Y.Type())
}

// belowZero returns whether x < 0, from its bits. Of a comparison with a literal zero and a choice by it, as in x < 0 ? 0 : x and x < 0 ? x : 0,
// LLVM makes max.NaN(x, 0) and min(x, 0), which differ where x is -0.
func (b *body) belowZero(x value.Value, t scop.Type) value.Value {
	size := uint64(8 * t.Size())
	whole := types.NewInt(size)
	least, infinite := uint64(1)<<(size-1)+1, uint64(0xff800000) // the bits of the smallest below 0, and of -inf
	if t == scop.Double {
		infinite = 0xfff0000000000000
	}
	number := func(v uint64) value.Value { return &constant.Int{Typ: whole, X: new(big.Int).SetUint64(v)} }
	above := b.block.NewSub(b.block.NewBitCast(x, whole), number(least))
	return b.block.NewICmp(enum.IPredULE, above, number(infinite-least))
}

// isZero reports whether x is a zero as it stands in C, converted or not.
func isZero(x scop.Expr) bool {
	if c, ok := x.(scop.Cast); ok {
		return isZero(c.X)
	}
	c, ok := x.(scop.Const)
	return ok && c.I == 0 && c.F == 0
}

func (b *body) floatArith(op string, x, y value.Value) value.Value {
	switch op {
	case "+":
		return b.block.NewFAdd(x, y)
	case "-":
		return b.block.NewFSub(x, y)
	case "*":
		return b.block.NewFMul(x, y)
	case "/":
		return b.block.NewFDiv(x, y)
	}
	panic(fmt.Sprintf("ptx: unknown operator %q", op))
}

// intArith is an operation on integers of type t; the right operand of a shift has its own.
func (b *body) intArith(op string, x, y value.Value, t, right scop.Type) value.Value {
	unsigned := t == scop.Uint || t == scop.Ulong
	switch op {
	case "+":
		return b.block.NewAdd(x, y)
	case "-":
		return b.block.NewSub(x, y)
	case "*":
		return b.block.NewMul(x, y)
	case "/":
		if unsigned {
			return b.block.NewUDiv(x, y)
		}
		return b.block.NewSDiv(x, y)
	case "%":
		if unsigned {
			return b.block.NewURem(x, y)
		}
		return b.block.NewSRem(x, y)
	case "&":
		return b.block.NewAnd(x, y)
	case "|":
		return b.block.NewOr(x, y)
	case "^":
		return b.block.NewXor(x, y)
	case "<<", ">>":
		by := b.block.NewAnd(b.cast(y, right, t), constant.NewInt(intType(t), int64(8*t.Size()-1)))
		switch {
		case op == "<<":
			return b.block.NewShl(x, by)
		case unsigned:
			return b.block.NewLShr(x, by)
		}
		return b.block.NewAShr(x, by)
	}
	panic(fmt.Sprintf("ptx: unknown operator %q on %v", op, t))
}

// The comparisons of C: of floats, of signed and of unsigned integers.
var comparisons = map[string]struct {
	f    enum.FPred
	s, u enum.IPred
}{
	"<": {enum.FPredOLT, enum.IPredSLT, enum.IPredULT}, "<=": {enum.FPredOLE, enum.IPredSLE, enum.IPredULE},
	">": {enum.FPredOGT, enum.IPredSGT, enum.IPredUGT}, ">=": {enum.FPredOGE, enum.IPredSGE, enum.IPredUGE},
	"==": {enum.FPredOEQ, enum.IPredEQ, enum.IPredEQ}, "!=": {enum.FPredUNE, enum.IPredNE, enum.IPredNE},
}

func (b *body) compare(op string, x, y value.Value, t scop.Type) value.Value {
	c, ok := comparisons[op]
	switch {
	case !ok:
		panic(fmt.Sprintf("ptx: unknown operator %q on %v", op, t))
	case t.IsFloat():
		return b.block.NewFCmp(c.f, x, y)
	case !t.IsUnsigned() && t != scop.Bool:
		return b.block.NewICmp(c.s, x, y)
	}
	return b.block.NewICmp(c.u, x, y)
}

// choice returns x where cond holds, else y: only that is computed.
func (b *body) choice(cond value.Value, x, y func() value.Value) value.Value {
	yes, no, end := b.newBlock("yes"), b.newBlock("no"), b.newBlock("end")
	b.block.NewCondBr(cond, yes, no)
	b.block = yes
	vx := x()
	fromX := b.block
	fromX.NewBr(end)
	b.block = no
	vy := y()
	fromY := b.block
	fromY.NewBr(end)
	b.block = end
	return end.NewPhi(ir.NewIncoming(vx, fromX), ir.NewIncoming(vy, fromY))
}

// cast returns x, of type from, converted as C does.
func (b *body) cast(x value.Value, from, to scop.Type) value.Value {
	signed := !from.IsUnsigned() && from != scop.Bool
	switch {
	case from == to:
		return x
	case to == scop.Bool && from.IsFloat():
		return b.block.NewFCmp(enum.FPredUNE, x, float(typeOf(from), 0))
	case to == scop.Bool:
		return b.block.NewICmp(enum.IPredNE, x, constant.NewInt(intType(from), 0))
	case to.IsFloat() && from.IsFloat():
		if to.Size() > from.Size() {
			return b.block.NewFPExt(x, typeOf(to))
		}
		return b.block.NewFPTrunc(x, typeOf(to))
	case to.IsFloat() && signed:
		return b.block.NewSIToFP(x, typeOf(to))
	case to.IsFloat():
		return b.block.NewUIToFP(x, typeOf(to))
	case from.IsFloat() && to.IsNarrow(): // LLVM's conversion has no result beyond the type; C's of gcc and CUDA is that of int, cut down
		return b.cast(b.cast(x, from, scop.Int), scop.Int, to)
	case from.IsFloat() && !to.IsUnsigned():
		return b.block.NewFPToSI(x, typeOf(to))
	case from.IsFloat():
		return b.block.NewFPToUI(x, typeOf(to))
	case to.Size() == from.Size():
		return x
	case from == scop.Bool:
		return b.block.NewZExt(x, typeOf(to))
	case to.Size() < from.Size():
		return b.block.NewTrunc(x, typeOf(to))
	case signed:
		return b.block.NewSExt(x, typeOf(to))
	}
	return b.block.NewZExt(x, typeOf(to))
}
