package randc

import (
	"fmt"
	"slices"
	"strings"
)

// nest returns a nest that stores to one array what it computes of another: of elements
// near to the point, or, unless reach is set, of the point alone.
func (w *wide) nest(dims int, target, source wideArray, reach bool) *node {
	w.loops = nil
	text := ""
	periodic := make([]bool, dims)
	w.parts.around = w.one(2)
	at := w.rng.IntN(dims + 1) // where the loop over components stands
	for d := range dims {
		if d == at && w.parts.around {
			text += w.loopOverParts("    ")
		}
		i := w.id(string(rune('i' + d)))
		w.loops = append(w.loops, i)
		low, high := fmt.Sprint(w.reach), fmt.Sprintf("%s - %d", w.extents[d], w.reach)
		if w.features[Wrapping] && (w.numeric[d] > 0 || w.one(4)) {
			periodic[d] = true
			low, high = "0", w.extents[d]
			if w.numeric[d] == 0 {
				w.allow("HX101") // a remainder by a parameter
			}
		}
		if w.features[Split] && w.one(2) && !periodic[d] {
			low, high = "0", w.extents[d]
			text += fmt.Sprintf("    for (int %[1]s = %[2]s; %[1]s < %[3]s; %[1]s++)\n", i, low, high)
			continue
		}
		if d > 0 && !periodic[d] && w.one(10) {
			text += fmt.Sprintf("    for (int %[1]s = %[2]s - 1; %[1]s >= %[3]s; %[1]s--)\n", i, high, low)
			continue
		}
		text += fmt.Sprintf("    for (int %[1]s = %[2]s; %[1]s < %[3]s; %[1]s++)\n", i, low, high)
	}
	if at == dims && w.parts.around {
		text += w.loopOverParts("    ")
	}
	return &node{fixed, escape(text) + "    {\n%s    }\n", []*node{w.body(target, source, reach, periodic)}}
}

// loopOverParts returns the head of the loop over components, "" if there are none.
func (w *wide) loopOverParts(indent string) string {
	if w.parts.count == 0 {
		return ""
	}
	q := w.parts.iterator
	if w.one(4) {
		return fmt.Sprintf("%sfor (int %[2]s = %[3]d; %[2]s >= 0; %[2]s--)\n", indent, q, w.parts.count-1)
	}
	return fmt.Sprintf("%sfor (int %[2]s = 0; %[2]s < %[3]d; %[2]s++)\n", indent, q, w.parts.count)
}

// part returns the subscript of a component: that of the loop, or another one to be read.
func (w *wide) part(write bool) string {
	q := w.parts.iterator
	if write {
		return q
	}
	switch w.rng.IntN(5) {
	case 0:
		return fmt.Sprintf("(%s + %d) %% %d", q, 1+w.rng.IntN(3), w.parts.count)
	case 1:
		return fmt.Sprintf("%d - %s", w.parts.count-1, q)
	case 2:
		return fmt.Sprint(w.rng.IntN(w.parts.count))
	}
	return q
}

// body returns the statements of a nest.
func (w *wide) body(target, source wideArray, reach bool, periodic []bool) *node {
	store := func(deep bool) *node {
		head := ""
		if !w.parts.around {
			head = w.loopOverParts("      ")
		}
		return &node{fixed, escape(head+"      "+w.place(target, true, nil, periodic)) + " = %s;\n", []*node{w.sum(target, source, reach && deep, periodic)}}
	}
	if !w.features[Split] {
		all := []*node{store(true)}
		if w.features[Narrow] && w.one(3) && (w.parts.count == 0 || w.parts.around) {
			all = append([]*node{w.narrowLocal(source, periodic)}, all...)
			w.locals = nil
		}
		return &node{list, "", all}
	}
	// Where the loops reach the border, reads near to the point are guarded.
	var inside, border []string
	for d, i := range w.loops {
		if !periodic[d] {
			inside = append(inside, fmt.Sprintf("%[1]s >= %[2]d && %[1]s < %[3]s - %[2]d", i, w.reach, w.extents[d]))
			border = append(border, fmt.Sprintf("%[1]s < %[2]d || %[1]s >= %[3]s - %[2]d", i, w.reach, w.extents[d]))
		}
	}
	if inside == nil {
		inside, border = []string{w.loops[0] + " < 5"}, []string{w.loops[0] + " >= 5"}
	}
	w.allow("HX116")
	w.allow("HX105")
	if w.one(2) {
		return &node{fixed, "      if (" + escape(strings.Join(inside, " && ")) + ")\n  %s      else\n  %s", []*node{store(true), store(false)}}
	}
	then := &node{fixed, "      if (" + escape(strings.Join(border, " || ")) + ")\n  %s", []*node{store(false)}}
	if w.one(3) {
		return &node{fixed, "%s      else\n  %s", []*node{then, store(true)}}
	}
	return &node{fixed, "%s      if (" + escape(strings.Join(inside, " && ")) + ") {\n  %s      }\n", []*node{then, store(true)}}
}

// narrowLocal declares a local of a narrow type.
func (w *wide) narrowLocal(source wideArray, periodic []bool) *node {
	w.count++
	name := fmt.Sprintf("x%d", w.count)
	typ := w.pick("short", "unsigned char", "signed char", "uint16_t")
	n := &node{fixed, fmt.Sprintf("      %[1]s %[2]s = (%[1]s)(%%s);\n", typ, name), []*node{w.whole(source, periodic)}}
	w.locals = append(w.locals, local{name, whole})
	return n
}

// whole returns an integer: floating numbers are cut to few values first, which every integer holds.
func (w *wide) whole(source wideArray, periodic []bool) *node {
	at := w.place(source, false, w.near(false), periodic)
	if !source.whole {
		return leaf(floating, "(%s > 0) + (%s > 1)", at, w.id("alpha"))
	}
	return leaf(whole, "%s + %s", at, w.id("c"))
}

// sum returns a sum over elements of source near to the point, which an element of target can hold.
func (w *wide) sum(target, source wideArray, reach bool, periodic []bool) *node {
	terms := 1
	if reach {
		terms = 2 + w.rng.IntN(4)
	}
	var texts []string
	for range terms {
		text := w.place(source, false, w.near(reach), periodic)
		switch w.rng.IntN(6) {
		case 0:
			text = fmt.Sprintf("%s * %s", w.coefficient(source.whole), text)
		case 1:
			if source.whole {
				text = fmt.Sprintf("(%s %s %s)", text, w.pick("&", "|", "^", "-"), w.pick("13", "255", w.id("c")))
			}
		case 2:
			if w.features[Modulo] && w.wholeTable() == source.whole {
				text = fmt.Sprintf("%s * %s", w.table(), text)
			}
		case 3:
			if w.features[Narrow] && source.whole {
				text = fmt.Sprintf("(%s)%s", w.pick("short", "unsigned char", "signed char"), text)
			}
		}
		if len(w.locals) > 0 && w.one(2) {
			text += " + " + w.locals[0].name
		}
		texts = append(texts, text)
	}
	value := texts[0]
	for _, t := range texts[1:] {
		value += w.pick(" + ", " + ", " - ") + t
	}
	if !source.whole {
		value = w.pick("0.25f", "0.2f", "0.5") + " * (" + value + ")"
		if target.whole { // a number that is too large has no meaning as an integer
			value += " > 0.5f"
		}
	}
	return leaf(fixed, "%s", value)
}

func (w *wide) coefficient(whole bool) string {
	if whole {
		return w.pick("2", "3", "-1", w.id("c"))
	}
	return w.pick("0.5f", "2", w.id("alpha"), "0.1")
}

// wholeTable reports whether the table has integers: where any array has.
func (w *wide) wholeTable() bool {
	return slices.ContainsFunc(w.fields, func(a wideArray) bool { return a.whole })
}

// table returns an element of a table of few numbers, by a remainder in its only dimension.
func (w *wide) table() string {
	if w.helpers == nil {
		typ := "float"
		if w.wholeTable() {
			typ = "int"
		}
		w.helpers = []string{fmt.Sprintf("const %s %s[restrict %d]", typ, w.id("tab"), largestTable)}
	}
	i := w.loops[w.rng.IntN(len(w.loops))]
	return fmt.Sprintf("%s[(%s + %d) %% %d]", w.id("tab"), i, w.rng.IntN(5), 2+w.rng.IntN(largestTable-1))
}

// near returns offsets by dimension, at most reach away.
func (w *wide) near(reach bool) []int {
	offsets := make([]int, len(w.loops))
	if reach {
		d := w.rng.IntN(len(offsets))
		offsets[d] = w.rng.IntN(2*w.reach+1) - w.reach
		if w.one(4) {
			d = w.rng.IntN(len(offsets))
			offsets[d] = w.rng.IntN(2*w.reach+1) - w.reach
		}
	}
	return offsets
}

// place returns an element of a: the one of the point, or with offsets.
func (w *wide) place(a wideArray, write bool, offsets []int, periodic []bool) string {
	subs := make([]string, len(w.loops))
	for d, i := range w.loops {
		off := 0
		if offsets != nil {
			off = offsets[d]
		}
		switch {
		case periodic[d] && off > 0:
			subs[d] = fmt.Sprintf("(%s + %d) %% %s", i, off, w.extents[d])
		case periodic[d] && off < 0 && w.numeric[d] > 0 && w.one(2):
			subs[d] = fmt.Sprintf("(%s + %d) %% %s", i, w.numeric[d]+int64(off), w.extents[d])
		case periodic[d] && off < 0:
			subs[d] = fmt.Sprintf("(%[1]s + %[2]s - %[3]d) %% %[2]s", i, w.extents[d], -off)
			w.allow("HX101")
		case w.features[Modulo] && !write && w.numeric[d] > 0 && off > 0:
			subs[d] = fmt.Sprintf("(%s + %d) %% %s", i, off, w.extents[d])
		case off > 0:
			subs[d] = fmt.Sprintf("%s + %d", i, off)
		case off < 0:
			subs[d] = fmt.Sprintf("%s - %d", i, -off)
		default:
			subs[d] = i
		}
	}
	sizes := w.extents
	if w.parts.count > 0 {
		subs = slices.Insert(subs, w.parts.place, w.part(write))
		sizes = slices.Insert(slices.Clone(sizes), w.parts.place, fmt.Sprint(w.parts.count))
	}
	plane := ""
	if a.planes > 0 {
		t := w.id("t")
		plane = fmt.Sprintf("%s %% %d", t, a.planes)
		if write {
			plane = fmt.Sprintf("(%s + 1) %% %d", t, a.planes)
		}
	}
	if a.form == flat {
		w.allow("HX109")
		w.allow("HX101")
		w.allow("HX119")
		text := ""
		if plane != "" {
			text = "(" + plane + ")"
		}
		for d, s := range subs {
			if text == "" {
				text = "(" + s + ")"
			} else {
				text = fmt.Sprintf("(%s) * %s + %s", text, sizes[d], parenthesised(s))
			}
		}
		return a.name + "[" + text + "]"
	}
	text := a.name
	if a.form == member {
		text = w.name + "_s." + a.name
	}
	if plane != "" {
		text += "[" + plane + "]"
	}
	text += "[" + strings.Join(subs, "][") + "]"
	if a.form == elements {
		text += ".v"
	}
	return text
}

// parenthesised returns s so that + may stand before it.
func parenthesised(s string) string {
	if strings.Contains(s, "%") {
		return "(" + s + ")"
	}
	return s
}
