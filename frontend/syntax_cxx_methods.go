package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file writes classes in C: a struct of the members that C has, and a function for each method that is defined in the class. A method that
// returns a reference returns the address. Constructors, and methods that set numbers in the object, are left out: what calls them in a region
// is refused for what it calls.

// methodName returns the name in C of method m of s.
func (s *cxxShape) methodName(m *cxxMethod) string {
	name := s.cname + "__" + m.name
	for i := range s.def.methods { // overloaded
		o := &s.def.methods[i]
		if o.at == m.at {
			break
		}
		if o.name == m.name {
			name += "_"
		}
	}
	return name
}

// instantiate writes what uses have made of the classes and of the templates of c. Those of which nothing is made are left out.
func (c *cxxFile) instantiate() {
	for c.instances() || c.findUsed() {
	}
	defer func() {
		for _, it := range c.items {
			if it.member != nil && !c.outside[it.from] {
				c.leaveOut(it.from, it.to)
			}
		}
	}()
	for _, it := range c.items {
		k := it.class
		switch {
		case k != nil && len(*k.made) == 0, it.kind == cxxTemplated && (c.templates[it.names[0]] == nil || c.writtenOf[it.names[0]] == 0):
			c.leaveOut(it.from, it.to)
		case k != nil:
			for n, s := range *k.made {
				c.writeShape(k, s, n == 0)
			}
		}
	}
}

// findUsed goes through classes that are used, and through their methods that are called, as they are written, for what these use; it reports whether it found
// any that it had not gone through.
func (c *cxxFile) findUsed() (any bool) {
	for _, it := range c.items {
		if it.class == nil {
			continue
		}
		for n := 0; n < len(*it.class.made); n++ {
			s := (*it.class.made)[n]
			mine := &cxxShape{it.class, s.args, s.cname, s.used, s.read}
			if !c.gone[s.cname] {
				c.gone[s.cname], any = true, true
				in := c.of(mine, nil)
				in.fieldsOf(mine)
				in.staticsOf(mine)
			}
			for i := range it.class.methods {
				m := &it.class.methods[i]
				if c.around(cxxItem{body: m.body, to: m.to}) {
					s.used[m.at] = true
				}
				key := s.cname + " " + m.name + fmt.Sprint(m.at)
				if !s.used[m.at] || c.gone[key] {
					continue
				}
				c.gone[key], any = true, true
				c.of(mine, m).method(mine, m)
			}
		}
	}
	return any
}

// writeShape writes s, of class k of c: in its place, if it is the first of the class, else behind it.
func (c *cxxFile) writeShape(k *cxxClass, s *cxxShape, first bool) {
	mine := &cxxShape{k, s.args, s.cname, s.used, s.read} // the tokens are those of c
	sub := c.of(mine, nil)
	close := c.match[k.open]
	head := fmt.Sprintf("typedef struct %s { %s} %[1]s; %[1]s %[1]s__any();", s.cname, sub.fieldsOf(mine)) + sub.staticsOf(mine)
	var methods []*cxxMethod
	for i := range k.methods {
		if m := &k.methods[i]; s.used[m.at] && sub.projects(mine, m) {
			methods = append(methods, m)
			if text, ok := c.of(mine, m).methodHead(mine, m); ok {
				head += " " + text + ";"
			}
		}
	}
	sub.edit(k.item.from, k.open+1, head+sub.readers(mine))
	done := k.open + 1
	slices.SortStableFunc(methods, func(a, b *cxxMethod) int { return cmp.Compare(a.from, b.from) })
	for _, m := range methods {
		if m.outside {
			continue
		}
		sub.leaveOut(done, m.from)
		if !c.around(cxxItem{body: m.body, to: m.to}) {
			sub.optional = append(sub.optional, [2]int{c.toks[m.from].from, c.toks[m.to-1].to})
		}
		done = m.to
		in := c.of(mine, m)
		in.optional, in.snapshots, in.claims, in.called, in.refusals = sub.optional, sub.snapshots, sub.claims, sub.called, sub.refusals
		in.method(mine, m)
		sub.edits = append(sub.edits, in.edits...)
		sub.optional, sub.snapshots, sub.claims, sub.called, sub.refusals = in.optional, in.snapshots, in.claims, in.called, in.refusals
	}
	sub.leaveOut(done, close)
	sub.edit(close, k.item.to, "")
	for _, m := range methods {
		if m.outside {
			in := c.of(mine, m)
			in.optional, in.snapshots, in.claims, in.called, in.refusals = sub.optional, sub.snapshots, sub.claims, sub.called, sub.refusals
			in.method(mine, m)
			c.edits = append(c.edits, in.edits...)
			sub.optional, sub.snapshots, sub.claims, sub.called, sub.refusals = in.optional, in.snapshots, in.claims, in.called, in.refusals
			c.outside[m.from] = true
		}
	}
	c.optional, c.snapshots, c.claims, c.called, c.refusals = sub.optional, sub.snapshots, sub.claims, sub.called, sub.refusals
	if first {
		c.edits = append(c.edits, sub.edits...)
		return
	}
	c.appended(k.item, sub.edits)
}

// fieldsOf returns the members of s that C has.
func (c *cxxFile) fieldsOf(s *cxxShape) string {
	var b strings.Builder
	for i := range s.def.fields {
		f := &s.def.fields[i]
		t, ok := s.typeOf(f)
		if !ok || t.shape != nil && t.shape.cname == s.cname && t.pointers == 0 {
			continue
		}
		if t.elem != nil && t.dims == "" {
			c.owned[s.cname+"."+f.name] = true
		}
		if t.pointers > 0 && slices.ContainsFunc(s.def.in.toks[f.from:f.at], func(t cxxToken) bool { return t.kind == cxxWord && t.s == "span" }) {
			c.spans[s.cname+"."+f.name] = true
		}
		fmt.Fprintf(&b, "%s%s%s; ", t.inC(), f.name, t.dims)
	}
	if b.Len() == 0 {
		return "char hexcc_empty; "
	}
	return b.String()
}

// projects reports whether C has a form for method m of s.
func (c *cxxFile) projects(s *cxxShape, m *cxxMethod) bool {
	if c.forced[c.toks[m.from].from] > 0 {
		return false
	}
	if c.around(cxxItem{body: m.body, to: m.to}) {
		return true
	}
	for _, p := range c.parameters(m.open) {
		if p.vector && p.reference >= 0 && c.isExchanged(cxxLambda{from: m.body, to: m.to}, p.name) {
			return false
		}
	}
	for j := m.body; j < m.to; j++ {
		if f := s.def.field(c.toks[j].s); c.isWord(j) && f != nil {
			t, ok := s.typeOf(f)
			set := !m.makes && !(m.assigns() && s.byValue(m)) && t.elem == nil && t.pointers == 0 && (c.isAssignment(j+1) || c.is(j+1, "++") || c.is(j+1, "--") || c.is(j-1, "++") || c.is(j-1, "--"))
			if !ok || set && !c.isWord(c.resultOf(m), "void") { // a step may count and keep the time
				return false
			}
		}
		if c.isWord(j, "throw", "try", "new", "delete", "static", "resize", "assign", "push_back", "emplace_back", "reserve", "clear", "reset") {
			return false
		}
	}
	_, ok := c.of(s, m).methodHead(s, m)
	return ok
}

// methodHead returns the head of the function that m of s is in C; ok is false if C has no form for its result.
func (c *cxxFile) methodHead(s *cxxShape, m *cxxMethod) (text string, ok bool) {
	result := "void "
	if m.makes {
		if result = s.cname + " "; !s.isValue() {
			return "", false
		}
	} else if j := c.resultOf(m); !c.isWord(j, "void") || c.is(j+1, "*") {
		t, known := c.typeAt(j)
		if !known || t.end != m.at && !(m.outside && c.is(t.end+1, "::") && t.end+2 == m.at) || t.elem != nil {
			return "", false
		}
		if result = t.inC(); t.reference && !s.byValue(m) {
			result += "*"
		}
	}
	if m.isOperator() && !m.static && !s.byValue(m) {
		return "", false
	}
	around := c.around(cxxItem{body: m.body, to: m.to})
	var params []string
	switch {
	case m.makes:
	case s.byValue(m):
		params = append(params, s.cname+" "+cxxObject)
	case !m.static:
		params = append(params, s.cname+" *this")
	}
	for n, p := range c.parameters(m.open) {
		t, known := c.typeAt(p.from)
		if t.end == p.to { // it has no name
			p.name = fmt.Sprintf("hexcc_%d", n)
		}
		if !known || t.dims != "" || p.array {
			return "", false
		}
		if around && t.reference && t.shape != nil && t.pointers == 0 {
			params = append(params, t.inC()+p.name)
			continue
		}
		params = append(params, t.inC()+c.reference(m, t)+p.name)
	}
	if params == nil {
		params = []string{"void"}
	}
	word := "static "
	if !around {
		word = "static inline "
	}
	return word + result + s.methodName(m) + "(" + strings.Join(params, ", ") + ")", true
}

// reference returns * if a parameter of type t of method m is a pointer in C, since it is a reference that the function may change, or one to an object whose methods it may call.
func (c *cxxFile) reference(m *cxxMethod, t cxxType) string {
	switch {
	case !t.reference || t.elem != nil:
		return ""
	case t.constant && t.shape != nil && t.shape.isValue() && c.setsNothing(m), m.isOperator(): // which sets no parameter
		return ""
	case !t.constant || t.hasMethods():
		return "*"
	}
	return ""
}

// setsNothing reports whether m sets nothing that a parameter may be a reference to.
func (c *cxxFile) setsNothing(m *cxxMethod) bool {
	for j := m.body; j < m.to; j++ {
		if (c.isAssignment(j) || c.is(j, "++") || c.is(j, "--")) && !m.makes {
			if at := c.declaredAt(c.toks[j-1].s, j-1); !c.isWord(j-1) || c.is(j-2, ".") || c.is(j-2, "->") || at < m.at || at >= m.to {
				return false
			}
		}
	}
	return (m.constant || m.static || m.makes || m.isOperator()) && !slices.ContainsFunc(c.parameters(m.open), func(p cxxParam) bool {
		t, ok := c.typeAt(p.from)
		return !ok || !t.constant && (t.reference || t.pointers > 0 || t.elem != nil)
	})
}

// resultOf returns where the type of the result of m stands.
func (c *cxxFile) resultOf(m *cxxMethod) int {
	j := m.from
	for {
		switch {
		case c.isWord(j, "inline", "static", "constexpr", "explicit", "auto", "friend"):
			j++
		case c.is(j, "[") && c.is(j+1, "["):
			j = c.match[j] + 1
		default:
			if j == m.at && c.isWord(j-1, "auto") { // auto f() -> T
				if arrow := c.until(c.match[m.open]+1, m.body, "->"); arrow < m.body {
					return arrow + 1
				}
			}
			return j
		}
	}
}

// method writes m of s, in whose scope c is.
func (c *cxxFile) method(s *cxxShape, m *cxxMethod) {
	if m.makes {
		c.maker(s, m)
		return
	}
	head, _ := c.methodHead(s, m)
	c.edit(m.from, m.body, head)
	pointers := map[string]bool{}
	for _, p := range c.parameters(m.open) {
		t, _ := c.typeAt(p.from)
		pointers[p.name] = c.reference(m, t) != ""
		if t.elem != nil && t.dims == "" {
			c.vectors[p.name] = true
		}
	}
	it := cxxItem{from: m.from, to: m.to, body: m.body, names: []string{m.name}, in: c}
	if c.around(it) {
		w := &cxxAround{cxxFile: c, known: map[string]bool{"this": true}, strange: map[string]bool{}}
		w.function(it, m.open)
		c.claimArguments([2]int{c.toks[it.from].from, c.toks[it.to-1].to}, s.def.params, s.args)
		return
	}
	t, _ := c.typeAt(c.resultOf(m))
	if t.reference && !s.byValue(m) {
		for j := m.body; j < m.to; j++ {
			if c.isWord(j, "return") {
				end := c.until(j, m.to, ";")
				c.before(j+1, "&(")
				c.behind(end-1, ")")
			}
		}
	}
	if c.returns = c.recordIn(c.resultOf(m)); s.byValue(m) && m.assigns() {
		c.returns = ""
	}
	c.bodyWith(m.body, m.to, pointers)
	c.returns = ""
}

// appended puts a copy of an item, with edits, behind it on its last line.
func (c *cxxFile) appended(it cxxItem, edits []cxxEdit) {
	start, end := c.toks[it.from].from, c.toks[it.to-1].to
	text, parts, ok := c.onLine(start, end, edits)
	if ok {
		c.edits = append(c.edits, cxxEdit{from: end, to: end, text: " " + text, parts: shifted(parts, 1)})
	}
}

// shifted returns parts so many bytes further on.
func shifted(parts []projectedPart, by int) []projectedPart {
	for i := range parts {
		parts[i].at += by
	}
	return parts
}
