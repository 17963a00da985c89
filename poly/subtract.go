package poly

import "slices"

// subtract returns the points of a that are not in b.
func subtract(a, b []Basic) []Basic {
	defer begin("subtract", &a, &b).end()
	a, b = align(a, b)
	var parts []Basic
	near := nearby(a, b, allColumns)
	for i, x := range a {
		pieces := []Basic{x}
		for j, y := range b {
			if !x.space.sameTuples(y.space) {
				continue
			}
			var rest []Basic
			for _, p := range pieces {
				if !near(i, j) {
					rest = p.appendTo(rest, false)
					continue
				}
				p.minus(y, func(piece Basic) bool {
					rest = append(rest, piece)
					return true
				})
				if len(rest) > maxParts {
					panic(&LimitError{Op: "subtract", What: "parts", Bound: maxParts})
				}
			}
			pieces = rest
		}
		parts = append(parts, pieces...)
	}
	return tidy("subtract", parts)
}

// minus calls yield with disjoint pieces that are not empty and make up a without b, until it returns false: those that
// satisfy the first rows of b, but not the next one.
func (a Basic) minus(b Basic, yield func(Basic) bool) bool {
	id := a.space.identityCols()
	rest := newSystem(a.space.cols(), 0)
	rest.borrow(a, b)
	defer rest.giveBack()
	rest.add(a, id)
	first := len(rest.rows)
	rest.add(b, id)
	rows := slices.Clone(rest.rows[first:])
	rest.rows = rest.rows[:first]
	if !meets(rest, rows) {
		return a.isEmpty() || yield(a.with(inhabited))
	}
	for _, r := range rows {
		implied := true
		for _, side := range r.outside() {
			piece := rest.with(side)
			if piece.empty() {
				piece.giveBack()
				continue
			}
			implied = false
			p, ok := piece.finish(a.space)
			piece.giveBack()
			if ok && !yield(p.with(inhabited)) {
				return false
			}
		}
		if !implied {
			rest.rows = append(rest.rows, r.clone())
		}
	}
	return true
}

// meets reports whether s has a point that satisfies rows.
func meets(s *system, rows []row) bool {
	c := s.with(rows...)
	some := !c.empty()
	c.giveBack()
	return some
}

// isSubset reports whether all points of a are in b.
func isSubset(a, b []Basic) bool {
	defer begin("subset", &a, &b).end()
	a, b = align(a, b)
	for _, x := range a {
		var like []Basic
		for _, y := range b {
			if x.space.sameTuples(y.space) {
				like = append(like, y)
			}
		}
		if !x.within(like) {
			return false
		}
	}
	return true
}

// within reports whether all points of a are in the union of b, of the same space.
func (a Basic) within(b []Basic) bool {
	if len(b) == 0 {
		return a.isEmpty()
	}
	return a.minus(b[0], func(piece Basic) bool { return piece.within(b[1:]) })
}
