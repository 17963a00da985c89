package scop

import (
	"fmt"
	"math"
)

// This file converts between binary16 and the types in which values of it are calculated with.

// toHalf returns the bits of f rounded once to binary16, to nearest and of two that are as near to the even one.
func toHalf(f float64) uint64 {
	sign, size := uint64(0), math.Abs(f)
	if math.Signbit(f) {
		sign = 1 << 15
	}
	switch {
	case f != f:
		return sign | 0x7e00
	case size >= 65520: // from here on the next value would be 2^16
		return sign | 0x7c00
	case size < 0x1p-14: // a multiple of 2^-24; 1024 of them are the smallest number with an exponent
		return sign | uint64(math.RoundToEven(size*0x1p24))
	}
	_, exp := math.Frexp(size)
	digits := uint64(math.RoundToEven(math.Ldexp(size, 11-exp))) // 1024 to 2048, which adds 1 or 2 to the exponent
	return sign | (uint64(exp+13)<<10 + digits)
}

// fromHalf returns the value of the binary16 with the given bits.
func fromHalf(bits uint64) float64 {
	exp, digits := int(bits>>10&31), float64(bits&1023)
	f := math.Ldexp(1024+digits, exp-25)
	switch {
	case exp == 0:
		f = digits * 0x1p-24
	case exp == 31 && digits == 0:
		f = math.Inf(1)
	case exp == 31:
		f = math.NaN()
	}
	if bits>>15&1 != 0 {
		return -f
	}
	return f
}

// half returns the code for e, which has type Half, as the bits of its value.
func (c *compiler) half(e Expr) func() uint64 {
	switch e := e.(type) {
	case Read:
		return c.Load(c.access(e.From))
	case Cond:
		return choose(c.cond(e.C), c.half(e.X), c.half(e.Y))
	case Cast:
		switch e.X.Type() {
		case Half:
			return c.half(e.X)
		case Float:
			f := c.f32(e.X)
			return func() uint64 { return toHalf(float64(f())) }
		case Double, LongDouble:
			f := c.f64(e.X)
			return func() uint64 { return toHalf(f()) }
		}
	}
	panic(fmt.Sprintf("scop: Compile: %#v is no half", e))
}
