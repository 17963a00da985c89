package poly

// This file finds the least or greatest point of conjunctions without parameters: one search after the other, for each
// dimension, with those before it fixed.

// lexPoints returns the extremes of parts, all of whose columns are compared, by their tuples.
func lexPoints(parts []Basic, up int64) []Basic {
	var points []Basic
	for _, group := range groupBy(parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		if x, ok := groupExtreme(group, up); ok {
			points = append(points, pointBasic(group[0].space, x).with(inhabited|needed|essential))
		}
	}
	return points
}

// groupExtreme returns the least point of parts if up is 1, or the greatest one if it is -1, or false if there is none.
func groupExtreme(parts []Basic, up int64) (best vec, ok bool) {
	for _, b := range parts {
		x, bounded := b.extreme(NewInt(up))
		switch {
		case !bounded:
			return nil, false
		case x != nil && (best == nil || compareVecs(x, best)*int(up) < 0):
			best = x
		}
	}
	return best, best != nil
}

// extreme returns the first point of b in the order that up gives, nil if there are no points, and false if points go on
// before every other one.
func (b Basic) extreme(up Int) (x vec, bounded bool) {
	x, ok := b.sample()
	if !ok {
		return nil, true
	}
	rows := b.allRows()
	for c := 1; c < b.space.cols(); c++ {
		low, ok := b.leastValue(rows, c, up)
		if !ok {
			return nil, false
		}
		for step := (Int{}); low.Cmp(up.Mul(x[c])) < 0; step = step.Add(step).Add(one) {
			middle := low.Add(up.Mul(x[c])).FloorDiv(NewInt(2))
			if at := low.Add(step); at.Cmp(middle) < 0 {
				middle = at
			}
			most := unitVec(b.width(), c) // up * x <= middle
			most[0], most[c] = middle, up.Neg()
			s := newSolver(b.width(), rows, []row{{c: most}})
			s.meter = b.meter
			if y, found := s.only(); found {
				x = y
			} else {
				low = middle.Add(one)
			}
		}
		fixed := unitVec(b.width(), c)
		fixed[0] = x[c].Neg()
		rows = append(rows, row{true, fixed})
	}
	return x[:b.space.cols()], true
}

// leastValue returns a bound of up times column c below which it has no values where the rows hold, or false if there is none.
func (b Basic) leastValue(rows []row, c int, up Int) (Int, bool) {
	t := newTableau(b.width()-1, b.meter)
	t.addAll(rows)
	down := newVec(b.width())
	down[c] = up.Neg()
	p, q, o := t.maximize(down)
	if o == unbounded {
		return Int{}, false
	}
	return p.FloorDiv(q).Neg(), true
}
