package frontend

import (
	"maps"
	"slices"
	"strings"
)

// This file puts what a reference that a body declares refers to in the place of its name:
//
//	auto &c = g(i, j);                  g(i, j) = 0.5 * g(i, j);
//	const auto &row = u[i];       =>    v[i][j] = u[i][j - 1];
//	c = 0.5 * c;
//	v[i][j] = row[j - 1];
//
// Around regions they stand for variables and members only: auto &h = state.h.
//
// Nothing that it is found by may be set while the name is known, nor may the name of another variable hide it. A reference to a value that has no
// place is a constant with that value (syntax_cxx_places.go).

// A cxxBound is a reference that is declared: its name, and tokens[from:to], what it refers to.
type cxxBound struct {
	name     string
	from, to int
}

// bound rewrites the block behind a declaration of references, which token i begins, with what they refer to in the place of their names,
// and returns the end of the block; i, if there is none.
func (c *cxxFile) bound(i, to int) int {
	if !(c.is(i-1, ";") || c.is(i-1, "{") || c.is(i-1, "}")) {
		return i
	}
	all, constant, end := c.boundAt(i)
	if end < 0 || end+1 >= to { // or a statement around a region, of which the names stay
		return i
	}
	close := c.endOfBlock(end, to)
	put := map[string]string{}
	for _, b := range all {
		switch of := c.referent(i, b); {
		case of == placeReferent && c.staysPlace(b, end, c.lastUse(b, end+1, close)):
			text := c.rewritten(b.from, b.to)
			put[b.name] = "(" + text + ")"
		case of == valueReferent && constant && len(all) == 1:
			return c.asConstant(i, b, to)
		case of == placeReferent:
			c.refuse(i, "allowed: references to what stays where it is up to their last use", "use it for the last time in front of that, or name what it refers to where it is used",
				"what reference '%s' is found by may be set or exchanged while '%[1]s' is used, or may be hidden there", b.name)
			return i
		default:
			return i
		}
	}
	outer := c.substitute
	c.substitute = maps.Clone(outer)
	if c.substitute == nil {
		c.substitute = map[string]string{}
	}
	maps.Copy(c.substitute, put)
	c.edit(i, end+1, ";")
	c.rewrite(end+1, close, false)
	c.substitute = outer
	return close
}

// named puts what references stand for that a declaration at token i, around a region, declares, in the place of their names up to token end, where their block
// ends, and returns what follows the declaration; i, if one of them may stand for something else than a variable, a member or a vector of several.
func (w *cxxAround) named(i, next, end int) int {
	all, _, semi := w.boundAt(i)
	if semi < 0 || semi+1 != next || w.holdsMark(i, next) {
		return i
	}
	put, roots := map[string]string{}, map[string]string{}
	maps.Copy(roots, w.roots)
	for _, b := range all {
		stays := w.isMember(b.from, b.to) && w.staysNamed(b, semi, end) || w.isOneOfSeveral(b.from, b.to) && w.staysPlace(b, semi, w.lastUse(b, next, end))
		if !stays || w.referent(i, b) != placeReferent {
			return i
		}
		put[b.name] = "(" + w.rewritten(b.from, b.to) + ")"
		root := w.toks[w.firstOf(b)].s
		if of := w.roots[root]; of != "" {
			root = of
		}
		roots[b.name] = root
	}
	w.substitute, w.roots = maps.Clone(w.substitute), roots
	if w.substitute == nil {
		w.substitute = map[string]string{}
	}
	maps.Copy(w.substitute, put)
	for name := range put {
		delete(w.known, name)
		delete(w.strange, name)
	}
	w.edit(i, next, ";")
	return next
}

// isOwned reports whether token j, a reference, stands for a vector or the like.
func (w *cxxAround) isOwned(j int) bool {
	t, at, _ := w.variableAt(j)
	return at < 0 || t.text == "" || t.elem != nil
}

// isMember reports whether tokens[from:to] name a variable, or a member of one, by no pointer but the variable: they name the same place wherever they mean the same
// and that stays.
func (c *cxxFile) isMember(from, to int) bool {
	if _, end := c.objectBehind(from); end == to && c.isWord(from+1) && from+2 == to {
		return c.isMember(from+1, to)
	}
	if !c.isWord(from) || c.isWord(from, "this") || c.declaredAt(c.toks[from].s, from) < 0 {
		return false
	}
	for j := from + 1; j < to; j += 2 {
		if !c.is(j, ".") && !(c.is(j, "->") && j == from+1) || !c.isWord(j+1) || j+2 > to {
			return false
		}
	}
	return true
}

// firstOf returns the variable that what b refers to begins with, behind the * of *p.
func (c *cxxFile) firstOf(b cxxBound) int {
	if c.is(b.from, "*") {
		return b.from + 1
	}
	return b.from
}

// isOneOfSeveral reports whether tokens[from:to] name a vector of several, as fields[1 - now] does.
func (c *cxxFile) isOneOfSeveral(from, to int) bool {
	if !c.isWord(from) || !c.is(from+1, "[") || c.match[from+1] != to-1 || c.declaredAt(c.toks[from].s, from) < 0 {
		return false
	}
	_, end, t, _ := c.links(from)
	return end == to && t.isVector() && !slices.ContainsFunc(c.toks[from+2:to-1], func(t cxxToken) bool { return t.s == "(" || t.s == "[" })
}

// staysNamed reports whether in all of tokens[from:to] b.name is the reference b, and what b refers to, which begins with a variable, means the same.
func (c *cxxFile) staysNamed(b cxxBound, from, to int) bool {
	first := c.firstOf(b)
	pointer := first > b.from || c.is(first+1, "->")
	root := c.toks[first].s
	at := c.declaredAt(root, first)
	if first > b.from && c.leadsElsewhere(b, from, to) {
		return false
	}
	for k := from; k < to; k++ {
		if c.isWord(k, root) && pointer && (c.setsNamed(k) || (c.is(k-1, "(") || c.is(k-1, ",")) && (c.is(k+1, ")") || c.is(k+1, ","))) {
			return false // it leads elsewhere, or a function may let it
		}
		if !c.isWord(k, b.name) || c.is(k-1, ".") || c.is(k-1, "->") {
			continue
		}
		if c.declares(k) >= 0 || c.is(k-1, "::") || c.mayHide(k) || c.declaredAt(root, k) != at || root == b.name {
			return false
		}
	}
	return true
}

// boundAt returns the references whose declaration token i begins, whether they are const, and its semicolon; -1 if it is none.
func (c *cxxFile) boundAt(i int) (all []cxxBound, constant bool, end int) {
	j := i
	for c.isWord(j, "const") {
		constant = true
		j++
	}
	if c.isWord(j, "auto") {
		j++
	} else if t, ok := c.typeAt(i); ok && t.reference && t.pointers == 0 && t.end > j+1 {
		j = t.end - 1
	} else {
		return nil, false, -1
	}
	if c.isWord(j, "const") {
		constant = true
		j++
	}
	for c.is(j, "&") && c.isWord(j+1) && c.is(j+2, "=") {
		b := cxxBound{name: c.toks[j+1].s, from: j + 3}
		b.to = j + 3
		for b.to < len(c.toks) && !c.is(b.to, ",") && !c.is(b.to, ";") {
			if c.match[b.to] > b.to {
				b.to = c.match[b.to]
			}
			b.to++
		}
		all = append(all, b)
		if c.is(b.to, ";") {
			return all, constant, b.to
		}
		j = b.to + 1
	}
	return nil, false, -1
}

// endOfBlock returns the brace that closes the block around token i, or to.
func (c *cxxFile) endOfBlock(i, to int) int {
	for ; i < to && !c.is(i, "}"); i++ {
		if c.match[i] > i {
			i = c.match[i]
		}
	}
	return min(i, to)
}

// declaresAuto reports whether the declaration that token i begins leaves its type to its value.
func (c *cxxFile) declaresAuto(i int) bool {
	return c.isWord(i, "auto") || c.isWord(i, "const") && c.isWord(i+1, "auto")
}

// asConstant rewrites the declaration of b, a const reference to a value, which token i begins, as that of a constant, and returns what follows it.
func (c *cxxFile) asConstant(i int, b cxxBound, to int) int {
	typ := strings.TrimSpace(c.rewritten(i, b.from-3))
	value := c.rewritten(b.from, b.to)
	if c.declaresAuto(i) {
		typ = "const __typeof__((0, (" + value + ")))"
		if c.isTruth(b.from, b.to) {
			typ = "const _Bool"
		}
	}
	c.edit(i, b.to, typ+" "+b.name+" = "+value)
	return b.to
}

// pass makes pointers of those arguments of a call, whose parentheses open there, that the function called name takes by reference.
func (c *cxxFile) pass(name string, open int) {
	for k, a := range c.arguments(open) {
		c.passReference(c.references[name], k, a)
	}
}

// passReference makes a pointer of a, argument k of a call, if that is one of the parameters that are references. A value that is computed there
// has a place of its own, as in C++.
func (c *cxxFile) passReference(references []cxxReference, k int, a [2]int) {
	i := slices.IndexFunc(references, func(r cxxReference) bool { return r.index == k })
	switch {
	case i < 0:
	case references[i].number != "" && c.isComputed(a):
		c.before(a[0], "&(const "+references[i].number+"){")
		c.behind(a[1]-1, "}")
	default:
		c.before(a[0], "&(")
		c.behind(a[1]-1, ")")
	}
}

// isComputed reports whether the argument a is a number as it stands, or what operators compute: nothing that could be set.
func (c *cxxFile) isComputed(a [2]int) bool {
	x := c.expression(a[0], a[1])
	if x == nil || x.to != a[1] {
		return false
	}
	return c.isTemporary(x)
}

// isTemporary reports whether x is a number without a place: a literal, what an operator computes, what a function returns by value.
func (c *cxxFile) isTemporary(x *cxxExpr) bool {
	switch {
	case x.op == "" && c.is(x.to-1, ")"): // of a call or a cast, by value
		return !c.is(x.from, "(") && x.t.text != "" && !x.t.reference
	case x.op == "":
		return c.toks[x.from].kind == cxxNumber
	case x.op == "?":
		return c.isTemporary(x.parts[1]) || c.isTemporary(x.parts[2])
	case len(x.parts) == 2:
		return !c.isAssignment(x.at)
	}
	return slices.Contains([]string{"-", "+", "!", "~"}, x.op)
}
