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
	incoming [][]*window // by how many steps before, and field; nil: it is not read
	own      [][]*window // by step of a warp, and field
	enter    *gpu.Edge
	leave    *gpu.Edge
	in, exit *gpu.Cursor
	margins  *gpu.Edge       // of columns beside domains
	beside   [][]*gpu.Beside // by step of a warp, and field; nil: there are none
}

// gpu returns st in the form of the IR.
func (st *stage) gpu(p *gpu.Pipeline) gpu.Stage {
	w := &writer{stage: st}
	first := st.warps[0]
	w.out = gpu.Stage{First: first.number, Count: len(st.warps), Origin: st.origin}
	windows := func(list [][]*row) (out [][]*window) {
		for _, rows := range list {
			var some []*window
			for _, r := range rows {
				some = append(some, w.window(first, r, p.Turn))
			}
			out = append(out, some)
		}
		return out
	}
	w.incoming, w.own = windows(first.incoming), windows(first.own)
	w.edges(p)
	w.besides(p)
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
		w.out.Rows = append(w.out.Rows, gpu.Row{Array: r.array, Left: left, Right: right})
	}
	return x
}

// beat returns what the warps do in a beat of a turn.
func (w *writer) beat(p *gpu.Pipeline, beat int) (ops []gpu.WarpOp) {
	slot := beat % p.Slots
	for j, rows := range w.incoming {
		for number, x := range rows {
			if x != nil {
				from := int(affine.Remainder(int64(beat-p.Period), int64(p.Slots)))
				ops = append(ops, gpu.ReadRow{Row: x.at(beat, 0), Ring: w.ring(j, number), Slot: from, Shift: w.shifts()})
			}
		}
	}
	if w.enter != nil {
		ops = append(ops, gpu.Fetch{Edge: w.enter, Slot: (beat + p.Ahead) % p.Slots, Cursor: w.in})
	}
	if w.margins != nil {
		ops = append(ops, gpu.Fetch{Edge: w.margins, Slot: (beat + p.Ahead) % p.Slots, Cursor: w.out.Margins, Border: true})
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
		for _, border := range []bool{false, true} {
			for _, st := range w.stmts(w.warps[0].first + int64(k)) {
				if w.inPlane(st) != border {
					ops = append(ops, w.evaluate(k, beat, st))
				}
			}
		}
		for number, x := range w.own[k] {
			ops = append(ops, w.patch(k, number, beat, slot))
			ops = append(ops, w.enters(k, number, beat, slot)...)
			ops = append(ops, w.leaves(k, number, beat, slot)...)
			if j := w.shape.Steps - 1 - k; j < len(w.rings) {
				ops = append(ops, gpu.WriteRow{Row: x.at(beat, 0), Ring: w.ring(j, number), Slot: slot})
			}
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
	step := w.warps[0].first + int64(k)
	for _, list := range [][][]*window{w.incoming, w.own} {
		for _, rows := range list {
			for _, x := range rows {
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
	}
	return all
}

// A place says where a row is: it stands for the variables of a flow.
type place map[string]affine.Sum

// at returns the place of a row of the warps at iteration time of the time loop, so many rows from that of its tile.
func (w *writer) at(time, offset, column affine.Sum) place {
	behind := affine.Var(w.vars.Beat).Minus(affine.Var(w.vars.Warp).Times(int64(w.shape.Period)))
	return place{timeVar: affine.Var(w.vars.Time).Plus(time), placeVars[0]: column, placeVars[1]: behind.Plus(offset)}
}

// place returns the place of what step k of the warps computes, in the column At.
func (w *writer) place(k int) place {
	offset, _ := w.sum(func(x warp) int64 { return x.own[k][0].offset })
	time, _ := w.sum(func(x warp) int64 { return w.iteration(x.own[k][0].step) })
	return w.at(time, offset, affine.Var(w.vars.At))
}

// ends returns the least and the greatest of some columns of step k of the warps.
func (w *writer) ends(k int, of func(rows []*row) interval) [2]affine.Sum {
	lo, _ := w.sum(func(x warp) int64 { return of(x.own[k]).lo })
	hi, _ := w.sum(func(x warp) int64 { return of(x.own[k]).hi })
	return [2]affine.Sum{lo, hi}
}

func (w *writer) evaluate(k, beat int, st *scop.Stmt) gpu.Evaluate {
	e := gpu.Evaluate{
		Stmt: st, Iters: w.exprs(st, w.place(k)), Own: w.ends(k, func(rows []*row) interval { return rows[0].own }),
		Operands: make([]gpu.Operand, len(st.Accesses)), Domain: w.domain(w.place(k), st), Border: !w.inPlane(st),
	}
	for _, u := range w.reads(k) {
		if u.stmt == st {
			e.Operands[u.access] = gpu.Operand{Row: u.at(beat, u.age), Shift: u.shift}
		}
	}
	for _, src := range w.sources[st.Order] {
		if src.field == nil {
			x := w.element(st.Accesses[src.access], w.subscripts(st, st.Accesses[src.access]), w.place(k))
			e.Operands[src.access] = gpu.Operand{Element: &x}
		}
	}
	for i, a := range st.Accesses {
		if a.Write {
			for number, x := range w.own[k] {
				if w.warps[0].own[k][number].array == a.Array {
					e.Operands[i] = gpu.Operand{Row: x.at(beat, 0)}
				}
			}
		}
	}
	return e
}

func (w *writer) patch(k, number, beat, slot int) gpu.Patch {
	r := w.warps[0].own[k][number]
	p := gpu.Patch{
		Row: w.own[k][number].at(beat, 0), Element: w.useful(r, w.place(k)), Own: w.ends(k, func(rows []*row) interval { return rows[number].own }),
		Domain: w.domain(w.place(k), r.stmts...), Final: w.final(w.place(k), r.field),
	}
	p.Need = p.Own // what is read beyond enters behind it
	p.Inside = w.inside(r.field, w.place(k), p.Own)
	if b := w.beside[k][number]; b != nil {
		here := *b
		here.Slot = slot
		p.Beside = &here
	}
	for side := range 2 {
		for _, g := range w.groups(k, number, side, false) {
			lo, _ := w.sumOver(g.span, func(x warp) int64 { return g.first(x.own[k][number]) })
			p.Stored = append(p.Stored, gpu.Columns{Warps: g.span, Lo: lo, Hi: lo.Add(g.count - 1)})
		}
	}
	if span, _ := w.span(func(x warp) bool { return x.own[k][number].whole }); span.First <= span.Last {
		lo, _ := w.sumOver(span, func(x warp) int64 { return x.own[k][number].own.lo })
		hi, _ := w.sumOver(span, func(x warp) int64 { return x.own[k][number].own.hi })
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

// groups returns the columns that enter or leave a field of step k at a side.
func (w *writer) groups(k, number, side int, enter bool) (all []group) {
	count := func(x warp) int64 {
		switch r := x.own[k][number]; {
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
	var in, out gpu.Cursor
	for k, rows := range w.warps[0].own {
		for number, r := range rows {
			for side := range 2 {
				for _, g := range w.groups(k, number, side, true) {
					x := w.useful(r, w.ahead(w.place(k), p.Ahead))
					in.Groups = append(in.Groups, w.cursorGroup(k, number, g, x, x.Exists))
				}
				if w.warps[0].grows {
					continue
				}
				for _, g := range w.groups(k, number, side, false) {
					x := w.element(nil, r.write, w.place(k), r.field)
					out.Groups = append(out.Groups, w.cursorGroup(k, number, g, x, w.domain(w.place(k), r.stmts...)))
				}
			}
		}
	}
	name, array := w.names.Fresh, w.warps[0].own[0][0].array
	if n := in.Elements(); n > 0 {
		in.Name = name("enter")
		w.in, w.enter = &in, &gpu.Edge{Name: name("entering"), Array: array, Elements: n}
		w.out.Cursors, p.Edges = append(w.out.Cursors, w.in), append(p.Edges, w.enter)
	}
	if n := out.Elements(); n > 0 {
		out.Name = name("leave")
		w.exit, w.leave = &out, &gpu.Edge{Name: name("leaving"), Array: array, Elements: n}
		w.out.Cursors, p.Edges = append(w.out.Cursors, w.exit), append(p.Edges, w.leave)
	}
}

// ahead returns a place so many beats later.
func (l *lowering) ahead(at place, beats int) place {
	later := place{}
	for name, x := range at {
		later[name] = x.Plus(affine.Num(x.Coef(l.vars.Beat) * int64(beats)))
	}
	return later
}

func (w *writer) cursorGroup(k, number int, g group, x gpu.Element, guard astgen.Cond) gpu.Group {
	at, _ := w.sumOver(g.span, func(x warp) int64 { return g.first(x.own[k][number]) })
	return gpu.Group{Count: int(g.count), Warps: g.span, At: at.Plus(affine.Var(w.vars.Column)), Element: x, Guard: guard}
}

// enters returns what sets the columns that enter a field of step k.
func (w *writer) enters(k, number, beat, slot int) (ops []gpu.WarpOp) {
	w.each(k, number, true, func(g group, n int64, element int, x int, lane affine.Sum) {
		ops = append(ops, gpu.Enter{Row: w.own[k][number].at(beat, 0), X: x, Lane: lane, Edge: w.enter, Slot: slot, Element: element, Warps: g.span})
	})
	return ops
}

// leaves returns what takes the columns that leave a field of step k.
func (w *writer) leaves(k, number, beat, slot int) (ops []gpu.WarpOp) {
	r := w.warps[0].own[k][number]
	w.each(k, number, false, func(g group, n int64, element int, x int, lane affine.Sum) {
		if w.leave != nil {
			ops = append(ops, gpu.Leave{Row: w.own[k][number].at(beat, 0), X: x, Lane: lane, Edge: w.leave, Slot: slot, Element: element, Warps: g.span})
			return
		}
		at, _ := w.sumOver(g.span, func(y warp) int64 { return beside(y.own[k][number], g.side, n, false) })
		ops = append(ops, gpu.StoreColumn{
			Row: w.own[k][number].at(beat, 0), X: x, Lane: lane, Warps: g.span, At: at.Plus(affine.Var(w.vars.Column)),
			Element: w.element(nil, r.write, w.place(k), r.field), Domain: w.domain(w.place(k), r.stmts...),
		})
	})
	return ops
}

// each calls f for each column that enters or leaves a field of step k, with its number among all of the stage, and the register and the lane that
// hold it.
func (w *writer) each(k, number int, enter bool, f func(g group, n int64, element, x int, lane affine.Sum)) {
	element, base := 0, w.warps[0].number
	for step := range k + 1 {
		for i := range w.own[step] {
			for side := range 2 {
				for _, g := range w.groups(step, i, side, enter) {
					if step == k && i == number {
						for n := g.from; n < g.from+g.count; n++ {
							column := func(x warp) int64 { return beside(x.own[k][number], side, n, enter) }
							first := w.warps[g.span.First-base]
							x, lane, _ := w.lane(g.span, column)
							f(g, n, element+int(column(first)-g.first(first.own[k][number])), x, lane)
						}
					}
					element += int(g.count)
				}
			}
		}
	}
}
