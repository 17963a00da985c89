package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads parameters of functions, and writes them in C: references are pointers where a function may set what they refer to, or values.

// A cxxParam is a parameter of a function: tokens[from:to].
type cxxParam struct {
	from, to  int
	reference int // its &, -1: it is a value
	name      string
	array     bool // T (&name)[n]
	constant  bool
	typ       string // one word, or ""
	vector    bool
	moved     bool // T &&
	value     int  // the = before what it is where a call leaves it out, 0: it must be given
}

// parameters returns the parameters between the parentheses at open.
func (c *cxxFile) parameters(open int) (ps []cxxParam) {
	from := open + 1
	depth := 0
	for j := open + 1; j <= c.match[open]; j++ {
		switch {
		case c.is(j, "<"):
			depth++
		case c.is(j, ">"):
			depth--
		case j < c.match[open] && (c.is(j, "(") || c.is(j, "[") || c.is(j, "{")):
			j = c.match[j]
		case depth == 0 && (c.is(j, ",") || j == c.match[open]):
			if from < j {
				ps = append(ps, c.parameter(from, j))
			}
			from = j + 1
		}
	}
	return ps
}

func (c *cxxFile) parameter(from, to int) cxxParam {
	p := cxxParam{from: from, to: to, reference: -1}
	for j := from; j < to; j++ {
		switch {
		case c.is(j, "="):
			p.value, j = j, to
		case c.isWord(j, "const", "std", "unsigned", "signed", "struct"), c.isWord(j) && c.is(j+1, "::") && c.spaces[c.toks[j].s]:
			p.constant = p.constant || c.isWord(j, "const")
		case c.is(j, "&") && p.reference < 0:
			p.reference, p.array = j, c.is(j-1, "(")
		case c.is(j, "&&"):
			p.moved = true
		case c.isWord(j, "unique_ptr", "shared_ptr") && c.isSmart(j):
			p.typ = c.toks[j].s
			j = c.angle(j + 1)
		case c.isWord(j, "vector", "unique_ptr"):
			p.vector = true
		case c.isWord(j) && p.typ == "" && c.vectorTypes[c.toks[j].s].in != nil:
			p.vector, p.typ = true, c.toks[j].s
		case c.isWord(j) && p.typ == "":
			p.typ = c.toks[j].s
		case c.isWord(j):
			p.name = c.toks[j].s
		}
	}
	return p
}

// parens returns where the parameters of a function open.
func (c *cxxFile) parens(it cxxItem) int {
	if it.open > 0 {
		return it.open
	}
	for j := it.from; j < it.body; j++ {
		if c.is(j, "(") && c.isWord(j-1) && slices.Contains(it.names, c.toks[j-1].s) {
			return j
		}
	}
	return it.body
}

// changes reports whether the function it has a parameter by which it may change what a reference to typ refers to.
func (c *cxxFile) changes(it cxxItem, typ string) bool {
	return slices.ContainsFunc(c.parameters(c.parens(it)), func(p cxxParam) bool {
		if p.constant {
			return false
		}
		pointer := p.reference >= 0 || p.vector
		for j := p.from; j < p.to; j++ {
			pointer = pointer || c.is(j, "*") || c.is(j, "[")
		}
		return pointer && (p.typ == typ || c.records[p.typ] || c.records[typ] || c.shapes[typ] != nil || c.shapes[p.typ] != nil)
	})
}

// findReferences notes which parameters of a function are references that become pointers.
func (c *cxxFile) findReferences(it cxxItem) {
	if found := c.referencesOf(it); len(found) > 0 {
		c.references[it.names[0]] = append(c.references[it.names[0]], found...)
	}
}

// referencesOf returns the parameters of a function that are references that become pointers.
func (c *cxxFile) referencesOf(it cxxItem) (found []cxxReference) {
	if it.keep != cxxAll || c.around(it) || c.parens(it) == it.body {
		return nil
	}
	for k, p := range c.parameters(c.parens(it)) {
		t, _ := c.typeAt(p.from)
		if p.reference < 0 || p.array || p.vector || p.constant && (!t.hasMethods() || t.shape.isValue()) && !c.changes(it, p.typ) || it.open > 0 {
			continue
		}
		r := cxxReference{index: k, name: p.name, constant: p.constant}
		if p.constant && t.pointers == 0 && t.elem == nil && slices.Contains(cxxNumbers, strings.Fields(t.text + " ?")[0]) {
			r.number = t.text
		}
		found = append(found, r)
	}
	return found
}

// parameterIn rewrites parameter p of function it.
func (c *cxxFile) parameterIn(p cxxParam, around bool, pointers map[string]bool, it cxxItem) {
	end := p.to
	if c.passedParameter(p) {
		return
	}
	if p.value > 0 {
		c.edit(p.value, p.to, "")
		end = p.value
	}
	if t, ok := c.typeAt(p.from); ok && t.smart && p.name != "" {
		stars := "*"
		if pointers[p.name] && !around {
			stars = "**"
		}
		c.edit(p.from, end, t.text+" "+stars+p.name)
		return
	}
	switch {
	case p.vector && p.reference >= 0:
		t, ok := c.typeAt(p.from)
		if !ok || !around && c.isExchanged(cxxLambda{from: it.body, to: it.to}, p.name) { // which a pointer that is a value in C would keep for itself
			return
		}
		if _, rest, nested := strings.Cut(t.dims, "]"); nested && rest != "" && t.elem.shape == nil { // an array of arrays
			c.edit(p.from, end, t.text+" "+strings.Repeat("*", t.pointers)+"(*"+p.name+")"+rest)
			return
		}
		elem := t.elem.inC()
		if p.constant && !t.isRows() { // in C no const T ** is a T **
			elem = "const " + elem
		}
		c.edit(p.from, end, elem+" *"+p.name)
		c.vectors[p.name], c.ownedAt[c.toks[p.from].from] = true, true
		return
	case p.array:
		c.edit(p.reference-1, p.reference, "")
		c.edit(p.reference, p.reference+1, "")
		c.edit(c.match[p.reference-1], c.match[p.reference-1]+1, "")
	case p.reference >= 0 && around && c.assigned(it, p.name):
		c.edit(p.reference, p.reference+1, "*")
		pointers[p.name] = true
	case p.reference >= 0 && around && c.byValue(it, p):
		c.edit(p.reference, p.reference+1, "")
	case p.reference >= 0 && around && c.isObjectType(p):
		c.refusals = append(c.refusals, cxxRefusal{c.toks[p.reference].from, c.toks[p.to-1].to,
			fmt.Sprintf("the function sets a number in an object, and '%s' may be the same object as another", p.name),
			"of objects that are references, the arrays that they lead to may be set, and tests tell whether they are the same", "keep the number in a variable of its own"})
	case p.reference >= 0 && around && !c.records[p.typ]:
		c.edit(p.reference, p.reference+1, "")
		for j := p.reference; j < p.to; j++ {
			if c.isWord(j) && c.toks[j].s == p.name {
				c.snapshots = append(c.snapshots, c.toks[j])
			}
		}
	case p.reference >= 0 && around && c.alone(it, p.typ):
		c.edit(p.reference, p.reference+1, "")
	case p.reference >= 0 && around: // two structs that may be one: no C
	case p.reference >= 0 && pointers[p.name]:
		c.edit(p.reference, p.reference+1, "*")
	case p.reference >= 0:
		c.edit(p.reference, p.reference+1, "")
	}
	c.rewrite(p.from, end, true)
}

// byValue reports whether parameter p of the function it, around a region, is a reference to an object, which stands for itself in C: two may be one, as what
// the region does with the arrays that they lead to tells, but no number in them is set.
func (c *cxxFile) byValue(it cxxItem, p cxxParam) bool {
	t, ok := c.typeAt(p.from)
	if !ok || t.shape == nil && !c.records[t.text] || t.pointers > 0 || t.elem != nil {
		return false
	}
	for j := it.body; j < it.to; j++ {
		if (c.is(j-1, ".") || c.is(j-1, "->")) && c.isWord(j) && (c.isAssignment(j+1) || c.is(j+1, "++") || c.is(j+1, "--")) && !c.lacks(t.shape, c.toks[j].s) {
			return false
		}
	}
	return true
}

// lacks reports whether neither s nor what it is made of has a member called name.
func (c *cxxFile) lacks(s *cxxShape, name string) bool {
	if s == nil || s.def.field(name) != nil {
		return false
	}
	for i := range s.def.fields {
		t, ok := s.typeOf(&s.def.fields[i])
		if elem := t.elem; ok && elem != nil {
			t = *elem
		}
		if !ok || t.shape != nil || t.elem != nil || !slices.Contains(cxxNumbers, strings.Fields(t.text + " ?")[0]) {
			return false
		}
	}
	return true
}

// isObjectType reports whether p is of a class with methods.
func (c *cxxFile) isObjectType(p cxxParam) bool {
	t, ok := c.typeAt(p.from)
	return ok && t.shape != nil && t.pointers == 0 && t.elem == nil
}

// alone reports whether only one parameter of it is a reference to typ.
func (c *cxxFile) alone(it cxxItem, typ string) bool {
	n := 0
	for _, p := range c.parameters(c.parens(it)) {
		if p.typ == typ {
			n++
		}
	}
	return n == 1
}

// assigned reports whether the body of a function sets name.
func (c *cxxFile) assigned(it cxxItem, name string) bool {
	for j := it.body; j < it.to; j++ {
		if c.isWord(j, name) && (c.isAssignment(j+1) || c.is(j+1, "++") || c.is(j+1, "--") || c.is(j-1, "++") || c.is(j-1, "--")) {
			return true
		}
	}
	return false
}
