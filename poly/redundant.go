package poly

import "slices"

// dropRedundant removes inequalities that the others imply, but for those known to be needed. It may find that s is empty.
func (s *system) dropRedundant(known []bool) {
	if len(known) > 0 && countOpen(s.rows, known) <= maxApart {
		s.dropOpen(known)
		return
	}
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
		if r.eq || i < len(known) && known[i] || !t.redundant(at[i]) {
			kept = append(kept, r)
		}
	}
	s.rows = kept
}

// maxApart is the number of inequalities that are looked at apart from each other, each with the few rows that may imply it.
const maxApart = 3

// countOpen returns the number of inequalities that are not known to be needed.
func countOpen(rows []row, known []bool) (n int) {
	for i, r := range rows {
		if !r.eq && !known[i] {
			n++
		}
	}
	return n
}

// dropOpen is dropRedundant for a few inequalities.
func (s *system) dropOpen(known []bool) {
	rows, fixed := s.rows, s.divBounds()
	known = slices.Clone(known)
	for i := 0; i < len(rows); i++ {
		if rows[i].eq || known[i] {
			continue
		}
		t := newTableau(s.width()-1, s.meter)
		if !t.addAll(rowsBeside(slices.Concat(rows, fixed), i)) {
			s.fail()
			return
		}
		at := t.mark()
		if !t.add(rows[i].c) {
			s.fail()
			return
		}
		if t.redundant(at) {
			rows, known = slices.Delete(rows, i, i+1), slices.Delete(known, i, i+1)
			i--
		}
	}
	s.rows = rows
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
