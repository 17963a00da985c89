package asm

import (
	"math"
	"math/big"
)

// This file runs operations that round in a direction, exactly, and those that
// approximate. Of the latter NVIDIA says how far off a result may be; here it is the
// nearest number, or for reciprocals of doubles what is left of it after 20
// bits of the mantissa. So a kernel with them runs here as on no device.

// directed runs a sum, difference or product that rounds towards zero, down or up.
func (c *compiler) directed(typ typ, d int) func(t *thread) {
	a, b := c.in(1), c.in(2)
	e := b
	var op func(x, y, z *big.Float) *big.Float
	var plain func(x, y, z float64) float64 // where the result is no number, or infinite, and no rounding matters
	exact := func() *big.Float { return new(big.Float).SetPrec(4400) }
	switch c.inst.Op {
	case "add":
		op = func(x, y, _ *big.Float) *big.Float { return exact().Add(x, y) }
		plain = func(x, y, _ float64) float64 { return x + y }
	case "sub":
		op = func(x, y, _ *big.Float) *big.Float { return exact().Sub(x, y) }
		plain = func(x, y, _ float64) float64 { return x - y }
	case "mul":
		op = func(x, y, _ *big.Float) *big.Float { return exact().Mul(x, y) }
		plain = func(x, y, _ float64) float64 { return x * y }
	case "fma":
		e = c.in(3)
		op = func(x, y, z *big.Float) *big.Float { return exact().Add(exact().Mul(x, y), z) }
		plain = func(x, y, z float64) float64 { return x*y + z }
	default:
		c.fail("%s is not run", c.inst.Name())
		return nil
	}
	if len(c.inst.Mods) != 2 {
		c.fail("%s is not run", c.inst.Name())
	}
	direction := c.inst.Mods[0]
	return func(t *thread) {
		x, y, z := typ.float(t.regs[a]), typ.float(t.regs[b]), typ.float(t.regs[e])
		if finite(x) && finite(y) && finite(z) {
			t.regs[d] = typ.towards(op(big.NewFloat(x), big.NewFloat(y), big.NewFloat(z)), direction)
		} else {
			t.regs[d] = typ.bitsOf(plain(x, y, z))
		}
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// towards returns the bits of x rounded to the type in a direction: rz, rm or rp.
func (t typ) towards(x *big.Float, direction string) uint64 {
	up := direction == "rp" || direction == "rz" && x.Sign() < 0
	if t.bits == 64 {
		near, _ := x.Float64()
		switch off := compareBig(x, near); {
		case off > 0 && up:
			near = math.Nextafter(near, math.Inf(1))
		case off < 0 && !up:
			near = math.Nextafter(near, math.Inf(-1))
		}
		return math.Float64bits(near)
	}
	near, _ := x.Float32()
	switch off := compareBig(x, float64(near)); {
	case off > 0 && up:
		near = math.Nextafter32(near, float32(math.Inf(1)))
	case off < 0 && !up:
		near = math.Nextafter32(near, float32(math.Inf(-1)))
	}
	return uint64(math.Float32bits(near))
}

// compareBig returns the sign of x - f; f may be infinite.
func compareBig(x *big.Float, f float64) int {
	if math.IsInf(f, 0) {
		return x.Cmp(new(big.Float).SetInf(f < 0))
	}
	return x.Cmp(big.NewFloat(f))
}

// approximations are the functions that are approximated, of one number.
var approximations = map[string]func(float64) float64{
	"rcp":   func(x float64) float64 { return 1 / x },
	"rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) },
	"sqrt":  math.Sqrt,
	"ex2":   math.Exp2,
	"lg2":   math.Log2,
	"sin":   math.Sin,
	"cos":   math.Cos,
	"tanh":  math.Tanh,
}

// approximate runs an operation that approximates.
func (c *compiler) approximate(typ typ, d int) func(t *thread) {
	if !c.module.Approximate {
		c.fail("approximations are not run")
		return nil
	}
	flush := func(v uint64) uint64 { return v }
	if c.inst.Has("ftz") {
		least := math.Ldexp(1, map[int]int{32: -126, 64: -1022}[typ.bits])
		sign := uint64(1) << (typ.bits - 1)
		flush = func(v uint64) uint64 {
			if math.Abs(typ.float(v)) < least {
				return v & sign
			}
			return v
		}
	}
	if typ.bits == 64 { // of the arguments and the result, the upper half
		whole := flush
		flush = func(v uint64) uint64 { return whole(v) &^ (1<<32 - 1) }
	}
	a := c.in(1)
	if c.inst.Op == "div" {
		b := c.in(2)
		return func(t *thread) {
			t.regs[d] = flush(typ.bitsOf(typ.float(flush(t.regs[a])) / typ.float(flush(t.regs[b]))))
		}
	}
	f := approximations[c.inst.Op]
	if f == nil {
		c.fail("%s is not run", c.inst.Name())
	}
	return func(t *thread) { t.regs[d] = flush(typ.bitsOf(f(typ.float(flush(t.regs[a]))))) }
}
