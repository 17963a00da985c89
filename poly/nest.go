package poly

import (
	"slices"
)

// This file has the operations that make, undo and rearrange pairs of tuples. Most keep the columns, as the dimensions of
// a pair are those of its tuples one after the other.

// Wrap returns the set of the pairs of m: { A[i] -> B[j] } gives { [A[i] -> B[j]] }.
func (m Map) Wrap() Set {
	record(m, "")
	return Set{retupled("Wrap", m.parts, func(s Space) (Space, bool) {
		return setSpace(s.Params, PairOf("", s.In, s.Out)), true
	})}
}

// Unwrap returns the relation whose pairs are the points of s, of which all are pairs: { [A[i] -> B[j]] } gives
// { A[i] -> B[j] }.
func (s Set) Unwrap() Map {
	record(s, "")
	return Map{retupled("Unwrap", s.parts, func(s Space) (Space, bool) {
		first, second, ok := s.Out.Pair()
		return mapSpace(s.Params, first, second), ok
	})}
}

// Curry turns first points that are pairs into relations to pairs: { [A[i] -> B[j]] -> C[k] } gives { A[i] -> [B[j] -> C[k]] }.
func (m Map) Curry() Map {
	return Map{retupled("Curry", m.parts, func(s Space) (Space, bool) {
		first, second, ok := s.In.Pair()
		return mapSpace(s.Params, first, PairOf("", second, s.Out)), ok
	})}
}

// Uncurry is the inverse of Curry: { A[i] -> [B[j] -> C[k]] } gives { [A[i] -> B[j]] -> C[k] }.
func (m Map) Uncurry() Map {
	return Map{retupled("Uncurry", m.parts, func(s Space) (Space, bool) {
		first, second, ok := s.Out.Pair()
		return mapSpace(s.Params, PairOf("", s.In, first), second), ok
	})}
}

// Zip exchanges the inner two tuples of pairs of pairs: { [A[i] -> B[j]] -> [C[k] -> D[l]] } gives
// { [A[i] -> C[k]] -> [B[j] -> D[l]] }.
func (m Map) Zip() Map {
	var parts []Basic
	for _, b := range m.parts {
		s := b.space
		x, y, ok := s.In.Pair()
		u, v, both := s.Out.Pair()
		if !ok || !both {
			panic(notPairs("Zip", m))
		}
		space := mapSpace(s.Params, PairOf("", x, u), PairOf("", y, v))
		to := seq(nil, 0, s.inCol()+len(x.Dims))
		to = seq(to, space.outCol(), len(y.Dims))
		to = seq(to, s.inCol()+len(x.Dims), len(u.Dims))
		parts = append(parts, b.mustMove(space, seq(to, space.outCol()+len(y.Dims), len(v.Dims))))
	}
	return Map{tidy("Zip", parts)}
}

// DomainMap relates each pair of m to its first point: { A[i] -> B[j] } gives { [A[i] -> B[j]] -> A[i] }.
func (m Map) DomainMap() Map {
	return m.Wrap().mapped(func(t Tuple) (Tuple, func(i int) (plus, minus int)) {
		first, _, _ := t.Pair()
		return first, func(i int) (int, int) { return i, -1 }
	})
}

// RangeMap relates each pair of m to its second point: { A[i] -> B[j] } gives { [A[i] -> B[j]] -> B[j] }.
func (m Map) RangeMap() Map {
	return m.Wrap().mapped(func(t Tuple) (Tuple, func(i int) (plus, minus int)) {
		first, second, _ := t.Pair()
		return second, func(i int) (int, int) { return len(first.Dims) + i, -1 }
	})
}

// DeltasMap relates each pair of m to the difference of its points, in the tuple of Deltas:
// { A[i] -> A[j] } gives { [A[i] -> A[j]] -> A[j - i] }.
func (m Map) DeltasMap() Map {
	return m.Wrap().mapped(func(t Tuple) (Tuple, func(i int) (plus, minus int)) {
		first, second, _ := t.Pair()
		n := len(first.Dims)
		if n != len(second.Dims) {
			panic(misuse("DeltasMap: tuples of different lengths: %v", m))
		}
		return deltaTuple(first, second), func(i int) (int, int) { return n + i, i }
	})
}

// mapped relates each point of s to a point of the tuple that f gives for its own tuple. Dimension i of that is dimension plus
// of the point, less dimension minus unless that is negative.
func (s Set) mapped(f func(t Tuple) (Tuple, func(i int) (plus, minus int))) Map {
	var parts []Basic
	for _, b := range s.parts {
		target, value := f(b.space.Out)
		space := mapSpace(b.space.Params, b.space.Out, target)
		t := newSystem(space.cols(), 0)
		t.add(b, seq(nil, 0, space.outCol()))
		for i := range target.Dims {
			plus, minus := value(i)
			v := newVec(t.width())
			v[space.outCol()+i], v[space.inCol()+plus] = minusOne, one
			if minus >= 0 {
				v[space.inCol()+minus] = minusOne
			}
			t.addRow(true, v)
		}
		if c, ok := t.finish(space); ok {
			parts = append(parts, c)
		}
	}
	return Map{tidy("map", parts)}
}

// Product returns the pairs of a pair of m and a pair of n: { A[i] -> B[j] } and { C[k] -> D[l] } give
// { [A[i] -> C[k]] -> [B[j] -> D[l]] }.
func (m Map) Product(n Map) Map { return m.Wrap().Relate(n.Wrap()).Zip() }

// RangeProduct relates points to pairs of what m and n relate them to: { A[i] -> B[j] } and { A[i] -> C[k] } give
// { A[i] -> [B[j] -> C[k]] }.
func (m Map) RangeProduct(n Map) Map {
	return Map{pairwise("product", m.parts, n.parts, func(a, b Space) (layout, bool) {
		return rangeLayout(a, b, PairOf("", a.Out, b.Out)), a.In.same(b.In)
	})}
}

// DomainProduct is RangeProduct for the other side: { A[i] -> C[k] } and { B[j] -> C[k] } give { [A[i] -> B[j]] -> C[k] }.
func (m Map) DomainProduct(n Map) Map {
	return m.Inverse().RangeProduct(n.Inverse()).Inverse()
}

// retupled returns parts with the spaces that f gives, which have the same columns. It panics where f finds no pairs.
func retupled(op string, parts []Basic, f func(Space) (Space, bool)) []Basic {
	parts = slices.Clone(parts)
	for i := range parts {
		space, ok := f(parts[i].space)
		if !ok {
			panic(notPairs(op, Set{parts}))
		}
		parts[i].space = space
	}
	return tidy(op, parts)
}

func notPairs(op string, x any) *UseError { return misuse("%s: not of pairs: %v", op, x) }
