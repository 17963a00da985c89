package frontend

// This file recognises methods that exchange an object with another one of its class, as u.swap(v) does where the class is written so:
//
//	void swap(Grid &other) noexcept { std::swap(n_, other.n_); data_.swap(other.data_); }
//
// If it exchanges all members, the objects are exchanged.

// exchanges reports whether method m of s does nothing but exchange all members of its object with those of its argument.
func (s *cxxShape) exchanges(m *cxxMethod) bool {
	c := s.def.in
	ps := c.parameters(m.open)
	if m.static || m.constant || m.body == 0 || len(ps) != 1 || ps[0].reference < 0 || ps[0].constant || ps[0].typ != s.def.name {
		return false
	}
	done := map[string]bool{}
	for i := m.body + 1; i < m.to-1; {
		end := c.until(i, m.to-1, ";")
		if c.isWord(i, "using") && c.isWord(i+1, "std") && c.isWord(i+3, "swap") && end == i+4 {
			i = end + 1
			continue
		}
		name, library, ok := c.exchange(i, end, ps[0].name)
		if !ok || done[name] || s.def.field(name) == nil || !library && !s.exchangesField(name) {
			return false
		}
		done[name] = true
		i = end + 1
	}
	return len(done) > 0 && len(done) == len(s.def.fields)
}

// exchangesField reports whether the class of a member exchanges all of it by its own swap: a number has none, and that of a vector does.
func (s *cxxShape) exchangesField(name string) bool {
	t, known := s.typeOf(s.def.field(name))
	if !known {
		return false
	}
	if t.shape == nil || t.elem != nil || t.pointers > 0 {
		return t.elem == nil || t.elem.shape == nil || t.dims == ""
	}
	m, _ := t.shape.method("swap", 1, false)
	return m != nil && t.shape.exchanges(m)
}

// exchange returns the member that the statement tokens[from:to] exchanges with that of other: std::swap(a, other.a) or a.swap(other.a); library says that
// it is by std::swap, whatever swap of its own the class of the member has.
func (c *cxxFile) exchange(from, to int, other string) (name string, library, ok bool) {
	own := func(i int) int { // what follows a, or this->a, which it notes
		if c.isWord(i, "this") && c.is(i+1, "->") {
			i += 2
		}
		if !c.isWord(i) {
			return -1
		}
		name = c.toks[i].s
		return i + 1
	}
	others := func(i int) int {
		if c.isWord(i, other) && c.is(i+1, ".") && c.isWord(i+2, name) {
			return i + 3
		}
		return -1
	}
	if c.isWord(from, "std") && c.is(from+1, "::") {
		from, library = from+2, true
	}
	if c.isWord(from, "swap") && c.is(from+1, "(") {
		i := own(from + 2)
		return name, library, i > 0 && c.is(i, ",") && others(i+1) == to-1 && c.match[from+1] == to-1
	}
	i := own(from)
	return name, false, i > 0 && c.is(i, ".") && c.isWord(i+1, "swap") && c.is(i+2, "(") && others(i+3) == to-1 && c.match[i+2] == to-1
}
