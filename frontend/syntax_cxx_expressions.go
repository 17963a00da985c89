package frontend

import "slices"

// This file reads expressions of C++ by their operators, as far as it takes to tell which of their operands are objects of classes.

// A cxxExpr is an expression: tokens[from:to]. One without an operator is an operand as it stands, which may hold others in its brackets.
type cxxExpr struct {
	from, to int
	op       string // between its parts, or in front of one; "" of an operand, "?" of a condition
	at       int    // where that stands
	parts    []*cxxExpr
	t        cxxType     // its type, a number of no known type, or what is not known at all
	calls    cxxOperator // what the operator is, where it is one of a class
}

// cxxLevels are the binary operators, from those that bind least to those that bind most.
var cxxLevels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// expression reads the expression that token i begins and that ends at token to at the latest, without commas; nil if it is none that is read.
func (c *cxxFile) expression(i, to int) *cxxExpr {
	x := c.binaryAt(i, to, 0)
	switch {
	case x == nil || x.to >= to:
		return x
	case c.is(x.to, "?"):
		y := c.expression(x.to+1, to)
		if y == nil || !c.is(y.to, ":") {
			return nil
		}
		z := c.expression(y.to+1, to)
		if z == nil {
			return nil
		}
		return &cxxExpr{from: i, to: z.to, op: "?", at: x.to, parts: []*cxxExpr{x, y, z}, t: y.t}
	case c.isAssignment(x.to):
		if c.is(x.to+1, "{") { // u[i] = {h, hu};
			return x
		}
		y := c.expression(x.to+1, to)
		if y == nil {
			return nil
		}
		return c.operated(&cxxExpr{from: i, to: y.to, op: c.toks[x.to].s, at: x.to, parts: []*cxxExpr{x, y}, t: x.t})
	}
	return x
}

// binaryAt reads operands and those operators between them that bind as much as level says, or more.
func (c *cxxFile) binaryAt(i, to, level int) *cxxExpr {
	if level == len(cxxLevels) {
		return c.unaryAt(i, to)
	}
	x := c.binaryAt(i, to, level+1)
	for x != nil && x.to < to && c.toks[x.to].kind == cxxPunct && slices.Contains(cxxLevels[level], c.toks[x.to].s) {
		if c.is(x.to, ">") && c.is(x.to+1, ">") { // a shift
			return nil
		}
		y := c.binaryAt(x.to+1, to, level+1)
		if y == nil {
			return nil
		}
		x = c.operated(&cxxExpr{from: i, to: y.to, op: c.toks[x.to].s, at: x.to, parts: []*cxxExpr{x, y}})
	}
	return x
}

// unaryAt reads an operand with what stands in front of it.
func (c *cxxFile) unaryAt(i, to int) *cxxExpr {
	switch {
	case i >= to:
		return nil
	case c.toks[i].kind == cxxPunct && slices.Contains([]string{"-", "+", "!", "~", "*", "&", "++", "--"}, c.toks[i].s):
		if c.is(i, "*") && c.isWord(i+1, "this") && c.self != nil {
			return &cxxExpr{from: i, to: i + 2, t: cxxType{text: c.self.cname, shape: c.self, constant: c.unchanged}}
		}
		x := c.unaryAt(i+1, to)
		if x == nil {
			return nil
		}
		u := &cxxExpr{from: i, to: x.to, op: c.toks[i].s, at: i, parts: []*cxxExpr{x}}
		if u.op == "*" && x.t.pointers > 0 {
			u.t = x.t
			u.t.pointers--
		}
		return c.operated(u)
	case c.is(i, "("):
		if t, ok := c.typeAt(i + 1); ok && t.end == c.match[i] { // (T)x
			x := c.unaryAt(t.end+1, to)
			if x == nil {
				return nil
			}
			return &cxxExpr{from: i, to: x.to, t: t}
		}
	}
	return c.operandOf(i, to)
}

// operandOf reads the operand at token i, which has nothing in front of it; nil if it is none that is read.
func (c *cxxFile) operandOf(i, to int) *cxxExpr {
	end, t := c.rootAt(i, to)
	x := &cxxExpr{from: i}
	whole := end // of what x is so far
	for end > i && end < to {
		switch {
		case (c.is(end, ".") || c.is(end, "->")) && c.isWord(end+1):
			name := end + 1
			if c.is(end+2, "(") {
				if m := c.methodOn(t, name); m != nil && c.is(end, ".") && whole == end && t.shape.byValue(m) {
					x.to, x.t = end, t
					x = &cxxExpr{from: i, op: ".", at: end, parts: []*cxxExpr{x}, calls: cxxOperator{shape: t.shape, method: m}}
					whole = c.match[end+2] + 1
				}
				t, end = c.resultOn(t, name), c.match[end+2]+1
				continue
			}
			t, end = c.memberOn(t, name), end+2
		case c.is(end, "["):
			switch {
			case t.elem != nil:
				t = *t.elem
			case t.pointers > 0:
				t.pointers--
			default:
				t = cxxType{}
			}
			end = c.match[end] + 1
		case c.is(end, "("):
			t, end = cxxType{}, c.match[end]+1
		case c.is(end, "++") || c.is(end, "--"):
			t, end = cxxType{}, end+1
		default:
			to = end
		}
	}
	if end <= i {
		return nil
	}
	if x.to, x.t = end, t; x.op != "" && whole < end { // a member of what a method returns
		x.to = whole
		return &cxxExpr{from: i, to: end, op: "member", at: whole, parts: []*cxxExpr{x}, t: t}
	}
	return x
}

// rootAt returns the end of what the operand at token i begins with, and its type.
func (c *cxxFile) rootAt(i, to int) (end int, t cxxType) {
	switch {
	case c.toks[i].kind == cxxNumber:
		return i + 1, cxxType{text: literalNumber(c.toks[i].s)}
	case c.toks[i].kind == cxxString:
		return i + 1, t
	case c.is(i, "("):
		if x := c.expression(i+1, c.match[i]); x != nil && x.to == c.match[i] {
			t = x.t
		}
		return c.match[i] + 1, t
	case !c.isWord(i) || c.isWord(i, "new", "delete", "throw", "return", "if", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "else", "using", "typedef"):
		return -1, t
	case c.isWord(i, "static_cast", "const_cast", "reinterpret_cast", "dynamic_cast") && c.is(i+1, "<") && c.angle(i+1) > 0 && c.is(c.angle(i+1)+1, "("):
		t, _ = c.typeAt(i + 2)
		return c.match[c.angle(i+1)+1] + 1, t
	}
	if t, ok := c.typeAt(i); ok && !t.reference && (c.is(t.end, "(") || c.is(t.end, "{")) && c.declares(i) < 0 {
		return c.match[t.end] + 1, t
	}
	if c.isWord(i, "std") && c.is(i+1, "::") && c.is(i+3, "(") {
		return c.match[i+3] + 1, cxxType{text: c.libraryNumber(i+2, true)}
	}
	for c.isWord(i) && c.is(i+1, "::") && c.spaces[c.toks[i].s] {
		i += 2
	}
	if !c.isWord(i) {
		return -1, t
	}
	if c.templates[c.toks[i].s] != nil && (c.is(i+1, "(") || c.is(i+1, "<")) {
		return c.ofInstance(i)
	}
	if l, ok := c.lambdaOf(i); ok && c.is(i+1, "(") {
		t = l.result
		if t.text == "" && !l.several {
			if x := c.expression(l.from, l.to); x != nil && x.to == l.to {
				t = x.t
			}
		}
		return c.match[i+1] + 1, t
	}
	if c.substitute[c.toks[i].s] == "" && !c.mayHide(i) {
		list, end, t, _ := c.links(i)
		if end > i && (len(list) > 0 || !c.is(end, "(")) {
			if end == i+1 && t.text == "" {
				if at := c.declaredAt(c.toks[i].s, i); at >= 0 {
					t = c.typeOfMade(at)
				}
			}
			return end, t
		}
	}
	switch {
	case c.is(i+1, "("):
		return c.match[i+1] + 1, c.functionResult(i)
	case c.is(i+1, "<") && c.angle(i+1) > 0 && c.is(c.angle(i+1)+1, "("):
		return c.angle(i+1) + 1, t
	}
	if t, at, _ := c.variableAt(i); at >= 0 { // a reference that stands for something else
		t.reference = false
		return i + 1, t
	}
	return i + 1, t
}

// ofInstance returns the end of the call, or of the name, of a template of functions at token i, and the type of what it returns.
func (c *cxxFile) ofInstance(i int) (end int, t cxxType) {
	name, open, ok := c.instance(i)
	if !ok {
		if end = i + 1; c.is(end, "<") && c.angle(end) > 0 {
			end = c.angle(end) + 1
		}
		if c.is(end, "(") {
			end = c.match[end] + 1
		}
		return end, t
	}
	made := c.templates[c.toks[i].s]
	for _, m := range *made.made {
		if m.name == name {
			t, _ = made.item.in.with(made, m.args).typeAt(made.head)
		}
	}
	return c.match[open] + 1, t
}

// functionResult returns the type of what the function that token i names returns, without text if that is not known.
func (c *cxxFile) functionResult(i int) (t cxxType) {
	name, found := c.toks[i].s, 0
	if c.isLocal(c.declaredAt(name, i)) {
		return t
	}
	for _, of := range append([]*cxxFile{c}, c.beside...) {
		for _, it := range of.items {
			if !slices.Contains(it.names, name) {
				continue
			}
			found++
			if u, ok := of.typeAt(it.from); ok && it.kind == cxxPlain {
				t = u
			}
		}
	}
	if found == 0 {
		t.text = c.libraryNumber(i, false)
	}
	if found > 1 {
		return cxxType{}
	}
	return t
}

// memberOn returns the type of the member that token i names, of an object of type t, without text if it is not known.
func (c *cxxFile) memberOn(t cxxType, i int) cxxType {
	if t.shape == nil || t.elem != nil {
		u, _ := c.memberNumber(t, i-1)
		if c.records[t.text] && u.text == t.text {
			return cxxType{}
		}
		return u
	}
	if f := t.shape.def.field(c.toks[i].s); f != nil {
		if u, ok := t.shape.typeOf(f); ok {
			return u
		}
	}
	return cxxType{}
}

// resultOn returns the type of what the method that token i names returns of an object of type t, without text if it is not known.
func (c *cxxFile) resultOn(t cxxType, i int) cxxType {
	if m := c.methodOn(t, i); m != nil {
		return c.result(t.shape, m)
	}
	return cxxType{}
}

// methodOn returns the method that token i names, of an object of type t, nil if it is not known.
func (c *cxxFile) methodOn(t cxxType, i int) *cxxMethod {
	if t.shape == nil || t.elem != nil || t.pointers > 0 {
		return nil
	}
	m, _ := t.shape.method(c.toks[i].s, len(c.arguments(i+1)), t.constant)
	return m
}

// isObject reports whether t is a class or a struct.
func (c *cxxFile) isObject(t cxxType) bool {
	return t.elem == nil && t.pointers == 0 && (t.shape != nil || c.records[t.text])
}
