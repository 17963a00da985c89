package poly

import "slices"

// Coalesce returns the same points in fewer parts where it can: parts inside others go, and two parts become one where
// the constraints that each has and the other one satisfies describe exactly their union. Several parts lose their
// redundant constraints; one part stays as it is, for Simplify.
func (s Set) Coalesce() Set {
	record(s, "")
	return Set{coalesce(s.parts)}
}

// Coalesce returns the same pairs in fewer parts where it can.
func (m Map) Coalesce() Map {
	record(m, "")
	return Map{coalesce(m.parts)}
}

// Simplify returns s without the constraints that the others of their part imply at rational points, with the equalities
// that hold at these explicit, and without empty parts. RemoveRedundant looks at integer points, which takes longer.
func (s Set) Simplify() Set {
	record(s, "")
	return Set{reduce(s.parts)}
}

// Simplify returns m without the constraints that others imply, like Set.Simplify.
func (m Map) Simplify() Map {
	record(m, "")
	return Map{reduce(m.parts)}
}

// reduce returns the parts that have points, reduced.
func reduce(parts []Basic) []Basic {
	defer begin("simplify", &parts).end()
	var kept []Basic
	for _, b := range parts {
		if b, ok := b.reduced(); ok {
			kept = append(kept, b)
		}
	}
	return kept
}

func coalesce(parts []Basic) []Basic {
	if len(parts) <= 1 {
		return parts
	}
	defer begin("coalesce", &parts).end()
	kept := reduce(parts)
	points := make([]vec, len(kept)) // of each one, once it is asked for
	point := func(i int) vec {
		if points[i] == nil {
			p, _ := kept[i].sample()
			points[i] = p[:kept[i].space.cols()]
		}
		return points[i]
	}
	for i := 0; i < len(kept); i++ {
		for j := 0; j < i; j++ {
			if !kept[i].space.sameTuples(kept[j].space) || kept[j].isApartFrom(kept[i]) || plainlyNoUnion(kept[j], kept[i], point(j), point(i)) {
				continue
			}
			if h, ok := kept[j].hullIfUnion(kept[i]); ok {
				kept[j] = h // and the point of kept[j] is one of it
				kept, points = slices.Delete(kept, i, i+1), slices.Delete(points, i, i+1)
				i, j = j-1, i // kept[j] may now meet earlier parts, and those after it
			}
		}
	}
	return tidy("coalesce", kept)
}

// reduced returns b without redundant inequalities and with its implicit equalities explicit, or false if b is empty.
func (b Basic) reduced() (Basic, bool) {
	if b.known&needed != 0 && b.known&inhabited != 0 {
		return b, true
	}
	s := b.surveyor()
	if s.complete() {
		return b.with(inhabited | needed | essential), true
	}
	p, ok := b.sample()
	switch {
	case !ok:
		return Basic{}, false
	case b.known&needed != 0:
		return b.with(inhabited), true
	}
	if s.walk(p); s.complete() {
		return b.with(inhabited | needed | essential), true
	}
	r, ok := b.system().finishSurveyed(b.space, b.rows, s.survey)
	return r.with(inhabited | needed), ok
}

// finishReduced is finish without redundant inequalities.
func (s *system) finishReduced(space Space) (Basic, bool) {
	return s.finishSurveyed(space, nil, survey{})
}

// finishSurveyed is finishReduced where a survey of rows tells what needs no proof.
func (s *system) finishSurveyed(space Space, rows []row, known survey) (Basic, bool) {
	for s.simplify() {
		if !slices.EqualFunc(s.rows, rows, func(r, q row) bool { return r.eq == q.eq && r.c.equal(q.c) }) {
			known = survey{} // of other rows
		}
		if known.full || !s.findEqualities() {
			s.dropRedundant(known.needed)
			break
		}
	}
	return s.finish(space)
}

// hullIfUnion returns the Basic that is the union of a and b, if the constraints that each has and the other one
// satisfies, as far as rational points show, describe it. Both have points.
func (a Basic) hullIfUnion(b Basic) (Basic, bool) {
	id := a.space.identityCols()
	s := newSystem(a.space.cols(), 0)
	s.add(a, id)
	n := len(s.rows)
	s.add(b, id)
	rowsA, rowsB := s.rows[:n:n], s.rows[n:]
	fixed := s.divBounds()
	tabA, tabB := newTableau(s.width()-1, s.meter), newTableau(s.width()-1, s.meter)
	if !tabA.addAll(fixed) || !tabA.addAll(rowsA) || !tabB.addAll(fixed) || !tabB.addAll(rowsB) {
		panic("poly: coalesce: an empty part")
	}
	s.rows = append(tabB.validOf(rowsA), tabA.validOf(rowsB)...)
	h, ok := s.finish(a.space)
	if !ok || !h.within([]Basic{a, b}) {
		return Basic{}, false
	}
	return h.reduced()
}

// isApartFrom reports whether a and b, without divs, plainly leave room between them: x <= 3 and x >= 5.
func (a Basic) isApartFrom(b Basic) bool {
	if len(a.divs)+len(b.divs) > 0 {
		return false
	}
	a.meter.spend(len(a.rows) * len(b.rows) * 2)
	for _, r := range a.rows {
		for _, q := range b.rows {
			switch parallel(r.c, q.c) {
			case -1: // -r <= x <= q
				if r.c[0].Add(q.c[0]).Cmp(minusOne) < 0 {
					return true
				}
			case 1: // two values of x
				if r.eq && q.eq && r.c[0].Sub(q.c[0]).Abs().Cmp(one) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// validOf returns those of the inequalities, equalities counting as two, that hold on t.
func (t *tableau) validOf(rows []row) []row {
	var valid []row
	for _, r := range rows {
		for _, half := range r.halves() {
			if p, q, o := t.maximize(half.c.negated()); o == bounded && p.Cmp(q) < 0 { // -half < 1, and integer
				valid = append(valid, half)
			}
		}
	}
	return valid
}

// halves returns r as inequalities.
func (r row) halves() []row {
	if !r.eq {
		return []row{r.clone()}
	}
	return []row{{c: r.c.clone()}, {c: r.c.negated()}}
}
