package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
)

// This file lowers tiles that stream (schedule/stream.go). A block runs the positions of its tile in order. Of each array it has, in shared memory, a ring of
// the planes in use: plane g lies at g modulo the size of the ring. At each position
//
//	one plane of each array is loaded, the furthest that a step uses there;
//	all steps run, each on its plane;
//	one plane of each array is stored, the last that no step writes any more
//
// with barriers between them as in other tiles, and one before the next position. Planes relative to the position, x - plane, are the same at all positions:
// from the one that is used last, low, to the one that is loaded, lead. So plane g is in use at positions g - lead to g - low, and none that has the same place
// in a ring of lead - low + 1 planes is in use at any of them.

// Where there is room, rings have one plane more, and a plane is loaded one position before it is used: while the steps of a position run, the loads of the next
// one are on their way, and no barrier stands between them.

// A ring is how an array streams.
type ring struct {
	dim   int // of the array: it follows the dimension of space along which tiles stream; -1: none does, and all tiles need is loaded before the first plane
	loads []ringPlane
	out   []ringPlane
}

// A ringPlane is what is copied of a plane of a footprint at each position.
type ringPlane struct {
	*plane
	box pointset.Box // in the looped dimensions
	at  int64        // x, less the position, of what is copied
}

// first and last return the positions at which there is something to copy along the i-th looped dimension.
func (p ringPlane) first(i int) int64 { return p.box.Lo[i] - p.at }
func (p ringPlane) last(i int) int64  { return p.box.Hi[i] - p.at }

// streaming returns the order of planes of the tiles of ph, nil if they run step by step.
func (ph *launch) streaming() *schedule.Stream { return ph.schedule.Phases[ph.number].Stream }

// pointOrder returns the dimensions of space in the order of the loops over points: that of planes is outermost.
func (m *program) pointOrder() []int {
	var order []int
	for p := range m.schedule.Phases[0].Space {
		order = append(order, p)
	}
	if x := m.schedule.Stream(); x != nil {
		order = slices.Insert(slices.Delete(order, x.Dim, x.Dim+1), 0, x.Dim)
	}
	return order
}

// inRing decides how the array of f streams, or says why it cannot.
// early is how many positions before its first use a plane is loaded.
func (ph *code) inRing(f *staged, early int64) (why string) {
	x := ph.streaming()
	if x == nil {
		return ""
	}
	f.ring = &ring{dim: slices.Index(f.space, x.Dim)}
	if f.array != f.whole {
		return "halves of it run in opposite directions"
	}
	if f.ring.dim < 0 {
		if f.write {
			return "no subscript follows the planes of the stream"
		}
		return ""
	}
	f.wrapped, f.width = f.ring.dim, 1
	for _, pl := range f.any.planes {
		least, most, written := ph.offsets(f, pl)
		if pl.reach.Lo != nil && !f.any.temporary {
			most += early
			f.ring.loads = append(f.ring.loads, ringPlane{pl, pl.reach, most})
		}
		f.width = max(f.width, most-least+1)
		if around, ok := pl.stored.Bounds(); ok {
			f.ring.out = append(f.ring.out, ringPlane{pl, around, written})
		}
	}
	return ""
}

// offsets returns the least and the greatest plane, less the position, that is used of pl, and the least that is written: after that position it has its last values.
// Where nothing is written, that is the greatest.
func (ph *code) offsets(f *staged, pl *plane) (least, most, written int64) {
	x, some, writes := ph.streaming(), false, false
	for i, s := range ph.all {
		for _, t := range ph.touchesOf(f.layout, i, s) {
			if !f.samePlane(pl.at, t.Lo) {
				continue
			}
			at := t.offset[f.ring.dim] - x.Delay(s.Stmt, s.A)
			if !some {
				least, most, some = at, at, true
			}
			least, most = min(least, at), max(most, at)
			if t.access.Write && (!writes || at < written) {
				written, writes = at, true
			}
		}
	}
	if !writes { // nobody does
		written = most
	}
	return least, most, written
}

// positions returns the first and the last position of a tile: at which a step runs, or something is copied.
func (ph *tiles) positions(n astgen.Streamed) (lo, hi int64) {
	lo, hi = n.Lo.(affine.Sum).Const, n.Hi.(affine.Sum).Const
	for _, f := range ph.staged {
		for _, p := range slices.Concat(f.ring.loads, f.ring.out) {
			i := slices.Index(f.loop, f.ring.dim)
			lo, hi = min(lo, p.first(i)), max(hi, p.last(i))
		}
	}
	return lo, hi
}

// streamed returns the nodes of a tile that streams.
func (ph *tiles) streamed(n astgen.Streamed) (nodes []gpu.Node) {
	lo, hi := ph.positions(n)
	var before, parts, after []work
	for _, f := range ph.staged {
		if f.ring.dim < 0 {
			if !f.once {
				before = append(before, f.copyInPartial(ph)...)
			}
			continue
		}
		for _, p := range f.ring.loads {
			parts = append(parts, f.loadPlane(ph, n.Var, p, lo, hi))
		}
		for _, p := range f.ring.out {
			after = append(after, f.storePlane(ph, n.Var, p, lo, hi))
		}
	}
	for _, s := range n.Steps {
		s.Guard = between(s.Guard, n.Var, lo, hi)
		parts = append(parts, ph.step(s, false))
	}
	if len(before) > 0 {
		nodes = append(synchronize(before, ph.threads, false), gpu.Barrier{})
	}
	body := synchronize(append(parts, after...), ph.threads, true)
	if ph.early == 0 {
		body = apartFromLoads(body)
	}
	loop := gpu.For{Var: n.Var, Lo: affine.Num(lo), Hi: affine.Num(hi), Ahead: ph.early > 0, Body: body}
	for _, r := range busy(body, n.Var) {
		lo, hi := affine.Solve(r, n.Var)
		if lo != nil {
			loop.Lo = affine.MaxOf(loop.Lo, lo)
		}
		if hi != nil {
			loop.Hi = affine.MinOf(loop.Hi, hi)
		}
	}
	return append(nodes, loop)
}

// apartFromLoads returns the nodes of a position with a barrier between its copies in and its first step, which is there in most cases since other threads load what a step reads. Where
// each thread loads its own, the proof that what is read was loaded would have to know which threads do.
func apartFromLoads(body []gpu.Node) []gpu.Node {
	first := slices.IndexFunc(body, func(n gpu.Node) bool { return !onlyCopiesIn(n) })
	if first <= 0 {
		return body
	}
	if _, already := body[first].(gpu.Barrier); already {
		return body
	}
	return slices.Insert(slices.Clone(body), first, gpu.Node(gpu.Barrier{}))
}

// between returns c less the rows that hold for all values of a variable from lo to hi; nil: that is all of them.
func between(c astgen.Cond, name string, lo, hi int64) astgen.Cond {
	if len(c) != 1 {
		return c
	}
	var rows []affine.Expr
	for _, e := range c[0] {
		if r, ok := e.(affine.Sum); ok {
			least := lo
			if r.Coef(name) < 0 {
				least = hi
			}
			if at := r.Without(name).Add(r.Coef(name) * least); at.IsNum() && at.Const >= 0 {
				continue
			}
		}
		rows = append(rows, e)
	}
	if len(rows) == 0 {
		return nil
	}
	return astgen.Cond{rows}
}

// busy returns rows over a variable that are >= 0 wherever one of nodes, which are parts of a position, does anything.
func busy(nodes []gpu.Node, name string) (common []affine.Sum) {
	first := true
	for _, n := range nodes {
		if _, ok := n.(gpu.Barrier); ok {
			continue
		}
		x, ok := n.(gpu.If)
		if !ok {
			return nil
		}
		for _, all := range x.Cond {
			var weaker []affine.Sum
			for _, e := range all {
				r, ok := e.(affine.Sum)
				if !ok || r.Coef(name) == 0 || len(r.Terms) == 1 {
					continue
				}
				if first {
					weaker = append(weaker, r)
				}
				for _, c := range common {
					if c.Parallel(r) {
						weaker = append(weaker, r.Add(max(0, c.Const-r.Const)))
					}
				}
			}
			common, first = weaker, false
		}
	}
	return common
}

// loadPlane returns the copy in of a plane at a position.
func (f *staged) loadPlane(ph *tiles, position string, p ringPlane, lo, hi int64) work {
	shared, global := f.refs(p.plane)
	c := gpu.Copy{To: shared, From: f.loaded(&ph.launch, global), Box: f.any.version == nil && ph.private(f.whole) && ph.raced(f)}
	w := f.copyPlane(ph, position, p, lo, hi, c, f.existing(ph, p.plane), nil, gpu.CopyIn)
	if written, ok := f.writtenFirst(ph, position, p); ok {
		nodes := w.nodes
		w.nodes = func() []gpu.Node { return ph.unless(written, nodes()[0]) }
	}
	return w
}

// writtenFirst returns rows, over the position, that are >= 0 where a step writes all elements of the plane that is loaded there, before any step reads one; ok is
// false if none does anywhere. So the planes that an array has for odd time steps are loaded at borders only, though tiles read them.
func (f *staged) writtenFirst(ph *tiles, position string, p ringPlane) (rows []affine.Sum, ok bool) {
	x, dim := ph.streaming(), f.ring.dim
	type use struct{ rel, step int64 }
	var reads []use
	for i, s := range ph.all {
		for _, t := range ph.touchesOf(f.layout, i, s) {
			if f.samePlane(p.plane.at, t.Lo) && (!t.access.Write || s.Stmt.Conditional(t.access)) {
				reads = append(reads, use{t.offset[dim] - x.Delay(s.Stmt, s.A), s.A})
			}
		}
	}
	for _, w := range p.writers {
		s := ph.all[w.slice]
		rel := w.offset[dim] - x.Delay(s.Stmt, s.A)
		if len(s.Stmt.When) > 0 || s.Stmt.Conditional(w.access) ||
			slices.ContainsFunc(reads, func(r use) bool { return r.rel > rel || r.rel == rel && r.step <= s.A }) {
			continue
		}
		at := make([]affine.Sum, len(f.space))
		for j, k := range f.loop {
			if at[k] = affine.Var(f.vars[j]); k == dim {
				at[k] = affine.Var(position).Add(p.at)
			}
		}
		rows = nil
		never := false
		for _, r := range ph.instanceRows(f.layout, s, w, at) {
			for j, k := range f.loop {
				if c := r.Coef(f.vars[j]); c > 0 && k != dim {
					r = r.Without(f.vars[j]).Add(c * p.box.Lo[j])
				} else if c < 0 && k != dim {
					r = r.Without(f.vars[j]).Add(c * p.box.Hi[j])
				}
			}
			if r = r.Tighten(); r.IsNum() && r.Const < 0 {
				never = true
			} else if !r.IsNum() {
				rows = append(rows, r)
			}
		}
		if !never {
			return simplest(rows), true
		}
	}
	return nil, false
}

// unless returns nodes with n, a copy or one under a condition, run only where one of rows, the same for all threads, is negative.
func (ph *tiles) unless(rows []affine.Sum, n gpu.Node) []gpu.Node {
	x, given := n.(gpu.If)
	var known []affine.Sum
	if given {
		known, n = sums(x.Cond[0]), x.Then[0]
	}
	c := astgen.Cond{}
	for _, r := range rows {
		if not := r.Negated(); !exclude([]affine.Sum{not}, known) && !ph.known[ph.number].Implies(r) {
			c = append(c, []affine.Expr{not})
		}
	}
	if len(c) == 0 {
		return nil
	}
	n = gpu.If{Cond: c, Then: []gpu.Node{n}, Role: gpu.Role{Kind: gpu.UnlessWritten}}
	if given {
		x.Then = []gpu.Node{n}
		return []gpu.Node{x}
	}
	return []gpu.Node{n}
}

// storePlane returns the copy out of a plane at a position: of elements that some instance has written that the tile owns, or of all that it owns of an array in
// two versions.
func (f *staged) storePlane(ph *tiles, position string, p ringPlane, lo, hi int64) work {
	shared, global := f.refs(p.plane)
	c := gpu.Copy{To: f.storedTo(&ph.launch, global), From: shared}
	if f.any.version != nil {
		return f.copyPlane(ph, position, p, lo, hi, c, f.existing(ph, p.plane), nil, gpu.CopyOut)
	}
	var alts [][]affine.Sum
	for _, w := range p.writers {
		if w.owned.Count() > 0 {
			alts = append(alts, f.writtenRows(&ph.launch, w))
		}
	}
	common, rest := factor(alts)
	return f.copyPlane(ph, position, p, lo, hi, c, common, rest, gpu.CopyOut)
}

// copyPlane returns copy c of the elements of a plane, at the positions that have one, for which rows are >= 0, and those of one of alts unless there are none.
// lo and hi are the first and the last position.
func (f *staged) copyPlane(ph *tiles, position string, p ringPlane, lo, hi int64, c gpu.Copy, rows []affine.Sum, alts [][]affine.Sum, kind gpu.RoleKind) work {
	i := slices.Index(f.loop, f.ring.dim)
	here := affine.Var(position).Add(p.at - f.any.around.Lo[f.ring.dim])
	by := map[string]affine.Sum{f.vars[i]: here}
	var uniform []affine.Sum
	if first := p.first(i); first > lo {
		uniform = append(uniform, affine.Var(position).Add(-first))
	}
	if last := p.last(i); last < hi {
		uniform = append(uniform, affine.Num(last).Minus(affine.Var(position)))
	}
	box, origin := pointset.Box{}, []int64(nil)
	var loops []gpu.ThreadLoop
	for j, v := range f.vars {
		if j == i {
			continue
		}
		o := f.origin()[j]
		box.Lo, box.Hi, origin = append(box.Lo, p.box.Lo[j]), append(box.Hi, p.box.Hi[j]), append(origin, o)
		loops = append(loops, gpu.ThreadLoop{Var: v, Lo: affine.Num(p.box.Lo[j] - o), Hi: affine.Num(p.box.Hi[j] - o)})
	}
	for d := range loops {
		loops[d].Axis = axis(d, len(loops))
	}
	uniform = append(uniform, ph.clip(loops, affine.Substituted(rows, by), box, origin)...)
	var guard [][]affine.Sum
	for _, all := range alts {
		guard = append(guard, affine.Substituted(all, by))
	}
	c.To.Index, c.From.Index = affine.SubstAll(c.To.Index, by), affine.SubstAll(c.From.Index, by)
	node := ph.points(loops, cond(guard), c, f.role(kind))
	w := work{nodes: only(guarded(simplest(uniform), node)), effects: f.copyEffects(p.plane, p.box, c, node.Loops)}
	for i := range w.effects {
		w.effects[i] = w.effects[i].atPlane(f.ring.dim, p.at)
	}
	return w
}

// atPlane returns e, which uses one plane at each position, in terms of planes relative to the position: of what a ring has at one position no two planes lie
// at the same place.
func (e effect) atPlane(dim int, rel int64) effect {
	if dim < 0 || e.whole {
		return e
	}
	e.Box, e.rows = e.Clone(), nil
	e.Lo[dim], e.Hi[dim] = rel, rel
	return e
}
