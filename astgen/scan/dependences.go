package scan

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file asks of schedules and of loops what they do with pairs of instances of which one has to run before the other.

// An Order is when the instances of a schedule run.
type Order struct {
	leaves []flat
	known  poly.Set
	params []string
}

// NewOrder returns the order of t.
func NewOrder(t *tree.Domain) *Order {
	leaves, known := flatten(t)
	return &Order{leaves, known, tree.Params(t)}
}

// Violations returns the pairs of before, of which the first has to run before the second, that the schedule does not run in this order: those
// with times the other way round, or the same, or positions in a set.
func (o *Order) Violations(before poly.Map) (bad poly.Map) {
	before = before.IntersectParams(o.known)
	for _, x := range o.leaves {
		for _, y := range o.leaves {
			for _, pairs := range before.ByTuple() {
				space := pairs.Basics()[0].Space()
				first := x.times.IntersectDomain(poly.UniverseSet(nil, space.In))
				second := y.times.IntersectDomain(poly.UniverseSet(nil, space.Out))
				wrong := notLater(x, y)
				// the times of the pairs, of which most have none that are wrong
				if first.Inverse().ApplyRange(pairs).ApplyRange(second).Intersect(wrong).IsEmpty() {
					continue
				}
				bad = bad.Union(pairs.Intersect(first.ApplyRange(wrong).ApplyRange(second.Inverse())))
			}
		}
	}
	return bad
}

// notLater returns the pairs of times of two leaves of which the second does not run after the first.
func notLater(x, y flat) (all poly.Map) {
	in, out := poly.Tuple{Dims: poly.Dims(x.dims)}, poly.Tuple{Dims: poly.Dims(y.dims)}
	var same []poly.Formula
	for d := range min(x.dims, y.dims) {
		other := poly.Less(poly.Out(d), poly.In(d))
		if x.free[d] {
			other = poly.Unequal(poly.Out(d), poly.In(d))
		}
		all = all.Union(poly.NewMap(nil, in, out, append(slices.Clip(same), other)...))
		same = append(same, poly.Equal(poly.In(d), poly.Out(d)))
	}
	return all.Union(poly.NewMap(nil, in, out, same...))
}

// Parallel returns the loops whose iterations may run at the same time: of no pair of before, of which the first has to run before the
// second, do two iterations of one run of the loop have one each. The loops run the schedule.
func (o *Order) Parallel(loops Node, before []poly.Map) (parallel map[*For]bool, err error) {
	calls, err := read(loops, o.params)
	if err != nil {
		return nil, err
	}
	parallel = map[*For]bool{}
	between := map[[2]string][]poly.Map{}
	for _, m := range before {
		for _, part := range m.ByTuple() {
			space := part.Basics()[0].Space()
			names := [2]string{space.In.Name, space.Out.Name}
			between[names] = append(between[names], part)
		}
	}
	ran := make([]poly.Map, len(calls))
	for i, c := range calls {
		ran[i] = c.runs(o.known)
		for _, s := range c.path {
			if s.loop != nil {
				parallel[s.loop] = true
			}
		}
	}
	for i, x := range calls {
		for j, y := range calls {
			loops := commonLoops(x, y)
			for _, m := range between[[2]string{x.call.Stmt, y.call.Stmt}] {
				if !slices.ContainsFunc(loops, func(l commonLoop) bool { return parallel[l.loop] }) {
					break
				}
				// pairs of values of the variables whose instances depend on each other
				related := ran[i].ApplyRange(m).ApplyRange(ran[j].Inverse())
				for _, l := range loops {
					if parallel[l.loop] && !related.Intersect(l.apart).IsEmpty() {
						parallel[l.loop] = false
					}
				}
			}
		}
	}
	return parallel, nil
}

// A common loop is one around two calls, and the values of their variables in two iterations of one run of it.
type commonLoop struct {
	loop  *For
	apart poly.Map
}

// commonLoops returns the loops around x and y.
func commonLoops(x, y *reading) (list []commonLoop) {
	in, out := poly.Tuple{Dims: poly.Dims(len(x.vars))}, poly.Tuple{Dims: poly.Dims(len(y.vars))}
	var same []poly.Formula
	depth := 0
	for i := 0; i < len(x.path) && i < len(y.path); i++ {
		a, b := x.path[i], y.path[i]
		if a.loop != b.loop || a.loop == nil && a.at != b.at {
			return list
		}
		if a.loop != nil {
			apart := append(slices.Clip(same), poly.Unequal(poly.In(depth), poly.Out(depth)))
			list = append(list, commonLoop{a.loop, poly.NewMap(nil, in, out, apart...)})
			same = append(same, poly.Equal(poly.In(depth), poly.Out(depth)))
			depth++
		}
	}
	return list
}

// Runs returns the instances that run, and whether each runs once.
func (o *Order) Runs() (all poly.Set, once bool) {
	for _, l := range o.leaves {
		all = all.Union(l.times.Domain().IntersectParams(o.known))
	}
	return all, !repeated(o.leaves, o.known)
}
