package frontend

import (
	"github.com/hexcc/hexcc/scop"
)

// This file reads unsigned arithmetic. C computes unsigned sums modulo 2^32 or 2^64, so that (i + d + n) % n, with d = -1 in an int, is right
// though i + d wraps around for i = 0: only the value of the whole sum must be one that the type holds, where
// it is divided, compared, converted to a wider type or a subscript.

// A modularSum is an unsigned sum on its way: its value is that of C modulo what the type counts to.
type modularSum struct {
	linear
	bounded bool // it is not larger than what the type holds, if it is not negative
}

// isModular reports whether e is a sum, difference, product or negative in unsigned type t.
func isModular(e expr, t scop.Type) bool {
	switch e := e.(type) {
	case binary:
		return isUnsigned(t) && intType(e) == t && (e.op == "+" || e.op == "-" || e.op == "*")
	case unary:
		return isUnsigned(t) && intType(e) == t && (e.op == "-" || e.op == "+")
	}
	return false
}

// modular returns e, an operand in a sum of unsigned type t; see modularSum.
func (ar *affineReader) modular(e expr, t scop.Type, at place) (modularSum, *reason) {
	if !isModular(e, t) {
		if c, ok := e.(cast); ok && isModularCast(c, t) {
			x, why := ar.linear(c.x, at)
			return modularSum{x, false}, why
		}
		x, why := ar.linear(e, at)
		from := intType(e)
		return modularSum{x, from == t || x.isConstant() && x.c >= 0 || isUnsigned(from) && from.Size() <= t.Size()}, why
	}
	if u, ok := e.(unary); ok {
		x, why := ar.modular(u.x, t, at)
		if u.op == "-" {
			x = modularSum{x.scale(-1), false}
		}
		return x, why
	}
	b := e.(binary)
	x, why := ar.modular(b.x, t, at)
	if why != nil {
		return x, why
	}
	y, why := ar.modular(b.y, t, at)
	if why != nil {
		return y, why
	}
	r, ok := fold(b.op, x.linear, y.linear)
	switch {
	case !ok:
		return modularSum{}, ar.because(b, notLinear(b.op), "")
	case !r.small():
		return modularSum{}, ar.because(b, "is too large", "")
	}
	return modularSum{r, b.op == "-" && x.bounded && y.bounded && !isModular(b.y, t)}, nil
}

// isModularCast reports whether e makes a number of type t of a signed one of at most as many bits.
func isModularCast(e cast, t scop.Type) bool {
	to, ok := numberType(e.typ)
	from := intType(e.x)
	return ok && to == t && !from.IsFloat() && !isUnsigned(from) && from.Size() <= t.Size()
}

// dividend returns the left side of e, a remainder or &: of a sum in an unsigned type, modulo a power of two, only that matters.
func (ar *affineReader) dividend(e binary, at place) (linear, *reason) {
	if ar.powerOfTwo(e, at) {
		x, why := ar.modular(e.x, intType(e), at)
		return x.linear, why
	}
	return ar.linear(e.x, at)
}

// powerOfTwo reports whether e is a remainder by a power of two, of a sum of unsigned numbers.
func (ar *affineReader) powerOfTwo(e binary, at place) bool {
	if !isModular(e.x, intType(e)) {
		return false
	}
	m, why := ar.linear(e.y, at)
	if why != nil || !m.isConstant() {
		return false
	}
	if e.op == "&" {
		m = m.addc(1)
	}
	return (e.op == "&" || e.op == "%") && m.c > 1 && m.c&(m.c-1) == 0
}

// unsignedSum returns e, a sum in unsigned type t, whose value must be one of t.
func (ar *affineReader) unsignedSum(e expr, t scop.Type, at place) (linear, *reason) {
	r, why := ar.modular(e, t, at)
	if why != nil {
		return linear{}, why
	}
	ar.oblige(e, r.linear, at)
	if t == scop.Uint && !r.bounded {
		ar.obligeFit(e, r.linear, t, at)
	}
	return r.linear, nil
}
