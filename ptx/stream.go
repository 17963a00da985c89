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
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers chains whose rows stream through the registers of a pipeline of warps. Both phases run the same code: what differs is
// a few numbers, which the first thread puts into the header of shared memory. From there they are loaded when they
// are needed, so that none of them takes a register while turns run.
//
//	each stage:  rows = 0, pointers to its elements
//	    control: if beat > Hi: end
//	             if it is time to: signal beat-1, wait for beat+Lag
//	             full = is this turn Full; until = how many turns from here on are, and need no look at anything
//	    turn:    while beat < until: the straight code of a turn, of the two that there are; beat += Turn
//
// Registers are values, and what a turn leaves in them comes to the head of the loop by phis.

// The header of shared memory: numbers of 64 bits.
const (
	numberWord = iota // of the chain
	fromWord          // the first chain that it waits for
	toWord            // the last one
	timeWord          // Stream.Time, Column, Lo, Hi and Lag
	columnWord
	loWord
	hiWord
	lagWord
	headerWords // an even number: what lies behind begins at a multiple of 16 bytes
)

// A stream is a pipeline being lowered.
type stream struct {
	*function
	pipe   *gpu.Pipeline
	places sharedPlaces
	room   int64 // bytes of shared memory with which as many blocks run at once as are meant to
	async  bool  // the device has copies to shared memory that are not waited for
}

// asyncSince is the first architecture with copies to shared memory that are not waited for.
const asyncSince = 80

// streams lowers what a block does with a chain of that phase, and goes on with the next chain.
func (f *function) streams(pipe *gpu.Pipeline, kernels []*gpu.Kernel, phase value.Value, next *ir.Block) *stream {
	s := &stream{function: f, pipe: pipe, places: place(pipe), room: room(f.prog.Device, kernels[0])}
	arch := 0
	fmt.Sscanf(f.prog.Device.Name, "sm_%d", &arch)
	s.async = arch >= asyncSince
	begin := f.newBlock("begin")
	for i, k := range kernels {
		this, other := f.newBlock("phase"), f.newBlock("not")
		f.block.NewCondBr(f.block.NewICmp(enum.IPredEQ, phase, constant.NewInt(types.I64, int64(i))), this, other)
		f.block = this
		f.kernel = k
		s.head(k)
		f.block.NewBr(begin)
		f.block = other
	}
	f.block.NewRet(nil) // there is no other phase
	f.block = begin
	f.barrier()
	f.vars, f.chain.long = map[string]value.Value{}, map[string]value.Value{}
	f.bindParams()
	end := f.newBlock("end")
	some := f.newBlock("some")
	f.block.NewCondBr(f.block.NewICmp(enum.IPredSLE, s.word(loWord), s.word(hiWord)), some, end)
	f.block = some
	warp := f.block.NewLShr(s.thread32(), constant.NewInt(types.I32, 5))
	for i := range pipe.Stages {
		st := &pipe.Stages[i]
		this, other := f.newBlock("stage"), f.newBlock("other")
		f.block.NewCondBr(f.block.NewICmp(enum.IPredULT, warp, constant.NewInt(types.I32, int64(st.First+st.Count))), this, other)
		f.block = this
		s.stage(st, warp, end)
		f.block = other
	}
	f.block.NewRet(nil) // there is no other warp
	f.block = end
	s.end()
	f.block.NewBr(next)
	return s
}

// room returns the most shared memory with which as many blocks of k run at once as are meant to, as far as registers let them.
func room(d machine.Device, k *gpu.Kernel) int64 {
	const unit = 128 // of what multiprocessors count shared memory in
	n := int64(d.SharedBytes)
	for n > 0 && d.Occupancy(kerneltext.Threads(k)[0], k.Registers, n).Blocks < k.Resident {
		n -= unit
	}
	return n
}

// bindParams binds the parameters of the program.
func (f *function) bindParams() {
	for i, q := range f.prog.Scop.Params {
		f.chain.long[q.Name] = lazy(func() value.Value { return f.param(Arg{ParamArg, i, scop.Long}) })
		f.vars[q.Name] = lazy(func() value.Value {
			v := f.param(Arg{ParamArg, i, scop.Long})
			if f.index.BitSize == 64 {
				return v
			}
			return f.sregs.NewTrunc(v, f.index)
		})
	}
}

// head has the first thread put the numbers of a chain of k into the header.
func (s *stream) head(k *gpu.Kernel) {
	f := s.function
	if len(k.Grid) != 1 {
		panic(fmt.Sprintf("ptx: chains of %d dimensions stream", len(k.Grid)))
	}
	f.branch(f.chain.first, func() {
		f.bindChain(k)
		body := k.Body[0].(gpu.Stream)
		f.inLong(func() {
			at, x := f.variable(k.Grid[0].Var), k.Grid[0]
			inside := f.block.NewAnd(f.block.NewICmp(enum.IPredSLE, f.expr(x.Lo), at), f.block.NewICmp(enum.IPredSLE, at, f.expr(x.Hi)))
			s.setWord(timeWord, f.expr(body.Time))
			s.setWord(columnWord, f.expr(body.Column))
			s.setWord(loWord, f.block.NewSelect(inside, f.expr(body.Lo), f.num(1)))
			s.setWord(hiWord, f.block.NewSelect(inside, f.expr(body.Hi), f.num(0)))
			s.setWord(lagWord, f.num(body.Lag))
			w := f.chain.waits[k.Phase]
			level, here, width := f.level(w.From, w.Time), f.sub(f.chain.at[0], f.order(firstField)), f.order(widthField)
			from, to := f.sub(here, f.num(w.Hi[0])), f.sub(here, f.num(w.Lo[0]))
			last := f.sub(width, f.num(1))
			from = f.block.NewSelect(f.block.NewICmp(enum.IPredSLT, from, f.num(0)), f.num(0), from)
			to = f.block.NewSelect(f.block.NewICmp(enum.IPredSGT, to, last), last, to)
			to = f.block.NewSelect(f.block.NewICmp(enum.IPredSLT, level, f.num(0)), f.num(-1), to) // no such chains
			base := f.mul(level, width)
			s.setWord(fromWord, f.add(base, from))
			s.setWord(toWord, f.add(base, to))
		})
	}, nil)
}

// word returns a number of the header.
func (s *stream) word(i int) value.Value {
	return s.block.NewLoad(types.I64, s.inShared(int64(8*i), types.I64))
}

func (s *stream) setWord(i int, v value.Value) {
	s.block.NewStore(v, s.inShared(int64(8*i), types.I64))
}

// short returns a number of the header with the type of indices.
func (s *stream) short(i int) value.Value {
	v := s.word(i)
	if s.index.BitSize == 64 {
		return v
	}
	return s.block.NewTrunc(v, s.index)
}

// thread32 returns the number of the thread, 32 bits.
func (s *stream) thread32() value.Value {
	v := s.thread(0)
	if s.index.BitSize == 32 {
		return v
	}
	return s.block.NewTrunc(v, types.I32)
}

// asIndex returns a number of 32 bits, not negative, with the type of indices.
func (s *stream) asIndex(v value.Value) value.Value {
	if s.index.BitSize == 32 {
		return v
	}
	return s.block.NewZExt(v, s.index)
}

// awaitAll has the first thread wait until all chains that the chain waits for are at a place.
func (s *stream) awaitAll(place value.Value) {
	f := s.function
	f.inLong(func() {
		from, to := s.word(fromWord), s.word(toWord)
		f.loop("wait.x", from, to, 1, false, func() { f.poll(f.flag(f.variable("wait.x")), place) })
	})
}

// signalPlace has the first thread say that the chain is at a place.
func (s *stream) signalPlace(place value.Value) {
	s.call("st.release.gpu.global.s64 [$0], $1;", "l,l", types.Void, s.flag(s.word(numberWord)), place)
}

// end ends a chain, once those have ended that it waits for.
func (s *stream) end() {
	s.barrier()
	s.branch(s.chain.first, func() {
		s.awaitAll(constant.NewInt(types.I64, ended))
		s.signalPlace(constant.NewInt(types.I64, ended))
	}, nil)
}

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
	g := &stage{stream: s, Stage: st, lanes3: map[string]value.Value{}, cursors: map[*gpu.Cursor]*cursor{}, columns: map[columnKey]*pointer1{}, table: table{entries: map[string]address{}}}
	g.warp, g.small = s.asIndex(warp), f.block.NewAnd(s.thread32(), constant.NewInt(types.I32, gpu.WarpLanes-1))
	g.lane = s.asIndex(g.small)
	v := s.pipe.Vars
	outer := maps.Clone(f.vars)
	f.vars[v.Warp], f.vars[v.Time], f.vars[v.Column], f.vars[v.Beat] = g.warp, s.short(timeWord), s.short(columnWord), s.short(loWord)
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
				g.awaitAll(f.block.NewAdd(here, g.word(lagWord)))
			}, nil)
		}
		f.barrier()
	}, nil)
	look := f.sub(f.add(beat, every), since)
	until = f.least(f.add(g.short(hiWord), g.num(1)), look)
	turn := affine.Var(v.Beat).Add(int64(p.Turn - 1))
	g.with(map[string]value.Value{v.Beat: beat, v.Time: g.short(timeWord), v.Column: g.short(columnWord)}, func() {
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
	if next, ok := g.beatsAlike(); ok && !g.full {
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
		g.call("cp.async.wait_group 1;", "", types.Void)
	}
	g.barrier()
}
