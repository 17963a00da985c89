package stream

import (
	"fmt"
	"maps"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says where there are instances and elements, in turns of a pipeline that are not known to be full.

// exprs returns the iterators of st at a place.
func (l *lowering) exprs(st *scop.Stmt, at place) (all []affine.Expr) {
	for _, x := range l.iters[st.Order] {
		all = append(all, x.Subst(at))
	}
	return all
}

// conj returns the conjunction of rows at a place.
func conj(at place, lists ...[]affine.Sum) astgen.Cond {
	all := []affine.Expr{}
	for _, rows := range lists {
		for _, x := range rows {
			all = append(all, x.Subst(at))
		}
	}
	return astgen.Cond{all}
}

// domain returns where a place is an instance of one of some statements.
func (l *lowering) domain(at place, stmts ...*scop.Stmt) (c astgen.Cond) {
	for _, st := range stmts {
		r := l.rows[st]
		c = append(c, conj(at, r.first, r.last, r.space)...)
	}
	return c
}

// element returns the element of an array with those subscripts at a place, which exists where all of them are within the extents. It is that of an
// access, or of a field.
func (l *lowering) element(a *scop.Access, subscripts []affine.Sum, at place, of ...*field) gpu.Element {
	var x gpu.Element
	mod := func(k int) int64 { return a.Index[k].Mod }
	if a != nil {
		x.Array = a.Array
	} else {
		x.Array, mod = of[0].array, func(k int) int64 { return of[0].mod[k] }
	}
	var exists []affine.Expr
	for k, s := range subscripts {
		s = s.Subst(at)
		if m := mod(k); m > 0 {
			x.Index = append(x.Index, affine.Modulo(s, m))
			continue
		}
		x.Index = append(x.Index, s)
		extent := l.space.Scop.Sum(x.Array.Extents[k], nil)
		exists = append(exists, s, extent.Minus(s).Add(-1))
	}
	x.Exists = astgen.Cond{exists}
	return x
}

// useful returns the element of the results of a row at a place. It exists where an instance may read it that runs: no later than the time loop ends,
// nor before it begins by more than there is between the row and its readers. Elsewhere another tile might be writing it.
func (l *lowering) useful(r *row, at place) gpu.Element {
	x := l.element(nil, r.write, at, r.field)
	for _, y := range l.times(r, at) {
		x.Exists[0] = append(x.Exists[0], y)
	}
	return x
}

// times returns when an instance that runs may read the results of a row at a place.
func (l *lowering) times(r *row, at place) (all []affine.Sum) {
	rows := l.rows[r.stmts[0]]
	later := place{}
	for name, v := range at {
		later[name] = v
	}
	most := int64(0)
	for _, st := range l.space.Scop.Stmts {
		for _, src := range l.sources[st.Order] {
			if src.field == r.field {
				most = max(most, l.iteration(r.step+src.steps)-l.iteration(r.step))
			}
		}
	}
	later[timeVar] = at[timeVar].Add(most)
	for _, y := range rows.first {
		all = append(all, y.Subst(later))
	}
	for _, y := range rows.last {
		all = append(all, y.Subst(at))
	}
	return all
}

// inside returns where some columns of a row at a place are instances of the statement in the plane, none of them the last that writes its element of x.
func (l *lowering) inside(x *field, at place, columns [2]affine.Sum) astgen.Cond {
	st, all := x.stmts[0], []affine.Expr{}
	r := l.rows[st]
	for _, list := range [][]affine.Sum{r.first, r.last, r.space, l.lasts(st, x)} {
		for _, row := range list {
			end := 0 // the column at which it is least
			if row.Coef(placeVars[0]) < 0 {
				end = 1
			}
			there := maps.Clone(at)
			there[placeVars[0]] = affine.Var(l.vars.Column).Plus(columns[end])
			all = append(all, row.Subst(there))
		}
	}
	return astgen.Cond{all}
}

// final returns where an instance at a place is the last one that writes its element of a field, which somebody may read behind the region.
func (l *lowering) final(at place, x *field) astgen.Cond {
	c := astgen.Cond{}
	for _, st := range x.stmts {
		for _, row := range l.lasts(st, x) {
			for _, all := range l.domain(at, st) {
				c = append(c, append(all, row.Subst(at).Negated()))
			}
		}
	}
	return c
}

// lasts returns what holds where an instance of st is not the last that writes its element of a field; nothing if nobody reads it behind the region.
func (l *lowering) lasts(st *scop.Stmt, x *field) (rows []affine.Sum) {
	if x.array.Local {
		return nil
	}
	again := place{timeVar: affine.Var(timeVar).Add(x.again)}
	for _, y := range l.rows[st].last {
		rows = append(rows, y.Subst(again))
	}
	return rows
}

// full returns where, from beat Beat to Last, all points of the tiles that any warp runs or whose rows it copies are instances of the statements in the plane,
// none of them the last that writes its element. Then there are none of those at borders, which write the same elements.
func (l *lowering) full(p *gpu.Pipeline) astgen.Cond {
	all := []affine.Expr{}
	for _, x := range l.fields {
		st := x.stmts[0]
		r := l.rows[st]
		for _, list := range [][]affine.Sum{r.first, r.last, r.space, l.lasts(st, x)} {
			for _, row := range list {
				all = leastOf(all, l.least(p, x, row))
			}
		}
	}
	for i := range p.Stages {
		for _, op := range p.Stages[i].Beats[0] {
			if e, ok := op.(gpu.Evaluate); ok && !e.Border {
				for _, o := range e.Operands {
					if o.Element != nil {
						all = l.inAllLanes(p, &p.Stages[i], o.Element, all)
					}
				}
			}
		}
	}
	return astgen.Cond{all}
}

// inAllLanes adds where x exists for all columns of the warps of a stage: all lanes load it, whether the column is the tile's or not.
func (l *lowering) inAllLanes(p *gpu.Pipeline, st *gpu.Stage, x *gpu.Element, all []affine.Expr) []affine.Expr {
	for _, row := range x.Exists[0] {
		for q := st.First; q < st.First+st.Count; q++ {
			warp := map[string]affine.Sum{l.vars.Warp: affine.Num(int64(q))}
			first := st.Origin.Subst(warp).Plus(affine.Var(l.vars.Column))
			for _, column := range []int64{0, l.shape.width() - 1} {
				least := row.(affine.Sum).Subst(warp).Subst(map[string]affine.Sum{l.vars.At: first.Add(column)})
				if least.Coef(l.vars.Beat) < 0 {
					least = least.Subst(map[string]affine.Sum{l.vars.Beat: affine.Var(l.vars.Last)})
				}
				all = leastOf(all, least)
			}
		}
	}
	return all
}

// leastOf adds a row, unless it follows from one that there is, or in place of one that follows from it.
func leastOf(all []affine.Expr, row affine.Sum) []affine.Expr {
	for i, x := range all {
		if x, ok := x.(affine.Sum); ok && x.Parallel(row) {
			if row.Const < x.Const {
				all[i] = row
			}
			return all
		}
	}
	return append(all, row)
}

// least returns the least value of row among the points at which x is computed.
func (l *lowering) least(p *gpu.Pipeline, x *field, row affine.Sum) affine.Sum {
	t, c0, c1 := row.Coef(timeVar), row.Coef(placeVars[0]), row.Coef(placeVars[l.streamed()])
	beat, before, behind := l.vars.Beat, -int64(p.Period*(l.latest()+2)), int64(p.Ahead)+l.depth
	if c1 < 0 {
		beat, before = l.vars.Last, behind
	}
	out := row.Without(timeVar).Without(placeVars[0]).Without(placeVars[l.streamed()])
	line, last := int64(0), int64(0) // how much the row grows with the line, and at which one it is least
	if l.lined() {
		if line = row.Coef(placeVars[1]); line < 0 {
			last = l.lines*int64(l.across) - 1
		}
		out = out.Without(placeVars[1]).Plus(affine.Var(l.vars.Line).Times(line))
	}
	out = out.Plus(affine.Var(l.vars.Time).Times(t)).Plus(affine.Var(l.vars.Column).Times(c0)).Plus(affine.Var(beat).Times(c1))
	least, some := int64(0), false
	for a := range l.height {
		if l.levelOf(a) != x.level {
			continue
		}
		r := l.at(a)[x.number]
		for _, column := range []int64{r.own.lo, r.own.hi} {
			v := t*l.iteration(a) + c0*column + c1*(before+r.offset) + line*(r.base+last)
			if !some || v < least {
				least, some = v, true
			}
		}
	}
	return out.Add(least)
}

// kernel returns the kernel of a phase.
func (l *lowering) kernel(p *astgen.Program, d machine.Device, launch astgen.Launch, pipe *gpu.Pipeline) *gpu.Kernel {
	s := p.Schedule
	ph := s.Phases[launch.Phase]
	loop, ok := launch.Body.(astgen.For)
	if !ok || loop.Role != schedule.Block {
		panic("stream: a launch without blocks")
	}
	along, ok := loop.Body.(astgen.For)
	if !ok {
		panic("stream: tiles of a block without a loop")
	}
	hex, offset := ph.Space[0], ph.Space[l.streamed()].Offset
	k := &gpu.Kernel{
		Name: l.space.Scop.Function + "_phase" + string(rune('0'+launch.Phase)), Phase: launch.Phase,
		Grid:    []gpu.Axis{{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi}},
		Threads: [3]int{pipe.Threads(), 1, 1},
	}
	var line affine.Expr
	if l.lined() {
		line = affine.Var(along.Var).Times(l.lines * int64(l.across)).Add(ph.Space[1].Offset)
		k.Grid = append([]gpu.Axis{{Var: along.Var, Lo: along.Lo, Hi: along.Hi}}, k.Grid...)
		if along, ok = along.Body.(astgen.For); !ok {
			panic("stream: tiles of a strip without a loop")
		}
	}
	t := affine.Var(p.Names.T)
	time := affine.Floor(t.Times(s.Height).Add(-ph.TimeShift), int64(l.space.K))
	column := affine.Var(loop.Var).Times(hex.Stride).Plus(t.Times(hex.Drift)).Add(hex.Offset)
	k.Registers = l.registers(pipe)
	before, behind := l.besideRows(pipe)
	wait := l.wait(pipe)
	st := gpu.Stream{
		Pipeline: pipe, Time: time, Column: column, Line: line,
		Lo: affine.Offset(along.Lo, offset-before),
		Hi: affine.Offset(along.Hi, offset+behind),
	}
	if s.Waits != nil {
		if st.Lag = s.Waits.Steps[launch.Phase].Lag + wait; s.Waits.Along {
			// its last warp across stores a period behind what it computes, of the same step and row that the first warp loads Ahead of its own
			st.Behind = int64(pipe.Every - 1 + pipe.Ahead + pipe.Period*l.across)
		}
	}
	k.Body = []gpu.Node{st}
	k.Resident = k.ResidentOn(d, 0)
	return k
}

// besideRows returns how many beats a chain of p has before those of its rows, and how many behind them.
func (l *lowering) besideRows(p *gpu.Pipeline) (before, behind int64) {
	return l.depth - 1 + int64(p.Ahead), int64(p.Period * (l.latest() + 1))
}

// wait returns how many beats further than the rows that it reads a chain has to be, for them to be in memory, when another one begins to copy them.
func (l *lowering) wait(p *gpu.Pipeline) int64 {
	_, behind := l.besideRows(p)
	wait := int64(p.Every-1+p.Ahead) + behind
	if !l.lined() {
		wait += l.spread()
	}
	return wait
}

// registers returns how many registers a thread of p takes: for all names of its rows, or all that it may have, where it gets by with fewer.
func (l *lowering) registers(p *gpu.Pipeline) int {
	if l.squeezed(p) {
		return l.device.RegistersPerThread
	}
	named, _ := l.needs(p)
	return named
}

// squeezed reports whether there are not enough registers for all names of rows, but for the values that are in use at once, with a sixth to spare. nvcc then spilled none
// of five points of doubles, 8 columns of 4 steps. With less to spare, as of nine points, it spilled some: full turns were faster than with narrower lanes,
// but those at sides were slower, and so were whole runs.
func (l *lowering) squeezed(p *gpu.Pipeline) bool {
	named, held := l.needs(p)
	limit := l.device.RegistersPerThread
	return !l.lined() && named > limit && held <= limit-limit/6
}

// needs returns how many registers a thread of p takes: those of its rows, those of values that are the same in all rows, and as many again as nvcc was seen to take
// for addresses and for what it calculates. Rows have more names than values that are in use at once: in two dimensions named is with those of names, held with those of values;
// of functions and divisions, and where columns are loaded straight from global memory, nvcc was not seen to get by with fewer.
func (l *lowering) needs(p *gpu.Pipeline) (named, held int) {
	const addresses, exchanged, called = 28, 16, 24 // of values that are exchanged or being calculated, by words; of a division or a function of two words
	for _, st := range p.Stages {
		values, words, calls := map[string]int{}, 1, false
		n, rows, direct := addresses, 0, false
		for _, r := range st.Rows {
			w := r.Array.Elem.Words()
			words = max(words, w)
			if !l.lined() {
				rows += p.Columns * w
			}
		}
		if l.lined() { // there are more names than values
			rows = l.words
		}
		n += rows
		first := map[*scop.Stmt]affine.Expr{} // of the first line of a step: others take their turn
		borders := 0                          // of a statement at borders, at most: one after the other runs, where it does
		for _, op := range st.Beats[0] {
			e, ok := op.(gpu.Evaluate)
			if !ok {
				continue
			}
			if last := first[e.Stmt]; l.lined() && last != nil && affine.Same(last, e.Iters[0]) {
				continue
			}
			first[e.Stmt] = e.Iters[0]
			calls = calls || e.Stmt.Calls() > 0
			own := 0
			beside := map[int]bool{} // rows of which columns of the lanes beside are read
			reach := 0
			for _, o := range e.Operands {
				switch {
				case o.Element == nil && o.Shift != 0:
					beside[o.Row], reach = true, max(reach, o.Shift, -o.Shift)
				case o.Element != nil && p.Same(o.Element):
					values[fmt.Sprint(o.Element.Array.Name, o.Element.Index)] = o.Element.Array.Elem.Words()
				case o.Element != nil: // loads of all columns on their way
					direct = true
					own += p.Columns * o.Element.Array.Elem.Words() / p.Steps
				}
			}
			own += max(0, len(e.Operands)-10) * 2 * words / p.Steps // long sums of all columns at once
			if len(beside) > 1 {                                    // they stay until the last row that they are read with has come
				own += (len(beside) - 1) * 2 * reach * words
			}
			own += min(len(e.Stmt.Body)-1, 4) * words
			if e.Border {
				borders = max(borders, own)
			} else {
				n += own
			}
		}
		n += borders
		for _, w := range values {
			n += w
		}
		n += exchanged * words
		if calls {
			n += called * (words - 1)
		}
		named = max(named, n)
		if !calls && !direct {
			n += l.words - rows
		}
		held = max(held, n)
	}
	return named, held
}

// spread returns for how many beats a chain writes to a row, and to the elements beside those that another chain copies from
// it: what a multiprocessor's cache holds of them is the same as in memory once all are written.
func (l *lowering) spread() int64 {
	var lo, hi int64
	for _, rows := range l.steps {
		for _, r := range rows {
			lo, hi = min(lo, r.offset), max(hi, r.offset)
		}
	}
	return hi - lo
}
