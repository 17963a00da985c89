package gpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
)

// This file writes the core of full tiles as straight code: all bounds are
// numbers there, so the points that a thread runs are spelled out one by one
// and no loop, guard, minimum or modulus is left. Unrolling works on the box of
// a step, not on text: each point has its own constants.

// maxUnrolled bounds the accesses of a thread in the straight code of a full
// tile, each of which is an instruction or more. Beyond, points stay in loops.
const maxUnrolled = 4096

// straight reports whether full tiles of the phase become straight code, and if not why.
func (ph *phase) straight() (ok bool, why string) {
	if ph.options.Rolled {
		return false, ""
	}
	if ph.lanes() == nil {
		return false, "" // the hexagonal dimension is on the threads: rows differ in length
	}
	accesses := int64(0)
	for _, s := range ph.full {
		points := int64(1)
		for p := range s.Lo {
			points *= ceilDiv(s.Hi[p]-s.Lo[p]+1, ph.along(ph.axisOf(p)))
		}
		accesses += points * int64(len(s.Stmt.Accesses))
	}
	if accesses > maxUnrolled {
		return false, fmt.Sprintf("full tiles are not unrolled: a thread would make %d accesses, and the limit is %d", accesses, maxUnrolled)
	}
	return true, ""
}

// lanes returns the space dimensions that lie on several threads, nil if some
// of them has steps of different lengths.
func (ph *phase) lanes() []int {
	var dims []int
	for p := range ph.names.Points {
		if ph.along(ph.axisOf(p)) == 1 {
			continue
		}
		for _, s := range ph.full {
			if s.Hi[p]-s.Lo[p] != ph.full[0].Hi[p]-ph.full[0].Lo[p] {
				return nil
			}
		}
		dims = append(dims, p)
	}
	return dims
}

// axisOf returns the thread axis of space dimension p, -1 if none.
func (ph *phase) axisOf(p int) int { return axis(p, len(ph.names.Points)) }

// along returns the number of threads along an axis, 1 for axis -1.
func (ph *phase) along(axis int) int64 {
	if axis < 0 {
		return 1
	}
	return int64(ph.threads[axis])
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// core returns the points of a step of a full tile as straight code: nodes that
// each thread runs once.
func (ph *phase) core(s astgen.Step, c Compute, note string) []Node {
	return ph.deal(ph.pointSpans(s), nil, note, func(by map[string]astgen.Sum) Op {
		at := Compute{Stmt: c.Stmt, Iters: make([]astgen.Expr, len(c.Iters)), Refs: make([]Ref, len(c.Refs))}
		for i, e := range c.Iters {
			at.Iters[i] = astgen.Subst(e, by)
		}
		for i, r := range c.Refs {
			at.Refs[i] = r.subst(by)
		}
		return at
	})
}

// subst returns r with sums for variables.
func (r Ref) subst(by map[string]astgen.Sum) Ref {
	index := make([]astgen.Expr, len(r.Index))
	for k, e := range r.Index {
		index[k] = astgen.Subst(e, by)
	}
	r.Index = index
	return r
}

// A span is the values lo..hi of a variable, dealt to the threads of an axis
// unless that is -1; thread 0 starts so far ahead of lo.
type span struct {
	name          string
	lo, hi, ahead int64
	axis          int
}

// deal returns nodes that run op once at each point of the spans, the first
// span outermost, as straight code: thread v of an axis of n takes lo+v, lo+n+v,
// .. as long as there are values for all threads, and what is left over last.
//
// Points that do not satisfy guard (nil: all do) are left out.
func (ph *phase) deal(spans []span, guard astgen.Cond, note string, op func(by map[string]astgen.Sum) Op) []Node {
	var nodes []Node
	by := map[string]astgen.Sum{}
	lanes := map[string]int64{}
	used := [3]int64{1, 1, 1} // threads that take part, but for those before a row of heads is >= 0
	var heads []astgen.Expr
	var walk func(d int)
	walk = func(d int) {
		if d == len(spans) {
			for axis, n := range used {
				lanes[ph.lane(axis)] = n
			}
			if g := specialize(both(guard, heads), by, lanes); g == nil || len(g) > 0 {
				nodes = join(nodes, Threads{Loops: ph.laneLoops(used), Guard: g, Body: []Op{op(by)}, Note: note})
			}
			return
		}
		s := spans[d]
		n := ph.along(s.axis)
		for lo := s.lo - s.ahead%n; lo <= s.hi; lo += n {
			by[s.name] = astgen.Num(lo)
			if n > 1 {
				used[s.axis] = min(n, s.hi-lo+1)
				if used[s.axis] > 1 {
					by[s.name] = by[s.name].Plus(astgen.Var(ph.lane(s.axis)))
				}
			}
			if lo < s.lo {
				heads = append(heads, astgen.Var(s.name).Add(-s.lo))
				walk(d + 1)
				heads = heads[:len(heads)-1]
				continue
			}
			walk(d + 1)
		}
	}
	walk(0)
	return nodes
}

// both returns where c and all of the rows hold.
func both(c astgen.Cond, rows []astgen.Expr) astgen.Cond {
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
func join(nodes []Node, n Threads) []Node {
	for i := len(nodes) - 1; i >= 0; i-- {
		m, ok := nodes[i].(Threads)
		if !ok || m.Note != n.Note {
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

func sameLoop(a, b ThreadLoop) bool {
	return a.Var == b.Var && a.Axis == b.Axis && astgen.Same(a.Lo, b.Lo) && astgen.Same(a.Hi, b.Hi)
}

func sameCond(a, b astgen.Cond) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, func(x, y []astgen.Expr) bool { return slices.EqualFunc(x, y, astgen.Same) })
}

// laneLoops returns loops over the first threads of each axis that has several: each runs one value.
func (ph *phase) laneLoops(used [3]int64) []ThreadLoop {
	var loops []ThreadLoop
	for axis := len(used) - 1; axis >= 0; axis-- {
		if ph.threads[axis] > 1 {
			loops = append(loops, ThreadLoop{Var: ph.lane(axis), Lo: astgen.Num(0), Hi: astgen.Num(used[axis] - 1), Axis: axis})
		}
	}
	return loops
}

// lane returns the variable of the index of a thread along an axis.
func (m *mapping) lane(axis int) string {
	for len(m.laneVars) <= axis {
		m.laneVars = append(m.laneVars, m.used.Fresh("xyz"[len(m.laneVars):len(m.laneVars)+1]))
	}
	return m.laneVars[axis]
}
