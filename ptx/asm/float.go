package asm

import (
	"math"
	"math/big"
	"slices"
)

// This file runs floating-point operations. Go's own are those of IEEE 754,
// rounded to nearest; explicit conversions keep it from fusing them.

// float returns the number with the bits v.
func (t typ) float(v uint64) float64 {
	switch t.bits {
	case 16:
		return halfValue(v)
	case 32:
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// bitsOf returns the bits of f, rounded to the type.
func (t typ) bitsOf(f float64) uint64 {
	switch t.bits {
	case 16:
		return halfBits(f)
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// halfValue returns the number with the bits v of binary16.
func halfValue(v uint64) float64 {
	sign, exp, digits := v>>15&1, v>>10&31, v&1023
	if exp == 31 { // the same bits of a double
		return math.Float64frombits(sign<<63 | 0x7ff<<52 | digits<<42)
	}
	f := float64(digits) * 0x1p-24
	if exp > 0 {
		f = float64(1024+digits) * math.Float64frombits((exp-25+1023)<<52)
	}
	if sign != 0 {
		return -f
	}
	return f
}

// halfBits returns the bits of f rounded to binary16: adding and taking away a number that is so large that its last digit is
// that of a half near f rounds f to that digit.
func halfBits(f float64) uint64 {
	sign, f := math.Float64bits(f)>>63<<15, math.Abs(f)
	if f != f {
		return 0x7fff
	}
	exp := max(int(math.Float64bits(f)>>52)-1023, -14)
	if exp > 15 {
		return sign | 31<<10
	}
	large := math.Float64frombits(uint64(exp+42+1023) << 52)
	f = (f + large) - large
	return sign | uint64(exp+14)<<10 + uint64(f*math.Float64frombits(uint64(10-exp+1023)<<52))
}

func (c *compiler) float(typ typ, d int) func(t *thread) {
	sign := uint64(1) << (typ.bits - 1)
	a := c.in(1)
	if typ.bits == 16 && !slices.Contains([]string{"neg", "abs", "add", "sub", "mul", "min", "max", "copysign"}, c.inst.Op) {
		c.fail("%s is not run on halves", c.inst.Op)
		return nil
	}
	switch c.inst.Op {
	case "neg":
		return func(t *thread) { t.regs[d] = t.regs[a] ^ sign }
	case "abs":
		return func(t *thread) { t.regs[d] = t.regs[a] &^ sign }
	case "sqrt":
		c.wantRounding()
		return func(t *thread) { t.regs[d] = typ.bitsOf(math.Sqrt(typ.float(t.regs[a]))) }
	case "rcp":
		c.wantRounding()
		if typ.bits == 32 {
			return func(t *thread) {
				t.regs[d] = uint64(math.Float32bits(1 / math.Float32frombits(uint32(t.regs[a]))))
			}
		}
		return func(t *thread) { t.regs[d] = math.Float64bits(1 / math.Float64frombits(t.regs[a])) }
	}
	b := c.in(2)
	switch c.inst.Op {
	case "copysign": // the sign of a, the rest of b
		return func(t *thread) { t.regs[d] = t.regs[a]&sign | t.regs[b]&^sign }
	case "fma":
		c.wantRounding()
		e := c.in(3)
		return func(t *thread) { t.regs[d] = typ.fma(t.regs[a], t.regs[b], t.regs[e]) }
	case "min", "max":
		largest := c.inst.Op == "max"
		if !c.inst.Has("NaN") {
			return func(t *thread) { t.regs[d] = typ.extreme(t.regs[a], t.regs[b], largest) }
		}
		return func(t *thread) {
			x, y := t.regs[a], t.regs[b]
			if f, g := typ.float(x), typ.float(y); f != f || g != g {
				t.regs[d] = typ.mask() >> 1
				return
			}
			t.regs[d] = typ.extreme(x, y, largest)
		}
	case "div":
		c.wantRounding()
	}
	switch typ.bits {
	case 16:
		return c.float16(d, a, b)
	case 32:
		return c.float32(d, a, b)
	}
	return c.float64(d, a, b)
}

// wantRounding checks that the operation says that it rounds: without it, it approximates.
func (c *compiler) wantRounding() {
	if !c.inst.Has("rn") {
		c.fail("only %s.rn is run", c.inst.Op)
	}
}

// float16 runs operations on halves: what double gives is rounded once more, which for halves is as good as once.
func (c *compiler) float16(d, a, b int) func(t *thread) {
	c.wantRounding()
	apply := map[string]func(x, y float64) float64{
		"add": func(x, y float64) float64 { return x + y },
		"sub": func(x, y float64) float64 { return x - y },
		"mul": func(x, y float64) float64 { return x * y },
	}[c.inst.Op]
	if apply == nil {
		c.fail("%s is not run on halves", c.inst.Op)
		return nil
	}
	return func(t *thread) { t.regs[d] = halfBits(apply(halfValue(t.regs[a]), halfValue(t.regs[b]))) }
}

func (c *compiler) float32(d, a, b int) func(t *thread) {
	of := func(v uint64) float32 { return math.Float32frombits(uint32(v)) }
	switch c.inst.Op {
	case "add":
		return func(t *thread) {
			t.regs[d] = uint64(math.Float32bits(float32(of(t.regs[a]) + of(t.regs[b]))))
		}
	case "sub":
		return func(t *thread) {
			t.regs[d] = uint64(math.Float32bits(float32(of(t.regs[a]) - of(t.regs[b]))))
		}
	case "mul":
		return func(t *thread) {
			t.regs[d] = uint64(math.Float32bits(float32(of(t.regs[a]) * of(t.regs[b]))))
		}
	case "div":
		return func(t *thread) {
			t.regs[d] = uint64(math.Float32bits(float32(of(t.regs[a]) / of(t.regs[b]))))
		}
	}
	c.fail("%s is not run", c.inst.Op)
	return nil
}

func (c *compiler) float64(d, a, b int) func(t *thread) {
	of := math.Float64frombits
	switch c.inst.Op {
	case "add":
		return func(t *thread) { t.regs[d] = math.Float64bits(float64(of(t.regs[a]) + of(t.regs[b]))) }
	case "sub":
		return func(t *thread) { t.regs[d] = math.Float64bits(float64(of(t.regs[a]) - of(t.regs[b]))) }
	case "mul":
		return func(t *thread) { t.regs[d] = math.Float64bits(float64(of(t.regs[a]) * of(t.regs[b]))) }
	case "div":
		return func(t *thread) { t.regs[d] = math.Float64bits(float64(of(t.regs[a]) / of(t.regs[b]))) }
	}
	c.fail("%s is not run", c.inst.Op)
	return nil
}

// fma returns x*y + z, rounded once.
func (t typ) fma(x, y, z uint64) uint64 {
	f, g, h := t.float(x), t.float(y), t.float(z)
	if t.bits == 64 {
		return math.Float64bits(math.FMA(f, g, h))
	}
	if sum := math.FMA(f, g, h); math.IsInf(sum, 0) || math.IsNaN(sum) || sum == 0 {
		return t.bitsOf(sum)
	}
	exact := new(big.Float).SetPrec(1000)
	exact.Mul(big.NewFloat(f), big.NewFloat(g)).Add(exact, big.NewFloat(h))
	rounded, _ := exact.Float32()
	return uint64(math.Float32bits(rounded))
}

// extreme returns the least or the largest of x and y: the number if one is none, and -0 before 0.
func (t typ) extreme(x, y uint64, largest bool) uint64 {
	f, g := t.float(x), t.float(y)
	switch {
	case f != f && g != g:
		return t.mask() >> 1
	case f != f:
		return y
	case g != g:
		return x
	case f == g:
		if math.Signbit(f) == largest {
			return y
		}
		return x
	case (f > g) == largest:
		return x
	}
	return y
}

// floatComparison returns the comparison op; those with a u hold for what is no number.
func (c *compiler) floatComparison(typ typ, op string) func(x, y uint64) bool {
	switch op {
	case "num":
		return func(x, y uint64) bool { f, g := typ.float(x), typ.float(y); return f == f && g == g }
	case "nan":
		return func(x, y uint64) bool { f, g := typ.float(x), typ.float(y); return f != f || g != g }
	}
	unordered := len(op) == 3 && op[2] == 'u'
	if unordered {
		op = op[:2]
	}
	holds := c.order(op, func(x, y uint64) int {
		f, g := typ.float(x), typ.float(y)
		switch {
		case f < g:
			return -1
		case f > g:
			return 1
		}
		return 0
	})
	return func(x, y uint64) bool {
		if f, g := typ.float(x), typ.float(y); f != f || g != g {
			return unordered
		}
		return holds(x, y)
	}
}
