package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/scop"
)

// This file writes copies between global memory and buffers. A full tile
// copies in exactly the elements it reads before it writes them, and out
// exactly those it writes. A partial tile copies in all that a full one reads,
// as far as the array reaches, and out exactly what its instances wrote.

// origin returns the x of local index 0 in the looped dimensions.
func (f *staged) origin() []int64 {
	o := make([]int64, len(f.loop))
	for i, k := range f.loop {
		o[i] = f.any.around.Lo[k]
	}
	return o
}

// refs returns the element of pl at the loop variables, in the buffer and in the array.
func (f *staged) refs(pl *plane) (shared, global gpu.Ref) {
	shared, global = gpu.Ref{Buffer: f.buffer, Array: f.whole}, gpu.Ref{Array: f.whole}
	for k := range f.space {
		local := affine.Num(pl.at[k] - f.any.around.Lo[k])
		if i := slices.Index(f.loop, k); i >= 0 {
			local = affine.Var(f.vars[i])
		}
		shared.Index = append(shared.Index, f.place(k, local))
		global.Index = append(global.Index, f.globalAt(k, local))
	}
	return shared, global
}

// place returns the index in the buffer of local index l in dimension k.
func (f *staged) place(k int, l affine.Sum) affine.Expr {
	if k != f.wrapped {
		return l
	}
	return affine.Modulo(f.base[k].Add(f.any.around.Lo[k]).Plus(l), f.width)
}

// globalAt returns the index of local index l in dimension k.
func (f *staged) globalAt(k int, l affine.Sum) affine.Expr {
	x := f.base[k].Add(f.any.around.Lo[k]).Plus(l)
	if m := f.mod[k]; m > 0 {
		return affine.Modulo(x, m)
	}
	if f.down[k] {
		return x.Times(-1)
	}
	return x
}

// copyIn returns the copies of a full tile.
func (f *staged) copyIn(ph *tiles) []work {
	return f.copies(ph, func(pl *plane) pointset.Cells { return pl.first }, func(shared, global gpu.Ref) gpu.Copy { return gpu.Copy{To: shared, From: f.loaded(&ph.launch, global)} }, gpu.CopyIn)
}

// copyOut returns the copies of a full tile.
func (f *staged) copyOut(ph *tiles) []work {
	return f.copies(ph, func(pl *plane) pointset.Cells { return pl.stored }, func(shared, global gpu.Ref) gpu.Copy {
		return gpu.Copy{To: f.storedTo(&ph.launch, global), From: shared}
	}, gpu.CopyOut)
}

// loaded returns r, an element of the array in global memory, in the version that tiles of the launch read.
func (f *staged) loaded(ph *launch, r gpu.Ref) gpu.Ref {
	if v := f.any.version; v != nil {
		r.Array = v.From(ph.number)
	}
	return r
}

// storedTo returns r, an element of the array in global memory, in the version that tiles of the launch store to.
func (f *staged) storedTo(ph *launch, r gpu.Ref) gpu.Ref {
	if v := f.any.version; v != nil {
		r.Array = v.To(ph.number)
	}
	return r
}

func (f *staged) copies(ph *tiles, which func(*plane) pointset.Cells, dir func(shared, global gpu.Ref) gpu.Copy, kind gpu.RoleKind) []work {
	var all []work
	for _, pl := range f.full.planes {
		c := dir(f.refs(pl))
		if ph.unroll {
			all = append(all, f.copiesByRow(ph, pl, which(pl), c, f.role(kind))...)
			continue
		}
		for _, g := range pointset.Gather(pointset.Decompose(which(pl))) {
			node := ph.points(loopsOver(g.Hull, f.vars, f.origin()), g.Guard(f.vars, f.origin()), c, f.role(kind))
			all = append(all, work{nodes: only(node), effects: f.copyEffects(pl, g.Hull.Box, c, node.Loops)})
		}
	}
	return all
}

// copyEffects returns what copy c, in loops over a box of pl, uses.
func (f *staged) copyEffects(pl *plane, b pointset.Box, c gpu.Copy, loops []gpu.ThreadLoop) []effect {
	by := sharings(loops, func(name string) (int, int64) {
		if i := slices.Index(f.vars, name); i >= 0 {
			return f.loop[i], f.any.around.Lo[f.loop[i]]
		}
		return -1, 0
	})
	return f.copyEffectsBy(pl, b, c, by)
}

// copyEffectsBy returns what copy c, dealt so to threads, uses over a box of pl.
func (f *staged) copyEffectsBy(pl *plane, b pointset.Box, c gpu.Copy, by [3]sharing) []effect {
	whole := f.wholeBox(pl, b)
	return []effect{
		{array: f.array, shared: c.To.Buffer != nil, write: true, Box: whole, by: by, copied: true},
		{array: f.array, shared: c.From.Buffer != nil, Box: whole, by: by, copied: true},
	}
}

// copyInPartial returns the copies of a partial tile.
func (f *staged) copyInPartial(ph *tiles) []work {
	var all []work
	box := f.any.version == nil && ph.private(f.whole) && ph.raced(f)
	for _, pl := range f.any.planes {
		if pl.reach.Lo == nil || f.any.temporary {
			continue
		}
		shared, global := f.refs(pl)
		in := f.insideArray(ph, pl)
		if ph.whole { // no bound cuts the tile: all of it exists
			in = nil
		}
		r := pointset.HullOf(pl.read)
		loops := loopsOver(r, f.vars, f.origin())
		rest := ph.clip(loops, in, r.Box, f.origin())
		c := gpu.Copy{To: shared, From: f.loaded(&ph.launch, global), Box: box}
		node := ph.points(loops, nil, c, f.role(gpu.CopyIn))
		all = append(all, work{nodes: only(guarded(rest, node)), effects: f.copyEffects(pl, pl.reach, c, node.Loops)})
	}
	return all
}

// insideArray returns the rows that hold where the element at the loop variables exists.
func (f *staged) insideArray(ph *tiles, pl *plane) []affine.Sum {
	var rows []affine.Sum
	_, global := f.refs(pl)
	for k, e := range global.Index {
		x, ok := e.(affine.Sum)
		if !ok || f.mod[k] > 0 {
			continue // planesExist
		}
		extent := ph.scop.Sum(f.array.Extents[k], nil)
		rows = append(rows, x, extent.Add(-1).Minus(x))
	}
	return rows
}

// copyOutPartial returns the copies of a partial tile: elements of the box of
// each plane that some instance has written that the tile owns.
func (f *staged) copyOutPartial(ph *tiles) []work {
	var all []work
	for _, pl := range f.any.planes {
		around, ok := pl.stored.Bounds()
		if !ok {
			continue
		}
		if f.any.version != nil {
			all = append(all, f.handOnPartial(ph, pl, around))
			continue
		}
		var alts [][]affine.Sum
		for _, w := range pl.writers {
			if w.owned.Count() > 0 {
				alts = append(alts, f.writtenRows(&ph.launch, w))
			}
		}
		common, rest := factor(alts)
		shared, global := f.refs(pl)
		r := pointset.HullOf(pl.stored)
		loops := loopsOver(r, f.vars, f.origin())
		uniform := ph.clip(loops, common, r.Box, f.origin())
		c := gpu.Copy{To: global, From: shared}
		node := ph.points(loops, cond(rest), c, f.role(gpu.CopyOut))
		all = append(all, work{nodes: only(guarded(uniform, node)), effects: f.copyEffects(pl, around, c, node.Loops)})
	}
	return all
}

// handOnPartial returns the copy of what a tile owns of a plane, around, as far as the array reaches, to the other version.
func (f *staged) handOnPartial(ph *tiles, pl *plane, around pointset.Box) work {
	shared, global := f.refs(pl)
	loops := loopsOver(pointset.HullOf(pl.stored), f.vars, f.origin())
	rest := ph.clip(loops, f.insideArray(ph, pl), around, f.origin())
	c := gpu.Copy{To: f.storedTo(&ph.launch, global), From: shared}
	node := ph.points(loops, nil, c, f.role(gpu.CopyOut))
	return work{nodes: only(guarded(rest, node)), effects: f.copyEffects(pl, around, c, node.Loops)}
}

// writtenRows returns rows over the loop variables that hold where an instance
// of the slice of w that the tile owns has written the element.
func (f *staged) writtenRows(ph *launch, w touch) []affine.Sum {
	x := make([]affine.Sum, len(f.space))
	for i, k := range f.loop {
		x[k] = affine.Var(f.vars[i]).Add(f.any.around.Lo[k])
	}
	own := ph.all[w.slice]
	own.Lo, own.Hi = own.Owned.Lo, own.Owned.Hi
	return ph.instanceRows(f.layout, own, w, x)
}

// simplest drops rows that are numbers >= 0 or weaker than a parallel one.
func simplest(rows []affine.Sum) []affine.Sum {
	var kept []affine.Sum
next:
	for _, r := range rows {
		r = r.Tighten()
		if r.IsNum() && r.Const >= 0 {
			continue
		}
		for i, k := range kept {
			if k.Parallel(r) {
				if r.Const < k.Const {
					kept[i] = r
				}
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// factor takes the rows that all alternatives share out of them. If an
// alternative has no others, there is no condition left.
func factor(alts [][]affine.Sum) (common []affine.Sum, rest [][]affine.Sum) {
	for _, r := range alts[0] {
		if !slices.ContainsFunc(alts, func(rows []affine.Sum) bool { return !slices.ContainsFunc(rows, r.Equal) }) {
			common = append(common, r)
		}
	}
	for _, rows := range alts {
		var own []affine.Sum
		for _, r := range rows {
			if !slices.ContainsFunc(common, r.Equal) {
				own = append(own, r)
			}
		}
		if len(own) == 0 {
			return common, nil
		}
		rest = append(rest, own)
	}
	return common, rest
}

// cond returns the alternatives as a condition, nil if there are none.
func cond(alts [][]affine.Sum) astgen.Cond {
	var c astgen.Cond
	for _, rows := range alts {
		var all []affine.Expr
		for _, r := range rows {
			all = append(all, r)
		}
		c = append(c, all)
	}
	return c
}

// clip narrows loops over box b, moved by -origin, to where the rows hold: each
// row bounds the innermost loop in it. It returns the rows that no loop is in.
func (ph *launch) clip(loops []gpu.ThreadLoop, rows []affine.Sum, b pointset.Box, origin []int64) (uniform []affine.Sum) {
	for _, r := range rows {
		d := len(loops) - 1
		for d >= 0 && r.Coef(loops[d].Var) == 0 {
			d--
		}
		if d < 0 {
			if !(r.IsNum() && r.Const >= 0) && !ph.known[ph.number].Implies(r) {
				uniform = append(uniform, r)
			}
			continue
		}
		if holdsOn(r, loops, b, origin) {
			continue
		}
		lo, hi := affine.Solve(r, loops[d].Var)
		if lo != nil {
			loops[d].Lo = affine.MaxOf(loops[d].Lo, lo)
		}
		if hi != nil {
			loops[d].Hi = affine.MinOf(loops[d].Hi, hi)
		}
	}
	return uniform
}

// holdsOn reports whether r has no other variables than those of loops, and is >= 0 on b.
func holdsOn(r affine.Sum, loops []gpu.ThreadLoop, b pointset.Box, origin []int64) bool {
	for d, l := range loops {
		c := r.Coef(l.Var)
		at := b.Lo[d]
		if c < 0 {
			at = b.Hi[d]
		}
		r = r.Without(l.Var).Add(c * (at - origin[d]))
	}
	return r.IsNum() && r.Const >= 0
}

// guarded returns n, run only where the rows, the same for all threads, are >= 0.
func guarded(rows []affine.Sum, n gpu.Node) gpu.Node {
	if len(rows) == 0 {
		return n
	}
	return gpu.If{Cond: cond([][]affine.Sum{rows}), Then: []gpu.Node{n}}
}

// copyOnce returns what a block does before its first tile.
func (ph *tiles) copyOnce() (nodes []gpu.Node) {
	for _, f := range ph.staged {
		if f.once {
			for _, w := range f.copyInPartial(ph) {
				nodes = append(nodes, w.nodes()...)
			}
		}
	}
	if nodes == nil {
		return nil
	}
	return append(nodes, gpu.Barrier{Role: gpu.Role{Kind: gpu.BeforeFirstTile}})
}

// ref returns the element that acc uses at the instances of s.
func (ph *plan) ref(s astgen.Slice, acc *scop.Access) gpu.Ref {
	f := ph.find(ph.view(acc))
	if f == nil {
		return gpu.Ref{Array: acc.Array, Index: s.Subscripts(ph.scop, acc)}
	}
	r := gpu.Ref{Buffer: f.buffer, Array: acc.Array}
	t := ph.touchAt(f.layout, s, acc)
	for k := range f.space {
		r.Index = append(r.Index, f.place(k, f.local(&ph.launch, t, k)))
	}
	return r
}

// local returns the local index in dimension k of what t touches, over the local coordinates.
func (f *staged) local(ph *launch, t touch, k int) affine.Sum {
	l := affine.Num(t.offset[k] - f.any.around.Lo[k])
	if p := f.space[k]; p >= 0 {
		l = l.Plus(affine.Var(ph.names.Points[p]))
	}
	return l
}

// role returns the role of nodes of that kind for the array of f.
func (f *staged) role(kind gpu.RoleKind) gpu.Role { return gpu.Role{Kind: kind, Array: f.whole} }
