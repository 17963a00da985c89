package frontend

import (
	"fmt"
	"strings"
)

// This file writes in C the variables of functions that own an array: std::unique_ptr<T[]> u(new T[n]), and auto u = std::make_unique<T[]>(n). They are pointers there.

// An owned is what makes such an array.
type owned struct {
	t     cxxType
	count [2]int // the tokens of how many elements it has
	end   int    // what follows it
}

// makesOwned reads what token i begins, as std::make_unique<T[]>(n) or new T[n]; ok is false if it is neither.
func (c *cxxFile) makesOwned(i int) (o owned, ok bool) {
	if c.isWord(i, "new") {
		elem, known := c.typeAt(i + 1)
		if !known || !c.is(elem.end, "[") {
			return o, false
		}
		close := c.match[elem.end]
		o = owned{cxxType{text: elem.text, shape: elem.shape, pointers: elem.pointers, elem: &elem}, [2]int{elem.end + 1, close}, close + 1}
		if (c.is(o.end, "(") || c.is(o.end, "{")) && c.match[o.end] == o.end+1 {
			o.end += 2
		}
		return o, true
	}
	if c.isWord(i, "std") && c.is(i+1, "::") {
		i += 2
	} else if !c.opened["std"] {
		return o, false
	}
	if !c.isWord(i, "make_unique") || !c.is(i+1, "<") {
		return o, false
	}
	close := c.angle(i + 1)
	elem, known := c.typeAt(i + 2)
	if close < 0 || !known || !c.is(elem.end, "[") || !c.is(elem.end+1, "]") || elem.end+2 != close || !c.is(close+1, "(") || len(c.arguments(close+1)) != 1 {
		return o, false
	}
	return owned{cxxType{text: elem.text, shape: elem.shape, pointers: elem.pointers, elem: &elem}, c.arguments(close + 1)[0], c.match[close+1] + 1}, true
}

// An ownedVariable is a variable that the declaration of such declares: its name is token at, and of what it is made, unless none says.
type ownedVariable struct {
	at, end int
	made    *owned
}

// ownedVariables reads the declaration at token i, of a type or of auto, and returns its variables, where its names begin, and what follows; none, if it declares something else.
func (c *cxxFile) ownedVariables(i int) (all []ownedVariable, t cxxType, end int) {
	auto := c.isWord(i, "auto")
	j := i + 1
	if !auto {
		var ok bool
		if t, ok = c.typeAt(i); !ok || t.elem == nil || t.dims != "" || t.reference || !c.isUnique(i, t.end) {
			return nil, t, i
		}
		j = t.end
	}
	for c.isWord(j) {
		v := ownedVariable{at: j, end: j + 1}
		first := j + 1
		if c.is(first, "=") || !auto && (c.is(first, "(") || c.is(first, "{")) {
			o, ok := c.makesOwned(first + 1)
			if !ok || auto && c.is(first, "=") && c.isWord(first+1, "new") {
				return nil, t, i
			}
			if v.made, v.end = &o, o.end; !c.is(first, "=") {
				if v.end != c.match[first] {
					return nil, t, i
				}
				v.end++
			}
			if auto {
				t = o.t
			}
		} else if auto {
			return nil, t, i
		}
		all = append(all, v)
		if !c.is(v.end, ",") {
			if !c.is(v.end, ";") {
				return nil, t, i
			}
			return all, t, v.end
		}
		j = v.end + 1
	}
	return nil, t, i
}

// isUnique reports whether tokens[from:to] name a std::unique_ptr, or another name of one.
func (c *cxxFile) isUnique(from, to int) bool {
	for j := from; j < to; j++ {
		if c.isWord(j, "vector") {
			return false
		}
		if of := c.vectorTypes[c.toks[j].s]; c.isWord(j) && of.in != nil {
			return of.in.isWord(of.from, "unique_ptr") || of.in.isWord(of.from+2, "unique_ptr")
		}
	}
	return true
}

// owns rewrites the declaration of variables that own an array, at token i, and returns what follows; i if it is none.
func (c *cxxFile) owns(i int) int {
	all, t, end := c.ownedVariables(i)
	if len(all) == 0 || t.elem.shape != nil && !t.elem.shape.isValue() {
		return i
	}
	elem := strings.TrimSpace(t.elem.inC())
	c.edit(i, all[0].at, strings.TrimRight(elem, "* ")+" ")
	for _, v := range all {
		count := "__hexcc_use(0)"
		if v.made != nil {
			count = c.rewritten(v.made.count[0], v.made.count[1])
		}
		c.block(v.at, v.end, elem, count)
	}
	return end
}

// block replaces tokens[at:end], which declare the variable that token at names, by a pointer to a block of so many elements; the declaration begins with the type of elem, less its stars.
func (c *cxxFile) block(at, end int, elem, count string) {
	name := c.toks[at].s
	c.vectors[name], c.ownedAt[c.toks[at].from] = true, true
	stars := strings.Repeat("*", strings.Count(elem, "*")+1)
	c.edit(at, end, fmt.Sprintf("%s%s = (%s *)calloc(%s, sizeof(%s))", stars, name, elem, count, elem))
}

// declaresOwned reports whether tokens[from:to] declare variables that own an array.
func (w *cxxAround) declaresOwned(from, to int) bool {
	for w.isWord(from, "const") {
		from++
	}
	all, t, end := w.ownedVariables(from)
	if len(all) == 0 || end >= to || t.elem.shape != nil && !t.elem.shape.isValue() {
		return false
	}
	for _, v := range all {
		if v.made != nil && !w.isPlain(v.made.count[0], v.made.count[1]) {
			return false
		}
	}
	return true
}
