package frontend

import "slices"

// This file tells whether lambdas set elements or members, and what else they name that those could be.

// stored returns something that l is given as a value and that may be what it sets, as an element or by a pointer, or "".
func (c *cxxFile) stored(l cxxLambda, home int) string {
	if !c.stores(l) {
		return ""
	}
	for _, p := range c.parameters(l.open) {
		if t, _ := c.typeAt(p.from); p.reference >= 0 && !p.vector && t.elem == nil && !t.hasMethods() {
			return p.name
		}
	}
	for _, v := range l.captures {
		if !v.byPointer() && v.t.pointers == 0 && v.t.elem == nil && (v.t.reference || c.isAliased(v, home)) {
			return v.name
		}
	}
	return ""
}

// isAliased reports whether v, of the function that begins at token home, may be known there by a pointer or a reference.
func (c *cxxFile) isAliased(v cxxCapture, home int) bool {
	for k := max(home, v.at); k < len(c.toks) && c.inScope(v.at, k); k++ {
		if !c.isWord(k, v.name) || c.is(k-1, ".") || c.is(k-1, "->") {
			continue
		}
		address := c.is(k-1, "&") && !c.isWord(k-2) && !c.is(k-2, ")") && !c.is(k-2, "]") && c.toks[k-2].kind != cxxNumber
		if address || c.is(k-1, "=") && (c.is(k-3, "&") || c.is(k-3, "&&")) {
			return true
		}
	}
	return false
}

// stores reports whether l may set an element or a member, or what a pointer leads to.
func (c *cxxFile) stores(l cxxLambda) bool {
	for j := l.from; j < l.to; j++ {
		set := c.isAssignment(j) || c.is(j, "++") || c.is(j, "--")
		plain := c.isWord(j-1) && !c.is(j-2, "*") && !c.is(j-2, ".") && !c.is(j-2, "->") || c.isWord(j-1) && c.declares(j-1) >= 0
		dims := c.is(j-1, "]") && c.is(j, "=") && c.is(j+1, "{") // double w[2] = {1, 2}
		if set && !plain && !dims && !(c.isWord(j+1) && !c.is(j, "=") && !c.is(j-1, "]") && !c.is(j-1, ")") && !c.is(j+2, "[") && !c.is(j+2, ".") && !c.is(j+2, "->")) {
			return true
		}
		if c.isWord(j) && c.is(j+1, "(") && c.callStores(j) {
			return true
		}
	}
	return false
}

// callStores reports whether what token j calls may set elements or members.
func (c *cxxFile) callStores(j int) bool {
	if m, ok := c.lambdaOf(j); ok {
		return m.several && c.stores(m)
	}
	name := c.toks[j].s
	for _, k := range c.shapes {
		if slices.ContainsFunc(k.methods, func(m cxxMethod) bool { return m.name == name && !m.constant }) {
			return true
		}
	}
	if t := c.templates[name]; t != nil {
		return t.item.in.changesAny(t.function())
	}
	return slices.ContainsFunc(c.items, func(it cxxItem) bool { return it.body > 0 && slices.Contains(it.names, name) && it.in.changesAny(it) })
}

// changesAny reports whether the function it has a parameter by which it may set something.
func (c *cxxFile) changesAny(it cxxItem) bool {
	return slices.ContainsFunc(c.parameters(c.parens(it)), func(p cxxParam) bool {
		if p.constant {
			return false
		}
		return p.reference >= 0 || slices.ContainsFunc(c.toks[p.from:p.to], func(t cxxToken) bool { return t.s == "*" || t.s == "[" })
	})
}
