package scop

import "fmt"

// This file writes in C where arrays begin whose pointers lead to elements inside of them.

// Offset returns in C how many elements of object o of a lie in front of the one that C's pointer leads to, by the
// parameters of p under the names that name gives; "" if the pointer leads to the first.
func (p *Program) Offset(a *Array, name func(Param) string) string {
	text := ""
	for k, e := range a.Origin {
		if k == 0 {
			text = p.inC(e, name)
			continue
		}
		text = fmt.Sprintf("(%s) * (%s) + %s", text, p.inC(a.ObjectExtents()[k], name), p.inC(e, name))
	}
	return text
}

// Base returns the C expression for a pointer to the first element of o, an object of a: where the region uses what lies in front of
// o.Flat, it leads there.
func (p *Program) Base(a *Array, o Plane) string {
	if offset := p.Offset(a, Param.Source); offset != "" {
		return fmt.Sprintf("(const %v *)(%s) - (%s)", a.Elem, o.Flat, offset)
	}
	return o.Flat
}

// inC returns e, a sum of parameters, in C.
func (p *Program) inC(e Affine, name func(Param) string) string {
	text := fmt.Sprintf("%dL", e.Const)
	for i, c := range e.Params {
		if c != 0 {
			text += fmt.Sprintf(" + %dL * (long)(%s)", c, name(p.Params[i]))
		}
	}
	return text
}
