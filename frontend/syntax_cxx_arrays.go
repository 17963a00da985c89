package frontend

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// This file writes in C vectors whose elements are arrays, std::vector<std::array<double, 9>> f, and assignments of whole arrays, f[i] = g[j]. C has no name for the
// type of such an element: it gets one. And C assigns no arrays: they are assigned element by element.

// elementType returns t, std::array with a number of numbers, as the type of elements of a vector: by a name in C. ok is false if it is anything else.
func (c *cxxFile) elementType(t cxxType) (elem cxxType, ok bool) {
	if text := c.resolved(t.text); text != "" {
		t.text = text
	}
	if t.elem == nil || t.elem.elem != nil || t.shape != nil || t.pointers > 0 || !slices.Contains(cxxBuiltin, strings.Fields(t.text + " ?")[0]) {
		return t, false
	}
	count := strings.Trim(t.dims, "[()]")
	if !fitsInt(count) {
		return t, false
	}
	name := strings.ReplaceAll(t.text, " ", "_") + "__" + count
	c.arrayTypes[name] = fmt.Sprintf("typedef %s %s[%s]; ", t.text, name, count)
	return cxxType{text: name, constant: t.constant, end: t.end}, true
}

// cxxBuiltin are the words that types of numbers begin with that no header declares.
var cxxBuiltin = strings.Fields("char short int long unsigned signed float double _Bool " + complexDouble + " " + complexFloat)

// declareArrayTypes writes the types that have got names, in front of all else.
func (c *cxxFile) declareArrayTypes() {
	var all []string
	for _, text := range c.arrayTypes {
		all = append(all, text)
	}
	sort.Strings(all)
	first := slices.IndexFunc(c.toks, func(t cxxToken) bool { return t.kind != cxxDirective })
	if len(all) > 0 {
		c.before(first, strings.Join(all, ""))
	}
}

// arrayAt returns what is left of the array that token i begins, as f[i] of vectors of arrays, its number of elements, and what follows it; ok is false if it is none.
func (c *cxxFile) arrayAt(i int) (count string, end int, ok bool) {
	if !c.isWord(i) {
		return "", i, false
	}
	_, end, t, _ := c.links(i)
	if c.arrayTypes[t.text] != "" && t.elem == nil && t.pointers == 0 {
		return t.text[strings.LastIndex(t.text, "_")+1:], end, true
	}
	if t.elem == nil || t.dims == "" || t.elem.elem != nil {
		return "", i, false
	}
	count = strings.Trim(t.dims, "[()]")
	return count, end, fitsInt(count)
}

// assignsArray rewrites the statement that token i begins, if it assigns a whole array, and returns its end; i, if it does not.
func (c *cxxFile) assignsArray(i, to int) int {
	if !c.isWord(i) || c.declares(i) >= 0 || !c.beginsStatement(i) {
		return i
	}
	count, equals, ok := c.arrayAt(i)
	if !ok || !c.is(equals, "=") {
		return i
	}
	n, end, ok := c.arrayAt(equals + 1)
	if !ok || n != count || end >= to || !c.is(end, ";") {
		return i
	}
	c.edit(i, end, fmt.Sprintf("for (int hexcc_k = 0; hexcc_k < %s; hexcc_k++) %s[hexcc_k] = %s[hexcc_k]", count, c.rewritten(i, equals), c.rewritten(equals+1, end)))
	return end
}
