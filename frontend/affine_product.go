package frontend

import (
	"github.com/hexcc/hexcc/scop"
)

// This file reads subscripts with products of variables, such as p[(i*nj + j)*nk + k]. Arithmetic in 64 bits, unsigned too, is that of
// the integers where the result is a subscript inside its array, and so is that in int, where C leaves what does not fit undefined. Of
// what is computed in 32 bits, unsigned, and of what is converted to int, only the value as a whole must fit: the arrays of programs that
// count in 32 bits are that small, which is tested where their extents are known (proofs_fit.go).

// A fit is a claim that a part of a subscript, or all of it, is a number of its type, which has 32 bits.
type fit struct {
	where
	text string
	poly polynomial
	typ  scop.Type
	// As soon as the array has its dimensions:
	whole bool        // it is all of the subscript
	index []subscript // if not, by these dimensions; nil where they are none of it
}

// A productReader reads one subscript at a place.
type productReader struct {
	*affineReader
	at   place
	fits []fit
}

// polynomial returns e over iterators, parameters and remainders, with what must fit for that, or why it is none.
func (ar *affineReader) polynomial(e expr, at place) (polynomial, []fit, *reason) {
	r := &productReader{affineReader: ar, at: at}
	p, why := r.value(e)
	return p, r.fits, why
}

// value returns e.
func (r *productReader) value(e expr) (polynomial, *reason) {
	if s, ok := r.remainder(e, r.at); ok {
		return polynomial{r.vars.number(r.vars.remainder(s)): 1}, nil
	}
	back := r.try()
	l, why := r.linear(e, r.at)
	if why == nil {
		return r.vars.polynomial(l), nil
	}
	back()
	if isModular(e, scop.Uint) {
		p, no := r.modular(e)
		if no == nil {
			r.fits = append(r.fits, fit{where: e.at(), text: r.textOf(e), poly: p, typ: scop.Uint})
		}
		return p, no
	}
	switch e := e.(type) {
	case unary:
		if x, no := r.value(e.x); no == nil && e.op == "-" {
			return polynomial{}.plus(-1, "", x), nil
		}
	case cast:
		t, ok := numberType(e.typ)
		if !ok || t.IsFloat() || t.Size() < scop.Int.Size() {
			break
		}
		read := r.value
		if t == scop.Uint {
			read = r.modular
		}
		x, no := read(e.x)
		if no == nil && t.Size() == scop.Int.Size() && t != intType(e.x) {
			r.fits = append(r.fits, fit{where: e.at(), text: r.textOf(e.x), poly: x, typ: t})
		}
		return x, no
	case binary:
		return r.computed(e, why, r.value)
	case cond:
		if x, ok := r.chosen(e, r.at); ok {
			return r.value(x)
		}
	}
	return nil, why
}

// modular returns e, computed in unsigned: its value is that of C modulo 2^32.
func (r *productReader) modular(e expr) (polynomial, *reason) {
	if _, ok := r.remainder(e, r.at); ok { // such as 1 - t % 2
		return r.value(e)
	}
	switch e := e.(type) {
	case unary:
		if isModular(e, scop.Uint) {
			x, why := r.modular(e.x)
			if why == nil && e.op == "-" {
				x = polynomial{}.plus(-1, "", x)
			}
			return x, why
		}
	case binary:
		if isModular(e, scop.Uint) {
			return r.computed(e, nil, r.modular)
		}
	case cast:
		if t, ok := numberType(e.typ); ok && t == scop.Uint && !intType(e.x).IsFloat() {
			return r.modular(e.x)
		}
	}
	return r.value(e)
}

// computed returns e, whose operands are read by read.
func (r *productReader) computed(e binary, why *reason, read func(expr) (polynomial, *reason)) (polynomial, *reason) {
	if e.op != "+" && e.op != "-" && e.op != "*" {
		return nil, why
	}
	x, no := read(e.x)
	if no != nil {
		return nil, no
	}
	y, no := read(e.y)
	if no != nil {
		return nil, no
	}
	var p polynomial
	switch e.op {
	case "+":
		p = x.plus(1, "", y)
	case "-":
		p = x.plus(-1, "", y)
	case "*":
		p = x.times(y)
	}
	if !p.small() {
		return nil, r.because(e, "is too large", "")
	}
	return p, nil
}

// mayNotFit reports that f may not hold.
func (ar *affineReader) mayNotFit(f fit) {
	ar.errorf("HX111", f.where, "a part of a subscript that is computed in 32 bits, on the way to more, must count elements of the array itself", "use size_t, long or int",
		"'%s' may be too large for '%v'", f.text, f.typ)
}
