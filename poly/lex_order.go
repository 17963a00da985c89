package poly

import "slices"

// LexMin returns, for each value of the parameters and each tuple, the lexicographically least point of s.
// Values of the parameters for which there is no least point have none.
func (s Set) LexMin() Set {
	record(s, "")
	return Set{lexExtreme(s.parts, 1, Space.inCol)}
}

// LexMax returns, for each value of the parameters and each tuple, the lexicographically greatest point of s.
func (s Set) LexMax() Set {
	record(s, "")
	return Set{lexExtreme(s.parts, -1, Space.inCol)}
}

// LexMin returns, for each first point of m, the lexicographically least second point, in each tuple.
func (m Map) LexMin() Map {
	record(m, "")
	return Map{lexExtreme(m.parts, 1, Space.outCol)}
}

// LexMax returns, for each first point of m, the lexicographically greatest second point, in each tuple.
func (m Map) LexMax() Map {
	record(m, "")
	return Map{lexExtreme(m.parts, -1, Space.outCol)}
}

// lexExtreme returns the points of parts before which no other point comes, if up is 1, or after which none does, if
// it is -1. Points are compared from column first(space) on, and only if they agree before it.
func lexExtreme(parts []Basic, up int64, first func(Space) int) []Basic {
	defer begin("lexmin", &parts).end()
	if !slices.ContainsFunc(parts, func(b Basic) bool { return first(b.space) > 1 }) {
		return lexPoints(parts, up)
	}
	var passed []Basic
	for _, b := range parts {
		for c := first(b.space); c < b.space.cols(); c++ {
			passed = append(passed, b.passedAt(c, up)...)
		}
	}
	return coalesce(subtract(parts, tidy("lexmin", passed)))
}

// passedAt returns the points x for which b has a point y that agrees with x before column c, and where
// up * (x - y) >= 1 at column c.
func (b Basic) passedAt(c int, up int64) []Basic {
	cols := b.space.cols()
	s := newSystem(cols, cols-c)
	to := seq(nil, 0, c)
	to = seq(to, cols, cols-c)
	s.add(b, to)
	v := newVec(s.width())
	v[0], v[c], v[cols] = minusOne, NewInt(up), NewInt(-up)
	s.addRow(false, v)
	return s.project(b.space)
}
