package scan

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file puts conditions around what is written, as far out as they can stand.

// A graft is a piece of loops and the condition under which it runs: a set of parameters and variables around, which says nothing
// that is known where it stands.
type graft struct {
	guard poly.Set
	node  Node
}

// always is the condition of what always runs.
var always = poly.NewParamSet(nil)

// isAlways reports whether s has no conditions.
func isAlways(s poly.Set) bool {
	for _, b := range s.Basics() {
		if len(b.Constraints()) == 0 {
			return true
		}
	}
	return false
}

// simplified returns a condition without what is known.
func simplified(s, known poly.Set) poly.Set {
	if isAlways(s) {
		return always
	}
	t := tidy(reduced(s, known).Gist(known))
	if len(t.Basics()) > 1 && known.IsSubset(t) { // of several cases none may be the one
		return always
	}
	return t
}

// hulled returns one conjunction that holds wherever s does, or false where none is found within the bounds of package poly.
func hulled(s poly.Set) (hull poly.Set, ok bool) {
	err := poly.Limited(func() error { hull = s.SimpleHull(); return nil })
	return hull, err == nil
}

// reduced returns what s and what is known say together, without floors that have one value.
func reduced(s, known poly.Set) poly.Set {
	both := tidy(s.Intersect(known))
	for _, b := range both.Basics() {
		if len(b.Divs()) > 0 {
			return both.RemoveRedundant()
		}
	}
	return both
}

// tidy returns s in fewer parts where that is found within the bounds of package poly.
func tidy(s poly.Set) (t poly.Set) {
	t = s
	if len(s.Basics()) > 1 {
		_ = poly.Limited(func() error { t = s.Coalesce(); return nil })
	}
	return t
}

// finish returns nodes with the conditions of grafts around them.
func (w *writer) finish(list []graft, known poly.Set) (nodes Block) {
	for i := 0; i < len(list); {
		if isAlways(list[i].guard) {
			nodes = append(nodes, list[i].node)
			i++
			continue
		}
		// those with one condition become one, then those of which one at most runs a chain
		groups := sameGuards(list[i:])
		chain := exclusive(groups, known)
		for _, g := range groups[:chain] {
			i += g.n
		}
		nodes = append(nodes, choose(groups[:chain], known))
	}
	return nodes
}

// A run is grafts one after the other with one condition.
type run struct {
	guard poly.Set
	body  Block
	n     int
}

// sameGuards returns what list starts with, up to what always runs, in runs.
func sameGuards(list []graft) (runs []run) {
	for _, g := range list {
		if isAlways(g.guard) {
			break
		}
		if k := len(runs) - 1; k >= 0 && sameSet(runs[k].guard, g.guard) {
			runs[k].body = append(runs[k].body, g.node)
			runs[k].n++
			continue
		}
		runs = append(runs, run{g.guard, Block{g.node}, 1})
	}
	return runs
}

// sameSet reports whether two conditions are the same.
func sameSet(s, t poly.Set) bool { return s.String() == t.String() || s.IsEqual(t) }

// exclusive returns how many of runs, from the first on, never run together.
func exclusive(runs []run, known poly.Set) int {
	n := 1
	for ; n < len(runs); n++ {
		for _, r := range runs[:n] {
			if !r.guard.Intersect(runs[n].guard).Intersect(known).IsEmpty() {
				return n
			}
		}
	}
	return n
}

// choose returns a chain of conditions, of which at most one holds.
func choose(runs []run, known poly.Set) Node {
	first := runs[0]
	guard := simplified(first.guard, known)
	if isAlways(guard) {
		return block(first.body)
	}
	n := &If{Cond: condition(guard), Then: block(first.body)}
	if len(runs) > 1 {
		n.Else = choose(runs[1:], tidy(known.Subtract(guard)))
	}
	return n
}

// block returns nodes as one.
func block(nodes Block) Node {
	var flat Block
	for _, n := range nodes {
		if b, ok := n.(Block); ok {
			flat = append(flat, b...)
		} else {
			flat = append(flat, n)
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return flat
}

// hoisted splits the conditions of list: outer holds wherever one of them does, does not mention the variable, and is no longer
// part of them.
func hoisted(list []graft, name string, known poly.Set) (outer poly.Set, inner []graft) {
	outer = always
	for _, g := range list {
		if isAlways(g.guard) {
			return outer, list
		}
	}
	if len(list) == 0 {
		return outer, list
	}
	var common []poly.Formula
	if first := list[0].guard.Basics(); len(first) == 1 {
		r := newReader(first[0].Space(), first[0].Divs())
		for _, row := range first[0].Constraints() {
			e := r.expr(row.Affine)
			if mentions(e, name) {
				continue
			}
			f := holds(row.Eq, e)
			if isCommon(f, first[0].Space().Params, list[1:], known) {
				common = append(common, f)
			}
		}
		if len(common) == 0 {
			return outer, list
		}
		outer = poly.NewParamSet(first[0].Space().Params, common...)
	} else {
		for _, b := range first {
			r := newReader(b.Space(), b.Divs())
			for _, row := range b.Constraints() {
				if mentions(r.expr(row.Affine), name) {
					return outer, list
				}
			}
		}
		for _, g := range list[1:] {
			if !sameSet(g.guard, list[0].guard) {
				return outer, list
			}
		}
		outer = list[0].guard
	}
	known = known.Intersect(outer)
	for _, g := range list {
		inner = append(inner, graft{simplified(g.guard, known), g.node})
	}
	return outer, inner
}

// isCommon reports whether a condition holds wherever those of list do.
func isCommon(f poly.Formula, params []string, list []graft, known poly.Set) bool {
	not := poly.NewParamSet(params, poly.Not(f))
	for _, g := range list {
		if !g.guard.Intersect(known).Intersect(not).IsEmpty() {
			return false
		}
	}
	return true
}

// holds returns the formula e >= 0, or e = 0.
func holds(eq bool, e affine.Expr) poly.Formula {
	if eq {
		return poly.Equal(e, affine.Num(0))
	}
	return poly.NotNegative(e)
}

// mentions reports whether the variable occurs in e.
func mentions(e affine.Expr, name string) (found bool) {
	affine.Vars(e, func(v string) { found = found || v == name })
	return found
}

// marked returns grafts inside of a mark.
func (w *writer) marked(name string, list []graft, at place) []graft {
	if len(list) == 0 {
		return nil
	}
	outer, inner := hoisted(list, "", at.known)
	return []graft{{outer, &Mark{name, block(w.finish(inner, at.known.Intersect(outer)))}}}
}
