package poly

// SimpleHull returns a superset of s with one part for each tuple: the constraints of its parts, moved outwards until
// all of them satisfy them.
func (s Set) SimpleHull() Set {
	record(s, "")
	return Set{simpleHull(s.parts)}
}

// SimpleHull returns a superset of m with one part for each pair of tuples.
func (m Map) SimpleHull() Map {
	record(m, "")
	return Map{simpleHull(m.parts)}
}

func simpleHull(parts []Basic) []Basic {
	defer begin("hull", &parts).end()
	var hulls []Basic
	for len(parts) > 0 {
		var same, others []Basic
		for _, b := range parts {
			switch {
			case !b.space.sameTuples(parts[0].space):
				others = append(others, b)
			case !b.isEmpty():
				same = append(same, b)
			}
		}
		if len(same) > 0 {
			hulls = append(hulls, hullOf(same))
		}
		parts = others
	}
	return hulls
}

// hullOf returns the simple hull of parts of the same space, none of which is empty.
func hullOf(parts []Basic) Basic {
	if len(parts) == 1 {
		return parts[0]
	}
	space := parts[0].space
	s := newSystem(space.cols(), 0)
	rows := make([][]row, len(parts))
	for i, b := range parts {
		s.add(b, space.identityCols())
		rows[i], s.rows = s.rows, nil
	}
	tabs := make([]*tableau, len(parts))
	for i := range parts {
		for j := range rows[i] {
			rows[i][j].c = rows[i][j].c.grown(s.width())
		}
		tabs[i] = newTableau(s.width()-1, s.meter)
		tabs[i].addAll(s.divBounds())
		tabs[i].addAll(rows[i])
	}
	for _, list := range rows {
		for _, r := range list {
			for _, half := range r.halves() {
				if relax(half, tabs) {
					s.rows = append(s.rows, half)
				}
			}
		}
	}
	h, _ := s.finishReduced(space)
	return h
}

// relax raises the constant of r, in place, until r holds on all tableaus; it returns false if no constant does.
func relax(r row, tabs []*tableau) bool {
	for _, t := range tabs {
		p, q, o := t.maximize(r.c.negated())
		if o == unbounded {
			return false
		}
		if most := p.FloorDiv(q); most.Sign() > 0 {
			r.c[0] = r.c[0].Add(most)
		}
	}
	return true
}
