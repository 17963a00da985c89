package frontend

import (
	"maps"
	"strings"
)

// This file puts what a reference that a body declares refers to in the place of its name:
//
//	auto &c = g(i, j);                  g(i, j) = 0.5 * g(i, j);
//	const auto &row = u[i];       =>    v[i][j] = u[i][j - 1];
//	c = 0.5 * c;
//	v[i][j] = row[j - 1];
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
		case of == placeReferent && c.staysPlace(b, end, close):
			text := c.rewritten(b.from, b.to)
			put[b.name] = "(" + text + ")"
		case of == valueReferent && constant && len(all) == 1:
			return c.asConstant(i, b, to)
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

// boundAt returns the references whose declaration token i begins, whether they are const, and its semicolon; -1 if it is none.
func (c *cxxFile) boundAt(i int) (all []cxxBound, constant bool, end int) {
	j := i
	for c.isWord(j, "const") {
		constant = true
		j++
	}
	if c.isWord(j, "auto") {
		j++
	} else if t, ok := c.typeAt(i); ok && t.reference && t.pointers == 0 && t.elem == nil && t.end > j+1 {
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
