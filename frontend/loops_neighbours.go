package frontend

import (
	"maps"
	"slices"
)

// This file finds which loops of a region are coordinates since subscripts of one dimension use neighbours along them, such as A[i] and A[i - 1], or
// A[(i + n - 1) % n].

func (s *componentSearch) noteSubscript(d dimensionAt, p path, sub expr) {
	use := s.dims[d]
	if use == nil {
		use = &dimensionUse{large: s.isLarge(p, d.k)}
		s.dims[d] = use
	}
	s.noteSum(use, sub, false)
}

// noteSum notes sub, a subscript, or around the ends of a dimension one of its cases.
func (s *componentSearch) noteSum(use *dimensionUse, sub expr, around bool) {
	x := loopSum{factors: map[*loopUse]int64{}, around: around}
	if !s.add(&x, 1, sub) {
		use.others = true
		for _, e := range s.casesIn(sub) {
			s.noteSum(use, e, true)
		}
		return
	}
	maps.DeleteFunc(x.factors, func(_ *loopUse, factor int64) bool { return factor == 0 })
	for u := range x.factors {
		if len(x.factors) == 1 && !around && !slices.Contains(use.alone, u) {
			use.alone = append(use.alone, u)
		}
	}
	for _, y := range use.sums {
		if y.c == x.c || !maps.Equal(x.factors, y.factors) {
			continue
		}
		if around := x.around || y.around; !around || abs(x.c-y.c) <= maxNear && s.areLong(x.factors) {
			markNeighbours(x.factors, x.c-y.c)
		}
	}
	use.sums = append(use.sums, x)
}

// Components, too, may be each other's neighbours around the ends of their dimension, as in (c + 1) % 3. Points of space are more, and near.
const (
	maxRing = 8
	maxNear = 3
)

// casesIn returns the sums that a subscript leads around a dimension by: the sides of a comparison of sums, what a remainder is taken of.
func (s *componentSearch) casesIn(e expr) []expr {
	isSum := func(e expr) bool { return s.add(&loopSum{factors: map[*loopUse]int64{}}, 1, e) }
	switch e := e.(type) {
	case cast:
		return s.casesIn(e.x)
	case cond:
		if test, ok := e.c.(binary); ok && opposite[test.op] != "" && isSum(test.x) && isSum(test.y) {
			return []expr{e.x, e.y}
		}
	case binary:
		m, known := s.constant(e.y)
		if e.op == "&" {
			m++
		}
		if e.op != "%" && e.op != "&" || !known || m < 1 {
			return nil
		}
		x := loopSum{factors: map[*loopUse]int64{}}
		if back := e.x; s.add(&x, 1, back) && x.c > m/2 { // of i + m - 1 it is i - 1
			return []expr{binary{e.where, "-", back, numberAt(e.where, m)}}
		}
		return []expr{e.x}
	}
	return nil
}

// areLong reports whether all of loops run more than maxRing times.
func (s *componentSearch) areLong(loops map[*loopUse]int64) bool {
	for u := range loops {
		if by, ok := stepOf(u.f.step, u.decl); u.few && (!ok || s.trips(u.f, u.decl, by) <= maxRing) {
			return false
		}
	}
	return true
}

// markNeighbours notes that two subscripts with these factors differ by a number. In one that stands for several
// dimensions, such as (i * 100 + j) * 3 + c, that tells which loop has the neighbours; in i - c it is the longer one.
func markNeighbours(factors map[*loopUse]int64, apart int64) {
	most, long := int64(0), false
	for u, factor := range factors {
		if k := abs(factor); apart%k == 0 && k >= most {
			long = !u.few || long && k == most
			most = k
		}
	}
	for u, factor := range factors {
		u.neighbours = u.neighbours || abs(factor) == most && (!long || !u.few)
	}
}

// add adds factor times e to x; false if e is no sum.
func (s *componentSearch) add(x *loopSum, factor int64, e expr) bool {
	if abs(factor) >= maxCoefficient {
		return false
	}
	if v, known := s.constant(e); known {
		x.c += factor * v
		return true
	}
	switch e := e.(type) {
	case ident:
		for _, u := range slices.Backward(s.scope) {
			if u.decl != nil && u.decl == e.decl {
				x.factors[u] += factor
				break
			}
		}
		return true
	case cast:
		return s.add(x, factor, e.x)
	case unary:
		switch e.op {
		case "+":
			return s.add(x, factor, e.x)
		case "-":
			return s.add(x, -factor, e.x)
		}
	case binary:
		switch e.op {
		case "+":
			return s.add(x, factor, e.x) && s.add(x, factor, e.y)
		case "-":
			return s.add(x, factor, e.x) && s.add(x, -factor, e.y)
		case "*":
			for _, pair := range [][2]expr{{e.x, e.y}, {e.y, e.x}} {
				if v, known := s.constant(pair[0]); known && abs(v) < 1<<20 && abs(factor) < 1<<20 {
					return s.add(x, factor*v, pair[1])
				}
			}
		}
	}
	return false
}
