package scan

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file writes the dimensions of bands, one by one: what runs one after the other, and which values have loops of their own.

// A band is a band node of whose dimensions some have loops.
type band struct {
	*tree.Band
	next  int      // the dimension that comes next
	times poly.Map // instances that run to their times from that dimension on
	lags  []lag    // of statements that run later than their times say
}

// A cell is values of a variable that get loops of their own: a set of parameters, of which the variable is one.
type cell struct {
	values poly.Set
	kind   kind
}

// A kind is a wish for how loops are written.
type kind uint8

const (
	byDefault kind = iota
	separate       // statements that run at different values have different loops
	atomic         // one loop
	unroll         // none: each value stands for itself
)

// String returns the name of the option.
func (k kind) String() string { return [...]string{"default", "separate", "atomic", "unroll"}[k] }

// member writes the next dimension of b, and what is below.
func (w *writer) member(b band, at place) []graft {
	b.times = b.times.IntersectParams(at.known)
	if b.times.IsEmpty() {
		return nil
	}
	if b.next == b.Dims {
		return w.below(b.Child, b.times.Domain(), at)
	}
	stmts := b.times.ByTuple()
	var list []graft
	for _, group := range components(len(stmts), func(i, j int) bool { return later(stmts[i], stmts[j], b.Child) }) {
		part := poly.Map{}
		for _, i := range group {
			part = part.Union(stmts[i])
		}
		list = append(list, w.component(b.of(part), at)...)
	}
	return list
}

// of returns b for some of its instances.
func (b band) of(times poly.Map) band {
	b.times = times
	return b
}

// component writes the next dimension of instances that have to be written together.
func (w *writer) component(b band, at place) (list []graft) {
	name := fmt.Sprintf("%s%d", w.prefix, at.depth)
	b = b.aligned(name, at)
	cells := w.cells(b, name, at)
	if len(cells) == 1 {
		return w.loop(b, cells[0], name, at)
	}
	all := poly.Set{}
	for _, c := range cells {
		all = all.Union(c.values)
	}
	all = tidy(all)
	for _, c := range cells {
		// what holds of all cells need not be said of one: it may be what loops inside tell by their bounds
		list = append(list, w.loop(b.of(within(b, c.values.Gist(all), name)), c, name, at)...)
	}
	return list
}

// values returns the values that the next dimension of the times has, or more, so that loops over them are no worse: a set of parameters, of
// which the variable is one.
func values(times poly.Map, left int, name string) (all poly.Set) {
	first := projection(left, 0, 1)
	for _, part := range times.Basics() {
		s := first.Apply(part.Map().Range()).DimToParam(0, name).ParamDomain()
		if s = tidy(s); len(s.Basics()) > 1 {
			s = filled(s, name)
		}
		all = all.Union(s)
	}
	return tidy(all)
}

// filled returns one part that holds s, which one conjunction has become by a projection; s if that would have no bounds.
func filled(s poly.Set, name string) poly.Set {
	hull, ok := hulled(s)
	if !ok {
		return s
	}
	for _, b := range hull.Basics() {
		r := (&valueRange{name: name}).rowsOf(b)
		if len(r.lo) == 0 || len(r.hi) == 0 {
			return s
		}
	}
	return hull.Intersect(s.AffineHull())
}

// within returns the times of b whose next dimension is one of the values.
func within(b band, values poly.Set, name string) poly.Map {
	if !slices.Contains(values.Params(), name) { // it says nothing of the dimension
		return b.times.IntersectParams(values)
	}
	s := values.ParamToDim(name, 0)
	if left := b.Dims - b.next; left > 1 {
		s = s.InsertDims(1, poly.Dims(left-1)...)
	}
	return b.times.IntersectRange(s)
}

// passed returns b after its next dimension, whose value satisfies the formulas about poly.In(0) over the parameters.
func (b band) passed(params []string, value ...poly.Formula) band {
	left := b.Dims - b.next
	rest := make([]affine.Expr, left-1)
	for i := range rest {
		rest[i] = poly.In(i + 1)
	}
	b.times = b.times.ApplyRange(poly.NewFunction(params, poly.Tuple{Dims: poly.Dims(left)}, poly.Tuple{}, rest, value...))
	b.next++
	b.lags = nil
	return b
}
