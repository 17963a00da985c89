package scan

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file proves loops: read back from their text they run what the schedule runs, as often, and in its order.

// A ProofError says in what loops differ from their schedule, with an example.
type ProofError struct{ Text string }

func (e *ProofError) Error() string { return "scan: " + e.Text }

// Prove returns nil if loops run each instance of t as often as it has times, and none before another that runs earlier, for all values
// of the parameters for which the contexts of t hold. The error is a *ProofError, or a *poly.LimitError where it could not be decided.
func Prove(t tree.Node, loops Node) (err error) {
	d, ok := t.(*tree.Domain)
	if !ok {
		return &ProofError{"the root of a schedule tree is a domain"}
	}
	limit := poly.Limited(func() error {
		err = prove(d, loops)
		return err
	})
	if limit != nil {
		return limit
	}
	return err
}

// prove is Prove within limits.
func prove(d *tree.Domain, loops Node) error {
	leaves, known := flatten(d)
	calls, err := read(loops, tree.Params(d))
	if err != nil {
		return err
	}
	several := repeated(leaves, known)
	p := &prover{}
	for _, c := range calls {
		p.calls = append(p.calls, timedBy(c, leaves, known, several))
	}
	if several {
		err = p.often(leaves, known)
	} else {
		err = p.once(leaves, known)
	}
	if err != nil {
		return err
	}
	return p.ordered(leaves)
}

// repeated reports whether some instance has several times.
func repeated(leaves []flat, known poly.Set) bool {
	var all poly.Set
	for _, l := range leaves {
		times := l.times.IntersectParams(known)
		domain := times.Domain()
		if !all.Intersect(domain).IsEmpty() || !injective(times.Inverse()) {
			return true
		}
		all = all.Union(domain)
	}
	return false
}

// A prover compares loops with a schedule.
type prover struct{ calls []timed }

// A timed call is one whose runs are known.
type timed struct {
	*reading
	ran poly.Map   // from values of its variables to instances
	at  []poly.Map // for each leaf of the schedule, from values of its variables to the times of what it runs
}

// timedBy returns a call with its times: those of the instance it runs, or, where these are several, the one that the call has.
func timedBy(c *reading, leaves []flat, known poly.Set, several bool) timed {
	t := timed{reading: c, ran: c.runs(known)}
	for _, l := range leaves {
		at := t.ran.ApplyRange(l.times)
		if several {
			at = at.Intersect(c.says(l))
		}
		t.at = append(t.at, at)
	}
	return t
}

// says returns the relation of values of variables to times of which the dimensions of bands are those that the call has.
func (r *reading) says(l flat) poly.Map {
	values := make([]affine.Expr, l.dims)
	if len(l.bands) != len(r.call.Times) {
		return poly.Map{}
	}
	for i, d := range l.bands {
		values[d] = r.call.Times[i]
	}
	return poly.NewFunction(r.params, poly.Tuple{Dims: r.vars}, poly.Tuple{}, values)
}

// injective reports whether m relates no two points to one.
func injective(m poly.Map) bool {
	for _, x := range m.Domain().ByTuple() {
		tuple := x.Basics()[0].Space().Out
		from := m.IntersectDomain(poly.UniverseSet(nil, tuple))
		same := from.ApplyRange(from.Inverse())
		for d := range tuple.Dims {
			if !same.Intersect(poly.NewMap(nil, tuple, tuple, poly.Less(poly.In(d), poly.Out(d)))).IsEmpty() {
				return false
			}
		}
	}
	return true
}

// once proves that each instance runs once, where it has one time: that those of calls are all there are, that no two calls share one,
// and that none runs one twice.
func (p *prover) once(leaves []flat, known poly.Set) error {
	var all poly.Set
	for _, l := range leaves {
		all = all.Union(l.times.Domain().IntersectParams(known))
	}
	var ran poly.Set
	for _, c := range p.calls {
		domain := c.ran.Range()
		if twice := ran.Intersect(domain); !twice.IsEmpty() {
			return example("%s runs twice", twice)
		}
		if !injective(c.ran) {
			return &ProofError{fmt.Sprintf("%s runs an instance twice", c.call.Stmt)}
		}
		ran = ran.Union(domain)
	}
	if more := ran.Subtract(all); !more.IsEmpty() {
		return example("%s runs, which the schedule does not run", more)
	}
	if less := all.Subtract(ran); !less.IsEmpty() {
		return example("%s does not run", less)
	}
	return nil
}

// often proves that each instance runs once for each of its times, where it may have several: the times that calls have are checked, not
// believed.
func (p *prover) often(leaves []flat, known poly.Set) error {
	for _, c := range p.calls {
		var timed poly.Set
		for _, at := range c.at {
			timed = timed.Union(at.Domain())
		}
		if more := c.ran.Domain().Subtract(timed); !more.IsEmpty() {
			return &ProofError{fmt.Sprintf("%s runs at no time that the schedule has for it: %v", c.call.Stmt, more.SamplePoint())}
		}
	}
	for i, l := range leaves {
		want := l.times.IntersectParams(known)
		var ran poly.Map
		for _, c := range p.calls {
			runs := c.ran.Inverse().ApplyRange(c.at[i])
			if twice := ran.Intersect(runs); !twice.IsEmpty() {
				return &ProofError{fmt.Sprintf("%s runs twice at one time: %s", c.call.Stmt, sample(twice))}
			}
			if !injective(c.ran.RangeProduct(c.at[i])) {
				return &ProofError{fmt.Sprintf("%s runs an instance twice at one time", c.call.Stmt)}
			}
			ran = ran.Union(runs)
		}
		if less := want.Subtract(ran); !less.IsEmpty() {
			return &ProofError{fmt.Sprintf("an instance does not run at one of its times: %s", sample(less))}
		}
	}
	return nil
}

// example returns an error about a point of s.
func example(format string, s poly.Set) error {
	return &ProofError{fmt.Sprintf(format, s.SamplePoint().String())}
}

// maxRuns is how many calls, by how many leaves of a schedule, a proof compares with each other.
const maxRuns = 2000

// ordered proves that no instance runs before one that has an earlier time.
func (p *prover) ordered(leaves []flat) error {
	if n := len(p.calls) * len(leaves); n > maxRuns {
		panic(&poly.LimitError{Op: "prove loops", What: "calls and leaves", Bound: maxRuns})
	}
	for i, x := range p.calls {
		for _, y := range p.calls[i:] {
			for k := range leaves {
				for l := range leaves {
					if err := p.pair(x, y, leaves, k, l); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// pair proves that the runs of x and y of two leaves are in order. In the text, y does not stand before x.
func (p *prover) pair(x, y timed, leaves []flat, k, l int) error {
	if x.at[k].IsEmpty() || y.at[l].IsEmpty() {
		return nil
	}
	for _, before := range textOrders(x.reading, y.reading) {
		// values of x's variables that run before values of y's, and their times
		times := x.at[k].Inverse().ApplyRange(before).ApplyRange(y.at[l])
		if bad := times.Intersect(inverted(leaves[k], leaves[l])); !bad.IsEmpty() {
			return &ProofError{fmt.Sprintf("%s runs before %s, at times the wrong way round: %v", x.call.Stmt, y.call.Stmt, sample(bad))}
		}
	}
	if x.reading != y.reading {
		for _, before := range textOrders(y.reading, x.reading) {
			times := y.at[l].Inverse().ApplyRange(before).ApplyRange(x.at[k])
			if bad := times.Intersect(inverted(leaves[l], leaves[k])); !bad.IsEmpty() {
				return &ProofError{fmt.Sprintf("%s runs before %s, at times the wrong way round: %v", y.call.Stmt, x.call.Stmt, sample(bad))}
			}
		}
	}
	return nil
}

// sample returns one pair of m as text.
func sample(m poly.Map) string { return m.Wrap().SamplePoint().String() }

// textOrders returns the relations of values of variables of x to those of y where x runs before y: for each loop around both, the
// variables outside of it are the same and its own is less; and, where x stands before y, all around both are the same.
func textOrders(x, y *reading) (list []poly.Map) {
	in, out := poly.Tuple{Dims: poly.Dims(len(x.vars))}, poly.Tuple{Dims: poly.Dims(len(y.vars))}
	var same []poly.Formula
	depth := 0
	for i := 0; i < len(x.path) && i < len(y.path); i++ {
		a, b := x.path[i], y.path[i]
		if a.loop == nil && b.loop == nil {
			if a.at != b.at {
				if a.at < b.at {
					list = append(list, poly.NewMap(nil, in, out, same...))
				}
				return list
			}
			continue
		}
		less := append(slices.Clip(same), poly.Less(poly.In(depth), poly.Out(depth)))
		list = append(list, poly.NewMap(nil, in, out, less...))
		same = append(same, poly.Equal(poly.In(depth), poly.Out(depth)))
		depth++
	}
	return list
}

// inverted returns the pairs of times of two leaves of which the second has to run before the first.
func inverted(x, y flat) (all poly.Map) {
	n := min(x.dims, y.dims)
	var same []poly.Formula
	for d := range n {
		if !x.free[d] {
			later := append(slices.Clip(same), poly.Less(poly.Out(d), poly.In(d)))
			all = all.Union(poly.NewMap(nil, poly.Tuple{Dims: poly.Dims(x.dims)}, poly.Tuple{Dims: poly.Dims(y.dims)}, later...))
		}
		same = append(same, poly.Equal(poly.In(d), poly.Out(d)))
	}
	return all
}
