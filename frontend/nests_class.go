package frontend

import "slices"

// This file takes nests apart by the residue classes of loop variables, where remainders stand in subscripts or in the bounds of inner loops (affine_class.go):
//
//	for (i = 1; i <= n; i++)                            for (i = 1; i <= n; i++)
//	  for (k = 1; k <= h; k++)                            if (i % 2 == 0)
//	    B[i][k] = A[i][i % 2 ? k - 1 : k];       =>         for (k = 1; k <= h; k++) B[i][k] = A[i][k];
//	                                                    for (i = 1; i <= n; i++)
//	                                                      if (i % 2 == 1)
//	                                                        for (k = 1; k <= h; k++) B[i][k] = A[i][k - 1];
//
// An instance whose test does not hold is idle (scop/residue.go), so the parts know of each other which of them uses what.

// classes returns the parts into which p falls by a remainder in a subscript; ok is false if there is none.
func (nr *nestReader) classes(n *nest, p part) (parts []part, ok bool) {
	if !nr.byClass {
		return nil, false
	}
	at := n.place()
	at.constraints = slices.Concat(at.constraints, p.constraints)
	c, ok := nr.classOfSubscripts(p.body, at)
	if !ok {
		return nil, false
	}
	w := where{p.body[p.early].at().first, p.body[len(p.body)-1].at().last}
	for _, c := range c.others() {
		q := part{constraints: slices.Concat(p.constraints, c.ends(at.known())), early: p.early, remainders: p.remainders}
		q.body = mapAll(p.body, func(s stmt) stmt { return nr.putIn(c, s, at, &q.remainders) })
		run := ifStmt{w, c.test(), block{w, q.body[p.early:]}, nil}
		q.body = append(q.body[:p.early:p.early], run)
		parts = append(parts, q)
	}
	return parts, true
}

// withTurns returns ss with the loops in it written out that hold remainders in subscripts: of i + d, in a loop over d.
func (nr *nestReader) withTurns(ss []stmt) (out []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case block:
			s.items = nr.withTurns(s.items)
			out = append(out, s)
			continue
		case ifStmt:
			s.then = block{s.then.at(), nr.withTurns(flatten([]stmt{s.then}))}
			if s.orElse != nil {
				s.orElse = block{s.orElse.at(), nr.withTurns(flatten([]stmt{s.orElse}))}
			}
			out = append(out, s)
			continue
		case forStmt:
			if !nr.isWindow(s) || jumps(s.body, "'break'") || !contains(s.body, holdsRemainderInSubscript) {
				break
			}
			for _, v := range nr.valuesOf(s) {
				out = append(out, nr.withTurns(turnOf(s, v))...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// holdsRemainderInSubscript reports whether s has a subscript that holds a remainder.
func holdsRemainderInSubscript(s stmt) (found bool) {
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			if x, ok := e.(index); ok {
				found = found || holdsRemainder(exprStmt{x.sub.at(), x.sub})
			}
		})
	}
	return found
}

// classOfSubscripts returns the first class of a remainder in a subscript of ss.
func (nr *nestReader) classOfSubscripts(ss []stmt, at place) (c residueClass, ok bool) {
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			if x, isIndex := e.(index); isIndex && !ok {
				c, ok = nr.classIn(x.sub, at)
			}
		})
	}
	return c, ok
}

// putIn returns s with numbers in place of the remainders that c determines, which it adds to remainders.
func (nr *nestReader) putIn(c residueClass, s stmt, at place, remainders *[]binary) stmt {
	return mapStmt(s, func(e expr) expr {
		return nr.put(c, e, at, func(b binary) {
			if !slices.ContainsFunc(*remainders, func(x binary) bool { return sameExpr(x, b) }) {
				*remainders = append((*remainders)[:len(*remainders):len(*remainders)], b)
			}
		})
	})
}

// headClasses returns the nests of f, a loop inside of others whose bounds hold a remainder, one for each class; ok is false if they hold none.
func (nr *nestReader) headClasses(f forStmt, in around, prefix []stmt) (all []piece, ok bool) {
	if !nr.byClass || len(in.heads) == 0 {
		return nil, false
	}
	var c residueClass
	back := nr.try()
	n := nr.heads(piece{around: in})
	if n != nil {
		eachBound(f, func(e expr) {
			if !ok {
				c, ok = nr.classIn(e, n.place())
			}
		})
	}
	back()
	if !ok {
		return nil, false
	}
	for _, c := range c.others() {
		inside := in
		inside.remainders = slices.Clone(in.remainders)
		made := nr.putIn(c, f, n.place(), &inside.remainders)
		for _, p := range nr.pieces([]stmt{made}, inside, prefix) {
			all = append(all, p.under(c.test(), f.where))
		}
	}
	return all, true
}
