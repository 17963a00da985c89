package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes static members of classes in C: a constant that has its value in the class is a constant of the file, any other one a variable that
// is defined elsewhere. The generated file names them as C++ does: the program says how (cxxStatic).

// A cxxStatic is a static member of a class that has another name in C.
type cxxStatic struct {
	text    string // as C++ names it anywhere, such as fields::Grid<float>::halo
	class   string // the name in C of its class
	private bool
}

// staticName returns the name in C of a static member of s.
func (s *cxxShape) staticName(f cxxField) string { return s.cname + "__" + f.name }

// static returns the static member called name, nil if it is none.
func (k *cxxClass) static(name string) *cxxField {
	if i := slices.IndexFunc(k.statics, func(f cxxField) bool { return f.name == name }); i >= 0 {
		return &k.statics[i]
	}
	return nil
}

// staticsOf returns the static members of s in C.
func (c *cxxFile) staticsOf(s *cxxShape) string {
	text := ""
	for _, f := range s.def.statics {
		t, ok := c.typeAt(f.from)
		from, to := f.valueIn(c)
		if named := func(word string) bool {
			return slices.ContainsFunc(c.toks[f.from:f.at], func(t cxxToken) bool { return t.s == word })
		}; named("auto") && from < to {
			t, ok = cxxType{text: c.typeOfValue(from, to), constant: named("const") || named("constexpr"), end: f.at}, true
		}
		if t = c.declared1(t, f.at); !ok || t.elem != nil || t.shape != nil || t.pointers > 0 || t.reference {
			continue
		}
		switch {
		case !t.constant:
			text += fmt.Sprintf(" extern %s %s;", t.text, s.staticName(f))
		case f.value == 0:
			text += fmt.Sprintf(" extern const %s %s;", t.text, s.staticName(f))
		case from == to:
			text += fmt.Sprintf(" static const %s %s = 0;", t.text, s.staticName(f))
		default:
			text += fmt.Sprintf(" static const %s %s = %s;", t.text, s.staticName(f), c.counted(from, to))
		}
	}
	return text
}

// valueIn returns where in c the value of a static member stands.
func (f cxxField) valueIn(c *cxxFile) (from, to int) {
	switch {
	case f.value == 0:
		return 0, 0
	case c.is(f.value, "="):
		return f.value + 1, f.to
	}
	return f.value + 1, c.match[f.value]
}

// staticAt returns the static member that token i begins to name, of which class, and what follows its name; nil, if it names none.
func (c *cxxFile) staticAt(i int) (s *cxxShape, f *cxxField, end int) {
	qualified := c.is(i-1, "::")
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") || qualified && (c.is(i-2, ">") || c.isClass(i-2)) {
		return nil, nil, i
	}
	name := c.toks[i].s
	if c.isClass(i) {
		s, end := c.self, i+1
		if s == nil || s.def.name != name || c.is(i+1, "<") {
			s, end = c.shapeAt(i)
		}
		if s != nil && c.is(end, "::") && c.isWord(end+1) {
			return s, s.def.static(c.toks[end+1].s), end + 2
		}
	}
	if qualified { // by a namespace
		return nil, nil, i
	}
	if (c.is(i+1, ".") || c.is(i+1, "->")) && c.isWord(i+2) { // of an object
		t, at, _ := c.variableAt(i)
		if c.isWord(i, "this") {
			t, at = cxxType{shape: c.self}, i
		}
		if at >= 0 && t.shape != nil && t.elem == nil {
			return t.shape, t.shape.def.static(c.toks[i+2].s), i + 3
		}
	}
	if c.self == nil || c.declaredAt(name, i) >= 0 || c.declares(i) >= 0 {
		return nil, nil, i
	}
	return c.self, c.self.def.static(name), i + 1
}

// static puts the name in C of a static member of a class, which token i begins to name, and returns what follows; i, if it names none.
func (c *cxxFile) static(i int) int {
	s, f, end := c.staticAt(i)
	if f == nil {
		return i
	}
	name := s.staticName(*f)
	if number := s.def.in.numberIn(*f); number != "" { // so that it is known where it is used
		name = number
	}
	c.edit(i, end, name)
	return end
}

// numberIn returns the value of a static member that is a constant int and a number where it is written; "" if it is another one.
func (c *cxxFile) numberIn(f cxxField) string {
	t, ok := c.typeAt(f.from)
	from, to := f.valueIn(c)
	if !ok || !t.constant || t.text != "int" || t.pointers > 0 || t.reference || to != from+1 || c.toks[from].kind != cxxNumber || !fitsInt(c.toks[from].s) {
		return ""
	}
	return c.toks[from].s
}

// namedStatics returns the static members of all classes by their names in C.
func (c *cxxFile) namedStatics() map[string]cxxStatic {
	named := map[string]cxxStatic{}
	for _, k := range c.shapes {
		for _, s := range *k.made {
			for _, f := range k.statics {
				named[s.staticName(f)] = cxxStatic{s.named() + "::" + f.name, s.cname, f.private}
			}
		}
	}
	return named
}

// named returns the name of s in C++.
func (s *cxxShape) named() string {
	name := s.def.item.space + s.def.name
	if len(s.args) > 0 {
		name += "<" + shownTypes.Replace(strings.Join(s.args, ", ")) + ">"
	}
	return name
}

// definesMember reports whether tokens[from:to], a declaration of variables, define a static member of a class.
func (c *cxxFile) definesMember(from, to int) bool {
	for j := from; j < to && !c.is(j, "=") && !c.is(j, "{") && !c.is(j, "(") && !c.is(j, ","); j++ {
		named := c.is(j+1, "=") || c.is(j+1, "{") || c.is(j+1, "(") || c.is(j+1, "[") || c.is(j+1, ",") || c.is(j+1, ";")
		if c.isWord(j) && c.is(j-1, "::") && named && !(c.isWord(j-2) && c.spaces[c.toks[j-2].s]) {
			return true
		}
	}
	return false
}
