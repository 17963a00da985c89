package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file reads const methods that have no C, as those that call std::accumulate, where a statement prints what they return: there a function
// stands for them that reads all of their object. The host prints what they return.

// cxxReads ends the name, in C, of a function that reads all of an object.
const cxxReads = "__hexcc_reads"

// isPrinted reports whether token i stands in a statement that does nothing but print.
func (c *cxxFile) isPrinted(i int) bool {
	for j := i - 1; j > 0; j-- {
		begins := c.beginsStatement(j) || c.is(j-1, "::") && c.isWord(j-2, "std") && c.beginsStatement(j-2)
		switch {
		case c.match[j] >= 0 && c.match[j] < j && !c.is(j, "}"):
			j = c.match[j]
		case c.isWord(j, "cout", "cerr", "clog") && c.is(j+1, "<<"):
			return begins
		case c.isWord(j, "printf") && c.is(j+1, "(") && c.match[j+1] > i && begins:
			return c.is(c.match[j+1]+1, ";")
		case c.is(j, ";"), c.is(j, "{"), c.is(j, "}"), c.isAssignment(j), c.is(j, "++"), c.is(j, "--"), c.isWord(j, "if", "for", "while", "switch", "return"):
			return false
		}
	}
	return false
}

// onlyReads reports whether m, a method of s, which c is inside of, reads nothing but numbers and arrays of its object and what it is given, and sets nothing.
func (c *cxxFile) onlyReads(s *cxxShape, m *cxxMethod) bool {
	if _, ok := c.of(s, m).methodHead(s, m); !ok || !m.constant || m.static || c.around(cxxItem{body: m.body, to: m.to}) {
		return false
	}
	for _, p := range c.parameters(m.open) {
		if t, ok := c.typeAt(p.from); !ok || c.numberType(t) == "" || p.name == "" {
			return false
		}
	}
	_, ok := c.readsOf(s, "this->", 0)
	return ok && c.readsHere(s, m, map[int]bool{})
}

// readsHere reports whether the body of m, a const method of s, names nothing but members, its own variables and what the library declares; seen are methods on the way.
func (c *cxxFile) readsHere(s *cxxShape, m *cxxMethod, seen map[int]bool) bool {
	if seen[m.at] {
		return true
	}
	seen[m.at] = true
	in := c.of(s, m)
	own := func(j int) bool {
		at := in.declaredAt(c.toks[j].s, j)
		return c.isWord(j) && (m.from <= at && at < m.to || c.declares(j) >= 0 && slices.Contains(behindNames, c.toks[j+1].s))
	}
	for j := m.body; j < m.to; j++ {
		switch {
		case c.toks[j].kind == cxxDirective, c.is(j, "*") && c.is(j+1, ")"): // a cast may make a pointer to what is const
			return false
		case c.isAssignment(j) && !(own(j-1) && !c.is(j-2, "*") && !c.is(j-2, ".") && !c.is(j-2, "->")) && !(c.is(j, "=") && c.is(j-1, "[")):
			return false
		case (c.is(j, "++") || c.is(j, "--")) && !(own(j-1) && !c.is(j-2, ".") && !c.is(j-2, "->")) && !(own(j+1) && slices.Contains(behindNames, c.toks[j+2].s) && !c.is(j+2, "[")):
			return false
		case !c.isWord(j), c.is(j-1, "."), c.is(j-1, "->") && c.isWord(j-2) && own(j-2), c.is(j-1, "::") && c.isWord(j-2, "std"), own(j):
		case !c.readsNamed(s, j, seen):
			return false
		}
	}
	return true
}

// readsNamed reports whether what token j names, in a const method of s, is read there at most; seen are methods on the way.
func (c *cxxFile) readsNamed(s *cxxShape, j int, seen map[int]bool) bool {
	name := c.toks[j].s
	f := s.def.field(name)
	called, any := s.method(name, len(c.arguments(j+1)), true)
	switch {
	case len(c.macros(name)) > 0:
		return false
	case name == "this":
		return c.is(j+1, "->") || c.is(j+1, "]")
	case f != nil:
		t, ok := s.typeOf(f)
		return !ok || !t.hasMethods()
	case slices.Contains(cxxReadWords, name), slices.Contains(cxxNumbers, name), name == "std" && c.is(j+1, "::"):
		return true
	case any && c.is(j+1, "("):
		return called != nil && called.constant && c.readsHere(s, called, seen)
	}
	return c.is(j+1, "(") && !c.functions[name] && isLibrary(name)
}

// isLibrary reports whether name is a function of <cmath>.
func isLibrary(name string) bool {
	_, known := scop.Computable(name)
	return known || name == "abs"
}

// cxxReadWords are words of C++ that a method may hold that sets nothing.
var cxxReadWords = strings.Fields("const constexpr auto return if else for while do break continue switch case default true false static_cast")

// readsOf returns statements, in C, that read all of an object of class s whose members prefix stands before; ok is false if what a const method does may
// set something by one of them.
func (c *cxxFile) readsOf(s *cxxShape, prefix string, depth int) (text string, ok bool) {
	if depth > maxCounted {
		return "", false
	}
	for i := range s.def.fields {
		f := &s.def.fields[i]
		if slices.ContainsFunc(s.def.in.toks[f.from:f.at], func(t cxxToken) bool { return t.s == "mutable" || t.s == "*" || t.s == "&" || t.s == "unique_ptr" }) {
			return "", false
		}
		read, ok := c.readsField(s, f, prefix+f.name, depth)
		if !ok {
			return "", false
		}
		text += read
	}
	return text, true
}

// readsField returns statements that read name, the member f of s.
func (c *cxxFile) readsField(s *cxxShape, f *cxxField, name string, depth int) (text string, ok bool) {
	t, known := s.typeOf(f)
	in := s.def.in
	switch {
	case !known: // std::string, or a generator of random numbers
		j := f.from
		if in.isWord(j, "std") && in.is(j+1, "::") {
			j += 2
		}
		return "", in.isWord(j, "string", "mt19937", "mt19937_64") && j+1 == f.at
	case t.reference || in.isUnique(f.from, f.at) && t.elem != nil && t.dims == "":
		return "", false
	case t.elem != nil && t.elem.elem == nil && t.dims == "":
		return fmt.Sprintf("for (unsigned long hexcc_k = 0; hexcc_k < %s(%s); hexcc_k++) hexcc_all += %[2]s[hexcc_k]; ", cxxSizeOf, name), in.numberType(*t.elem) != ""
	case t.elem != nil || t.pointers > 0:
		return "", false
	case t.shape != nil:
		return c.readsOf(t.shape, name+".", depth+1)
	case in.records[t.text]:
		for _, it := range in.items {
			if k := in.class(it); it.kind == cxxRecord && slices.Contains(it.names, t.text) && k != nil {
				return c.readsOf(&cxxShape{def: k}, name+".", depth+1)
			}
		}
		return "", false
	}
	return "hexcc_all += " + name + "; ", in.numberType(t) != ""
}

// readers returns the functions that stand for methods of s where they are printed.
func (c *cxxFile) readers(s *cxxShape) (text string) {
	for i := range s.def.methods {
		m := &s.def.methods[i]
		if !s.read[m.at] {
			continue
		}
		head, _ := c.of(s, m).methodHead(s, m)
		body, ok := c.readsOf(s, "this->", 0)
		if !ok {
			continue
		}
		for _, p := range c.parameters(m.open) {
			body += "hexcc_all += " + p.name + "; "
		}
		head = strings.Replace(head, s.methodName(m)+"(", s.methodName(m)+cxxReads+"(", 1)
		text += " " + head + " { double hexcc_all = 0; " + body + "return hexcc_all; }"
	}
	return text
}
