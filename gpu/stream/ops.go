package stream

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file writes down what the warps of a stage do in a beat.

// A window is the rows of one step that a warp holds in registers: row 0 is the newest at beats that are multiples of rows, row 1 one
// beat later, and so on.
type window struct {
	row   *row // of the first warp of the stage
	first int  // the number of row 0 in the stage
	rows  int
	// beside is the age from which on columns of the lanes beside are held, too; -1: they are not.
	beside int64
}

// at returns the number of the row of an age, at a beat of a turn.
func (w window) at(beat int, age int64) int {
	k := int64(w.rows)
	return w.first + int(affine.Remainder(int64(beat)-age, k))
}

// A writer writes the ops of a stage.
type writer struct {
	*stage
	out      gpu.Stage
	incoming []*window // by how many steps before
	own      []*window // by step of a warp
	enter    *gpu.Edge
	leave    *gpu.Edge
	in, exit *gpu.Cursor
}

// gpu returns st in the form of the IR.
func (st *stage) gpu(p *gpu.Pipeline) gpu.Stage {
	w := &writer{stage: st}
	first := st.warps[0]
	w.out = gpu.Stage{First: first.number, Count: len(st.warps), Origin: st.origin}
	for _, r := range first.incoming {
		w.incoming = append(w.incoming, w.window(first, r, p.Turn))
	}
	for _, r := range first.own {
		w.own = append(w.own, w.window(first, r, p.Turn))
	}
	w.edges(p)
	for beat := range p.Turn {
		w.out.Beats = append(w.out.Beats, w.beat(p, beat))
	}
	return w.out
}

// window returns the registers for a row, nil for nil.
func (w *writer) window(first warp, r *row, turn int) *window {
	if r == nil {
		return nil
	}
	x := &window{row: r, first: len(w.out.Rows), rows: 1, beside: -1}
	uses := w.within(first, r)
	left, right, most := 0, 0, int64(0)
	for _, u := range uses {
		most = max(most, u.age)
		if u.shift != 0 && (x.beside < 0 || u.age < x.beside) {
			x.beside = u.age
		}
		left, right = max(left, -u.shift), max(right, u.shift)
	}
	for x.rows = int(most) + 1; turn%x.rows != 0; x.rows++ {
	}
	for range x.rows {
		w.out.Rows = append(w.out.Rows, gpu.Row{Array: w.write[r.stmt.Order].Array, Left: left, Right: right})
	}
	return x
}

// beat returns what the warps do in a beat of a turn.
func (w *writer) beat(p *gpu.Pipeline, beat int) (ops []gpu.WarpOp) {
	slot := beat % p.Slots
	for j, x := range w.incoming {
		if x == nil {
			continue
		}
		from := int(affine.Remainder(int64(beat-p.Period), int64(p.Slots)))
		ops = append(ops, gpu.ReadRow{Row: x.at(beat, 0), Ring: p.Rings[j], Slot: from, Shift: w.shifts()})
	}
	if w.enter != nil {
		ops = append(ops, gpu.Fetch{Edge: w.enter, Slot: (beat + p.Ahead) % p.Slots, Cursor: w.in})
	}
	exchanged := map[*window]bool{}
	for k := range w.shape.Steps {
		for _, u := range w.reads(k) {
			if x := u.window; x.beside == u.age && !exchanged[x] {
				n := x.at(beat, u.age)
				ops = append(ops, gpu.Exchange{Row: n, Left: w.out.Rows[n].Left, Right: w.out.Rows[n].Right})
				exchanged[x] = true
			}
		}
		ops = append(ops, w.evaluate(k, beat), w.patch(k, beat))
		ops = append(ops, w.enters(k, beat, slot)...)
		ops = append(ops, w.leaves(k, beat, slot)...)
		if j := w.shape.Steps - 1 - k; j < len(p.Rings) {
			ops = append(ops, gpu.WriteRow{Row: w.own[k].at(beat, 0), Ring: p.Rings[j], Slot: slot})
		}
	}
	if w.leave != nil {
		ops = append(ops, gpu.Put{Edge: w.leave, Slot: slot, Cursor: w.exit})
	}
	return ops
}

// shifts returns, by warp, how far its columns lie from those of the warp before.
func (w *writer) shifts() (all []int) {
	for _, x := range w.warps {
		at := affine.Eval(w.origin, map[string]int64{w.vars.Warp: int64(x.number)})
		all = append(all, int(at-w.origins[x.number]))
	}
	return all
}

// A reading is a use of a row by a step, and the registers of it.
type reading struct {
	use
	*window
}

// reads returns what step k of the warps reads of rows in registers.
func (w *writer) reads(k int) (all []reading) {
	first := w.warps[0]
	step := first.first + int64(k)
	for _, list := range [][]*window{w.incoming, w.own} {
		for _, x := range list {
			if x == nil {
				continue
			}
			for _, u := range x.row.uses {
				if u.step == step {
					all = append(all, reading{u, x})
				}
			}
		}
	}
	return all
}

// point returns the iterators of step k of the warps, at beat Beat, in the column At.
func (w *writer) point(k int) []affine.Expr {
	r := w.warps[0].own[k]
	offset, _ := w.sum(func(x warp) int64 { return x.own[k].offset })
	time, _ := w.sum(func(x warp) int64 { return w.iteration(x.own[k].step) })
	return w.exprs(r.stmt, w.at(time, offset, affine.Var(w.vars.At)))
}

// A place says where a row is: it stands for the variables of a flow.
type place map[string]affine.Sum

// at returns the place of a row of the warps at iteration time of the time loop, so many rows from that of its tile.
func (w *writer) at(time, offset, column affine.Sum) place {
	behind := affine.Var(w.vars.Beat).Minus(affine.Var(w.vars.Warp).Times(int64(w.shape.Period)))
	return place{timeVar: affine.Var(w.vars.Time).Plus(time), placeVars[0]: column, placeVars[1]: behind.Plus(offset)}
}

// rowPlace returns the place of what step k of the warps computes, in the column At.
func (w *writer) rowPlace(k int) place {
	offset, _ := w.sum(func(x warp) int64 { return x.own[k].offset })
	time, _ := w.sum(func(x warp) int64 { return w.iteration(x.own[k].step) })
	return w.at(time, offset, affine.Var(w.vars.At))
}

// own returns the least and the greatest local coordinate that step k of the warps computes.
func (w *writer) ownOf(k int) [2]affine.Sum {
	lo, _ := w.sum(func(x warp) int64 { return x.own[k].own.lo })
	hi, _ := w.sum(func(x warp) int64 { return x.own[k].own.hi })
	return [2]affine.Sum{lo, hi}
}

func (w *writer) evaluate(k, beat int) gpu.Evaluate {
	st := w.warps[0].own[k].stmt
	e := gpu.Evaluate{
		Row: w.own[k].at(beat, 0), Stmt: st, Iters: w.point(k), Own: w.ownOf(k),
		Operands: make([]gpu.Operand, len(st.Accesses)), Domain: w.domain(st, w.rowPlace(k)),
	}
	for _, u := range w.reads(k) {
		e.Operands[u.access] = gpu.Operand{Row: u.at(beat, u.age), Shift: u.shift}
	}
	for _, src := range w.sources[st.Order] {
		if src.stmt == nil {
			x := w.element(st, st.Accesses[src.access], w.rowPlace(k))
			e.Operands[src.access] = gpu.Operand{Element: &x}
		}
	}
	return e
}

func (w *writer) patch(k, beat int) gpu.Patch {
	r := w.warps[0].own[k]
	p := gpu.Patch{
		Row: w.own[k].at(beat, 0), Element: w.useful(r, w.rowPlace(k)), Own: w.ownOf(k),
		Domain: w.domain(r.stmt, w.rowPlace(k)), Final: w.final(r.stmt, w.rowPlace(k)),
	}
	p.Need[0], _ = w.sum(func(x warp) int64 { return x.own[k].own.hull(x.own[k].need).lo })
	p.Need[1], _ = w.sum(func(x warp) int64 { return x.own[k].own.hull(x.own[k].need).hi })
	for side := range 2 {
		for _, g := range w.groups(k, side, false) {
			lo, _ := w.sumOver(g.span, func(x warp) int64 { return g.first(x.own[k]) })
			p.Stored = append(p.Stored, gpu.Columns{Warps: g.span, Lo: lo, Hi: lo.Add(g.count - 1)})
		}
	}
	if span, _ := w.span(func(x warp) bool { return x.own[k].whole }); span.First <= span.Last {
		lo, _ := w.sumOver(span, func(x warp) int64 { return x.own[k].own.lo })
		hi, _ := w.sumOver(span, func(x warp) int64 { return x.own[k].own.hi })
		p.Stored = append(p.Stored, gpu.Columns{Warps: span, Lo: lo, Hi: hi})
	}
	return p
}

// A group is neighbouring columns that enter or leave a step at one side, in some warps.
type group struct {
	span    gpu.Span
	side    int
	outside bool
	from    int64 // the columns that many from the side are the first and the last of them: those from .. from+count-1
	count   int64
}

// first returns the least column of g.
func (g group) first(r *row) int64 {
	if (g.side == 0) == g.outside {
		return beside(r, g.side, g.from+g.count-1, g.outside)
	}
	return beside(r, g.side, g.from, g.outside)
}

// groups returns the columns that enter or leave step k at a side.
func (w *writer) groups(k, side int, enter bool) (all []group) {
	count := func(x warp) int64 {
		switch r := x.own[k]; {
		case enter:
			return r.enter[side]
		case r.whole:
			return 0
		default:
			return r.leave[side]
		}
	}
	most := int64(0)
	for _, x := range w.warps {
		most = max(most, count(x))
	}
	for n := int64(1); n <= most; n++ {
		span, _ := w.span(func(x warp) bool { return count(x) >= n })
		if last := len(all) - 1; last >= 0 && all[last].span == span {
			all[last].count++
			continue
		}
		all = append(all, group{span, side, enter, n, 1})
	}
	return all
}

// edges makes what columns enter and leave by.
func (w *writer) edges(p *gpu.Pipeline) {
	array := func(k int) *scop.Array { return w.write[w.warps[0].own[k].stmt.Order].Array }
	var in, out gpu.Cursor
	for k := range w.shape.Steps {
		r := w.warps[0].own[k]
		for side := range 2 {
			for _, g := range w.groups(k, side, true) {
				x := w.useful(r, w.ahead(w.rowPlace(k), p.Ahead))
				in.Groups = append(in.Groups, w.cursorGroup(k, g, x, x.Exists))
			}
			if w.warps[0].grows {
				continue
			}
			for _, g := range w.groups(k, side, false) {
				x := w.element(r.stmt, w.write[r.stmt.Order], w.rowPlace(k))
				out.Groups = append(out.Groups, w.cursorGroup(k, g, x, w.domain(r.stmt, w.rowPlace(k))))
			}
		}
	}
	name := w.names.Fresh
	if n := in.Elements(); n > 0 {
		in.Name = name("enter")
		w.in, w.enter = &in, &gpu.Edge{Name: name("entering"), Array: array(0), Elements: n}
		w.out.Cursors, p.Edges = append(w.out.Cursors, w.in), append(p.Edges, w.enter)
	}
	if n := out.Elements(); n > 0 {
		out.Name = name("leave")
		w.exit, w.leave = &out, &gpu.Edge{Name: name("leaving"), Array: array(0), Elements: n}
		w.out.Cursors, p.Edges = append(w.out.Cursors, w.exit), append(p.Edges, w.leave)
	}
}

// ahead returns a place so many beats later.
func (w *lowering) ahead(at place, beats int) place {
	later := place{}
	for name, x := range at {
		later[name] = x.Plus(affine.Num(x.Coef(w.vars.Beat) * int64(beats)))
	}
	return later
}

func (w *writer) cursorGroup(k int, g group, x gpu.Element, guard astgen.Cond) gpu.Group {
	at, _ := w.sumOver(g.span, func(x warp) int64 { return g.first(x.own[k]) })
	return gpu.Group{Count: int(g.count), Warps: g.span, At: at.Plus(affine.Var(w.vars.Column)), Element: x, Guard: guard}
}

// enters returns what sets the columns that enter step k.
func (w *writer) enters(k, beat, slot int) (ops []gpu.WarpOp) {
	w.each(k, true, func(g group, n int64, element int, x int, lane affine.Sum) {
		ops = append(ops, gpu.Enter{Row: w.own[k].at(beat, 0), X: x, Lane: lane, Edge: w.enter, Slot: slot, Element: element, Warps: g.span})
	})
	return ops
}

// leaves returns what takes the columns that leave step k.
func (w *writer) leaves(k, beat, slot int) (ops []gpu.WarpOp) {
	r := w.warps[0].own[k]
	w.each(k, false, func(g group, n int64, element int, x int, lane affine.Sum) {
		if w.leave != nil {
			ops = append(ops, gpu.Leave{Row: w.own[k].at(beat, 0), X: x, Lane: lane, Edge: w.leave, Slot: slot, Element: element, Warps: g.span})
			return
		}
		at, _ := w.sumOver(g.span, func(y warp) int64 { return beside(y.own[k], g.side, n, false) })
		ops = append(ops, gpu.StoreColumn{
			Row: w.own[k].at(beat, 0), X: x, Lane: lane, Warps: g.span, At: at.Plus(affine.Var(w.vars.Column)),
			Element: w.element(r.stmt, w.write[r.stmt.Order], w.rowPlace(k)), Domain: w.domain(r.stmt, w.rowPlace(k)),
		})
	})
	return ops
}

// each calls f for each column that enters or leaves step k, with its number among all of the stage, and the register and the lane that hold it.
func (w *writer) each(k int, enter bool, f func(g group, n int64, element, x int, lane affine.Sum)) {
	element := 0
	for step := range k + 1 {
		for side := range 2 {
			for _, g := range w.groups(step, side, enter) {
				for n := g.from; n < g.from+g.count; n++ {
					if step < k {
						continue
					}
					column := func(x warp) int64 { return beside(x.own[k], side, n, enter) }
					first := g.first(w.warps[g.span.First-w.warps[0].number].own[k])
					x, lane, _ := w.lane(g.span, column)
					f(g, n, element+int(column(w.warps[g.span.First-w.warps[0].number])-first), x, lane)
				}
				element += int(g.count)
			}
		}
	}
}
