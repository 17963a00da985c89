package frontend

import (
	"slices"
	"strconv"
	"strings"
)

// This file reads enumerations of C++, in which enumerators are of the type of their enumeration: arithmetic converts them to int only if that holds all of
// its values, or if the type that the enumeration is given is a narrow one. In C they are int.

// A cxxEnum is an enumeration.
type cxxEnum struct {
	name   string   // "": it has none
	names  []string // of its enumerators
	wide   bool     // arithmetic may not convert it to int
	scoped bool     // it is an enum class: its name stands before its enumerators, and no arithmetic converts it
}

// enumName returns the token at which the name of the enumeration stands whose word is token first, or would stand, and whether it is an enum class.
func (c *cxxFile) enumName(first int) (at int, scoped bool) {
	if c.isWord(first+1, "class", "struct") {
		return first + 2, true
	}
	return first + 1, false
}

// enumAt reads the enumeration whose word is token first, and whose brace is token open.
func (c *cxxFile) enumAt(first, open int) (e cxxEnum) {
	var at int
	if at, e.scoped = c.enumName(first); c.isWord(at) {
		e.name = c.toks[at].s
	}
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

// enumItem reads it, the enumeration whose word is token first, and whose brace is token open.
func (c *cxxFile) enumItem(it cxxItem, first, open int) cxxItem {
	e := c.enumAt(first, open)
	if e.name != "" {
		it.names = append(it.names, e.name)
		c.enums[e.name], c.types[e.name] = e, true
		for _, n := range e.names {
			if e.wide {
				c.enumerators[e.inC(n)] = e.name
			}
		}
	}
	if !e.scoped {
		it.names = append(it.names, e.names...)
	}
	c.variablesOf(&it, open)
	return it
}

// inC returns the name in C of an enumerator of e: those of an enum class have its name in front, as C has no scopes for them. Names with two underscores
// are not the program's.
func (e cxxEnum) inC(enumerator string) string {
	if e.scoped {
		return e.name + "__" + enumerator
	}
	return enumerator
}

// aliasOfEnum notes that name is another one of the enumeration at token i, if it is one.
func (c *cxxFile) aliasOfEnum(name string, i int) {
	for c.isWord(i) && c.is(i+1, "::") {
		i += 2
	}
	if e, ok := c.enums[c.toks[i].s]; ok && c.is(i+1, ";") {
		c.enums[name] = e
	}
}

// scopedEnums returns the names of types that are enumerations with a scope.
func (c *cxxFile) scopedEnums() map[string]bool {
	scoped := map[string]bool{}
	for name, e := range c.enums {
		scoped[name] = e.scoped
	}
	return scoped
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
	at, scoped := c.enumName(first)
	if !c.isWord(at) {
		c.rewrite(it.from, it.to, true)
		return
	}
	name := c.toks[at].s
	under := "enum " + name
	if scoped {
		under = "int"
		c.edit(first+1, at, "")
	}
	if c.is(at+1, ":") {
		if t, ok := c.typeAt(at + 2); ok && t.end == open {
			under = t.text
		}
		c.edit(at+1, open, "")
	}
	if e := c.enums[name]; scoped { // inside, they have no name in front
		for j := open; j < c.match[open]; j++ {
			if c.isWord(j, e.names...) && !c.is(j-1, "::") {
				c.edit(j, j+1, e.inC(c.toks[j].s))
			}
		}
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
	name := c.toks[i].s
	e, ok := c.enums[name]
	if ok = ok && c.is(i+1, "::") && c.isWord(i+2, e.names...); ok {
		at = i + 2
		name = e.inC(c.toks[at].s)
	}
	of, wide := c.enumerators[name]
	switch {
	case ok && e.scoped && wide:
		c.edit(i, at+1, "(("+of+")"+name+")")
	case ok && e.scoped:
		c.edit(i, at+1, name)
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
