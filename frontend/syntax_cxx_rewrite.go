package frontend

import (
	"fmt"
	"strings"
)

// This file writes tokens of C++ in C.

// cxxWords are words of C++ that have others in C.
var cxxWords = map[string]string{
	"bool": "_Bool", "true": "1", "false": "0", "nullptr": "((void *)0)", "typename": "", "thread_local": "_Thread_local", "constinit": "",
	"__restrict": "restrict", "__restrict__": "restrict", complexDouble: complexDouble, complexFloat: complexFloat,
}

// rewrite edits tokens[from:to] to be C; outside says that they are no statements.
func (c *cxxFile) rewrite(from, to int, outside bool) {
	for i := from; i < to; {
		i = c.rewriteOne(i, to, outside)
	}
}

// rewriteOne edits what begins with token i, and returns what comes behind it.
func (c *cxxFile) rewriteOne(i, to int, outside bool) int {
	t := c.toks[i]
	if end := c.operatorsAt(i, to); end > i && !outside {
		return end
	}
	if end := c.valueOf(i, to); end > i {
		return end
	}
	if end := c.complexAt(i, to, outside); end > i {
		return end
	}
	if !outside {
		if end := c.pairAt(i, to); end > i {
			return end
		}
	}
	switch t.kind {
	case cxxDirective, cxxString:
		if t.kind == cxxString && c.isWord(i-1, "extern") {
			c.edit(i, i+1, "")
		}
		return i + 1
	case cxxNumber:
		if strings.Contains(t.s, "'") {
			c.edit(i, i+1, strings.ReplaceAll(t.s, "'", ""))
		}
		return i + 1
	case cxxPunct:
		if c.is(i, "(") {
			if end := c.object(i, to); end > i {
				return end
			}
		}
		switch {
		case t.s == "::" && !c.isWord(i-1) && c.isHidden(i+1):
			return i + 2 // no C
		case t.s == "::" && !c.isWord(i-1):
			c.edit(i, i+1, "")
		case t.s == "[" && c.isExtent(i):
			c.edit(i+1, c.match[i], c.counted(i+1, c.match[i]))
			return c.match[i] + 1
		case t.s == "[" && c.is(i+1, "[") && c.match[i] == c.match[i+1]+1: // an attribute
			c.edit(i, c.match[i]+1, "")
			return c.match[i] + 1
		}
		return i + 1
	}
	if end := c.stream(i, to); end > i {
		return end
	}
	if end := c.rangeFor(i, to); end > i {
		return end
	}
	if end := c.ifWithValue(i, to); end > i {
		return end
	}
	if c.isWord(i, "return") && c.is(i+1, "{") && c.returns != "" {
		if s := c.shapeCalled(c.returns); s != nil && c.makeObject(s, i+1, i+1) {
			return c.match[i+1] + 1
		}
		c.before(i+1, "("+c.returns+")")
		return i + 1
	}
	if end := c.algorithm(i, to); end > i {
		return end
	}
	if end := c.transforms(i, to); end > i {
		return end
	}
	if end := c.assignsVector(i, to); end > i {
		return end
	}
	if end := c.ownsObject(i); end > i {
		return end
	}
	if end := c.bound(i, to); end > i {
		return end
	}
	if end := c.static(i); end > i {
		return end
	}
	if end := c.enumerator(i); end > i {
		return end
	}
	if end := c.declaresObjects(i, to); end > i {
		return end
	}
	if end := c.assignsArray(i, to); end > i {
		return end
	}
	if end := c.lambda(i); end > i {
		return end
	}
	if end := c.lambdaCall(i); end > i {
		return end
	}
	if end := c.passes(i); end > i {
		return end
	}
	if end := c.object(i, to); end > i {
		return end
	}
	if c.isWord(i, "auto", "std", "unique_ptr") || c.vectorTypes[t.s].in != nil {
		if end := c.owns(i); end > i {
			return end
		}
	}
	member := c.is(i-1, ".") || c.is(i-1, "->")
	switch {
	case member:
		return i + 1
	case c.isWord(i, "static_cast", "const_cast", "reinterpret_cast") && c.is(i+1, "<"):
		end := c.angle(i + 1)
		if end < 0 || !c.is(end+1, "(") {
			return i + 1
		}
		c.edit(i, end+1, "("+c.rewritten(i+2, end)+")")
		return end + 1
	case c.is(i+1, "::") && c.spaces[t.s] && t.s != "std" && c.isHidden(i+2):
		c.refuse(i+2, "in C, which has no namespaces, both have one name", "give one of them another name", "a variable hides '%s' of namespace '%s' here", c.toks[i+2].s, t.s)
		return i + 3 // no C, where it is used by a function that a region calls
	case c.is(i+1, "::") && c.spaces[t.s]:
		c.edit(i, i+2, "")
		if t.s == "std" && i+2 < to {
			return c.library(i+2, to, true)
		}
		return i + 2
	case c.isWord(i, "constexpr") && c.isWord(i-1, "if"):
		c.edit(i, i+1, "")
		return i + 1
	case c.isWord(i, "constexpr", "consteval"):
		c.edit(i, i+1, c.constantWord(i, outside))
		return i + 1
	case c.isWord(i, "inline") && (c.isWord(i+1, "constexpr") || c.isWord(i+1, "const")):
		c.edit(i, i+1, "static")
		return i + 1
	case c.isWord(i, "noexcept"):
		end := i + 1
		if c.is(end, "(") {
			end = c.match[end] + 1
		}
		c.edit(i, end, "")
		return end
	case c.isWord(i, "using") && c.is(i+2, "="):
		end := c.until(i, to, ";") + 1
		c.alias(i, min(end, to))
		c.types[c.toks[i+1].s] = true
		return end
	case c.isWord(i, "using"):
		end := c.until(i, to, ";")
		for j := i; j < end; j++ {
			if c.isWord(j) {
				c.opened[c.toks[j].s] = true
			}
		}
		c.edit(i, end, "")
		return end
	case c.isWord(i, "auto"):
		return c.auto(i, to)
	case c.isWord(i, "new"):
		return c.allocation(i, to)
	case c.isWord(i, "delete"):
		j := i + 1
		if c.is(j, "[") {
			j = c.match[j] + 1
		}
		c.edit(i, j, "__hexcc_delete(")
		c.before(c.until(j, to, ";"), ")")
		return j
	case c.vectorTypes[t.s].in != nil:
		return c.aliased(i, to)
	case c.isWord(i, "vector", "array") && c.is(i+1, "<") && c.opened["std"]:
		return c.library(i, to, true)
	case cxxWords[t.s] != "" || t.s == "typename":
		if end := c.conversion(i, to); end > i {
			return end
		}
		c.edit(i, i+1, cxxWords[t.s])
		return i + 1
	case c.pairs[t.s].types != nil:
		c.edit(i, i+1, t.s)
		return i + 1
	case c.types[t.s]:
		if end := c.conversion(i, to); end > i {
			return end
		}
		c.substituted(i)
		return c.initialised(i, to)
	case c.substitute[t.s] != "":
		c.substituted(i)
		return i + 1
	case c.pointed[t.s]:
		c.edit(i, i+1, "(*"+t.s+")")
		return i + 1
	case c.vectors[t.s] && c.is(i+1, "."):
		return c.ofVector(i, to)
	case c.is(i+1, "(") && !outside && c.isShared(t.s):
		c.edit(i, i+1, t.s+cxxShared)
		return i + 1
	case c.templates[t.s] != nil && (c.is(i+1, "<") || c.is(i+1, "(")):
		if name, open, ok := c.instance(i); ok {
			c.edit(i, open, name)
			c.withDefaults(name, open)
			c.pass(name, open)
			return open
		}
		c.undeduced[t.s] = c.undeduced[t.s] || c.is(i+1, "(")
		return i + 1
	case c.is(i+1, "(") && c.makers[t.s]:
		c.refuse(i, "C returns no arrays, and each call allocates one", "let it set a vector that it is given: void step(const std::vector<double> &u, std::vector<double> &v)",
			"function '%s' returns a vector or an array", t.s)
		return i + 1
	case c.is(i+1, "("):
		c.withDefaults(t.s, i+1)
		if len(c.references[t.s]) > 0 {
			c.pass(t.s, i+1)
			return i + 1
		}
		return c.library(i, to, false)
	}
	return i + 1
}

// ifWithValue rewrites if (double x = f(y); x > 0) .. , a statement that token i begins, and returns what follows it; i, if it is another one.
func (c *cxxFile) ifWithValue(i, to int) int {
	if !c.isWord(i, "if") || !c.is(i+1, "(") {
		return i
	}
	close := c.match[i+1]
	semicolon := c.until(i+2, close, ";")
	if semicolon == close {
		return i
	}
	end := (&cxxAround{cxxFile: c}).after(i, to)
	c.before(i, "{ "+c.rewritten(i+2, semicolon+1)+" ")
	c.edit(i+2, semicolon+1, "")
	c.rewrite(semicolon+1, end, false)
	c.behind(end-1, " }")
	return end
}

// recordIn returns the struct of C that the type at token i is, as C names it; "" if it is another type.
func (c *cxxFile) recordIn(i int) string {
	t, ok := c.typeAt(i)
	if !ok || t.pointers > 0 || t.reference || t.elem != nil || t.shape == nil && !c.records[t.text] || t.shape != nil && !t.shape.isValue() {
		return ""
	}
	return t.text
}

// isHidden reports whether a variable of a function or a member would be what the name at token i, which is qualified, stood for without its namespace.
func (c *cxxFile) isHidden(i int) bool {
	if !c.isWord(i) || c.is(i+1, "::") {
		return false
	}
	at := c.declaredAt(c.toks[i].s, i)
	for _, it := range c.items {
		if it.from <= at && at < it.to {
			return it.body > 0 || it.class != nil
		}
	}
	return at >= 0
}

// substituted puts what the parameter of a template, which token i names, stands for.
func (c *cxxFile) substituted(i int) {
	if text := c.substitute[c.toks[i].s]; text != "" {
		c.edit(i, i+1, text)
	}
}

// until returns the next token s from i on that is in no brackets, to if there is none.
func (c *cxxFile) until(i, to int, s string) int {
	for i < to && !c.is(i, s) {
		if c.is(i, "(") || c.is(i, "[") || c.is(i, "{") {
			i = c.match[i]
		}
		i++
	}
	return min(i, to)
}

// angle returns the > that closes the < at i, or -1.
func (c *cxxFile) angle(i int) int {
	depth := 0
	for ; i < len(c.toks); i++ {
		switch {
		case c.is(i, "<"):
			depth++
		case c.is(i, ">"):
			if depth--; depth == 0 {
				return i
			}
		case c.is(i, ";") || c.is(i, "{"):
			return -1
		case c.is(i, "("):
			i = c.match[i]
		}
	}
	return -1
}

// constantWord returns what stands for constexpr, the token i.
func (c *cxxFile) constantWord(i int, outside bool) string {
	for j := i; j < len(c.toks) && !c.is(j, "=") && !c.is(j, ";") && !c.is(j, "{"); j++ {
		if c.is(j, "(") && c.isWord(j-1) { // a function
			if c.isWord(i-1, "inline", "static") || c.isWord(i+1, "inline", "static") {
				return ""
			}
			return "static inline"
		}
	}
	if !outside || c.isWord(i-1, "static", "inline") || c.isWord(i+1, "static", "inline") {
		return "const"
	}
	return "static const"
}

// auto rewrites a declaration whose type is that of its value.
func (c *cxxFile) auto(i, to int) int {
	j := i + 1
	for c.isWord(j, "const") {
		j++
	}
	pointer := c.is(j, "*")
	if pointer {
		j++
	}
	for c.isWord(j, "const", "__restrict", "__restrict__") {
		j++
	}
	if !c.isWord(j) || !c.is(j+1, "=") {
		return i + 1
	}
	if t, ok := c.constructed(j + 2); ok && !pointer {
		value := "0"
		for _, a := range c.arguments(t.end) {
			value += ", " + c.made(a[0], a[1])
		}
		c.edit(i, i+1, t.shape.cname)
		c.edit(j+2, c.match[t.end]+1, t.shape.cname+"__any("+value+")")
		return c.match[t.end] + 1
	}
	end := j + 2
	for end < to && !c.is(end, ",") && !c.is(end, ";") && !c.is(end, ")") {
		if c.is(end, "(") || c.is(end, "[") || c.is(end, "{") {
			end = c.match[end]
		}
		end++
	}
	typ := c.typeOfValue(j+2, end)
	if pointer {
		typ = fmt.Sprintf("__typeof__(*(%s))", c.rewritten(j+2, end))
	}
	c.edit(i, i+1, typ)
	return i + 1
}

// typeOfValue returns the type, in C, of a variable that is initialised with tokens[from:to].
func (c *cxxFile) typeOfValue(from, to int) string {
	if c.isTruth(from, to) {
		return "_Bool"
	}
	return fmt.Sprintf("__typeof__((0, (%s)))", c.rewritten(from, to))
}

// isTruth reports whether tokens[from:to] are a comparison or the like, which has type bool in C++ and int in C.
func (c *cxxFile) isTruth(from, to int) bool {
	if to == from+1 && c.isWord(from, "true", "false") || c.is(from, "!") {
		return true
	}
	found := false
	for j := from; j < to; j++ {
		switch {
		case c.is(j, "(") || c.is(j, "["):
			if j == from && c.match[j] == to-1 {
				return c.isTruth(j+1, to-1)
			}
			j = c.match[j]
		case c.is(j, "?"):
			return false
		case c.isWord(j) && c.is(j+1, "<") && c.angle(j+1) > 0 && c.is(c.angle(j+1)+1, "("):
			j = c.angle(j + 1)
		case j > from && (c.is(j, "<") || c.is(j, ">") || c.is(j, "<=") || c.is(j, ">=") || c.is(j, "==") || c.is(j, "!=") || c.is(j, "&&") || c.is(j, "||")):
			found = true
		}
	}
	return found
}

// allocation rewrites new T[n].
func (c *cxxFile) allocation(i, to int) int {
	open := i + 1
	for open < to && !c.is(open, "[") && !c.is(open, ";") && !c.is(open, "(") {
		open++
	}
	if !c.is(open, "[") {
		return i + 1
	}
	end := c.match[open] + 1
	rest := end
	for c.is(end, "[") {
		end = c.match[end] + 1
	}
	typ, count, dims := c.rewritten(i+1, open), c.rewritten(open+1, c.match[open]), c.rewritten(rest, end)
	pointer := typ + " *"
	if dims != "" {
		pointer = typ + " (*)" + dims
	}
	if (c.is(end, "(") || c.is(end, "{")) && c.match[end] == end+1 {
		end += 2
	}
	c.edit(i, end, fmt.Sprintf("((%s)calloc((%s), sizeof(%s%s)))", pointer, count, typ, dims))
	return end
}

// conversion rewrites double(x), where the type is token i; it returns i if that is none.
func (c *cxxFile) conversion(i, to int) int {
	open := i + 1
	if !c.is(open, "(") && !c.is(open, "{") || c.is(open+1, "*") || c.is(open+1, "&") || c.match[open] == open+1 {
		return i
	}
	before := i - 1
	for c.is(before, "::") || c.isWord(before, "std") {
		before--
	}
	if before < 0 || c.toks[before].kind == cxxWord && !c.isWord(before, "return") || c.toks[before].kind == cxxNumber || c.is(before, ")") || c.is(before, "]") || c.is(before, ";") || c.is(before, "}") || c.is(before, "{") && c.is(open, "{") && !c.records[c.toks[i].s] {
		return i
	}
	name := c.toks[i].s
	if w, ok := cxxWords[name]; ok {
		name = w
	}
	if text := c.substitute[name]; text != "" {
		name = text
	}
	c.edit(i, i+1, "("+name+")")
	if c.is(open, "{") && !c.records[c.toks[i].s] {
		c.edit(open, open+1, "(")
		c.edit(c.match[open], c.match[open]+1, ")")
	}
	return i + 1
}

// isExtent reports whether token i opens an extent of an array that is declared, and that is a number and in C would be none.
func (c *cxxFile) isExtent(i int) bool {
	for j := i + 1; j < c.match[i]; j++ {
		if c.isWord(j) {
			if _, ok := c.constant(j, maxCounted); !ok {
				return false
			}
		}
	}
	for c.is(i-1, "]") {
		i = c.match[i-1]
	}
	return c.isWord(i-1) && c.match[i] > i+1 && c.declares(i-1) >= 0
}

// initialised rewrites T x{value}, where the type is token i.
func (c *cxxFile) initialised(i, to int) int {
	if !c.isWord(i+1) || !c.is(i+2, "{") || c.isWord(i+1, "const") || c.isWord(i-1, "struct", "union", "enum", "namespace") {
		return i + 1
	}
	open := i + 2
	switch {
	case c.records[c.toks[i].s]:
		c.before(open, "= ")
		if c.match[open] == open+1 {
			c.before(open+1, "0")
		}
	case c.match[open] == open+1:
		c.edit(open, open+2, "= 0")
	default:
		c.edit(open, open+1, "= (")
		c.edit(c.match[open], c.match[open]+1, ")")
	}
	return i + 2
}

// arguments returns the arguments between the parentheses at open.
func (c *cxxFile) arguments(open int) (list [][2]int) {
	return c.argumentsIn(open+1, c.match[open])
}
