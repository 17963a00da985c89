package frontend

import "slices"

// This file finds how many elements vectors have that a function declares, std::vector<double> u(n * m), and that it does not resize.

// countOf returns how many elements the vector that token i names has, in C: what it was declared with, where nothing changes that, else the size that it has.
func (c *cxxFile) countOf(i int) string {
	if text, ok := c.declaredCount(i, map[int]bool{}); ok {
		return "(unsigned long)(" + text + ")"
	}
	return cxxSizeOf + "(" + c.rewritten(i, i+1) + ")"
}

// declaredCount returns the number of elements that the vector which token i names was declared with, and still has; ok is false if that is not known. Those whose
// declarations are in asked are being asked already.
func (c *cxxFile) declaredCount(i int, asked map[int]bool) (text string, ok bool) {
	t, at, member := c.variableAt(i)
	if at < 0 || member || t.elem == nil || t.dims != "" || t.reference || !c.is(at+1, "(") || c.outOfFunction(at) {
		return "", false
	}
	args := c.arguments(at + 1)
	if len(args) == 0 || len(args) > 2 || !c.isSteadyCount(args[0], at) {
		return "", false
	}
	text, asked[at] = c.rewritten(args[0][0], args[0][1]), true
	for j := at + 1; j < len(c.toks) && c.inScope(at, j); j++ {
		if c.isWord(j, c.toks[i].s) && !c.is(j-1, ".") && !c.is(j-1, "->") && !c.is(j-1, "::") && !c.keepsCount(j, text, asked) {
			return "", false
		}
	}
	return text, true
}

// outOfFunction reports whether token i is in no function of the file.
func (c *cxxFile) outOfFunction(i int) bool {
	return !slices.ContainsFunc(c.items, func(it cxxItem) bool { return it.body > 0 && it.body < i && i < it.to })
}

// isSteadyCount reports whether tokens a are a sum or product of numbers and integers that are not set behind token at.
func (c *cxxFile) isSteadyCount(a [2]int, at int) bool {
	for j := a[0]; j < a[1]; j++ {
		switch t := c.toks[j]; {
		case t.kind == cxxNumber && fitsInt(t.s):
		case c.is(j, "*") || c.is(j, "+") || c.is(j, "-") || c.is(j, "(") || c.is(j, ")"):
		case c.isWord(j) && c.substitute[t.s] == "":
			u, from, member := c.variableAt(j)
			if from < 0 || member || c.outOfFunction(from) && !u.constant || u.reference || u.pointers > 0 || u.elem != nil || !slices.Contains(cxxCounts, u.text) {
				return false
			}
			for k := at; k < len(c.toks) && c.inScope(from, k) && !u.constant; k++ {
				if c.isWord(k, t.s) && !c.is(k-1, ".") && !c.is(k-1, "->") && (c.setHere(k) || c.is(k-1, "=") && c.is(k-3, "&")) {
					return false
				}
			}
		default:
			return false
		}
	}
	return a[0] < a[1]
}

// keepsCount reports whether what is done with a vector where token j names it leaves it with as many elements; those that it is exchanged with have count, too.
func (c *cxxFile) keepsCount(j int, count string, asked map[int]bool) bool {
	switch {
	case c.declares(j) >= 0:
		return true // another variable, or itself
	case c.is(j+1, "["):
		return true
	case c.is(j+1, "."):
		if c.isWord(j+2, "swap") && c.is(j+3, "(") {
			return c.hasCount(c.arguments(j+3), count, asked)
		}
		return c.isWord(j+2, "size", "data", "begin", "end", "cbegin", "cend", "at", "front", "back", "empty")
	case (c.is(j-1, "(") || c.is(j-1, ",")) && (c.is(j+1, ",") || c.is(j+1, ")")):
		open := j - 1
		for !c.is(open, "(") {
			if c.match[open] >= 0 && c.match[open] < open {
				open = c.match[open]
			}
			open--
		}
		if c.isWord(open-1, "swap") && len(c.arguments(open)) == 2 {
			return c.hasCount(c.arguments(open), count, asked)
		}
		return c.isWord(open-1) && c.takesConstant(open, j)
	case c.is(j-1, ":") && c.is(j+1, ")"): // a loop over its elements
		return true
	case c.is(j+1, "=") && c.isWord(j+2) && c.is(j+3, ";") && !c.is(j-1, "*"): // it gets copies of the elements of another one
		return c.hasCount([][2]int{{j + 2, j + 3}}, count, asked)
	case c.is(j-1, "=") && c.isWord(j-2) && c.is(j+1, ";"): // another one gets copies, or a name for it
		start := c.declares(j - 2)
		t, ok := c.typeAt(max(start, 0))
		return start < 0 || ok && !t.reference
	case c.isWord(j-1, "return"):
		return true
	}
	return false
}

// hasCount reports whether vectors have that many elements.
func (c *cxxFile) hasCount(all [][2]int, count string, asked map[int]bool) bool {
	return !slices.ContainsFunc(all, func(a [2]int) bool {
		if a[1] != a[0]+1 || !c.isWord(a[0]) {
			return true
		}
		if _, at, _ := c.variableAt(a[0]); at >= 0 && asked[at] { // with that count
			return false
		}
		text, ok := c.declaredCount(a[0], asked)
		return !ok || text != count
	})
}

// takesConstant reports whether the function of the file whose call opens there takes what token j names as a constant, or changes no size by it.
func (c *cxxFile) takesConstant(open, j int) bool {
	name := c.toks[open-1].s
	k := slices.IndexFunc(c.arguments(open), func(a [2]int) bool { return a[0] == j && a[1] == j+1 })
	if k < 0 {
		return false
	}
	found := false
	for _, it := range c.items {
		if !slices.Contains(it.names, name) || it.body == 0 {
			continue
		}
		ps := c.parameters(c.parens(it))
		if found = true; k >= len(ps) || ps[k].reference >= 0 && !ps[k].constant && !c.leavesSize(it, ps[k].name) {
			return false
		}
	}
	return found
}

// leavesSize reports whether the function it does nothing with its parameter called name but use its elements.
func (c *cxxFile) leavesSize(it cxxItem, name string) bool {
	for j := it.body; j < it.to; j++ {
		if c.isWord(j, name) && !c.is(j-1, ".") && !c.is(j-1, "->") && !c.is(j+1, "[") && !(c.is(j+1, ".") && c.isWord(j+2, "size", "data", "begin", "end", "cbegin", "cend", "at")) {
			return false
		}
	}
	return true
}
