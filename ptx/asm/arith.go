package asm

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// This file runs arithmetic. Only rounding to nearest is run: an operation that
// approximates, flushes to zero or rounds otherwise is refused.

// A typ is the type of an operation: 'u', 's', 'b' (bits) or 'f', or 'p' for a predicate.
type typ struct {
	kind byte
	bits int
}

// typ returns the type that the name of the instruction ends in.
func (c *compiler) typ() typ { return c.typeOf(c.inst.Type()) }

func (c *compiler) typeOf(name string) typ {
	if name == "pred" {
		return typ{'p', 1}
	}
	n := size(name)
	if n == 0 || name[0] == 'f' && n < 2 {
		c.fail("type %q is not run", name)
		return typ{'b', 32}
	}
	return typ{name[0], int(8 * n)}
}

// mask is the bits that a value of the type has.
func (t typ) mask() uint64 { return 1<<t.bits - 1 }

// signed returns the number that v is as a signed value of the type.
func (t typ) signed(v uint64) int64 { return int64(v) << (64 - t.bits) >> (64 - t.bits) }

// rounds checks the parts of a float operation's name between the first and the type.
func (c *compiler) rounds() {
	for _, m := range c.inst.Mods[:len(c.inst.Mods)-1] {
		if extreme := c.inst.Op == "min" || c.inst.Op == "max"; m != "rn" && (m != "NaN" || !extreme) {
			c.fail("%s is not run", m)
		}
	}
}

func (c *compiler) arithmetic() func(t *thread) {
	typ := c.typ()
	d := c.out()
	switch {
	case c.inst.Has("approx"):
		return c.approximate(typ, d)
	case typ.kind == 'f' && (c.inst.Has("rz") || c.inst.Has("rm") || c.inst.Has("rp")):
		return c.directed(typ, d)
	case typ.kind == 'f':
		c.rounds()
		return c.float(typ, d)
	case c.inst.Has("cc") || slices.Contains([]string{"addc", "subc", "madc"}, c.inst.Op):
		return c.carrying(typ, d)
	}
	switch c.inst.Op {
	case "mul", "mad":
		return c.multiply(typ, d)
	case "neg":
		a := c.number(1, typ)
		return func(t *thread) { t.regs[d] = -t.regs[a] & typ.mask() }
	case "abs":
		a := c.number(1, typ)
		return func(t *thread) {
			if v := typ.signed(t.regs[a]); v < 0 {
				t.regs[d] = uint64(-v) & typ.mask()
			} else {
				t.regs[d] = uint64(v)
			}
		}
	case "not":
		a := c.number(1, typ)
		return func(t *thread) { t.regs[d] = ^t.regs[a] & typ.mask() }
	case "add":
		a, b, mask := c.number(1, typ), c.number(2, typ), typ.mask()
		if run := c.fast(typ, d, a, b); run != nil {
			return run
		}
		return func(t *thread) { t.regs[d] = (t.regs[a] + t.regs[b]) & mask }
	case "popc":
		a := c.number(1, typ)
		return func(t *thread) { t.regs[d] = uint64(bits.OnesCount64(t.regs[a])) }
	case "clz":
		a := c.number(1, typ)
		return func(t *thread) { t.regs[d] = uint64(bits.LeadingZeros64(t.regs[a]) - 64 + typ.bits) }
	case "bfe":
		return c.extract(typ, d)
	case "bfi":
		return c.insert(typ, d)
	}
	f := c.integer(typ)
	a, b := c.number(1, typ), c.number(2, typ)
	if c.inst.Op == "shl" || c.inst.Op == "shr" {
		b = c.in(2)
	}
	if run := c.fast(typ, d, a, b); run != nil {
		return run
	}
	mask := typ.mask()
	return func(t *thread) { t.regs[d] = f(t.regs[a], t.regs[b]) & mask }
}

// integer returns the operation on two integers.
func (c *compiler) integer(typ typ) func(x, y uint64) uint64 {
	signed := typ.kind == 's'
	less := func(x, y uint64) bool { return x < y }
	if signed {
		less = func(x, y uint64) bool { return typ.signed(x) < typ.signed(y) }
	}
	switch c.inst.Op {
	case "sub":
		return func(x, y uint64) uint64 { return x - y }
	case "and":
		return func(x, y uint64) uint64 { return x & y }
	case "or":
		return func(x, y uint64) uint64 { return x | y }
	case "xor":
		return func(x, y uint64) uint64 { return x ^ y }
	case "min":
		return func(x, y uint64) uint64 {
			if less(x, y) {
				return x
			}
			return y
		}
	case "max":
		return func(x, y uint64) uint64 {
			if less(x, y) {
				return y
			}
			return x
		}
	case "shl":
		return func(x, y uint64) uint64 { return x << min(y, 64) }
	case "shr":
		if signed {
			return func(x, y uint64) uint64 { return uint64(typ.signed(x) >> min(y, 63)) }
		}
		return func(x, y uint64) uint64 { return x >> min(y, 64) }
	case "div", "rem":
		return c.divide(typ)
	}
	c.fail("%s is not run", c.inst.Op)
	return nil
}

// divide returns division or remainder, rounded towards zero.
func (c *compiler) divide(typ typ) func(x, y uint64) uint64 {
	rem, signed := c.inst.Op == "rem", typ.kind == 's'
	return func(x, y uint64) uint64 {
		switch {
		case y == 0:
			panic(fault("an integer division by zero"))
		case signed && rem:
			return uint64(typ.signed(x) % typ.signed(y))
		case signed:
			return uint64(typ.signed(x) / typ.signed(y))
		case rem:
			return x % y
		}
		return x / y
	}
}

// multiply runs mul and mad with lo, hi or wide.
func (c *compiler) multiply(typ typ, d int) func(t *thread) {
	var product func(x, y uint64) uint64
	sum := typ
	switch {
	case len(c.inst.Mods) != 2:
		c.fail("this product is not run")
	case c.inst.Has("lo"):
	case c.inst.Has("wide") && typ.bits < 64:
		sum.bits *= 2
		product = func(x, y uint64) uint64 { return x * y }
		if typ.kind == 's' {
			product = func(x, y uint64) uint64 { return uint64(typ.signed(x)*typ.signed(y)) & sum.mask() }
		}
	case c.inst.Has("hi"):
		product = func(x, y uint64) uint64 { return typ.high(x, y) }
	default:
		c.fail("this product is not run")
	}
	a, b := c.number(1, typ), c.number(2, typ)
	if c.inst.Has("lo") {
		mask, e := typ.mask(), c.named("#0", 0)
		if c.inst.Op == "mad" {
			e = c.number(3, typ)
		}
		return func(t *thread) { t.regs[d] = (t.regs[a]*t.regs[b] + t.regs[e]) & mask }
	}
	if c.inst.Op == "mul" {
		return func(t *thread) { t.regs[d] = product(t.regs[a], t.regs[b]) }
	}
	e := c.number(3, sum)
	return func(t *thread) { t.regs[d] = (product(t.regs[a], t.regs[b]) + t.regs[e]) & sum.mask() }
}

// high returns the upper half of a product.
func (t typ) high(x, y uint64) uint64 {
	if t.bits < 64 {
		if t.kind == 's' {
			return uint64(t.signed(x)*t.signed(y)) >> t.bits & t.mask()
		}
		return x * y >> t.bits
	}
	hi, _ := bits.Mul64(x, y)
	if t.kind == 's' {
		if int64(x) < 0 {
			hi -= y
		}
		if int64(y) < 0 {
			hi -= x
		}
	}
	return hi
}

// setPredicate runs a comparison.
func (c *compiler) setPredicate() func(t *thread) {
	if len(c.inst.Mods) != 2 || len(c.inst.Args) != 3 {
		c.fail("this comparison is not run")
		return nil
	}
	typ, d := c.typ(), c.out()
	holds := c.comparison(typ, c.inst.Mods[0])
	a, b := c.number(1, typ), c.number(2, typ)
	if run := c.fastCompare(typ, c.inst.Mods[0], d, a, b); run != nil {
		return run
	}
	return func(t *thread) { t.regs[d] = bit(holds(t.regs[a], t.regs[b])) }
}

func (c *compiler) comparison(typ typ, op string) func(x, y uint64) bool {
	if typ.kind == 'f' {
		return c.floatComparison(typ, op)
	}
	if unsigned := map[string]string{"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}[op]; unsigned != "" {
		op, typ.kind = unsigned, 'u'
	}
	if typ.kind == 's' {
		return c.order(op, func(x, y uint64) int { return compare(typ.signed(x), typ.signed(y)) })
	}
	return c.order(op, compare[uint64])
}

func compare[T int64 | uint64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// order returns the comparison op by the sign of the difference.
func (c *compiler) order(op string, sign func(x, y uint64) int) func(x, y uint64) bool {
	switch op {
	case "eq":
		return func(x, y uint64) bool { return sign(x, y) == 0 }
	case "ne":
		return func(x, y uint64) bool { return sign(x, y) != 0 }
	case "lt":
		return func(x, y uint64) bool { return sign(x, y) < 0 }
	case "le":
		return func(x, y uint64) bool { return sign(x, y) <= 0 }
	case "gt":
		return func(x, y uint64) bool { return sign(x, y) > 0 }
	case "ge":
		return func(x, y uint64) bool { return sign(x, y) >= 0 }
	}
	c.fail("comparison %s is not run", op)
	return nil
}

func (c *compiler) choose() func(t *thread) {
	typ, d := c.typ(), c.out()
	a, b, p := c.number(1, typ), c.number(2, typ), c.in(3)
	return func(t *thread) {
		if t.regs[p] != 0 {
			t.regs[d] = t.regs[a]
		} else {
			t.regs[d] = t.regs[b]
		}
	}
}

// convert runs cvt.
func (c *compiler) convert() func(t *thread) {
	m := c.inst.Mods
	if len(m) < 2 {
		c.fail("this conversion is not run")
		return nil
	}
	to, from := c.typeOf(m[len(m)-2]), c.typeOf(m[len(m)-1])
	rounding := strings.Join(m[:len(m)-2], ".")
	d, a := c.out(), c.number(1, from)
	f := c.conversion(to, from, rounding)
	return func(t *thread) { t.regs[d] = f(t.regs[a]) }
}

func (c *compiler) conversion(to, from typ, rounding string) func(v uint64) uint64 {
	switch {
	case to.kind != 'f' && from.kind != 'f' && rounding == "":
		if from.kind == 's' {
			mask := typ{'b', max(to.bits, 32)}.mask() // a narrow result fills a register
			return func(v uint64) uint64 { return to.extend(uint64(from.signed(v))) & mask }
		}
		return func(v uint64) uint64 { return to.extend(v & from.mask()) }
	case to.kind == 'f' && from.kind != 'f' && rounding == "rn":
		return func(v uint64) uint64 {
			switch {
			case from.kind == 's' && to.bits == 32:
				return uint64(math.Float32bits(float32(from.signed(v))))
			case from.kind == 's':
				return math.Float64bits(float64(from.signed(v)))
			case to.bits == 32:
				return uint64(math.Float32bits(float32(v & from.mask())))
			}
			return math.Float64bits(float64(v & from.mask()))
		}
	case to.kind != 'f' && from.kind == 'f':
		round := c.rounding(rounding)
		return func(v uint64) uint64 { return to.saturate(round(from.float(v))) }
	case to.kind == 'f' && from.kind == 'f' && to.bits != from.bits:
		if rounding != "" && rounding != "rn" || to.bits < from.bits && rounding == "" {
			c.fail("rounding %q is not run", rounding)
		}
		return func(v uint64) uint64 { return to.bitsOf(from.float(v)) }
	case to.kind == 'f' && from.kind == 'f' && rounding == "sat":
		return func(v uint64) uint64 { return to.bitsOf(max(0, min(1, number(from.float(v))))) }
	case to.kind == 'f' && from.kind == 'f':
		round := c.rounding(rounding)
		return func(v uint64) uint64 { return to.bitsOf(round(from.float(v))) }
	}
	c.fail("this conversion is not run")
	return nil
}

// extend returns v as a value of t in a register: a narrow signed one is extended to 32 bits.
func (t typ) extend(v uint64) uint64 {
	if t.kind == 's' && t.bits < 32 {
		return uint64(uint32(t.signed(v)))
	}
	return v & t.mask()
}

// number returns f, 0 if it is no number.
func number(f float64) float64 {
	if f != f {
		return 0
	}
	return f
}

// extract runs bfe: bits from one on, so many.
func (c *compiler) extract(typ typ, d int) func(t *thread) {
	if typ.kind != 'u' {
		c.fail("only bfe of unsigned numbers is run")
	}
	a, from, n := c.number(1, typ), c.in(2), c.in(3)
	return func(t *thread) { t.regs[d] = t.regs[a] >> (t.regs[from] & 0xff) & (1<<(t.regs[n]&0xff) - 1) }
}

// insert runs bfi: so many bits of the first number in place of those of the second from one on.
func (c *compiler) insert(typ typ, d int) func(t *thread) {
	a, b, from, n := c.number(1, typ), c.number(2, typ), c.in(3), c.in(4)
	return func(t *thread) {
		at := t.regs[from] & 0xff
		there := uint64(1<<(t.regs[n]&0xff)-1) << at & typ.mask()
		t.regs[d] = t.regs[b]&^there | t.regs[a]<<at&there
	}
}

// carrying runs sums, differences and products that set the carry, or add it.
func (c *compiler) carrying(typ typ, d int) func(t *thread) {
	if typ.kind == 'f' {
		c.fail("this operation is not run")
		return nil
	}
	sets, adds := c.inst.Has("cc"), c.inst.Op[len(c.inst.Op)-1] == 'c'
	a, b := c.number(1, typ), c.number(2, typ)
	term := func(t *thread) (x, y uint64) { return t.regs[a], t.regs[b] }
	minus := false
	switch strings.TrimSuffix(c.inst.Op, "c") {
	case "add":
	case "sub":
		minus = true
	case "mad":
		e := c.number(3, typ)
		if c.inst.Has("hi") {
			term = func(t *thread) (x, y uint64) { return typ.high(t.regs[a], t.regs[b]), t.regs[e] }
		} else {
			term = func(t *thread) (x, y uint64) { return t.regs[a] * t.regs[b] & typ.mask(), t.regs[e] }
		}
	default:
		c.fail("%s with a carry is not run", c.inst.Op)
	}
	return func(t *thread) {
		x, y := term(t)
		carry := uint64(0)
		if adds {
			carry = t.carry
		}
		var v, out uint64
		if minus {
			v, out = bits.Sub64(x, y, carry)
			out = max(out, v>>1>>(typ.bits-1)&1)
		} else {
			v, out = bits.Add64(x, y, carry)
			out = max(out, v>>1>>(typ.bits-1)&1)
		}
		t.regs[d] = v & typ.mask()
		if sets {
			t.carry = out
		}
	}
}

// rounding returns the function that rounds to an integer.
func (c *compiler) rounding(name string) func(float64) float64 {
	switch name {
	case "rni":
		return math.RoundToEven
	case "rzi":
		return math.Trunc
	case "rmi":
		return math.Floor
	case "rpi":
		return math.Ceil
	}
	c.fail("rounding %q is not run", name)
	return nil
}

// saturate returns the integer f, which is whole, or the nearest there is; 0 if it is no number.
func (t typ) saturate(f float64) uint64 {
	low, high := 0.0, math.Ldexp(1, t.bits)
	if t.kind == 's' {
		low, high = -math.Ldexp(1, t.bits-1), math.Ldexp(1, t.bits-1)
	}
	switch {
	case f != f:
		return 0
	case f < low && t.kind == 's':
		return 1 << (t.bits - 1)
	case f < low:
		return 0
	case f >= high && t.kind == 's':
		return t.mask() >> 1
	case f >= high:
		return t.mask()
	case t.kind == 's':
		return uint64(int64(f)) & t.mask()
	}
	return uint64(f)
}
