package poly

import (
	"fmt"
	"slices"
)

// This file finds the equalities that all integer points of a set satisfy. The hull grows from one point: while some
// point violates one of its equalities, that point joins, and the hull gains a dimension. An integer search decides
// whether there is such a point, so that the answer is exact for the integer points, not the rational ones.

// AffineHull returns the least affine set that contains all integer points of s, one part for each tuple: equalities
// over parameters and dimensions, and the strides that divs say: of { [i, 2i] : 0 <= i } it is { [i, 2i] }, of the even i
// up to 9 all even i, and of the i that are 0 or 4 modulo 6 all even i, too.
func (s Set) AffineHull() Set { return Set{affineHull(s.parts)} }

// AffineHull returns the least affine relation that contains all pairs of m, one part for each pair of tuples.
func (m Map) AffineHull() Map { return Map{affineHull(m.parts)} }

func affineHull(parts []Basic) []Basic {
	defer begin("affine hull", &parts).end()
	var hulls []Basic
	for _, group := range groupBy(parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) }) {
		space := group[0].space
		if slices.ContainsFunc(group, func(b Basic) bool { return len(b.divs) > 0 }) {
			hulls = append(hulls, stridedHull(space, group)...)
			continue
		}
		var systems []*system
		for _, b := range group {
			systems = append(systems, b.system())
		}
		rows, ok := commonEqualities(systems, space.cols())
		if !ok {
			continue
		}
		s := newSystem(space.cols(), 0)
		for _, v := range rows {
			s.addRow(true, v)
		}
		h, _ := s.finish(space)
		hulls = append(hulls, h)
	}
	return hulls
}

// system returns b as a system of its own.
func (b Basic) system() *system {
	s := newSystem(b.space.cols(), 0)
	s.add(b, b.space.identityCols())
	return s
}

// ImplicitEqualities returns equalities that hold at all integer points of b, and of which all those follow: affine ones
// over its parameters, dimensions and divs. The explicit ones are among what they imply. b must not be empty.
func (b Basic) ImplicitEqualities() []Constraint {
	rows, _ := commonEqualities([]*system{{known: b.width(), rows: b.allRows(), meter: b.meter}}, b.width())
	list := make([]Constraint, len(rows))
	for i, v := range rows {
		list[i] = Constraint{true, b.space.affine(v)}
	}
	return list
}

// RemoveRedundant returns s without the constraints that the others of their part imply at integer points, with implicit
// equalities explicit, and without empty parts. Constraints that define divs may stay.
func (s Set) RemoveRedundant() Set {
	record(s, "")
	return Set{removeRedundant(s.parts)}
}

// RemoveRedundant returns m with the constraints that it needs, like Set.RemoveRedundant.
func (m Map) RemoveRedundant() Map {
	record(m, "")
	return Map{removeRedundant(m.parts)}
}

func removeRedundant(parts []Basic) []Basic {
	if !slices.ContainsFunc(parts, func(b Basic) bool { return !b.plainlyEssential() }) {
		return parts
	}
	defer begin("redundant", &parts).end()
	var kept []Basic
	for _, b := range parts {
		if b.plainlyEssential() {
			kept = append(kept, b)
		} else if b, ok := b.reduced(); ok {
			kept = append(kept, b.essential())
		}
	}
	return tidy("redundant", kept)
}

// plainlyEssential reports whether b has no rows, or one that is no constant, or is known to have only rows that it needs.
func (b Basic) plainlyEssential() bool {
	return b.known&essential != 0 || len(b.divs) == 0 && (len(b.rows) == 0 || len(b.rows) == 1 && !b.rows[0].c.isConst()) || b.plainlyApart()
}

// essential returns b, which is reduced, without the inequalities that the others imply at integer points, and with the equalities that
// hold at these.
func (b Basic) essential() Basic {
	if b.known&essential != 0 {
		return b
	}
	p, ok := b.sample()
	if !ok {
		panic(fmt.Sprintf("poly: redundant: reduced and without points: %v", b))
	}
	survey := b.surveyor()
	survey.walk(p)
	known := survey.survey
	if !known.full {
		with, ok := b.explicit()
		if !ok {
			panic(fmt.Sprintf("poly: redundant: no points of %v", b))
		}
		if !with.same(b) {
			b, known.needed = with, nil
		}
	}
	if slices.Contains(known.needed, false) || len(known.needed) == 0 {
		b = b.gist([]*system{b.system()}, known.needed)
	}
	return b.with(inhabited | essential)
}

// explicit returns b with its implicit equalities, or false if it has no points.
func (b Basic) explicit() (Basic, bool) {
	rows, ok := commonEqualities([]*system{{known: b.width(), rows: b.allRows(), meter: b.meter}}, b.width(), b.equalities()...)
	if !ok {
		return Basic{}, false
	}
	if len(rows) == 0 {
		return b, true
	}
	with := Basic{space: b.space, divs: b.divs, rows: slices.Clone(b.rows)}
	for _, v := range rows {
		with.rows = append(with.rows, row{true, v})
	}
	return with.system().finish(b.space)
}

// equalities returns the explicit equalities of b.
func (b Basic) equalities() (list []vec) {
	for _, r := range b.rows {
		if r.eq {
			list = append(list, r.c)
		}
	}
	return list
}

// commonEqualities returns a basis of the equalities over the first known columns that hold at all integer points of all
// systems, or false if there are no points. Of some equalities it is known that they do.
func commonEqualities(systems []*system, known int, certain ...vec) (rows []vec, ok bool) {
	least := rankOf(certain)
	var hull span
	for _, s := range systems {
		hull.scatter(s, known)
		for hull.empty() || len(hull.equalities) > least {
			x, found := hull.outside(s, known)
			if !found {
				break
			}
			hull.join(x[:known])
		}
	}
	return hull.equalities, !hull.empty()
}

// rankOf returns how many of rows, without their constants, are independent of each other.
func rankOf(rows []vec) (n int) {
	var echelon []vec
	for _, v := range rows {
		v = v.clone()
		v[0] = Int{}
		for _, e := range echelon {
			if c := e.lead(); !v[c].isZero() {
				v.combine(e[c], v[c].Neg(), e)
				row{true, v}.normalize()
			}
		}
		if v.lead() > 0 {
			echelon = append(echelon, v)
			n++
		}
	}
	return n
}

// A span is an affine hull of points: no point at all, or those that satisfy the equalities, which are independent.
type span struct {
	points     int
	equalities []vec
}

func (h *span) empty() bool { return h.points == 0 }

// outside returns a point of s that is not in h.
func (h *span) outside(s *system, known int) (vec, bool) {
	if h.empty() {
		return s.sample()
	}
	for _, e := range h.equalities {
		for _, side := range (row{true, e[:known].clone().grown(s.width())}).outside() {
			c := s.clone()
			c.rows = append(c.rows, side)
			if x, found := c.sample(); found {
				return x, true
			}
		}
	}
	return nil, false
}

// scatter adds points of s around one far inside, if there is one, so that searches have less to look for.
func (h *span) scatter(s *system, known int) {
	if len(s.locals) > 0 {
		return
	}
	x, ok := s.inside()
	if !ok {
		return
	}
	s.meter.spend(2 * len(s.rows) * s.width() * known)
	for c := range known {
		y := x.clone()
		if c > 0 {
			y[c] = y[c].Add(one)
		}
		if !slices.ContainsFunc(s.rows, func(r row) bool { return !r.holds(y) }) && !h.contains(y) {
			h.join(y[:known])
		}
	}
}

// contains reports whether the point x is in h.
func (h *span) contains(x vec) bool {
	return !h.empty() && !slices.ContainsFunc(h.equalities, func(e vec) bool { return !e.eval(x).isZero() })
}

// inside returns a point near the middle of the rows of s, which need not satisfy them: as far from all inequalities, measured by
// their largest coefficients, as all can be, but no farther than is of use, rounded.
func (s *system) inside() (vec, bool) {
	const far = 4
	n := s.width()
	t := newTableau(n, s.meter) // the last unknown is the distance
	for _, r := range s.rows {
		v := r.c.clone()[:n:n]
		if r.eq {
			if v = append(v, Int{}); !t.addAll([]row{{true, v}}) {
				return nil, false
			}
			continue
		}
		var widest Int
		for _, k := range v[1:] {
			if k = k.Abs(); k.Cmp(widest) > 0 {
				widest = k
			}
		}
		if !t.add(append(v, widest.Neg())) {
			return nil, false
		}
	}
	limit := unitVec(1+n, n)
	limit[0], limit[n] = NewInt(far), minusOne
	t.add(limit)
	t.maximize(unitVec(1+n, n)) // where it leaves the tableau is the point
	x := newVec(n)
	x[0] = one
	for c := 1; c < n; c++ {
		p, q := t.value(c - 1)
		x[c] = p.nearest(q)
	}
	return x, true
}

// join adds a point, which is not in h.
func (h *span) join(x vec) {
	h.points++
	if h.points == 1 {
		for c := 1; c < len(x); c++ {
			e := unitVec(len(x), c)
			e[0] = x[c].Neg()
			h.equalities = append(h.equalities, e)
		}
		return
	}
	at := slices.IndexFunc(h.equalities, func(e vec) bool { return !e.eval(x).isZero() })
	pivot := h.equalities[at]
	h.equalities = slices.Delete(h.equalities, at, at+1)
	p := pivot.eval(x)
	for _, e := range h.equalities {
		if q := e.eval(x); !q.isZero() {
			e.combine(p, q.Neg(), pivot)
			row{true, e}.normalize()
		}
	}
}
