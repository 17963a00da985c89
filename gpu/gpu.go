// Package gpu is the form that kernels have between loops and a language for GPUs: launches,
// blocks, threads, buffers in shared memory, copies and barriers. This file is its grammar;
// the others print it, check it, walk through it, and say what printers have to know alike of
// addresses and of types of indices. Package gpu/lower makes it, gpu/proof reads it back.
package gpu

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Program is a host loop that launches kernels, and the kernels.
//
// With Chains there is no such loop. One launch has blocks of all time tiles and kernels: as many as there are at once take
// chains, which are (T, kernel, tile) for the tiles of Grid that any time tile and kernel has, in that order, each when it has
// ended the one before:
//
//	if tile is in Grid: Body, with Await and Signal in it
//	wait until the chains that it waits for have ended; the chain has ended
//
// The chains that one waits for were taken before it, by blocks that run: the first of those that have not ended never waits, so
// that some block goes on however few run at once.
type Program struct {
	Scop   *scop.Program
	Device machine.Device
	// The host runs, for each T from TLo to THi in order, the Kernels in order,
	// each to its end before the next; unless there are Chains. T is a time tile, or a front of tiles.
	T        string
	TLo, THi affine.Expr // over parameters
	Busy     astgen.Cond // over parameters: where it does not hold, there is nothing to do
	Kernels  []*Kernel
	Chains   *schedule.Chains // what chains wait for; nil: kernels and time tiles run in turn
	Fronts   *schedule.Fronts // the values of T are fronts of tiles of several time tiles; nil: time tiles
	// Overlaps: blocks run instances that others run, too. What a block computes of arrays is in its shared memory; one of them stores it.
	Overlaps bool
	// Transfers say which arrays are copied to the device and back; of an array
	// that they leave out, all is copied that can be.
	Transfers []schedule.Transfer
	Remarks   []string // decisions worth telling, such as an array left in global memory
	// Narrow are rows over the parameters, if Told. Where all of them are >= 0, parameters, indices and what they
	// are computed by have at most 32 bits, one of them a sign. Rows that hold for all parameters that are ints are left out.
	Narrow []affine.Sum
	Told   bool  // Narrow says where 32 bits suffice; else that is not known for any parameters
	Most   int64 // the greatest magnitude of parameters with which 64 bits suffice
}

// Transfer returns how a is copied.
func (p *Program) Transfer(a *scop.Array) schedule.Transfer {
	for _, t := range p.Transfers {
		if t.Array == a {
			return t
		}
	}
	return schedule.Transfer{Array: a, In: true, Out: !a.Const}
}

// A Kernel is launched where Work holds, with one block for each point of Grid, and Threads threads a block,
// x first. Its body may use the variables of Grid, T, the parameters, the scalars and variables bound inside it.
type Kernel struct {
	Name    string
	Phase   int
	Grid    []Axis      // along x, y, z: at least one, at most three
	Work    astgen.Work // over T and parameters: where it does not hold, it is not launched
	Threads [3]int
	Shared  []*Buffer
	Body    []Node
	// ThreadVars are the variables of straight code for the index of the thread along x, y and z.
	ThreadVars [3]string
	// Resident blocks are meant to run on a multiprocessor at once: as many as
	// shared memory has room for, if registers suffice for what the body keeps there.
	Resident int
	// MostRegisters bounds the registers of a thread, which the compiler is told in place of Resident; 0: nothing does.
	MostRegisters int
	// Registers of a thread suffice for what nvcc makes of the body, by estimate.
	Registers int
	// Copied are parts of arrays in which lies what a tile copies from and to global memory, and what it uses there of the arrays that
	// any kernel copies: where there are Chains. Of other arrays a tile uses what its instances do.
	Copied []Region
}

// A Region is the elements of an array whose subscripts lie between Lo and Hi, over tile indices, T and parameters, by dimension;
// a nil Lo: any subscripts.
type Region struct {
	Array  *scop.Array
	Lo, Hi []affine.Expr
}

// An Axis of a grid has a block for each value Lo <= Var <= Hi, none if Lo > Hi.
type Axis struct {
	Var    string
	Lo, Hi affine.Expr // over T and parameters
}

// Blocks returns how many blocks a launch has along x, y and z, and the first values of Grid, under env, where T
// and the parameters have values. Along axes that Grid has not there is one block, at 0.
func (k *Kernel) Blocks(env map[string]int64) (n, first [MaxAxes]int64) {
	n = [...]int64{1, 1, 1}
	for i, x := range k.Grid {
		first[i] = affine.Eval(x.Lo, env)
		n[i] = max(0, affine.Eval(x.Hi, env)-first[i]+1)
	}
	return n, first
}

// MaxAxes is how many axes a grid may have.
const MaxAxes = 3

// A Buffer is a part of an array held in shared memory. Element [l0][l1].. of
// the buffer holds element [g0][g1].. of the array, where g_i = Origin_i + l_i,
// modulo Mod_i if Mod_i > 0; or, if Wrap_i, the g_i in use with l_i = g_i modulo Shape_i; or, if Down_i, g_i = Origin_i - l_i.
type Buffer struct {
	Name   string // shared_A
	Array  *scop.Array
	Shape  []int64       // allocated size of each dimension
	Origin []affine.Expr // over tile indices, T and parameters
	Mod    []int64
	Wrap   []bool
	Down   []bool // nil: none
}

// A Node is a statement of a kernel, run by all threads of a block.
type Node interface{ node() }

// The kinds of Node. All but what stands inside Threads is uniform: every thread
// of the block takes the same way.
type (
	// For runs Body in order for Lo <= Var <= Hi. Ahead: asynchronous copies may be on their way while other nodes of Body run, to the last Arrive in it.
	For struct {
		Var    string
		Lo, Hi affine.Expr
		Body   []Node
		Ahead  bool
	}
	// Test sets Var, for the nodes behind it and what is in them: Cond holds, and Given, an earlier Test unless
	// "", does too. Cond is uniform. A printer that addresses elements with numbers of 32 bits for Strides has it
	// fail unless all of Tested are below 2^32.
	Test struct {
		Var, Given string
		Cond       astgen.Cond
		Role       Role // FullForLaunch, FullForBlock or FullForLoop
		Tested     []Stride
	}
	// If runs Then if Cond holds, and Given, an earlier Test unless "", does too, else Else. Cond is uniform.
	If struct {
		Given      string
		Cond       astgen.Cond
		Then, Else []Node
		Role       Role
		// Bases are what Refs in Then are addressed from. A printer that does so with numbers of 32 bits
		// for Strides runs Then only if all of Tested, here and of tests, are below 2^32, else Else.
		Bases           []*Base
		Strides, Tested []Stride
	}
	// Barrier: all threads of the block arrive before any goes on, and see each other's writes.
	Barrier struct{ Role Role }
	// Await waits until the chains that this one waits for have signalled Var + Lag, or more, or have ended; where Var is "" they
	// have to have ended. All threads of the block arrive, and see what the tiles that were signalled have written.
	Await struct {
		Var string
		Lag int64
	}
	// Signal: all threads of the block arrive. It says that the tiles of the chain up to Var have ended, to whom it shows what they have written.
	Signal struct{ Var string }
	// Arrive: each thread waits until the asynchronous copies that it has begun have arrived.
	Arrive struct{}
	// Threads runs Body once for every point of the Loops that satisfies Guard (nil: all), points dealt
	// cyclically to threads, outermost loop first. Points run in any order.
	Threads struct {
		Loops []ThreadLoop
		Guard astgen.Cond
		Body  []Op
		Role  Role
	}
)

// A ThreadLoop is Lo <= Var <= Hi, whose bounds may use the variables of outer
// loops. Axis 0, 1, 2 is thread index x, y, z: thread v of n takes Lo+v, Lo+v+n, ..;
// Axis -1: every thread runs all values. A Rolled loop stays one: its body has been
// unrolled as far as is good.
type ThreadLoop struct {
	Var    string
	Lo, Hi affine.Expr
	Axis   int
	Rolled bool
}

// An Op is what one thread does at one point: Copy, Load or Compute.
type Op interface{ op() }

// The kinds of Op.
type (
	// Copy sets To to From; one is shared, the other global, or both are in one
	// buffer: then From is what the tile before left there. An asynchronous one, from global memory, may be made at any time until the next
	// Arrive of its thread: only then To may be read or written again. One of a Box copies more than what instances read, from global memory: what no instance
	// reads another block may be writing at that time, so that what To has then is anything.
	Copy struct {
		To, From Ref
		Async    bool
		Box      bool
	}
	// Load sets register Reg of the thread to From, which is in memory.
	Load struct {
		Reg  string
		From Ref
	}
	// Compute runs the Body of Stmt at the instance Iters; Refs say where each of its Accesses lies.
	Compute struct {
		Stmt  *scop.Stmt
		Iters []affine.Expr
		Refs  []Ref // by Stmt.Accesses
	}
)

// A Ref is an element of shared Buffer, or of global Array where Buffer is nil.
// If Reg is set, the element is in that register of the thread too: a read takes
// it from there, a write puts it there and into memory. A register is set once
// in the straight code of a tile, before it is read, and by every thread of the block, or by those
// of a Threads alone: then what reads it stands in one with the same Loops and Guard.
// One that is set in a loop is known in its body alone.
type Ref struct {
	Buffer *Buffer
	Array  *scop.Array
	Index  []affine.Expr
	Reg    string
	Slot   int // a number for Reg among the registers of its tile, from 1 on
	// If Base is set, the element lies Offset from it: so many elements along each dimension, none negative.
	Base   *Base
	Offset []int64
}

func (For) node()     {}
func (Test) node()    {}
func (If) node()      {}
func (Barrier) node() {}
func (Await) node()   {}
func (Signal) node()  {}
func (Arrive) node()  {}
func (Threads) node() {}
func (Copy) op()      {}
func (Load) op()      {}
func (Compute) op()   {}

// Remark adds r unless it is there.
func (p *Program) Remark(r string) {
	for _, have := range p.Remarks {
		if have == r {
			return
		}
	}
	p.Remarks = append(p.Remarks, r)
}
