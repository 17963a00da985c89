package lower

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A tiles makes the nodes of tiles as a plan has them.
type tiles struct {
	*plan
	between bool // only what a full tile between full tiles runs is wanted
	whole   bool // uncut, and no bound cuts them along it either
	uncut   bool // of tiles that stream: those that no bound cuts across the stream
}

// full returns the nodes of a full tile, with barriers. several: a block runs more than one tile.
func (ph *tiles) full(t astgen.Tile, several bool) []gpu.Node {
	nodes := synchronize(ph.fullTile(t), ph.threads, several)
	if ph.unroll {
		nodes = append(nodes, ph.storesOfLast()...)
	}
	return nodes
}

// partial returns the nodes of a tile that is not known to be full, with barriers.
func (ph *tiles) partial(t astgen.Tile, several bool) []gpu.Node {
	return synchronize(ph.partialTile(t), ph.threads, several)
}

// partialTile returns the parts of a tile that is not known to be full: copies in, steps, copies out.
func (ph *tiles) partialTile(t astgen.Tile) []work {
	var parts []work
	ph = ph.clipped()
	for _, f := range ph.staged {
		if !f.once {
			parts = append(parts, f.copyInPartial(ph)...)
		}
	}
	for _, s := range t.Steps {
		parts = append(parts, ph.step(s, false))
	}
	for _, f := range ph.staged {
		parts = append(parts, f.copyOutPartial(ph)...)
	}
	return parts
}

// clipped returns ph as partial tiles have it: views are used by full tiles only.
func (ph *tiles) clipped() *tiles {
	p := *ph.plan
	p.staged = slices.DeleteFunc(slices.Clone(p.staged), func(f *staged) bool { return f.array != f.whole })
	return &tiles{plan: &p, between: ph.between}
}

// stepOf returns a number that slices have in common of which no instance depends on one of another: those of a step, if none of its statements
// run one after the other at one place; 0: there is none.
func (ph *launch) stepOf(s astgen.Slice) int64 {
	if slices.ContainsFunc(ph.schedule.Canonical.Ranks, func(rank int) bool { return rank > 0 }) {
		return 0
	}
	return s.A + 1
}

// fullTile returns the parts of a full tile.
func (ph *tiles) fullTile(t astgen.Tile) []work {
	parts := ph.copyInStreams()
	for _, f := range ph.staged {
		if f.streams == nil && !f.once {
			parts = append(parts, f.copyIn(ph)...)
		}
	}
	interleave := ph.interleaves()
	for i, s := range t.Steps {
		parts = append(parts, ph.step(s, ph.unroll))
		if interleave {
			parts = append(parts, ph.stores(i, s)...)
		}
	}
	for _, f := range ph.staged {
		if !interleave || f.full.version != nil {
			parts = append(parts, f.copyOut(ph)...)
		}
	}
	return parts
}

// step returns one time step: its box on the threads, as straight code or in loops.
func (ph *tiles) step(s astgen.Step, straight bool) work {
	at := ph.slice(s)
	c := gpu.Compute{Stmt: s.Stmt, Iters: s.Iters}
	loops, guard := ph.pointLoops(s, at, straight)
	var w work
	for _, acc := range s.Stmt.Accesses {
		c.Refs = append(c.Refs, ph.ref(at, acc))
		if ph.layouts.of[ph.view(acc)].again[acc] {
			continue // it uses nothing new
		}
		e := ph.effect(at, acc, loops)
		if straight {
			e = ph.inRows(e)
		}
		w.effects = append(w.effects, e)
	}
	role := gpu.Role{Kind: gpu.TimeStep, Step: s.A, Stmt: s.Stmt}
	if straight {
		w.nodes = func() []gpu.Node { return ph.core(s, c, role) }
		return w
	}
	if s.Way != schedule.Any {
		w.nodes = only(ph.inTurn(s, loops, guard, c, role))
		return w
	}
	body := ph.points(loops, guard, c, role)
	if w.nodes = only(body); s.Guard != nil {
		w.nodes = only(gpu.If{Cond: s.Guard, Then: []gpu.Node{body}})
	}
	return w
}

// shortColumn is how many points of a column at most a compiler spells out where a condition tells which of them there are.
const shortColumn = 8

// pointLoops returns the loops over the points of a step, and which of them run (nil: all). Without shared memory a dimension that
// has no more points than threads is no loop in a partial tile either: each thread has the point that it has in a full tile, under a
// condition. Where a tile is one step, so are short columns of points that a thread runs: compilers spell them out.
func (ph *tiles) pointLoops(s astgen.Step, at astgen.Slice, straight bool) (loops []gpu.ThreadLoop, guard astgen.Cond) {
	own := make([]bool, len(s.Loops)) // all points of the box are run through, under a condition
	one := ph.all[0].A == ph.all[len(ph.all)-1].A
	for i, l := range s.Loops {
		x := gpu.ThreadLoop{Var: l.Var, Lo: l.Lo, Hi: l.Hi, Axis: axis(i, len(s.Loops))}
		if i == 0 && (ph.streaming() != nil || s.Way != schedule.Any) { // one plane
			x.Axis = -1
			loops = append(loops, x)
			continue
		}
		points := l.BoxHi - l.BoxLo + 1
		clipped := !affine.Same(l.Lo, affine.Num(l.BoxLo)) || !affine.Same(l.Hi, affine.Num(l.BoxHi))
		own[i] = clipped && !straight && ph.options.Strategy == Global && (points <= ph.along(x.Axis) || one && x.Axis < 0 && points <= shortColumn)
		if own[i] {
			x.Lo, x.Hi = affine.Num(l.BoxLo), affine.Num(l.BoxHi)
		}
		loops = append(loops, x)
	}
	var rows []affine.Expr
	for _, r := range at.Rows {
		r = r.Tighten()
		p := len(own) - 1
		for p >= 0 && r.Coef(s.Loops[p].Var) == 0 {
			p--
		}
		if p >= 0 && own[p] && !ph.known[ph.number].Implies(r) {
			rows = append(rows, r)
		}
	}
	if len(rows) > 0 {
		guard = astgen.Cond{rows}
	}
	return loops, guard
}

// slice returns the slice of a step.
func (ph *launch) slice(s astgen.Step) astgen.Slice {
	for _, at := range ph.all {
		if at.A == s.A && at.Stmt == s.Stmt {
			return at
		}
	}
	panic(fmt.Sprintf("lower: phase %d has no step %d of %s", ph.number, s.A, s.Stmt.Name))
}

// inRows returns e as straight code has it, which deals rows of points to threads along y.
func (ph *code) inRows(e effect) effect {
	if e.by[1].kind == blockCyclic {
		e.by[1].rows = ph.rows
	}
	return e
}

// effect returns what acc uses at s, in loops over the local coordinates.
func (ph *plan) effect(s astgen.Slice, acc *scop.Access, loops []gpu.ThreadLoop) effect {
	view := ph.view(acc)
	e := effect{array: view, shared: ph.find(view) != nil, write: acc.Write}
	l, ok := ph.layouts.of[view]
	if !ok || view != acc.Array && !e.shared {
		e.array, e.whole, e.apart = acc.Array, true, ph.stepOf(s)
		return e
	}
	t := ph.touchAt(l, s, acc)
	e.Box = t.Box
	e.rows = func() []affine.Sum { return ph.instanceRows(l, s, t, elementVars(len(l.space))) }
	e.by = sharings(loops, func(name string) (int, int64) {
		if k := slices.Index(l.space, slices.Index(ph.names.Points, name)); k >= 0 {
			return k, t.offset[k]
		}
		return -1, 0
	})
	if x := ph.streaming(); x != nil {
		if dim := slices.Index(l.space, x.Dim); dim >= 0 {
			return e.atPlane(dim, t.offset[dim]-x.Delay(s.Stmt, s.A))
		}
	}
	return e
}
