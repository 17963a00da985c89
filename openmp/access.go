package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
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
	to      []affine.Expr // of a buffer: the leading subscripts
}

// declaration returns the declaration of q, as a constant.
func (q pointer) declaration() string { return q.declared("*const ") }

// variable returns the declaration of q, as a variable.
func (q pointer) variable() string { return q.declared("*") }

func (q pointer) declared(as string) string {
	elem := ctext.Pointed(q.array)
	if !q.written && !q.array.Const {
		elem = "const " + elem
	}
	return fmt.Sprintf("%s%s%s = %s;", elem, as, q.name, q.value)
}

// ref returns the element that a touches.
func (p *point) ref(a *scop.Access) string {
	base, text, _ := p.place(a)
	return fmt.Sprintf("%s[%s]", base, text)
}

// element returns the row that holds the element which a touches, and its subscript there.
func (p *point) element(a *scop.Access) (row string, index affine.Sum) {
	row, _, last := p.place(a)
	return row, last.(affine.Sum)
}

// place returns a pointer, the subscript there of the element that a touches, as text, and
// the last subscript of a, nil if there is none.
func (p *point) place(a *scop.Access) (pointer, subscript string, last affine.Expr) {
	index := make([]affine.Expr, len(a.Index))
	for i := range a.Index {
		index[i] = p.indexOf(a, i)
	}
	base, from := p.object(a.Array, index)
	if b := p.prog.Buffer(a.Array); b != nil {
		index = inBuffer(b, index)
	}
	if len(index) == 0 {
		return base, "0", nil
	}
	if b := p.prog.Buffer(a.Array); b != nil && len(p.step.Loops) > 1 && p.leading(a, len(p.step.Loops)-2) == len(index)-1 {
		if row, along, ok := p.inRows(b, a, base, index); ok {
			return row, p.Expr(along), along
		}
	}
	if to := p.leading(a, -1); to > from || to > 0 && from > 0 {
		base, from = p.pointer(&p.pointers, a, base, base+p.part(a.Array, index, from, to)), to
	}
	if to := p.leading(a, len(p.step.Loops)-2); to > from {
		base, from = p.pointer(&p.rows, a, base, base+p.part(a.Array, index, from, to)), to
	}
	return base, p.linear(a.Array, index, from, len(index)), index[len(index)-1]
}

// inRows returns a pointer to a row of a buffer, and the subscript there of the element that a touches: all rows that lie at a distance of numbers from each other have one
// pointer, so that compilers need one register for them. ok is false where the last subscript is no sum.
func (p *point) inRows(b *cpu.Buffer, a *scop.Access, base string, index []affine.Expr) (row string, along affine.Sum, ok bool) {
	last := len(index) - 1
	along, ok = index[last].(affine.Sum)
	if !ok || last == 0 {
		return "", along, false
	}
	for i := range p.rows {
		q := &p.rows[i]
		if q.array != a.Array {
			continue
		}
		if by, ok := b.Distance(q.to, index[:last]); ok {
			q.written = q.written || a.Write
			return q.name, along.Add(by), true
		}
	}
	row = p.pointer(&p.rows, a, base, base+p.part(a.Array, index, 0, last))
	i := slices.IndexFunc(p.rows, func(q pointer) bool { return q.name == row })
	p.rows[i].to = slices.Clone(index[:last])
	return row, along, true
}

// leading returns how many subscripts of a, but for the last, are the same for all
// points of one iteration of loop d, -1 for those of the step.
func (p *point) leading(a *scop.Access, d int) (n int) {
	for n < len(a.Index)-1 && p.known(a.Index[n]) <= d {
		n++
	}
	return n
}

// known returns the innermost loop that x depends on, -1 if it is the same at all points of a step.
func (p *point) known(x scop.Index) int {
	d := -1
	for i, c := range x.Iters {
		if c != 0 {
			d = max(d, p.step.Depth(p.step.Iters[i]))
		}
	}
	return d
}

// part returns what leads from the start of a part of an array to the part with
// subscripts from to to (excluded), as text that follows a pointer.
func (p *point) part(a *scop.Array, index []affine.Expr, from, to int) string {
	if to == from {
		return ""
	}
	offset := " + " + p.linear(a, index, from, to)
	for d := to; d < len(a.Extents); d++ {
		offset += " * " + p.Factor(p.extent(a, d))
	}
	return offset
}

// subscript returns x in terms of the iterators.
func (p *point) subscript(x scop.Index) affine.Expr {
	var iters []affine.Sum
	for _, name := range p.step.Stmt.Iters {
		iters = append(iters, p.value(name))
	}
	sum := p.affine(x.Affine, iters)
	if x.Mod > 0 {
		return affine.Modulo(sum, x.Mod)
	}
	return sum
}

// affine returns a with iters for the iterators.
func (p *point) affine(a scop.Affine, iters []affine.Sum) affine.Sum {
	return p.Scop.Sum(a, iters)
}

// object returns the pointer to the object of a that holds the element, and the
// number of subscripts that chose it.
func (p *point) object(a *scop.Array, index []affine.Expr) (base string, first int) {
	if len(a.Planes) == 0 || p.prog.Buffer(a) != nil {
		p.Uses[p.Outer[a.Name]] = true
		return p.Outer[a.Name], 0
	}
	p.Uses[p.planes[a]] = true
	for _, name := range p.objects(a) {
		p.Uses[name] = true
	}
	return fmt.Sprintf("%s[%s]", p.planes[a], p.Expr(index[0])), 1
}

// extent returns how many elements there are in dimension d of a, where the tile has it.
func (p *point) extent(a *scop.Array, d int) affine.Sum {
	if b := p.prog.Buffer(a); b != nil {
		return affine.Num(b.Shape[d])
	}
	for _, l := range p.local[a] {
		if d == l.dim {
			return affine.Var(l.name)
		}
	}
	return p.Affine(a.Extents[d])
}

// inBuffer returns the subscripts, where tiles have a buffer b, of what index is in the array.
func inBuffer(b *cpu.Buffer, index []affine.Expr) []affine.Expr {
	local := slices.Clone(index)
	for k, e := range index {
		if x, ok := e.(affine.Sum); ok {
			local[k] = x.Minus(b.Origin[k])
		}
	}
	return local
}

// linear returns the number of the element with subscripts from to to (excluded)
// in the part of a that has those dimensions.
func (p *point) linear(a *scop.Array, index []affine.Expr, from, to int) string {
	if to == from {
		return "0"
	}
	text := p.operand(index[from])
	if to-from == 1 && to == len(index) {
		return p.Expr(index[from])
	}
	for d := from + 1; d < to; d++ {
		if d > from+1 {
			text = "(" + text + ")"
		}
		text = fmt.Sprintf("%s * %s + %s", text, p.Factor(p.extent(a, d)), p.term(index[d]))
	}
	if to < len(index) && to-from > 1 {
		text = "(" + text + ")"
	}
	return text
}

// operand returns e as an operand of a product or a conversion, term of a sum.
func (p *point) operand(e affine.Expr) string {
	if s, ok := e.(affine.Sum); ok {
		return p.Factor(s)
	}
	return "(" + p.Expr(e) + ")"
}

func (p *point) term(e affine.Expr) string {
	if s, ok := e.(affine.Sum); ok {
		if text := p.Expr(s); !strings.HasPrefix(text, "-") {
			return text
		}
	}
	return p.operand(e)
}

// pointer returns the name of the pointer of some that has a value, which leads on from base to what a touches.
func (p *point) pointer(some *[]pointer, a *scop.Access, base, value string) string {
	i := slices.IndexFunc(*some, func(q pointer) bool { return q.value == value })
	if i < 0 {
		i = len(*some)
		*some = append(*some, pointer{array: a.Array, name: p.pointerName(a.Array, base), value: value})
	}
	q := &(*some)[i]
	q.written = q.written || a.Write
	return q.name
}

// pointerName returns a name that no pointer has, made of that of the one it leads on from.
func (p *point) pointerName(a *scop.Array, base string) string {
	if strings.Contains(base, "[") { // of the objects of a
		base = p.Outer[a.Name]
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s_%d", base, i)
		if !p.Taken[name] && !slices.ContainsFunc(slices.Concat(p.pointers, p.rows), func(q pointer) bool { return q.name == name }) {
			return name
		}
	}
}
