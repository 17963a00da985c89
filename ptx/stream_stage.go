package ptx

import (
	"fmt"
	"maps"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers the loop over turns of warps that run the same code, and tells of which turns nothing is guarded.

// A stage is the warps of a pipeline that run the same code, being lowered.
type stage struct {
	*stream
	*gpu.Stage
	warp  value.Value // its number, as an index
	lane  value.Value // its number, as an index
	small value.Value // the same with 32 bits
	rows  []rowValues
	// cursors and copies move through global memory.
	cursors map[*gpu.Cursor]*cursor
	copies  []*rowCopy
	columns map[columnKey]*pointer1 // of StoreColumn
	leads   map[kin][]*pointer1
	order   []*cursor
	keys    []columnKey
	lanes3  map[string]value.Value // where the lane begins in rings and edges
	fixed   *ir.Block              // where what is the same in the whole chain is computed

	table table
	full  bool        // nothing is guarded
	slot  value.Value // of rings and edges, that slot 0 stands for; nil: that one
	late  []func()    // what is done before the next barrier
}

// rowValues are the registers of a row: of the lane, and those of lanes beside it, by their distance.
type rowValues struct{ cells, left, right []value.Value }

// stage lowers a chain in the warps of a stage, and goes on to the block next.
func (s *stream) stage(st *gpu.Stage, warp value.Value, next *ir.Block) {
	f := s.function
	g := &stage{stream: s, Stage: st, lanes3: map[string]value.Value{}, cursors: map[*gpu.Cursor]*cursor{}, columns: map[columnKey]*pointer1{}, leads: map[kin][]*pointer1{}, table: table{entries: map[string]address{}}}
	g.warp, g.small = s.asIndex(warp), f.block.NewAnd(s.thread32(), constant.NewInt(types.I32, gpu.WarpLanes-1))
	g.lane = s.asIndex(g.small)
	v := s.pipe.Vars
	outer := maps.Clone(f.vars)
	maps.Copy(f.vars, s.chainVars())
	f.vars[v.Warp], f.vars[v.Beat] = g.warp, s.short(loWord)
	g.fixed = f.block
	for _, r := range st.Rows {
		zeros := func(n int) []value.Value {
			all := make([]value.Value, n)
			for i := range all {
				all[i] = zeroOf(r.Array.Elem)
			}
			return all
		}
		g.rows = append(g.rows, rowValues{zeros(s.pipe.Columns), zeros(r.Left), zeros(r.Right)})
	}
	g.prepare()
	g.turns(next)
	g.fillTable()
	f.vars = outer
}

// zeroOf returns 0 of a type.
func zeroOf(t scop.Type) value.Value {
	if t.IsFloat() {
		return float(typeOf(t), 0)
	}
	return constant.NewInt(intType(t), 0)
}

// carried returns all that a turn leaves to the next one.
func (g *stage) carried() (all []*value.Value) {
	for i := range g.rows {
		r := &g.rows[i]
		for _, list := range [][]value.Value{r.cells, r.left, r.right} {
			for k := range list {
				all = append(all, &list[k])
			}
		}
	}
	for _, p := range g.pointers() {
		all = append(all, &p.at)
	}
	return all
}

// turns lowers the loop over turns.
func (g *stage) turns(next *ir.Block) {
	f, turn := g.function, g.num(int64(g.pipe.Turn))
	first := g.short(loWord)
	before := f.block
	head, control, body := f.newBlock("head"), f.newBlock("control"), f.newBlock("turn")
	before.NewBr(head)
	beat := head.NewPhi(ir.NewIncoming(first, before))
	until := head.NewPhi(ir.NewIncoming(first, before))
	full := head.NewPhi(ir.NewIncoming(constant.False, before))
	carried := g.carried()
	var phis []*ir.InstPhi
	for _, v := range carried {
		phi := head.NewPhi(ir.NewIncoming(*v, before))
		phis = append(phis, phi)
		*v = phi
	}
	head.NewCondBr(head.NewICmp(enum.IPredSLT, beat, until), body, control)

	f.block = control
	last, leave := f.newBlock("on"), f.newBlock("leave")
	f.block.NewCondBr(f.block.NewICmp(enum.IPredSGT, beat, g.short(hiWord)), leave, last)
	f.block = last
	nowFull, nowUntil := g.control(beat)
	fromControl := f.block
	f.block.NewBr(body)

	f.block = body
	isFull := body.NewPhi(ir.NewIncoming(full, head), ir.NewIncoming(nowFull, fromControl))
	same := body.NewPhi(ir.NewIncoming(until, head), ir.NewIncoming(nowUntil, fromControl))
	fast, slow, latch := f.newBlock("full"), f.newBlock("guarded"), f.newBlock("latch")
	body.NewCondBr(isFull, fast, slow)
	begun := values(carried)
	var ends [2]*ir.Block
	var left [2][]value.Value
	for i, b := range []*ir.Block{fast, slow} {
		f.block, g.full = b, i == 0
		for k, v := range carried {
			*v = begun[k]
		}
		g.turn(beat)
		ends[i], left[i] = f.block, values(carried)
		f.block.NewBr(latch)
	}
	f.block = latch
	for k, phi := range phis {
		if left[0][k] == left[1][k] {
			phi.Incs = append(phi.Incs, ir.NewIncoming(left[0][k], latch))
			continue
		}
		phi.Incs = append(phi.Incs, ir.NewIncoming(latch.NewPhi(ir.NewIncoming(left[0][k], ends[0]), ir.NewIncoming(left[1][k], ends[1])), latch))
	}
	beat.Incs = append(beat.Incs, ir.NewIncoming(f.add(beat, turn), latch))
	until.Incs = append(until.Incs, ir.NewIncoming(same, latch))
	full.Incs = append(full.Incs, ir.NewIncoming(isFull, latch))
	latch.NewBr(head)

	f.block = leave
	if g.async {
		g.call("cp.async.wait_all;", "", types.Void)
	}
	leave.NewBr(next)
}

func values(from []*value.Value) (all []value.Value) {
	for _, v := range from {
		all = append(all, *v)
	}
	return all
}

// control looks at other chains, if it is time to, and returns whether the turn from a beat on is full, and before which beat it, and those behind that are
// of the same kind, begin.
func (g *stage) control(beat value.Value) (full, until value.Value) {
	f, v, p := g.function, g.pipe.Vars, g.pipe
	lo, every := g.short(loWord), g.num(int64(p.Every))
	since := f.block.NewURem(f.sub(beat, lo), every)
	f.branch(f.block.NewICmp(enum.IPredEQ, since, g.num(0)), func() {
		if g.First == 0 {
			f.branch(f.chain.first, func() {
				here := f.add64(f.wide(beat), atPlace)
				f.branch(f.block.NewICmp(enum.IPredNE, beat, lo), func() { g.signalPlace(f.add64(here, -1)) }, nil)
				g.awaitAll(func(ahead int) value.Value { return f.block.NewAdd(here, g.word(ahead)) })
			}, nil)
		}
		f.barrier()
	}, nil)
	look := f.sub(f.add(beat, every), since)
	until = f.least(f.add(g.short(hiWord), g.num(1)), look)
	turn := affine.Var(v.Beat).Add(int64(p.Turn - 1))
	g.with(g.chainVars(), func() {
		f.vars[v.Beat] = beat
		var now astgen.Cond
		for _, all := range p.Full {
			rows := []affine.Expr{}
			for _, r := range all {
				rows = append(rows, affine.Subst(r, map[string]affine.Sum{v.Last: turn}))
			}
			now = append(now, rows)
		}
		full = f.cond(now)
		one := f.add(beat, g.num(1)) // one turn
		if len(now) != 1 {
			until = one
			return
		}
		for _, r := range now[0] {
			x, ok := r.(affine.Sum)
			if !ok {
				until = one
				return
			}
			if _, hi := affine.Solve(x, v.Beat); hi != nil {
				until = f.least(until, f.add(f.expr(hi), g.num(1)))
			}
		}
		until = f.block.NewSelect(full, until, one)
	})
	return full, until
}

// least returns the least of two indices.
func (f *function) least(x, y value.Value) value.Value {
	return f.block.NewSelect(f.block.NewICmp(enum.IPredSLT, x, y), x, y)
}

// greatest returns the greatest of two indices.
func (f *function) greatest(x, y value.Value) value.Value {
	return f.block.NewSelect(f.block.NewICmp(enum.IPredSGT, x, y), x, y)
}

// add64 returns v + c, of 64 bits.
func (f *function) add64(v value.Value, c int64) value.Value {
	return f.block.NewAdd(v, constant.NewInt(types.I64, c))
}

// with lowers with variables bound, perhaps anew.
func (f *function) with(vars map[string]value.Value, lower func()) {
	outer := maps.Clone(f.vars)
	maps.Copy(f.vars, vars)
	lower()
	f.vars = outer
}

// turn lowers the beats of a turn, the first of which has that number.
func (g *stage) turn(first value.Value) {
	p := g.pipe
	if next, ok := p.Next(g.Stage); ok && (!g.full || p.Straight < p.Turn) {
		unit := 1
		if !g.async { // what is loaded is stored before the barrier
			unit = p.Period
		}
		g.rolled(first, next, unit)
		return
	}
	for r := range p.Turn {
		g.beat(r, g.add(first, g.num(int64(r))))
		if r%p.Period == p.Period-1 {
			g.endInterval()
		}
	}
}

// beat lowers beat r of a turn, which has that number.
func (g *stage) beat(r int, number value.Value) {
	g.with(map[string]value.Value{g.pipe.Vars.Beat: number}, func() {
		g.rowCopies(r, true)
		g.ops(g.Beats[r])
		g.rowCopies(r, false)
	})
	for _, x := range g.pointers() {
		x.move(g.function)
	}
}

// endInterval waits for what has been begun before this interval, and for all warps.
func (g *stage) endInterval() {
	for _, do := range g.late {
		do()
	}
	g.late = nil
	if g.async {
		g.call("cp.async.commit_group;", "", types.Void)
		g.call(fmt.Sprintf("cp.async.wait_group %d;", g.pipe.Ahead/g.pipe.Period-1), "", types.Void)
	}
	g.barrier()
}
