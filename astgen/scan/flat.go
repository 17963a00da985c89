package scan

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file writes a tree as relations from instances to times, for what proves loops.

// A flat schedule is what runs at one leaf of a tree: the relation of its instances to times. Of the dimensions of times some are those of
// bands, others positions in sequences and sets.
type flat struct {
	times poly.Map
	dims  int
	leaf  []int  // the places among the children of sequences and sets around
	bands []int  // which are those of bands
	free  []bool // of each, whether it is a position in a set: instances that differ there run in any order
}

// flatten returns the leaves of a tree, and what its contexts say of parameters.
func flatten(d *tree.Domain) (leaves []flat, known poly.Set) {
	f := &flattener{known: always}
	start := flat{}
	for _, s := range d.Set.ByTuple() {
		start.times = start.times.Union(poly.NewFunction(nil, s.Basics()[0].Space().Out, poly.Tuple{}, nil).IntersectDomain(s))
	}
	f.node(d.Child, start)
	return f.leaves, f.known
}

// A flattener walks through a tree.
type flattener struct {
	known  poly.Set
	leaves []flat
}

// node adds the leaves below n, where the instances of at arrive.
func (f *flattener) node(n tree.Node, at flat) {
	if at.times.IsEmpty() {
		return
	}
	switch n := n.(type) {
	case nil:
		f.leaves = append(f.leaves, at)
	case *tree.Context:
		if dimsOf(n.Set) == 0 {
			f.known = f.known.Intersect(n.Set.ParamDomain())
		} else {
			// where it does not hold of some time nothing is said of what runs
			f.known = f.known.Subtract(at.times.Range().Subtract(at.spread(n.Set)).ParamDomain())
		}
		f.node(n.Child, at)
	case *tree.Guard:
		if dimsOf(n.Set) == 0 {
			at.times = at.times.IntersectParams(n.Set.ParamDomain())
		} else {
			at.times = at.times.IntersectRange(at.spread(n.Set))
		}
		f.node(n.Child, at)
	case *tree.Band:
		at.times = at.times.FlatRangeProduct(n.Times)
		for range n.Dims {
			at.bands = append(slices.Clip(at.bands), at.dims)
			at.free = append(slices.Clip(at.free), false)
			at.dims++
		}
		f.node(n.Child, at)
	case *tree.Filter:
		at.times = at.times.IntersectDomain(n.Set)
		f.node(n.Child, at)
	case *tree.Sequence:
		f.children(n.Children, at, false)
	case *tree.Set:
		f.children(n.Children, at, true)
	case *tree.Mark:
		f.node(n.Child, at)
	case *tree.Extension:
		added := at.spread(n.Map.Domain()).Intersect(at.times.Range()).Identity().ApplyRange(at.bandTimes()).ApplyRange(atDims(n.Map, len(at.bands)))
		at.times = at.times.Union(added.Inverse())
		f.node(n.Child, at)
	case *tree.Expansion:
		at.times = n.Map.Inverse().ApplyRange(at.times)
		f.node(n.Child, at)
	default:
		panic(fmt.Sprintf("scan: unknown node %T", n))
	}
}

// children adds the leaves below the children of a sequence, or of a set.
func (f *flattener) children(list []*tree.Filter, at flat, free bool) {
	for i, c := range list {
		child := at
		child.times = at.times.FlatRangeProduct(constant(at.times, int64(i)))
		child.free = append(slices.Clip(at.free), free)
		child.leaf = append(slices.Clip(at.leaf), i)
		child.dims++
		f.node(c, child)
	}
}

// constant returns the relation of all instances of m to the point [v].
func constant(m poly.Map, v int64) (all poly.Map) {
	for _, s := range m.Domain().ByTuple() {
		all = all.Union(poly.NewFunction(nil, s.Basics()[0].Space().Out, poly.Tuple{}, []affine.Expr{affine.Num(v)}))
	}
	return all
}

// dimsOf returns the number of dimensions of a set of times.
func dimsOf(s poly.Set) int {
	for _, b := range s.Basics() {
		return len(b.Space().Out.Dims)
	}
	return 0
}

// bandTimes returns the relation of times to those of the bands.
func (at flat) bandTimes() poly.Map {
	values := make([]affine.Expr, len(at.bands))
	for i, d := range at.bands {
		values[i] = poly.In(d)
	}
	return poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(at.dims)}, poly.Tuple{}, values)
}

// spread returns the times whose first band dimensions are in s.
func (at flat) spread(s poly.Set) poly.Set {
	n := dimsOf(s)
	values := make([]affine.Expr, n)
	for i, d := range at.bands[:n] {
		values[i] = poly.In(d)
	}
	return poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(at.dims)}, poly.Tuple{}, values).Inverse().Apply(s)
}

// atDims returns a relation whose first tuple has the first of n dimensions, or none, as one of n.
func atDims(m poly.Map, n int) poly.Map {
	k := dimsOf(m.Domain())
	return projection(n, 0, k).ApplyRange(m)
}
