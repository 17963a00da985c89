package scan

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// Loops returns loops that run the instances of t in its order, which Prove has proved of them. The error says what could not be decided
// within the bounds of package poly (*poly.LimitError), or what cannot be written as loops.
func Loops(t tree.Node) (Node, error) {
	loops, err := Write(t)
	if err != nil {
		return nil, err
	}
	if err := Prove(t, loops); err != nil {
		return nil, fmt.Errorf("the loops could not be proved to run the schedule: %w", err)
	}
	return loops, nil
}

// Write returns loops like Loops, without a proof.
func Write(t tree.Node) (loops Node, err error) {
	d, ok := t.(*tree.Domain)
	if !ok {
		return nil, errors.New("scan: the root of a schedule tree is a domain")
	}
	limit := poly.Limited(func() error {
		loops, err = write(d)
		return err
	})
	if limit != nil {
		return nil, limit
	}
	return loops, nil
}

// write writes the loops of a tree.
func write(d *tree.Domain) (loops Node, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *problem:
			err = r
		default:
			panic(r)
		}
	}()
	w := &writer{prefix: "c"}
	for slices.ContainsFunc(d.Set.Params(), w.clashes) {
		w.prefix += "c"
	}
	at := place{known: poly.NewParamSet(nil), times: poly.NewPoint("")}
	list := w.below(d.Child, d.Set, at)
	return block(w.finish(list, at.known)), nil
}

// A problem is a reason why loops cannot be written.
type problem struct{ text string }

func (p *problem) Error() string { return "scan: " + p.text }

func fail(format string, args ...any) { panic(&problem{fmt.Sprintf(format, args...)}) }

// A writer writes the loops of one tree.
type writer struct {
	prefix string // of the names of variables
}

// clashes reports whether a parameter may be called like a variable.
func (w *writer) clashes(name string) bool {
	if len(name) <= len(w.prefix) || name[:len(w.prefix)] != w.prefix {
		return false
	}
	_, err := strconv.Atoi(name[len(w.prefix):])
	return err == nil
}

// A place is where loops are written.
type place struct {
	// known is what holds there, of parameters and of the variables of the loops around, which are parameters of it.
	known poly.Set
	// times has one point, the times of the bands around: [t0, t1, ..], by parameters and variables.
	times poly.Set
	depth int
	leaf  []int // the places among the children of sequences and sets around
	inner int   // how many of times are not those of bands, but of loops over instances that run in any order
}

// maxKnown is how many cases are told apart of what is known; of more, what all of them have in common.
const maxKnown = 8

// with returns p where s holds, too: a set of parameters.
func (p place) with(s poly.Set) place {
	p.known = tidy(p.known.Intersect(s))
	if len(p.known.Basics()) > maxKnown {
		if hull, ok := hulled(p.known); ok {
			p.known = hull
		}
	}
	return p
}

// below writes what is below a node: active are the instances that arrive there, by parameters and variables around.
func (w *writer) below(n tree.Node, active poly.Set, at place) []graft {
	active = active.IntersectParams(at.known)
	if active.IsEmpty() {
		return nil
	}
	switch n := n.(type) {
	case nil:
		return w.leaf(active, at)
	case *tree.Domain:
		fail("a domain below another node")
	case *tree.Context:
		at = at.with(atTimes(n.Set, at))
		return w.below(n.Child, active, at)
	case *tree.Guard:
		guard := atTimes(n.Set, at).Gist(at.known)
		list := w.below(n.Child, active, at.with(guard))
		for i, g := range list {
			list[i].guard = g.guard.Intersect(guard)
		}
		return list
	case *tree.Band:
		times := n.Times.IntersectDomain(active)
		return w.member(band{Band: n, times: times}, at)
	case *tree.Filter:
		return w.below(n.Child, active.Intersect(n.Set), at)
	case *tree.Sequence:
		return w.children(n.Children, active, at)
	case *tree.Set:
		return w.children(n.Children, active, at)
	case *tree.Mark:
		list := w.below(n.Child, active, at)
		return w.marked(n.Name, list, at)
	case *tree.Extension:
		// wherever some instance arrives
		added := n.Map.Apply(at.times).IntersectParams(active.ParamDomain())
		return w.below(n.Child, active.Union(added), at)
	case *tree.Expansion:
		return w.below(n.Child, n.Map.Apply(active), at)
	}
	panic(fmt.Sprintf("scan: unknown node %T", n))
}

// children writes nodes one after the other.
func (w *writer) children(list []*tree.Filter, active poly.Set, at place) (grafts []graft) {
	at.depth++ // as if the position were a time
	around := slices.Clip(at.leaf)
	for i, f := range list {
		at.leaf = append(around, i)
		grafts = append(grafts, w.below(f, active, at)...)
	}
	return grafts
}

// atTimes returns a set of times as what it says of parameters and variables at a place.
func atTimes(s poly.Set, at place) poly.Set {
	if len(s.Basics()) == 0 {
		return s
	}
	switch space := s.Basics()[0].Space(); {
	case len(space.Out.Dims) == 0:
		return s.ParamDomain()
	default:
		return s.Intersect(firstDims(at.times, len(space.Out.Dims))).ParamDomain()
	}
}

// firstDims returns the first n dimensions of times.
func firstDims(times poly.Set, n int) poly.Set {
	have := times.Basics()
	if len(have) == 0 {
		return times
	}
	dims := len(have[0].Space().Out.Dims)
	if n > dims {
		fail("%d times where there are %d", n, dims)
	}
	if n == dims {
		return times
	}
	return projection(dims, 0, n).Apply(times)
}

// projection returns the relation of n numbers to those from the lower position up to the upper one.
func projection(n, lower, upper int) poly.Map {
	values := poly.Ins(n)[lower:upper]
	exprs := make([]affine.Expr, len(values))
	for i, v := range values {
		exprs[i] = v
	}
	return poly.NewFunction(nil, poly.Tuple{Dims: poly.Dims(n)}, poly.Tuple{}, exprs)
}
