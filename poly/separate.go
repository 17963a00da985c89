package poly

// This file takes unions apart.

// Set and Map return b as a union of one part: b is one of a set, or of a relation.
func (b Basic) Set() Set { return Set{[]Basic{b}} }
func (b Basic) Map() Map { return Map{[]Basic{b}} }

// ByTuple returns the points of each tuple of s, in the order in which the tuples first occur.
func (s Set) ByTuple() (sets []Set) {
	for _, group := range groupBy(s.parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		sets = append(sets, Set{group})
	}
	return sets
}

// ByTuple returns the pairs of each pair of tuples of m, in the order in which they first occur.
func (m Map) ByTuple() (maps []Map) {
	for _, group := range groupBy(m.parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		maps = append(maps, Map{group})
	}
	return maps
}
