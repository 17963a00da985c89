package frontend

import (
	"slices"
	"strings"
)

// This file reads classes with methods: which members they have, by which methods objects are used. syntax_cxx_methods.go writes them in C,
// as structs and functions, and syntax_cxx_objects.go what is done with objects.

// A cxxClass is a class or a struct that is more than C has, or a template of such.
type cxxClass struct {
	in       *cxxFile
	item     cxxItem
	name     string
	open     int // its brace
	params   []cxxTemplateParam
	fields   []cxxField
	statics  []cxxField
	methods  []cxxMethod
	types    []cxxField      // names that it gives types
	made     *[]*cxxShape    // in the order of uses; shared with the files that include this one
	copies   bool            // it says how it is copied, or what holds for const objects may not hold: it is more than its members
	values   map[string]bool // by the name in C: whether objects are their numbers
	operates bool            // it has operators that are members or friends
}

// A cxxField is a member that is a variable: tokens[from:to] declare its type.
type cxxField struct {
	name      string
	from, at  int // where its type begins, and its name
	value, to int // of a static one, its value, with = or a brace, and what follows; value is 0 if it has none in the class
	private   bool
}

// A cxxMethod is a member that is a function, defined in the class: tokens[from:to].
type cxxMethod struct {
	name     string // "call" of operator(), "element" of operator[]
	from, to int
	at       int // its name
	open     int // of its parameters
	body     int // the brace that opens it, 0: it has none
	constant bool
	static   bool // or a friend
	outside  bool // it is defined outside of the class
	makes    bool // it is a constructor
	inits    int  // the : behind its head, 0: there is none
}

// A cxxShape is a class, with arguments if that is a template.
type cxxShape struct {
	def   *cxxClass
	args  []string
	cname string
	used  map[int]bool // by the token of its name: the methods that are called
	read  map[int]bool // those of which only what they return is printed (syntax_cxx_outputs.go)
}

// class returns the class that an item is, nil if it is none, or one that C has no form for: one derived from others.
func (c *cxxFile) class(it cxxItem) *cxxClass {
	k := &cxxClass{in: c, item: it, made: &[]*cxxShape{}, values: map[string]bool{}}
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
	k.findCopies()
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
	if semi := c.until(i, end, ";"); c.isWord(i, "using") && c.isWord(i+1) && c.is(i+2, "=") {
		k.types = append(k.types, cxxField{name: c.toks[i+1].s, from: i + 3, to: semi})
	} else if c.isWord(i, "typedef") && c.isWord(semi-1) {
		k.types = append(k.types, cxxField{name: c.toks[semi-1].s, from: i + 1, to: semi - 1})
	}
	if end := k.friendAt(i); end > i {
		return end
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
			case cxxOperatorNames[c.toks[j+1].s] != "" && c.is(j+2, "("):
				m.name, m.open = operatorName+cxxOperatorNames[c.toks[j+1].s], j+2
			default:
				for m.open = j + 1; m.open < end && !c.is(m.open, "("); m.open++ {
				}
			}
			return k.method(m)
		case c.is(j, "(") && c.isWord(j-1) && !c.isWord(j-1, "alignas", "decltype", "noexcept", "__attribute__", "explicit"):
			m := cxxMethod{name: c.toks[j-1].s, from: i, at: j - 1, open: j}
			if m.name == k.name {
				m.name, m.makes = makerName, true
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
			case c.isWord(j+2, "operator") && cxxOperatorNames[c.toks[j+3].s] != "" && c.is(j+4, "("):
				m.name, m.open = operatorName+cxxOperatorNames[c.toks[j+3].s], j+4
				k.operates = true
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
			if m.inits == 0 {
				m.inits = j
			}
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
			if m.name != "" && !(m.makes && c.around(cxxItem{body: m.body, to: m.to})) {
				k.methods = append(k.methods, m)
				k.operates = k.operates || strings.HasPrefix(m.name, operatorName)
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
	static := slices.ContainsFunc(c.toks[i:semi], func(t cxxToken) bool { return t.kind == cxxWord && t.s == "static" })
	name, value := -1, 0
	done := func(end int) {
		f := cxxField{from: i, at: name, value: value, to: end, private: private}
		switch name, value = -1, 0; {
		case f.at <= i:
		case static && !c.is(f.at+1, "["):
			f.name = c.toks[f.at].s
			k.statics = append(k.statics, f)
		case !static:
			f.name = c.toks[f.at].s
			k.fields = append(k.fields, f)
		}
	}
	for j := i; j < semi; j++ {
		switch {
		case c.is(j, "<") && c.isWord(j-1) && value == 0:
			if close := c.angle(j); close > 0 {
				j = close
			}
		case c.is(j, "(") || c.is(j, "[") || c.is(j, "{"):
			if value == 0 && !c.is(j, "[") {
				value = j
			}
			j = c.match[j]
		case c.is(j, "=") && value == 0:
			value = j
		case c.is(j, ","):
			done(j)
		case c.isWord(j) && value == 0:
			name = j
		}
	}
	done(semi)
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
	h := cxxHidden{class: s.named()}
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
