package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds where values go: which instance reads what another one wrote, with no write to the element in between.
// It follows elements of memory in the original order, and knows nothing of tiles.

// A touch is a write of a statement, one of those of it that touch elements in the same way, or all that it reads of an array: then only the relation of the access counts.
type touch struct {
	st *scop.Stmt
	a  *scop.Access
}

// A flow is the instances of a statement that write a value, and those that read it: from what is written to what reads it.
// Where To.a is nil nothing overwrites the value: it is what the program leaves in the element. Where From.a is nil
// nothing has written it: it is what was in the element before. Then Pairs relates instances to elements.
type flow struct {
	From, To touch
	Pairs    poly.Map
}

// flowsOf returns the flows of all values of an array of the region.
func (p *Plan) flowsOf(a *scop.Array) []flow {
	if p.flows == nil {
		p.flows = map[*scop.Array][]flow{}
	}
	if _, ok := p.flows[a]; !ok {
		p.flows[a] = flows(p.view(), a)
	}
	return p.flows[a]
}

// flows returns the flows of all values of an array.
func flows(p *scop.Program, array *scop.Array) (all []flow) {
	writes, reads := touches(p, array, true), touches(p, array, false)
	met := map[[2]touch]poly.Map{} // by two accesses: pairs of instances that touch one element, the first before the second
	meet := func(x, y touch) poly.Map {
		m, ok := met[[2]touch{x, y}]
		if !ok {
			m = x.a.Map.ApplyRange(y.a.Map.Inverse()).Intersect(schedule.Before(x.st, y.st)).IntersectParams(p.Context)
			met[[2]touch{x, y}] = m
		}
		return m
	}
	for _, r := range reads {
		first := r.a.Map.IntersectParams(p.Context) // what no write before has touched
		for _, w := range writes {
			pairs := meet(w, r)
			if pairs.IsEmpty() {
				continue
			}
			first = first.Subtract(pairs.Inverse().ApplyRange(w.a.Map).Intersect(r.a.Map))
			for _, k := range writes {
				if between := meet(w, k); !between.IsEmpty() {
					pairs = pairs.Subtract(between.ApplyRange(meet(k, r)))
				}
			}
			if pairs = fewer(pairs); !pairs.IsEmpty() {
				all = append(all, flow{w, r, pairs})
			}
		}
		if !first.IsEmpty() {
			all = append(all, flow{touch{}, r, fewer(first)})
		}
	}
	for _, w := range writes {
		last := w.a.Map.IntersectParams(p.Context)
		for _, k := range writes {
			if again := meet(w, k); !again.IsEmpty() {
				last = last.IntersectDomain(last.Domain().Subtract(again.Domain()))
			}
		}
		if !last.IsEmpty() {
			all = append(all, flow{w, touch{}, fewer(last)})
		}
	}
	return all
}

// fewer returns the same pairs in fewer parts, where that is no hard question.
func fewer(pairs poly.Map) poly.Map {
	_ = poly.Limited(func() error {
		pairs = pairs.Coalesce()
		return nil
	})
	return pairs
}

// touches returns the writes of an array, one by one, or what statements read of it that the same instance has not written, in the order of the program. What a statement
// reads is one touch, whose relation is that of all its reads: a box of 25 points around an instance is one part.
func touches(p *scop.Program, array *scop.Array, write bool) (list []touch) {
	for _, st := range p.Stmts {
		var of []touch
		for i, a := range st.Accesses {
			if a.Array != array || a.Write != write {
				continue
			}
			same := func(b *scop.Access) bool { return slices.EqualFunc(a.Index, b.Index, schedule.SameIndex) }
			if slices.ContainsFunc(of, func(t touch) bool { return same(t.a) }) {
				continue
			}
			if !write && slices.ContainsFunc(st.Accesses[:i], func(b *scop.Access) bool { return b.Write && b.Array == array && same(b) }) {
				continue
			}
			of = append(of, touch{st, a})
		}
		if !write && len(of) > 1 {
			all := *of[0].a
			for _, t := range of[1:] {
				all.Map = all.Map.Union(t.a.Map)
			}
			all.Map = all.Map.Coalesce()
			of = []touch{{st, &all}}
		}
		list = append(list, of...)
	}
	return list
}
