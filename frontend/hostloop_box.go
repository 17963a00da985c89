package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds boxes that have all values of the variables of loops, for arrays with an element for each iteration.

// An extentOf is the values of a loop: how the variable becomes a subscript, and how many there may be.
type extentOf struct{ sub, size string }

// box returns the extents of loops, the outermost first; ok is false if a last value, or a first one that may be negative, depends on another loop, or one on what the loops set. A first
// value that depends on others, as that of every second point does, j = 1 + i % 2, leaves subscripts as they are.
func (h *hostLoops) box(loops []forStmt) (box []extentOf, ok bool) {
	var ds, positive []*cc.Declarator
	for _, f := range loops {
		ds = append(ds, iteratorOf(f))
	}
	if len(loops) == 0 {
		return nil, true
	}
	set := slices.DeleteFunc(setsAny(loops[0]), func(d *cc.Declarator) bool { return slices.Contains(ds, d) })
	own := func(e expr) bool { return mentionsAny([]expr{e}, set) }
	for _, f := range loops {
		d := iteratorOf(f)
		by, constant := stepOf(f.step, d)
		c, is := f.cond.(binary)
		if !constant || !is || by == 0 || own(initOf(f)) {
			return nil, false
		}
		bound, op := c.y, c.op
		if isIdent(c.y, d) {
			bound, op = c.x, mirrored[c.op]
		} else if !isIdent(c.x, d) {
			return nil, false
		}
		moves := mentionsAny([]expr{initOf(f)}, ds)
		if mentionsAny([]expr{bound}, ds) || own(bound) || moves && (by < 0 || !notNegative(initOf(f), positive)) {
			return nil, false
		}
		first, last := h.spelled(initOf(f)), h.spelled(bound)
		low, lowest := initOf(f), first
		var size string
		switch {
		case by > 0 && op == "<":
			size = fmt.Sprintf("(%s)", last)
		case by > 0 && op == "<=":
			size = fmt.Sprintf("(%s) + 1", last)
		case by < 0 && op == ">=" || by < 0 && op == ">":
			low, lowest, size = bound, last, fmt.Sprintf("(%s) + 1", first)
		default:
			return nil, false
		}
		x := extentOf{d.Name(), size}
		if v, number := literal(low); !moves && (!number || v < 0 || v > 16) {
			x.sub, x.size = fmt.Sprintf("%s - (%s)", d.Name(), lowest), fmt.Sprintf("%s - (%s)", size, lowest)
		} else {
			positive = append(positive, d)
		}
		box = append(box, x)
	}
	return box, true
}

// notNegative reports whether e is seen to be none below 0, where ds are not.
func notNegative(e expr, ds []*cc.Declarator) bool {
	s, ok := spanOf(e, ds)
	return ok && s.least >= 0
}

// A valueSpan is the values that an integer may have; most is -1 if there is no greatest one.
type valueSpan struct{ least, most int64 }

// spanOf returns values of e, made of numbers and of variables ds, which are none below 0, if that is plain.
func spanOf(e expr, ds []*cc.Declarator) (s valueSpan, ok bool) {
	if v, number := literal(e); number {
		return valueSpan{v, max(v, -1)}, v >= -1<<20 && v < 1<<20
	}
	if isTruth(e) {
		return valueSpan{0, 1}, true
	}
	switch e := e.(type) {
	case ident:
		return valueSpan{0, -1}, slices.Contains(ds, e.decl)
	case cast:
		t, number := storedType(e.typ)
		if s, ok = spanOf(e.x, ds); number && t == scop.Int {
			return s, ok
		}
	case cond:
		x, okX := spanOf(e.x, ds)
		y, okY := spanOf(e.y, ds)
		s = valueSpan{min(x.least, y.least), max(x.most, y.most)}
		if x.most < 0 || y.most < 0 {
			s.most = -1
		}
		return s, okX && okY
	case binary:
		x, okX := spanOf(e.x, ds)
		y, okY := spanOf(e.y, ds)
		positive := okX && okY && x.least >= 0 && y.least >= 0
		if okY && !positive { // whatever x is
			switch {
			case e.op == "%" && y.least > 0 && y.most > 0:
				return valueSpan{1 - y.most, y.most - 1}, true
			case e.op == "&" && y.least >= 0 && y.most >= 0:
				return valueSpan{0, y.most}, true
			}
		}
		if !okX || !okY {
			return s, false
		}
		switch e.op {
		case "+":
			if s = (valueSpan{x.least + y.least, x.most + y.most}); x.most < 0 || y.most < 0 {
				s.most = -1
			}
			return s, true
		case "-":
			if s = (valueSpan{x.least - y.most, x.most - y.least}); x.most < 0 || s.most < 0 {
				s.most = -1
			}
			return s, y.most >= 0
		case "*":
			if s = (valueSpan{x.least * y.least, x.most * y.most}); x.most < 0 || y.most < 0 {
				s.most = -1
			}
			return s, positive
		case "%":
			return valueSpan{0, y.most - 1}, positive && y.least > 0 && y.most > 0
		case "&":
			return valueSpan{0, max(x.most, y.most)}, positive
		}
	}
	return s, false
}
