package scop

import (
	"fmt"
	"math"
	"strings"
)

// This file holds the functions of math.h. Those that IEEE 754 defines exactly
// (sqrt, fma, fabs, rounding, minimum and maximum) agree with glibc bit for bit;
// the others are computed in double and, for the f variants, rounded once.

// The functions of math.h by number of arguments, under their names for double.
var (
	unaryMath = map[string]func(x float64) float64{
		"sqrt": math.Sqrt, "fabs": math.Abs, "cbrt": math.Cbrt,
		"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc,
		"round": math.Round, "rint": math.RoundToEven, "nearbyint": math.RoundToEven,
		"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1,
		"log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
		"asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
		"asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
		"erf": math.Erf, "erfc": math.Erfc, "tgamma": math.Gamma,
		"lgamma": func(x float64) float64 { v, _ := math.Lgamma(x); return v },
	}
	binaryMath = map[string]func(x, y float64) float64{
		"fmin": fmin, "fmax": fmax, "fdim": fdim, "fmod": math.Mod, "remainder": math.Remainder,
		"pow": math.Pow, "hypot": math.Hypot, "atan2": math.Atan2, "copysign": math.Copysign,
	}
	integerMath = map[string]bool{"abs": true, "labs": true, "llabs": true}
)

// Computable reports whether function name of C's math.h, or abs, can be
// computed, and with how many arguments.
func Computable(name string) (args int, ok bool) {
	if of, _, ok := ComplexFunction(name); ok && !of.IsComplex() {
		return 2, true
	} else if ok || integerMath[name] {
		return 1, true
	}
	for _, n := range []string{name, strings.TrimSuffix(name, "f"), strings.TrimSuffix(name, "l")} {
		if unaryMath[n] != nil {
			return 1, true
		}
		if binaryMath[n] != nil {
			return 2, true
		}
		if n == "fma" {
			return 3, true
		}
	}
	return 0, false
}

// fmin is C's: the operand that is a number if the other is none.
func fmin(x, y float64) float64 {
	if x < y || y != y {
		return x
	}
	return y
}

func fmax(x, y float64) float64 {
	if x > y || y != y {
		return x
	}
	return y
}

func fdim(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y // NaN if one is
}

// fma32 is x*y + z rounded once. The product is exact in double; the sum is
// rounded there to odd, which the second rounding, to float, does not disturb.
func fma32(x, y, z float32) float32 {
	p, q := float64(x)*float64(y), float64(z)
	sum := p + q
	t := sum - p // two-sum: sum + low is p + q exactly
	low := (p - (sum - t)) + (q - t)
	if b := math.Float64bits(sum); low != 0 && b&1 == 0 && !math.IsInf(sum, 0) && low == low {
		if (low > 0) == (sum > 0) {
			b++
		} else {
			b--
		}
		sum = math.Float64frombits(b)
	}
	return float32(sum)
}

// Functions are functions of math.h by their names, to be taken in place of those of
// this file: of the bits of their arguments, all of one type, the bits of the result.
type Functions map[string]func(args []uint64) uint64

// other returns the code for a call of a function of c.Functions, nil if it is none of them.
func (c *compiler) other(e Call) func() uint64 {
	f := c.Functions[e.Func]
	if f == nil {
		return nil
	}
	args := make([]func() uint64, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.bits(a)
	}
	bits := make([]uint64, len(args))
	return func() uint64 {
		for i, a := range args {
			bits[i] = a()
		}
		return f(bits)
	}
}

// call64 returns the code for a call whose arguments and result are held as Double.
func (c *compiler) call64(e Call) func() float64 {
	if f := c.other(e); f != nil {
		return func() float64 { return math.Float64frombits(f()) }
	}
	if f, ok := c.part(e); ok {
		return f
	}
	args := make([]func() float64, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.f64(a)
	}
	name := e.Func
	if e.T == LongDouble {
		name = strings.TrimSuffix(name, "l")
	}
	if f := unaryMath[name]; f != nil && len(args) == 1 {
		x := args[0]
		return func() float64 { return f(x()) }
	}
	if f := binaryMath[name]; f != nil && len(args) == 2 {
		x, y := args[0], args[1]
		return func() float64 { return f(x(), y()) }
	}
	if name == "fma" && len(args) == 3 {
		x, y, z := args[0], args[1], args[2]
		return func() float64 { return math.FMA(x(), y(), z()) }
	}
	panic(fmt.Sprintf("scop: Compile: unknown function %s of %d arguments", e.Func, len(args)))
}

// call32 returns the code for a call whose arguments and result are Float.
func (c *compiler) call32(e Call) func() float32 {
	if f := c.other(e); f != nil {
		return func() float32 { return math.Float32frombits(uint32(f())) }
	}
	if f, ok := c.part(e); ok {
		return func() float32 { return float32(f()) }
	}
	args := make([]func() float32, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.f32(a)
	}
	name := strings.TrimSuffix(e.Func, "f")
	if unaryMath[e.Func] != nil { // erf ends in f itself
		name = e.Func
	}
	if f := unaryMath[name]; f != nil && len(args) == 1 {
		x := args[0]
		return func() float32 { return float32(f(float64(x()))) }
	}
	if f := binaryMath[name]; f != nil && len(args) == 2 {
		x, y := args[0], args[1]
		return func() float32 { return float32(f(float64(x()), float64(y()))) }
	}
	if name == "fma" && len(args) == 3 {
		x, y, z := args[0], args[1], args[2]
		return func() float32 { return fma32(x(), y(), z()) }
	}
	panic(fmt.Sprintf("scop: Compile: unknown function %s of %d arguments", e.Func, len(args)))
}

// callInteger returns the code for abs of any length.
func (c *compiler) callInteger(e Call) func() int64 {
	if !integerMath[e.Func] || len(e.Args) != 1 {
		panic(fmt.Sprintf("scop: Compile: unknown function %s of %d arguments", e.Func, len(e.Args)))
	}
	x, t := c.integer(e.Args[0]), e.T
	return func() int64 {
		if v := x(); v < 0 {
			return t.wrap(-v)
		} else {
			return v
		}
	}
}
