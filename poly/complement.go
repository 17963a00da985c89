package poly

// UniverseSet returns all points of the tuples, for all values of the parameters.
func UniverseSet(params []string, tuples ...Tuple) Set {
	var parts []Basic
	for _, t := range tuples {
		parts = append(parts, universe(setSpace(params, t)))
	}
	return Set{tidy("universe", parts)}
}

// UniverseMap returns all pairs of points of two tuples, for all values of the parameters.
func UniverseMap(params []string, in, out Tuple) Map {
	return Map{[]Basic{universe(mapSpace(params, in, out))}}
}

// Complement returns the points that are not in s, of the tuples of which s has parts. What a tuple without a part lacks
// cannot be told: the complement of the zero Set has no points. Subtract from a UniverseSet where that matters.
func (s Set) Complement() Set {
	record(s, "")
	return Set{complement(s.parts)}
}

// Complement returns the pairs that are not in m, of the pairs of tuples of which m has parts, like Set.Complement.
func (m Map) Complement() Map {
	record(m, "")
	return Map{complement(m.parts)}
}

// complement returns the points of the tuples of parts that are not in parts.
func complement(parts []Basic) []Basic {
	var all []Basic
	for _, b := range parts {
		all = append(all, universe(b.space))
	}
	return subtract(tidy("complement", all), parts)
}
