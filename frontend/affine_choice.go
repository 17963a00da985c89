package frontend

import "slices"

// This file reads sums that have several cases, such as a subscript i + d < n ? i + d : n - 1 inside of a loop over d that is written out:
// where all instances at a place are on one side of its conditions and remainders (affine_wrap.go), it is a sum. So a nest is
// taken apart where they are not.

// chosen returns the side of c, a choice, that has its value wherever at is; ok is false if that is not the same side for all.
func (ar *affineReader) chosen(c cond, at place) (e expr, ok bool) {
	if v, known := ar.decide(c.c, at); known {
		if v {
			return c.x, true
		}
		return c.y, true
	}
	back, test := ar.try(), ar.atEquality(c, at)
	yes, ok := ar.cases(test, true, at)
	if !ok {
		return nil, false
	}
	no, ok := ar.cases(test, false, at)
	fr, known := ar.frame().with(at.loops), at.known()
	switch {
	case !ok:
	case fr.provesNone(known, no):
		return c.x, true
	case fr.provesNone(known, yes):
		return c.y, true
	}
	back()
	return nil, false
}

// atEquality returns the condition of c; if c is the minimum or the maximum of two, whose sides are equal where what is compared is,
// the one that takes the side that loops over space move there, as most instances do.
func (ar *affineReader) atEquality(c cond, at place) expr {
	if !isExtreme(c) || len(at.loops) < 2 {
		return c.c
	}
	test := c.c.(binary)
	if first, second := ar.moved(c.x, at), ar.moved(c.y, at); first != second {
		test.op = test.op[:1]
		if first {
			test.op += "="
		}
	}
	return test
}

// moved reports whether loops over space change e, as far as it is a sum.
func (ar *affineReader) moved(e expr, at place) bool {
	defer ar.try()()
	x, why := ar.linear(e, at)
	return why == nil && slices.ContainsFunc(at.loops[1:], func(l loop) bool { return x.v.of(l.decl) != 0 })
}

// known returns what holds at p: the constraints of the loops around it, and of the part of the nest.
func (p place) known() (all []linear) {
	for _, l := range p.loops {
		all = append(all, l.constraints...)
	}
	return append(all, p.constraints...)
}

// provesNone reports whether constraints exclude all of cases, which are conjunctions.
func (fr frame) provesNone(constraints []linear, cases [][]linear) bool {
	for _, c := range cases {
		excluded := false
		for _, r := range c {
			excluded = excluded || plainlyProves(constraints, r.scale(-1).addc(-1))
		}
		if !excluded && !fr.none(append(constraints[:len(constraints):len(constraints)], c...)) {
			return false
		}
	}
	return true
}

// sideOf returns where the side of the condition of c, a choice, changes: the sum is >= 0 on one side. ok is false where it does not change, or
// not at a sum.
func (ar *affineReader) sideOf(c cond, at place) (side linear, ok bool) {
	if _, decided := ar.chosen(c, at); decided {
		return linear{}, false
	}
	cases, ok := ar.cases(ar.atEquality(c, at), true, at)
	if !ok {
		return linear{}, false
	}
	fr, known := ar.frame().with(at.loops), at.known()
	for _, conjunction := range cases {
		for _, r := range conjunction {
			if !fr.proves(known, r) && !fr.proves(known, r.scale(-1).addc(-1)) {
				return r, true
			}
		}
	}
	return linear{}, false
}
