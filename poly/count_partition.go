package poly

import "slices"

// This file adds values whose domains overlap. All constraints of all domains are hyperplanes that cut the space of
// the parameters. Region by region, it picks a hyperplane that most domains wait for, and cuts, until each region lies
// inside or outside of each domain. Where both halves then have the same value, they are one region again.

// A claim is a value where all literals hold.
type claim struct {
	value    polynomial
	literals []literal
}

// A literal says that the hyperplane is at least 0, or, if it is not to hold, less.
type literal struct {
	plane int
	holds bool
}

// A region is a conjunction with the sum of the claims there; key is canonical.
type region struct {
	rows       []row
	value, key polynomial
}

// An arrangement cuts the space of parameters along hyperplanes.
type arrangement struct {
	c      *counter
	space  Space
	s      *system // the columns and divs of hyperplanes; no rows
	planes []vec
	nodes  int
}

// partition returns the sum of pieces, whose domains may overlap, as pieces with disjoint domains.
func (c *counter) partition(pieces []countPiece) []countPiece {
	if len(pieces) == 0 {
		return nil
	}
	a := &arrangement{c: c, space: pieces[0].dom[0].space}
	a.s = newSystem(a.space.cols(), 0)
	a.s.meter = pieces[0].dom[0].meter
	var claims []claim
	for _, p := range pieces {
		for _, b := range disjoint(p.dom) {
			claims = append(claims, claim{p.value, a.literals(b)})
		}
	}
	for i := range a.planes {
		a.planes[i] = a.planes[i].grown(a.s.width())
	}
	var sum []countPiece
	for _, r := range a.divide(nil, polynomial{}, claims) {
		if r.value.isZero() {
			continue
		}
		if b, ok := a.system(r.rows).finishReduced(a.space); ok {
			sum = append(sum, countPiece{[]Basic{b}, r.value})
		}
	}
	return sum
}

// literals returns what holds exactly in b. New hyperplanes are added.
func (a *arrangement) literals(b Basic) []literal {
	a.s.add(b, a.space.identityCols())
	rows := a.s.rows
	a.s.rows = nil
	var list []literal
	for _, r := range rows {
		for _, half := range r.halves() {
			switch half.normalize() {
			case never:
				return []literal{{a.plane(half.c), true}}
			case unclear:
				list = append(list, a.literal(half.c))
			}
		}
	}
	return list
}

// literal returns v >= 0 as a literal: hyperplanes have a positive first coefficient.
func (a *arrangement) literal(v vec) literal {
	if v[v.lead()].Sign() > 0 {
		return literal{a.plane(v), true}
	}
	return literal{a.plane(v.complement()), false}
}

// plane returns the index of a hyperplane.
func (a *arrangement) plane(v vec) int {
	same := func(w vec) bool { return w.grown(len(v)).equal(v.clone().grown(len(w))) }
	if i := slices.IndexFunc(a.planes, same); i >= 0 {
		return i
	}
	a.planes = append(a.planes, v)
	return len(a.planes) - 1
}

// divide returns the regions of the conjunction rows, which has points; base is the sum of what holds everywhere there.
func (a *arrangement) divide(rows []row, base polynomial, claims []claim) []region {
	if a.nodes++; a.nodes > maxRegions {
		panic(&LimitError{Op: "count", What: "regions", Bound: maxRegions})
	}
	for {
		base, claims = a.settle(rows, base, claims)
		if len(claims) == 0 {
			return []region{{rows, base, a.c.canonical(base)}}
		}
		cut := row{c: a.planes[a.busiest(claims)]}
		inside := append(slices.Clip(rows), cut)
		outside := append(slices.Clip(rows), row{c: cut.c.complement()})
		switch {
		case a.empty(inside):
			rows = outside
		case a.empty(outside):
			rows = inside
		default:
			return join(rows, a.divide(inside, base, claims), a.divide(outside, base, claims))
		}
	}
}

// join returns the regions of both halves of rows, or one if they have the same value.
func join(rows []row, x, y []region) []region {
	if len(x) == 1 && len(y) == 1 && x[0].key.equal(y[0].key) {
		x[0].rows = rows
		return x
	}
	return append(x, y...)
}

// settle adds the claims that hold wherever rows do to base, and drops those that hold nowhere. The others keep the
// literals that neither hold nor fail everywhere.
func (a *arrangement) settle(rows []row, base polynomial, claims []claim) (polynomial, []claim) {
	t := newTableau(a.s.width()-1, a.s.meter)
	if !t.addAll(a.s.divBounds()) || !t.addAll(rows) {
		return base, nil
	}
	sides := make(map[int]int) // 1 where a hyperplane is at least 0 on all of rows, -1 where it is less
	side := func(plane int) int {
		d, known := sides[plane]
		if !known {
			d = t.side(a.planes[plane])
			sides[plane] = d
		}
		return d
	}
	var open []claim
next:
	for _, cl := range claims {
		var left []literal
		for _, l := range cl.literals {
			switch d := side(l.plane); {
			case d == 0:
				left = append(left, l)
			case (d > 0) != l.holds:
				continue next
			}
		}
		if len(left) == 0 {
			base = base.plus(cl.value)
		} else {
			open = append(open, claim{cl.value, left})
		}
	}
	return base, open
}

// side returns 1 if v >= 0 at all integer points of t, as far as rational points show, -1 if v < 0 at all, and else 0.
func (t *tableau) side(v vec) int {
	if p, _, o := t.maximize(v); o == bounded && p.Sign() < 0 {
		return -1
	}
	if p, q, o := t.maximize(v.negated()); o == bounded && p.Cmp(q) < 0 {
		return 1
	}
	return 0
}

// busiest returns the hyperplane that most claims wait for.
func (a *arrangement) busiest(claims []claim) int {
	uses := make([]int, len(a.planes))
	best := claims[0].literals[0].plane
	for _, cl := range claims {
		for _, l := range cl.literals {
			if uses[l.plane]++; uses[l.plane] > uses[best] {
				best = l.plane
			}
		}
	}
	return best
}

// empty reports whether rows have no integer point.
func (a *arrangement) empty(rows []row) bool { return a.system(rows).empty() }

// system returns rows as a system of their own.
func (a *arrangement) system(rows []row) *system {
	s := a.s.clone()
	for _, r := range rows {
		s.rows = append(s.rows, r.clone())
	}
	return s
}
