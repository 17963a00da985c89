package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file keeps in shared memory what tiles that run wave by wave use of arrays: the box around it is copied in before the first wave, and
// an element goes back as soon as it has its last value in the tile, by the thread that has just computed that. It has where
// the next iteration of the time loop does not compute it in this tile again: at the last step, in the last rows and columns of a tile that leans,
// and where the time loop ends.

// A frontBox is the elements of an array around those that a tile by waves uses.
type frontBox struct {
	array  *scop.Array
	origin []affine.Sum // over tile indices, T and parameters
	shape  []int64
	moved  map[*scop.Access][]moved // by dimension
}

// bytes returns the size of b.
func (b frontBox) bytes() int64 {
	n := int64(b.array.Elem.Size())
	for _, x := range b.shape {
		n *= x
	}
	return gpu.Aligned(n)
}

// frontBoxes returns the boxes of the arrays of which a tile may keep elements in shared memory, of those that are written first, and why others stay in global memory.
func frontBoxes(s *schedule.Schedule, n astgen.Names) (boxes []frontBox, why []string) {
	p := s.Canonical.Scop
	all := astgen.Ends(s, n, 0)
	arrays := slices.Clone(p.Arrays)
	slices.SortStableFunc(arrays, func(a, b *scop.Array) int {
		if p.Writes(a) == p.Writes(b) {
			return 0
		}
		if p.Writes(a) {
			return -1
		}
		return 1
	})
	for _, a := range arrays {
		if b, no := frontBoxOf(p, a, all, n); no == "" {
			boxes = append(boxes, b)
		} else {
			why = append(why, stays(a, no))
		}
	}
	return boxes, why
}

// stays says why an array stays in global memory.
func stays(a *scop.Array, why string) string {
	return fmt.Sprintf("%s stays in global memory: %s", a.Name, why)
}

// within returns those of boxes for which there is room, one after the other, and why the others stay in global memory.
func within(boxes []frontBox, room int64) (kept []frontBox, why []string) {
	for _, b := range boxes {
		if n := b.bytes(); n <= room {
			kept, room = append(kept, b), room-n
		} else {
			why = append(why, stays(b.array, fmt.Sprintf("a tile needs %d bytes of it, and %d are left", n, room)))
		}
	}
	return kept, why
}

// FrontRoom returns the bytes of shared memory that a tile by waves takes, of parallelograms as schedule.FrontTiles makes them, how many elements it copies
// there, and how many arrays of those that have a box stay in global memory for want of room.
func FrontRoom(s *schedule.Schedule, d machine.Device) (bytes, elements int64, left int) {
	all, _ := frontBoxes(s, astgen.NamesOf(s))
	kept, without := within(all, int64(d.SharedBytes))
	for _, b := range kept {
		bytes, elements = bytes+b.bytes(), elements+b.bytes()/int64(b.array.Elem.Size())
	}
	return bytes, elements, len(without)
}

// A moved subscript is one to which a sum that is 0 wherever a statement runs is added, so that it follows the tile as those of other statements do:
// u[0] of a nest that has one place, i = 0, is u[i] there.
type moved struct {
	fixed int // number of the sum; -1: nothing is added
	sign  int64
}

// of returns x with what is added.
func (m moved) of(x affine.Sum, fixed []affine.Sum) affine.Sum {
	if m.fixed < 0 {
		return x
	}
	return x.Plus(fixed[m.fixed].Times(m.sign))
}

// frontBoxOf returns the box of an array, or why there is none.
func frontBoxOf(p *scop.Program, a *scop.Array, all []astgen.Slice, n astgen.Names) (b frontBox, no string) {
	b.array, b.moved = a, map[*scop.Access][]moved{}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y astgen.Slice) int { return len(x.Fixed()) - len(y.Fixed()) }) // those that follow the tile tell how
	var hi []int64
	for _, at := range all {
		for _, acc := range at.Stmt.Accesses {
			if acc.Array != a {
				continue
			}
			b.moved[acc] = nil
			for k, e := range at.Subscripts(p, acc) {
				x, isSum := e.(affine.Sum)
				switch {
				case !isSum || acc.Index[k].Mod > 0: // in a slice it may be a number, but steps are a loop here
					return b, "a subscript is a remainder"
				case acc.Write && acc.Index[k].Coef(0) != 0:
					return b, "time steps write different parts of it"
				}
				m, ok := b.move(k, x, at.Fixed(), n)
				if !ok {
					return b, "a tile uses elements of it that are as far apart as sizes say"
				}
				b.moved[acc] = append(b.moved[acc], m)
				base, least, most := ends(m.of(x, at.Fixed()), at, n)
				if len(b.origin) == k {
					b.origin, b.shape, hi = append(b.origin, base.Add(least)), append(b.shape, 0), append(hi, most)
				}
				b.origin[k].Const, hi[k] = min(b.origin[k].Const, least), max(hi[k], most)
			}
		}
	}
	for k := range b.shape {
		b.shape[k] = hi[k] - b.origin[k].Const + 1
	}
	if len(b.shape) == 0 {
		return b, "no statement uses it"
	}
	return b, ""
}

// move returns what is added to x, a subscript of dimension k, so that it lies from the origin by numbers and local coordinates; ok is false if nothing makes it so.
func (b *frontBox) move(k int, x affine.Sum, fixed []affine.Sum, n astgen.Names) (m moved, ok bool) {
	options := []moved{{fixed: -1}}
	for i := range fixed {
		options = append(options, moved{i, 1}, moved{i, -1})
	}
	for _, m := range options {
		if len(b.origin) == k {
			return m, true
		}
		if base := local(m.of(x, fixed), n); base.Equal(b.origin[k].Add(-b.origin[k].Const)) {
			return m, true
		}
	}
	return m, false
}

// local returns x without local coordinates and without its number.
func local(x affine.Sum, n astgen.Names) affine.Sum {
	for _, name := range n.Points {
		x = x.Without(name)
	}
	return x.Add(-x.Const)
}

// ends returns x without local coordinates and without its number, and between which numbers that and the coordinates lie at the points of a slice.
func ends(x affine.Sum, at astgen.Slice, n astgen.Names) (base affine.Sum, least, most int64) {
	least, most = x.Const, x.Const
	for d, name := range n.Points {
		if c := x.Coef(name); c > 0 {
			least, most = least+c*at.Lo[d], most+c*at.Hi[d]
		} else {
			least, most = least+c*at.Hi[d], most+c*at.Lo[d]
		}
	}
	return local(x, n), least, most
}

// stage decides which arrays are in shared memory, and makes their buffers.
func (w *waves) stage() {
	w.buffers = map[*scop.Array]*gpu.Buffer{}
	if w.options.Strategy == Global {
		return
	}
	all, why := frontBoxes(w.schedule, w.names)
	boxes, without := within(all, int64(w.device.SharedBytes))
	w.remarks = append(why, without...)
	w.moved = map[*scop.Access][]moved{}
	for _, b := range boxes {
		if w.options.Leave.Has(b.array) {
			w.remarks = append(w.remarks, stays(b.array, w.options.Leave[b.array.Name]))
			continue
		}
		maps.Copy(w.moved, b.moved)
		n := len(b.shape)
		buffer := &gpu.Buffer{Name: w.used.Fresh("shared_" + b.array.Name), Array: b.array, Shape: slices.Clone(b.shape), Mod: make([]int64, n), Wrap: make([]bool, n)}
		for _, x := range b.origin {
			buffer.Origin = append(buffer.Origin, x)
		}
		w.pad(b, buffer)
		w.buffers[b.array] = buffer
		w.staged = append(w.staged, buffer)
	}
	room := int64(w.device.SharedBytes)
	for _, b := range w.staged {
		room -= b.Bytes()
	}
	for i := len(w.staged) - 1; i >= 0 && room < 0; i-- { // rather conflicts than no room
		last := len(w.staged[i].Shape) - 1
		bare := w.bare[i]
		room += w.staged[i].Bytes()
		w.staged[i].Shape[last] = bare
		room -= w.staged[i].Bytes()
	}
}

// pad widens the last dimension of a buffer, where that spares conflicts of banks in statements.
func (w *waves) pad(b frontBox, buffer *gpu.Buffer) {
	last := len(b.shape) - 1
	w.bare = append(w.bare, b.shape[last])
	if last == 0 {
		return
	}
	best, least := b.shape[last], int64(-1)
	for more := range int64(machine.Banks) {
		buffer.Shape[last] = b.shape[last] + more
		if n := w.conflicts(buffer); least < 0 || n < least {
			best, least = buffer.Shape[last], n
		}
	}
	buffer.Shape[last] = best
}

// conflicts returns the passes over the banks beyond the least that the first access of a statement to b takes, summed over the warps of a block.
func (w *waves) conflicts(b *gpu.Buffer) (more int64) {
	for _, s := range w.from.Steps {
		i := slices.IndexFunc(s.Stmt.Accesses, func(acc *scop.Access) bool { return acc.Array == b.Array })
		if i < 0 {
			continue
		}
		index := w.subscripts(s, s.Stmt.Accesses[i])
		var at [machine.WarpLanes]int64
		all := w.threads[0] * w.threads[1] * w.threads[2]
		for first := 0; first < all; first += machine.WarpLanes {
			for lane := range at {
				at[lane] = -1
				if thread := first + lane; thread < all {
					at[lane] = w.offset(s, index, thread, b.Shape) * int64(b.Array.Elem.Size())
				}
			}
			lowest := slices.Min(at[:])
			for lane := range at {
				if first+lane < all {
					at[lane] -= min(lowest, 0)
				}
			}
			passes, fewest := machine.Wavefronts(&at, int64(b.Array.Elem.Size()))
			more += passes - fewest
		}
	}
	return more
}

// offset returns how far the element of a thread lies from that where all variables of its loops are 0, in a buffer of that shape.
func (w *waves) offset(s astgen.Step, index []affine.Expr, thread int, shape []int64) (off int64) {
	lanes := [3]int{thread % w.threads[0], thread / w.threads[0] % w.threads[1], thread / (w.threads[0] * w.threads[1])}
	for k, e := range index {
		off *= shape[k]
		for i, l := range s.Loops {
			if axis := w.axisOf(i, len(s.Loops)); axis >= 0 {
				off += e.(affine.Sum).Coef(l.Var) * int64(lanes[axis])
			}
		}
	}
	return off
}

// slice returns what a step runs, as a slice over the variables of waves.
func (w *waves) slice(s astgen.Step) astgen.Slice {
	at := astgen.Slice{Stmt: s.Stmt}
	for _, x := range s.Iters {
		at.Iters = append(at.Iters, x.(affine.Sum))
	}
	return at
}

// subscripts returns those of an access at a step, over the variables of waves, as they follow the tile.
func (w *waves) subscripts(s astgen.Step, acc *scop.Access) []affine.Expr {
	index := w.slice(s).Subscripts(w.scop, acc)
	for k, m := range w.moved[acc] {
		index[k] = m.of(index[k].(affine.Sum), s.Fixed)
	}
	return index
}

// ref returns the element of an access at a step.
func (w *waves) ref(s astgen.Step, acc *scop.Access) gpu.Ref {
	b := w.buffers[acc.Array]
	if b == nil {
		return w.global(s, acc)
	}
	r := gpu.Ref{Array: acc.Array, Buffer: b, Index: w.subscripts(s, acc)}
	for k, e := range r.Index {
		r.Index[k] = e.(affine.Sum).Minus(b.Origin[k].(affine.Sum))
	}
	return r
}

// global returns the element of an access at a step in global memory.
func (w *waves) global(s astgen.Step, acc *scop.Access) gpu.Ref {
	return gpu.Ref{Array: acc.Array, Index: w.slice(s).Subscripts(w.scop, acc)}
}

// copyIn returns the nodes that fill a buffer: with all elements of its box that the array has.
func (w *waves) copyIn(b *gpu.Buffer) gpu.Node {
	n := len(b.Shape)
	var loops []gpu.ThreadLoop
	c := gpu.Copy{To: gpu.Ref{Buffer: b, Array: b.Array}, From: gpu.Ref{Array: b.Array}, Box: true}
	var rows []affine.Expr
	for k := range n {
		v, origin := w.copyVar(k), b.Origin[k].(affine.Sum)
		whole := origin.Plus(affine.Var(v))
		loops = append(loops, gpu.ThreadLoop{Var: v, Lo: affine.Num(0), Hi: affine.Num(w.extent(b, k) - 1), Axis: w.axisOf(k, n)})
		c.To.Index, c.From.Index = append(c.To.Index, affine.Expr(affine.Var(v))), append(c.From.Index, affine.Expr(whole))
		rows = append(rows, whole, w.scop.Sum(b.Array.Extents[k], nil).Add(-1).Minus(whole))
	}
	return w.points(loops, astgen.Cond{rows}, c, gpu.Role{Kind: gpu.CopyIn, Array: b.Array})
}

// extent returns how many elements of dimension k of b are used.
func (w *waves) extent(b *gpu.Buffer, k int) int64 {
	if k == len(b.Shape)-1 {
		return w.bare[slices.Index(w.staged, b)]
	}
	return b.Shape[k]
}

// stores returns the nodes that store what a step has written where that is the last value of the tile.
func (w *waves) stores(s astgen.Step, t gpu.Threads) (nodes []gpu.Node) {
	for _, acc := range s.Stmt.Accesses {
		b, to := w.buffers[acc.Array], w.global(s, acc)
		if !acc.Write || b == nil || slices.ContainsFunc(nodes, func(n gpu.Node) bool { // the statement writes it twice
			have := n.(gpu.Threads).Body[0].(gpu.Copy).To
			return have.Array == to.Array && slices.EqualFunc(have.Index, to.Index, affine.Same)
		}) {
			continue
		}
		out := gpu.Threads{Loops: t.Loops, Guard: w.last(s), Role: gpu.Role{Kind: gpu.Store, Array: acc.Array}}
		out.Body = []gpu.Op{gpu.Copy{To: to, From: w.ref(s, acc)}}
		nodes = append(nodes, out)
	}
	return nodes
}

// last returns where a step runs and the next iteration of the time loop runs it at the same place in another tile, or not at all.
func (w *waves) last(s astgen.Step) astgen.Cond {
	var now []affine.Expr
	if s.Guard != nil {
		now = s.Guard[0]
	}
	var out astgen.Cond
	for _, r := range w.next(s) {
		if r.IsNum() {
			if r.Const < 0 {
				return astgen.Cond{now}
			}
			continue
		}
		out = append(out, slices.Concat(now, []affine.Expr{r.Negated()}))
	}
	if out == nil {
		panic(fmt.Sprintf("lower: %s runs at one place without end", s.Stmt.Name))
	}
	return out
}

// next returns rows that are >= 0 where the next iteration of the time loop runs a step at the same place in the tile, where this one does.
func (w *waves) next(s astgen.Step) (rows []affine.Sum) {
	names, sch := w.names, w.schedule
	q := affine.Var(names.Step)
	count := sch.Height / int64(sch.Canonical.K)
	rows = append(rows, affine.Num(count-2).Minus(q))
	by := names.Later(sch)
	have := func(r affine.Sum) bool {
		return s.Guard != nil && slices.ContainsFunc(s.Guard[0], func(e affine.Expr) bool {
			x := e.(affine.Sum)
			return x.Parallel(r) && x.Const <= r.Const
		})
	}
	if s.Guard != nil {
		for _, e := range s.Guard[0] {
			if r := e.(affine.Sum).Subst(by); !have(r) {
				rows = append(rows, r)
			}
		}
	}
	for _, l := range s.Loops[1:] { // coordinates that lean stay between the bounds of their loops
		y := affine.Var(l.Var).Subst(by)
		if d := y.Minus(affine.Var(l.Var)); d.Const > 0 {
			rows = append(rows, affine.Num(l.BoxHi).Minus(y))
		} else if d.Const < 0 {
			rows = append(rows, y)
		}
	}
	return append(rows, w.beyond(s, by[names.Wave])...)
}

// beyond returns rows that are >= 0 where wave, at which the next iteration of the time loop runs a step at the same place, is one of the loop over waves, as far as the guard of the
// step says nothing of that: where waves begin at once in all iterations, the bounds of the loop are those of the first coordinate, and no guard repeats them.
func (w *waves) beyond(s astgen.Step, wave affine.Sum) (rows []affine.Sum) {
	own := map[string]bool{w.names.Wave: true, w.names.Step: true}
	for _, name := range w.names.Lean {
		own[name] = true
	}
	bounded := func(sign int64) bool {
		return s.Guard != nil && slices.ContainsFunc(s.Guard[0], func(e affine.Expr) bool {
			x := e.(affine.Sum)
			return x.Coef(w.names.Wave)*sign > 0 && !slices.ContainsFunc(x.Terms, func(t affine.Term) bool { return !own[t.Var] })
		})
	}
	switch d := wave.Minus(affine.Var(w.names.Wave)); {
	case d.IsNum() && d.Const > 0 && !bounded(-1):
		rows = append(rows, w.from.Hi.(affine.Sum).Minus(wave))
	case d.IsNum() && d.Const < 0 && !bounded(1):
		rows = append(rows, wave.Minus(w.from.Lo.(affine.Sum)))
	}
	return rows
}
