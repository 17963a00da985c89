package frontend

import (
	"maps"
	"slices"
	"strings"
)

// This file reads classes with methods: which members they have, by which methods objects are used. syntax_cxx_methods.go writes them in C,
// as structs and functions, and syntax_cxx_objects.go what is done with objects.

// A cxxClass is a class or a struct that is more than C has, or a template of such.
type cxxClass struct {
	in        *cxxFile
	item      cxxItem
	name      string
	open      int // its brace
	params    []cxxTemplateParam
	fields    []cxxField
	constants []cxxField // static ones
	methods   []cxxMethod
	made      *[]*cxxShape // in the order of uses; shared with the files that include this one
}

// A cxxField is a member that is a variable: tokens[from:to] declare its type.
type cxxField struct {
	name     string
	from, at int // where its type begins, and its name
	to       int // of a constant, what follows its value
	private  bool
}

// A cxxMethod is a member that is a function, defined in the class: tokens[from:to].
type cxxMethod struct {
	name     string // "call" of operator(), "element" of operator[]
	from, to int
	at       int // its name
	open     int // of its parameters
	body     int // the brace that opens it, 0: it has none
	constant bool
	static   bool
	outside  bool // it is defined outside of the class
}

// A cxxShape is a class, with arguments if that is a template.
type cxxShape struct {
	def   *cxxClass
	args  []string
	cname string
	used  map[int]bool // by the token of its name: the methods that are called
}

// class returns the class that an item is, nil if it is none, or one that C has no form for: one derived from others.
func (c *cxxFile) class(it cxxItem) *cxxClass {
	k := &cxxClass{in: c, item: it, made: &[]*cxxShape{}}
	at := it.from
	if c.isWord(at, "template") && c.is(at+1, "<") {
		end := c.angle(at + 1)
		if end < 0 {
			return nil
		}
		params, ok := c.templateParams(at+1, end)
		if !ok {
			return nil
		}
		k.params, at = params, end+1
	}
	if !c.isWord(at, "class", "struct") || !c.isWord(at+1) {
		return nil
	}
	private := c.isWord(at, "class")
	k.name = c.toks[at+1].s
	k.open = at + 2
	if c.isWord(k.open, "final") {
		k.open++
	}
	if !c.is(k.open, "{") || c.match[k.open] != it.to-2 || !c.is(it.to-1, ";") {
		return nil
	}
	for i := k.open + 1; i < c.match[k.open]; {
		if c.isWord(i, "public", "private", "protected") && c.is(i+1, ":") {
			private = !c.isWord(i, "public")
			i += 2
			continue
		}
		i = k.memberAt(i, private)
	}
	return k
}

// asClass reports whether it is a class that C has a form for, and notes it.
func (c *cxxFile) asClass(it *cxxItem) bool {
	k := c.class(*it)
	if k == nil {
		return false
	}
	if known := c.shapes[k.name]; known != nil { // by what headers say
		k.made = known.made
	}
	c.shapes[k.name] = k
	it.kind, it.names, it.class = cxxObjects, []string{k.name}, k
	return true
}

// memberAt reads the member at token i, and returns what follows it.
func (k *cxxClass) memberAt(i int, private bool) int {
	c, end := k.in, k.in.match[k.open]
	if c.toks[i].kind == cxxDirective || c.is(i, ";") {
		return i + 1
	}
	if c.isWord(i, "template", "using", "typedef", "friend", "static_assert", "enum", "struct", "class", "union") {
		for ; i < end && !c.is(i, ";"); i++ {
			if c.is(i, "{") && c.match[i] > i {
				if i = c.match[i]; !c.is(i+1, ";") {
					break
				}
			} else if (c.is(i, "(") || c.is(i, "[")) && c.match[i] > i {
				i = c.match[i]
			}
		}
		return i + 1
	}
	for j := i; j < end; j++ {
		switch {
		case c.isWord(j, "operator"):
			m := cxxMethod{from: i, at: j}
			switch {
			case c.is(j+1, "(") && c.is(j+2, ")"):
				m.name, m.open = "call", j+3
			case c.is(j+1, "[") && c.is(j+2, "]"):
				m.name, m.open = "element", j+3
			default:
				for m.open = j + 1; m.open < end && !c.is(m.open, "("); m.open++ {
				}
			}
			return k.method(m)
		case c.is(j, "(") && c.isWord(j-1) && !c.isWord(j-1, "alignas", "decltype", "noexcept", "__attribute__", "explicit"):
			m := cxxMethod{name: c.toks[j-1].s, from: i, at: j - 1, open: j}
			if m.name == k.name {
				m.name = ""
			}
			return k.method(m)
		case c.is(j, "(") || c.is(j, "["):
			j = c.match[j]
		case c.is(j, "<") && c.isWord(j-1):
			if close := c.angle(j); close > 0 {
				j = close
			}
		case c.is(j, ";") || c.is(j, "=") || c.is(j, "{"):
			return k.fieldsAt(i, private)
		}
	}
	return end
}

// findMembers adds to classes of c, which are no templates, their methods that are defined outside of them.
func (c *cxxFile) findMembers() {
	for i := range c.items {
		it := &c.items[i]
		if it.kind != cxxBeyond || it.body == 0 {
			continue
		}
		for j := it.from; j < it.body; j++ {
			k := c.shapes[c.toks[j].s]
			if c.is(j, "(") || !c.isWord(j) || !c.is(j+1, "::") || k == nil || k.in != c || len(k.params) > 0 {
				if c.is(j, "(") {
					break
				}
				continue
			}
			m := cxxMethod{from: it.from, at: j + 2, open: j + 3, body: it.body, to: it.to, outside: true}
			switch {
			case c.isWord(j+2, "operator") && c.is(j+3, "(") && c.is(j+5, "("):
				m.name, m.open = "call", j+5
			case c.isWord(j+2, "operator") && c.is(j+3, "[") && c.is(j+5, "("):
				m.name, m.open = "element", j+5
			case c.isWord(j+2) && !c.isWord(j+2, "operator", k.name) && c.is(j+3, "("):
				m.name = c.toks[j+2].s
			default:
				continue
			}
			for at := c.match[m.open]; at < it.body; at++ {
				m.constant = m.constant || c.isWord(at, "const")
			}
			k.methods = append(k.methods, m)
			it.kind, it.member, it.names = cxxObjects, k, []string{k.name}
			break
		}
	}
}

// method adds m, if C has a form for it, and returns what follows it.
func (k *cxxClass) method(m cxxMethod) int {
	c, end := k.in, k.in.match[k.open]
	if !c.is(m.open, "(") {
		return end
	}
	inits := false
	for j := c.match[m.open] + 1; j < end; j++ {
		switch {
		case c.isWord(j, "const"):
			m.constant = true
		case c.is(j, ":") && !c.is(j-1, ":"):
			inits = true
		case c.is(j, "(") || c.is(j, "["):
			j = c.match[j]
		case c.is(j, ";"):
			return j + 1
		case c.is(j, "{") && inits && (c.isWord(j-1) || c.is(j-1, ">")): // x{0}
			j = c.match[j]
		case c.is(j, "{"):
			m.body, m.to = j, c.match[j]+1
			for f := m.from; f < m.at; f++ {
				m.static = m.static || c.isWord(f, "static")
				if c.isWord(f, "virtual") || c.is(f, "~") {
					return m.to
				}
			}
			if m.name != "" {
				k.methods = append(k.methods, m)
			}
			return m.to
		}
	}
	return end
}

// fieldsAt adds the variables that the member at token i declares, and returns what follows it.
func (k *cxxClass) fieldsAt(i int, private bool) int {
	c := k.in
	semi := c.until(i, c.match[k.open], ";")
	for j := i; j < semi; j++ {
		if c.isWord(j, "static") {
			for at := i; at < semi; at++ {
				if c.isWord(at) && c.is(at+1, "=") && c.until(at, semi, ",") == semi {
					k.constants = append(k.constants, cxxField{name: c.toks[at].s, from: i, at: at, to: semi})
					break
				}
			}
			return semi + 1
		}
	}
	name := -1
	done := func() {
		if name > i {
			k.fields = append(k.fields, cxxField{name: c.toks[name].s, from: i, at: name, private: private})
		}
		name = -1
	}
	value := false
	for j := i; j < semi; j++ {
		switch {
		case c.is(j, "<") && c.isWord(j-1) && !value:
			if close := c.angle(j); close > 0 {
				j = close
			}
		case c.is(j, "(") || c.is(j, "[") || c.is(j, "{"):
			value = value || !c.is(j, "[")
			j = c.match[j]
		case c.is(j, "="):
			value = true
		case c.is(j, ","):
			done()
			value = false
		case c.isWord(j) && !value:
			name = j
		}
	}
	done()
	return semi + 1
}

// field returns the member called name, nil if it is none.
func (k *cxxClass) field(name string) *cxxField {
	if i := slices.IndexFunc(k.fields, func(f cxxField) bool { return f.name == name }); i >= 0 {
		return &k.fields[i]
	}
	return nil
}

// method returns the method called name with so many arguments, and whether the class has any method of that name. Of two that differ in
// const only, it is the one that constant asks for; which of several others is meant is not known, and then it is nil.
func (s *cxxShape) method(name string, args int, constant bool) (found *cxxMethod, any bool) {
	k := s.def
	var all []*cxxMethod
	for i, m := range k.methods {
		if m.name != name {
			continue
		}
		any = true
		ps := k.in.parameters(m.open)
		least := 0
		for _, p := range ps {
			if p.value == 0 {
				least++
			}
		}
		if least <= args && args <= len(ps) {
			all = append(all, &k.methods[i])
		}
	}
	switch {
	case len(all) == 1:
		return all[0], any
	case len(all) == 2 && all[0].constant != all[1].constant && k.sameParameters(all[0], all[1]):
		if all[0].constant == constant {
			return all[0], any
		}
		return all[1], any
	}
	return nil, any
}

// hidden returns the private members of s.
func (s *cxxShape) hidden() cxxHidden {
	h := cxxHidden{class: s.def.item.space + s.def.name}
	if len(s.args) > 0 {
		h.class += "<" + strings.ReplaceAll(strings.Join(s.args, ", "), "_Bool", "bool") + ">"
	}
	for _, f := range s.def.fields {
		if f.private {
			h.members = append(h.members, f.name)
		}
	}
	return h
}

// sameParameters reports whether two methods have parameters of the same types.
func (k *cxxClass) sameParameters(a, b *cxxMethod) bool {
	p, q := k.in.parameters(a.open), k.in.parameters(b.open)
	return slices.EqualFunc(p, q, func(x, y cxxParam) bool { return k.in.typeText(x) == k.in.typeText(y) })
}

// typeText returns the type of p, as it is written.
func (c *cxxFile) typeText(p cxxParam) string {
	var words []string
	for j := p.from; j < p.to && !c.is(j, "="); j++ {
		if c.toks[j].s != p.name {
			words = append(words, c.toks[j].s)
		}
	}
	return strings.Join(words, " ")
}

// A cxxType is a type, as far as C has it.
type cxxType struct {
	text      string    // in C, without what follows
	shape     *cxxShape // of an object
	pointers  int
	dims      string   // of std::array, such as [9]
	elem      *cxxType // of what is a pointer to its elements in C: std::vector and std::unique_ptr<T[]>; or of an array
	reference bool
	constant  bool
	end       int // the token behind it
}

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
	switch shapes := c.shapes[name]; {
	case std && c.isWord(j, "vector", "array", "unique_ptr") && c.is(j+1, "<"):
		end := c.angle(j + 1)
		elem, known := c.typeAt(j + 2)
		if end < 0 || !known || elem.text == "_Bool" || elem.reference {
			return t, false
		}
		t.text, t.elem = elem.text, &elem
		switch {
		case name == "array" && c.is(elem.end, ","):
			t.dims = "[" + c.counted(elem.end+1, end) + "]" + elem.dims
			t.pointers = elem.pointers
		case name == "unique_ptr" && c.is(elem.end, "[") && c.is(elem.end+1, "]") && elem.end+2 == end, name == "vector" && elem.end == end:
			if elem.dims != "" || elem.elem != nil {
				return t, false
			}
			t.pointers = elem.pointers
		default:
			return t, false
		}
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
	case shapes != nil:
		s, end := c.shapeAt(j)
		if s == nil {
			return t, false
		}
		t.shape, t.text, j = s, s.cname, end
	case c.vectorTypes[name].in != nil:
		of := c.vectorTypes[name]
		u, known := of.in.typeAt(of.from)
		if !known {
			return t, false
		}
		u.constant = u.constant || t.constant
		t = u
		j++
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

// shapeAt returns the class that token i names, with its arguments, and what follows them.
func (c *cxxFile) shapeAt(i int) (*cxxShape, int) {
	k := c.shapes[c.toks[i].s]
	if len(k.params) == 0 {
		return k.shape(nil), i + 1
	}
	args := make([]string, len(k.params))
	end := i
	if c.is(i+1, "<") {
		if end = c.angle(i + 1); end < 0 {
			return nil, 0
		}
		n := 0
		for from := i + 2; from < end; n++ {
			to := min(c.until(from, end, ","), end)
			if n == len(args) || !c.isArgument(k.params[n], from, to) {
				return nil, 0
			}
			args[n] = strings.TrimSpace(c.rewritten(from, to))
			from = to + 1
		}
	}
	for n, p := range k.params {
		if args[n] == "" {
			args[n] = p.value
		}
		if args[n] == "" || len(args[n]) > maxArgument {
			return nil, 0
		}
	}
	return k.shape(args), end + 1
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
	s := &cxxShape{k, args, k.name, map[int]bool{}}
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
	sub := *c
	sub.edits, sub.self, sub.substitute, sub.types = nil, s, map[string]string{}, maps.Clone(c.types)
	for i, p := range s.def.params {
		if sub.substitute[p.name] = s.args[i]; p.typ {
			sub.types[p.name] = true
		} else {
			sub.substitute[p.name] = "(" + s.args[i] + ")"
		}
	}
	sub.inside = s.def.open
	if sub.unchanged = m != nil && m.constant; m != nil {
		sub.inside = m.from
	}
	return &sub
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
	if t.end != at { // T *a, *b
		t.pointers, t.reference = 0, false
		if t.elem != nil {
			t.pointers = t.elem.pointers
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
			t.dims += "[" + c.rewritten(k+1, c.match[k]) + "]"
		}
		t.dims += elem.dims
	}
	return t
}
