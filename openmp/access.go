package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file addresses elements. Subscripts that are the same for all points of a
// step, such as (t + 1) % 2, go into a pointer that is set once a step.

// A pointer leads to the part of an array that has given leading subscripts.
type pointer struct {
	array   *scop.Array
	name    string
	value   string
	written bool
}

// declaration returns the declaration of q.
func (q pointer) declaration() string {
	elem := ctext.Pointed(q.array)
	if !q.written && !q.array.Const {
		elem = "const " + elem
	}
	return fmt.Sprintf("%s*const %s = %s;", elem, q.name, q.value)
}

// ref returns the element that a touches.
func (p *point) ref(a *scop.Access) string {
	index := make([]astgen.Expr, len(a.Index))
	for i, x := range a.Index {
		index[i] = p.subscript(x)
	}
	fixed := 0
	for fixed < len(index)-1 && p.isFixed(a.Index[fixed]) {
		fixed++
	}
	base, first := p.object(a.Array, index)
	if len(index) == 0 {
		return base + "[0]"
	}
	if fixed <= first && len(a.Array.Planes) == 0 || fixed == 0 {
		return fmt.Sprintf("%s[%s]", base, p.linear(a.Array, index, first, len(index)))
	}
	offset := ""
	if fixed > first {
		offset = fmt.Sprintf(" + %s", p.linear(a.Array, index, first, fixed))
		for _, e := range a.Array.Extents[fixed:] {
			offset += " * " + p.Factor(p.Affine(e))
		}
	}
	name := p.pointer(a.Array, base+offset, a.Write)
	return fmt.Sprintf("%s[%s]", name, p.linear(a.Array, index, fixed, len(index)))
}

// subscript returns x in terms of the iterators.
func (p *point) subscript(x scop.Index) astgen.Expr {
	var iters []astgen.Sum
	for _, name := range p.step.Stmt.Iters {
		if at, ok := p.direct[name]; ok {
			iters = append(iters, at)
		} else {
			iters = append(iters, astgen.Var(p.iters[name]))
		}
	}
	sum := p.affine(x.Affine, iters)
	if x.Mod > 0 {
		return astgen.Modulo(sum, x.Mod)
	}
	return sum
}

// affine returns a with iters for the iterators.
func (p *point) affine(a scop.Affine, iters []astgen.Sum) astgen.Sum {
	return astgen.Affine(p.Scop, a, iters)
}

// isFixed reports whether x is the same at all points of a step: no space iterator occurs in it.
func (p *point) isFixed(x scop.Index) bool {
	for i, c := range x.Iters {
		if i > 0 && c != 0 {
			return false
		}
	}
	return true
}

// object returns the pointer to the object of a that holds the element, and the
// number of subscripts that chose it.
func (p *point) object(a *scop.Array, index []astgen.Expr) (base string, first int) {
	if len(a.Planes) == 0 {
		p.Uses[p.Outer[a.Name]] = true
		return p.Outer[a.Name], 0
	}
	p.Uses[p.planes[a]] = true
	for _, name := range p.objects(a) {
		p.Uses[name] = true
	}
	return fmt.Sprintf("%s[%s]", p.planes[a], p.Expr(index[0])), 1
}

// linear returns the number of the element with subscripts from to to (excluded)
// in the part of a that has those dimensions.
func (p *point) linear(a *scop.Array, index []astgen.Expr, from, to int) string {
	if to == from {
		return "0"
	}
	text := p.operand(index[from])
	if to-from == 1 && to == len(index) {
		return p.Expr(index[from])
	}
	if p.Index == scop.Int {
		text = "(long)" + text
	}
	for d := from + 1; d < to; d++ {
		if d > from+1 {
			text = "(" + text + ")"
		}
		text = fmt.Sprintf("%s * %s + %s", text, p.Factor(p.Affine(a.Extents[d])), p.term(index[d]))
	}
	if to < len(index) && to-from > 1 {
		text = "(" + text + ")"
	}
	return text
}

// operand returns e as an operand of a product or a conversion, term of a sum.
func (p *point) operand(e astgen.Expr) string {
	if s, ok := e.(astgen.Sum); ok {
		return p.Factor(s)
	}
	return "(" + p.Expr(e) + ")"
}

func (p *point) term(e astgen.Expr) string {
	if s, ok := e.(astgen.Sum); ok {
		if text := p.Expr(s); !strings.HasPrefix(text, "-") {
			return text
		}
	}
	return p.operand(e)
}

// pointer returns the name of a pointer to what text points to, into a.
func (p *point) pointer(a *scop.Array, text string, write bool) string {
	i := slices.IndexFunc(p.pointers, func(q pointer) bool { return q.value == text })
	if i < 0 {
		i = len(p.pointers)
		p.pointers = append(p.pointers, pointer{array: a, name: p.pointerName(a), value: text})
	}
	p.pointers[i].written = p.pointers[i].written || write
	return p.pointers[i].name
}

// pointerName returns a name that no pointer of the step has.
func (p *point) pointerName(a *scop.Array) string {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s_%d", p.Outer[a.Name], i)
		if p.Taken[name] {
			continue
		}
		if !slices.ContainsFunc(p.pointers, func(q pointer) bool { return q.name == name }) {
			return name
		}
	}
}
