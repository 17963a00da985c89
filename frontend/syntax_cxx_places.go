package frontend

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file tells what a reference refers to: a place that stays the same, which may be written where the reference is named, or a value of its own.

// A cxxReferent is what a reference refers to.
type cxxReferent int

const (
	unknownReferent cxxReferent = iota
	placeReferent               // an element or a variable, of the type that is declared
	valueReferent               // a value of its own
)

// referent returns what b refers to, which the declaration at token i declares.
func (c *cxxFile) referent(i int, b cxxBound) cxxReferent {
	list, end, t, _ := c.links(b.from)
	if u, behind := c.objectBehind(b.from); behind > 0 {
		list, end, t = nil, behind, u
	}
	if end != b.to {
		for j := b.from; j < b.to; j++ { // of a variable that is declared elsewhere
			switch {
			case c.is(j, "["):
				j = c.match[j]
			case !c.isWord(j) && !c.is(j, ".") && !c.is(j, "->"):
				if c.isNewValue(b.from, b.to) {
					return valueReferent
				}
				return unknownReferent
			}
		}
		if c.isNewValue(b.from, b.to) {
			return valueReferent
		}
		if c.declaresAuto(i) {
			return placeReferent
		}
		return unknownReferent
	}
	if c.endsInValue(list, b.to) {
		return valueReferent
	}
	of, _ := c.typeAt(i)
	if c.declaresAuto(i) || of.text == t.text && of.shape == t.shape && (t.elem == nil && t.pointers == 0 || of.isSame(t)) {
		return placeReferent
	}
	x, y := numberText(of.text), numberText(t.text)
	switch {
	case x == "" || y == "" || of.shape != nil || t.shape != nil || t.elem != nil || t.pointers != 0: // names of types may stand for the same one
		return unknownReferent
	case x == y:
		return placeReferent
	}
	return valueReferent // converted
}

// isSame reports whether t and u, of vectors, arrays and the like, are the same type.
func (t cxxType) isSame(u cxxType) bool {
	if t.text != u.text || t.shape != u.shape || t.dims != u.dims || t.pointers != u.pointers || (t.elem == nil) != (u.elem == nil) {
		return false
	}
	return t.elem == nil || t.elem.isSame(*u.elem)
}

// endsInValue reports whether the last of list, which ends at token to, returns a value.
func (c *cxxFile) endsInValue(list []cxxLink, to int) bool {
	n := len(list)
	return n > 0 && c.match[list[n-1].open] == to-1 && (list[n-1].library != "" || !c.result(list[n-1].shape, list[n-1].method).reference)
}

// numberText returns the name of a type of C's numbers, the same for all ways to write it; "" for names that stand for other types.
func numberText(text string) string {
	if partOf(text) != "" {
		return text
	}
	words := strings.Fields(text)
	for _, w := range words {
		if !slices.Contains([]string{"char", "short", "int", "long", "unsigned", "signed", "float", "double", "_Bool"}, w) {
			return ""
		}
	}
	slices.Sort(words)
	if len(words) > 1 && !slices.Contains(words, "char") {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "int" || w == "signed" })
	}
	if len(words) == 0 || len(words) == 1 && words[0] == "signed" {
		return "int"
	}
	return strings.Join(words, " ")
}

// isNewValue reports whether tokens[from:to], which are no name of a place, surely compute a value: of arithmetic, or of a function that returns no reference.
func (c *cxxFile) isNewValue(from, to int) bool {
	if from >= to {
		return false
	}
	if c.is(from, "(") && c.match[from] == to-1 {
		return c.isNewValue(from+1, to-1)
	}
	computes := c.is(from, "-") || c.is(from, "+") || c.is(from, "!") || c.is(from, "~")
	for j := from; j < to; j++ {
		switch {
		case c.is(j, "?"):
			colon := c.until(j+1, to, ":")
			return !c.hasEffect(from, to) && c.until(j+1, to, "?") == to && (c.isNewValue(j+1, colon) || c.isNewValue(colon+1, to))
		case c.is(j, ","), c.isAssignment(j), c.is(j, "++"), c.is(j, "--"), c.is(j, "{"):
			return false
		case c.is(j, "(") || c.is(j, "["):
			j = c.match[j]
		case c.isWord(j) && c.is(j+1, "<") && c.angle(j+1) > 0 && c.is(c.angle(j+1)+1, "("): // arguments of a template
			j = c.angle(j + 1)
		case j > from && c.toks[j].kind == cxxPunct && (c.toks[j-1].kind != cxxPunct || c.is(j-1, ")") || c.is(j-1, "]")):
			computes = computes || slices.Contains(cxxOperators, c.toks[j].s)
		}
	}
	return computes || to == from+1 && (c.toks[from].kind == cxxNumber || c.isWord(from, "true", "false")) || c.returnsValue(from, to)
}

// cxxOperators are operators whose results have no place.
var cxxOperators = strings.Fields("+ - * / % < > <= >= == != && || & | ^ << >>")

// returnsValue reports whether tokens[from:to] are a call of what returns a value, or a conversion.
func (c *cxxFile) returnsValue(from, to int) bool {
	if c.is(from, "(") { // (T)x
		t, ok := c.typeAt(from + 1)
		return ok && t.end == c.match[from] && !t.reference
	}
	if list, end, _, _ := c.links(from); end == to {
		return c.endsInValue(list, to)
	}
	std := c.isWord(from, "std") && c.is(from+1, "::")
	if std {
		from += 2
	}
	name := c.toks[from].s
	if c.isWord(from, "static_cast") && c.is(from+1, "<") {
		t, ok := c.typeAt(from + 2)
		return ok && t.end == c.angle(from+1) && !t.reference
	}
	if !c.isWord(from) || !c.is(from+1, "(") || c.match[from+1] != to-1 {
		return false
	}
	if l, ok := c.lambdaOf(from); ok {
		return !l.result.reference
	}
	_, computable := scop.Computable(name)
	_, own := c.functionCalled(name)
	list := c.is(from+2, "{") && c.match[from+2] == to-2 // of which min and max return a copy
	return c.types[name] || name == "abs" || computable || (name == "min" || name == "max") && list || !std && own
}

// functionCalled returns a function of the file that returns no reference.
func (c *cxxFile) functionCalled(name string) (it cxxItem, ok bool) {
	for _, it := range c.items {
		if it.body > 0 && slices.Contains(it.names, name) {
			t, known := c.typeAt(it.from)
			return it, known && !t.reference
		}
	}
	return it, false
}

// staysPlace reports whether b names the same place in all of tokens[from:to]: they set no variable that it is found by, it is found by no elements,
// and what it is found by is known wherever b is named.
func (c *cxxFile) staysPlace(b cxxBound, from, to int) bool {
	depth, variable := 0, b.to == b.from+1
	for j := b.from; j < b.to; j++ {
		switch {
		case c.is(j, "[") || c.is(j, "("):
			if c.is(j, "[") && depth > 0 {
				return false // an element that may be set
			}
			depth++
		case c.is(j, "]") || c.is(j, ")"):
			depth--
		case c.is(j, "++") || c.is(j, "--") || c.isAssignment(j):
			return false
		}
		if !c.isWord(j) || c.is(j-1, ".") || c.is(j-1, "->") || c.is(j-1, "::") || c.is(j+1, "::") {
			continue
		}
		name, at := c.toks[j].s, c.declaredAt(c.toks[j].s, j)
		for k := from; k < to; k++ {
			switch {
			case !c.isWord(k) || c.is(k-1, ".") || c.is(k-1, "->"):
			case c.isWord(k, b.name) && c.declaredAt(name, k) != at:
				return false // another variable of that name
			case !variable && c.isWord(k, name) && c.declares(k) < 0 && c.declaredAt(name, k) == at && c.setsNamed(k):
				return false
			}
		}
	}
	for k := from; k < to; k++ {
		if !variable && c.isWord(k, "swap") || c.isWord(k, b.name) && c.declares(k) >= 0 {
			return false
		}
	}
	return variable || !c.leadsElsewhere(b, from, to)
}

// setsNamed reports whether token k, a variable, is assigned, not one of its elements or members, or may be by another name.
func (c *cxxFile) setsNamed(k int) bool {
	if c.is(k+1, ".") && c.isWord(k+2, "swap", "reset", "release") && c.is(k+3, "(") || c.isAssignment(k+1) || c.is(k+1, "++") || c.is(k+1, "--") || c.is(k-1, "++") || c.is(k-1, "--") {
		return true
	}
	if c.is(k-1, "=") && c.isWord(k-2) && c.is(k-3, "&") && (c.is(k+1, ";") || c.is(k+1, ",")) { // a reference to it
		return true
	}
	return c.is(k-1, "&") && (c.is(k-2, "(") || c.is(k-2, ",") || c.is(k-2, "=")) || c.isGivenByReference(k)
}

// isGivenByReference reports whether token k, a variable, is an argument of a function of the file that may set it.
func (c *cxxFile) isGivenByReference(k int) bool {
	if !(c.is(k-1, "(") || c.is(k-1, ",")) || !(c.is(k+1, ")") || c.is(k+1, ",")) {
		return false
	}
	open := k - 1
	for open > 0 && !c.is(open, "(") {
		if open--; c.match[open] >= 0 && c.match[open] < open {
			open = c.match[open] - 1
		}
	}
	if !c.isWord(open - 1) {
		return false
	}
	references := c.references[c.toks[open-1].s]
	if t := c.templates[c.toks[open-1].s]; t != nil {
		references = t.item.in.referencesOf(t.function())
	}
	for n, a := range c.arguments(open) {
		if a[0] == k && slices.ContainsFunc(references, func(r cxxReference) bool { return r.index == n && !r.constant }) {
			return true
		}
	}
	return false
}
