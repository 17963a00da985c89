package poly

import "slices"

// This file finds transitive closures. Distances that are constants, d1, .., dn, lead from x to x + k1*d1 + .. + kn*dn in
// k = k1 + .. + kn >= 1 steps. If all points of that form are related where the first step can start at x and the last one
// end there, the relation T(k) of that form contains all paths of k steps. It has nothing else if
//
//	T(1) is in R, and T(k) in R after T(k-1) for all k > 1
//
// by induction, which is what the test for exactness asks.

// maxDistances bounds the parts of a uniform relation, and the rounds of composition, for closures.
const maxDistances = 8

// TransitiveClosure returns the pairs that one or more steps of m connect. With exact, that is what they are; otherwise
// they are among those returned. It is exact for relations with paths of a few steps only and, proved case by case, for
// unions of translations by constant distances, such as { S[i, j] -> S[i + 1, j - 1] : 0 <= i, j < 9 }.
func (m Map) TransitiveClosure() (closure Map, exact bool) {
	m = m.Coalesce()
	if t, ok := m.composeAll(); ok {
		return t, true
	}
	if t, ok := m.uniformClosure(); ok {
		exact := m.provesClosure(t)
		return t.steps(0).Coalesce().Simplify(), exact
	}
	return m.connected(), false
}

// composeAll composes m with itself until there is nothing new, for a few rounds.
func (m Map) composeAll() (Map, bool) {
	all, last := m, m
	for range maxDistances / 2 {
		if last = last.ApplyRange(m).Subtract(all); last.IsEmpty() {
			return all, true
		}
		if len(last.parts) > maxDistances*maxDistances {
			break
		}
		all = all.Union(last)
	}
	return Map{}, false
}

// connected returns all pairs of a point where m leads from and one where it leads to, of tuples that its steps connect.
func (m Map) connected() Map {
	pairs := m.SimpleHull().parts
	tuples := make([][2]Tuple, len(pairs))
	for i, b := range pairs {
		tuples[i] = [2]Tuple{b.space.In, b.space.Out}
	}
	for i := 0; i < len(tuples); i++ {
		for j := 0; j <= i; j++ {
			tuples = link(link(tuples, tuples[i], tuples[j]), tuples[j], tuples[i])
		}
	}
	var all Map
	for _, t := range tuples {
		from := UniverseMap(m.Params(), t[0], t[1])
		all = all.Union(from.IntersectDomain(m.Domain()).IntersectRange(m.Range()))
	}
	return all
}

// link appends the tuples that a and then b connect, unless they are there.
func link(tuples [][2]Tuple, a, b [2]Tuple) [][2]Tuple {
	if !a[1].same(b[0]) || slices.ContainsFunc(tuples, func(t [2]Tuple) bool { return t[0].same(a[0]) && t[1].same(b[1]) }) {
		return tuples
	}
	return append(tuples, [2]Tuple{a[0], b[1]})
}

// uniformClosure returns the pairs x -> [y, k] where y is k steps of the distances of m from x, one of them at least, and
// the first of them can start at x and the last one end at y. It returns false if m is no union of few translations.
func (m Map) uniformClosure() (stepped, bool) {
	if len(m.parts) > maxDistances {
		return stepped{}, false
	}
	var distances []vec
	for _, b := range m.parts {
		d, ok := b.translation()
		if !ok || !b.space.In.same(m.parts[0].space.In) {
			return stepped{}, false
		}
		if !slices.ContainsFunc(distances, d.equal) {
			distances = append(distances, d)
		}
	}
	space := m.parts[0].space
	domain, rng := m.Domain(), m.Range()
	all := Map{combinations(space, distances)}
	return stepped{all.IntersectDomain(domain).IntersectRange(counted(rng))}, true
}

// translation returns the constant y - x of all pairs x -> y of b, if there is one.
func (b Basic) translation() (vec, bool) {
	if !b.space.In.same(b.space.Out) {
		return nil, false
	}
	deltas := Map{[]Basic{b}}.Deltas().AffineHull()
	if len(deltas.parts) != 1 {
		return nil, false
	}
	h := deltas.parts[0]
	d := newVec(len(b.space.Out.Dims))
	for i := range d {
		at := slices.IndexFunc(h.rows, func(r row) bool {
			return r.eq && r.c[h.space.outCol()+i].isUnit() && solveFor(r.c, h.space.outCol()+i).isConst()
		})
		if at < 0 {
			return nil, false
		}
		d[i] = solveFor(h.rows[at].c, h.space.outCol()+i)[0]
	}
	return d, true
}

// combinations returns the pairs x -> [x + k1*d1 + .. + kn*dn, k] for the distances, where k = k1 + .. + kn >= 1.
func combinations(space Space, distances []vec) []Basic {
	n := len(space.Out.Dims)
	space = countedSpace(space)
	s := newSystem(space.cols(), len(distances))
	for i := range n {
		v := newVec(s.width())
		v[space.inCol()+i], v[space.outCol()+i] = one, minusOne
		for j, d := range distances {
			v[space.cols()+j] = d[i]
		}
		s.addRow(true, v)
	}
	total := unitVec(s.width(), space.outCol()+n)
	for j := range distances {
		total[space.cols()+j] = minusOne
		s.addRow(false, unitVec(s.width(), space.cols()+j))
	}
	s.addRow(true, total)
	positive := unitVec(s.width(), space.outCol()+n)
	positive[0] = minusOne
	s.addRow(false, positive)
	return s.project(space)
}

// countedSpace returns space with a dimension k at the end of its second tuple.
func countedSpace(space Space) Space {
	space.Out.Dims = append(slices.Clone(space.Out.Dims), "k")
	return space
}

// counted returns s with a last dimension of any value.
func counted(s Set) Set {
	if len(s.parts) == 0 {
		return s
	}
	return s.InsertDims(len(s.parts[0].space.Out.Dims), "k")
}

// A stepped relation has the pairs x -> [y, k] for the paths of k steps from x to y.
type stepped struct{ Map }

// steps returns the pairs x -> y of t for k steps, for any number of them if k is 0.
func (t stepped) steps(k int64) Map {
	var parts []Basic
	for _, b := range t.parts {
		last := len(b.space.Out.Dims) - 1
		space := b.space
		space.Out.Dims = space.Out.Dims[:last]
		if k > 0 {
			fixed := fixDim("steps", []Basic{b}, last, k, Space.outCol)
			if len(fixed) == 0 {
				continue
			}
			b = fixed[0]
		}
		to := append(seq(nil, 0, space.cols()), -1)
		parts = append(parts, b.project(space, to)...)
	}
	return Map{tidy("closure", parts)}
}

// provesClosure reports whether every pair of t is a path of m, by induction over the number of its steps.
func (m Map) provesClosure(t stepped) bool {
	if len(t.parts) == 0 {
		return true
	}
	if !t.steps(1).IsSubset(m) {
		return false
	}
	space := t.parts[0].space
	last := len(space.Out.Dims) - 1
	next := UniverseMap(space.Params, space.Out, space.Out).parts[0]
	s := next.system()
	for i := range space.Out.Dims {
		v := newVec(s.width())
		v[next.space.inCol()+i], v[next.space.outCol()+i] = one, minusOne
		if i == last {
			v[0] = one
		}
		s.addRow(true, v)
	}
	step, _ := s.finish(next.space)
	longer := t.Subtract(t.FixOut(last, 1))
	return longer.IsSubset(m.ApplyRange(t.Map).ApplyRange(Map{[]Basic{step}}))
}
