package poly

import (
	"slices"
)

// A Set is a finite union of Basics, whose tuples may differ, as in { S[i] : 0 <= i < n; T[] }. The zero Set is empty.
// Sets are immutable: every operation returns a new one, so a Set may be copied and shared. Operations on two sets
// match parameters by name, and dimensions by position in tuples of the same name and length. Operations are exact.
type Set struct{ parts []Basic }

// Basics returns the parts of s, which may overlap.
func (s Set) Basics() []Basic { return slices.Clone(s.parts) }

// Params returns the parameters of s.
func (s Set) Params() []string { return slices.Clone(paramsOf(s.parts)) }

// Union returns the points of s and the points of t.
func (s Set) Union(t Set) Set {
	record(s, t)
	return Set{unite(s.parts, t.parts)}
}

// Intersect returns the points that s and t have in common.
func (s Set) Intersect(t Set) Set {
	record(s, t)
	return Set{intersect(s.parts, t.parts)}
}

// IntersectParams returns the points of s for the parameter values in context, a set like [N] -> { : N >= 1 }.
func (s Set) IntersectParams(context Set) Set {
	record(s, context)
	return Set{intersectParams(s.parts, context.parts)}
}

// Subtract returns the points of s that are not in t. Its parts are disjoint if those of s are.
func (s Set) Subtract(t Set) Set {
	record(s, t)
	return Set{subtract(s.parts, t.parts)}
}

// IsEmpty reports whether s has no integer points, for any values of the parameters.
func (s Set) IsEmpty() bool {
	record(s, "")
	return allEmpty(s.parts)
}

// IsSubset reports whether all points of s are in t.
func (s Set) IsSubset(t Set) bool {
	record(s, t)
	return isSubset(s.parts, t.parts)
}

// IsEqual reports whether s and t have the same points.
func (s Set) IsEqual(t Set) bool {
	record(s, t)
	return s.IsSubset(t) && t.IsSubset(s)
}

// ProjectOut removes dimensions by name, or parameters where a part has no such dimension: it returns the points
// for which some integer values of theirs give a point of s. Parts that lack a name stay as they are.
func (s Set) ProjectOut(dims ...string) Set {
	record(s, dims)
	defer begin("project", &s.parts).end()
	var parts []Basic
	for _, b := range s.parts {
		parts = append(parts, b.projectOut(dims)...)
	}
	params := []string(nil)
	for _, b := range parts {
		params = mergeParams(params, b.space.Params)
	}
	return Set{tidy("project", overParams(parts, params))}
}

// projectOut is ProjectOut for one part.
func (b Basic) projectOut(dims []string) []Basic {
	drop := make([]bool, b.space.cols())
	for _, name := range dims {
		if col := b.space.column(name); col > 0 {
			drop[col] = true
		}
	}
	space := b.space.without(drop)
	to := make([]int, b.space.cols())
	next := 0
	for i := range to {
		to[i] = -1
		if !drop[i] {
			to[i] = next
			next++
		}
	}
	return b.project(space, to)
}

// column returns the column of a dimension, or else of a parameter, or 0.
func (s Space) column(name string) int {
	if i := slices.Index(s.Out.Dims, name); i >= 0 {
		return s.outCol() + i
	}
	if i := slices.Index(s.In.Dims, name); i >= 0 {
		return s.inCol() + i
	}
	return 1 + slices.Index(s.Params, name)
}

// without returns s without the columns to drop.
func (s Space) without(drop []bool) Space {
	return Space{
		Params: Tuple{Dims: s.Params}.without(drop[1:]).Dims,
		In:     s.In.without(drop[s.inCol():]),
		Out:    s.Out.without(drop[s.outCol():]),
	}
}

// FixParam returns s for one value of a parameter, which it then no longer has.
func (s Set) FixParam(name string, v int64) Set {
	record(s, paramValue{name, v})
	return Set{fixParam(s.parts, name, v)}
}

// Contains reports whether the point, of any tuple of its length, is in s. params has the values of all parameters.
func (s Set) Contains(params map[string]int64, point ...int64) bool {
	record(s, place{params, point})
	for _, b := range s.parts {
		if len(point) == len(b.space.In.Dims)+len(b.space.Out.Dims) && b.contains(b.space.point(params, point)) {
			return true
		}
	}
	return false
}

// point returns the columns of a point.
func (s Space) point(params map[string]int64, point []int64) vec {
	x := newVec(s.cols())
	x[0] = one
	for i, name := range s.Params {
		v, ok := params[name]
		if !ok {
			panic(misuse("Contains: no value for the parameter %s", name))
		}
		x[1+i] = NewInt(v)
	}
	for i, v := range point {
		x[s.inCol()+i] = NewInt(v)
	}
	return x
}

// Sample returns a point: values of the parameters and dimensions by Space; ok is false if s is empty.
func (s Set) Sample() (params, point []int64, ok bool) {
	record(s, "")
	params, in, out, ok := sample(s.parts)
	return params, append(in, out...), ok
}

// sample returns a point of any part.
func sample(parts []Basic) (params, in, out []int64, ok bool) {
	defer begin("sample", &parts).end()
	for _, b := range parts {
		if x, found := b.sample(); found {
			a := b.space.affine(x)
			return a.Params, a.In, a.Out, true
		}
	}
	return nil, nil, nil, false
}
