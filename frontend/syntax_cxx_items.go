package frontend

import (
	"slices"
	"strings"
)

// This file takes a C++ file apart into its declarations, those in namespaces and in extern "C" included.

// A cxxItem is a declaration outside of functions: tokens[from:to].
type cxxItem struct {
	from, to int
	body     int // the brace that opens the body of a function, 0: it is none
	kind     cxxItemKind
	names    []string // that it declares
	space    string   // the namespaces around it, such as a::b::
	in       *cxxFile
	class    *cxxClass // what it is, or a template of
	member   *cxxClass // the class of which it is a method, defined outside of it
	keep     cxxKeep
	open     int // where the parameters open of an operator that is no member
}

type cxxItemKind uint8

const (
	cxxPlain     cxxItemKind = iota // a variable, a function or a typedef
	cxxUsing                        // using a = type
	cxxRecord                       // a struct, a union or an enumeration
	cxxTemplated                    // a template of functions
	cxxObjects                      // a class that C has as a struct and functions, or a template of such
	cxxAliased                      // another name of a class, by using or typedef
	cxxBeyond                       // a class, another template and what else is not C
)

// A cxxKeep says what of an item is read.
type cxxKeep uint8

const (
	cxxNothing cxxKeep = iota
	cxxHead            // of a function, without its body
	cxxAll
)

// A cxxFile is a C++ file that is being projected to C.
type cxxFile struct {
	text  []byte
	toks  []cxxToken
	match []int

	items      []cxxItem
	dropped    [][2]int                  // tokens of no item that are left out: namespace a { and its }
	spaces     map[string]bool           // names of namespaces, std included
	opened     map[string]bool           // namespaces of using directives, and names of using declarations
	types      map[string]bool           // names of types that are numbers or structs of C
	records    map[string]bool           // those of structs and unions
	classes    map[string]bool           // names of types that are not C
	functions  map[string]bool           // of the file
	operators  map[string][]*cxxTemplate // by their signs: those of classes that are no members
	madeTypes  map[int]cxxType           // of variables that are declared by auto, by the tokens of their names
	within     int                       // the token whose expression is being written, -1: none
	scanned    bool                      // all items are known
	beside     []*cxxFile                // the headers that the file includes
	wrapped    bool                      // math.h or stdlib.h is included by that name, which declares the functions of <cmath> without std::
	constants  map[string]cxxItem
	references map[string][]cxxReference  // by function: its parameters that are references
	defaults   map[string]cxxDefaults     // by function
	templates  map[string]*cxxTemplate    // of functions
	makers     map[string]bool            // functions that return vectors
	unreadable map[string]bool            // names of templates of functions that could not be read
	undeduced  map[string]bool            // templates of functions with calls whose arguments do not tell which function is called
	overloaded map[string]bool            // names of templates of this file: a second one has no name in C
	included   map[string]map[string]bool // the words of files that are included, by the name in the directive

	optional  [][2]int
	edits     []cxxEdit
	claims    []cxxClaim
	vectors   map[string]bool
	snapshots []cxxToken         // parameters that are references
	forced    map[int]int        // how often what begins at an offset could not be read: statements around regions, and declarations
	failing   bool               // the brackets do not match
	pairs     map[string]cxxPair // by their names in C
	complexes bool               // std::complex of float or double is named
	pointed   map[string]bool    // names of references that are pointers in C

	substitute   map[string]string // what stands for the parameters of the template that is written
	instanceArgs []string          // the arguments of that template
	returns      string            // the struct that the function which is written returns, else ""
	copies       []cxxCopies       // regions that are there for several lists of arguments

	enums       map[string]cxxEnum // enumerations with a name
	enumerators map[string]string  // those that arithmetic may not convert to int: of which enumeration they are

	shapes      map[string]*cxxClass  // classes with methods
	self        *cxxShape             // the class whose method is written
	inside      int                   // the token where that method begins
	unchanged   bool                  // that method is const: so are the members of its object
	valued      bool                  // its object is a value in C, called cxxObject
	spans       map[string]bool       // members that are std::span there, and pointers here
	owned       map[string]bool       // members that are std::vector or the like there, and pointers here: Grid.data, of class Grid in C
	ownedAt     map[int]bool          // where the declarations of such variables and parameters begin, by offset
	vectorTypes map[string]cxxAlias   // names that using gives such types
	arrayTypes  map[string]string     // names in C of types of arrays, with their declarations
	classTypes  map[string]cxxAlias   // names that using and typedef give classes
	unusable    []cxxLambda           // that hold copies of what may be set later
	lambdas     []cxxLambda           // that are read, and written where they are called
	lifted      map[string]bool       // names in C of functions that lambdas became
	called      []cxxCall             // where
	passed      map[string]*cxxPassed // lambdas that were passed to the function which is written, by the names of its parameters
	passing     *cxxPassing           // the call that is written, of one that passes lambdas
	refusals    []cxxRefusal          // of what stands in regions
	outside     map[int]bool          // where methods begin that are written and not in their classes
	gone        map[string]bool       // classes and methods that were gone through
	writtenOf   map[string]int        // by template of functions: how many of its instances were written
	templateOf  map[string]string     // by the names of functions that are written for templates with regions: that of the template
}

// A cxxAlias is a type with a name of its own: it begins with token from of a file.
type cxxAlias struct {
	in     *cxxFile
	from   int
	params []cxxTemplateParam // of a template
}

// A cxxReference is a parameter that is a reference, and a pointer in C: to a scalar that the function may change, or to an object.
type cxxReference struct {
	index    int
	name     string
	constant bool   // the function changes nothing by it
	number   string // the type of a number that is only read, in C; "": another type
}

func newCxxFile(text []byte, forced map[int]int, headers *cxxHeaders) *cxxFile {
	c := &cxxFile{
		text: text, spaces: map[string]bool{"std": true}, opened: map[string]bool{}, types: map[string]bool{}, records: map[string]bool{},
		classes: map[string]bool{}, functions: map[string]bool{}, constants: map[string]cxxItem{}, references: map[string][]cxxReference{}, defaults: map[string]cxxDefaults{},
		enums: map[string]cxxEnum{}, enumerators: map[string]string{}, shapes: map[string]*cxxClass{}, owned: map[string]bool{}, spans: map[string]bool{}, ownedAt: map[int]bool{}, vectorTypes: map[string]cxxAlias{}, arrayTypes: map[string]string{}, classTypes: map[string]cxxAlias{}, writtenOf: map[string]int{}, templateOf: map[string]string{}, gone: map[string]bool{}, outside: map[int]bool{}, lifted: map[string]bool{},
		operators: map[string][]*cxxTemplate{}, within: -1, madeTypes: map[int]cxxType{},
		templates: map[string]*cxxTemplate{}, overloaded: map[string]bool{}, undeduced: map[string]bool{}, unreadable: map[string]bool{}, makers: map[string]bool{}, vectors: map[string]bool{}, forced: forced,
	}
	c.toks, c.complexes, c.pairs = joinedTokens(text)
	var ok bool
	if c.match, ok = cxxMatches(c.toks); !ok {
		c.failing = true
		return c
	}
	for _, name := range cxxNumbers {
		c.types[name] = true
	}
	headers.declare(c)
	for name := range c.pairs {
		c.types[name], c.records[name] = true, true
	}
	c.scan(0, len(c.toks), "")
	c.findMembers()
	c.scanned = true
	return c
}

// cxxShared ends the name, in C, of what is called by a name that a function and a template have: which one the arguments of the call tell in C++, and C would take the
// function for both. Nothing has that name.
const cxxShared = "__hexcc_shared"

// isShared reports whether a function and a template of functions have this name.
func (c *cxxFile) isShared(name string) bool {
	return c.functions[name] && (c.overloaded[name] || c.templates[name] != nil)
}

// cxxNumbers are names of types that are numbers in C, too.
var cxxNumbers = strings.Fields(`char short int long unsigned signed float double bool _Bool size_t ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t
	uint64_t intptr_t uintptr_t uint int_fast8_t int_fast16_t int_fast32_t int_fast64_t ` + complexDouble + " " + complexFloat)

// is reports whether token i is s.
func (c *cxxFile) is(i int, s string) bool { return 0 <= i && i < len(c.toks) && c.toks[i].s == s }

// isWord reports whether token i is a word, one of those if some are given.
func (c *cxxFile) isWord(i int, words ...string) bool {
	return 0 <= i && i < len(c.toks) && c.toks[i].kind == cxxWord && (len(words) == 0 || slices.Contains(words, c.toks[i].s))
}

// scan finds the items of tokens[i:end], which are in the namespaces space.
func (c *cxxFile) scan(i, end int, space string) {
	for i < end {
		t := c.toks[i]
		switch {
		case t.kind == cxxDirective || t.s == ";":
			if t.s == ";" {
				c.dropped = append(c.dropped, [2]int{i, i + 1})
			}
			i++
			continue
		case c.isWord(i, "namespace"), c.isWord(i, "inline") && c.isWord(i+1, "namespace"):
			j := i
			name := space
			for j < end && !c.is(j, "{") && !c.is(j, ";") {
				if c.isWord(j) && !c.isWord(j, "namespace", "inline") {
					c.spaces[c.toks[j].s] = true
					name += c.toks[j].s + "::"
				}
				j++
			}
			if c.is(j, "{") {
				c.dropped = append(c.dropped, [2]int{i, j + 1}, [2]int{c.match[j], c.match[j] + 1})
				c.scan(j+1, c.match[j], name)
				i = c.match[j] + 1
				continue
			}
			c.dropped = append(c.dropped, [2]int{i, min(j+1, end)})
			i = j + 1
			continue
		case c.isWord(i, "extern") && i+2 < end && c.toks[i+1].kind == cxxString && c.is(i+2, "{"):
			c.dropped = append(c.dropped, [2]int{i, i + 3}, [2]int{c.match[i+2], c.match[i+2] + 1})
			c.scan(i+3, c.match[i+2], space)
			i = c.match[i+2] + 1
			continue
		}
		it := c.item(i, end)
		if it.space = space; it.class != nil {
			it.class.item.space = space
		}
		c.items = append(c.items, it)
		i = it.to
	}
}

// item returns the item that begins with token i.
func (c *cxxFile) item(i, end int) cxxItem {
	it := cxxItem{from: i, in: c}
	first := i
	for first < end && (c.isWord(first, "static", "inline", "extern", "const", "constexpr") || c.is(first, "[") || c.toks[first].kind == cxxString) {
		if c.is(first, "[") {
			first = c.match[first]
		}
		first++
	}
	beyond := c.isWord(first, "template", "class", "static_assert", "friend", "concept")
	depth := 0 // of < >
	parens := -1
	value, operator := false, false
	for j := i; j < end; j++ {
		switch t := c.toks[j]; {
		case t.kind == cxxDirective:
		case c.isWord(j, "operator"), t.s == "~":
			beyond, operator = true, operator || t.s != "~"
			if c.is(j+1, "=") { // which is no value
				j++
			}
		case t.s == "<" && j > i && (c.toks[j-1].kind == cxxWord):
			depth++
		case t.s == ">" && depth > 0:
			depth--
		case t.s == "(" || t.s == "[":
			if t.s == "(" && parens < 0 && c.isWord(j-2, "operator") && !c.is(j-1, "(") && c.toks[j-1].kind == cxxPunct {
				parens = j
			} else if t.s == "(" && parens < 0 && depth == 0 && !value && c.isWord(j-1) && !c.isWord(j-1, "__attribute__", "alignas", "decltype", "__declspec", "noexcept") {
				parens = j
			}
			j = c.match[j]
		case t.s == "=" && depth == 0:
			value = true
		case t.s == "{":
			isFunction := parens >= 0 && !value && !c.isWord(first, "struct", "union", "class", "enum", "namespace") ||
				parens >= 0 && !value && c.hasBefore(parens, first+1, j) || // a function whose result is struct s
				operator && !value
			if isFunction {
				it.body, it.to = j, c.match[j]+1
				return c.named(it, parens, first, beyond)
			}
			j = c.match[j]
			if c.isWord(first, "namespace") {
				it.to = j + 1
				return it
			}
		case t.s == ";":
			it.to = j + 1
			return c.named(it, parens, first, beyond)
		}
	}
	it.to = end
	return c.named(it, parens, first, true)
}

// hasBefore reports whether the parenthesis at parens follows struct s f: two words after from, and before the brace at to.
func (c *cxxFile) hasBefore(parens, from, to int) bool {
	return parens < to && parens > from+1 && !slices.ContainsFunc(c.toks[from:parens], func(t cxxToken) bool { return t.s == "{" })
}

// named says what kind of item it is, and what it declares. Its parameters open at parens, if it has any.
func (c *cxxFile) named(it cxxItem, parens, first int, beyond bool) cxxItem {
	switch {
	case beyond:
		it.kind = cxxBeyond
		if c.operatorItem(&it, parens) {
			break
		}
		if t := c.template(it, parens); t != nil && c.forced[c.toks[it.from].from] > 0 { // C has no form for it
			c.unreadable[c.toks[parens-1].s] = true
		} else if t != nil {
			it.kind, it.names = cxxTemplated, []string{c.toks[parens-1].s}
			t.item = it
			known := c.templates[it.names[0]]
			switch {
			case c.overloaded[it.names[0]]:
				it.kind, t = cxxBeyond, nil
			case known != nil: // by what headers say
				t.made = known.made
			}
			c.overloaded[it.names[0]] = true
			c.templates[it.names[0]] = t
			break
		}
		if c.asClass(&it) || c.aliasTemplate(it.from) {
			break
		}
		for j := first; c.is(first+1, "<") && c.is(first+2, ">") && j < it.to && !c.is(j, "("); j++ { // a specialisation
			if c.isWord(j) && !c.isWord(j, "template") && c.is(j+1, "<") {
				c.overloaded[c.toks[j].s], c.templates[c.toks[j].s] = true, nil
			}
		}
		for j := first; j < it.to; j++ {
			if c.isWord(j, "class", "struct") && c.isWord(j+1) && !c.is(j-1, "<") && !c.is(j-1, ",") {
				c.classes[c.toks[j+1].s] = true
				break
			}
			if c.is(j, "{") || c.is(j, "(") {
				break
			}
		}
	case c.isWord(first, "using"):
		it.kind = cxxBeyond
		if c.is(first+2, "=") {
			if c.aliasOfVector(first) > first {
				break
			}
			if c.aliasOfClass(c.toks[first+1].s, first+3, it.to-1) {
				it.kind, it.names = cxxAliased, []string{c.toks[first+1].s}
				break
			}
			it.kind, it.names = cxxUsing, []string{c.toks[first+1].s}
			c.types[c.toks[first+1].s] = true
			c.aliasOfEnum(c.toks[first+1].s, first+3)
			break
		}
		for j := first + 1; j < it.to; j++ {
			if c.isWord(j) && !c.isWord(j, "namespace") && !c.is(j+1, "::") {
				c.opened[c.toks[j].s] = true
			}
		}
	case c.isWord(first, "struct", "union", "enum") && it.body == 0 && c.bracesOf(it) > 0:
		it = c.record(it, first)
	case it.body > 0:
		for j := it.from; j < it.body; j++ { // an #ifdef may give it several names
			if c.is(j, "(") && c.isWord(j-1) && (j == parens || c.toks[j-1].s != "__attribute__" && c.holdsDirective(it.from, it.body)) {
				it.names = append(it.names, c.toks[j-1].s)
			}
			if c.is(j, "(") {
				j = c.match[j]
			}
		}
		if c.is(parens-2, "::") {
			it.kind = cxxBeyond // a member
			break
		}
		for _, name := range it.names {
			c.functions[name] = true
		}
		if t, ok := c.typeAt(first); ok && t.elem != nil && !t.reference && t.pointers == t.elem.pointers { // C returns no arrays
			it.kind = cxxBeyond
			for _, name := range it.names {
				c.makers[name] = true
			}
		}
	default:
		c.declared(&it, first)
	}
	return it
}

// holdsDirective reports whether a directive is in tokens[from:to].
func (c *cxxFile) holdsDirective(from, to int) bool {
	return slices.ContainsFunc(c.toks[from:to], func(t cxxToken) bool { return t.kind == cxxDirective })
}

// bracesOf returns the first brace of an item, 0 if it has none.
func (c *cxxFile) bracesOf(it cxxItem) int {
	for j := it.from; j < it.to; j++ {
		if c.is(j, "{") {
			return j
		}
		if c.is(j, "=") {
			return 0
		}
	}
	return 0
}

// record reads struct, union or enum, whose word is at first.
func (c *cxxFile) record(it cxxItem, first int) cxxItem {
	open := c.bracesOf(it)
	it.kind = cxxRecord
	if c.isWord(first, "enum") {
		return c.enumItem(it, first, open)
	}
	if c.isWord(first + 1) {
		it.names = append(it.names, c.toks[first+1].s)
	}
	plain := !c.is(first+2, ":")
	for j := open; j < c.match[open]; j++ {
		if c.is(j, "(") || c.is(j, "<") || c.is(j, "=") || c.is(j, "&") || c.isWord(j, "public", "private", "protected", "static", "using", "operator") || c.is(j, "{") && j > open && !c.isWord(j-1, "struct", "union") ||
			c.isClass(j) || c.isWord(j) && c.vectorTypes[c.toks[j].s].in != nil {
			plain = false
		}
	}
	if !plain && c.asClass(&it) {
		return it
	}
	if c.isWord(first + 1) {
		if c.types[c.toks[first+1].s] = plain; !plain {
			c.classes[c.toks[first+1].s] = true
		} else {
			c.records[c.toks[first+1].s] = true
		}
	}
	c.variablesOf(&it, open)
	if !plain {
		it.kind = cxxBeyond
	}
	return it
}

// variablesOf adds to it the variables that are declared with the type whose braces open there: struct {..} a, b;
func (c *cxxFile) variablesOf(it *cxxItem, open int) {
	for j := c.match[open] + 1; j < it.to; j++ {
		if c.isWord(j) {
			it.names = append(it.names, c.toks[j].s)
		}
	}
}

// declared reads the names of variables, functions or types without bodies.
func (c *cxxFile) declared(it *cxxItem, first int) {
	depth := 0
	name := ""
	if c.definesMember(first, it.to) {
		it.kind = cxxBeyond
		return
	}
	done := func() {
		if name != "" {
			it.names = append(it.names, name)
		}
		name = ""
	}
	value := false
	for j := first; j < it.to; j++ {
		switch t := c.toks[j]; {
		case t.s == "<" && j > first && c.isWord(j-1) && !value:
			depth++
		case t.s == ">" && depth > 0:
			depth--
		case depth > 0:
		case t.s == "(" && !value && (c.is(j+1, "*") || c.is(j+1, "&")):
			name = c.toks[max(c.match[j]-1, 0)].s
			for k := j + 1; k < c.match[j]; k++ {
				if c.isWord(k) && !c.isWord(k, "const", "restrict", "__restrict", "__restrict__") {
					name = c.toks[k].s
					break
				}
			}
			value = true
			j = c.match[j]
		case t.s == "(" || t.s == "[" || t.s == "{":
			value = value || t.s != "["
			j = c.match[j]
		case t.s == "=":
			value = true
		case t.s == ",":
			done()
			value = false
		case t.kind == cxxWord && !value:
			name = t.s
		}
	}
	done()
	if c.isWord(first, "typedef") && len(it.names) == 1 && c.aliasOfClass(it.names[0], first+1, it.to-2) {
		it.kind = cxxAliased
		return
	}
	if c.isWord(first, "typedef") && c.aliasOfVector(first) > first {
		it.kind, it.names = cxxBeyond, nil
		return
	}
	if c.isWord(first, "typedef") {
		for _, n := range it.names {
			c.types[n] = true
		}
	}
	if (c.isWord(first-1, "const", "constexpr") || c.isWord(first, "const")) && len(it.names) > 0 {
		for _, n := range it.names {
			c.constants[n] = *it
		}
	}
}
