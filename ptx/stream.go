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
