package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

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
	if f.index.BitSize != 64 { // addresses are computed from elements that may lie ahead of their arrays
		panic(fmt.Sprintf("ptx: %s streams with indices of %d bits", pipe.Name, f.index.BitSize))
	}
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
		body, _ := k.Stream()
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
