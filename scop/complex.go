package scop

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
)

// This file calculates with complex numbers, of which a cell holds both parts as floats.

func toPair(z complex128) uint64 {
	return uint64(math.Float32bits(float32(real(z)))) | uint64(math.Float32bits(float32(imag(z))))<<32
}

func fromPair(bits uint64) complex128 {
	return complex(float64(math.Float32frombits(uint32(bits))), float64(math.Float32frombits(uint32(bits>>32))))
}

// The functions of complex.h, under their names for double complex: those that give a complex number, and those that give a real one.
var (
	complexMath = map[string]func(z complex128) complex128{
		"conj": cmplx.Conj, "cexp": cmplx.Exp, "clog": cmplx.Log, "csqrt": cmplx.Sqrt, "csin": cmplx.Sin, "ccos": cmplx.Cos,
	}
	partMath = map[string]func(z complex128) float64{
		"creal": func(z complex128) float64 { return real(z) }, "cimag": func(z complex128) float64 { return imag(z) },
		"cabs": cmplx.Abs, "carg": cmplx.Phase,
	}
)

// MadeOfParts is the function that makes a complex number of its parts, of two doubles; that for two floats ends in f. It is what
// std::complex<double>(x, y) of C++ becomes: a sum with a product by I would not keep infinities and zeros as they are.
const MadeOfParts = "__builtin_complex"

// ComplexFunction returns the types of the arguments and the result of a function of complex.h; ok is false if name is none that is known.
func ComplexFunction(name string) (of, gives Type, ok bool) {
	for _, t := range []Type{ComplexDouble, ComplexFloat} {
		if name == MadeOfParts {
			return t.Part(), t, true
		}
		if complexMath[name] != nil {
			return t, t, true
		}
		if partMath[name] != nil {
			return t, t.Part(), true
		}
		name = strings.TrimSuffix(name, "f")
	}
	return 0, 0, false
}

// part returns the code for a call that gives a real number of complex ones; ok is false if e is none.
func (c *compiler) part(e Call) (code func() float64, ok bool) {
	if len(e.Args) != 1 || !e.Args[0].Type().IsComplex() {
		return nil, false
	}
	z, f := c.complex(e.Args[0]), partMath[double(e.Func)]
	return func() float64 { return f(z()) }, f != nil
}

// double returns the name that function name of complex.h has for double complex.
func double(name string) string {
	if complexMath[name] == nil && partMath[name] == nil && name != MadeOfParts {
		return strings.TrimSuffix(name, "f")
	}
	return name
}

// complex returns the code for e, which has a complex type.
func (c *compiler) complex(e Expr) func() complex128 {
	switch e := e.(type) {
	case Const:
		z := complex(0, e.F)
		return func() complex128 { return z }
	case Read:
		load := c.Load(c.access(e.From))
		return func() complex128 { return fromPair(load()) }
	case Var:
		p := c.slot(e)
		return func() complex128 { return fromPair(*p) }
	case Cond:
		return choose(c.cond(e.C), c.complex(e.X), c.complex(e.Y))
	case Unary:
		z := c.complex(e.X)
		if e.Op == "-" {
			return func() complex128 { return -z() }
		}
		return z
	case Binary:
		x, y := c.complex(e.X), c.complex(e.Y)
		switch e.Op {
		case "+":
			return func() complex128 { return x() + y() }
		case "-":
			return func() complex128 { return x() - y() }
		case "*":
			return func() complex128 { return x() * y() }
		case "/":
			return func() complex128 { return x() / y() }
		}
	case Call:
		if double(e.Func) == MadeOfParts && len(e.Args) == 2 {
			re, im := c.f64(Cast{T: Double, X: e.Args[0]}), c.f64(Cast{T: Double, X: e.Args[1]})
			return func() complex128 { return complex(re(), im()) }
		}
		if f := complexMath[double(e.Func)]; f != nil && len(e.Args) == 1 {
			z := c.complex(e.Args[0])
			return func() complex128 { return f(z()) }
		}
	case Cast:
		if e.X.Type().IsComplex() {
			return c.complex(e.X)
		}
		x := c.f64(Cast{T: Double, X: e.X})
		return func() complex128 { return complex(x(), 0) }
	}
	panic(fmt.Sprintf("scop: Compile: %#v is no complex number", e))
}

// complexBinary returns the code for a comparison of complex numbers.
func (c *compiler) complexBinary(e Binary) func() bool {
	x, y := c.complex(e.X), c.complex(e.Y)
	switch e.Op {
	case "==":
		return func() bool { return x() == y() }
	case "!=":
		return func() bool { return x() != y() }
	}
	panic(fmt.Sprintf("scop: Compile: unknown operator %q on complex numbers", e.Op))
}
