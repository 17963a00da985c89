package poly

import "slices"

// This file finds transitive closures, in three stages.
//
// Parts of a relation that no path leads back to are taken one after the other: paths of P and then C, with no way back,
// have the closure P+ and C+ and P+ after C+. Parts that lead to each other are a component.
//
// A component of several tuples is reduced to relations of one tuple, as Floyd, Warshall and Kleene do: paths between
// tuples may pass through more and more of the others, any number of times.
//
// A component of one tuple moves points by the differences in a set D, or in several such sets. The sums of k differences
// satisfy the constraints of D with their constants times k. If all points so far apart are related where the first step can
// start at x and the last one end at y, that relation T(k) contains all paths of k steps. It has nothing else if
//
//	T(1) is in R, and T(k) in R after T(k-1) for all k > 1
//
// by induction, which is what the test for exactness asks.

// Bounds of the search for a closure, beyond which its answer is larger, and says so.
const (
	maxDifferences = 8   // sets of differences; more become one, their hull
	maxRounds      = 4   // of composition, for relations without long paths
	maxComponents  = 100 // parts that are told apart
)

// TransitiveClosure returns the pairs that one or more steps of m connect. With exact, that is what they are; otherwise
// they are among those returned. It is exact for relations with paths of a few steps only and, proved case by case, for
// many that move points by differences that do not depend on the point, such as
// { S[t, i] -> S[t + 1, j] : 0 <= t < T and i - 1 <= j <= i + 1 and 0 < i, j < N }.
func (m Map) TransitiveClosure() (closure Map, exact bool) {
	defer begin("closure", &m.parts).end()
	m = m.Coalesce()
	if t, ok := m.composeAll(); ok {
		return t, true
	}
	exact = true
	for _, c := range m.components() {
		t, sure := c.closure()
		exact = exact && sure
		closure = closure.Union(t).Union(closure.ApplyRange(t))
	}
	return closure.Coalesce().Simplify(), exact
}

// composeAll composes m with itself until there is nothing new, for a few rounds.
func (m Map) composeAll() (Map, bool) {
	all, last := m, m
	for range maxRounds {
		if last = last.ApplyRange(m).Subtract(all); last.IsEmpty() {
			return all, true
		}
		if len(last.parts) > maxDifferences*maxDifferences {
			break
		}
		all = all.Union(last)
	}
	return Map{}, false
}

// A component is a relation all of whose parts lead to each other, or one part that does not lead to itself: a single step.
type component struct {
	Map
	single bool
}

// components returns the components of m, those first that lead to others.
func (m Map) components() []component {
	n := len(m.parts)
	if n > maxComponents {
		return []component{{Map: m}}
	}
	reach := m.reachable()
	var list []component
	var before []int // the number of parts that lead to each component from outside
	for i := range m.parts {
		c, count := component{single: !reach[i][i]}, 0
		first := true
		for j, d := range m.parts {
			switch {
			case i == j || reach[i][j] && reach[j][i]:
				first = first && j >= i
				c.parts = append(c.parts, d)
			case reach[j][i]:
				count++
			}
		}
		if !first {
			continue
		}
		at, _ := slices.BinarySearch(before, count+1)
		before, list = slices.Insert(before, at, count), slices.Insert(list, at, c)
	}
	return list
}

// reachable returns which parts of m paths lead to from which others.
func (m Map) reachable() [][]bool {
	reach := make([][]bool, len(m.parts))
	for i, a := range m.parts {
		reach[i] = make([]bool, len(m.parts))
		for j, b := range m.parts {
			reach[i][j] = !Map{[]Basic{a}}.Range().Intersect(Map{[]Basic{b}}.Domain()).IsEmpty()
		}
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

// closure returns the closure of a component, or something larger.
func (c component) closure() (closure Map, exact bool) {
	if c.single {
		return c.Map, true
	}
	tuples := c.tuples()
	if len(tuples) > 1 {
		return c.through(tuples)
	}
	points := tuples[0]
	vectors := c.between(Tuple{Name: points.Name, Dims: points.Dims}) // dimensions can be added to them
	t := vectors.stepped()
	return t.steps(0).between(points), vectors.provesClosure(t)
}

// between returns m as a relation of points of the tuple t, which has as many dimensions as those of m.
func (m Map) between(t Tuple) Map {
	return Map{respaced(m.parts, func(s *Space) { s.In, s.Out = t.shape().tuple(s.In.Dims), t.shape().tuple(s.Out.Dims) })}
}

// tuples returns those of the points of m.
func (m Map) tuples() (list []Tuple) {
	for _, b := range m.parts {
		for _, t := range []Tuple{b.space.In, b.space.Out} {
			if !slices.ContainsFunc(list, t.same) {
				list = append(list, t)
			}
		}
	}
	return list
}

// through returns the closure of m by way of one of its tuples after the other, exact if that of each is.
func (m Map) through(tuples []Tuple) (closure Map, exact bool) {
	paths, exact := m, true
	for _, t := range tuples {
		into := paths.where(func(s Space) bool { return s.Out.same(t) })
		from := paths.where(func(s Space) bool { return s.In.same(t) })
		loops, sure := into.where(func(s Space) bool { return s.In.same(t) }).TransitiveClosure()
		exact = exact && sure
		paths = paths.Union(into.ApplyRange(from)).Union(into.ApplyRange(loops).ApplyRange(from)).Coalesce()
	}
	return paths, exact
}

// where returns the parts of m whose spaces satisfy f.
func (m Map) where(f func(Space) bool) Map {
	return Map{slices.DeleteFunc(slices.Clone(m.parts), func(b Basic) bool { return !f(b.space) })}
}

// A stepped relation has pairs x -> [y, k] for the paths of k steps from x to y.
type stepped struct{ Map }

// stepped returns the pairs x -> [y, k] where y - x is a sum of k >= 1 differences of m, and the first step can start at x
// and the last one end at y. m is not empty, and of one tuple.
func (m Map) stepped() stepped {
	space := m.parts[0].space
	differences := coalesce(m.differences())
	if len(differences) > maxDifferences || len(unboundedOf(differences)) > maxDifferences/2 {
		differences = simpleHull(differences)
	}
	all := Map{combinations(space, differences)}
	return stepped{all.IntersectDomain(m.Domain()).IntersectRange(m.Range().InsertDims(len(space.Out.Dims), "k"))}
}

// differences returns those of the pairs of m, for all values of the parameters together.
func (m Map) differences() []Basic {
	var parts []Basic
	for _, b := range m.Deltas().parts {
		to := append([]int{0}, appendRepeated(nil, -1, len(b.space.Params))...)
		parts = append(parts, b.project(setSpace(nil, b.space.Out), seq(to, 1, len(b.space.Out.Dims)))...)
	}
	return tidy("closure", parts)
}

// unboundedOf returns the indices of the parts that have infinitely many rational points.
func unboundedOf(parts []Basic) []int {
	var list []int
	for i, b := range parts {
		if b.isUnbounded() {
			list = append(list, i)
		}
	}
	return list
}

// isUnbounded reports whether a dimension of b, which has points, has no bounds.
func (b Basic) isUnbounded() bool {
	t := newTableau(b.width()-1, b.meter)
	t.addAll(b.allRows())
	for c := 1; c < b.space.cols(); c++ {
		up := unitVec(b.width(), c)
		for _, dir := range []vec{up, up.negated()} {
			if _, _, o := t.maximize(dir); o == unbounded {
				return true
			}
		}
	}
	return false
}

// combinations returns the pairs x -> [y, k] for which y - x is a sum of k >= 1 points of differences, as far as their
// constraints tell. No steps with an unbounded set are a case of their own, as its constraints times 0 leave directions.
func combinations(space Space, differences []Basic) []Basic {
	open := unboundedOf(differences)
	var all []Basic
	for without := range 1 << len(open) {
		c := combination{system: newSystem(countedSpace(space).cols(), 0), space: countedSpace(space)}
		for i, d := range differences {
			at := slices.Index(open, i)
			if at < 0 || without>>at&1 == 0 {
				c.include(d, at >= 0)
			}
		}
		all = append(all, c.finish()...)
	}
	return tidy("closure", all)
}

// countedSpace returns space with a dimension k at the end of its second tuple.
func countedSpace(space Space) Space {
	space.Out = Tuple{Name: space.Out.Name, Dims: append(slices.Clone(space.Out.Dims), "k")}
	return space
}

// A combination is a system for sums of differences: unknowns for each set of them are how often it is used, and the sums
// of its points and of their divs.
type combination struct {
	*system
	space  Space
	counts []int   // the columns of the counts
	sums   [][]int // the columns of the sums
}

// unknown returns the column of a new unknown.
func (c *combination) unknown() int {
	c.locals = append(c.locals, local{kind: unknown})
	c.widen()
	return c.width() - 1
}

// include adds sums of points of d: any number, or at least one.
func (c *combination) include(d Basic, atLeastOne bool) {
	if d.meter.runs() {
		c.meter = d.meter
	}
	cols := make([]int, d.width())
	for i := range cols {
		cols[i] = c.unknown()
	}
	c.counts = append(c.counts, cols[0])
	c.sums = append(c.sums, cols[1:])
	for _, r := range d.allRows() {
		v := newVec(c.width())
		for i, k := range r.c {
			v[cols[i]] = k
		}
		c.addRow(r.eq, v)
	}
	some := unitVec(c.width(), cols[0])
	if atLeastOne {
		some[0] = minusOne
	}
	c.addRow(false, some)
}

// finish returns the pairs x -> [x + the sums, the sum of the counts], which is at least 1.
func (c *combination) finish() []Basic {
	n := len(c.space.In.Dims)
	for i := range n {
		v := newVec(c.width())
		v[c.space.inCol()+i], v[c.space.outCol()+i] = one, minusOne
		for _, sums := range c.sums {
			v[sums[i]] = one
		}
		c.addRow(true, v)
	}
	k := c.space.outCol() + n
	total := unitVec(c.width(), k)
	for _, count := range c.counts {
		total[count] = minusOne
	}
	c.addRow(true, total)
	positive := unitVec(c.width(), k)
	positive[0] = minusOne
	c.addRow(false, positive)
	return c.project(c.space)
}

// steps returns the pairs x -> y of t for k steps, for any number of them if k is 0.
func (t stepped) steps(k int64) Map {
	var parts []Basic
	for _, b := range t.parts {
		last := len(b.space.Out.Dims) - 1
		space := b.space
		space.Out = Tuple{Name: space.Out.Name, Dims: space.Out.Dims[:last]}
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
