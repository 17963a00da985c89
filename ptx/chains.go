package ptx

import (
	"maps"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers tiles that wait for each other to one kernel, which runs all time tiles and phases. It does what the kernels of
// CUDA do, of which cuda/text/flags.cu says why that suffices: blocks take chains in turn by an atomic counter, thread 0 of a block waits and
// signals for it, barriers carry the order to its other threads. Here, too, no array that any tile writes is said to be only read.
//
// Whatever the type of indices in the tiles, the kernel's own have 64 bits: it calculates where there are tiles, as hosts do.

// The fields of the order of chains, a struct hexcc_order of the host, which are parameters of their own; and how long tiles wait.
const (
	flagsField    = iota // the flags of chains, and the counter behind them
	countField           // of chains
	beginField           // the first time tile
	patienceField        // nanoseconds that a tile waits; 0: any time
	firstField           // the first tile along x; then those along y and z
	widthField    = firstField + gpu.MaxAxes
	fields        = widthField + gpu.MaxAxes
)

// fieldNames are the names of their parameters.
var fieldNames = [fields]string{"flags", "count", "begin", "patience", "first.x", "first.y", "first.z", "width.x", "width.y", "width.z"}

// orderParam returns the parameter for a.
func orderParam(a Arg) *ir.Param {
	name := "order." + fieldNames[a.Index]
	if a.Index == flagsField {
		return ir.NewParam(name, pointer(types.I8, globalSpace))
	}
	return ir.NewParam(name, types.I64)
}

// OrderWords returns the words of a struct hexcc_order as arguments.
func OrderWords() (words []Arg) {
	for _, field := range []int{flagsField, countField, beginField} {
		words = append(words, Arg{OrderArg, field, scop.Long})
	}
	for field := firstField; field < fields; field++ {
		words = append(words, Arg{OrderArg, field, scop.Long})
	}
	return words
}

// What flags hold; see HEXCC_PLACE and HEXCC_ENDED of CUDA's kernels.
const (
	flagBytes = 32
	atPlace   = 1 << 61 // plus the number of the tile: how far a chain is
	ended     = 1 << 62
)

// How many nanoseconds a thread sleeps between two looks at a flag: at first, and up to twice as long as that.
const (
	shortSleep = 20
	longSleep  = 500
)

// A chain is what a block runs at a time.
type chain struct {
	waits []schedule.Wait // by phase
	first value.Value     // whether the thread is the first of its block
	time  value.Value     // of the chain
	at    [gpu.MaxAxes]value.Value
	long  map[string]value.Value // the variables, with 64 bits
}

// lowerChains adds the kernel that runs the chains of a version of p to m.
func (m *module) lowerChains(p *gpu.Program, v gpu.Version, name string) Kernel {
	written := map[*scop.Array]bool{}
	whole := &gpu.Kernel{Name: name, Threads: v.Kernels[0].Threads, Resident: v.Kernels[0].Resident, MostRegisters: v.Kernels[0].MostRegisters}
	out := Kernel{Kernel: whole, Name: name, Dynamic: 8} // for the number of a chain
	for _, k := range v.Kernels {
		maps.Copy(written, kerneltext.Writes(k.Body))
		out.Dynamic, whole.Resident = max(out.Dynamic, int(k.SharedBytes())), min(whole.Resident, k.Resident)
	}
	f := m.begin(p, name, v.Index, written)
	f.kernel, f.chain = whole, &chain{waits: p.Chains.Steps, long: map[string]value.Value{}}
	f.chain.first = f.firstThread()
	take := f.block
	axes := len(v.Kernels[0].Grid)
	phase := f.take(axes, p.Chains.Diagonal(), take)
	if pipe := v.Kernels[0].Pipeline(); pipe != nil {
		s := f.streams(pipe, v.Kernels, phase, take)
		f.sregs.NewBr(take)
		f.kernel, out.Dynamic = whole, int(s.places.bytes)
		out.Args = f.signature()
		f.annotateAs(whole.Resident)
		return out
	}
	for i, k := range v.Kernels {
		f.kernel = k
		this, next := f.newBlock("phase"), f.newBlock("not")
		f.block.NewCondBr(f.block.NewICmp(enum.IPredEQ, phase, constant.NewInt(types.I64, int64(i))), this, next)
		f.block = this
		f.phase(k)
		f.block.NewBr(take)
		f.block = next
	}
	f.block.NewRet(nil) // there is no other phase
	f.sregs.NewBr(take)
	f.kernel = whole
	out.Args = f.signature()
	f.annotate(v.Kernels...)
	return out
}

// firstThread returns whether the thread is the first of its block.
func (f *function) firstThread() (all value.Value) {
	all = constant.True
	for axis := range 3 {
		if f.along(axis) > 1 {
			first := f.sregs.NewICmp(enum.IPredEQ, f.thread(axis), f.num(0))
			if all == constant.True {
				all = first
			} else {
				all = f.sregs.NewAnd(all, first)
			}
		}
	}
	return all
}

// order returns a field of the order of chains.
func (f *function) order(field int) value.Value { return f.param(Arg{OrderArg, field, scop.Long}) }

// flag returns the flag of chain number i.
func (f *function) flag(i value.Value) value.Value {
	bytes := f.block.NewMul(i, constant.NewInt(types.I64, flagBytes))
	return f.block.NewGetElementPtr(types.I8, f.order(flagsField), bytes)
}

// call calls an assembly that is one instruction, which other accesses to memory do not pass.
func (f *function) call(text, constraints string, result types.Type, args ...value.Value) value.Value {
	params := make([]types.Type, len(args))
	for i, a := range args {
		params[i] = a.Type()
	}
	code := ir.NewInlineAsm(types.NewPointer(types.NewFunc(result, params...)), text, strings.TrimPrefix(constraints+",~{memory}", ","))
	code.SideEffect = true
	return f.block.NewCall(code, args...)
}

// phase lowers a chain of that kernel: its tiles, if there are any, and its end.
func (f *function) phase(k *gpu.Kernel) {
	f.bindChain(k)
	f.places = kerneltext.Place(k.Shared)
	var inside value.Value = constant.True
	f.inLong(func() {
		for _, x := range k.Grid {
			at := f.variable(x.Var)
			from := f.block.NewICmp(enum.IPredSLE, f.expr(x.Lo), at)
			inside = f.block.NewAnd(f.block.NewAnd(inside, from), f.block.NewICmp(enum.IPredSLE, at, f.expr(x.Hi)))
		}
	})
	f.branch(inside, func() { f.nodes(k.Body) }, func() { f.nodes(k.PassOn()) })
	f.await(constant.NewInt(types.I64, ended))
	f.signal(constant.NewInt(types.I64, ended))
}

// bindChain binds the variables of tiles of k to what they are in the chain, and forgets what other tiles had.
func (f *function) bindChain(k *gpu.Kernel) {
	f.vars, f.chain.long = map[string]value.Value{}, map[string]value.Value{}
	f.lanes, f.regs, f.tests = map[string]lane{}, map[string]value.Value{}, map[string]value.Value{}
	bind := func(name string, v func() value.Value, in func() *ir.Block) {
		f.chain.long[name] = lazy(v)
		if f.index.BitSize == 64 {
			f.vars[name] = f.chain.long[name]
			return
		}
		f.vars[name] = lazy(func() value.Value { return in().NewTrunc(v(), f.index) })
	}
	for i, q := range f.prog.Scop.Params {
		bind(q.Name, func() value.Value { return f.param(Arg{ParamArg, i, scop.Long}) }, func() *ir.Block { return f.sregs })
	}
	head := f.block
	bind(f.prog.T, func() value.Value { return f.chain.time }, func() *ir.Block { return head })
	for axis, x := range k.Grid {
		bind(x.Var, func() value.Value { return f.chain.at[axis] }, func() *ir.Block { return head })
	}
}

// inLong lowers with variables and numbers of 64 bits.
func (f *function) inLong(lower func()) {
	index, vars := f.index, f.vars
	f.index, f.vars = types.I64, f.chain.long
	lower()
	f.index, f.vars = index, vars
}

// placeOf returns what the flag of a chain holds that is so far behind a variable; "": that has ended.
func (f *function) placeOf(name string, lag int64) value.Value {
	if name == "" {
		return constant.NewInt(types.I64, ended)
	}
	return f.block.NewAdd(f.wide(f.variable(name)), constant.NewInt(types.I64, atPlace+lag))
}

// level returns the number of a phase, counted from the first time tile of the launch on, so many time tiles before that of the chain.
func (f *function) level(phase int, before int64) value.Value {
	times := f.sub(f.sub(f.chain.time, f.order(beginField)), f.num(before))
	return f.add(f.mul(times, f.num(int64(len(f.chain.waits)))), f.num(int64(phase)))
}

// here returns where the chain is along an axis, counted from the first tile.
func (f *function) here(axis int) value.Value {
	return f.sub(f.chain.at[axis], f.order(firstField+axis))
}

// numbered returns the number of the chain of a level at tiles that are counted from the first ones.
func (f *function) numbered(level value.Value, at []value.Value) value.Value {
	for axis := len(at) - 1; axis >= 0; axis-- {
		level = f.add(f.mul(level, f.order(widthField+axis)), at[axis])
	}
	return level
}

// await waits until the chains that this one waits for are at a place, if they are of the launch. Then all threads of the block see what
// these have written.
func (f *function) await(place value.Value) {
	f.inLong(func() {
		w := f.chain.waits[f.kernel.Phase]
		level := f.level(w.From, w.Time)
		some := f.block.NewAnd(f.chain.first, f.block.NewICmp(enum.IPredSGE, level, f.num(0)))
		f.branch(some, func() { f.awaitAll(w, level, len(f.kernel.Grid)-1, make([]value.Value, len(f.kernel.Grid)), place) }, nil)
	})
	f.barrier()
}

// awaitAll waits for the chains of a level that w says along the axes from the given one down to x; at has those of the others.
func (f *function) awaitAll(w schedule.Wait, level value.Value, axis int, at []value.Value, place value.Value) {
	if axis < 0 {
		f.poll(f.flag(f.numbered(level, at)), place)
		return
	}
	i := len(f.kernel.Grid) - 1 - axis
	here := f.here(axis)
	f.loop("wait."+fieldNames[firstField+axis], f.sub(here, f.num(w.Hi[i])), f.sub(here, f.num(w.Lo[i])), 1, false, func() {
		at[axis] = f.variable("wait." + fieldNames[firstField+axis])
		inside := f.block.NewICmp(enum.IPredULT, at[axis], f.order(widthField+axis))
		f.branch(inside, func() { f.awaitAll(w, level, axis-1, at, place) }, nil)
	})
}

// poll waits until a flag is at a place. A thread that looks in vain sleeps, each time for longer. Where there is patience, the kernel
// ends with an error when that is at an end, from the first look on.
func (f *function) poll(flag, place value.Value) {
	number := func(n int64) value.Value { return constant.NewInt(types.I64, n) }
	before := f.block
	look, sleep, watch, over, watched, slept, end := f.newBlock("look"), f.newBlock("sleep"), f.newBlock("watch"), f.newBlock("over"), f.newBlock("watched"), f.newBlock("slept"), f.newBlock("there")
	f.block.NewBr(look)
	pause := look.NewPhi(ir.NewIncoming(constant.NewInt(types.I32, shortSleep), before))
	deadline := look.NewPhi(ir.NewIncoming(number(0), before))
	f.block = look
	seen := f.call("ld.acquire.gpu.global.s64 $0, [$1];", "=l,l", types.I64, flag)
	look.NewCondBr(look.NewICmp(enum.IPredSLT, seen, place), sleep, end)

	f.block = sleep
	f.call("nanosleep.u32 $0;", "r", types.Void, pause)
	longer := sleep.NewSelect(sleep.NewICmp(enum.IPredULT, pause, constant.NewInt(types.I32, longSleep)), sleep.NewShl(pause, constant.NewInt(types.I32, 1)), pause)
	patience := f.order(patienceField)
	sleep.NewCondBr(sleep.NewICmp(enum.IPredNE, patience, number(0)), watch, slept)

	f.block = watch
	now := f.call("mov.u64 $0, %globaltimer;", "=l", types.I64)
	until := watch.NewSelect(watch.NewICmp(enum.IPredEQ, deadline, number(0)), watch.NewAdd(now, patience), deadline)
	watch.NewCondBr(watch.NewICmp(enum.IPredUGT, now, until), over, watched)
	f.block = over
	f.call("trap;", "", types.Void) // CUDA_ERROR_LAUNCH_FAILED
	over.NewBr(watched)
	watched.NewBr(slept)

	later := slept.NewPhi(ir.NewIncoming(deadline, sleep), ir.NewIncoming(until, watched))
	slept.NewBr(look)
	pause.Incs = append(pause.Incs, ir.NewIncoming(longer, slept))
	deadline.Incs = append(deadline.Incs, ir.NewIncoming(later, slept))
	f.block = end
}

// signal says that the chain is at a place, and has written what all threads of the block have.
func (f *function) signal(place value.Value) {
	f.barrier()
	f.inLong(func() {
		f.branch(f.chain.first, func() {
			var at []value.Value
			for axis := range f.kernel.Grid {
				at = append(at, f.here(axis))
			}
			flag := f.flag(f.numbered(f.level(f.kernel.Phase, 0), at))
			f.call("st.release.gpu.global.s64 [$0], $1;", "l,l", types.Void, flag, place)
		}, nil)
	})
}
