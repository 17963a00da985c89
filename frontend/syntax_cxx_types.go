package frontend

import (
	"maps"
	"slices"
	"strings"
)

// This file reads types of C++ as far as C has them, and classes by name with what stands for the parameters of their templates.

// A cxxType is a type, as far as C has it.
type cxxType struct {
	text      string    // in C, without what follows
	shape     *cxxShape // of an object
	pointers  int
	dims      string   // of std::array, such as [9]
	elem      *cxxType // of what is a pointer to its elements in C: std::vector and std::unique_ptr<T[]>; or of an array
	reference bool
	constant  bool
	smart     bool // it is a pointer that owns its object
	end       int  // the token behind it
}

// hasMethods reports whether t is a class with methods.
func (t cxxType) hasMethods() bool {
	return t.shape != nil && t.elem == nil && t.pointers == 0 && slices.ContainsFunc(t.shape.def.methods, func(m cxxMethod) bool { return !m.makes && !m.isOperator() })
}

// isRows reports whether t is a vector of vectors of numbers.
func (t cxxType) isRows() bool {
	return t.elem != nil && t.dims == "" && t.elem.elem != nil && t.shape == nil && t.text != ""
}

// isVector reports whether t is a vector or the like, which is a pointer to its elements in C.
func (t cxxType) isVector() bool { return t.elem != nil && t.dims == "" }

// isVectors reports whether t is an array of vectors.
func (t cxxType) isVectors() bool { return t.dims != "" && t.elem.isVector() }

// inC returns t in C, a pointer for a reference.
func (t cxxType) inC() string {
	n := t.pointers
	if t.elem != nil && t.dims == "" {
		n++
	}
	return t.text + " " + strings.Repeat("*", n)
}

// typeAt reads the type at token i; ok is false if it is none that C has.
func (c *cxxFile) typeAt(i int) (t cxxType, ok bool) {
	j := i
	for c.isWord(j, "const", "constexpr", "static", "inline", "mutable", "volatile", "typename", "extern", "struct", "class") {
		t.constant = t.constant || c.isWord(j, "const", "constexpr")
		if c.isWord(j, "volatile") {
			return t, false
		}
		j++
	}
	std := c.opened["std"]
	for c.is(j, "::") || c.isWord(j) && c.is(j+1, "::") && c.spaces[c.toks[j].s] {
		if c.isWord(j) {
			std = c.isWord(j, "std")
			j++
		}
		j++
	}
	if !c.isWord(j) {
		return t, false
	}
	name := c.toks[j].s
	owner, behind := c.smartAt(j)
	switch {
	case std && behind > 0:
		t, j = owner, behind
		for c.isWord(j, "const") { // of the pointer
			j++
		}
	case std && c.isWord(j, "vector", "array", "unique_ptr") && c.is(j+1, "<"):
		end := c.angle(j + 1)
		elem, known := c.typeAt(j + 2)
		if end < 0 || !known || elem.text == "_Bool" || elem.reference {
			return t, false
		}
		if name != "array" && elem.dims != "" {
			if elem, known = c.elementType(elem); !known {
				return t, false
			}
		}
		t.text, t.elem = elem.text, &elem
		switch {
		case name == "array" && c.is(elem.end, ","):
			t.dims = "[" + c.counted(elem.end+1, end) + "]" + elem.dims
			if t.pointers = elem.pointers; elem.isVector() {
				t.pointers++
			}
		case name == "unique_ptr" && c.is(elem.end, "[") && c.is(elem.end+1, "]") && elem.end+2 == end, name == "vector" && elem.end == end:
			if elem.dims != "" || elem.elem != nil && (name != "vector" || elem.constant) {
				return t, false
			}
			if t.pointers = elem.pointers; elem.elem != nil { // a vector of rows, which are vectors
				t.pointers++
			}
		default:
			return t, false
		}
		j = end + 1
	case std && c.isWord(j, "span") && c.is(j+1, "<"): // a pointer, to what is const or not
		end := c.angle(j + 1)
		elem, known := c.typeAt(j + 2)
		if end < 0 || !known || elem.end != end || elem.elem != nil || elem.reference || elem.text == "_Bool" {
			return t, false
		}
		t = elem
		t.pointers++
		j = end + 1
	case c.substitute[name] != "" && c.types[name]:
		t.text = c.substitute[name]
		if s := c.shapeCalled(t.text); s != nil {
			t.shape = s
		}
		j++
	case c.self != nil && c.self.def.name == name && !c.is(j+1, "<"):
		t.shape, t.text = c.self, c.self.cname
		j++
	case c.isClass(j):
		s, end := c.shapeAt(j)
		if s == nil {
			return t, false
		}
		t.shape, t.text, j = s, s.cname, end
	case c.vectorTypes[name].in != nil:
		of := c.vectorTypes[name]
		in, end := of.in, j+1
		if len(of.params) > 0 {
			args, behind, given := c.argumentsOf(of.params, j)
			if !given {
				return t, false
			}
			in, end = in.putting(of.params, args), behind
		}
		u, known := in.typeAt(of.from)
		if !known {
			return t, false
		}
		u.constant = u.constant || t.constant
		t, j = u, end
	case c.types[name]:
		from := j
		for j++; c.isWord(j) && slices.Contains(cxxNumbers, c.toks[j].s); j++ {
		}
		for k := from; k < j; k++ {
			word := c.toks[k].s
			if as := cxxWords[word]; as != "" {
				word = as
			}
			t.text = strings.TrimLeft(t.text+" "+word, " ")
		}
	default:
		return t, false
	}
	for ; ; j++ {
		switch {
		case c.is(j, "*"):
			t.pointers++
		case c.isWord(j, "const"):
			t.constant = t.constant || t.pointers == 0
		case c.isWord(j, "restrict", "__restrict", "__restrict__"):
		case c.is(j, "&") || c.is(j, "&&"):
			t.reference = true
		default:
			t.end = j
			return t, true
		}
	}
}

// isClass reports whether token i is the name of a class or of a template of such, or another name of a class.
func (c *cxxFile) isClass(i int) bool {
	return c.isWord(i) && (c.shapes[c.toks[i].s] != nil || c.classTypes[c.toks[i].s].in != nil || c.standsForClass(i) != nil)
}

// standsForClass returns the class that token i, a parameter of the template that is written, stands for; nil if it is no such parameter.
func (c *cxxFile) standsForClass(i int) *cxxShape {
	if name := c.toks[i].s; c.substitute[name] != "" && c.types[name] {
		return c.shapeCalled(c.substitute[name])
	}
	return nil
}

// aliasOfClass reports whether tokens[from:to] are a class, and notes that name is one of its names.
func (c *cxxFile) aliasOfClass(name string, from, to int) bool {
	t, ok := c.typeAt(from)
	if !ok || t.shape == nil || t.elem != nil || t.pointers > 0 || t.reference || t.constant || t.end != to || c.shapes[name] != nil {
		return false
	}
	c.classTypes[name] = cxxAlias{in: c, from: from}
	return true
}

// aliasOfVector reads another name of vectors or of arrays, by using or typedef at token i, and returns what follows its semicolon; i if it is none.
func (c *cxxFile) aliasOfVector(i int) int {
	name, from := i+1, i+3
	if c.isWord(i, "typedef") {
		from = i + 1
	} else if !c.isWord(i, "using") || !c.is(i+2, "=") {
		return i
	}
	t, ok := c.typeAt(from)
	if !ok || t.elem == nil || t.reference {
		return i
	}
	end := t.end
	if c.isWord(i, "typedef") {
		name = t.end
		end++
	}
	if !c.isWord(name) || !c.is(end, ";") {
		return i
	}
	c.vectorTypes[c.toks[name].s] = cxxAlias{in: c, from: from}
	return end + 1
}

// aliasTemplate reads another name of vectors or of arrays that has parameters, template <typename T, int N> using Row = std::array<T, N>, whose first token is i;
// it reports whether it is one.
func (c *cxxFile) aliasTemplate(i int) bool {
	if !c.isWord(i, "template") || !c.is(i+1, "<") {
		return false
	}
	at := c.angle(i+1) + 1
	if at == 0 || !c.isWord(at, "using") || !c.isWord(at+1) || !c.is(at+2, "=") {
		return false
	}
	params, ok := c.templateParams(i+1, at-1)
	if !ok || len(params) == 0 {
		return false
	}
	args := make([]string, len(params)) // any will do
	for k, p := range params {
		if args[k] = "1"; p.typ {
			args[k] = "int"
		}
	}
	t, ok := c.putting(params, args).typeAt(at + 3)
	if !ok || t.elem == nil || t.reference || !c.is(t.end, ";") {
		return false
	}
	c.vectorTypes[c.toks[at+1].s] = cxxAlias{c, at + 3, params}
	return true
}

// shapeAt returns the class that token i names, with its arguments, and what follows them.
func (c *cxxFile) shapeAt(i int) (*cxxShape, int) {
	if s := c.standsForClass(i); s != nil {
		return s, i + 1
	}
	k := c.shapes[c.toks[i].s]
	if k == nil {
		of := c.classTypes[c.toks[i].s]
		if t, ok := of.in.typeAt(of.from); ok {
			return t.shape, i + 1
		}
		return nil, 0
	}
	if len(k.params) == 0 {
		return k.shape(nil), i + 1
	}
	args, end, ok := c.argumentsOf(k.params, i)
	if !ok {
		return nil, 0
	}
	return k.shape(args), end
}

// argumentsOf returns what stands for the parameters of the template that token i names, in C, and what follows them; ok is false if that is not known.
func (c *cxxFile) argumentsOf(params []cxxTemplateParam, i int) (args []string, end int, ok bool) {
	args = make([]string, len(params))
	end = i
	if c.is(i+1, "<") {
		if end = c.angle(i + 1); end < 0 {
			return nil, 0, false
		}
		n := 0
		for from := i + 2; from < end; n++ {
			to := min(c.until(from, end, ","), end)
			if n == len(args) || !c.isArgument(params[n], from, to) {
				return nil, 0, false
			}
			args[n] = c.argumentText(params[n], from, to)
			from = to + 1
		}
	}
	for n, p := range params {
		if args[n] == "" {
			args[n] = p.value
		}
		if args[n] == "" || len(args[n]) > maxArgument {
			return nil, 0, false
		}
	}
	return args, end + 1, true
}

// putting returns c, without edits, with args in place of the parameters of a template.
func (c *cxxFile) putting(params []cxxTemplateParam, args []string) *cxxFile {
	sub := *c
	sub.edits, sub.substitute, sub.types, sub.madeTypes = nil, map[string]string{}, maps.Clone(c.types), map[int]cxxType{}
	for i, p := range params {
		if sub.substitute[p.name] = args[i]; p.typ {
			sub.types[p.name] = true
		} else {
			sub.substitute[p.name] = "(" + args[i] + ")"
		}
	}
	return &sub
}

// argumentText returns tokens[from:to], what parameter p of a template is, in C, with the values of constants, which what is made of the template does not see.
func (c *cxxFile) argumentText(p cxxTemplateParam, from, to int) string {
	if p.typ {
		if t, ok := c.typeAt(from); ok && t.end == to && c.numberType(t) != "" {
			return c.numberType(t)
		}
		return strings.TrimSpace(c.rewritten(from, to))
	}
	if n := strings.Trim(c.substitute[c.toks[from].s], "()"); to == from+1 && fitsInt(n) { // a parameter of the template around it
		return n
	}
	if value, ok := c.constant(from, maxCounted); ok && to == from+1 {
		if n := strings.Trim(value, "()"); fitsInt(n) {
			return n // as it is where the number is written
		}
		return value
	}
	return strings.TrimSpace(c.counted(from, to))
}

// isArgument reports whether tokens[from:to] are what parameter p of a template may be, and no parameter of a template around them that is not known.
func (c *cxxFile) isArgument(p cxxTemplateParam, from, to int) bool {
	if p.typ {
		t, ok := c.typeAt(from)
		return ok && t.end == to
	}
	for j := from; j < to; j++ {
		if _, ok := c.constant(j, maxCounted); c.isWord(j) && !ok && c.substitute[c.toks[j].s] == "" && !c.isWord(j, "true", "false") {
			return false
		}
	}
	return true
}

// shape returns k with arguments, nil if there are too many lists of them.
func (k *cxxClass) shape(args []string) *cxxShape {
	for _, s := range *k.made {
		if slices.Equal(s.args, args) {
			return s
		}
	}
	if len(*k.made) == maxInstances {
		return nil
	}
	s := &cxxShape{k, args, k.name, map[int]bool{}, map[int]bool{}}
	if len(args) > 0 {
		s.cname = instanceName(k.name, args, func(name string) bool {
			return slices.ContainsFunc(*k.made, func(m *cxxShape) bool { return m.cname == name })
		})
	}
	*k.made = append(*k.made, s)
	return s
}

// shapeCalled returns the class with a name in C, nil if there is none.
func (c *cxxFile) shapeCalled(cname string) *cxxShape {
	for _, k := range c.shapes {
		for _, s := range *k.made {
			if s.cname == cname {
				return s
			}
		}
	}
	return nil
}

// of returns c, in which s is defined, with the arguments of s in place of parameters, inside of its method m, and without edits.
func (c *cxxFile) of(s *cxxShape, m *cxxMethod) *cxxFile {
	sub := c.putting(s.def.params, s.args)
	sub.self = s
	for _, f := range s.def.types {
		switch t, ok := sub.typeAt(f.from); {
		case !ok || t.end != f.to || t.reference || t.constant:
		case t.elem != nil:
			sub.vectorTypes = maps.Clone(sub.vectorTypes)
			sub.vectorTypes[f.name] = cxxAlias{in: sub, from: f.from}
		case t.pointers == 0:
			sub.substitute[f.name], sub.types[f.name] = t.text, true
		}
	}
	sub.inside = s.def.open
	if sub.unchanged, sub.valued = m != nil && m.constant, s.byValue(m); m != nil {
		sub.inside = m.from
	}
	return sub
}

// typeOf returns the type of a member of s.
func (s *cxxShape) typeOf(f *cxxField) (t cxxType, ok bool) {
	c := s.def.in.of(s, nil)
	if t, ok = c.typeAt(f.from); !ok || t.reference {
		return t, false
	}
	return c.declared1(t, f.at), true
}

// declared1 returns the type of the variable whose name is token at, and whose declaration begins with t.
func (c *cxxFile) declared1(t cxxType, at int) cxxType {
	if t.end != at && !t.smart { // T *a, *b
		t.pointers, t.reference = 0, false
		if t.elem != nil {
			if t.pointers = t.elem.pointers; t.isRows() {
				t.pointers++
			}
		}
		for k := at - 1; c.is(k, "*") || c.is(k, "&") || c.isWord(k, "const", "restrict", "__restrict", "__restrict__"); k-- {
			if c.is(k, "*") {
				t.pointers++
			}
			t.reference = t.reference || c.is(k, "&")
		}
	}
	if c.is(at+1, "[") {
		elem := t
		t.elem, t.shape, t.dims = &elem, nil, ""
		for k := at + 1; c.is(k, "["); k = c.match[k] + 1 {
			t.dims += "[" + c.counted(k+1, c.match[k]) + "]"
		}
		t.dims += elem.dims
	}
	return t
}
