package poly

import "slices"

// This file finds out from one point of a conjunction, without a tableau, what it can about its rows: which are needed, and
// whether its points lie in all directions. For most sets that is all that removing redundant constraints asks.
//
// An inequality is needed where points violate it that satisfy all others. One that is the only bound of a column on one
// side is: far enough on that side are such points. So is the one that a walk from a point along a line violates alone. Points
// lie in all directions if steps of the walk in as many independent ones stay inside.

// A survey is what is known of rows, for certain.
type survey struct {
	needed []bool // by row
	full   bool   // no equality holds at all integer points but those that follow from the equalities
}

// complete reports whether nothing is redundant, and no equality implicit.
func (s survey) complete() bool { return s.full && !slices.Contains(s.needed, false) }

// maxStep bounds the steps along dimensions that divs use.
var maxStep = NewInt(1 << 20)

// A surveyor makes a survey.
type surveyor struct {
	Basic
	survey
	aside  []bool // by column: its value follows from an equality that nothing else minds
	inDivs []bool // by column: divs use it
	free   int    // the number of directions that the equalities leave
}

// surveyor returns a survey of what is plain without a point.
func (b Basic) surveyor() *surveyor {
	flags := make([]bool, len(b.rows)+2*b.width())
	s := &surveyor{Basic: b, survey: survey{needed: flags[:len(b.rows):len(b.rows)]}, free: b.width() - 1}
	s.aside, s.inDivs = flags[len(b.rows):len(b.rows)+b.width()], flags[len(b.rows)+b.width():]
	for _, d := range b.divs {
		for c, k := range d.num {
			s.inDivs[c] = s.inDivs[c] || !k.isZero()
		}
	}
	s.setAside()
	s.soleBounds()
	return s
}

// setAside finds a dimension for each equality that nothing else uses, and that therefore makes it hold whatever the other
// columns are.
func (s *surveyor) setAside() {
	settled := len(s.divs) == 0
	for i, r := range s.rows {
		if !r.eq {
			settled = false
			continue
		}
		s.free--
		if c := s.soleUnit(i); c > 0 {
			s.aside[c], s.needed[i] = true, true
		} else {
			settled = false
		}
	}
	s.full = settled // equalities alone, with integer points
}

// soleUnit returns a dimension with a unit coefficient in row i that nothing else uses, or 0.
func (s *surveyor) soleUnit(i int) int {
next:
	for c := s.space.cols() - 1; c > 0; c-- {
		if !s.rows[i].c[c].isUnit() || s.inDivs[c] {
			continue
		}
		for j, r := range s.rows {
			if j != i && !r.c[c].isZero() {
				continue next
			}
		}
		return c
	}
	return 0
}

// soleBounds marks the inequalities that alone bound a dimension on one side, which neither divs nor equalities without a
// dimension set aside use.
func (s *surveyor) soleBounds() {
	for c := 1; c < s.space.cols(); c++ {
		if s.aside[c] || s.inDivs[c] {
			continue
		}
		lower, upper := -1, -1
		for i, r := range s.rows {
			switch sign := r.c[c].Sign(); {
			case sign == 0 || r.eq && s.needed[i]: // only those with a dimension set aside are known to be needed yet
			case r.eq:
				lower, upper = len(s.rows), len(s.rows)
			case sign > 0 && lower < 0:
				lower = i
			case sign > 0:
				lower = len(s.rows)
			case upper < 0:
				upper = i
			default:
				upper = len(s.rows)
			}
		}
		for _, i := range [...]int{lower, upper} {
			if i >= 0 && i < len(s.rows) {
				s.needed[i] = true
			}
		}
	}
}

// walk goes from the point p, all columns, in steps along the dimensions, each of which changes the values of the rows by a
// constant, and adds what it sees to the survey.
func (s *surveyor) walk(p vec) {
	if s.complete() {
		return
	}
	s.meter.spend((s.space.cols() + 1) * len(s.rows) * 4)
	values := newVec(len(s.rows))
	for i, r := range s.rows {
		values[i] = r.c.eval(p)
	}
	var moves []vec // by direction: the change of each row
	for c := 1; c < s.space.cols(); c++ {
		if s.aside[c] {
			continue
		}
		if m := s.move(c); m != nil {
			moves = append(moves, m)
		}
	}
	s.violate(p)
	moved, steps := make([]bool, len(moves)), 0
	for progress := true; progress && !s.complete(); {
		progress = false
		for i, m := range moves {
			if (s.step(values, m, one) || s.step(values, m, minusOne)) && !moved[i] {
				moved[i], progress = true, true
				steps++
			}
		}
		s.full = s.full || steps == s.free
	}
}

// violate marks the rows that a point beside p violates alone, looking for one for each equality without a dimension set aside.
func (s *surveyor) violate(p vec) {
	for i, r := range s.rows {
		for c := 1; c < s.space.cols() && r.eq && !s.needed[i]; c++ {
			if r.c[c].isZero() && !s.inDivs[c] {
				continue
			}
			y := p[:s.space.cols()].clone()
			y[c] = y[c].Add(one)
			if at := s.violated(s.extend(y)); at >= 0 {
				s.needed[at] = true
			}
		}
	}
}

// violated returns the row that x violates, or -1 if there is none, or several, but for equalities with a dimension set aside.
func (s *surveyor) violated(x vec) int {
	at := -1
	for i, r := range s.rows {
		switch {
		case r.eq && s.needed[i] && s.isAside(r.c) || r.holds(x):
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// isAside reports whether a column of v is set aside.
func (s *surveyor) isAside(v vec) bool {
	for c, k := range v {
		if s.aside[c] && !k.isZero() {
			return true
		}
	}
	return false
}

// move returns how the rows change with dimension c, in steps that change the divs that use it by a constant, too; nil if
// such steps are too large, or equalities would not hold any more.
func (s *surveyor) move(c int) vec {
	m := newVec(len(s.rows))
	var change vec // of the columns, where divs change
	if s.inDivs[c] {
		if change = s.change(c); change == nil {
			return nil
		}
	}
	for i, r := range s.rows {
		switch {
		case r.eq && s.isAside(r.c):
		case change != nil:
			m[i] = r.c.dot(change)
		default:
			m[i] = r.c[c]
		}
		if r.eq && !m[i].isZero() {
			return nil
		}
	}
	return m
}

// change returns a step along dimension c, and how divs change with it; nil if it is too large.
func (s *surveyor) change(c int) vec {
	change := unitVec(s.width(), c)
	for i, d := range s.divs {
		k := d.num.dot(change)
		if k.isZero() {
			continue
		}
		factor := d.den.quo(d.den.gcd(k))
		change.scale(factor)
		if change[c].Cmp(maxStep) > 0 {
			return nil
		}
		change[s.space.cols()+i] = k.Mul(factor).quo(d.den)
	}
	return change
}

// dot returns the product of v and w without their constants, as far as v goes.
func (v vec) dot(w vec) Int {
	var sum Int
	for i := 1; i < len(v); i++ {
		if !v[i].isZero() && !w[i].isZero() {
			sum = sum.Add(v[i].Mul(w[i]))
		}
	}
	return sum
}

// step goes along m, forwards or backwards by the sign, until an inequality does not hold, and marks it if it is alone in
// that. If one step stays inside, it changes the values by that, and returns true.
func (s *surveyor) step(values, m vec, sign Int) (inside bool) {
	far, first, alone := Int{}, -1, true
	for i, k := range m {
		if k.Sign()*sign.Sign() >= 0 {
			continue
		}
		switch n := values[i].FloorDiv(k.Abs()); {
		case first < 0 || n.Cmp(far) < 0:
			far, first, alone = n, i, true
		case n.Cmp(far) == 0:
			alone = false
		}
	}
	if first >= 0 && alone {
		s.needed[first] = true
	}
	if first >= 0 && far.isZero() {
		return false
	}
	values.addMul(sign, m)
	return true
}

// rowsBeside returns the rows that can have a part in implying row i: the others, but for inequalities with a column that
// the rest bounds on one side only, which row i lacks.
func rowsBeside(rows []row, i int) []row {
	var rest []row
	for j, r := range rows {
		if j != i {
			rest = append(rest, r)
		}
	}
	for c := 1; c < len(rows[i].c); c++ {
		if !rows[i].c[c].isZero() {
			continue
		}
		lower, upper := false, false
		for _, r := range rest {
			sign := r.c[c].Sign()
			lower, upper = lower || sign > 0 || r.eq && sign != 0, upper || sign < 0 || r.eq && sign != 0
		}
		if lower != upper {
			rest = slices.DeleteFunc(rest, func(r row) bool { return !r.c[c].isZero() })
			c = 0 // others may now be bounded on one side only
		}
	}
	return rest
}
