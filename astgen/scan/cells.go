package scan

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file divides the values of a dimension into those that get loops of their own.

// cells returns the values of the next dimension of b in the order in which they run, in parts that do not overlap: by the isolated
// part, by the options, by statements where they are to be separate, and else by what cannot be one loop without running through values in
// between.
func (w *writer) cells(b band, name string, at place) (cells []cell) {
	whole := tidy(values(b.times, b.Dims-b.next, name).Intersect(at.known))
	for _, part := range isolatedFirst(b, whole, name, at) {
		var list []cell
		rest := part.values
		for _, k := range []kind{unroll, atomic, separate} {
			wanted := b.wanted(k, part.isolated, name, at)
			if chosen := rest.Intersect(wanted); !chosen.IsEmpty() {
				rest = tidy(rest.Subtract(chosen))
				list = append(list, b.divide(k, tidy(chosen), name)...)
			}
		}
		if !rest.IsEmpty() {
			list = append(list, b.divide(byDefault, rest, name)...)
		}
		cells = append(cells, inOrder(list, name)...)
	}
	return cells
}

// divide returns cells of one kind.
func (b band) divide(k kind, all poly.Set, name string) []cell {
	switch k {
	case unroll, atomic:
		return []cell{{all, k}}
	case separate:
		return b.separate(all, name)
	}
	var list []cell
	for _, p := range all.Basics() {
		list = append(list, cell{p.Set(), k})
	}
	return list
}

// separate returns cells in each of which the same statements run, or have loops that may run.
func (b band) separate(all poly.Set, name string) []cell {
	var sets []poly.Set
	for _, times := range b.times.ByTuple() {
		d := reached(times, name).Intersect(all)
		var next []poly.Set
		for _, s := range sets {
			if both := s.Intersect(d); both.IsEmpty() {
				next = append(next, s)
			} else {
				next = append(next, both)
				if rest := s.Subtract(d); !rest.IsEmpty() {
					next = append(next, rest)
				}
			}
			d = d.Subtract(s)
		}
		if !d.IsEmpty() {
			next = append(next, d)
		}
		sets = next
	}
	var list []cell
	for _, s := range sets {
		for _, p := range tidy(s).Basics() {
			list = append(list, cell{p.Set(), separate})
		}
	}
	return list
}

// reached returns what the function of that name does for all statements.
func (b band) reached(name string) poly.Set { return tidy(reached(b.times, name)) }

// reached returns values of the next dimension, a superset of those that the times have: those for which no constraint fails that is about
// it and what it gives alone. That loops inside have no iterations is for their bounds to tell.
func reached(times poly.Map, name string) (values poly.Set) {
	for _, part := range times.Inverse().Wrap().Basics() {
		n := len(part.Space().Out.Dims)
		flat := flattened(part.Set(), n).Basics()
		if len(flat) == 0 { // it has no points
			continue
		}
		part := flat[0]
		given := make([]bool, n)
		given[0] = true
		for found := true; found; {
			found = false
			for _, row := range part.Constraints() {
				if at := newlyGiven(row, given); at > 0 {
					given[at], found = true, true
				}
			}
		}
		var kept []affine.Expr
		for i := range given {
			if i == 0 || !given[i] {
				kept = append(kept, poly.In(i))
			}
		}
		s := poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(n)}, poly.Tuple{}, kept).Apply(part.Set())
		for _, p := range s.Basics() {
			values = values.Union(about(p, name))
		}
	}
	return values
}

// about returns what the constraints of p say that are about parameters and its first dimension alone, which is called name.
func about(p poly.Basic, name string) poly.Set {
	space := p.Space()
	dims := make([]string, len(space.Out.Dims))
	for i := range dims {
		dims[i] = fmt.Sprintf("%s'%d", name, i)
	}
	dims[0] = name
	space.Out.Dims = dims
	r := newReader(space, p.Divs())
	var all []poly.Formula
	for _, row := range p.Constraints() {
		e := r.expr(row.Affine)
		if !slices.ContainsFunc(dims[1:], func(d string) bool { return mentions(e, d) }) {
			all = append(all, holds(row.Eq, e))
		}
	}
	return poly.NewParamSet(withName(space.Params, name), all...)
}

// withName returns names with one more, unless it is there.
func withName(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(slices.Clone(names), name)
}

// newlyGiven returns the dimension that an equality gives where the others of it are given, or -1.
func newlyGiven(row poly.Constraint, given []bool) int {
	at := -1
	if !row.Eq || slices.ContainsFunc(row.Divs, nonzero) {
		return at
	}
	for i, c := range row.Out {
		switch {
		case c == 0 || given[i]:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// inOrder returns cells in the order of their values; those that overlap, or of which neither comes before the other, become one.
func inOrder(list []cell, name string) (sorted []cell) {
	if len(list) < 2 {
		return list
	}
	for _, group := range components(len(list), func(i, j int) bool { return mayFollow(list[i].values, list[j].values, name) }) {
		c := list[group[0]]
		for _, i := range group[1:] {
			c.values = c.values.Union(list[i].values)
			if list[i].kind != c.kind {
				c.kind = byDefault
			}
		}
		sorted = append(sorted, c)
	}
	return sorted
}

// mayFollow reports whether a value of x is greater than or equal to one of y.
func mayFollow(x, y poly.Set, name string) bool {
	other := name + "'"
	y = y.RenameParam(name, other)
	both := x.Intersect(y)
	less := poly.NewParamSet([]string{name, other}, poly.AtMost(affine.Var(other), affine.Var(name)))
	return !both.Intersect(less).IsEmpty()
}

// wanted returns the values for which a kind of loops is asked for.
func (b band) wanted(k kind, isolated bool, name string, at place) (values poly.Set) {
	for _, p := range b.Options.Basics() {
		space := p.Space()
		switch first, second, pair := space.Out.Pair(); {
		case !isolated && space.Out.Name == k.String() && len(space.Out.Dims) == 1:
			values = values.Union(p.Set().FixDim(0, int64(b.next)).ParamDomain())
		case isolated && pair && first.Name == "isolate" && len(first.Dims) == 0 && second.Name == k.String():
			values = values.Union(p.Set().Unwrap().Range().FixDim(0, int64(b.next)).ParamDomain())
		}
	}
	for _, m := range b.ByOuter.ByTuple() {
		if out := m.Basics()[0].Space().Out; out.Name != k.String() || len(out.Dims) != 1 {
			continue
		}
		values = values.Union(b.at(m.FixOut(0, int64(b.next)).Domain(), name, at))
	}
	return values
}

// at returns a set of times of a band whose options are by times as values of its next dimension.
func (b band) at(s poly.Set, name string, at place) poly.Set {
	times := at.times.FlatProduct(poly.NewSet([]string{name}, poly.Tuple{Dims: poly.Dims(1)}, poly.Equal(poly.Out(0), affine.Var(name))))
	return firstDims(s, len(times.Basics()[0].Space().Out.Dims)).Intersect(times).ParamDomain()
}

// A part is values of a dimension: those of the isolated part, or others.
type part struct {
	values   poly.Set
	isolated bool
}

// isolatedFirst returns the values before the isolated part, those of it, those after it, and those where there is none.
func isolatedFirst(b band, all poly.Set, name string, at place) []part {
	region, ok := b.isolation(name, at)
	if !ok {
		return []part{{all, false}}
	}
	region = interval(region.Intersect(all), name)
	other := name + "'"
	moved := region.RenameParam(name, other)
	pairs := all.Intersect(moved)
	below := poly.NewParamSet([]string{name, other}, poly.Less(affine.Var(name), affine.Var(other)))
	above := poly.NewParamSet([]string{name, other}, poly.Less(affine.Var(other), affine.Var(name)))
	isolated := all.Intersect(region)
	before := pairs.Intersect(below).ProjectOut(other).Subtract(region)
	after := pairs.Intersect(above).ProjectOut(other).Subtract(region)
	rest := all.Subtract(isolated).Subtract(before).Subtract(after)
	var list []part
	for i, s := range []poly.Set{before, isolated, after, rest} {
		if s = tidy(s); !s.IsEmpty() {
			list = append(list, part{s, i == 1})
		}
	}
	return list
}

// interval returns all values between those that s has.
func interval(s poly.Set, name string) poly.Set {
	v := &valueRange{name: name}
	hull := s.SimpleHull().Basics()
	if len(hull) == 0 {
		return poly.Set{}
	}
	r := v.rowsOf(hull[0])
	all := r.outer
	for _, lower := range []bool{true, false} {
		if len(r.side(lower)) > 0 {
			_, f := v.strictest(r.side(lower), lower)
			all = append(all, f)
		}
	}
	return poly.NewParamSet(withName(s.Params(), name), all...)
}

// isolation returns the isolated values of the next dimension of b, if its options have some.
func (b band) isolation(name string, at place) (poly.Set, bool) {
	for _, s := range b.Options.ByTuple() {
		first, second, pair := s.Basics()[0].Space().Out.Pair()
		if !pair || s.Basics()[0].Space().Out.Name != "isolate" {
			continue
		}
		return b.at(flattened(s, len(first.Dims)+len(second.Dims)), name, at), true
	}
	return poly.Set{}, false
}

// flattened returns a set of pairs as one of vectors of n dimensions.
func flattened(s poly.Set, n int) poly.Set {
	space := s.Basics()[0].Space()
	return poly.NewFunction(nil, space.Out, poly.Tuple{Dims: poly.Dims(n)}, sums(poly.Ins(n))).Apply(s)
}

// sums returns x as expressions.
func sums(x []affine.Sum) []affine.Expr {
	list := make([]affine.Expr, len(x))
	for i := range x {
		list[i] = x[i]
	}
	return list
}
