package poly

import "slices"

// A Tuple is a named vector of dimensions, S[i, j], or a named pair of tuples, P[S[i] -> T[j]], whose dimensions are
// those of both. Tuples are the same when their names, their lengths and the tuples in them are: the names of dimensions
// are for people, and for Set.ProjectOut.
type Tuple struct {
	Name string
	Dims []string // "" where a dimension has no name
	pair *pair    // nil: a vector
	none bool     // there is no tuple, as in sets of parameters alone
}

// noTuple is what { : N >= 1 } has where { [] : N >= 1 } has the tuple of no dimensions.
var noTuple = Tuple{none: true}

// A pair says what the dimensions of a pair of tuples are: those of the first one, then those of the second one.
type pair struct{ first, second shape }

// A shape is a tuple but for the names of its dimensions.
type shape struct {
	name string
	size int
	pair *pair
	none bool
}

// PairOf returns the tuple name[first -> second].
func PairOf(name string, first, second Tuple) Tuple {
	pair := &pair{first.present().shape(), second.present().shape()}
	return Tuple{Name: name, Dims: slices.Concat(first.Dims, second.Dims), pair: pair}
}

// Pair returns the two tuples that t is a pair of, or false if it is a vector.
func (t Tuple) Pair() (first, second Tuple, ok bool) {
	if t.pair == nil {
		return Tuple{}, Tuple{}, false
	}
	p, n := t.pair, t.pair.first.size
	return p.first.tuple(t.Dims[:n:n]), p.second.tuple(t.Dims[n:]), true
}

// IsPair reports whether t is a pair of tuples.
func (t Tuple) IsPair() bool { return t.pair != nil }

// present returns t, or [] if there is none.
func (t Tuple) present() Tuple {
	t.none = false
	return t
}

func (t Tuple) shape() shape              { return shape{t.Name, len(t.Dims), t.pair, t.none} }
func (s shape) tuple(dims []string) Tuple { return Tuple{s.name, dims, s.pair, s.none} }
func (t Tuple) same(u Tuple) bool         { return t.shape().same(u.shape()) }

// same reports whether s and t are of the same kind of point.
func (s shape) same(t shape) bool {
	if s.name != t.name || s.size != t.size || s.none != t.none {
		return false
	}
	if s.pair == t.pair {
		return true
	}
	return s.pair != nil && t.pair != nil && s.pair.first.same(t.pair.first) && s.pair.second.same(t.pair.second)
}

// without returns t without the dimensions for which drop is set.
func (t Tuple) without(drop []bool) Tuple {
	if first, second, ok := t.Pair(); ok {
		n := len(first.Dims)
		return PairOf(t.Name, first.without(drop[:n]), second.without(drop[n:]))
	}
	var kept []string
	for i, name := range t.Dims {
		if !drop[i] {
			kept = append(kept, name)
		}
	}
	return Tuple{Name: t.Name, Dims: kept, none: t.none}
}

// renamed returns t with it, and the tuples in it, called to instead of from.
func (t Tuple) renamed(from, to string) Tuple {
	if first, second, ok := t.Pair(); ok {
		t = PairOf(t.Name, first.renamed(from, to), second.renamed(from, to))
	}
	if t.Name == from && !t.none {
		t.Name = to
	}
	return t
}
