package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file notes what must hold for affine values to be those of C: they fit into
// the types in which C computes them.

// oblige notes that the value of e must not be negative inside loops.
func (ar *affineReader) oblige(e expr, value linear, at place) {
	ar.require("HX111", e, fmt.Sprintf("unsigned '%s' may be negative", ar.textOf(e)), value, at)
}

// obligeNext notes that the variable of f, if its type t is unsigned, must have the value
// next after each iteration, so that the loop ends.
func (ar *affineReader) obligeNext(f forStmt, t scop.Type, by int64, next linear, at place) {
	switch {
	case isUnsigned(t) && by < 0:
		ar.require("HX111", f.cond, fmt.Sprintf("unsigned '%s' counts down past 0, so that the loop may not end", iteratorOf(f).Name()), next, at)
	case t == scop.Uint:
		ar.obligeFit(f.step, next, t, at)
	}
}

// obligeNarrow notes that the variable of f, of a type t with fewer bits than int, holds the value after each iteration.
func (ar *affineReader) obligeNarrow(f forStmt, t scop.Type, by int64, at place) {
	next := variable(iteratorOf(f)).addc(by)
	lo, hi := t.Range()
	name := iteratorOf(f).Name()
	if by < 0 {
		ar.require("HX111", f.step, fmt.Sprintf("'%s' may be too small for '%v'", name, t), next.addc(-lo), at)
		return
	}
	ar.require("HX111", f.step, fmt.Sprintf("'%s' may be too large for '%v'", name, t), constant(hi).sub(next), at)
}

func (ar *affineReader) require(code diag.Code, e expr, msg string, value linear, at place) {
	if value.isConstant() && value.c >= 0 {
		return
	}
	o := obligation{where: e.at(), code: code, msg: msg, value: value, loops: slices.Clone(at.loops)}
	for _, l := range at.loops {
		o.constraints = append(o.constraints, l.constraints...)
	}
	o.constraints = append(o.constraints, at.constraints...)
	ar.owe(o)
}

// obligeOperand notes what converting e to type t requires.
func (ar *affineReader) obligeOperand(e expr, value linear, t scop.Type, at place) {
	from := intType(e)
	if isUnsigned(t) && !isUnsigned(from) {
		ar.oblige(e, value, at)
	}
	if t.Size() == 4 && (from.Size() == 8 || from == scop.Uint && t == scop.Int) {
		ar.obligeFit(e, value, t, at)
	}
	if t == scop.Int && from == scop.Long {
		ar.require("HX111", e, fmt.Sprintf("'%s' may be too small for '%v'", ar.textOf(e), t), value.addc(1<<31), at)
	}
}

// obligeFit notes that the value of e must not be larger than t holds, a type of 32 bits.
func (ar *affineReader) obligeFit(e expr, value linear, t scop.Type, at place) {
	ar.require("HX111", e, fmt.Sprintf("'%s' may be too large for '%v'", ar.textOf(e), t), constant(largest(t)).sub(value), at)
}
