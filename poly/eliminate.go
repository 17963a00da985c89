package poly

import "slices"

// This file eliminates existential variables exactly: the result holds at an integer point iff some integer values of
// the unknowns make the given system hold. An equality with an unknown determines it, as an expression or as a div.
// An unknown with inequalities only goes
//
//   - with its rows, if nothing bounds it from one side;
//   - by Fourier-Motzkin, if each pair of a lower and an upper bound has a unit coefficient;
//   - by cases otherwise: if phi(e) holds for some e, it holds for e = ceil(l/a), one of its lower bounds. Where l uses
//     unknowns, the cases are the dark shadow and the splinters of the Omega test (Pugh 1991).
//
// Each step removes an unknown for good, so that it ends.

// eliminate returns systems without unknowns whose union is the projection of s. It takes s over.
func (s *system) eliminate() []*system {
	var done []*system
	work := []*system{s}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		cases, ok := s.step()
		if ok {
			done = append(done, s)
			continue
		}
		if len(cases) > 1 {
			cases = slices.DeleteFunc(cases, (*system).empty)
			for _, c := range cases {
				c.dropRedundant(nil)
			}
		}
		if len(work)+len(done)+len(cases) > maxParts {
			panic(&LimitError{Op: "project", What: "parts", Bound: maxParts})
		}
		slices.Reverse(cases)
		work = append(work, cases...)
	}
	return done
}

// solver returns the search for a point of s.
func (s *system) solver() *solver {
	c := newSolver(s.width(), s.rows, s.divBounds())
	c.meter = s.meter
	return c
}

// step eliminates unknowns from s until cases must be told apart, which it returns. With ok, s has no unknowns.
func (s *system) step() (cases []*system, ok bool) {
	for {
		if !s.simplify() {
			return nil, false
		}
		if i := s.equalityWithUnknown(); i >= 0 {
			s.useEquality(i)
			continue
		}
		if !s.hasUnknown() {
			return nil, true
		}
		if s.defineFloors() || s.releaseDivs() {
			continue
		}
		if e, found := s.cheapest(); found {
			s.combineBounds(e)
			continue
		}
		return s.split(), false
	}
}

// hasUnknown reports whether an unknown is left; those that nothing uses go.
func (s *system) hasUnknown() bool {
	found := false
	for i := range s.locals {
		if s.locals[i].kind != unknown {
			continue
		}
		if s.used(s.known + i) {
			found = true
		} else {
			s.locals[i].kind = gone
		}
	}
	return found
}

// used reports whether a row or a definition uses column c.
func (s *system) used(c int) bool {
	return slices.ContainsFunc(s.rows, func(r row) bool { return !r.c[c].isZero() }) ||
		slices.ContainsFunc(s.locals, func(l local) bool { return l.kind == defined && !l.num[c].isZero() })
}

// equalityWithUnknown returns the index of an equality that uses an unknown, or -1.
func (s *system) equalityWithUnknown() int {
	return slices.IndexFunc(s.rows, func(r row) bool { return r.eq && s.usesUnknown(r.c) })
}

// usesUnknown reports whether v itself uses an unknown.
func (s *system) usesUnknown(v vec) bool {
	for c := s.known; c < len(v); c++ {
		if !v[c].isZero() && s.isUnknown(c) {
			return true
		}
	}
	return false
}

// useEquality eliminates an unknown by the equality i: a change of variables leaves it one unknown u, in a*u = l.
// Then u is l, or the div floor(l/a) while the equality stays.
func (s *system) useEquality(i int) {
	v := s.rows[i].c
	if s.releaseDependent(v) {
		return
	}
	u := s.oneUnknown(v, s.substitute)
	if v[u].isUnit() {
		expr := solveFor(v, u)
		s.rows = slices.Delete(s.rows, i, i+1)
		s.remove(u, expr)
		return
	}
	den := v[u]
	num := v.clone()
	num[u] = Int{}
	if den.Sign() > 0 {
		num.scale(minusOne)
	}
	s.remove(u, s.floor(num, den.Abs()))
}

// oneUnknown changes variables by substitute, as Euclid does, until the equality v has one unknown, which it returns.
func (s *system) oneUnknown(v vec, substitute func(c int, expr vec)) int {
	for {
		least, count := -1, 0
		for c := s.known; c < len(v); c++ {
			if v[c].isZero() || !s.isUnknown(c) {
				continue
			}
			count++
			if least < 0 || v[c].Abs().Cmp(v[least].Abs()) < 0 {
				least = c
			}
		}
		if count == 1 {
			return least
		}
		// x = y - sum(q*z): the coefficients of the z become remainders of that of x.
		expr := unitVec(len(v), least)
		for c := s.known; c < len(v); c++ {
			if c != least && s.isUnknown(c) {
				expr[c] = v[c].FloorDiv(v[least]).Neg()
			}
		}
		substitute(least, expr)
	}
}

// releaseDependent turns the divs of v that depend on unknowns into unknowns.
func (s *system) releaseDependent(v vec) bool {
	released := false
	for c := s.known; c < len(v); c++ {
		if !v[c].isZero() && s.isDiv(c) && s.dependsOnUnknown(c) {
			s.release(c)
			released = true
		}
	}
	return released
}

// releaseDivs turns all divs that depend on unknowns into unknowns.
func (s *system) releaseDivs() bool {
	released := false
	for c := s.known; c < s.width(); c++ {
		if s.isDiv(c) && s.dependsOnUnknown(c) {
			s.release(c)
			released = true
		}
	}
	return released
}

func (s *system) isDiv(c int) bool { return c >= s.known && s.locals[c-s.known].kind == defined }

func (s *system) dependsOnUnknown(c int) bool {
	for i, k := range s.locals[c-s.known].num {
		if !k.isZero() && (s.isUnknown(i) || s.isDiv(i) && s.dependsOnUnknown(i)) {
			return true
		}
	}
	return false
}

// release turns the div at column c into an unknown between the bounds of its definition.
func (s *system) release(c int) {
	l := &s.locals[c-s.known]
	lo, hi := l.bounds(s.width(), c)
	*l = local{kind: unknown}
	s.rows = append(s.rows, lo, hi)
}

// bounds returns the indices of the rows with a positive and with a negative coefficient at column e.
func (s *system) bounds(e int) (lower, upper []int) {
	for i, r := range s.rows {
		switch r.c[e].Sign() {
		case 1:
			lower = append(lower, i)
		case -1:
			upper = append(upper, i)
		}
	}
	return lower, upper
}

// cheapest returns the unknown that Fourier-Motzkin eliminates exactly and with the fewest rows, if there is one.
func (s *system) cheapest() (e int, found bool) {
	least := 0
	for c := s.known; c < s.width(); c++ {
		if !s.isUnknown(c) {
			continue
		}
		lower, upper := s.bounds(c)
		s.meter.spend(len(s.rows) + len(lower)*len(upper))
		cost := len(lower)*len(upper) - len(lower) - len(upper)
		if (!found || cost < least) && s.exact(c, lower, upper) {
			e, found, least = c, true, cost
		}
	}
	return e, found
}

// exact reports whether Fourier-Motzkin elimination of column e is exact for the integers.
func (s *system) exact(e int, lower, upper []int) bool {
	for _, i := range lower {
		s.meter.spend(len(upper) * s.width())
		for _, j := range upper {
			if !exactPair(s.rows[i].c, s.rows[j].c, e) {
				return false
			}
		}
	}
	return true
}

// exactPair reports whether an integer lies between a lower bound l/a and an upper bound u/b of column e whenever a
// rational number does: because a or b is 1, or because a*u - b*l >= (a-1)*(b-1).
func exactPair(lower, upper vec, e int) bool {
	if lower[e].isOne() || upper[e].isUnit() {
		return true
	}
	gap := shadow(lower, upper, e)
	return gap.isConst() && gap[0].Cmp(lower[e].Sub(one).Mul(upper[e].Neg().Sub(one))) >= 0
}

// shadow returns a*u - b*l for the rows lower, a*e >= l, and upper, b*e <= u.
func shadow(lower, upper vec, e int) vec {
	v := upper.clone()
	v.combine(lower[e], upper[e].Neg(), lower)
	return v
}

// combineBounds eliminates the unknown e by Fourier-Motzkin, which must be exact.
func (s *system) combineBounds(e int) {
	lower, upper := s.bounds(e)
	s.meter.spend(len(lower) * len(upper) * s.width())
	var made []row
	for _, i := range lower {
		for _, j := range upper {
			made = append(made, row{c: shadow(s.rows[i].c, s.rows[j].c, e)})
		}
	}
	s.dropRows(e)
	before := len(s.rows)
	s.rows = append(s.rows, made...)
	s.locals[e-s.known].kind = gone
	if len(made) > 8 && len(s.rows) > before+8 {
		s.dropRedundant(nil)
	}
	if len(s.rows) > maxRows {
		panic(&LimitError{Op: "project", What: "rows", Bound: maxRows})
	}
}

// dropRows removes the rows that use column e.
func (s *system) dropRows(e int) {
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return !r.c[e].isZero() })
}
