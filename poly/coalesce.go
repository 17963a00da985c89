package poly

import "slices"

// Coalesce returns the same points in fewer parts where it can: parts inside others go, and two parts become one where
// the constraints that each has and the other one satisfies describe exactly their union.
func (s Set) Coalesce() Set { return Set{coalesce(s.parts)} }

// Coalesce returns the same pairs in fewer parts where it can.
func (m Map) Coalesce() Map { return Map{coalesce(m.parts)} }

func coalesce(parts []Basic) []Basic {
	var kept []Basic
	for _, b := range parts {
		if b, ok := b.reduced(); ok {
			kept = append(kept, b)
		}
	}
	for i := 0; i < len(kept); i++ {
		for j := 0; j < i; j++ {
			if !kept[i].space.sameTuples(kept[j].space) {
				continue
			}
			if h, ok := kept[j].hullIfUnion(kept[i]); ok {
				kept[j] = h
				kept = slices.Delete(kept, i, i+1)
				i, j = j-1, i // kept[j] may now meet earlier parts, and those after it
			}
		}
	}
	return tidy("coalesce", kept)
}

// reduced returns b without redundant inequalities and with its implicit equalities explicit, or false if b is empty.
func (b Basic) reduced() (Basic, bool) {
	if b.isEmpty() {
		return Basic{}, false
	}
	s := newSystem(b.space.cols(), 0)
	s.add(b, b.space.identityCols())
	return s.finishReduced(b.space)
}

// finishReduced is finish without redundant inequalities.
func (s *system) finishReduced(space Space) (Basic, bool) {
	for s.simplify() {
		if !s.findEqualities() {
			s.dropRedundant()
			break
		}
	}
	return s.finish(space)
}

// hullIfUnion returns the Basic that is the union of a and b, if the constraints that each has and the other one
// satisfies describe it.
func (a Basic) hullIfUnion(b Basic) (Basic, bool) {
	id := a.space.identityCols()
	s := newSystem(a.space.cols(), 0)
	s.add(a, id)
	n := len(s.rows)
	s.add(b, id)
	inA, inB := s.only(0, n), s.only(n, len(s.rows))
	hull := s.only(0, 0)
	hull.rows = append(inB.validOf(inA), inA.validOf(inB)...)
	h, ok := hull.finishReduced(a.space)
	if !ok || !h.within([]Basic{a, b}) {
		return Basic{}, false
	}
	return h, true
}

// only returns a copy of s with the rows from i to j.
func (s *system) only(i, j int) *system {
	c := s.clone()
	c.rows = c.rows[i:j:j]
	return c
}

// validOf returns those of t's inequalities, equalities counting as two, that s satisfies.
func (s *system) validOf(t *system) []row {
	var valid []row
	for _, r := range t.rows {
		for _, half := range r.halves() {
			if !s.meetsRow(row{c: half.c.complement()}) {
				valid = append(valid, half)
			}
		}
	}
	return valid
}

// meetsRow reports whether s has a point that satisfies r.
func (s *system) meetsRow(r row) bool { return meets(s, []row{r}) }

// halves returns r as inequalities.
func (r row) halves() []row {
	if !r.eq {
		return []row{r.clone()}
	}
	return []row{{c: r.c.clone()}, {c: r.c.negated()}}
}
