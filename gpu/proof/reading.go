// Package proof reads kernels back and proves, at every translation, that they run the schedule
// (Emission) and that partial tiles stage what they use (Staging).
package proof

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file reads kernels back: which tiles the host and the blocks reach, and which
// instances run in a tile, so that both can be proved to be what the schedule says
// (astgen.ProveEmission). It takes the nodes that printers take. Of straight code, in which the
// points of a full tile are numbers, each point is looked at by itself.

// Emission proves that all versions of the kernels of p, which was made of loops, run the schedule of those.
func Emission(p *gpu.Program, loops *astgen.Program) schedule.Proof {
	var read []func() (astgen.Reading, error)
	for _, v := range p.Versions() {
		read = append(read, func() (astgen.Reading, error) { return Read(p, loops, v.Kernels) })
	}
	return astgen.ProveEmission(loops.Schedule, loops.Names, read...)
}

// Read returns what the host loop of p and those kernels, one for each phase, do, as rows over the variables of the loops that p was made of.
func Read(p *gpu.Program, loops *astgen.Program, kernels []*gpu.Kernel) (astgen.Reading, error) {
	return astgen.Read(func() astgen.Reading {
		r := reader{loops: loops, names: loops.Names}
		for _, k := range kernels {
			r.kernel(p, k)
		}
		return r.Reading
	})
}

// A reader walks through the nodes of kernels.
type reader struct {
	astgen.Reading
	loops *astgen.Program
	names astgen.Names
	tests map[string]astgen.Gate // that have been made
}

func (r *reader) kernel(p *gpu.Program, k *gpu.Kernel) {
	r.tests = map[string]astgen.Gate{}
	v := astgen.Visit{
		Phase: k.Phase,
		Loops: []astgen.Range{{Var: p.T, Lo: p.TLo, Hi: p.THi, Ordered: true}},
		Gates: []astgen.Gate{astgen.GateOf(p.Busy), k.Work.Gate(r.names.Tiles[0])},
	}
	for _, x := range k.Grid {
		v.Loops = append(v.Loops, astgen.Range{Var: x.Var, Lo: x.Lo, Hi: x.Hi})
	}
	if s, ok := k.Stream(); ok {
		r.stream(k, s, v)
		return
	}
	r.nodes(k.Body, v, inBlock(p, k))
}

// inBlock returns rows that hold in all blocks of k.
func inBlock(p *gpu.Program, k *gpu.Kernel) []affine.Sum {
	rows := astgen.Inside(nil, p.T, p.TLo, p.THi)
	for _, x := range k.Grid {
		rows = astgen.Inside(rows, x.Var, x.Lo, x.Hi)
	}
	return rows
}

// nodes reads nodes around tiles, or those of a tile where all indices are known.
func (r *reader) nodes(nodes []gpu.Node, v astgen.Visit, rows []affine.Sum) {
	if s := r.loops.Schedule; s.Fronts != nil && len(v.Loops) == 2+len(r.names.Tiles) {
		r.Visits = append(r.Visits, v)
		r.waves(nodes, v.Phase, rows, nil)
		return
	}
	if r.loops.Schedule.Fronts == nil && len(v.Loops) == 1+len(r.names.Tiles) && !slices.ContainsFunc(nodes, isFullTile) {
		r.Visits = append(r.Visits, v)
		if r.loops.Schedule.Phases[v.Phase].Stream != nil {
			r.planes(nodes, v.Phase, rows)
			return
		}
		r.body(nodes, v.Phase, false, rows)
		return
	}
	inside := 0
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.Test:
			r.tests[n.Var] = r.given(n.Given, n.Cond)
		case gpu.For:
			inside++
			more := v
			more.Loops = append(v.Loops[:len(v.Loops):len(v.Loops)], astgen.Range{Var: n.Var, Lo: n.Lo, Hi: n.Hi, Ordered: true})
			r.nodes(n.Body, more, astgen.Inside(rows, n.Var, n.Lo, n.Hi))
		case gpu.If:
			inside++
			r.Visits = append(r.Visits, v)
			for _, all := range r.given(n.Given, n.Cond) {
				r.body(n.Then, v.Phase, true, append(rows[:len(rows):len(rows)], all...))
			}
			r.body(n.Else, v.Phase, false, rows)
		case gpu.Threads:
			if computes([]gpu.Node{n}) {
				astgen.Unreadable("%q outside of a tile", n.Role.String())
			}
		}
	}
	if inside != 1 {
		astgen.Unreadable("%d ways to tiles side by side in phase %d", inside, v.Phase)
	}
}

func isFullTile(n gpu.Node) bool {
	x, ok := n.(gpu.If)
	return ok && x.Role.Kind == gpu.FullTile
}

// given returns where a condition, and the test that it is given, hold.
func (r *reader) given(test string, c astgen.Cond) astgen.Gate {
	g := astgen.Gate{{}}
	if c != nil {
		g = astgen.GateOf(c)
	}
	if test == "" {
		return g
	}
	earlier, ok := r.tests[test]
	if !ok {
		astgen.Unreadable("a test %s that was not made", test)
	}
	return earlier.And(g)
}

// computes reports whether nodes run a statement.
func computes(nodes []gpu.Node) bool {
	return slices.ContainsFunc(nodes, func(n gpu.Node) bool {
		switch n := n.(type) {
		case gpu.For:
			return computes(n.Body)
		case gpu.If:
			return computes(n.Then) || computes(n.Else)
		case gpu.Threads:
			return slices.ContainsFunc(n.Body, func(op gpu.Op) bool { _, ok := op.(gpu.Compute); return ok })
		}
		return false
	})
}

// body reads the nodes of a tile.
func (r *reader) body(nodes []gpu.Node, phase int, full bool, rows []affine.Sum) {
	b := astgen.Body{Phase: phase, Full: full, Where: rows}
	spelled := map[int]*spelledStep{} // by index of the slice
	all := astgen.Slices(r.loops.Schedule, r.names, phase)
	for _, n := range nodes {
		if x, ok := n.(gpu.If); ok && (x.Role.Kind == gpu.AfterFull || x.Role.Kind == gpu.LastFull) {
			b.Next = append(b.Next, r.neighbour(x))
		}
		guard := astgen.Gate{{}}
		if x, ok := n.(gpu.If); ok && x.Given == "" && len(x.Else) == 0 && len(x.Then) == 1 && computes(x.Then) {
			guard, n = astgen.GateOf(x.Cond), x.Then[0]
		}
		if loop, ok := n.(gpu.For); ok && computes(loop.Body) {
			b.Runs = append(b.Runs, r.inTurn(loop, guard))
			continue
		}
		t, ok := n.(gpu.Threads)
		switch {
		case !computes([]gpu.Node{n}):
		case !ok:
			astgen.Unreadable("%T around the points of a step", n)
		case r.overPoints(t):
			b.Runs = append(b.Runs, r.runs(t, guard)...)
		case len(guard) != 1 || len(guard[0]) > 0:
			astgen.Unreadable("straight code of %q under a condition", t.Role.String())
		default:
			r.spelled(t, all, spelled)
		}
	}
	for i, at := range all {
		if s := spelled[i]; s != nil {
			b.Runs = append(b.Runs, s.run(at, r.names))
		}
	}
	r.Bodies = append(r.Bodies, b)
}

// neighbour returns what n, in a full tile, relies on.
func (r *reader) neighbour(n gpu.If) astgen.Neighbour {
	where := r.given(n.Given, n.Cond)
	if n.Role.Kind == gpu.LastFull {
		return astgen.Neighbour{By: 1, Where: where.Not()}
	}
	return astgen.Neighbour{By: -1, Where: where}
}

// overPoints reports whether the loops of t are those over local coordinates.
func (r *reader) overPoints(t gpu.Threads) bool {
	return slices.ContainsFunc(t.Loops, func(l gpu.ThreadLoop) bool { return slices.Contains(r.names.Points, l.Var) })
}

// runs returns what t runs, in loops over local coordinates.
func (r *reader) runs(t gpu.Threads, guard astgen.Gate) (runs []astgen.Run) {
	return r.pointsOf(t, guard, r.names.Points)
}

// pointsOf returns what t runs, in loops over the variables of points, and others that tell points apart.
func (r *reader) pointsOf(t gpu.Threads, guard astgen.Gate, points []string, others ...string) (runs []astgen.Run) {
	rows := guard.Rows()
	for _, l := range t.Loops {
		if slices.Contains(points, l.Var) || slices.Contains(others, l.Var) {
			in := astgen.AtLeast(affine.Var(l.Var), l.Lo).And(astgen.AtMost(affine.Var(l.Var), l.Hi)).Rows()
			rows = append(rows[:len(rows):len(rows)], in...)
		} else if n, ok := l.Values(); !ok || n != 1 {
			astgen.Unreadable("%q runs %d times at each point", t.Role.String(), n)
		}
	}
	if t.Guard != nil {
		rows = append(rows[:len(rows):len(rows)], astgen.GateOf(t.Guard).Rows()...)
	}
	for _, op := range t.Body {
		c, ok := op.(gpu.Compute)
		if !ok {
			continue
		}
		run := astgen.Run{Stmt: c.Stmt, Rows: rows}
		for _, e := range c.Iters {
			run.Iters = append(run.Iters, astgen.SumOf(e))
		}
		runs = append(runs, run)
	}
	return runs
}

// A spelledStep is the points of a step that straight code runs, in the box of the step.
type spelledStep struct {
	ran  []bool
	left int
}

// run returns all points of the box as a run, if all of them do.
func (s *spelledStep) run(at astgen.Slice, n astgen.Names) astgen.Run {
	if s.left > 0 {
		astgen.Unreadable("straight code of %s in step %d leaves out %d of %d points", at.Stmt.Name, at.A, s.left, len(s.ran))
	}
	run := astgen.Run{Stmt: at.Stmt, Iters: at.Iters}
	for p, b := range n.Points {
		run.Rows = append(run.Rows, affine.Var(b).Add(-at.Lo[p]), affine.Num(at.Hi[p]).Minus(affine.Var(b)))
	}
	return run
}

// spelled notes the points that straight code runs.
func (r *reader) spelled(t gpu.Threads, all []astgen.Slice, steps map[int]*spelledStep) {
	for _, op := range t.Body {
		c, ok := op.(gpu.Compute)
		if !ok {
			continue
		}
		i := slices.IndexFunc(all, func(at astgen.Slice) bool { return at.Stmt == c.Stmt && affine.Same(at.Iters[0], c.Iters[0]) })
		if i < 0 {
			astgen.Unreadable("%s at time %v, which no step has", c.Stmt.Name, c.Iters[0])
		}
		if steps[i] == nil {
			n := int64(1)
			for p := range all[i].Lo {
				n *= all[i].Hi[p] - all[i].Lo[p] + 1
			}
			steps[i] = &spelledStep{ran: make([]bool, n), left: int(n)}
		}
		w := spelledPoints{at: all[i], step: steps[i], role: t.Role}
		for p := range r.names.Points {
			w.coords = append(w.coords, r.coordinate(c, all[i], p))
		}
		w.each(t, c.Stmt)
	}
}

// coordinate returns the local coordinate of c in dimension p, over the variables of the loops that run it.
func (r *reader) coordinate(c gpu.Compute, at astgen.Slice, p int) affine.Sum {
	place := r.loops.Schedule.Canonical.Places[c.Stmt.Order][p]
	if place.Iter < 0 {
		if at.Lo[p] != at.Hi[p] {
			astgen.Unreadable("%s runs at one of %d values of %s", c.Stmt.Name, at.Hi[p]-at.Lo[p]+1, r.names.Points[p])
		}
		return affine.Num(at.Lo[p])
	}
	origin := at.Iters[place.Iter].Without(r.names.Points[p])
	return astgen.SumOf(c.Iters[place.Iter]).Minus(origin).Times(place.Sign())
}

// spelledPoints walks through the values of the loops around an operation.
type spelledPoints struct {
	at     astgen.Slice
	step   *spelledStep
	role   gpu.Role
	coords []affine.Sum
}

// each notes the points of one operation of t.
func (w spelledPoints) each(t gpu.Threads, st *scop.Stmt) {
	vars := make([]string, len(t.Loops))
	first, last := make([]int64, len(t.Loops)), make([]int64, len(t.Loops))
	for i, l := range t.Loops {
		vars[i], first[i], last[i] = l.Var, astgen.SumOf(l.Lo).Const, astgen.SumOf(l.Hi).Const
		if !astgen.SumOf(l.Lo).IsNum() || !astgen.SumOf(l.Hi).IsNum() {
			astgen.Unreadable("%q has a loop from %v to %v", t.Role.String(), l.Lo, l.Hi)
		}
	}
	coords := make([]linear, len(w.coords))
	for p, x := range w.coords {
		coords[p] = linearOf(x, vars)
	}
	var guard [][]linear
	if t.Guard != nil {
		for _, rows := range astgen.GateOf(t.Guard) {
			var all []linear
			for _, x := range rows {
				all = append(all, linearOf(x, vars))
			}
			guard = append(guard, all)
		}
	}
	at := slices.Clone(first)
	for i := range at {
		if first[i] > last[i] {
			return
		}
	}
	for {
		if guard == nil || slices.ContainsFunc(guard, func(all []linear) bool {
			return !slices.ContainsFunc(all, func(x linear) bool { return x.value(at) < 0 })
		}) {
			w.point(coords, at, st)
		}
		i := len(at) - 1
		for ; i >= 0 && at[i] == last[i]; i-- {
			at[i] = first[i]
		}
		if i < 0 {
			return
		}
		at[i]++
	}
}

// point notes that one point runs.
func (w spelledPoints) point(coords []linear, at []int64, st *scop.Stmt) {
	n := int64(0)
	for p, x := range coords {
		b, lo, hi := x.value(at), w.at.Lo[p], w.at.Hi[p]
		if b < lo || b > hi {
			astgen.Unreadable("straight code of %s in step %d runs a point %d..%d has not: %d along dimension %d", st.Name, w.at.A, lo, hi, b, p)
		}
		n = n*(hi-lo+1) + b - lo
	}
	if w.step.ran[n] {
		astgen.Unreadable("straight code of %s in step %d runs a point twice", st.Name, w.at.A)
	}
	w.step.ran[n] = true
	w.step.left--
}

// A linear is a sum over variables in an order.
type linear struct {
	konst int64
	coefs []int64
}

func linearOf(x affine.Sum, vars []string) linear {
	l := linear{x.Const, make([]int64, len(vars))}
	for _, t := range x.Terms {
		i := slices.Index(vars, t.Var)
		if i < 0 {
			astgen.Unreadable("%s in straight code, in %v", t.Var, x)
		}
		l.coefs[i] = t.Coef
	}
	return l
}

func (l linear) value(at []int64) int64 {
	v := l.konst
	for i, c := range l.coefs {
		v += c * at[i]
	}
	return v
}
