package frontend

import "slices"

// This file takes nests apart by a test of a remainder, as of the colour of a checkerboard, that some statements of the body are under, and others are not:
//
//	for (i..) for (j..) {                      for (i..) for (j..)
//	  w[i][j] = 0;                               if ((i + j) % 2 == 0) { w[i][j] = 0; u[i][j] = ..; }
//	  if ((i + j) % 2 == 0)              =>    for (i..) for (j..)
//	    u[i][j] = ..;                            if (!((i + j) % 2 == 0)) w[i][j] = 0;
//	}
//
// Whole, each instance may change u, by what its neighbours have made of it; apart, all instances of a nest at which it does anything may run at the same time
// (scop/residue.go). That is one sweep more, so it is done only where it frees a nest of what its instances wait for.

// colours returns the parts into which q falls by the first test of a remainder that is neither around all of its stores nor depends on them, those where it holds
// first; q where there is no such test.
func (nr *nestReader) colours(p piece, q part) []part {
	stores := func(s stmt) bool { return !setsLocalsOnly(s) }
	first := slices.IndexFunc(q.body[q.early:], stores)
	if first < 0 {
		return []part{q}
	}
	first += q.early
	rest := q.body[first:]
	set := setsAny(block{items: rest})
	for i, s := range rest {
		test, ok := s.(ifStmt)
		if !ok || readsElement(test.cond) || mentionsAny([]expr{test.cond}, set) || mixesBits(test.cond) {
			continue
		}
		others := slices.Concat(rest[:i], rest[i+1:])
		if !slices.ContainsFunc(others, stores) && (test.orElse == nil || !stores(test.orElse)) {
			continue // all that is stored is under the test
		}
		side := func(cond expr, branch stmt) part {
			some := q
			body := slices.Concat(rest[:i], flatten([]stmt{branch}), rest[i+1:])
			some.body = append(slices.Clone(q.body[:first]), ifStmt{test.where, cond, block{test.where, body}, nil})
			return some
		}
		holds := side(test.cond, test.then)
		if nr.isColour(p, holds) {
			return []part{holds, side(unary{test.cond.at(), "!", test.cond}, test.orElse)}
		}
	}
	return []part{q}
}

// mixesBits reports whether e has an exclusive or, as (i ^ j) & 1 has: that one of two such conditions holds is not proved of all numbers.
func mixesBits(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		b, ok := e.(binary)
		found = found || ok && b.op == "^"
	})
	return found
}

// isColour reports whether instances of q, a part of p under a test, do something only where a remainder says so.
func (nr *nestReader) isColour(p piece, q part) bool {
	defer nr.try()()
	n := nr.nest(p, q)
	return n != nil && nr.declaredContext().running(n) != nil
}
