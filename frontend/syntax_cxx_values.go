package frontend

import (
	"slices"
	"strings"
)

// This file writes what makes objects that are their numbers: constructors become functions, lists in braces those of C:
//
//	Vec2 a(x, y);                         Vec2 a = Vec2__hexcc_make(x, y);
//	Cell b{1.0, {0.0, 0.0}};        =>    Cell b = (Cell){1.0, {0.0, 0.0}};
//	return Vec2(a.x, b.h);                return Vec2__hexcc_make(a.x, b.h);
//
// Methods that have their object as a value have it by the name cxxObject.

const (
	cxxObject = "hexcc_object"
	makerName = "hexcc_make"
)

// isOperator reports whether m is an operator that is written as a function.
func (m *cxxMethod) isOperator() bool { return strings.HasPrefix(m.name, operatorName) }

// findCopies notes whether the class says how it is copied or destroyed, or has members that a const method may set.
func (k *cxxClass) findCopies() {
	c := k.in
	for j := k.open + 1; j < c.match[k.open]; j++ {
		open := -1
		switch {
		case c.isWord(j, "virtual", "mutable", "volatile"):
			k.copies = true
		case c.is(j, "~") && c.isWord(j+1, k.name):
			open = j + 2
		case c.isWord(j, "operator") && c.is(j+1, "="):
			open = j + 2
		case c.isWord(j, k.name) && c.is(j+1, "("):
			first := j + 2
			for c.isWord(first, "const") {
				first++
			}
			if c.isWord(first, k.name) { // of another object
				for first++; c.is(first, "<") && c.angle(first) > 0; {
					first = c.angle(first) + 1
				}
				if c.is(first, "&") || c.is(first, "&&") {
					open = j + 1
				}
			}
		}
		if open > 0 && c.is(open, "(") {
			end := c.match[open] + 1
			for c.isWord(end, "noexcept") {
				end++
			}
			k.copies = k.copies || !(c.is(end, "=") && c.isWord(end+1, "default"))
		}
	}
}

// friendAt reads the operator that is defined as a friend at token i, and returns what follows it; i, if there is none.
func (k *cxxClass) friendAt(i int) int {
	c := k.in
	j := i
	for c.isWord(j, "constexpr", "inline") {
		j++
	}
	if !c.isWord(j, "friend") {
		return i
	}
	for j < c.match[k.open] && !c.is(j, ";") && !c.is(j, "(") && !c.is(j, "{") && !c.isWord(j, "operator") {
		j++
	}
	if !c.isWord(j, "operator") || cxxOperatorNames[c.toks[j+1].s] == "" || !c.is(j+2, "(") {
		return i
	}
	end := c.match[j+2] + 1
	for c.isWord(end, "noexcept") {
		end++
	}
	if !c.is(end, "{") {
		return i
	}
	return k.method(cxxMethod{name: operatorName + cxxOperatorNames[c.toks[j+1].s], from: i, at: j, open: j + 2, static: true})
}

// operatorHead writes the head of it, an operator, up to its parameters, as that of the function called name.
func (c *cxxFile) operatorHead(it cxxItem, name string) {
	t, _ := c.typeAt(it.from)
	c.edit(it.from, it.open, "static inline "+t.inC()+name)
}

// valueOf rewrites what makes an object that is its numbers, which token i begins, or the object that a method has as a value, and returns the end; i, if it is something else.
func (c *cxxFile) valueOf(i, to int) int {
	switch {
	case c.valued && c.is(i, "*") && c.isWord(i+1, "this"):
		c.edit(i, i+2, cxxObject)
		return i + 2
	case c.valued && c.isWord(i, "this") && c.is(i+1, "->") && c.isWord(i+2) && c.self.def.field(c.toks[i+2].s) != nil:
		c.edit(i, i+2, cxxObject+".")
		return i + 3
	case c.valued && c.isWord(i, "this"):
		c.edit(i, i+1, "(&"+cxxObject+")")
		return i + 1
	}
	if !c.isClass(i) || c.is(i-1, ".") || c.is(i-1, "->") {
		return i
	}
	s, end := c.shapeAt(i)
	if s == nil || end > to || !s.isValue() {
		return i
	}
	if (c.is(end, "(") || c.is(end, "{")) && !c.isWord(i-1, "class", "struct", "new") {
		if !c.makeObject(s, i, end) {
			return i
		}
		return c.match[end] + 1
	}
	return c.declaresValues(s, i, end, to)
}

// declaresValues rewrites the declaration of objects of s, whose type is tokens[i:end], and returns what follows; i, if it declares none, or some that are made in another way.
func (c *cxxFile) declaresValues(s *cxxShape, i, end, to int) int {
	type variable struct{ at, next int }
	var all []variable
	for j := end; ; {
		if j >= to || !c.isWord(j) || c.isWord(j, "const", "operator") || c.is(j+1, "::") {
			return i
		}
		v := variable{j, j + 1}
		switch {
		case c.is(v.next, "(") || c.is(v.next, "{"):
			if !c.canMake(s, v.next) {
				return i
			}
			v.next = c.match[v.next] + 1
		case c.is(v.next, "="):
			if c.is(v.next+1, "{") && !c.canMake(s, v.next+1) {
				return i
			}
			for v.next < to && !c.is(v.next, ",") && !c.is(v.next, ";") {
				if c.match[v.next] > v.next {
					v.next = c.match[v.next]
				}
				v.next++
			}
		case !c.is(v.next, ";") && !c.is(v.next, ","):
			return i
		case c.makerOf(s, nil) == nil && s.hasMaker():
			return i
		}
		all = append(all, v)
		if j = v.next + 1; !c.is(v.next, ",") {
			break
		}
	}
	c.edit(i, end, s.cname)
	for _, v := range all {
		open := v.at + 1
		switch {
		case c.is(open, "(") || c.is(open, "{"):
			c.behind(v.at, " = ")
			c.makeObject(s, open, open)
		case c.is(open, "=") && c.is(open+1, "{"):
			c.makeObject(s, open+1, open+1)
		case c.is(open, "="):
			c.rewrite(open+1, v.next, false)
		case c.makerOf(s, nil) != nil:
			m := c.makerOf(s, nil)
			s.used[m.at] = true
			text := ""
			in := s.def.in.of(s, m)
			for n, p := range in.parameters(m.open) {
				if n > 0 {
					text += ", "
				}
				text += in.rewritten(p.value+1, p.to)
			}
			c.behind(v.at, " = "+s.methodName(m)+"("+text+")")
		case s.hasDefaults():
			c.behind(v.at, " = {"+s.initials(0)+"}")
		}
	}
	return all[len(all)-1].next
}

// hasMaker reports whether s has a constructor.
func (s *cxxShape) hasMaker() bool {
	return slices.ContainsFunc(s.def.methods, func(m cxxMethod) bool { return m.makes })
}

// hasDefaults reports whether members of s have values where nothing else gives them any.
func (s *cxxShape) hasDefaults() bool {
	return slices.ContainsFunc(s.def.fields, func(f cxxField) bool { return f.value > 0 })
}

// initials returns, as in a list of C, what the members of s are from the one with index n on, which nothing gives a value.
func (s *cxxShape) initials(n int) string {
	var list []string
	for _, f := range s.def.fields[n:] {
		if text := s.initial(f); text != "" {
			list = append(list, "."+f.name+" = "+text)
		}
	}
	if len(list) == 0 {
		return "0"
	}
	return strings.Join(list, ", ")
}

// initial returns what f of s is if nothing gives it a value, "" if it says nothing.
func (s *cxxShape) initial(f cxxField) string {
	c := s.def.in.of(s, nil)
	from, to := f.valueIn(c)
	switch {
	case f.value == 0:
		return ""
	case from == to:
		return "0"
	}
	return "(" + c.rewritten(from, to) + ")"
}

// makerOf returns the constructor of s for these arguments, nil if it is not known.
func (c *cxxFile) makerOf(s *cxxShape, args [][2]int) *cxxMethod {
	m, _ := s.method(makerName, len(args), false)
	if m == nil || !s.def.in.of(s, m).isMaker(s, m) {
		return nil
	}
	return m
}

// isMaker reports whether C has a form for m, a constructor of s: it sets members of its object, each by one value.
func (c *cxxFile) isMaker(s *cxxShape, m *cxxMethod) bool {
	if c.isWord(c.match[m.open]+1, "try") {
		return false
	}
	for _, i := range c.initsOf(m) {
		f := s.def.field(c.toks[i].s)
		if f == nil || !c.is(i+1, "(") && !c.is(i+1, "{") {
			return false
		}
		if t, ok := s.typeOf(f); !ok || t.elem != nil || t.shape != nil || c.until(i+2, c.match[i+1], ",") < c.match[i+1] {
			return false
		}
	}
	for j := m.body; j < m.to; j++ {
		if c.isWord(j, "return", "this", "throw", "try", "new", "assert") {
			return false
		}
	}
	return !slices.ContainsFunc(s.def.fields, func(f cxxField) bool {
		t, ok := s.typeOf(&f)
		return !ok || f.value > 0 && (t.elem != nil || t.shape != nil)
	})
}

// initsOf returns where the members are named that m, a constructor, sets before its body.
func (c *cxxFile) initsOf(m *cxxMethod) (all []int) {
	if m.inits == 0 {
		return nil
	}
	for j := m.inits + 1; j < m.body; j++ {
		all = append(all, j)
		for j < m.body && !c.is(j, ",") {
			if c.match[j] > j {
				j = c.match[j]
			}
			j++
		}
	}
	return all
}

// canMake reports whether C has a form for what makes an object of s of the arguments in the brackets at open.
func (c *cxxFile) canMake(s *cxxShape, open int) bool {
	args := c.arguments(open)
	if c.copiesObject(s, args) {
		return true
	}
	if s.hasMaker() {
		return c.makerOf(s, args) != nil && !slices.ContainsFunc(args, func(a [2]int) bool { return c.is(a[0], "{") })
	}
	if len(args) > len(s.def.fields) || c.is(open, "(") && len(args) > 0 {
		return false
	}
	for n, f := range s.def.fields {
		t, ok := s.typeOf(&f)
		switch {
		case !ok:
			return false
		case n < len(args) && s.def.in.isObject(t) && c.objectIn(args[n]) == t.text:
		case t.shape != nil && (t.shape.hasMaker() || t.shape.hasDefaults()), (t.elem != nil || t.shape != nil) && s.hasDefaults(),
			n < len(args) && s.def.in.isObject(t) && !c.is(args[n][0], "{"): // braces may be left out
			return false
		}
	}
	return true
}

// objectIn returns the class of the object that an argument is, in C, "" if it is not known.
func (c *cxxFile) objectIn(a [2]int) string {
	if x := c.expression(a[0], a[1]); x != nil && x.to == a[1] && c.isObject(x.t) {
		return x.t.text
	}
	return ""
}

// copiesObject reports whether args are one object of s.
func (c *cxxFile) copiesObject(s *cxxShape, args [][2]int) bool {
	return len(args) == 1 && c.objectIn(args[0]) == s.cname
}

// makeObject rewrites what makes an object of s of the arguments in the brackets at open, where tokens[i:open] name s; it reports whether C has a form for it.
func (c *cxxFile) makeObject(s *cxxShape, i, open int) bool {
	args := c.arguments(open)
	if !s.isValue() || !c.canMake(s, open) {
		return false
	}
	if c.copiesObject(s, args) {
		c.edit(i, open+1, "(")
		c.edit(c.match[open], c.match[open]+1, ")")
		c.rewrite(args[0][0], args[0][1], false)
		return true
	}
	head, tail := "("+s.cname+"){", "}"
	if s.hasMaker() {
		m := c.makerOf(s, args)
		s.used[m.at] = true
		head, tail = s.methodName(m)+"(", ")"
		in := s.def.in.of(s, m)
		for n, p := range in.parameters(m.open)[len(args):] {
			if text := in.rewritten(p.value+1, p.to); len(args)+n > 0 {
				tail = ", " + text + tail
			} else {
				tail = text + tail
			}
		}
	} else if len(args) == 0 {
		head += s.initials(0)
	} else if rest := s.initials(len(args)); rest != "0" {
		tail = ", " + rest + tail
	}
	c.edit(i, open+1, head)
	for _, a := range args {
		c.rewrite(a[0], a[1], false)
	}
	c.edit(c.match[open], c.match[open]+1, tail)
	return true
}

// maker writes m, a constructor of s, in whose scope c is.
func (c *cxxFile) maker(s *cxxShape, m *cxxMethod) {
	head, _ := c.methodHead(s, m)
	c.edit(m.from, m.body, head)
	values := map[string]string{}
	for _, i := range c.initsOf(m) {
		values[c.toks[i].s] = "0"
		if i+2 < c.match[i+1] {
			values[c.toks[i].s] = c.rewritten(i+2, c.match[i+1])
		}
	}
	text := " " + s.cname + " " + cxxObject + ";"
	for _, f := range s.def.fields {
		value, ok := values[f.name]
		if !ok {
			value = s.initial(f)
		}
		if value != "" {
			text += " " + cxxObject + "." + f.name + " = " + value + ";"
		}
	}
	c.behind(m.body, text)
	c.bodyWith(m.body+1, m.to-1, map[string]bool{})
	c.before(m.to-1, "return "+cxxObject+"; ")
}
