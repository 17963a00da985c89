package tree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// This file is what schedules mean: it enumerates the instances that run, with their times.

// An Instance is a run of a statement. Of two instances, the one runs first that has the lesser of the first entries of Time that
// differ, unless these are Unordered; of equal times, any.
type Instance struct {
	Stmt string
	Args []int64
	Time []Entry
}

// An Entry is a coordinate of time: that of a dimension of a band, or the position of a child of a sequence or, Unordered, of a set.
type Entry struct {
	Value     int64
	Unordered bool
}

func (x Instance) String() string {
	var time []string
	for _, e := range x.Time {
		time = append(time, fmt.Sprint(e.Value))
	}
	return fmt.Sprintf("%s at (%s)", callText(x.Stmt, x.Args), strings.Join(time, ", "))
}

func callText(stmt string, args []int64) string {
	return strings.ReplaceAll(fmt.Sprintf("%s%v", stmt, args), " ", ", ")
}

// maxInstances bounds how many instances Run enumerates.
const maxInstances = 100_000

// A TooManyError says that a schedule has more instances than Run enumerates.
type TooManyError struct{ Bound int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("more than %d instances for these values of the parameters", e.Bound)
}

// A ContextError says that what a context node says does not hold.
type ContextError struct {
	Context poly.Set
	Times   []int64 // of the bands around, none where parameters are at fault
}

func (e *ContextError) Error() string {
	if len(e.Times) == 0 {
		return fmt.Sprintf("the context %v does not hold for these values of the parameters", e.Context)
	}
	return fmt.Sprintf("the context %v does not hold at %v", e.Context, e.Times)
}

// Run returns the instances that n runs for the given values of its parameters, in an order that n allows. The error is a
// *TooManyError, an *UnboundedError or a *ContextError.
func Run(n Node, params map[string]int64) (list []Instance, err error) {
	r := &runner{params: params, known: map[any]points{}}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *TooManyError:
			list, err = nil, e
		case *ContextError:
			list, err = nil, e
		case *UnboundedError:
			list, err = nil, e
		default:
			panic(e)
		}
	}()
	r.run(n, nil, nil, nil)
	return r.ran, nil
}

type runner struct {
	params map[string]int64
	known  map[any]points // of nodes
	ran    []Instance
}

// points returns the points of what the node n has, which is over basics.
func (r *runner) points(n any, basics []poly.Basic) points {
	p, ok := r.known[n]
	if !ok {
		p = pointsOf(basics, r.params)
		r.known[n] = p
	}
	return p
}

// run runs n for the instances that arrive, at the times of the bands around, outer, and the entries of all nodes around, time.
func (r *runner) run(n Node, here []Instance, outer []int64, time []Entry) {
	r.limit(here)
	switch n := n.(type) {
	case nil:
		for _, x := range here {
			x.Time = time
			r.ran = append(r.ran, x)
		}
		r.limit(r.ran)
	case *Domain:
		r.run(n.Child, r.images(nil, "", nil, r.points(n, n.Set.Basics())), outer, time)
	case *Context:
		if !r.holds(n, n.Set, outer) {
			if len(n.Set.Basics()) > 0 && len(n.Set.Basics()[0].Space().Out.Dims) == 0 {
				outer = nil
			}
			panic(&ContextError{n.Set, outer})
		}
		r.run(n.Child, here, outer, time)
	case *Guard:
		if r.holds(n, n.Set, outer) {
			r.run(n.Child, here, outer, time)
		}
	case *Band:
		r.band(n, here, outer, time)
	case *Filter:
		r.run(n.Child, r.filtered(n, here), outer, time)
	case *Sequence:
		for i, f := range n.Children {
			r.run(f, here, outer, append(slices.Clip(time), Entry{Value: int64(i)}))
		}
	case *Set:
		for i, f := range n.Children {
			r.run(f, here, outer, append(slices.Clip(time), Entry{int64(i), true}))
		}
	case *Mark:
		r.run(n.Child, here, outer, time)
	case *Extension:
		if len(here) == 0 {
			return
		}
		r.run(n.Child, r.unique(here, r.images(nil, "", outer, r.points(n, n.Map.Basics()))), outer, time)
	case *Expansion:
		var expanded []Instance
		for _, x := range here {
			expanded = r.images(expanded, x.Stmt, x.Args, r.points(n, n.Map.Basics()))
		}
		r.run(n.Child, r.unique(expanded), outer, time)
	default:
		panic(fmt.Sprintf("tree: run: unknown node %T", n))
	}
}

func (r *runner) limit(list []Instance) {
	if len(list) > maxInstances {
		panic(&TooManyError{maxInstances})
	}
}

// holds reports whether s, what the node n says, holds at the times outer.
func (r *runner) holds(n any, s poly.Set, outer []int64) bool {
	return slices.ContainsFunc(r.points(n, s.Basics()).parts, func(p part) bool { return p.holds(outer[:len(p.out.Dims)]) })
}

func (r *runner) filtered(f *Filter, here []Instance) (kept []Instance) {
	p := r.points(f, f.Set.Basics())
	for _, x := range here {
		if p.has(x.Stmt, x.Args) {
			kept = append(kept, x)
		}
	}
	return kept
}

// images returns list with the instances that p relates a point to.
func (r *runner) images(list []Instance, name string, point []int64, p points) []Instance {
	p.each(name, point, func(stmt string, args []int64) {
		list = append(list, Instance{Stmt: stmt, Args: args})
		r.limit(list)
	})
	return list
}

// unique returns the instances of all lists, each once.
func (r *runner) unique(lists ...[]Instance) (all []Instance) {
	had := map[string]bool{}
	for _, x := range slices.Concat(lists...) {
		if text := callText(x.Stmt, x.Args); !had[text] {
			had[text] = true
			all = append(all, x)
		}
	}
	return all
}

// band runs the child of b for the instances of each time.
func (r *runner) band(b *Band, here []Instance, outer []int64, time []Entry) {
	p := r.points(b, b.Times.Basics())
	type at struct {
		time      []int64
		instances []Instance
	}
	times := map[string]*at{}
	for _, x := range here {
		p.each(x.Stmt, x.Args, func(_ string, t []int64) {
			key := fmt.Sprint(t)
			if times[key] == nil {
				times[key] = &at{time: t}
			}
			times[key].instances = append(times[key].instances, x)
		})
	}
	list := make([]*at, 0, len(times))
	for _, a := range times {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *at) int {
		return cmp.Or(slices.Compare(a.time, b.time), cmp.Compare(len(a.time), len(b.time)))
	})
	for _, a := range list {
		entries := slices.Clip(time)
		for _, v := range a.time {
			entries = append(entries, Entry{Value: v})
		}
		r.run(b.Child, a.instances, append(slices.Clip(outer), a.time...), entries)
	}
}
