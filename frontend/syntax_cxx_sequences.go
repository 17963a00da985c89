package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes loops over all elements of vectors, arrays and lists in C, with an index: for (double &x : u) x *= 0.5; the element
// stands for the variable, and members of it for the names of a structured binding.

// A cxxSequence is a vector or an array.
type cxxSequence struct {
	text  string // in C
	count string // of its elements
	first string // what its first element is behind that of the vector, with a plus; "": it is that one
	at    int    // the token that names it
	elem  cxxType
}

// sequence returns the vector or array that tokens[from:to] name; ok is false if they name none.
func (c *cxxFile) sequence(from, to int) (s cxxSequence, ok bool) {
	if to != from+1 || !c.isWord(from) || c.substitute[c.toks[from].s] != "" {
		return s, false
	}
	t, at, _ := c.variableAt(from)
	if at < 0 {
		return s, false
	}
	s = cxxSequence{text: c.rewritten(from, to), at: from}
	switch {
	case t.elem != nil && t.dims != "":
		s.elem = *t.elem
		s.count = strings.TrimPrefix(t.dims, "[")
		s.count = s.count[:strings.IndexByte(s.count, ']')]
	case t.elem != nil:
		s.elem, s.count = *t.elem, c.countOf(from)
	case c.is(at+1, "[") && c.match[at+1] > at+2:
		s.elem, s.count = t, c.counted(at+2, c.match[at+1])
		if next := c.match[at+1] + 1; c.is(next, "[") { // an array of rows
			s.elem.dims = "[" + c.counted(next+1, c.match[next]) + "]"
		}
	default:
		return s, false
	}
	return s, true
}

// element returns the element of s with an index.
func (s cxxSequence) element(index string) string { return s.text + "[" + s.first + index + "]" }

// loop returns the head of a loop over s by an index.
func (s cxxSequence) loop(index string) string {
	return fmt.Sprintf("for (unsigned long %[1]s = 0; %[1]s < %[2]s; %[1]s++)", index, s.count)
}

// indexName returns a name of an index for the statement that token i begins.
func indexName(i int) string { return fmt.Sprintf("hexcc_index%d", i) }

// rangeFor writes a loop over all elements of something, which token i begins, as one with an index, and returns what follows it; i if it is another statement, or if C has
// no form for it.
func (c *cxxFile) rangeFor(i, to int) int {
	if !c.isWord(i, "for") || !c.is(i+1, "(") {
		return i
	}
	open, close := i+1, c.match[i+1]
	colon := c.until(open+1, close, ":")
	if colon == close || c.until(open+1, close, ";") < close || !c.isWord(colon-1) && !c.is(colon-1, "]") {
		return i
	}
	end := (&cxxAround{cxxFile: c}).after(close+1, to)
	names, last := c.boundNames(colon)
	body := [2]int{close + 1, end}
	head, put := "", map[string]string{}
	switch s, ok := c.sequence(colon+1, close); {
	case slices.ContainsFunc(names, func(name string) bool { return c.declaredIn(name, body) }): // by what stands for them
	case ok && (c.is(last, "&") || c.is(last, "&&") || !slices.ContainsFunc(names, func(name string) bool { return !c.isCopy(name, s, body) })):
		if put, ok = c.partsOf(s, s.element(indexName(i)), names, c.is(colon-1, "]")); ok {
			head = s.loop(indexName(i))
		}
	case len(names) == 1 && !c.is(colon-1, "]") && c.is(colon+1, "{") && c.match[colon+1] == close-1 && !c.setIn(names[0], body):
		if head, put[names[0]] = c.overList(i, colon); put[names[0]] == "" {
			put = nil
		}
	}
	if head == "" {
		c.refuse(i, "what it goes over must be a vector, an array or a list of numbers that is known here, and a copy of an element must not be set, nor the elements while it is one",
			"let the variable be a reference, or write the loop with an index", "C has no form for this loop over all elements")
		return i
	}
	c.edit(i, close+1, head)
	outer := c.substitute
	c.substitute = maps.Clone(outer)
	if c.substitute == nil {
		c.substitute = map[string]string{}
	}
	maps.Copy(c.substitute, put)
	c.rewrite(close+1, end, false)
	c.substitute = outer
	return end
}

// boundNames returns the names that a loop declares in front of colon, one or, between brackets, several, and the token in front of them.
func (c *cxxFile) boundNames(colon int) (names []string, before int) {
	if !c.is(colon-1, "]") {
		return []string{c.toks[colon-1].s}, colon - 2
	}
	open := c.match[colon-1]
	for _, a := range c.argumentsIn(open+1, colon-1) {
		names = append(names, c.toks[a[0]].s)
	}
	return names, open - 1
}

// partsOf returns what stands for names: for the element of s, or, of a structured binding, for its members or elements, in order; ok is false if these are not known.
func (c *cxxFile) partsOf(s cxxSequence, element string, names []string, binding bool) (put map[string]string, ok bool) {
	if !binding {
		return map[string]string{names[0]: element}, true
	}
	put = map[string]string{}
	parts := c.membersOf(s.elem, len(names))
	if len(parts) != len(names) {
		return nil, false
	}
	for k, name := range names {
		put[name] = "(" + element + parts[k] + ")"
	}
	return put, true
}

// membersOf returns the n members of a type in the order of their declarations, as what follows an object, or the elements of an array; nil if they are others.
func (c *cxxFile) membersOf(t cxxType, n int) (parts []string) {
	switch {
	case t.pointers > 0:
	case t.dims != "":
		if count := strings.Trim(t.dims, "[()]"); count == fmt.Sprint(n) {
			for k := range n {
				parts = append(parts, fmt.Sprintf("[%d]", k))
			}
		}
	case t.shape != nil:
		for _, f := range t.shape.def.fields {
			parts = append(parts, "."+f.name)
		}
	case c.pairs[t.text].types != nil:
		for _, name := range c.pairs[t.text].members() {
			parts = append(parts, "."+name)
		}
	default:
		for _, name := range c.fieldsOfRecord(t.text) {
			parts = append(parts, "."+name)
		}
	}
	return parts
}

// fieldsOfRecord returns the members of a struct of C, in the order of their declarations; nil if it is not known, or has others than variables with names.
func (c *cxxFile) fieldsOfRecord(name string) (fields []string) {
	for _, it := range c.items {
		if it.kind != cxxRecord || !slices.Contains(it.names, name) || !c.isWord(it.from, "struct") {
			continue
		}
		open := c.until(it.from, it.to, "{")
		for from := open + 1; open < it.to && from < c.match[open]; {
			end := c.until(from, c.match[open], ";")
			for _, a := range c.argumentsIn(from, end) {
				last := a[1]
				if eq := c.until(a[0], a[1], "="); eq < last {
					last = eq
				}
				if b := c.until(a[0], last, "{"); b < last {
					last = b
				}
				if !c.isWord(last-1) || c.isWord(a[0], "struct", "union", "enum", "static", "using") {
					return nil
				}
				fields = append(fields, c.toks[last-1].s)
			}
			from = end + 1
		}
	}
	return fields
}

// argumentsIn returns the parts of tokens[from:to] between commas.
func (c *cxxFile) argumentsIn(from, to int) (list [][2]int) {
	for from < to {
		end := c.until(from, to, ",")
		list = append(list, [2]int{from, end})
		from = end + 1
	}
	return list
}

// overList returns the head of the loop that token i begins, over the list behind colon, and what stands for the variable, "" for its name: numbers one
// after the other are counted, others chosen by an index.
func (c *cxxFile) overList(i, colon int) (head, element string) {
	list := c.arguments(colon + 1)
	if len(list) == 0 || len(list) > maxList {
		return "", ""
	}
	var numbers []int64
	for _, a := range list {
		if n, ok := c.integer(a[0], a[1]); ok {
			numbers = append(numbers, n)
		}
		if c.hasEffect(a[0], a[1]) {
			return "", ""
		}
	}
	name, index := c.toks[colon-1].s, indexName(i)
	if len(numbers) == len(list) && (c.isWord(colon-2, "int", "auto") || c.is(colon-2, "&")) {
		each := true
		for k, n := range numbers {
			each = each && n == numbers[0]+int64(k)
		}
		if each {
			return fmt.Sprintf("for (int %[1]s = %[2]d; %[1]s <= %[3]d; %[1]s++)", name, numbers[0], numbers[len(numbers)-1]), ""
		}
	}
	for k, a := range list {
		if k < len(list)-1 {
			element += fmt.Sprintf("%s == %d ? ", index, k)
		}
		element += "(" + c.rewritten(a[0], a[1]) + ")"
		if k < len(list)-1 {
			element += " : "
		}
	}
	return fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++)", index, len(list)), "(" + element + ")"
}

// maxList bounds the length of lists that are loops.
const maxList = 16

// integer returns the number that tokens[from:to] are, with a sign or without.
func (c *cxxFile) integer(from, to int) (n int64, ok bool) {
	negative := c.is(from, "-")
	if negative {
		from++
	}
	if to != from+1 || c.toks[from].kind != cxxNumber || !fitsInt(c.toks[from].s) {
		return 0, false
	}
	if _, err := fmt.Sscan(c.toks[from].s, &n); err != nil || fmt.Sprint(n) != c.toks[from].s {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// setIn reports whether tokens of the stretch may set name, a variable.
func (c *cxxFile) setIn(name string, stretch [2]int) bool {
	for j := stretch[0]; j < stretch[1]; j++ {
		if c.isWord(j, name) && !c.is(j-1, ".") && !c.is(j-1, "->") && c.setHere(j) {
			return true
		}
	}
	return false
}

// declaredIn reports whether a variable called name is declared in a body.
func (c *cxxFile) declaredIn(name string, body [2]int) bool {
	for j := body[0]; j < body[1]; j++ {
		if c.isWord(j, name) && c.declares(j) >= 0 && !c.is(j+1, ":") {
			return true
		}
	}
	return false
}

// setsPartOf reports whether the variable that token j names is changed there by a member or an element of it, or may be by a method.
func (c *cxxFile) setsPartOf(j int) bool {
	k := j + 1
	for c.is(k, ".") || c.is(k, "[") {
		if c.is(k, "[") {
			k = c.match[k] + 1
		} else {
			k += 2
		}
	}
	return c.isAssignment(k) || c.is(k, "++") || c.is(k, "--") || c.is(k, "(") || c.is(j-1, "++") || c.is(j-1, "--")
}

// isCopy reports whether name, which holds copies of the elements of s in a body, may stand for the elements: neither they nor it are set there.
func (c *cxxFile) isCopy(name string, s cxxSequence, body [2]int) bool {
	if c.setIn(name, body) {
		return false
	}
	for j := body[0]; j < body[1]; j++ {
		switch {
		case c.isWord(j, name) && !c.is(j-1, ".") && !c.is(j-1, "->") && c.setsPartOf(j):
			return false
		case c.isWord(j, c.toks[s.at].s) && !c.is(j-1, ".") && !c.is(j-1, "->"):
			return false
		case c.isAssignment(j) && (c.is(j-1, "]") || c.is(j-1, ")") || c.is(j-2, "*")), c.is(j, "++"), c.is(j, "--"):
			return false
		}
	}
	return true
}
