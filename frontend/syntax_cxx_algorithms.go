package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes what algorithms of the library do with all elements of vectors and arrays as loops: std::fill(u.begin(), u.end(), 0.0), std::copy(p, p + n, v.begin()).

// cxxFills are algorithms that set all elements of something: how many arguments they have.
var cxxFills = map[string]int{"fill": 3, "fill_n": 3, "copy": 3, "copy_n": 3}

// algorithm writes the statement that token i begins as a loop, if it calls such an algorithm for all elements of a vector or an array, or for its first ones, and returns
// what follows it; else i.
func (c *cxxFile) algorithm(i, to int) int {
	j := i
	if c.isWord(j, "std") && c.is(j+1, "::") {
		j += 2
	} else if !c.opened["std"] {
		return i
	}
	if !c.isWord(j) || cxxFills[c.toks[j].s] == 0 || !c.is(j+1, "(") || !c.beginsStatement(i) || !c.is(c.match[j+1]+1, ";") {
		return i
	}
	name, args, end := c.toks[j].s, c.arguments(j+1), c.match[j+1]+2
	if len(args) != cxxFills[name] || end > to {
		return i
	}
	s, ok := c.beginOf(args[0])
	if !ok {
		return i
	}
	switch {
	case strings.HasSuffix(name, "_n"):
		if s.count = c.rewritten(args[1][0], args[1][1]); c.hasEffect(args[1][0], args[1][1]) {
			return i
		}
	default:
		if s.count = c.countTo(args[1], s); s.count == "" {
			return i
		}
	}
	set, value, index := s, "", indexName(i)
	switch {
	case strings.HasPrefix(name, "copy"):
		if set, ok = c.beginOf(args[2]); !ok || set.text == s.text {
			return i
		}
		value = s.element(index)
	case c.hasEffect(args[2][0], args[2][1]) || c.mentions(args[2], s): // it is not read again for each element
		return i
	default:
		value = c.rewritten(args[2][0], args[2][1])
	}
	c.edit(i, end, fmt.Sprintf("%s %s = %s;", s.loop(index), set.element(index), value))
	return end
}

// assignsVector writes the statement that token i begins as a loop, if it assigns a whole vector to another one that has as many elements, and returns what follows it; else i.
func (c *cxxFile) assignsVector(i, to int) int {
	if !c.isWord(i) || !c.is(i+1, "=") || !c.isWord(i+2) || !c.is(i+3, ";") || i+4 > to || !c.beginsStatement(i) || c.toks[i].s == c.toks[i+2].s {
		return i
	}
	for _, j := range []int{i, i + 2} {
		if t, at, _ := c.variableAt(j); at < 0 || t.elem == nil || t.dims != "" || t.pointers > 0 {
			return i
		}
	}
	count, known := c.declaredCount(i, map[int]bool{})
	other, ok := c.declaredCount(i+2, map[int]bool{})
	if !known || !ok || count != other {
		c.refuse(i, "that both have as many elements is known of vectors that the function declares, with a number of elements in parentheses, and does not resize",
			fmt.Sprintf("exchange them, or copy elements: std::copy(%s.begin(), %[1]s.end(), %s.begin())", c.toks[i+2].s, c.toks[i].s),
			"vector '%s' is assigned as a whole, and may get another size", c.toks[i].s)
		return i
	}
	set, s := cxxSequence{text: c.rewritten(i, i+1)}, cxxSequence{text: c.rewritten(i+2, i+3), count: "(unsigned long)(" + other + ")"}
	index := indexName(i)
	c.edit(i, i+4, fmt.Sprintf("%s %s = %s;", s.loop(index), set.element(index), s.element(index)))
	return i + 4
}

// mentions reports whether tokens a name s.
func (c *cxxFile) mentions(a [2]int, s cxxSequence) bool {
	return slices.ContainsFunc(c.toks[a[0]:a[1]], func(t cxxToken) bool { return t.s == c.toks[s.at].s })
}

// countTo returns how many elements of s there are up to the place that tokens a are; "" if that is not known.
func (c *cxxFile) countTo(a [2]int, s cxxSequence) string {
	if e, ok := c.endpoint(a, "end", "cend"); ok && e.text == s.text {
		return s.count
	}
	if c.isWord(a[0], c.toks[s.at].s) && c.is(a[0]+1, "+") && s.count == "" && !c.hasEffect(a[0], a[1]) { // p + n
		return "(" + c.rewritten(a[0]+2, a[1]) + ")"
	}
	return ""
}

// beginOf returns the vector or array of which tokens a are the first place: u.begin(), std::begin(u), u.data(), or a pointer, behind which there are any number.
func (c *cxxFile) beginOf(a [2]int) (s cxxSequence, ok bool) {
	if s, ok = c.endpoint(a, "begin", "cbegin", "data"); ok || a[1] != a[0]+1 || !c.isWord(a[0]) {
		return s, ok
	}
	if t, at, _ := c.variableAt(a[0]); at >= 0 && t.pointers == 1 && t.elem == nil && t.shape == nil { // a pointer
		t.pointers = 0
		return cxxSequence{text: c.rewritten(a[0], a[1]), at: a[0], elem: t}, true
	}
	return s, false
}

// endpoint returns the vector or array x of which tokens a are x.f() or std::f(x), where f is one of names.
func (c *cxxFile) endpoint(a [2]int, names ...string) (s cxxSequence, ok bool) {
	switch {
	case c.isWord(a[0]) && c.is(a[0]+1, ".") && c.isWord(a[0]+2, names...) && c.is(a[0]+3, "(") && a[0]+5 == a[1]:
		return c.sequence(a[0], a[0]+1)
	case c.isWord(a[0], "std") && c.is(a[0]+1, "::") && c.isWord(a[0]+2, names...) && c.is(a[0]+3, "(") && c.match[a[0]+3] == a[1]-1:
		return c.sequence(a[0]+4, a[1]-1)
	}
	return s, false
}
