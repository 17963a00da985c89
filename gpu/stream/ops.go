package stream

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file writes down what the warps of a stage do in a beat.

// A window is the rows of one step that a warp holds in registers, of one line: row 0 is the newest at beats that are multiples of rows, row 1 one
// beat later, and so on.
type window struct {
	row   *row // of the first warp of the stage
	first int  // the number of row 0 in the stage
	rows  int
	// delay is how many beats after other lines a line before the first one comes: it is not read before.
	delay int64
	// beside is the age from which on columns of the lanes beside are held, too; -1: they are not.
	beside int64
}

// at returns the number of the row of an age, at a beat of a turn.
func (w window) at(beat int, age int64) int {
	k := int64(w.rows)
	return w.first + int(affine.Remainder(int64(beat)-age+w.delay, k))
}

// A sheet is the windows of a step, by line from -halo on; nil: nothing reads it.
type sheet struct {
	row   *row
	lines []*window
}

// at returns the window of a line, nil if there is none.
func (s *sheet) at(line int64) *window {
	if i := line + s.row.halo; 0 <= i && i < int64(len(s.lines)) {
		return s.lines[i]
	}
	return nil
}

// A writer writes the ops of a stage.
type writer struct {
	*stage
	out      gpu.Stage
	incoming [][]*sheet // by how many steps before, and field; nil: it is not read
	own      [][]*sheet // by step of a warp, and field
	live     int        // words in registers from beat to beat
	enter    *gpu.Edge
	leave    *gpu.Edge
	in, exit *gpu.Cursor
	margins  *gpu.Edge         // of columns beside domains
	beside   [][][]*gpu.Beside // by step of a warp, field and line; nil: there are none
	far      []gpu.FetchLine   // what brings lines beside domains
}

// gpu returns st in the form of the IR.
func (st *stage) gpu(p *gpu.Pipeline) gpu.Stage {
	w := &writer{stage: st}
	first := st.warps[0]
	w.out = gpu.Stage{First: first.number, Count: len(st.warps), Origin: st.origin}
	sheets := func(list [][]*row, own bool) (out [][]*sheet) {
		for _, rows := range list {
			var some []*sheet
			for _, r := range rows {
				some = append(some, w.sheet(p, first, r, own))
			}
			out = append(out, some)
		}
		return out
	}
	w.incoming, w.own = sheets(first.incoming, false), sheets(first.own, true)
	w.edges(p)
	w.besides(p)
	for beat := range p.Turn {
		w.out.Beats = append(w.out.Beats, w.beat(p, beat))
	}
	w.inactive(p)
	w.words = max(w.words, w.live+w.busiest()*w.shape.Columns)
	return w.out
}

// busiest returns the words of a column of the lines that the busiest step has, one value of each.
func (w *writer) busiest() (most int) {
	for _, list := range [][][]*sheet{w.incoming, w.own} {
		for _, sheets := range list {
			n := 0
			for _, s := range sheets {
				if s != nil {
					n += len(s.lines) * s.row.array.Elem.Words()
				}
			}
			most = max(most, n)
		}
	}
	return most
}

// sheet returns the registers for a row, nil for nil: of each line that the warps compute, if it is their own, or read.
func (w *writer) sheet(p *gpu.Pipeline, first warp, r *row, own bool) *sheet {
	if r == nil {
		return nil
	}
	s := &sheet{row: r}
	for line := -r.halo; line < w.lines; line++ {
		s.lines = append(s.lines, w.window(p, first, r, line, own))
	}
	return s
}

// window returns the registers for a line of a row; nil: it is not read, nor computed.
func (w *writer) window(p *gpu.Pipeline, first warp, r *row, line int64, own bool) *window {
	x := &window{row: r, first: len(w.out.Rows), rows: 1, beside: -1}
	var uses []use
	for _, u := range w.of(r, line) {
		if first.runs(u.step, w.shape) {
			uses = append(uses, u)
		}
	}
	if len(uses) == 0 && (line < 0 || !own) {
		return nil
	}
	if line < 0 {
		_, x.delay = w.needOf(p, first, r, line)
	}
	left, right, most := 0, 0, int64(0)
	for _, u := range uses {
		most = max(most, u.age-x.delay)
		if u.shift != 0 && (x.beside < 0 || u.age < x.beside) {
			x.beside = u.age
		}
		left, right = max(left, -u.shift), max(right, u.shift)
	}
	for x.rows = int(most) + 1; p.Turn%x.rows != 0; x.rows++ {
	}
	w.live += int(most) * w.shape.Columns * r.array.Elem.Words()
	for range x.rows {
		w.out.Rows = append(w.out.Rows, gpu.Row{Array: r.array, Left: left, Right: right})
	}
	return x
}

// beat returns what the warps do in a beat of a turn.
func (w *writer) beat(p *gpu.Pipeline, beat int) (ops []gpu.WarpOp) {
	slot := beat % p.Slots
	for j, sheets := range w.incoming {
		for number, s := range sheets {
			if s == nil {
				continue
			}
			ops = append(ops, w.before(p, s, -1-j, number, beat)...)
			for line := range w.lines {
				if x := s.at(line); x != nil {
					row := x.at(beat, 0)
					ops = append(ops, gpu.ReadRow{Row: row, Ring: w.ring(j, number, line), From: w.from(line), Slot: w.filled(p, beat, int64(p.Period)), Shift: w.shifts()})
					if w.handsOn(s, line) {
						ring, to := w.outgoing(-1-j, number, line, w.warps[0])
						ops = append(ops, gpu.WriteRow{Row: row, Ring: ring, To: to, Slot: slot})
					}
				}
			}
		}
	}
	if w.margins != nil {
		ops = append(ops, gpu.Fetch{Edge: w.margins, Slot: (beat + p.Ahead) % p.Slots, Cursor: w.out.Margins, Border: true})
	}
	ops = append(ops, w.fetchLines(p, beat)...)
	exchanged := map[*window]bool{}
	for k := range w.shape.Steps {
		for line := range w.lines {
			for _, u := range w.reads(k, line) {
				if x := u.window; x.beside == u.age && !exchanged[x] && u.step != x.row.step { // not before it is computed
					n := x.at(beat, u.age)
					ops = append(ops, gpu.Exchange{Row: n, Left: w.out.Rows[n].Left, Right: w.out.Rows[n].Right})
					exchanged[x] = true
				}
			}
			for _, border := range []bool{false, true} {
				for _, st := range w.stmts(w.warps[0].first + int64(k)) {
					if w.inPlane(st) != border {
						ops = append(ops, w.evaluate(k, line, beat, st))
					}
				}
			}
			for number, s := range w.own[k] {
				row := s.at(line).at(beat, 0)
				ops = append(ops, w.patch(k, number, line, row, slot))
				ops = append(ops, w.enters(k, number, line, row, slot)...)
				ops = append(ops, w.leaves(k, number, line, row, slot)...)
				j := w.shape.Steps - 1 - k
				if j < len(w.rings) {
					ops = append(ops, gpu.WriteRow{Row: row, Ring: w.ring(j, number, line), To: w.to(line), Slot: slot})
				}
				if s.row.last(w.lines, line) && (j >= len(w.rings) || w.across > 1 && s.at(line-w.lines) != nil) {
					ring, to := w.outgoing(k, number, line, w.warps[0])
					ops = append(ops, gpu.WriteRow{Row: row, Ring: ring, To: to, Slot: slot})
				}
			}
		}
		for number, s := range w.own[k] {
			ops = append(ops, w.before(p, s, k, number, beat)...)
		}
	}
	if w.enter != nil {
		ops = append(ops, gpu.Fetch{Edge: w.enter, Slot: (beat + p.Ahead) % p.Slots, Cursor: w.in})
	}
	if w.leave != nil {
		ops = append(ops, gpu.Put{Edge: w.leave, Slot: slot, Cursor: w.exit})
	}
	return ops
}

// filled returns the slot of what was written, or copied, for a beat, at a distance of beats before.
func (w *writer) filled(p *gpu.Pipeline, beat int, distance int64) int {
	return int(affine.Remainder(int64(beat)-distance, int64(p.Slots)))
}

// from and to return how much further than the number of a warp that is which it reads of a line, in the rings between warps, and that which it writes.
func (w *writer) from(line int64) int {
	first := w.warps[0]
	return w.lowering.number(line, first.order, first.across) - first.number
}

func (w *writer) to(line int64) int {
	first := w.warps[0]
	return w.lowering.number(line, first.order+1, first.across) - first.number
}

// before returns what reads the lines before the first one of a row of step k of the warps, -1 for the last step before theirs.
func (w *writer) before(p *gpu.Pipeline, s *sheet, k, number, beat int) (ops []gpu.WarpOp) {
	for line := -s.row.halo; line < 0; line++ {
		if x := s.at(line); x != nil {
			ring, from, distance := w.halos(k, number, line, w.warps[0], x.delay)
			shift := make([]int, len(w.warps))
			if k < 0 && w.across > 1 && w.warps[0].order > 0 {
				shift = w.shifts()
			}
			ops = append(ops, gpu.ReadRow{Row: x.at(beat, x.delay), Ring: ring, From: from, Slot: w.filled(p, beat, distance), Shift: shift})
		}
	}
	return ops
}

// last reports whether the strip behind reads a line of r.
func (r *row) last(lines, line int64) bool { return line >= lines-r.halo }

// shifts returns, by warp, how far its columns lie from those of the warp before.
func (w *writer) shifts() (all []int) {
	for _, x := range w.warps {
		at := affine.Eval(w.origin, map[string]int64{w.vars.Warp: int64(x.number)})
		all = append(all, int(at-w.origins[x.order]))
	}
	return all
}

// A reading is a use of a row by a step, and the registers of it.
type reading struct {
	use
	*window
}

// reads returns what step k of the warps reads of rows in registers, in a line.
func (w *writer) reads(k int, line int64) (all []reading) {
	step := w.warps[0].first + int64(k)
	for _, list := range [][][]*sheet{w.incoming, w.own} {
		for _, sheets := range list {
			for _, s := range sheets {
				if s == nil {
					continue
				}
				for _, u := range s.row.uses {
					if u.step == step {
						all = append(all, reading{u, s.at(line - u.back)})
					}
				}
			}
		}
	}
	return all
}

// A place says where a row is: it stands for the variables of a flow.
type place map[string]affine.Sum

// where returns the place of the column At at iteration time of the time loop, so many beats from Beat, in a line of the strip, counted from that of the
// chain.
func (l *lowering) where(time, offset, line affine.Sum) place {
	at := place{timeVar: affine.Var(l.vars.Time).Plus(time), placeVars[0]: affine.Var(l.vars.At), placeVars[l.streamed()]: affine.Var(l.vars.Beat).Plus(offset)}
	if l.lined() {
		at[placeVars[1]] = affine.Var(l.vars.Line).Plus(line)
	}
	return at
}

// place returns the place of what step k of the warps computes in a line, in the column At.
func (w *writer) place(k int, line int64) place {
	offset, _ := w.sum(func(x warp) int64 { return x.own[k][0].offset - int64(x.behind()*w.shape.Period) })
	base, _ := w.sum(func(x warp) int64 { return x.own[k][0].base + w.lines*int64(x.across) })
	time, _ := w.sum(func(x warp) int64 { return w.iteration(x.own[k][0].step) })
	return w.where(time, offset, base.Add(line))
}

// ends returns the least and the greatest of some columns of step k of the warps.
func (w *writer) ends(k int, of func(rows []*row) interval) [2]affine.Sum {
	lo, _ := w.sum(func(x warp) int64 { return of(x.own[k]).lo })
	hi, _ := w.sum(func(x warp) int64 { return of(x.own[k]).hi })
	return [2]affine.Sum{lo, hi}
}

func (w *writer) evaluate(k int, line int64, beat int, st *scop.Stmt) gpu.Evaluate {
	at := w.place(k, line)
	e := gpu.Evaluate{
		Stmt: st, Iters: w.exprs(st, at), Own: w.ends(k, func(rows []*row) interval { return rows[0].own }),
		Operands: make([]gpu.Operand, len(st.Accesses)), Domain: w.domain(at, st), Border: !w.inPlane(st),
	}
	for _, u := range w.reads(k, line) {
		if u.stmt == st {
			e.Operands[u.access] = gpu.Operand{Row: u.at(beat, u.age), Shift: u.shift}
		}
	}
	for _, src := range w.sources[st.Order] {
		if src.field == nil {
			x := w.element(st.Accesses[src.access], w.subscripts(st, st.Accesses[src.access]), at)
			e.Operands[src.access] = gpu.Operand{Element: &x}
		}
	}
	for i, a := range st.Accesses {
		if a.Write {
			for _, s := range w.own[k] {
				if s.row.array == a.Array {
					e.Operands[i] = gpu.Operand{Row: s.at(line).at(beat, 0)}
				}
			}
		}
	}
	return e
}

func (w *writer) patch(k, number int, line int64, register, slot int) gpu.Patch {
	r, at := w.warps[0].own[k][number], w.place(k, line)
	p := gpu.Patch{
		Row: register, Element: w.useful(r, at), Own: w.ends(k, func(rows []*row) interval { return rows[number].own }),
		Domain: w.domain(at, r.stmts...), Final: w.final(at, r.field),
	}
	p.Need = p.Own // what is read beyond enters behind it
	p.Inside = w.inside(r.field, at, p.Own)
	if b := w.beside[k][number][line]; b != nil {
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
	if span, _ := w.span(func(x warp) bool {
		r := x.own[k][number]
		return r.whole || x.across == w.across-1 && r.last(w.lines, line)
	}); span.First <= span.Last {
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
	w.eachSide(func(k, number int, line int64, side int) {
		r, at := w.warps[0].own[k][number], w.place(k, line)
		for _, g := range w.groups(k, number, side, true) {
			x := w.useful(r, w.ahead(at, p.Ahead))
			in.Groups = append(in.Groups, w.cursorGroup(k, number, g, x, x.Exists))
		}
		if w.warps[0].grows {
			return
		}
		for _, g := range w.groups(k, number, side, false) {
			x := w.element(nil, r.write, at, r.field)
			out.Groups = append(out.Groups, w.cursorGroup(k, number, g, x, w.domain(at, r.stmts...)))
		}
	})
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

// eachSide calls f for both sides of each line of the fields of each step.
func (w *writer) eachSide(f func(k, number int, line int64, side int)) {
	for k, rows := range w.warps[0].own {
		for number := range rows {
			for line := range w.lines {
				f(k, number, line, 0)
				f(k, number, line, 1)
			}
		}
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
func (w *writer) enters(k, number int, line int64, row, slot int) (ops []gpu.WarpOp) {
	w.each(k, number, line, true, func(g group, n int64, element int, x int, lane affine.Sum) {
		ops = append(ops, gpu.Enter{Row: row, X: x, Lane: lane, Edge: w.enter, Slot: slot, Element: element, Warps: g.span})
	})
	return ops
}

// leaves returns what takes the columns that leave a field of step k.
func (w *writer) leaves(k, number int, line int64, row, slot int) (ops []gpu.WarpOp) {
	r, place := w.warps[0].own[k][number], w.place(k, line)
	w.each(k, number, line, false, func(g group, n int64, element int, x int, lane affine.Sum) {
		if w.leave != nil {
			ops = append(ops, gpu.Leave{Row: row, X: x, Lane: lane, Edge: w.leave, Slot: slot, Element: element, Warps: g.span})
			return
		}
		at, _ := w.sumOver(g.span, func(y warp) int64 { return beside(y.own[k][number], g.side, n, false) })
		ops = append(ops, gpu.StoreColumn{
			Row: row, X: x, Lane: lane, Warps: g.span, At: at.Plus(affine.Var(w.vars.Column)),
			Element: w.element(nil, r.write, place, r.field), Domain: w.domain(place, r.stmts...),
		})
	})
	return ops
}

// each calls f for each column that enters or leaves a field of step k in a line, with its number among all of the stage, and the register and the lane that
// hold it.
func (w *writer) each(k, number int, line int64, enter bool, f func(g group, n int64, element, x int, lane affine.Sum)) {
	element, base := 0, w.warps[0].number
	w.eachSide(func(step, i int, at int64, side int) {
		for _, g := range w.groups(step, i, side, enter) {
			if step == k && i == number && at == line {
				for n := g.from; n < g.from+g.count; n++ {
					column := func(x warp) int64 { return beside(x.own[k][number], side, n, enter) }
					first := w.warps[g.span.First-base]
					x, lane, _ := w.lane(g.span, column)
					f(g, n, element+int(column(first)-g.first(first.own[k][number])), x, lane)
				}
			}
			element += int(g.count)
		}
	})
}
