package frontend

import "strings"

// This file follows what is done with an object on the way to a value, member by member and call by call: g.level(k)(i, j), s.u.at(i), Model::rate(x).

// A cxxLink is what is called of an object on the way to a value.
type cxxLink struct {
	shape    *cxxShape
	method   *cxxMethod
	from     int  // the first token that stands for the name of the method, or its bracket
	open     int  // of its arguments
	pointer  bool // the object is given by its address
	implicit bool // it is a method of the object whose method we are in
	library  string
}

// links follows what token i begins, and returns what is called of objects on the way, the end, and the type of what is found. implicit says that
// this-> is to stand in front.
func (c *cxxFile) links(i int) (list []cxxLink, end int, t cxxType, implicit bool) {
	j := i + 1
	from := -1
	switch {
	case c.is(i, "(") && c.is(i+1, "*") && c.isWord(i+2) && c.match[i] == i+3:
		if c.isWord(i+2, "this") && c.self != nil {
			t = cxxType{shape: c.self, constant: c.unchanged}
		} else if t, from, _ = c.variableAt(i + 2); from < 0 || t.pointers == 0 {
			return nil, i, t, false
		} else {
			t.pointers--
		}
		j = i + 4
	case c.is(i, "(") && c.is(i+1, "*"): // (*s.now)(i, j)
		var end int
		if t, end = c.objectBehind(i + 1); end != c.match[i] {
			return nil, i, t, false
		}
		j = end + 1
	case c.isWord(i, "this") && c.self != nil:
		t = cxxType{shape: c.self, pointers: 1, constant: c.unchanged}
	case c.isWord(i) && c.isClass(i) && c.ofStatic(i).method != nil:
		call := c.ofStatic(i)
		list = append(list, call)
		t, j = c.result(call.shape, call.method), c.match[call.open]+1
	case c.isWord(i):
		t, from, implicit = c.variableAt(i)
		if from >= 0 {
			break
		}
		if c.self == nil || !c.is(i+1, "(") {
			return nil, i, t, false
		}
		m, _ := c.self.method(c.toks[i].s, len(c.arguments(i+1)), c.unchanged)
		if m == nil {
			return nil, i, t, false
		}
		list = append(list, cxxLink{shape: c.self, method: m, from: i, open: i + 1, implicit: true})
		t, j = c.result(c.self, m), c.match[i+1]+1
	default:
		return nil, i, t, false
	}
	for {
		object := t.shape != nil && t.elem == nil
		call := cxxLink{shape: t.shape, from: j, pointer: t.pointers > 0}
		name := ""
		switch {
		case object && (t.pointers == 0 && c.is(j, ".") || t.pointers == 1 && c.is(j, "->")) && c.isWord(j+1):
			if f := t.shape.def.field(c.toks[j+1].s); f != nil {
				u, ok := t.shape.typeOf(f)
				if !ok {
					return list, j, t, implicit
				}
				u.constant = u.constant || t.constant && u.pointers == 0
				t, j = u, j+2
				continue
			}
			name, call.open = c.toks[j+1].s, j+2
		case object && t.pointers == 0 && c.is(j, "("):
			name, call.open = "call", j
		case object && t.pointers == 0 && c.is(j, "["):
			name, call.open = "element", j
		case t.elem != nil && t.dims == "" && c.is(j, ".") && c.isWord(j+1, "data", "get") && c.is(j+2, "(") && c.match[j+2] == j+3:
			list = append(list, cxxLink{from: j, open: j + 2, library: "data"})
			t = cxxType{text: t.text, shape: t.elem.shape, pointers: t.elem.pointers + 1}
			j += 4
			continue
		case t.elem != nil && t.dims == "" && c.is(j, ".") && c.isWord(j+1, "size") && c.is(j+2, "(") && c.match[j+2] == j+3:
			list = append(list, cxxLink{from: j, open: j + 2, library: "size"})
			return list, j + 4, cxxType{text: "unsigned long"}, implicit
		case t.elem != nil && t.dims == "" && c.is(j, ".") && c.isWord(j+1, "swap") && c.is(j+2, "("):
			return append(list, cxxLink{from: j, open: j + 2, library: "swap"}), c.match[j+2] + 1, cxxType{}, implicit
		case t.elem != nil && t.elem.elem == nil && strings.Contains(t.dims, "][") && c.is(j, "["): // of several dimensions
			t.dims = t.dims[strings.Index(t.dims, "][")+1:]
			j = c.match[j] + 1
			continue
		case t.elem != nil && c.is(j, "["):
			constant := t.constant
			t, j = *t.elem, c.match[j]+1
			t.constant = t.constant || constant && t.pointers == 0
			continue
		case t.smart && c.is(j, ".") && c.isWord(j+1, "get") && c.is(j+2, "(") && c.match[j+2] == j+3:
			list = append(list, cxxLink{from: j, open: j + 2, library: "data"})
			t.smart = false
			j += 4
			continue
		case t.smart && c.is(j, ".") && c.isWord(j+1, "swap") && c.is(j+2, "("):
			return append(list, cxxLink{from: j, open: j + 2, library: "swap"}), c.match[j+2] + 1, cxxType{}, implicit
		case t.pointers > 0 && c.is(j, "["):
			t.pointers--
			j = c.match[j] + 1
			continue
		}
		if name == "" || !c.is(call.open, "(") && !c.is(call.open, "[") {
			return list, j, t, implicit
		}
		if call.method, _ = t.shape.method(name, len(c.arguments(call.open)), t.constant); call.method == nil || call.method.static && len(list) > 0 {
			return list, j, t, implicit
		}
		if call.method.static { // the object is not needed
			call.from, call.implicit, implicit = i, true, false
		}
		list = append(list, call)
		t, j = c.result(t.shape, call.method), c.match[call.open]+1
	}
}

// ofStatic returns the call of a static method that token i, a class, begins, as in Model::rate(x); its method is nil if it begins none.
func (c *cxxFile) ofStatic(i int) (call cxxLink) {
	s, end := c.self, i+1
	if s == nil || s.def.name != c.toks[i].s || c.is(i+1, "<") {
		s, end = c.shapeAt(i)
	}
	if s == nil || !c.is(end, "::") || !c.isWord(end+1) || !c.is(end+2, "(") {
		return call
	}
	if m, _ := s.method(c.toks[end+1].s, len(c.arguments(end+2)), false); m != nil && m.static {
		return cxxLink{shape: s, method: m, from: i, open: end + 2, implicit: true}
	}
	return call
}

// result returns the type of what method m of s returns.
func (c *cxxFile) result(s *cxxShape, m *cxxMethod) cxxType {
	in := s.def.in.of(s, m)
	t, ok := in.typeAt(in.resultOf(m))
	if !ok {
		return cxxType{}
	}
	return t
}
