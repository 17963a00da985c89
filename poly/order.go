package poly

// This file has relations that sets make: the identity and the lexicographic order.

// Identity returns the relation of each point of s to itself.
func (s Set) Identity() Map {
	var parts []Basic
	for _, b := range s.parts {
		space := mapSpace(b.space.Params, b.space.Out, b.space.Out)
		t := newSystem(space.cols(), 0)
		t.add(b, seq(nil, 0, space.outCol()))
		for i := range b.space.Out.Dims {
			t.addRow(true, difference(space, i))
		}
		if id, ok := t.finish(space); ok {
			parts = append(parts, id)
		}
	}
	return Map{tidy("identity", parts)}
}

// difference returns dimension i of the second tuple minus dimension i of the first one.
func difference(s Space, i int) vec {
	v := newVec(s.cols())
	v[s.inCol()+i], v[s.outCol()+i] = minusOne, one
	return v
}

// LexLess relates each point of s to the lexicographically greater points of t with the same tuple.
func (s Set) LexLess(t Set) Map { return s.ordered(t, false) }

// LexLessEqual relates each point of s to the points of t with the same tuple that are the same or lexicographically
// greater.
func (s Set) LexLessEqual(t Set) Map { return s.ordered(t, true) }

// ordered returns the pairs that agree before a dimension, at which the second point is greater; with equal, those of
// equal points as well. The parts are disjoint if those of s and t are.
func (s Set) ordered(t Set, equal bool) Map {
	x, y := alignParams(s.parts, t.parts)
	defer begin("order", &x, &y).end()
	var parts []Basic
	for _, a := range x {
		for _, b := range y {
			if !a.space.Out.same(b.space.Out) {
				continue
			}
			n := len(a.space.Out.Dims)
			for at := range n {
				parts = append(parts, a.orderedAt(b, at)...)
			}
			if equal {
				parts = append(parts, a.orderedAt(b, n)...)
			}
		}
	}
	return Map{tidy("order", parts)}
}

// orderedAt returns the pairs of a point of a and a point of b, of the same tuple, that agree before dimension at,
// where the second point is greater; at may be the number of dimensions.
func (a Basic) orderedAt(b Basic, at int) []Basic {
	space := mapSpace(a.space.Params, a.space.Out, b.space.Out)
	t := newSystem(space.cols(), 0)
	t.add(a, seq(nil, 0, space.outCol()))
	t.add(b, seq(seq(nil, 0, space.inCol()), space.outCol(), len(b.space.Out.Dims)))
	for i := range at {
		t.addRow(true, difference(space, i))
	}
	if at < len(b.space.Out.Dims) {
		v := difference(space, at)
		v[0] = minusOne
		t.addRow(false, v)
	}
	if c, ok := t.finish(space); ok {
		return []Basic{c}
	}
	return nil
}

// ParamDomain returns the values of the parameters for which s has points: a set without tuple.
func (s Set) ParamDomain() Set {
	var parts []Basic
	for _, b := range s.parts {
		space := setSpace(b.space.Params, noTuple)
		parts = append(parts, b.project(space, appendRepeated(seq(nil, 0, space.cols()), -1, b.space.cols()-space.cols()))...)
	}
	return Set{tidy("project", parts)}
}
