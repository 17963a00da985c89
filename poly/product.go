package poly

import "slices"

// This file has products. Flat ones have the dimensions of both tuples, one after the other, in a tuple without a name; the
// others have a pair of both tuples.

// Product returns the pairs of the points of s and t: S[i] and T[j] give [S[i] -> T[j]].
func (s Set) Product(t Set) Set { return s.Relate(t).Wrap() }

// Relate returns the relation of each point of s to each point of t: S[i] and T[j] give S[i] -> T[j].
func (s Set) Relate(t Set) Map {
	return Map{pairwise("product", s.parts, t.parts, func(a, b Space) (layout, bool) {
		l := newLayout(mapSpace(a.Params, a.Out, b.Out))
		l.place(&l.a, l.space.inCol(), a.Out)
		l.place(&l.b, l.space.outCol(), b.Out)
		return l, true
	})}
}

// FlatProduct returns the points of s followed by those of t: S[i] and T[j] give [i, j].
func (s Set) FlatProduct(t Set) Set {
	return s.Relate(t).flatten()
}

// flatten returns the pairs of m as points of one tuple without a name.
func (m Map) flatten() Set {
	parts := slices.Clone(m.parts)
	for i, b := range parts {
		parts[i].space = setSpace(b.space.Params, concat(b.space.In, b.space.Out))
	}
	return Set{tidy("product", parts)}
}

// FlatProduct returns the pairs of m beside those of n: A[i] -> B[j] and C[k] -> D[l] give [i, k] -> [j, l].
func (m Map) FlatProduct(n Map) Map {
	return Map{pairwise("product", m.parts, n.parts, func(a, b Space) (layout, bool) {
		l := newLayout(mapSpace(a.Params, concat(a.In, b.In), concat(a.Out, b.Out)))
		l.place(&l.a, l.space.inCol(), a.In)
		l.place(&l.a, l.space.outCol(), a.Out)
		l.place(&l.b, l.space.inCol()+len(a.In.Dims), b.In)
		l.place(&l.b, l.space.outCol()+len(a.Out.Dims), b.Out)
		return l, true
	})}
}

// FlatRangeProduct relates points to what m and n relate them to: A[i] -> B[j] and A[i] -> C[k] give A[i] -> [j, k].
func (m Map) FlatRangeProduct(n Map) Map {
	return Map{pairwise("product", m.parts, n.parts, func(a, b Space) (layout, bool) {
		return rangeLayout(a, b, concat(a.Out, b.Out)), a.In.same(b.In)
	})}
}

// rangeLayout relates the first points that a and b share to out, which has the dimensions of both second points.
func rangeLayout(a, b Space, out Tuple) layout {
	l := newLayout(mapSpace(a.Params, a.In, out))
	l.place(&l.a, l.space.inCol(), a.In)
	l.place(&l.a, l.space.outCol(), a.Out)
	l.place(&l.b, l.space.inCol(), b.In)
	l.place(&l.b, l.space.outCol()+len(a.Out.Dims), b.Out)
	return l
}

// FlatDomainProduct is FlatRangeProduct for the other side: A[i] -> C[k] and B[j] -> C[k] give [i, j] -> C[k].
func (m Map) FlatDomainProduct(n Map) Map {
	return m.Inverse().FlatRangeProduct(n.Inverse()).Inverse()
}

// A layout says where the columns of two conjunctions go in a space.
type layout struct {
	space Space
	a, b  []int
}

// newLayout places the constant and the parameters of both.
func newLayout(s Space) layout {
	return layout{s, seq(nil, 0, s.inCol()), seq(nil, 0, s.inCol())}
}

// place appends the columns of t from first on to the columns of one conjunction.
func (l *layout) place(cols *[]int, first int, t Tuple) { *cols = seq(*cols, first, len(t.Dims)) }

// pairwise conjoins each part of a and each of b, over the same parameters, in the layout that f gives them if they fit.
func pairwise(op string, a, b []Basic, f func(a, b Space) (layout, bool)) []Basic {
	a, b = alignParams(a, b)
	defer begin(op, &a, &b).end()
	if len(a)*len(b) > maxParts {
		panic(&LimitError{Op: op, What: "parts", Bound: maxParts})
	}
	var parts []Basic
	for _, x := range a {
		for _, y := range b {
			l, fits := f(x.space, y.space)
			if !fits {
				continue
			}
			s := newSystem(l.space.cols(), 0)
			s.add(x, l.a)
			s.add(y, l.b)
			if both, ok := s.finish(l.space); ok {
				parts = append(parts, both)
			}
		}
	}
	return tidy(op, parts)
}

// concat returns the dimensions of t and u in a tuple without a name.
func concat(t, u Tuple) Tuple { return Tuple{Dims: slices.Concat(t.Dims, u.Dims)} }
