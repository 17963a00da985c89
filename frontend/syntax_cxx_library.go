package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file writes what C++'s library declares in C: functions of <cmath> and <algorithm>, and vectors.

// library rewrites what token i names in namespace std; qualified says that std:: stands before it.
func (c *cxxFile) library(i, to int, qualified bool) int {
	if !c.isWord(i) {
		return i
	}
	name := c.toks[i].s
	visible := qualified || !c.functions[name] && (c.opened["std"] || c.opened[name])
	if name == "vector" && c.is(i+1, "<") {
		return c.vector(i, to)
	}
	if name == "array" && c.is(i+1, "<") {
		return c.array(i, to)
	}
	if c.types[name] && qualified {
		if end := c.conversion(i, to); end > i {
			return end
		}
		return c.initialised(i, to)
	}
	open := i + 1
	given := ""
	if c.is(open, "<") {
		end := c.angle(open)
		if end < 0 || !c.is(end+1, "(") {
			return i + 1
		}
		given, open = c.rewritten(open+1, end), end+1
	}
	if !c.is(open, "(") || c.match[open] <= open {
		return i + 1
	}
	args := c.arguments(open)
	if given == "" && c.complexCall(i, args, visible, qualified) {
		return i + 1
	}
	switch {
	case (name == "max" || name == "min") && visible && len(args) == 2:
		c.edit(i, open, "__hexcc_"+name)
		if given != "" {
			for _, a := range args {
				c.before(a[0], "("+given+")(")
				c.behind(a[1]-1, ")")
			}
		}
	case (name == "max" || name == "min") && visible && given == "" && len(args) == 1 && c.is(args[0][0], "{") && c.match[args[0][0]] == args[0][1]-1:
		c.ofList(i, open, "__hexcc_"+name)
		return c.match[open] + 1
	case name == "clamp" && visible && given == "" && len(args) == 3: // its bounds are in order
		c.edit(i, open, "__hexcc_min(__hexcc_max")
		c.behind(args[1][1]-1, ")")
	case name == "swap" && visible && len(args) == 2:
		c.edit(i, i+1, "__hexcc_swap")
	case name == "move" && qualified:
		c.edit(i, i+1, "")
	case c.functions[name] && !qualified:
	case name == "abs" && len(args) == 1:
		if visible || c.wrapped {
			c.edit(i, i+1, "__hexcc_abs")
			c.claim(qualified, "abs", "abs(0.0)", 8)
		} else {
			c.claim(qualified, "abs", "abs(0.0)", 4)
		}
	default:
		n, known := scop.Computable(name)
		single := strings.HasSuffix(name, "f") && name != "erf"
		if !known || n != len(args) || single || name == "labs" || name == "llabs" {
			break
		}
		if visible || c.wrapped {
			c.edit(i, i+1, fmt.Sprintf("__hexcc_%d", n))
			c.before(open+1, name+", ")
			c.claim(qualified, name, name+strings.Repeat("(0.0f", 1)+strings.Repeat(", 0.0f", n-1)+")", 4)
		} else {
			c.claim(qualified, name, name+"(0.0f"+strings.Repeat(", 0.0f", n-1)+")", 8)
		}
	}
	return i + 1
}

// ofList rewrites the call of a function of a list, min({a, b, c}), as calls of the one of two.
func (c *cxxFile) ofList(i, open int, name string) {
	text := ""
	for k, a := range c.arguments(open + 1) {
		if x := c.rewritten(a[0], a[1]); k == 0 {
			text = x
		} else {
			text = name + "(" + text + ", " + x + ")"
		}
	}
	c.edit(i, c.match[open]+1, text)
}

// claim notes which of the functions called name is seen without std::.
func (c *cxxFile) claim(qualified bool, name, text string, size int64) {
	claim := cxxClaim{name: fmt.Sprintf("%s_is_of_%d_bytes", name, size), text: text, size: size}
	if !qualified && !slices.Contains(c.claims, claim) {
		c.claims = append(c.claims, claim)
	}
}

// vector rewrites the declaration of vectors, whose word is token i.
func (c *cxxFile) vector(i, to int) int {
	end := c.angle(i + 1)
	if end < 0 || !c.isWord(end+1) {
		return i + 1
	}
	elem := c.rewritten(i+2, end)
	if t, ok := c.typeAt(i + 2); ok && t.elem != nil && t.end == end {
		if named, isArray := c.elementType(t); isArray && t.dims != "" {
			elem = named.text
		} else if t.dims == "" {
			elem = strings.TrimSpace(t.inC())
		}
	}
	if strings.Contains(elem, "<") || elem == "_Bool" {
		return i + 1
	}
	return c.vectorsOf(i, end+1, to, elem)
}

// vectorsOf rewrites the declaration of vectors of elem, whose type is tokens[i:j].
func (c *cxxFile) vectorsOf(i, j, to int, elem string) int {
	c.edit(i, j, strings.TrimRight(elem, "* "))
	for j < to && c.isWord(j) {
		name := c.toks[j].s
		count := "__hexcc_use(0)"
		next := j + 1
		switch {
		case c.is(next, "("):
			if a := c.arguments(next)[0]; !c.vectors[c.toks[a[0]].s] && !c.resized(name) && c.until(a[0], a[1], ".") == a[1] {
				count = c.rewritten(a[0], a[1])
			}
			next = c.match[next] + 1
		case c.is(next, "{"):
			next = c.match[next] + 1
		case c.is(next, "="):
			for next < to && !c.is(next, ",") && !c.is(next, ";") {
				if c.is(next, "(") || c.is(next, "{") || c.is(next, "[") {
					next = c.match[next]
				}
				next++
			}
		}
		c.block(j, next, elem, count)
		if !c.is(next, ",") {
			return next
		}
		j = next + 1
	}
	return j
}

// array rewrites the declaration of variables of type std::array, whose word is token i.
func (c *cxxFile) array(i, to int) int {
	t, ok := c.typeAt(i - 2)
	if c.opened["std"] && !c.is(i-1, "::") {
		t, ok = c.typeAt(i)
	}
	if !ok || t.dims == "" || !c.isWord(t.end) {
		return i + 1
	}
	return c.arraysOf(i, t)
}

// aliased rewrites the declaration of vectors or arrays by a name of their type, token i.
func (c *cxxFile) aliased(i, to int) int {
	t, ok := c.typeAt(i)
	switch {
	case !ok || t.elem == nil || t.reference || t.end != i+1 && !c.is(t.end-1, ">") || !c.isWord(t.end) || c.is(t.end+1, "::"):
		return i + 1
	case t.dims != "":
		return c.arraysOf(i, t)
	case t.elem.shape != nil:
		return i + 1
	}
	return c.vectorsOf(i, t.end, to, strings.TrimSpace(t.elem.inC()))
}

// arraysOf rewrites the declaration of arrays, whose type, t, begins with token i.
func (c *cxxFile) arraysOf(i int, t cxxType) int {
	c.edit(i, t.end, t.text+" "+strings.Repeat("*", t.pointers))
	j := t.end
	for c.isWord(j) && t.isVectors() { // with what they begin with left out
		end := min(c.until(j, len(c.toks), ","), c.until(j, len(c.toks), ";"))
		c.edit(j, end, map[bool]string{true: strings.Repeat("*", t.pointers)}[j > t.end]+c.toks[j].s+t.dims)
		if !c.is(end, ",") {
			return end
		}
		j = end + 1
	}
	for c.isWord(j) {
		c.behind(j, t.dims)
		next := j + 1
		open := next
		if c.is(open, "=") {
			open++
		}
		if c.is(open, "{") {
			if open == next {
				c.before(open, " = ")
			}
			if c.match[open] == open+1 {
				c.before(open+1, "0")
			}
			from, end := c.inBraces(open)
			for _, a := range c.arguments(from - 1) {
				if t.elem.dims != "" && c.is(a[0], "{") { // arrays in it
					c.inBraces(a[0])
				}
			}
			c.rewrite(from, end, false)
			next = c.match[open] + 1
		}
		if !c.is(next, ",") {
			return next
		}
		j = next + 1
	}
	return j
}

// inBraces returns the values of a std::array between the braces that open there: in those of the array that it holds, {{1, 2}}, which are left out, where they are given.
func (c *cxxFile) inBraces(open int) (from, end int) {
	from, end = open+1, c.match[open]
	if c.is(from, "{") && c.match[from] == end-1 {
		c.edit(from, from+1, "")
		c.edit(end-1, end, "")
		from, end = from+1, end-1
	}
	return from, end
}

// counted returns tokens[from:to], the extent of an array, in C, with the values of constants: in C no variable is one.
func (c *cxxFile) counted(from, to int) string {
	sub := *c
	sub.edits, sub.substitute = nil, maps.Clone(c.substitute)
	for j := from; j < to; j++ {
		if value, ok := c.constant(j, maxCounted); ok {
			if sub.substitute == nil {
				sub.substitute = map[string]string{}
			}
			sub.substitute[c.toks[j].s] = value
		}
	}
	return sub.rewritten(from, to)
}

// constant returns the value, in C, of the constant that token i names.
func (c *cxxFile) constant(i, depth int) (value string, ok bool) {
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") || depth == 0 || c.substitute[c.toks[i].s] != "" {
		return "", false
	}
	t, at, member := c.variableAt(i)
	if at < 0 && c.self != nil {
		if f := c.self.def.static(c.toks[i].s); f != nil {
			if u, ok := c.typeAt(f.from); ok {
				t, at = u, f.at
			}
		}
	}
	if at < 0 && c.is(i-1, "::") {
		t, at = c.inNamespace(i)
	}
	if at < 0 || member || !t.constant || t.pointers > 0 || !slices.Contains(cxxCounts, t.text) || !c.is(at+1, "=") && !c.is(at+1, "{") {
		return "", false
	}
	value = "("
	for j := at + 2; !c.is(j, ",") && !c.is(j, ";") && !c.is(j, "}"); j++ {
		switch t := c.toks[j]; {
		case t.kind == cxxWord:
			v, ok := c.constant(j, depth-1)
			if !ok {
				return "", false
			}
			value += v
		case t.kind == cxxNumber || t.kind == cxxPunct && !c.is(j, "["):
			value += t.s
		default:
			return "", false
		}
	}
	return value + ")", true
}

// inNamespace returns the type of the variable of a namespace that token i names behind ::, and where it is declared; -1 if it is none of this file.
func (c *cxxFile) inNamespace(i int) (t cxxType, at int) {
	for _, it := range c.items {
		if it.body > 0 || !c.isWord(i-2) || !strings.HasSuffix("::"+it.space, "::"+c.toks[i-2].s+"::") || !slices.Contains(it.names, c.toks[i].s) {
			continue
		}
		for j := it.from; j < it.to; j++ {
			if t, ok := c.typeAt(it.from); ok && c.isWord(j, c.toks[i].s) && c.declares(j) >= 0 {
				return c.declared1(t, j), j
			}
		}
	}
	return t, -1
}

// maxCounted bounds how many constants are made of each other.
const maxCounted = 8

// cxxCounts are types of constants that extents are made of.
var cxxCounts = []string{"int", "unsigned", "unsigned int", "long", "size_t", "unsigned long", "short"}

// resized reports whether vector name may change its size.
func (c *cxxFile) resized(name string) bool {
	for j := range c.toks {
		if c.isWord(j, name) && (c.is(j+1, "=") || c.is(j+1, ".") && !c.isWord(j+2, "data", "size", "begin", "end", "cbegin", "cend", "front", "back", "at", "empty")) {
			return true
		}
	}
	return false
}

// ofVector rewrites a member of the vector that token i names.
func (c *cxxFile) ofVector(i, to int) int {
	switch {
	case c.isWord(i+2, "data") && c.is(i+3, "(") && c.is(i+4, ")"):
		c.edit(i+1, i+5, "")
		return i + 5
	case c.isWord(i+2, "size") && c.is(i+3, "(") && c.is(i+4, ")"):
		c.edit(i, i+5, "("+c.countOf(i)+")")
		return i + 5
	case c.isWord(i+2, "swap") && c.is(i+3, "("):
		c.edit(i, i+4, "__hexcc_swap("+c.toks[i].s+", ")
		return i + 4
	case c.isWord(i+2, "push_back", "emplace_back") && c.is(i+3, "(") && c.grows(i):
		c.edit(i, i+4, "__hexcc_use(0, ") // it reads what it keeps, and nothing else in the region sees it
		c.rewrite(i+4, c.match[i+3], false)
		return c.match[i+3] + 1
	case c.isWord(i+2, "begin", "end", "cbegin", "cend", "rbegin", "rend") && i+3 < to && c.is(i+3, "("):
		c.refuse(i, "of the algorithms that go over places, std::fill, std::copy, and std::transform and std::for_each with a lambda in the call are read", "write it as a loop over the elements", "'%s.%s()' is a place in a vector", c.toks[i].s, c.toks[i+2].s)
	}
	return i + 1
}

// grows reports whether the call of push_back of the vector that token i names is a statement that a region or a function holds, with one number, and
// the vector is not used in any other way there.
func (c *cxxFile) grows(i int) bool {
	close := c.match[i+3]
	if c.is(i-1, ".") || c.is(i-1, "->") || !c.is(close+1, ";") || len(c.arguments(i+3)) != 1 || !c.isValue(i+4, close) {
		return false
	}
	from, to := i, i
	for from > 0 && c.mark(from) == "" {
		from--
	}
	for to < len(c.toks) && c.mark(to) == "" {
		to++
	}
	if c.mark(from) != "scop" || to == len(c.toks) || c.mark(to) != "endscop" {
		return false
	}
	for j := from; j < to; j++ {
		if c.isWord(j, c.toks[i].s) && j != i && !(c.is(j+1, ".") && c.isWord(j+2, "push_back", "emplace_back")) {
			return false
		}
	}
	return true
}
