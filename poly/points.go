package poly

import "slices"

// Scan returns s in parts of one point each, for one value of each parameter, in lexicographic order of parameters and
// dimensions, one tuple after the other. It panics with a *LimitError where there are too many points.
func (s Set) Scan() Set {
	defer begin("scan", &s.parts).end()
	var parts []Basic
	for _, same := range groupBy(s.parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		scan := &scanner{}
		for _, b := range disjoint(same) {
			scan.walk(b, b.allRows(), vec{one})
		}
		slices.SortFunc(scan.points, compareVecs)
		space := unnamed(same[0].space)
		for _, x := range scan.points {
			parts = append(parts, pointBasic(space, x))
		}
	}
	return Set{parts}
}

// SamplePoint returns one point of s, for one value of each parameter; none if s is empty.
func (s Set) SamplePoint() Set {
	for _, b := range s.parts {
		if x, found := b.sample(); found {
			space := unnamed(b.space)
			return Set{[]Basic{pointBasic(space, x[:space.cols()])}}
		}
	}
	return Set{}
}

// unnamed returns s without the names of dimensions, so that values stand in the tuples when a point is printed.
func unnamed(s Space) Space {
	s.In.Dims, s.Out.Dims = make([]string, len(s.In.Dims)), make([]string, len(s.Out.Dims))
	return s
}

// compareVecs orders vectors of the same length lexicographically.
func compareVecs(v, w vec) int { return slices.CompareFunc(v, w, Int.Cmp) }

// pointBasic returns the Basic of the point x, whose x[0] is 1.
func pointBasic(space Space, x vec) Basic {
	b := Basic{space: space}
	for c := 1; c < space.cols(); c++ {
		v := unitVec(space.cols(), c)
		v[0] = x[c].Neg()
		b.rows = append(b.rows, row{true, v})
	}
	return b
}

// A scanner collects points.
type scanner struct {
	points []vec
	lines  int
}

// walk adds the points of b whose first columns are x. rows are those of b.
func (s *scanner) walk(b Basic, rows []row, x vec) {
	if s.lines++; s.lines > maxPoints || len(s.points) > maxScanned {
		panic(&LimitError{Op: "scan", What: "points", Bound: maxScanned})
	}
	b.meter.spend(len(rows) * b.width())
	col := len(x)
	if col == b.space.cols() {
		if b.contains(x) {
			s.points = append(s.points, x)
		}
		return
	}
	t := newTableau(b.width()-1, b.meter)
	if !t.addAll(rows) {
		return
	}
	up := unitVec(b.width(), col)
	p, q, o := t.maximize(up)
	r, d, u := t.maximize(up.negated())
	if o == unbounded || u == unbounded {
		panic(&LimitError{Op: "scan", What: "points", Bound: maxScanned})
	}
	for v := r.FloorDiv(d).Neg(); v.Cmp(p.FloorDiv(q)) <= 0; v = v.Add(one) {
		fixed := up.clone()
		fixed[0] = v.Neg()
		s.walk(b, append(slices.Clip(rows), row{true, fixed}), append(slices.Clip(x), v))
	}
}

// Evaluate returns c on the points of s, one piece for each, with its value. Values without tuple, as in { 2n }, are found for
// the parameters of the tuple [] as well. It panics with a *LimitError where there are too many points.
func (c Count) Evaluate(s Set) Count {
	made := Count{method: c.method}
	params := mergeParams(c.params(), s.Params())
	points := Set{overParams(s.parts, params)}.Scan()
	for _, g := range c.overParams(params).groups {
		at := countGroup{space: g.space}
		for _, b := range points.parts {
			if g.space.isParams() && b.space.cols() == b.space.outCol() && b.space.Out.same(Tuple{}) {
				b.space = setSpace(b.space.Params, noTuple)
			}
			if !b.space.sameTuples(g.space) {
				continue
			}
			if value := g.at(b.pointOf()); !value.isZero() {
				at.pieces = append(at.pieces, countPiece{[]Basic{b}, value})
			}
		}
		if len(at.pieces) > 0 {
			made.groups = append(made.groups, at)
		}
	}
	return made
}

// pointOf is the inverse of pointBasic.
func (b Basic) pointOf() vec {
	x := newVec(b.space.cols())
	x[0] = one
	for i, r := range b.rows {
		x[1+i] = r.c[0].Neg()
	}
	return x
}
