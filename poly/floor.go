package poly

// defineFloors turns an unknown into a div where two rows leave it at most one value, as tiles do:
//
//	0 <= f - d*u <= d-1  =>  u = floor(f/d)
//
// It reports whether it found one. The rows stay, for where the range is narrower.
func (s *system) defineFloors() bool {
	for c := s.known; c < s.width(); c++ {
		if !s.isUnknown(c) {
			continue
		}
		lower, upper := s.bounds(c)
		s.meter.spend(len(s.rows) + len(lower)*len(upper)*2)
		for _, i := range lower {
			for _, j := range upper {
				if s.pinned(c, s.rows[i].c, s.rows[j].c) {
					s.define(c, s.rows[j].c)
					return true
				}
			}
		}
	}
	return false
}

// pinned reports whether the rows lower and upper bound column c by opposite expressions, less than its coefficient
// apart, that do not depend on unknowns.
func (s *system) pinned(c int, lower, upper vec) bool {
	if parallel(lower, upper) >= 0 || lower[0].Add(upper[0]).Cmp(lower[c]) >= 0 {
		return false
	}
	for k := s.known; k < len(upper); k++ {
		if k != c && !upper[k].isZero() && (s.isUnknown(k) || s.isDiv(k) && s.dependsOnUnknown(k)) {
			return false
		}
	}
	return true
}

// define makes the unknown at c the largest value that the row upper allows.
func (s *system) define(c int, upper vec) {
	num := upper.clone()
	num[c] = Int{}
	s.remove(c, s.floor(num, upper[c].Abs()))
}
