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
func (b *builder) oblige(e expr, value linear, loops []loop) {
	b.require("HX111", e, fmt.Sprintf("unsigned '%s' may be negative", b.textOf(e)), value, loops)
}

// obligeNext notes that the variable of f, if its type t is unsigned, must have the value
// next after each iteration, so that the loop ends.
func (b *builder) obligeNext(f forStmt, t scop.Type, by int64, next linear, loops []loop) {
	switch {
	case isUnsigned(t) && by < 0:
		b.require("HX111", f.cond, fmt.Sprintf("unsigned '%s' counts down past 0, so that the loop may not end", iteratorOf(f).Name()), next, loops)
	case t == scop.Uint:
		b.obligeFit(f.step, next, t, loops)
	}
}

func (b *builder) require(code diag.Code, e expr, msg string, value linear, loops []loop) {
	if value.isConstant() && value.c >= 0 {
		return
	}
	o := obligation{where: e.at(), code: code, msg: msg, value: value, loops: slices.Clone(loops)}
	for _, l := range loops {
		o.rows = append(o.rows, l.rows...)
	}
	if n := b.current; n != nil && len(n.loops) == len(loops) { // a part of a nest runs where its conditions hold
		o.rows = append(o.rows, n.rows...)
	}
	b.obligations = append(b.obligations, o)
}

// obligeOperand notes what converting e to type t requires.
func (b *builder) obligeOperand(e expr, value linear, t scop.Type, loops []loop) {
	from := intType(e)
	if isUnsigned(t) && !isUnsigned(from) {
		b.oblige(e, value, loops)
	}
	if t.Size() == 4 && (from.Size() == 8 || from == scop.Uint && t == scop.Int) {
		b.obligeFit(e, value, t, loops)
	}
	if t == scop.Int && from == scop.Long {
		b.require("HX111", e, fmt.Sprintf("'%s' may be too small for '%v'", b.textOf(e), t), value.addc(1<<31), loops)
	}
}

// obligeFit notes that the value of e must not be larger than t holds, a type of 32 bits.
func (b *builder) obligeFit(e expr, value linear, t scop.Type, loops []loop) {
	b.require("HX111", e, fmt.Sprintf("'%s' may be too large for '%v'", b.textOf(e), t), constant(largest(t)).sub(value), loops)
}

// largest returns the largest value of a type of 32 bits.
func largest(t scop.Type) int64 {
	if t == scop.Uint {
		return 1<<32 - 1
	}
	return 1<<31 - 1
}

func isUnsigned(t scop.Type) bool { return t == scop.Uint || t == scop.Ulong }

// intType returns the type of an affine expression.
func intType(e expr) scop.Type {
	switch e := e.(type) {
	case number:
		t, _ := numberType(e.typ)
		return t
	case ident:
		if e.decl != nil {
			t, _ := numberType(e.decl.Type())
			return t
		}
	case unary:
		return intType(e.x)
	case binary:
		if e.op == "<<" || e.op == ">>" {
			return intType(e.x)
		}
		return usual(intType(e.x), intType(e.y))
	case cast:
		t, _ := numberType(e.typ)
		return t
	case cond:
		return usual(intType(e.x), intType(e.y))
	case index: // of a table of constants
		if p, ok := lvalue(e); ok {
			t, _ := numberType(p.typ)
			return t
		}
	}
	return scop.Int
}
