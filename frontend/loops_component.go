package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file finds the loops over components: those of a pixel, of a vector, or of the populations of a lattice, as in
//
//	for (c = 0; c < 3; c++)
//	  for (i = 1; i < n - 1; i++)
//	    for (j = 1; j < n - 1; j++)
//	      B[c][i][j] = A[c][i - 1][j] + A[c][i + 1][j];
//
// Such a dimension is no space to tile: it has a few elements, none is a neighbour of another, and every point of the
// grid uses all of them. So these loops are written out: see nests_turns.go.
//
// A loop is one over components if it runs between numbers and a few times, if another loop of its nest is none, and
// if its variable is no coordinate: nothing in the region uses two neighbours along a dimension that it is a subscript of,
// nor is the extent of such a dimension large, or unknown when the program is compiled, nor are there more than a few elements that nothing
// uses together, as of the levels of an atmosphere. So is one that runs over a few points whose places lie in an array.

// maxComponents bounds the stores to elements that a loop over components becomes, and the extent of its dimension.
const maxComponents = 32

// maxLevels bounds the elements of a dimension of components that nothing uses together: more of them are points of space.
const maxLevels = 8

// A loopUse is a loop of the region, and how its variable is used in subscripts.
type loopUse struct {
	f          forStmt
	decl       *cc.Declarator
	inner      []*loopUse // the loops in it, at any depth
	outer      []*loopUse
	neighbours bool // two subscripts of one dimension differ by a number
	coordinate bool // neighbours, or it runs through a dimension that another such loop runs through, or a large one
	few        bool // it runs between numbers, a few times
}

// A dimensionAt is one of the subscripts of an array.
type dimensionAt struct {
	root *cc.Declarator
	k    int
}

// A dimensionUse is what the region does with a dimension.
type dimensionUse struct {
	alone  []*loopUse // whose variable is the only one of a subscript
	sums   []loopSum
	large  bool // its extent is large, or no number
	others bool // some subscripts are no sums
}

// A loopSum is a subscript: a number and what it adds of the variables of loops. Variables of other kinds are left out of account.
type loopSum struct {
	c       int64
	factors map[*loopUse]int64
	around  bool // it is one case of a subscript that leads around the ends of a dimension
}

// A componentSearch looks for loops over components.
type componentSearch struct {
	*loopReader
	loops []*loopUse
	scope []*loopUse // around this place, outside in
	dims  map[dimensionAt]*dimensionUse
}

// findComponents notes which loops of the region run over components, by their heads. time is the time loop, if there is one.
func (lr *loopReader) findComponents(timeless bool) {
	s := &componentSearch{loopReader: lr, dims: map[dimensionAt]*dimensionUse{}}
	for _, x := range flatten(lr.stmts) {
		if f, ok := x.(forStmt); ok && !timeless {
			x = f.body
		}
		s.stmt(x)
	}
	s.spread()
	lr.components = map[where]bool{}
	refused := map[where]bool{}
	for _, u := range slices.Backward(s.loops) { // inner ones first
		switch {
		case s.isComponent(u):
			lr.components[u.f.head] = true
		default:
			refused[u.f.head] = true
		}
	}
	for head := range refused { // of a function that is called for several arrays
		delete(lr.components, head)
	}
}

// isComponent reports whether u is a loop over components; it has been decided for the loops in it.
func (s *componentSearch) isComponent(u *loopUse) bool {
	if !u.few || assigns(u.f.body, u.decl) || jumps(u.f.body, "'break'") {
		return false
	}
	by, _ := stepOf(u.f.step, u.decl)
	stores := s.trips(u.f, u.decl, by) * s.storesOf(u.f.body)
	if indexesIndices(u.f.body, u.decl) && stores > 0 && stores <= maxComponents {
		return true
	}
	if u.coordinate || s.isOverLevels(u) {
		return false
	}
	grid := func(v *loopUse) bool { // whether v stays a loop whatever becomes of u
		return (!v.few || v.coordinate) && s.isNestLoop(v.f, true)
	}
	long := slices.ContainsFunc(u.inner, grid)
	if !long && !slices.ContainsFunc(u.outer, grid) || !long && !s.placesElements(u.f) {
		return false
	}
	return stores > 0 && stores <= maxComponents
}

// indexesIndices reports whether d numbers elements in s that are subscripts of others, as in grid[sources[d].i].
func indexesIndices(s stmt, d *cc.Declarator) (found bool) {
	eachStmt(s, func(s stmt) {
		for _, x := range exprsOf(s) {
			eachExpr(x, func(e expr) {
				if outer, ok := e.(index); ok {
					eachExpr(outer.sub, func(e expr) {
						if inner, ok := e.(index); ok && mentions(inner.sub, d) {
							found = true
						}
					})
				}
			})
		}
	})
	return found
}

// storesOf returns how many elements one run of x, with its loops over components written out, sets at most,
// counted once for each iteration of its other loops.
func (s *componentSearch) storesOf(x stmt) (count int) {
	switch x := x.(type) {
	case block:
		for _, y := range x.items {
			count += s.storesOf(y)
		}
	case ifStmt:
		count = s.storesOf(x.then) + s.storesOf(x.orElse)
	case otherStmt:
		for _, y := range x.inner {
			count += s.storesOf(y)
		}
	case forStmt:
		count = s.storesOf(x.body)
		stays := s.isNestLoop(x, true) && !s.components[x.head]
		if by, ok := stepOf(x.step, iteratorOf(x)); ok && !stays && s.runsBetweenNumbers(x) {
			count *= s.trips(x, iteratorOf(x), by)
		}
	case exprStmt:
		eachExpr(x.x, func(e expr) {
			if a, ok := e.(assign); ok {
				if _, scalar := a.x.(ident); !scalar {
					count++
				}
			}
		})
	}
	return min(count, maxComponents+1)
}

// runsBetweenNumbers reports whether f runs from a number to a number, in steps of one.
func (lr *loopReader) runsBetweenNumbers(f forStmt) bool {
	by, ok := stepOf(f.step, iteratorOf(f))
	return iteratorOf(f) != nil && ok && by != 0 && f.cond != nil && initOf(f) != nil && lr.trips(f, iteratorOf(f), by) <= maxWindow
}

// stmt looks through s.
func (s *componentSearch) stmt(x stmt) {
	switch x := x.(type) {
	case block:
		for _, y := range x.items {
			s.stmt(y)
		}
	case forStmt:
		u := &loopUse{f: x, decl: iteratorOf(x), outer: slices.Clone(s.scope), few: s.runsBetweenNumbers(x)}
		for _, v := range s.scope {
			v.inner = append(v.inner, u)
		}
		s.loops = append(s.loops, u)
		s.scope = append(s.scope, u)
		s.stmt(x.body)
		s.scope = s.scope[:len(s.scope)-1]
	case ifStmt:
		s.expr(x.cond)
		s.stmt(x.then)
		s.stmt(x.orElse)
	case otherStmt:
		for _, y := range x.inner {
			s.stmt(y)
		}
	case nil:
	default:
		for _, e := range exprsOf(x) {
			s.expr(e)
		}
	}
}

// expr notes the subscripts in e.
func (s *componentSearch) expr(e expr) {
	eachExpr(e, func(e expr) {
		p, ok := lvalue(e)
		if !ok {
			return
		}
		for k, sub := range p.subs {
			s.noteSubscript(dimensionAt{p.root.decl, k}, p, sub)
		}
	})
}

// isLarge reports whether the extent of dimension k of what p leads to is declared, and not by a small number.
func (s *componentSearch) isLarge(p path, k int) bool {
	t, ok := shapeOfType(p.shape)
	if len(p.fields) > 0 && k >= p.fields[0].after || !ok || k >= len(t.dims) || t.dims[k] == nil {
		return false
	}
	n := t.dims[k].Len()
	if size := t.dims[k].SizeExpression(); n < 0 && size != nil {
		var known bool
		if n, known = s.constant(s.u.members.resolved(convertExpr(size))); !known {
			return true
		}
	}
	return n > maxComponents
}

// spread finds the loops that are coordinates: from loops with neighbours, and from large dimensions, through dimensions that
// several loops run through.
func (s *componentSearch) spread() {
	for _, u := range s.loops {
		u.coordinate = u.neighbours
	}
	for changed := true; changed; {
		changed = false
		for _, d := range s.dims {
			d.large = d.large || slices.ContainsFunc(d.alone, func(u *loopUse) bool { return u.coordinate })
			for _, u := range d.alone {
				if d.large && !u.coordinate {
					u.coordinate, changed = true, true
				}
			}
		}
	}
}

// isOverLevels reports whether u runs through many elements of its dimensions, each of which is used with itself alone: all subscripts there are variables of
// loops, and nothing else.
func (s *componentSearch) isOverLevels(u *loopUse) bool {
	by, _ := stepOf(u.f.step, u.decl)
	levels := s.trips(u.f, u.decl, by) > maxLevels
	for _, d := range s.dims {
		if !slices.ContainsFunc(d.sums, func(x loopSum) bool { return x.factors[u] != 0 }) {
			continue
		}
		levels = levels && !d.others && !slices.ContainsFunc(d.sums, func(x loopSum) bool {
			if x.c != 0 || len(x.factors) != 1 {
				return true
			}
			for _, factor := range x.factors {
				return factor != 1
			}
			return false
		})
	}
	return levels
}

// isNestLoop reports whether s is a loop of a nest, or an if around some, not a
// small loop that is written out. apart says that no elements are set beside it.
func (lr *loopReader) isNestLoop(s stmt, apart bool) bool {
	switch s := s.(type) {
	case forStmt:
		if lr.components[s.head] {
			return contains(s.body, func(s stmt) bool { _, loop := s.(forStmt); return loop && lr.isNestLoop(s, true) })
		}
		return !lr.isWindow(s) || apart && lr.placesElements(s)
	case ifStmt:
		return slices.ContainsFunc(append(flatten([]stmt{s.then}), flatten([]stmt{s.orElse})...), func(s stmt) bool { return lr.isNestLoop(s, apart) })
	}
	return false
}

// writtenOut returns ss with the loops over components in it that hold no loops of a nest replaced by their copies, in
// branches of an if, too.
func (lr *loopReader) writtenOut(ss []stmt) (out []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case forStmt:
			if lr.components[s.head] && !lr.isNestLoop(s, true) {
				for _, v := range lr.valuesOf(s) {
					out = append(out, lr.writtenOut(turnOf(s, v))...)
				}
				continue
			}
		case ifStmt:
			s.then = block{s.then.at(), lr.writtenOut(flatten([]stmt{s.then}))}
			if s.orElse != nil {
				s.orElse = block{s.orElse.at(), lr.writtenOut(flatten([]stmt{s.orElse}))}
			}
			out = append(out, s)
			continue
		}
		out = append(out, s)
	}
	return out
}

// valuesOf returns the values that the variable of f takes, a loop that runs between numbers.
func (lr *loopReader) valuesOf(f forStmt) (values []int64) {
	d := iteratorOf(f)
	by, _ := stepOf(f.step, d)
	v, _ := lr.constant(initOf(f))
	for range lr.trips(f, d, by) {
		values = append(values, v)
		v += by
	}
	return values
}
