package frontend

import "slices"

// This file tells where what a reference is found by may change: by what the functions and methods that are called set, and behind the last use of the reference.
//
//	Grid &now = *now_, &next = *next_;      now stands for *now_, since nothing
//	for (..) next(i, j) = now(i, j - 1);    names it behind the exchange
//	std::swap(now_, next_);

// A cxxBody is what a function, a method or a lambda of the file does: tokens[from:to] of in.
type cxxBody struct {
	in       *cxxFile
	open     int // of its parameters
	from, to int
}

// bodiesCalled returns the functions, methods and lambdas that a call by name may run.
func (c *cxxFile) bodiesCalled(name string) (all []cxxBody) {
	for _, it := range c.items {
		if it.body > 0 && it.open == 0 && slices.Contains(it.names, name) {
			all = append(all, cxxBody{c, c.parens(it), it.body, it.to})
		}
	}
	if t := c.templates[name]; t != nil && t.item.body > 0 {
		in := t.item.in
		all = append(all, cxxBody{in, in.parens(t.function()), t.item.body, t.item.to})
	}
	for _, k := range c.shapes {
		for _, m := range k.methods {
			if m.body > 0 && m.name == name {
				all = append(all, cxxBody{k.in, m.open, m.body, m.to})
			}
		}
	}
	for j := range c.toks {
		if c.isWord(j, name) && c.is(j+1, "=") && c.is(j+2, "[") {
			end := c.until(j+2, len(c.toks), ";")
			open := c.until(j+3, end, "(")
			if c.is(c.match[j+2]+1, "(") {
				open = c.match[j+2] + 1
			}
			all = append(all, cxxBody{c, open, j + 2, end})
		}
	}
	return all
}

// leadsElsewhere reports whether what is called in tokens[from:to] may set what b is found by: one of the names by which it is, or all that leads to it.
func (c *cxxFile) leadsElsewhere(b cxxBound, from, to int) bool {
	names := map[string]bool{}
	seen := map[string]bool{}
	var note func(in *cxxFile, from, to int)
	note = func(in *cxxFile, from, to int) {
		for j := from; j < to; j++ {
			if !in.isWord(j) {
				continue
			}
			name := in.toks[j].s
			if names[name] = true; !seen[name] && in.is(j+1, "(") {
				seen[name] = true
				for _, body := range c.bodiesCalled(name) {
					note(body.in, body.from, body.to)
				}
			}
		}
	}
	note(c, b.from, b.to)
	for bracket, method := range map[string]string{"(": "call", "[": "element"} { // g(i, j) and g[i]
		if !slices.ContainsFunc(c.toks[b.from:b.to], func(t cxxToken) bool { return t.s == bracket }) {
			continue
		}
		for _, body := range c.bodiesCalled(method) {
			note(body.in, body.from, body.to)
		}
	}
	return c.callsSetter(from, to, names, map[string]bool{})
}

// callsSetter reports whether tokens[from:to] call what may set a variable or a member with one of these names, or exchanges anything.
func (c *cxxFile) callsSetter(from, to int, names, seen map[string]bool) bool {
	for j := from; j < to; j++ {
		open := j + 1
		if c.isWord(j) && c.is(open, "<") && c.angle(open) > 0 {
			open = c.angle(open) + 1
		}
		if !c.isWord(j) || !c.is(open, "(") {
			continue
		}
		for _, body := range c.bodiesCalled(c.toks[j].s) {
			ps := body.in.parameters(body.open)
			for n, a := range c.arguments(open) {
				if a[1] == a[0]+1 && names[c.toks[a[0]].s] && n < len(ps) && ps[n].reference >= 0 && !ps[n].constant && body.in.setsAny(body, ps[n].name) {
					return true
				}
			}
		}
		if name := c.toks[j].s; !seen[name] {
			seen[name] = true
			for _, body := range c.bodiesCalled(name) {
				if body.in.mayReplace(body, names) || body.in.callsSetter(body.from, body.to, names, seen) {
					return true
				}
			}
		}
	}
	return false
}

// setsAny reports whether body sets name, or lets something else do so.
func (c *cxxFile) setsAny(body cxxBody, name string) bool {
	for k := body.from; k < body.to; k++ {
		if c.isWord(k, name) && !c.is(k-1, ".") && !c.is(k-1, "->") && (c.setsNamed(k) || c.is(k-1, "(") || c.is(k-1, ",")) {
			return true
		}
	}
	return false
}

// mayReplace reports whether body exchanges anything, or sets a variable or a member that is none of its own and has one of these names.
func (c *cxxFile) mayReplace(body cxxBody, names map[string]bool) bool {
	for k := body.from; k < body.to; k++ {
		switch {
		case c.isWord(k, "swap", "exchange", "move", "reset", "release", "resize", "assign", "push_back", "emplace_back", "delete"):
			return true
		case !c.isWord(k) || !names[c.toks[k].s] || !c.setsNamed(k):
		case c.is(k-1, ".") || c.is(k-1, "->") || c.declares(k) < 0 && !c.declaresIn(body, k):
			return true
		}
	}
	return false
}

// declaresIn reports whether body declares the variable that token k names.
func (c *cxxFile) declaresIn(body cxxBody, k int) bool {
	_, at := c.declarationOf(c.toks[k].s, k, body.from)
	return at >= body.from
}

// lastUse returns what follows the last statement of the block that ends at token to in which b may be used, by its name or by that of a reference, a pointer or a
// lambda that is made with it.
func (c *cxxFile) lastUse(b cxxBound, from, to int) int {
	names := map[string]bool{b.name: true}
	uses := func(from, to int) bool {
		return slices.ContainsFunc(c.toks[from:to], func(t cxxToken) bool { return t.kind == cxxWord && names[t.s] })
	}
	for more := true; more; {
		more = false
		for j := from; j < to; j++ {
			if !c.isWord(j) || names[c.toks[j].s] || !(c.is(j+1, "=") && (c.is(j-1, "&") || c.is(j+2, "["))) {
				continue
			}
			if uses(j+1, min(c.until(j+1, to, ";"), to)) {
				names[c.toks[j].s], more = true, true
			}
		}
	}
	last := from
	for i := from; i < to; {
		next := max((&cxxAround{cxxFile: c}).after(i, to), i+1)
		if uses(i, next) {
			last = next
		}
		i = next
	}
	return last
}
