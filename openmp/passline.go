package openmp

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file makes the text of a cache line of all rows of a pass, as vectors that fill it, or as halves.

// rowsOf adds the text of the rows of step k, in the form that of returns for each.
func (p *pass) rowsOf(k int64, text *lineText, of func(row int) form) {
	var stores, stored []string
	for row := range int(p.of.Beside) {
		p.turn(k, row)
		number := int(k*p.of.Beside) + row
		body, last := p.actions(number, int(p.of.Steps*p.of.Beside), of(row))
		text.body, stores = append(text.body, body...), append(stores, last...)
		for i, action := range p.step.Stmt.Actions() {
			if _, ok := action.(scop.Store); ok {
				stored = append(stored, p.numbered("value", number*len(p.step.Stmt.Body)+i))
			}
		}
	}
	text.body, text.stored = append(text.body, stores...), stored
}

// windows returns the windows of step k, with their names.
func (p *pass) windows(k int64, name string) []window {
	all := make([]window, len(p.of.Vectors.Windows))
	for i, w := range p.of.Vectors.Windows {
		p.turn(k, w.Row)
		base, _ := p.element(w.From)
		all[i] = window{w, base, p.numbered(name, int(k)*len(all)+i)}
	}
	return all
}

// inVectors makes the text of vectors of step k.
func (p *pass) inVectors(k int64) {
	v := &vectors{Vectors: p.of.Vectors}
	windows := p.windows(k, "x")
	for i, w := range windows {
		p.turn(k, w.Row)
		p.window(v, w, p.of.Sources[k][i])
	}
	p.rowsOf(k, &p.lines, func(row int) form { return p.vectorForm(v, row, p.fromWindows(v, windows, row)) })
}

// place returns the subscript of w at a point, without its constant, and at the first point of a row.
func (p *pass) place(w window) (index, start affine.Sum) {
	_, index = p.element(w.From)
	index = index.Add(-w.From.Index[len(w.From.Index)-1].Const)
	return index, p.fromStart(index)
}

// window adds what loads the elements of a window, or has them from the step before, and hands them on to the next vector.
func (p *pass) window(v *vectors, w window, from cpu.Source) {
	text := &p.lines
	index, start := p.place(w)
	here, before, after := p.elements(w, w.Center), "", p.own("window", w.name+"_after")
	at := func(place affine.Sum, c int64) string { return v.load("&" + w.at(p.point, place, c)) }
	if w.Before() && !from.Apart {
		before = p.own("window", w.name+"_before")
		text.begin = append(text.begin, fmt.Sprintf("%s %s = {0};", v.typeName(), before))
		for c := w.Offsets[0]; c < w.Center; c++ {
			text.begin = append(text.begin, fmt.Sprintf("%s[%d] = %s;", before, v.Lanes+c-w.Center, w.at(p.point, start, c)))
		}
		text.next = append(text.next, fmt.Sprintf("%s = %s;", before, here))
	}
	switch {
	case from.Handed > 0:
		after = text.stored[from.Handed-1]
	case w.After():
		text.body = append(text.body, v.constant(after, at(index, w.Center+v.Lanes)))
	default:
		text.body = append(text.body, v.constant(here, at(index, w.Center)))
	}
	if from.Handed > 0 || w.After() {
		text.begin = append(text.begin, fmt.Sprintf("%s %s = %s;", v.typeName(), here, at(start, w.Center)))
		text.next = append(text.next, fmt.Sprintf("%s = %s;", here, after))
	}
	for _, c := range w.Offsets {
		switch {
		case c < w.Center && from.Apart:
			text.body = append(text.body, v.constant(p.elements(w, c), at(index, c)))
		case c < w.Center:
			text.body = append(text.body, v.constant(p.elements(w, c), v.join(v.Lanes+c-w.Center, before, here)))
		case c > w.Center:
			text.body = append(text.body, v.constant(p.elements(w, c), v.join(c-w.Center, here, after)))
		}
	}
}

// inHalves makes the text of step k in halves of cache lines: all that is not handed on is loaded where it is read.
func (p *pass) inHalves(k int64) {
	windows := p.windows(k, "line")
	for i, w := range windows {
		if from := p.of.Sources[k][i]; from.Handed > 0 {
			p.turn(k, w.Row)
			p.handed(w, p.halves.stored[from.Handed-1])
		}
	}
	p.rowsOf(k, p.halves, func(row int) form {
		h := p.halvesOf(p.of.Vectors)
		h.count = p.halves.parts
		h.read = func(a *scop.Access) string {
			if i, offset := p.of.Vectors.Window(p.prog, p.step, a, row); i >= 0 && p.of.Sources[k][i].Handed > 0 {
				return p.elements(windows[i], offset)
			}
			return ""
		}
		f := h.form()
		needed := f.before
		f.before = func() []string {
			p.halves.parts = h.count
			return needed()
		}
		return f
	})
}

// handed adds what hands a window on, in halves, of which after is stored by the step before.
func (p *pass) handed(w window, after string) {
	lanes, text := p.of.Vectors.Lanes, p.halves
	line := fmt.Sprintf("hexcc_line%d", lanes)
	_, start := p.place(w)
	here, before := p.elements(w, w.Center), p.own("window", w.name+"_before")
	join := func(c, from int64, a, b string) {
		text.body = append(text.body, fmt.Sprintf("const %s %s = HEXCC_BETWEEN%d(%d, %s, %s);", line, p.elements(w, c), lanes, from, a, b))
	}
	if w.Before() {
		text.begin = append(text.begin, fmt.Sprintf("%s %s = {{0}, {0}};", line, before))
		for c := w.Offsets[0]; c < w.Center; c++ {
			half, k := "low", lanes+c-w.Center
			if k >= lanes/2 {
				half, k = "high", k-lanes/2
			}
			text.begin = append(text.begin, fmt.Sprintf("%s.%s[%d] = %s;", before, half, k, w.at(p.point, start, c)))
		}
		text.next = append(text.next, fmt.Sprintf("%s = %s;", before, here))
	}
	text.begin = append(text.begin, fmt.Sprintf("%s %s = hexcc_load%d(&%s);", line, here, lanes, w.at(p.point, start, w.Center)))
	text.next = append(text.next, fmt.Sprintf("%s = %s;", here, after))
	for _, c := range w.Offsets {
		switch {
		case c < w.Center:
			join(c, lanes+c-w.Center, before, here)
		case c > w.Center:
			join(c, c-w.Center, here, after)
		}
	}
}
