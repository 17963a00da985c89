package poly

import "slices"

// This file tells cases apart where eliminate.go cannot eliminate an unknown otherwise.

// split returns systems, one unknown fewer each, whose union is s. No equality uses an unknown, and no div does.
func (s *system) split() []*system {
	best, side, least := -1, []int(nil), 0
	for c := s.known; c < s.width(); c++ {
		if !s.isUnknown(c) {
			continue
		}
		lower, upper := s.bounds(c)
		for _, rows := range [][]int{lower, upper} {
			if s.splitsPlainly(c, rows) && (best < 0 || len(rows) < least) {
				best, side, least = c, rows, len(rows)
			}
		}
	}
	if best >= 0 {
		return s.splitAtBounds(best, side)
	}
	return s.splinter(s.closest())
}

// splitsPlainly reports whether the bounds of e by the given rows use no other unknown.
func (s *system) splitsPlainly(e int, rows []int) bool {
	return !slices.ContainsFunc(rows, func(i int) bool {
		for c := s.known; c < s.width(); c++ {
			if c != e && s.isUnknown(c) && !s.rows[i].c[c].isZero() {
				return true
			}
		}
		return false
	})
}

// splitAtBounds returns, for each of the rows, which bound e from the same side, the system where that bound is the
// tightest, earlier ones being less tight, and e is the integer next to it. The systems are disjoint.
func (s *system) splitAtBounds(e int, rows []int) []*system {
	var cases []*system
	for _, i := range rows {
		c := s.clone()
		tightest := c.rows[i].c.clone()
		a := tightest[e]
		for _, k := range rows {
			if k != i {
				c.rows[k].c = tighter(tightest, s.rows[k].c, e, k < i)
			}
		}
		tightest[e] = Int{}
		c.rows = slices.Delete(c.rows, i, i+1)
		expr := c.floor(tightest, a.Abs())
		if a.Sign() > 0 { // a*e + r >= 0: e >= ceil(-r/a) = -floor(r/a)
			expr = expr.negated()
		}
		c.remove(e, expr)
		cases = append(cases, c)
	}
	return cases
}

// tighter returns the row that says that v bounds e at least as tightly as w does from the same side, or more so.
func tighter(v, w vec, e int, more bool) vec {
	t := w.clone() // v: a*e + r >= 0 and w: b*e + q >= 0, so that a*q - b*r >= 0
	t.combine(v[e].Abs(), w[e].Abs().Neg(), v)
	if more {
		t[0] = t[0].Sub(one)
	}
	return t
}

// closest returns the unknown with the fewest splinters.
func (s *system) closest() int {
	best, least := -1, Int{}
	for c := s.known; c < s.width(); c++ {
		if !s.isUnknown(c) {
			continue
		}
		lower, upper := s.bounds(c)
		down, up := s.splinters(c, lower, upper), s.splinters(c, upper, lower)
		if up.Cmp(down) < 0 {
			down = up
		}
		if best < 0 || down.Cmp(least) < 0 {
			best, least = c, down
		}
	}
	return best
}

// splinters returns how many cases splinter makes at the bounds of e by the rows near.
func (s *system) splinters(e int, near, far []int) Int {
	b := s.largest(e, far)
	var sum Int
	for _, i := range near {
		if last := lastSplinter(s.rows[i].c[e].Abs(), b); last.Sign() >= 0 {
			sum = sum.Add(last).Add(one)
		}
	}
	return sum
}

// largest returns the largest coefficient of e in the rows.
func (s *system) largest(e int, rows []int) Int {
	var b Int
	for _, i := range rows {
		if x := s.rows[i].c[e].Abs(); x.Cmp(b) > 0 {
			b = x
		}
	}
	return b
}

// lastSplinter returns the largest k for which a*e = l + k must be tried: (a*b - a - b) / b rounded down.
func lastSplinter(a, b Int) Int { return a.Mul(b).Sub(a).Sub(b).FloorDiv(b) }

// splinter returns the dark shadow of e, where bounds are so far apart that an integer must lie between them, and
// the systems where e is close to a lower bound, or to an upper bound where these are fewer.
func (s *system) splinter(e int) []*system {
	lower, upper := s.bounds(e)
	near, far := lower, upper
	if s.splinters(e, upper, lower).Cmp(s.splinters(e, lower, upper)) < 0 {
		near, far = upper, lower
	}
	cases := []*system{s.darkShadow(e, lower, upper)}
	b := s.largest(e, far)
	for _, i := range near {
		last := lastSplinter(s.rows[i].c[e].Abs(), b)
		if last.Cmp(NewInt(maxSplinters)) > 0 {
			panic(&LimitError{Op: "project", What: "splinters", Bound: maxSplinters})
		}
		for k := (Int{}); k.Cmp(last) <= 0; k = k.Add(one) {
			c := s.clone()
			v := c.rows[i].c.clone()
			v[0] = v[0].Sub(k)
			c.rows[i] = row{true, v}
			cases = append(cases, c)
		}
	}
	return cases
}

// darkShadow returns the part of the projection of s along e where the bounds are far apart.
func (s *system) darkShadow(e int, lower, upper []int) *system {
	c := s.clone()
	for _, i := range lower {
		for _, j := range upper {
			v := shadow(s.rows[i].c, s.rows[j].c, e)
			a, b := s.rows[i].c[e], s.rows[j].c[e].Neg()
			v[0] = v[0].Sub(a.Sub(one).Mul(b.Sub(one)))
			c.rows = append(c.rows, row{c: v})
		}
	}
	c.dropRows(e)
	c.locals[e-s.known].kind = gone
	return c
}
