package poly

import "slices"

// simplify brings rows into normal form: divided by their gcd, equalities eliminated from other rows, one row for each
// direction, pairs of opposite rows that meet turned into equalities. It returns false if s is plainly empty;
// true says nothing.
func (s *system) simplify() bool {
	for {
		s.meter.spend(2 * len(s.rows) * s.width())
		if !s.normalize() {
			return false
		}
		s.gauss()
		if !s.normalize() {
			return false
		}
		found, ok := s.mergeParallel()
		if !ok {
			return false
		}
		joined := s.joinRemainders()
		if !s.dropUnitDivs() && !found && !joined {
			return true
		}
	}
}

// normalize brings each row into normal form, and returns false if s is plainly empty.
func (s *system) normalize() (ok bool) {
	s.rows, ok = normalized(s.rows)
	return ok
}

// gauss uses each equality to eliminate a column from the other rows. Locals go altogether: a div d = x becomes
// the bounds that its definition puts on x.
func (s *system) gauss() {
	for i := 0; i < len(s.rows); i++ {
		r := s.rows[i]
		if !r.eq || r.c.isConst() {
			continue
		}
		if col := s.removable(r.c); col >= 0 {
			expr := solveFor(r.c, col)
			s.rows = slices.Delete(s.rows, i, i+1)
			s.remove(col, expr)
			i--
			continue
		}
		s.pivotEquality(i)
	}
}

// solveFor returns the value of column col, whose coefficient is a unit, from the equality v = 0, which it takes over.
func solveFor(v vec, col int) vec {
	if v[col].Sign() > 0 {
		v.scale(minusOne)
	}
	v[col] = Int{}
	return v
}

// removable returns a local with a unit coefficient in v that no div of v depends on, or -1; unknowns are preferred.
func (s *system) removable(v vec) int {
	best := -1
	for c := len(v) - 1; c >= s.known; c-- {
		if !v[c].isUnit() || best >= 0 && !s.isUnknown(c) || !s.independent(v, c) {
			continue
		}
		if s.isUnknown(c) {
			return c
		}
		best = c
	}
	return best
}

// independent reports whether no other column of v depends on c.
func (s *system) independent(v vec, c int) bool {
	for d := s.known; d < len(v); d++ {
		if d != c && !v[d].isZero() && s.depends(d, c) {
			return false
		}
	}
	return true
}

// remove replaces the local at col by expr, which does not depend on it.
func (s *system) remove(col int, expr vec) {
	l := &s.locals[col-s.known]
	if l.kind == defined {
		lo, hi := l.bounds(s.width(), col)
		s.rows = append(s.rows, lo, hi)
	}
	*l = local{kind: gone}
	s.stale = true
	s.substitute(col, expr)
}

// joinRemainders turns an equality of remainders, which has two divs, into one of one div, and reports whether there was one:
//
//	x - 2*floor(x/2) = y - 2*floor(y/2)  =>  x - y = 2*floor((x-y)/2)
func (s *system) joinRemainders() bool {
	for i, r := range s.rows {
		if c := s.joinable(r); c >= 0 {
			s.release(c)
			s.useEquality(i)
			return true
		}
	}
	return false
}

// joinable returns a div of the equality r whose coefficient divides those of the other divs, of which there are some, and that
// no other equality or definition uses; or -1.
func (s *system) joinable(r row) int {
	if !r.eq || s.usesUnknown(r.c) {
		return -1
	}
	best, count := -1, 0
	for c := s.known; c < s.width(); c++ {
		if r.c[c].isZero() {
			continue
		}
		count++
		if best < 0 || r.c[c].Abs().Cmp(r.c[best].Abs()) < 0 {
			best = c
		}
	}
	if count < 2 {
		return -1
	}
	k := r.c[best].Abs()
	for c := s.known; c < s.width(); c++ {
		if !k.divides(r.c[c]) {
			return -1
		}
	}
	if s.countEqualities(best) > 1 || s.inDefinitions(best) {
		return -1
	}
	return best
}

// countEqualities returns the number of equalities that use column c.
func (s *system) countEqualities(c int) (n int) {
	for _, r := range s.rows {
		if r.eq && !r.c[c].isZero() {
			n++
		}
	}
	return n
}

// inDefinitions reports whether a definition uses column c.
func (s *system) inDefinitions(c int) bool {
	return slices.ContainsFunc(s.locals, func(l local) bool { return l.kind == defined && !l.num[c].isZero() })
}

// dropUnitDivs removes the divs d = floor(num/den) that rows only compare with integers, and reports whether there are any:
//
//	d >= x  =>  num >= den*x        d <= x  =>  num <= den*x + den-1
func (s *system) dropUnitDivs() bool {
	dropped := false
	for c := s.known; c < s.width(); c++ {
		if !s.isDiv(c) || !s.used(c) || !s.onlyCompared(c) {
			continue
		}
		l := &s.locals[c-s.known]
		for _, r := range s.rows {
			if k := r.c[c]; !k.isZero() {
				r.c[c] = Int{}
				r.c.combine(l.den, k, l.num)
				if k.Sign() < 0 {
					r.c[0] = r.c[0].Add(l.den).Sub(one)
				}
			}
		}
		*l = local{kind: gone}
		s.stale, dropped = true, true
	}
	return dropped
}

// onlyCompared reports whether the div at c occurs in inequalities only, with unit coefficients.
func (s *system) onlyCompared(c int) bool {
	return !s.inDefinitions(c) &&
		!slices.ContainsFunc(s.rows, func(r row) bool { return !r.c[c].isZero() && (r.eq || !r.c[c].isUnit()) })
}

// pivotEquality eliminates a column from the other rows by the equality i: a dimension where its coefficient divides
// theirs, a div from all inequalities.
func (s *system) pivotEquality(i int) {
	s.meter.spend(len(s.rows) * s.width())
	v := s.rows[i].c
	col := s.pivotColumn(v)
	if col < 0 {
		return
	}
	k := v[col].Abs()
	for j, r := range s.rows {
		x := r.c[col]
		switch {
		case j == i || x.isZero():
		case k.divides(x):
			r.c.addMul(x.quo(v[col]).Neg(), v)
		case col >= s.known && !r.eq: // as many copies of r as its div needs to go
			if v[col].Sign() > 0 {
				x = x.Neg()
			}
			r.c.combine(k, x, v)
		}
	}
	if col < s.known && k.isOne() && s.plain(v) {
		var expr vec // of v, once a definition uses the column
		for _, l := range s.locals {
			if l.kind == defined && !l.num[col].isZero() {
				if expr == nil {
					expr = solveFor(v.clone(), col)
				}
				l.num.substitute(col, expr)
				s.stale = true
			}
		}
	}
}

// pivotColumn returns the column that the equality v shall define: the last one with a unit coefficient if v has
// no locals, otherwise the last one; or -1 where v has unknowns, which are for eliminate.
func (s *system) pivotColumn(v vec) int {
	last := -1
	for c := len(v) - 1; c > 0; c-- {
		switch {
		case v[c].isZero():
		case s.isUnknown(c):
			return -1
		case c >= s.known && last < 0:
			last = c
		case c < s.known && last < s.known && v[c].isUnit():
			return c
		case last < 0:
			last = c
		}
	}
	return last
}

// plain reports whether v uses no locals.
func (s *system) plain(v vec) bool {
	return !slices.ContainsFunc(v[s.known:], func(x Int) bool { return !x.isZero() })
}

// mergeParallel keeps one row of those that differ in the constant only, the bounds of divs included. It reports
// whether it found an equality, and false if two rows exclude each other.
func (s *system) mergeParallel() (found, ok bool) {
	s.meter.spend((len(s.rows) + 2*len(s.locals)) * (len(s.rows)/8 + s.width()))
	s.rows, found, ok = s.merge.rows(s.divBounds(), s.rows)
	return found, ok
}

// divBounds returns the bounds of the divs that rows use.
func (s *system) divBounds() []row {
	var list []row
	for i, l := range s.locals {
		if l.kind == defined {
			lo, hi := l.bounds(s.width(), s.known+i)
			list = append(list, lo, hi)
		}
	}
	return list
}
