package poly

import (
	"slices"
)

// This file edits the dimensions of sets: what is done to positions is done to the tuple of each part. Positions are not
// inserted in pairs of tuples, removed from them, or moved: that takes a relation that is composed with them.

// InsertDims returns s with dimensions of any value before position at of each tuple: S[i] with "x" at 0 gives S[x, i].
func (s Set) InsertDims(at int, names ...string) Set {
	return s.relaid("InsertDims", func(space Space) (Space, []int) {
		checkPosition("InsertDims", space, at, len(space.Out.Dims))
		first := space.outCol()
		space.Out = space.Out.present()
		space.Out.Dims = slices.Insert(slices.Clone(space.Out.Dims), at, names...)
		to := seq(nil, 0, first+at)
		return space, seq(to, first+at+len(names), space.cols()-first-at-len(names))
	})
}

// PermuteDims returns s with the dimensions of each tuple in another order, of positions: S[i, j] with 1, 0 gives S[j, i].
func (s Set) PermuteDims(order ...int) Set {
	return s.relaid("PermuteDims", func(space Space) (Space, []int) {
		n := len(space.Out.Dims)
		to := seq(make([]int, 0, space.cols()), 0, space.cols())
		dims := make([]string, n)
		sorted := slices.Clone(order)
		slices.Sort(sorted)
		if !slices.Equal(sorted, seq(nil, 0, n)) {
			panic(misuse("PermuteDims: %v is not an order of %d dimensions", order, n))
		}
		for i, from := range order {
			dims[i] = space.Out.Dims[from]
			to[space.outCol()+from] = space.outCol() + i
		}
		space.Out.Dims = dims
		return space, to
	})
}

// DimToParam returns s with the dimension at a position as a parameter, which s does not have yet:
// S[i, j] with 0 and "N" gives [N] -> S[j].
func (s Set) DimToParam(at int, param string) Set {
	if slices.Contains(s.Params(), param) {
		panic(misuse("DimToParam: %s is a parameter of %v", param, s))
	}
	return s.relaid("DimToParam", func(space Space) (Space, []int) {
		checkPosition("DimToParam", space, at, len(space.Out.Dims)-1)
		first := space.outCol()
		to := seq(seq(nil, 0, first), first+1, len(space.Out.Dims))
		to[first+at] = first
		for i := first + at + 1; i < len(to); i++ {
			to[i]--
		}
		space.Params = append(slices.Clone(space.Params), param)
		space.Out.Dims = slices.Delete(slices.Clone(space.Out.Dims), at, at+1)
		return space, to
	})
}

// ParamToDim returns s with a parameter as the dimension before position at of each tuple, of the same name:
// [N] -> S[j] with "N" and 0 gives S[N, j].
func (s Set) ParamToDim(param string, at int) Set {
	p := slices.Index(s.Params(), param)
	if p < 0 && len(s.parts) > 0 {
		panic(misuse("ParamToDim: %s is not a parameter of %v", param, s))
	}
	return s.relaid("ParamToDim", func(space Space) (Space, []int) {
		checkPosition("ParamToDim", space, at, len(space.Out.Dims))
		space.Params = slices.Delete(slices.Clone(space.Params), p, p+1)
		first := space.outCol()
		to := seq(seq(nil, 0, p+1), first+at, 1)
		to = seq(to, p+1, len(space.Params)-p)
		to = seq(to, first, at)
		to = seq(to, first+at+1, len(space.Out.Dims)-at)
		space.Out = space.Out.present()
		space.Out.Dims = slices.Insert(slices.Clone(space.Out.Dims), at, param)
		return space, to
	})
}

// FixDim returns the points of s whose dimension at a position has the value v.
func (s Set) FixDim(at int, v int64) Set {
	return Set{fixDim("FixDim", s.parts, at, v, Space.inCol)}
}

// FixIn and FixOut return the pairs of m whose first or second point has the value v at a position.
func (m Map) FixIn(at int, v int64) Map  { return Map{fixDim("FixIn", m.parts, at, v, Space.inCol)} }
func (m Map) FixOut(at int, v int64) Map { return Map{fixDim("FixOut", m.parts, at, v, Space.outCol)} }

// fixDim conjoins that column first + at has the value v.
func fixDim(op string, parts []Basic, at int, v int64, first func(Space) int) []Basic {
	var fixed []Basic
	for _, b := range parts {
		col := first(b.space) + at
		if at < 0 || col >= b.space.cols() {
			panic(misuse("%s: no dimension %d in %v", op, at, b))
		}
		s := newSystem(b.space.cols(), 0)
		s.add(b, b.space.identityCols())
		value := unitVec(s.width(), col)
		value[0] = NewInt(v).Neg()
		s.addRow(true, value)
		if f, ok := s.finish(b.space); ok {
			fixed = append(fixed, f)
		}
	}
	return tidy("fix", fixed)
}

// RenameTuple returns s with tuples, and tuples of pairs, called to instead of from, "" for none.
func (s Set) RenameTuple(from, to string) Set {
	return Set{respaced(s.parts, func(space *Space) {
		space.In, space.Out = space.In.renamed(from, to), space.Out.renamed(from, to)
	})}
}

// RenameIn and RenameOut return m with first or second tuples called to instead of from, "" for none.
func (m Map) RenameIn(from, to string) Map {
	return Map{respaced(m.parts, func(s *Space) { s.In = s.In.renamed(from, to) })}
}

func (m Map) RenameOut(from, to string) Map {
	return Map{respaced(m.parts, func(s *Space) { s.Out = s.Out.renamed(from, to) })}
}

// RenameDims returns s with the dimensions of its tuples of this length called names. It has the same points.
func (s Set) RenameDims(names ...string) Set {
	return Set{respaced(s.parts, func(space *Space) {
		if len(space.Out.Dims) == len(names) {
			space.Out.Dims = slices.Clone(names)
		}
	})}
}

// RenameParam returns s with the parameter from called to, which s does not have yet.
func (s Set) RenameParam(from, to string) Set { return Set{renameParam(s.parts, from, to)} }

// RenameParam returns m with the parameter from called to, which m does not have yet.
func (m Map) RenameParam(from, to string) Map { return Map{renameParam(m.parts, from, to)} }

func renameParam(parts []Basic, from, to string) []Basic {
	at := slices.Index(paramsOf(parts), from)
	if from == to || at < 0 {
		return parts
	}
	if slices.Contains(paramsOf(parts), to) {
		panic(misuse("RenameParam: %s is a parameter of %v", to, Set{parts}))
	}
	return respaced(parts, func(s *Space) {
		s.Params = slices.Clone(s.Params)
		s.Params[at] = to
	})
}

// respaced returns parts with their spaces changed by f, which keeps the columns.
func respaced(parts []Basic, f func(*Space)) []Basic {
	parts = slices.Clone(parts)
	for i := range parts {
		f(&parts[i].space)
	}
	return tidy("rename", parts)
}

// relaid returns the parts of s over the space that target gives, where column i is column to[i].
func (s Set) relaid(op string, target func(Space) (Space, []int)) Set {
	var parts []Basic
	for _, b := range s.parts {
		if b.space.Out.IsPair() {
			panic(misuse("%s: a set of pairs: %v", op, s))
		}
		parts = append(parts, b.mustMove(target(b.space)))
	}
	return Set{tidy("dimensions", parts)}
}

func checkPosition(op string, s Space, at, last int) {
	if at < 0 || at > last {
		panic(misuse("%s: no position %d in %s%v", op, at, s.Out.Name, s.Out.Dims))
	}
}
