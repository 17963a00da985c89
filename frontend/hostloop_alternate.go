package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file takes variables that say which plane of an array, or which of two arrays, a step reads and which it sets, as in
//
//	const int next = 1 - cur;
//	for (int i = 1; i < n - 1; i++) u[next][i] = f(u[cur][i]);
//	cur = next, or 1 - cur, !cur, cur ^ 1, (cur + 1) % 3
//
// into the chunks of a loop: each step of a chunk computes them, for itself, and the host counts them on behind the chunk.

// turned returns the value that a sets its variable to; nil if that is not seen.
func turned(a assign) expr {
	switch {
	case a.op == "=":
		return a.y
	case a.y != nil && len(a.op) == 2:
		return binary{a.at(), a.op[:1], a.x, a.y}
	}
	return nil
}

// indexOf returns the value that d is declared with among body, the statements of a step, if d is an integer of 32 or 64 bits with a sign: next of
//
//	int next = 1 - cur; .. cur = next;
func indexOf(body []stmt, d *cc.Declarator) expr {
	for _, s := range body {
		x, ok := s.(declStmt)
		if !ok {
			continue
		}
		for _, v := range x.vars {
			if t, _ := storedType(v.decl.Type()); v.decl == d && (t == scop.Int || t == scop.Long) && !isVolatile(d) && !hasStatics(x) {
				return v.init
			}
		}
	}
	return nil
}

// definesIndex reports whether s declares nothing but indices that nests of the loop use, made of what each step of a chunk knows.
func (h *hostLoops) definesIndex(c *chunk, s declStmt, steady func(expr, []*cc.Declarator) bool) bool {
	var known []*cc.Declarator
	for _, k := range c.counters {
		known = append(known, k.decl)
	}
	for _, k := range c.alternations {
		known = append(known, k.decl)
	}
	for i := range c.items {
		if d, ok := c.items[i].stmt.(declStmt); ok && c.items[i].kept {
			for _, v := range d.vars {
				known = append(known, v.decl)
			}
		}
	}
	for _, v := range s.vars {
		t, number := storedType(v.decl.Type())
		if v.init == nil || !number || t.IsFloat() || !h.isAutomatic(v.decl) || !isIndex(v.init) || !steady(v.init, known) {
			return false
		}
		used := false
		for i := range c.items {
			f, ok := c.items[i].stmt.(forStmt)
			if !ok {
				continue
			}
			used = used || usedAsIndex(f, v.decl)
			if slices.Contains(setsAny(f), v.decl) {
				return false
			}
		}
		if !used {
			return false
		}
		known = append(known, v.decl)
	}
	return true
}

// usedAsIndex reports whether s has d in a subscript.
func usedAsIndex(s stmt, d *cc.Declarator) (found bool) {
	eachExprIn(s, func(e expr) {
		if p, ok := lvalue(e); ok {
			found = found || mentionsAny(p.subs, []*cc.Declarator{d})
		}
	})
	return found
}

// mostPeriod bounds how many steps it may take until an element has its place again.
const mostPeriod = 8

// orbitOf returns element target as the next steps of chunk c name it, until one names it as the first one does: target itself if no
// step changes what its subscripts are made of. ok is false where they do not come back, as far as that is seen.
func (h *hostLoops) orbitOf(c *chunk, target expr) (all []expr, ok bool) {
	target = h.stepDefinitions(c).in(target)
	p, _ := lvalue(target)
	period := int64(1)
	var counts []*cc.Declarator
	for _, k := range c.counters {
		counts = append(counts, k.decl)
	}
	var visit func(e expr) bool
	visit = func(e expr) bool {
		if b, is := e.(binary); is && mentionsAny([]expr{e}, counts) {
			if m, literally := literal(b.y); literally && m > 0 && m <= mostPeriod && (b.op == "%" || b.op == "&" && m&(m+1) == 0) {
				if b.op == "&" {
					m++
				}
				if _, sum := residueOf(b.x, m); !sum {
					return false
				}
				period = lcm(period, m)
				return true
			}
		}
		if x, is := e.(ident); is && slices.Contains(counts, x.decl) {
			return false
		}
		return !slices.ContainsFunc(children(e), func(e expr) bool { return !visit(e) })
	}
	for _, sub := range p.subs {
		if !visit(sub) {
			return nil, false
		}
	}
	for _, k := range c.alternations {
		if mentionsAny(p.subs, []*cc.Declarator{k.decl}) {
			period = lcm(period, k.period())
		}
	}
	if period > mostPeriod {
		return nil, false
	}
	for step := range period {
		all = append(all, mapExpr(target, func(e expr) expr {
			x, is := e.(ident)
			if !is {
				return e
			}
			for _, k := range c.counters {
				if k.decl == x.decl && step > 0 {
					return binary{x.where, "+", x, numberAt(x.where, k.by*step)}
				}
			}
			for _, k := range c.alternations {
				if k.decl == x.decl {
					return k.after(step)
				}
			}
			return e
		}))
	}
	return all, true
}

func lcm(x, y int64) int64 {
	p := x
	for p%y != 0 {
		p += x
	}
	return p
}

// period returns after how many steps the variable is 0 again, if it was, or a number above mostPeriod.
func (k alternation) period() int64 {
	now := int64(0)
	for n := int64(1); n <= mostPeriod; n++ {
		var ok bool
		if now, ok = (states{k.decl: now}).value(k.value); !ok {
			break
		}
		if now == 0 {
			return n
		}
	}
	return mostPeriod + 1
}

// after returns what the variable is so many steps later.
func (k alternation) after(steps int64) expr {
	var e expr = ident{k.value.at(), k.decl.Name(), k.decl}
	for range steps {
		e = mapExpr(k.value, func(x expr) expr {
			if isIdent(x, k.decl) {
				return e
			}
			return x
		})
	}
	return e
}

// stepDefinitions returns the values of the indices that each step of a chunk computes.
func (h *hostLoops) stepDefinitions(c *chunk) definitions {
	ds := definitions{}
	for i := range c.items {
		if d, ok := c.items[i].stmt.(declStmt); ok && c.items[i].kept {
			for _, v := range d.vars {
				ds.define(v.decl, v.init)
			}
		}
	}
	return ds
}

// checkAlternations writes that no steps run in a chunk where a variable that takes turns does not come back to what it is.
func (h *hostLoops) checkAlternations(c *chunk) {
	for _, k := range c.alternations {
		name := k.decl.Name()
		h.line("const %s hexcc_now_%s = %s;", h.f.typeText(k.decl.Type()), name, name)
		h.line("{ %s %s = hexcc_now_%s;", h.f.typeText(k.decl.Type()), name, name)
		for range k.period() {
			h.line("%s;", k.text)
		}
		h.line("if (%s != hexcc_now_%s) %s = 0; }", name, name, c.steps)
	}
}

// beginAlternations writes variables that take turns, for the steps of a chunk alone.
func (h *hostLoops) beginAlternations(c *chunk) {
	for _, k := range c.alternations {
		h.line("{ %s %s = hexcc_now_%s; (void)%s;", h.f.typeText(k.decl.Type()), k.decl.Name(), k.decl.Name(), k.decl.Name())
	}
}

func (h *hostLoops) endAlternations(c *chunk) {
	for range c.alternations {
		h.line("}")
	}
}
