package frontend

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads enumerations of C++, in which enumerators are of the type of their enumeration: arithmetic converts them to int only if that holds all of
// its values, or if the type that the enumeration is given is a narrow one. In C they are int.

// A cxxEnum is an enumeration without class.
type cxxEnum struct {
	names []string // of its enumerators
	wide  bool     // arithmetic may not convert it to int
}

// enumAt reads the enumeration whose word is token first, and whose brace is token open.
func (c *cxxFile) enumAt(first, open int) (e cxxEnum) {
	for j := open + 1; j < c.match[open]; j++ {
		if c.isWord(j) && (c.is(j-1, "{") || c.is(j-1, ",")) {
			e.names = append(e.names, c.toks[j].s)
		}
		e.wide = e.wide || c.toks[j].kind == cxxNumber && !fitsInt(c.toks[j].s)
	}
	if colon := c.until(first, open, ":"); colon < open {
		t, ok := c.typeAt(colon + 1)
		e.wide = !ok || !slices.Contains(cxxNarrow, t.text)
	}
	return e
}

// cxxNarrow are types of which arithmetic makes an int.
var cxxNarrow = []string{"int", "char", "signed char", "unsigned char", "short", "short int", "unsigned short", "unsigned short int", "_Bool", "int8_t", "int16_t", "int32_t", "uint8_t", "uint16_t"}

// fitsInt reports whether text is a number that an int holds.
func fitsInt(text string) bool {
	v, err := strconv.ParseInt(strings.ReplaceAll(text, "'", ""), 0, 64)
	return err == nil && v < 1<<31
}

// enumeration writes the enumeration whose word is token first in C. Its name is a type in C++.
func (c *cxxFile) enumeration(it cxxItem, first, open int) {
	outer := c.enumerators
	c.enumerators = nil // in the enumeration, they are numbers
	defer func() { c.enumerators = outer }()
	if !c.isWord(first + 1) {
		c.rewrite(it.from, it.to, true)
		return
	}
	name := c.toks[first+1].s
	under := "enum " + name
	if c.is(first+2, ":") {
		if t, ok := c.typeAt(first + 3); ok && t.end == open {
			under = t.text
		}
		c.edit(first+2, open, "")
	}
	c.rewrite(open, it.to, true)
	c.behind(it.to-1, " typedef "+under+" "+name+";")
}

// enumerator writes an enumerator in C, whose name, with that of its enumeration before it or not, begins with token i, and returns what follows; i, if it is none.
func (c *cxxFile) enumerator(i int) int {
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") {
		return i
	}
	at := i
	if e, ok := c.enums[c.toks[i].s]; ok && c.is(i+1, "::") && c.isWord(i+2, e.names...) {
		at = i + 2
	}
	name := c.toks[at].s
	of, wide := c.enumerators[name]
	switch {
	case at > i && c.isHidden(at):
		c.refuse(at, "in C, which has no scopes in enumerations, both have one name", "give one of them another name", "a variable hides '%s' of enumeration '%s' here", name, c.toks[i].s)
	case at == i && (!wide || c.is(i+1, "::") || c.declaredAt(name, i) >= 0 || c.declares(i) >= 0):
		return i
	case wide:
		c.edit(i, at+1, "(("+of+")"+name+")")
	default:
		c.edit(i, at, "")
	}
	return at + 1
}
