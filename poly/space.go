package poly

import (
	"slices"
)

// A Space names the columns of a Basic. Of a set, In is empty, and of a set of parameters alone Out, too.
type Space struct {
	Params  []string
	In, Out Tuple
}

// cols returns the number of columns of the constant and of all dimensions.
func (s Space) cols() int { return 1 + len(s.Params) + len(s.In.Dims) + len(s.Out.Dims) }

// inCol and outCol return the column of the first dimension of a tuple.
func (s Space) inCol() int  { return 1 + len(s.Params) }
func (s Space) outCol() int { return 1 + len(s.Params) + len(s.In.Dims) }

// sameTuples reports whether points of s and t can be equal.
func (s Space) sameTuples(t Space) bool {
	return s.In.same(t.In) && s.Out.same(t.Out)
}

// named returns t with the dimension names of s, whose tuples are the same.
func (t Space) named(s Space) Space {
	t.In.Dims, t.Out.Dims = s.In.Dims, s.Out.Dims
	return t
}

// setSpace and mapSpace return spaces made of tuples.
func setSpace(params []string, t Tuple) Space { return Space{Params: params, In: noTuple, Out: t} }
func mapSpace(params []string, in, out Tuple) Space {
	return Space{Params: params, In: in.present(), Out: out.present()}
}

// isMap reports whether s is the space of a relation.
func (s Space) isMap() bool { return !s.In.none }

// isParams reports whether s has no tuple, so that its sets are about parameters alone.
func (s Space) isParams() bool { return s.In.none && s.Out.none }

// mergeParams returns the names of a, then those of b that a lacks.
func mergeParams(a, b []string) []string {
	if slices.Equal(a, b) {
		return a
	}
	merged := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(merged, name) {
			merged = append(merged, name)
		}
	}
	return merged
}

// paramCols returns the column in a space over params for the constant and each of names.
func paramCols(names, params []string) []int {
	cols := make([]int, 1+len(names), 8+len(names))
	for i, name := range names {
		at := slices.Index(params, name)
		if at < 0 {
			panic(misuse("parameter %s is not one of %v", name, params))
		}
		cols[1+i] = 1 + at
	}
	return cols
}

// seq appends n columns from first on.
func seq(cols []int, first, n int) []int {
	for i := range n {
		cols = append(cols, first+i)
	}
	return cols
}
