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

// says returns the relation of values of variables to times of which the dimensions of bands are those that the call has, if it stands where l is.
func (r *reading) says(l flat) poly.Map {
	values := make([]affine.Expr, l.dims)
	if !slices.Equal(l.leaf, r.call.Leaf) || len(l.bands) != len(r.call.Times) {
		return poly.Map{}
	}
	for i, d := range l.bands {
		values[d] = r.call.Times[i]
	}
	return poly.NewFunction(r.params, poly.Tuple{Dims: r.vars}, poly.Tuple{}, values)
}

// injective reports whether m relates no two points to one.
func injective(m poly.Map) bool {
	for _, part := range m.ByTuple() {
		space := part.Basics()[0].Space()
		n, k := len(space.In.Dims), len(space.Out.Dims)
		pairs := vectors(part).FlatProduct(vectors(part))
		dims := poly.Outs(2 * (n + k))
		x, y := dims[:n+k], dims[n+k:]
		for d := range n {
			all := equalUpTo(d, func(x, y affine.Sum) poly.Formula { return poly.Less(x, y) })(x, y)
			all = append(all, equalUpTo(k, nil)(x[n:], y[n:])...)
			if !pairs.Intersect(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(len(dims))}, all...)).IsEmpty() {
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
	if err := textBefore(x, y, x.at[k], y.at[l], leaves[k], leaves[l]); err != nil || x.reading == y.reading {
		return err
	}
	return textBefore(y, x, y.at[l], x.at[k], leaves[l], leaves[k])
}

// textBefore proves that no run of x is before one of y in the text that has to run before it.
func textBefore(x, y timed, timesX, timesY poly.Map, leafX, leafY flat) error {
	pairs := vectors(timesX).FlatProduct(vectors(timesY)) // [variables of x, times, variables of y, times]
	nx, tx, ny := len(x.vars), leafX.dims, len(y.vars)
	dims := poly.Outs(nx + tx + ny + leafY.dims)
	for _, text := range textOrders(x.reading, y.reading) {
		in := pairs.Intersect(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(len(dims))}, text(dims[:nx], dims[nx+tx:nx+tx+ny])...))
		for _, wrong := range inverted(leafX, leafY) {
			bad := in.Intersect(poly.NewSet(nil, poly.Tuple{Dims: poly.Dims(len(dims))}, wrong(dims[nx:nx+tx], dims[nx+tx+ny:])...))
			if bad.IsEmpty() {
				continue
			}
			params, point, _ := bad.Sample()
			return &ProofError{fmt.Sprintf("%s runs before %s, at times the wrong way round%s: %v and %v", x.call.Stmt, y.call.Stmt,
				given(bad.Params(), params), point[nx:nx+tx], point[nx+tx+ny:])}
		}
	}
	return nil
}

// given returns the values of parameters as in ", for n = 2".
func given(names []string, values []int64) (text string) {
	for i, name := range names {
		sep := ", "
		if i == 0 {
			sep = ", for "
		}
		text += fmt.Sprintf("%s%s = %d", sep, name, values[i])
	}
	return text
}

// vectors returns the pairs of m as vectors.
func vectors(m poly.Map) (all poly.Set) {
	for _, s := range m.Wrap().ByTuple() {
		tuple := s.Basics()[0].Space().Out
		all = all.Union(poly.NewFunction(nil, tuple, poly.Tuple{}, sums(poly.Ins(len(tuple.Dims)))).Apply(s))
	}
	return all
}

// sample returns one pair of m as text.
func sample(m poly.Map) string { return m.Wrap().SamplePoint().String() }

// A condition on two vectors.
type related func(x, y []affine.Sum) []poly.Formula

// equalUpTo returns the condition that the first n entries are equal, and what last says of the next ones.
func equalUpTo(n int, last func(x, y affine.Sum) poly.Formula) related {
	return func(x, y []affine.Sum) []poly.Formula {
		var all []poly.Formula
		for i := range n {
			all = append(all, poly.Equal(x[i], y[i]))
		}
		if last != nil {
			all = append(all, last(x[n], y[n]))
		}
		return all
	}
}

// textOrders returns the conditions on values of variables of x and of y of which one holds where x runs before y: for each loop around both, the
// variables outside of it are the same and its own is less; and, where x stands before y, all around both are the same.
func textOrders(x, y *reading) (list []related) {
	depth := 0
	for i := 0; i < len(x.path) && i < len(y.path); i++ {
		a, b := x.path[i], y.path[i]
		if a.loop == nil && b.loop == nil {
			if a.at != b.at {
				if a.at < b.at {
					list = append(list, equalUpTo(depth, nil))
				}
				return list
			}
			continue
		}
		list = append(list, equalUpTo(depth, func(x, y affine.Sum) poly.Formula { return poly.Less(x, y) }))
		depth++
	}
	return list
}

// inverted returns the conditions on times of two leaves of which one holds where the second has to run before the first.
func inverted(x, y flat) (list []related) {
	for d := range min(x.dims, y.dims) {
		if !x.free[d] {
			list = append(list, equalUpTo(d, func(x, y affine.Sum) poly.Formula { return poly.Less(y, x) }))
		}
	}
	return list
}
