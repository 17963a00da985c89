package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file writes the core of full tiles as straight code: all bounds are
// numbers there, so the points that a thread runs are spelled out one by one
// and no guard, minimum or modulus is left, nor a loop where all of them fit.
// Unrolling works on the box of a step, not on text: each point has its own
// constants, to which a loop adds multiples of its variable.

// axisOf returns the thread axis of space dimension p, -1 if none.
func (ph *launch) axisOf(p int) int { return axis(p, len(ph.names.Points)) }

// along returns the number of threads along an axis, 1 for axis -1.
func (ph *block) along(axis int) int64 {
	if axis < 0 {
		return 1
	}
	return int64(ph.threads[axis])
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// core returns the points of a step of a full tile as straight code: nodes that
// each thread runs once.
func (ph *tiles) core(s astgen.Step, c gpu.Compute, role gpu.Role) []gpu.Node {
	return ph.deal(ph.pointSpans(s), nil, role, func(by map[string]affine.Sum) gpu.Op {
		at := gpu.Compute{Stmt: c.Stmt, Iters: affine.SubstAll(c.Iters, by), Refs: slices.Clone(c.Refs)}
		for i, r := range c.Refs {
			at.Refs[i].Index = ph.shared.subst(r.Index, by)
		}
		return at
	})
}

// substRef returns r with sums for variables.
func substRef(r gpu.Ref, by map[string]affine.Sum) gpu.Ref {
	r.Index = affine.SubstAll(r.Index, by)
	return r
}

// A span is the values lo..hi of a variable, dealt to the threads of an axis
// unless that is -1; thread 0 starts so far ahead of lo. The body of a loop over
// it has each turns of the threads, or there is none if each is 0. If rows > 1,
// each thread takes so many consecutive values instead; there is no loop then.
type span struct {
	name                string
	lo, hi, ahead, each int64
	axis                int
	rows                int64
}

// A dealer walks through the points of spans.
type dealer struct {
	*code
	spans []span
	guard astgen.Cond
	role  gpu.Role
	op    func(by map[string]affine.Sum) gpu.Op

	by    map[string]affine.Sum
	used  [3]int64 // threads that take part, but for those before a row of heads is >= 0
	heads []affine.Expr
	loops []gpu.ThreadLoop // that are left
	nodes []gpu.Node
}

// deal returns nodes that run op once at each point of the spans, the first
// span outermost, as straight code or with loops around it: thread v of an axis of n takes lo+v, lo+n+v,
// .. as long as there are values for all threads, and what is left over last;
// or lo+r*v, .. lo+r*v+r-1, where it takes r rows, as many as there are values for all threads.
//
// Points that do not satisfy guard (nil: all do) are left out.
func (ph *code) deal(spans []span, guard astgen.Cond, role gpu.Role, op func(by map[string]affine.Sum) gpu.Op) []gpu.Node {
	d := dealer{code: ph, spans: spans, guard: guard, role: role, op: op, by: map[string]affine.Sum{}, used: [3]int64{1, 1, 1}}
	d.walk(0)
	return d.nodes
}

// walk deals spans[i:] at the present values of those before.
func (d *dealer) walk(i int) {
	if i == len(d.spans) {
		d.run()
		return
	}
	s := d.spans[i]
	n := d.along(s.axis)
	if s.rows > 1 {
		for at := range s.rows {
			d.turn(i, affine.Num(s.lo+at), n)
		}
		return
	}
	start := s.lo - s.ahead%n
	turn := int64(0)
	if start < s.lo {
		d.heads = append(d.heads, affine.Var(s.name).Add(-s.lo))
		d.turn(i, affine.Num(start), min(n, s.hi-start+1))
		d.heads = d.heads[:len(d.heads)-1]
		turn = 1
	}
	start += turn * n
	whole := max(0, s.hi-start+1) / n
	if times := bodies(whole, s.each); times > 0 {
		v := d.rolled(len(d.loops))
		d.loops = append(d.loops, gpu.ThreadLoop{Var: v, Lo: affine.Num(0), Hi: affine.Num(times - 1), Axis: -1, Rolled: true})
		for at := range s.each {
			d.turn(i, affine.Var(v).Times(s.each*n).Add(start+at*n), n)
		}
		d.loops = d.loops[:len(d.loops)-1]
		start += times * s.each * n
	}
	for ; start <= s.hi; start += n {
		d.turn(i, affine.Num(start), min(n, s.hi-start+1))
	}
}

// turn deals spans[i+1:] where so many threads take values of spans[i] from x on.
func (d *dealer) turn(i int, x affine.Sum, threads int64) {
	s := d.spans[i]
	if s.axis >= 0 && d.along(s.axis) > 1 {
		if d.used[s.axis] = threads; threads > 1 {
			x = x.Plus(affine.Var(d.threadVar(s.axis)).Times(max(1, s.rows)))
		}
	}
	d.by[s.name] = x
	d.walk(i + 1)
}

// run adds op at the present values.
func (d *dealer) run() {
	if g := d.condition(); g == nil || len(g) > 0 {
		loops := slices.Concat(d.threadLoops(d.used), d.loops)
		d.nodes = join(d.nodes, gpu.Threads{Loops: loops, Guard: g, Body: []gpu.Op{d.op(d.by)}, Role: d.role})
	}
}

// condition returns where the present values satisfy the guard and are in the spans, as short as can be.
func (d *dealer) condition() astgen.Cond {
	guard := both(d.guard, d.heads)
	if guard == nil {
		return nil
	}
	among := map[string]int64{}
	for axis, n := range d.used {
		among[d.threadVar(axis)] = n
	}
	for _, l := range d.loops {
		n, _ := l.Values()
		among[l.Var] = n
	}
	return leastGuard(specialize(guard, d.by, among), among)
}

// both returns where c and all of the rows hold.
func both(c astgen.Cond, rows []affine.Expr) astgen.Cond {
	switch {
	case len(rows) == 0:
		return c
	case c == nil:
		return astgen.Cond{slices.Clone(rows)}
	}
	var out astgen.Cond
	for _, all := range c {
		out = append(out, slices.Concat(all, rows))
	}
	return out
}

// join adds the operations of n, which may run in any order with those of nodes
// since the last barrier, to a node of theirs that the same threads run, or n itself.
func join(nodes []gpu.Node, n gpu.Threads) []gpu.Node {
	for i := len(nodes) - 1; i >= 0; i-- {
		m, ok := nodes[i].(gpu.Threads)
		if !ok || m.Role != n.Role {
			break
		}
		if slices.EqualFunc(m.Loops, n.Loops, sameLoop) && sameCond(m.Guard, n.Guard) {
			m.Body = slices.Concat(m.Body, n.Body)
			nodes[i] = m
			return nodes
		}
	}
	return append(nodes, n)
}

func sameLoop(a, b gpu.ThreadLoop) bool {
	return a.Var == b.Var && a.Axis == b.Axis && affine.Same(a.Lo, b.Lo) && affine.Same(a.Hi, b.Hi)
}

func sameCond(a, b astgen.Cond) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, func(x, y []affine.Expr) bool { return slices.EqualFunc(x, y, affine.Same) })
}

// threadLoops returns loops over the first threads of each axis that has several: each runs one value.
func (ph *block) threadLoops(used [3]int64) []gpu.ThreadLoop {
	var loops []gpu.ThreadLoop
	for axis := len(used) - 1; axis >= 0; axis-- {
		if ph.threads[axis] > 1 {
			loops = append(loops, gpu.ThreadLoop{Var: ph.threadVar(axis), Lo: affine.Num(0), Hi: affine.Num(used[axis] - 1), Axis: axis})
		}
	}
	return loops
}
