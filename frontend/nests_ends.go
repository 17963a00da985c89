package frontend

import (
	"fmt"
	"slices"
)

// This file takes bodies apart that set elements at both ends of an array, as in
//
//	for (i = 0; i < n; i++) {
//	  A[i][0] = A[i][1];
//	  A[i][m - 1] = A[i][m - 2];
//	}
//
// One nest is one step of a tile, and so near to itself: its elements must not lie
// as far apart as a parameter says. Nests of their own can.

// ends returns the nests of n, read from p, one for each stretch of statements whose
// elements stay together; or n, where that is all of them or the stretches cannot
// run one after the other.
func (nr *nestReader) ends(n *nest, p piece) []*nest {
	if n == nil || !n.fallsApart() {
		return one(n)
	}
	early, body := p.body[:p.early], p.body[p.early:]
	for len(body) > 0 && setsLocalsOnly(body[0]) { // which each of the nests repeats
		early, body = p.body[:len(early)+1], body[1:]
	}
	if len(body) < 2 {
		return one(n)
	}
	for _, s := range body {
		if _, ok := s.(exprStmt); !ok || setsLocalsOnly(s) {
			return one(n)
		}
	}
	start := nr.mark()
	stretch := func(from, to int) *nest {
		return nr.nest(p, part{body: slices.Concat(early, body[from:to]), early: len(early)})
	}
	var all []*nest
	for from := 0; from < len(body); {
		var found *nest
		to := from
		for to < len(body) {
			before := nr.mark()
			m := stretch(from, to+1)
			if m == nil || m.fallsApart() || slices.ContainsFunc(m.early, func(a *access) bool { return a.array.stored || nr.stores(a.array.decl) }) {
				nr.back(before)
				break
			}
			found, to = m, to+1
		}
		if found == nil {
			nr.back(start)
			return one(nr.nest(p, part{body: p.body, early: p.early}))
		}
		all, from = append(all, found), to
	}
	overlaps, ok := nr.overlaps(all)
	if !ok {
		nr.back(start)
		return one(nr.nest(p, part{body: p.body, early: p.early}))
	}
	nr.owe(overlaps...)
	if hasCopies(body) {
		for k, m := range all {
			m.stretch = 1 + k
		}
	}
	return all
}

// overlaps returns what must hold of the sizes for all, which were one nest, to run one after the other: the two sides of an array, as in
//
//	for (i = 0; i < b; i++) { p[i] *= w[i]; p[n-1-i] *= w[i]; }
//
// are the same elements where n < 2*b. ok is false if the nests do not keep their order for large sizes either.
func (nr *nestReader) overlaps(all []*nest) (owed []obligation, ok bool) {
	cx := nr.declaredContext()
	for i, m := range all {
		for _, n := range all[i+1:] {
			x, y := cx.backward(m, n)
			if x == nil {
				continue
			}
			facts, ok := cx.separating(m, n)
			if !ok {
				return nil, false
			}
			for _, f := range facts {
				owed = append(owed, obligation{where: x.where, code: "HX213", value: f, tested: fmt.Sprintf("stays apart from '%s'", y.Text)})
			}
		}
	}
	return owed, true
}

// hasCopies reports whether two statements of body are one in the source, in a loop that is written out.
func hasCopies(body []stmt) bool {
	all := leaves(body)
	for i, w := range all {
		if slices.Contains(all[:i], w) {
			return true
		}
	}
	return false
}
