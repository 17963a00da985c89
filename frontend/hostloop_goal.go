package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds what a nest says about the end of the loop: whether the term of a point alone is reason enough to go on.

// A goal is what a nest says about the end of the loop.
type goal struct {
	red       *reduction
	terms     []goalTerm
	condition string // on the terms: reason enough to go on
	suspect   string // on the terms: nothing is known, "" for never
	mask      string
	typ       string // of a mask
	bits      int64  // that it has
	box       []extentOf
}

type goalTerm struct {
	x    extreme
	name string
	typ  string
	text string
}

// findGoals finds what ends the loop, in the nests that gather.
func (h *hostLoops) findGoals(c *chunk, resets []stmt, tests []expr, steady func(expr) bool) string {
	errs := map[*cc.Declarator]extreme{}
	start := map[*cc.Declarator]expr{}
	for k, it := range c.items {
		if it.red == nil {
			continue
		}
		for _, d := range it.red.gathered {
			if !mentionsAny(tests, []*cc.Declarator{d}) {
				continue
			}
			i := slices.IndexFunc(it.red.extremes, func(x extreme) bool { return x.decl == d })
			if i < 0 || len(slices.DeleteFunc(slices.Clone(it.red.leaves), func(l gatherLeaf) bool { return l.to != d })) != 1 {
				return fmt.Sprintf("it ends by '%s', which is neither the greatest nor the least of terms at all points", d.Name())
			}
			if x, twice := errs[d]; twice { // such as of the points of two colours, one nest after the other
				if x.counts || it.red.extremes[i].counts || x.least != it.red.extremes[i].least {
					return fmt.Sprintf("it ends by '%s', which several nests gather, and not all of them the greatest of terms, or the least", d.Name())
				}
				if slices.ContainsFunc(c.items[:k], func(it chunkItem) bool {
					s, ok := it.stmt.(ifStmt)
					return ok && mentionsAny([]expr{s.cond}, []*cc.Declarator{d})
				}) {
					return fmt.Sprintf("it tests '%s' before all of its nests have gathered that", d.Name())
				}
			}
			errs[d] = it.red.extremes[i]
		}
	}
	if len(errs) == 0 {
		return "what ends it is computed by the host at every step"
	}
	for _, s := range resets {
		d, value, ok := resetOf(s)
		if !ok {
			continue
		}
		if _, err := errs[d]; err {
			if start[d] != nil || !isNumberText(value) {
				return fmt.Sprintf("'%s' is set to what is no number", d.Name())
			}
			start[d] = value
		}
	}
	for d, x := range errs {
		if start[d] == nil || !h.resetBefore(c, d) {
			return fmt.Sprintf("'%s' is not set to a number at the beginning of each step", d.Name())
		}
		if x.counts {
			from, _ := literal(start[d])
			if v, constant := literal(x.term); constant {
				x.least = v < from
				errs[d] = x
			}
			if from < 0 {
				return fmt.Sprintf("'%s' begins below 0", d.Name())
			}
		}
	}
	for _, e := range tests {
		if why := h.monotone(e, errs, steady, false); why != "" {
			return why
		}
	}
	for i := range c.items {
		if it := &c.items[i]; it.red != nil {
			if g, ok := h.goalOf(it.red, errs, start, tests); ok {
				if why := h.giveMask(g); why != "" {
					return why
				}
				c.goals = append(c.goals, *g)
			}
		}
	}
	if len(c.goals) == 0 {
		return "nothing that a point computes tells that the loop goes on"
	}
	return ""
}

// resetOf returns what s sets a scalar to.
func resetOf(s stmt) (d *cc.Declarator, value expr, ok bool) {
	switch s := s.(type) {
	case declStmt:
		if len(s.vars) == 1 && s.vars[0].init != nil {
			return s.vars[0].decl, s.vars[0].init, true
		}
	case exprStmt:
		if a := s.x.(assign); a.op == "=" {
			if b, chain := a.y.(assign); chain && b.op == "=" {
				return a.x.(ident).decl, b.y, true
			}
			return a.x.(ident).decl, a.y, true
		}
	}
	return nil, nil, false
}

// isNumberText reports whether e is made of numbers.
func isNumberText(e expr) bool {
	ok := e != nil
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case number, unary, cast:
		default:
			ok = false
		}
	})
	return ok
}

// resetBefore reports whether the body sets d once, before the first nest that mentions it.
func (h *hostLoops) resetBefore(c *chunk, d *cc.Declarator) bool {
	set := false
	for _, it := range c.items {
		if it.stmt == nil {
			continue
		}
		if x, _, ok := safeReset(it.stmt); ok && x == d {
			if set {
				return false
			}
			set = true
			continue
		}
		if it.red != nil && slices.Contains(it.red.gathered, d) && !set {
			return false
		}
		if it.red == nil && assigns(it.stmt, d) {
			return false
		}
	}
	return set
}

func safeReset(s stmt) (*cc.Declarator, expr, bool) {
	if e, ok := s.(exprStmt); ok {
		a, ok := e.x.(assign)
		if !ok {
			return nil, nil, false
		}
		if _, ok := a.x.(ident); !ok {
			return nil, nil, false
		}
	}
	return resetOf(s)
}

// monotone returns why e, which ends the loop if it holds, may hold again where a term of errs is farther out; "" if it may not. negated: the
// loop goes on where e holds.
func (h *hostLoops) monotone(e expr, errs map[*cc.Declarator]extreme, steady func(expr) bool, negated bool) string {
	no := fmt.Sprintf("'%s' does not compare what ends the loop with a value that stays as it is", h.spelled(e))
	err := func(e expr) (extreme, bool) {
		x, ok := e.(ident)
		if !ok {
			return extreme{}, false
		}
		found, ok := errs[x.decl]
		return found, ok
	}
	var ds []*cc.Declarator
	for d := range errs {
		ds = append(ds, d)
	}
	if !mentionsAny([]expr{e}, ds) {
		if steady(e) {
			return ""
		}
		return no
	}
	switch e := e.(type) {
	case unary:
		if e.op == "!" {
			return h.monotone(e.x, errs, steady, !negated)
		}
	case binary:
		switch e.op {
		case "&&", "||":
			if why := h.monotone(e.x, errs, steady, negated); why != "" {
				return why
			}
			return h.monotone(e.y, errs, steady, negated)
		case "<", "<=", ">", ">=":
			x, left := err(e.x)
			other := e.y
			if !left {
				var right bool
				if x, right = err(e.y); !right {
					return no
				}
				other = e.x
			}
			if mentionsAny([]expr{other}, ds) || !steady(other) {
				return no
			}
			grows := (e.op == ">" || e.op == ">=") == left // e holds more as x grows
			if grows != (negated != x.least) {
				return no
			}
			return ""
		case "!=", "==":
			x, left := err(e.x)
			if v, zero := literal(e.y); left && zero && v == 0 && x.counts && (e.op == "!=") == (negated != x.least) {
				return ""
			}
		}
	case ident:
		if x, ok := err(e); ok && x.counts && negated != x.least {
			return ""
		}
	}
	return no
}

// goalOf returns what nest r says about the end of the loop; ok is false if it gathers nothing of that.
func (h *hostLoops) goalOf(r *reduction, errs map[*cc.Declarator]extreme, start map[*cc.Declarator]expr, tests []expr) (*goal, bool) {
	g := &goal{red: r}
	names := map[*cc.Declarator]string{}
	var numbers, suspects []string
	for i := range r.extremes {
		x := r.extremes[i]
		of, ok := errs[x.decl]
		if !ok {
			continue
		}
		x.least = of.least
		t := goalTerm{x: x, name: h.name("term"), typ: h.f.typeText(x.decl.Type()), text: h.spelled(x.term)}
		if _, whole := literal(x.term); whole { // what ++ adds stands nowhere in the source
			t.text = exprText(x.term)
		}
		if under := x.at.under; len(under) > 0 && x.counts {
			t.text = fmt.Sprintf("(%s) ? (%s) : (%s)", exprText(under[len(under)-1]), t.text, h.spelled(start[x.decl]))
		}
		names[x.decl] = t.name
		if x.typ.IsFloat() {
			numbers = append(numbers, fmt.Sprintf("%s == %s", t.name, t.name))
			if x.forgets {
				suspects = append(suspects, fmt.Sprintf("%s != %s", t.name, t.name))
			}
		}
		g.terms = append(g.terms, t)
	}
	if len(g.terms) == 0 {
		return nil, false
	}
	var going []string
	if slices.ContainsFunc(tests, func(e expr) bool { return comparesUnder(e, true) }) {
		going = numbers
	}
	for _, e := range tests {
		going = append(going, "("+exprText(mapExpr(contrary(e), func(e expr) expr {
			x, ok := e.(ident)
			if !ok {
				return e
			}
			if name := names[x.decl]; name != "" {
				x.name, x.decl = name, nil
				return x
			}
			if value := start[x.decl]; value != nil {
				return value
			}
			return e
		}))+")")
	}
	g.condition, g.suspect = strings.Join(going, " && "), strings.Join(suspects, " || ")
	return g, true
}

// contrary returns what holds where e does not.
func contrary(e expr) expr {
	if u, ok := e.(unary); ok && u.op == "!" {
		return u.x
	}
	return unary{e.at(), "!", e}
}

// comparesUnder reports whether e has a comparison that fails where e holds, if not is false, or where e does not, and so may
// hold for what is not a number.
func comparesUnder(e expr, not bool) bool {
	switch e := e.(type) {
	case unary:
		if e.op == "!" {
			return comparesUnder(e.x, !not)
		}
	case binary:
		if e.op == "&&" || e.op == "||" {
			return comparesUnder(e.x, not) || comparesUnder(e.y, not)
		}
		return not
	}
	return false
}

// giveMask gives g the mask of bits.
func (h *hostLoops) giveMask(g *goal) string {
	gatherLeaf := g.terms[0].x.at
	g.typ, g.bits = "long", 62
	if g.terms[0].x.typ.Size() == 4 {
		g.typ, g.bits = "int", 30
	}
	for _, t := range g.terms {
		if !slices.EqualFunc(t.x.at.loops, gatherLeaf.loops, func(f, g forStmt) bool { return f.head == g.head }) {
			return "what ends it is gathered by loops in each other"
		}
		if own := len(t.x.at.under); len(g.terms) > 1 && own > 0 && !(t.x.counts && own == 1) {
			return "what ends it is gathered under conditions"
		}
	}
	var ok bool
	if g.box, ok = h.box(gatherLeaf.loops); !ok {
		return "what ends it is gathered by loops whose bounds are not those of a box"
	}
	g.box = overElements(gatherLeaf.loops, g.box)
	g.mask = h.name("mask")
	return ""
}

// overElements returns those of box, the extents of loops, whose loops lead from element to element. Others run over all elements again, as one over the colours of a
// checkerboard does: of their turns the bits of a point are in one place, as what it sets is.
func overElements(loops []forStmt, box []extentOf) (kept []extentOf) {
	if !setsElements(loops[0]) {
		return box
	}
	for k, f := range loops {
		if namedInside(loops[0], iteratorOf(f)) {
			kept = append(kept, box[k])
		}
	}
	if len(kept) == 0 {
		return box
	}
	return kept
}

// namedInside reports whether s names d but in heads of loops, and in conditions that read no elements.
func namedInside(s stmt, d *cc.Declarator) bool {
	inside := func(s stmt) bool { return namedInside(s, d) }
	switch s := s.(type) {
	case nil:
		return false
	case block:
		return slices.ContainsFunc(s.items, inside)
	case forStmt:
		return inside(s.body)
	case ifStmt:
		return readsElement(s.cond) && mentionsAny([]expr{s.cond}, []*cc.Declarator{d}) || inside(s.then) || inside(s.orElse)
	case otherStmt:
		return mentionsAny(exprsOf(s), []*cc.Declarator{d}) || slices.ContainsFunc(s.inner, inside)
	}
	return mentionsAny(exprsOf(s), []*cc.Declarator{d})
}
