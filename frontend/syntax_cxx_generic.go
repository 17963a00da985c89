package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file tells which types the parameters of lambdas have that are auto: what their calls give.

// A cxxGiven is the types of parameters that are auto, by the token auto.
type cxxGiven struct {
	at    []int
	types []cxxType
	from  []cxxAlias // where the type of a vector stands
}

// isGeneric reports whether a parameter of l is auto.
func (c *cxxFile) isGeneric(l cxxLambda) bool {
	return slices.ContainsFunc(c.parameters(l.open), func(p cxxParam) bool { return c.autoOf(p) >= 0 })
}

// autoOf returns the token auto of p, -1 if it has none.
func (c *cxxFile) autoOf(p cxxParam) int {
	if k := slices.IndexFunc(c.toks[p.from:p.to], func(t cxxToken) bool { return t.kind == cxxWord && t.s == "auto" }); k >= 0 {
		return p.from + k
	}
	return -1
}

// givenTo returns the lists of types that calls give l, each once.
func (c *cxxFile) givenTo(l cxxLambda) (all []cxxGiven) {
	for j := l.end; j < len(c.toks) && c.inScope(l.at, j); j++ {
		if !c.isWord(j, l.name) || !c.is(j+1, "(") || c.declaredAt(l.name, j) != l.at {
			continue
		}
		if g, ok := c.given(l, j+1); ok && !slices.ContainsFunc(all, func(o cxxGiven) bool { return o.key() == g.key() }) && len(all) < maxInstances {
			all = append(all, g)
		}
	}
	return all
}

// given returns the types that the call whose parentheses open there gives l; ok is false if one is not known.
func (c *cxxFile) given(l cxxLambda, open int) (g cxxGiven, ok bool) {
	args := c.arguments(open)
	for k, p := range c.parameters(l.open) {
		at := c.autoOf(p)
		if at < 0 {
			continue
		}
		if k >= len(args) {
			return g, false
		}
		t, from := c.givenType(args[k][0], args[k][1])
		if t.text == "" {
			return g, false
		}
		g.at, g.types, g.from = append(g.at, at), append(g.types, t), append(g.from, from)
	}
	return g, true
}

// givenType returns the type of an argument, tokens[from:to], and where that stands if it is a vector; its text is "" if it is not known.
func (c *cxxFile) givenType(from, to int) (t cxxType, at cxxAlias) {
	if text := c.numberOf(from, to); text != "" {
		return cxxType{text: text}, at
	}
	if to != from+1 || !c.isWord(from) || c.substitute[c.toks[from].s] != "" {
		return cxxType{}, at
	}
	u, declared, member := c.variableAt(from)
	switch {
	case declared < 0 || u.pointers > 0 && u.elem == nil || u.dims != "":
		return cxxType{}, at
	case u.elem == nil && u.shape != nil:
		return cxxType{text: u.text, shape: u.shape}, at
	case u.elem == nil:
		return cxxType{}, at
	}
	in := c
	if member {
		in = c.self.def.in.of(c.self, nil)
	}
	start := in.declares(declared)
	if v, ok := in.typeAt(start); start < 0 || !ok || v.elem == nil || v.dims != "" {
		return cxxType{}, at
	}
	return u, cxxAlias{in: in, from: start}
}

// key returns g as a text.
func (g cxxGiven) key() string {
	var texts []string
	for _, t := range g.types {
		texts = append(texts, fmt.Sprintf("%s %v", t.inC(), t.elem != nil))
	}
	return strings.Join(texts, ", ")
}

// declare lets c read auto, where g has a type for it, as that type.
func (g cxxGiven) declare(c *cxxFile) {
	if len(g.at) == 0 {
		return
	}
	c.toks, c.types, c.vectorTypes = slices.Clone(c.toks), maps.Clone(c.types), maps.Clone(c.vectorTypes)
	for k, at := range g.at {
		name := fmt.Sprintf("hexcc_auto_%d", k)
		c.toks[at].s = name
		if in := g.from[k]; in.in != nil {
			c.vectorTypes[name] = in
		} else {
			c.types[name], c.substitute[name] = true, g.types[k].text
		}
	}
}

// memberNumber returns the type of the member that token end, a dot, leads to from a struct of C of type t, and what follows it; t and end, if there is none.
func (c *cxxFile) memberNumber(t cxxType, end int) (cxxType, int) {
	if !c.records[t.text] || t.shape != nil || t.elem != nil || t.pointers > 0 || !c.is(end, ".") || !c.isWord(end+1) {
		return t, end
	}
	if p, ok := c.pairs[t.text]; ok {
		if k := slices.Index(p.members(), c.toks[end+1].s); k >= 0 {
			return cxxType{text: p.types[k]}, end + 2
		}
		return t, end
	}
	for _, it := range c.items {
		if it.kind != cxxRecord || !slices.Contains(it.names, t.text) {
			continue
		}
		if k := c.class(it); k != nil && k.field(c.toks[end+1].s) != nil {
			if u, ok := (&cxxShape{def: k}).typeOf(k.field(c.toks[end+1].s)); ok {
				return u, end + 2
			}
		}
	}
	return t, end
}
