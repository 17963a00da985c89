package poly

import (
	"slices"
)

// A Map is a relation: a finite union of Basics over pairs of tuples, such as { S[i] -> A[i + 1]; S[i] -> B[] }.
// The zero Map is empty. Maps are immutable, and operations on them exact, like those on sets.
type Map struct{ parts []Basic }

// Basics returns the parts of m, which may overlap.
func (m Map) Basics() []Basic { return slices.Clone(m.parts) }

// Params returns the parameters of m.
func (m Map) Params() []string { return slices.Clone(paramsOf(m.parts)) }

// Union returns the pairs of m and the pairs of n.
func (m Map) Union(n Map) Map {
	record(m, n)
	return Map{unite(m.parts, n.parts)}
}

// Intersect returns the pairs that m and n have in common.
func (m Map) Intersect(n Map) Map {
	record(m, n)
	return Map{intersect(m.parts, n.parts)}
}

// IntersectParams returns the pairs of m for the parameter values in context, a set like [N] -> { : N >= 1 }.
func (m Map) IntersectParams(context Set) Map {
	record(m, context)
	return Map{intersectParams(m.parts, context.parts)}
}

// Subtract returns the pairs of m that are not in n.
func (m Map) Subtract(n Map) Map {
	record(m, n)
	return Map{subtract(m.parts, n.parts)}
}

// IsEmpty reports whether m has no pairs of integer points, for any values of the parameters.
func (m Map) IsEmpty() bool {
	record(m, "")
	return allEmpty(m.parts)
}

// IsSubset reports whether all pairs of m are in n.
func (m Map) IsSubset(n Map) bool {
	record(m, n)
	return isSubset(m.parts, n.parts)
}

// IsEqual reports whether m and n have the same pairs.
func (m Map) IsEqual(n Map) bool {
	record(m, n)
	return m.IsSubset(n) && n.IsSubset(m)
}

// Domain returns the points that m relates to something.
func (m Map) Domain() Set {
	record(m, "")
	return m.onto(func(s Space) (Space, []int) {
		to := seq(nil, 0, s.outCol())
		return setSpace(s.Params, s.In), appendRepeated(to, -1, len(s.Out.Dims))
	})
}

// Range returns the points that m relates something to.
func (m Map) Range() Set {
	record(m, "")
	return m.onto(func(s Space) (Space, []int) {
		to := appendRepeated(seq(nil, 0, s.inCol()), -1, len(s.In.Dims))
		return setSpace(s.Params, s.Out), seq(to, s.inCol(), len(s.Out.Dims))
	})
}

// onto projects each part onto a set space.
func (m Map) onto(target func(Space) (Space, []int)) Set {
	defer begin("project", &m.parts).end()
	var parts []Basic
	for _, b := range m.parts {
		parts = append(parts, b.project(target(b.space))...)
	}
	return Set{tidy("project", parts)}
}

func appendRepeated(xs []int, x, n int) []int {
	for range n {
		xs = append(xs, x)
	}
	return xs
}

// Inverse exchanges the two sides: A -> B gives B -> A.
func (m Map) Inverse() Map {
	record(m, "")
	parts := make([]Basic, len(m.parts))
	for i, b := range m.parts {
		space := mapSpace(b.space.Params, b.space.Out, b.space.In)
		to := seq(nil, 0, space.inCol())
		to = seq(to, space.outCol(), len(b.space.In.Dims))
		to = seq(to, space.inCol(), len(b.space.Out.Dims))
		parts[i] = b.mustMove(space, to)
	}
	return Map{parts}
}

// ApplyRange composes: A -> B and B -> C give A -> C.
func (m Map) ApplyRange(n Map) Map {
	record(m, n)
	x, y := alignParams(m.parts, n.parts)
	defer begin("compose", &x, &y).end()
	var parts []Basic
	near := nearby(x, y, func(a, b Space) (out, in, n int) { return a.outCol(), b.inCol(), len(a.Out.Dims) })
	for i, a := range x {
		for j, b := range y {
			if a.space.Out.same(b.space.In) && near(i, j) {
				parts = append(parts, a.compose(b)...)
			}
		}
	}
	return Map{tidy("compose", parts)}
}

// alignParams returns both over the same parameters.
func alignParams(a, b []Basic) (x, y []Basic) {
	params := mergeParams(paramsOf(a), paramsOf(b))
	return overParams(a, params), overParams(b, params)
}

// compose is ApplyRange for parts that fit.
func (a Basic) compose(b Basic) []Basic {
	space := mapSpace(a.space.Params, a.space.In, b.space.Out)
	mid := len(a.space.Out.Dims)
	s := newSystem(space.cols(), mid)
	s.borrow(a, b)
	s.add(a, seq(seq(nil, 0, a.space.outCol()), space.cols(), mid))
	to := seq(nil, 0, space.inCol())
	to = seq(to, space.cols(), mid)
	s.add(b, seq(to, space.outCol(), len(space.Out.Dims)))
	parts := s.project(space)
	s.giveBack()
	return parts
}

// ApplyDomain composes on the other side: A -> B and A -> C give C -> B.
func (m Map) ApplyDomain(n Map) Map {
	record(m, n)
	return n.Inverse().ApplyRange(m)
}

// Apply returns the image of s: what m relates the points of s to.
func (m Map) Apply(s Set) Set {
	record(m, s)
	return m.IntersectDomain(s).Range()
}

// IntersectDomain returns the pairs of m whose first point is in s.
func (m Map) IntersectDomain(s Set) Map {
	record(m, s)
	return m.restrict(s, func(space Space) (Tuple, int) { return space.In, space.inCol() })
}

// IntersectRange returns the pairs of m whose second point is in s.
func (m Map) IntersectRange(s Set) Map {
	record(m, s)
	return m.restrict(s, func(space Space) (Tuple, int) { return space.Out, space.outCol() })
}

// restrict conjoins s at one side of m.
func (m Map) restrict(s Set, side func(Space) (Tuple, int)) Map {
	x, y := alignParams(m.parts, s.parts)
	defer begin("intersect", &x, &y).end()
	var parts []Basic
	for _, a := range x {
		tuple, first := side(a.space)
		for _, b := range y {
			if !b.space.Out.same(tuple) {
				continue
			}
			to := seq(seq(nil, 0, b.space.inCol()), first, len(tuple.Dims))
			if both, ok := a.conjoin(b, to); ok {
				parts = both.appendTo(parts, len(x)*len(y) == 1)
			}
		}
	}
	return Map{tidy("intersect", parts)}
}

// conjoin returns the points of a that satisfy b, whose columns are the columns to of a.
func (a Basic) conjoin(b Basic, to []int) (Basic, bool) {
	if len(b.rows) == 0 {
		return a, true
	}
	s := newSystem(a.space.cols(), 0)
	s.borrow(a, b)
	s.add(a, a.space.identityCols())
	s.add(b, to)
	both, ok := s.finish(a.space)
	s.giveBack()
	return both, ok
}

// intersectParams conjoins context, a set of parameters, to each part.
func intersectParams(parts, context []Basic) []Basic {
	x, y := alignParams(parts, context)
	defer begin("intersect", &x, &y).end()
	var both []Basic
	for _, a := range x {
		for _, b := range y {
			if b.space.cols() != b.space.inCol() {
				panic(misuse("IntersectParams: not a set of parameters: %v", Set{context}))
			}
			if c, ok := a.conjoin(b, seq(nil, 0, b.space.inCol())); ok {
				both = append(both, c)
			}
		}
	}
	return tidy("intersect", both)
}

// Deltas returns the differences of the second and the first point of each pair, which have the same number of
// dimensions. Its tuple is that of the points if both have the same, and otherwise has no name.
func (m Map) Deltas() Set {
	record(m, "")
	defer begin("deltas", &m.parts).end()
	var parts []Basic
	for _, b := range m.parts {
		n := len(b.space.In.Dims)
		if n != len(b.space.Out.Dims) {
			panic(misuse("Deltas: tuples of different lengths: %v", m))
		}
		tuple := deltaTuple(b.space.In, b.space.Out)
		space := setSpace(b.space.Params, tuple)
		s := newSystem(space.cols(), 2*n)
		s.add(b, seq(seq(nil, 0, space.inCol()), space.cols(), 2*n))
		for i := range n {
			v := newVec(s.width())
			v[space.outCol()+i], v[space.cols()+i], v[space.cols()+n+i] = one, one, minusOne
			s.addRow(true, v)
		}
		parts = append(parts, s.project(space)...)
	}
	return Set{tidy("deltas", parts)}
}

// deltaTuple returns the tuple of the differences of points of second and first, which are of the same length.
func deltaTuple(first, second Tuple) Tuple {
	if first.same(second) {
		return second
	}
	return Tuple{Dims: second.Dims}
}

// FixParam returns m for one value of a parameter, which it then no longer has.
func (m Map) FixParam(name string, v int64) Map {
	record(m, paramValue{name, v})
	return Map{fixParam(m.parts, name, v)}
}

// Sample returns a pair of points of m; ok is false if m is empty.
func (m Map) Sample() (params, in, out []int64, ok bool) {
	record(m, "")
	return sample(m.parts)
}
