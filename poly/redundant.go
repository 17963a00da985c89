package poly

// dropRedundant removes inequalities that the others imply. It may find that s is empty.
func (s *system) dropRedundant() {
	t := newTableau(s.width()-1, s.meter)
	if !t.addAll(s.divBounds()) {
		s.fail()
		return
	}
	at := make([]int, len(s.rows))
	for i, r := range s.rows {
		at[i] = t.mark()
		if !t.addAll([]row{r}) {
			s.fail()
			return
		}
	}
	kept := s.rows[:0]
	for i, r := range s.rows {
		if r.eq || !t.redundant(at[i]) {
			kept = append(kept, r)
		}
	}
	s.rows = kept
}

// fail makes s plainly empty.
func (s *system) fail() {
	v := newVec(s.width())
	v[0] = minusOne
	s.rows = []row{{c: v}}
}

// findEqualities turns inequalities that hold with equality at all rational points into equalities.
// It reports whether there are any.
func (s *system) findEqualities() bool {
	t := newTableau(s.width()-1, s.meter)
	if !t.addAll(s.divBounds()) || !t.addAll(s.rows) {
		s.fail()
		return true
	}
	found := false
	for i, r := range s.rows {
		if r.eq {
			continue
		}
		if p, q, o := t.maximize(r.c); o == bounded && p.Cmp(q) < 0 { // integer, and so 0
			s.rows[i].eq = true
			found = true
		}
	}
	return found
}
