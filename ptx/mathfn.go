package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/scop"
)

// This file lowers the functions of math.h: those that PTX has as instructions or that
// a few instructions compute exactly. The others, such as exp, are calls of NVIDIA's
// library libdevice, whose last bits are not those of a C library.

// intrinsics are the functions that LLVM has, by their names for double, and how many arguments.
var intrinsics = map[string]struct {
	name string
	args int
}{
	"sqrt": {"sqrt", 1}, "fabs": {"fabs", 1}, "floor": {"floor", 1}, "ceil": {"ceil", 1}, "trunc": {"trunc", 1},
	"rint": {"rint", 1}, "nearbyint": {"nearbyint", 1}, "fmin": {"minnum", 2}, "fmax": {"maxnum", 2}, "fma": {"fma", 3},
}

// inDouble returns the name of a function of math.h for double: sqrt for sqrtf.
func inDouble(e scop.Call) string {
	if e.T == scop.Float {
		return strings.TrimSuffix(e.Func, "f")
	}
	return e.Func
}

// eachCall calls f with each call in the body of s.
func eachCall(s *scop.Stmt, f func(scop.Call)) {
	var walk func(e scop.Expr)
	walk = func(e scop.Expr) {
		switch e := e.(type) {
		case scop.Const, scop.Read, scop.Var:
		case scop.Unary:
			walk(e.X)
		case scop.Binary:
			walk(e.X)
			walk(e.Y)
		case scop.Cast:
			walk(e.X)
		case scop.Call:
			f(e)
			for _, a := range e.Args {
				walk(a)
			}
		case scop.Cond:
			walk(e.C)
			walk(e.X)
			walk(e.Y)
		default:
			panic(fmt.Sprintf("ptx: unknown expression %T", e))
		}
	}
	for _, a := range s.Body {
		switch a := a.(type) {
		case scop.Let:
			walk(a.Value)
		case scop.Store:
			walk(a.Value)
		default:
			panic(fmt.Sprintf("ptx: unknown action %T", a))
		}
	}
}

func (b *body) call(e scop.Call) value.Value {
	args := make([]value.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.expr(a)
	}
	t := typeOf(e.T)
	name := inDouble(e)
	if fn, ok := intrinsics[name]; ok && fn.args == len(args) {
		return b.invoke(fn.name, t, args...)
	}
	switch {
	case (name == "abs" || name == "labs" || name == "llabs") && len(args) == 1:
		zero := constant.NewInt(intType(e.T), 0)
		return b.block.NewSelect(b.block.NewICmp(enum.IPredSLT, args[0], zero), b.block.NewSub(zero, args[0]), args[0])
	case name == "copysign" && len(args) == 2:
		return b.copysign(t, args[0], args[1])
	case name == "fdim" && len(args) == 2:
		positive := b.block.NewFCmp(enum.FPredOLE, args[0], args[1])
		return b.block.NewSelect(positive, float(t, 0), b.block.NewFSub(args[0], args[1]))
	case name == "round" && len(args) == 1:
		return b.round(t, args[0])
	case slices.Contains(libraryFunctions, name):
		return b.library(e.Func, t, args)
	}
	panic(fmt.Sprintf("ptx: unknown function %s of %d arguments", e.Func, len(args)))
}

// library calls a function of libdevice: __nv_expf.
func (b *body) library(name string, t types.Type, args []value.Value) value.Value {
	params := make([]types.Type, len(args))
	for i := range params {
		params[i] = t
	}
	if !slices.Contains(b.called, name) {
		b.called = append(b.called, name)
	}
	return b.block.NewCall(b.intrinsic("__nv_"+name, t, params...), args...)
}

// invoke calls a function of LLVM on numbers of one type.
func (b *body) invoke(name string, t types.Type, args ...value.Value) value.Value {
	suffix, params := ".f64", make([]types.Type, len(args))
	if t == types.Float {
		suffix = ".f32"
	}
	for i := range params {
		params[i] = t
	}
	return b.block.NewCall(b.intrinsic("llvm."+name+suffix, t, params...), args...)
}

// copysign returns x with the sign of y.
func (b *body) copysign(t types.Type, x, y value.Value) value.Value {
	n, sign := types.I64, constant.NewInt(types.I64, -1<<63)
	if t == types.Float {
		n, sign = types.I32, constant.NewInt(types.I32, -1<<31)
	}
	own := b.block.NewAnd(b.block.NewBitCast(x, n), b.block.NewXor(sign, constant.NewInt(n, -1)))
	return b.block.NewBitCast(b.block.NewOr(own, b.block.NewAnd(b.block.NewBitCast(y, n), sign)), t)
}

// round returns x rounded to an integer, halves away from zero: what x has
// beyond its whole part is exact.
func (b *body) round(t types.Type, x value.Value) value.Value {
	whole := b.invoke("trunc", t, x)
	rest := b.invoke("fabs", t, b.block.NewFSub(x, whole))
	up := b.block.NewFCmp(enum.FPredOGE, rest, float(t, 0.5))
	one := b.copysign(t, float(t, 1), x)
	more := b.block.NewSelect(up, one, float(t, 0))
	return b.copysign(t, b.block.NewFAdd(whole, more), x)
}
