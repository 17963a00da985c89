package ptx

import (
	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// This file lowers in which order blocks take chains: a ticket says which one is next.

// take takes the next chain for the block, and returns its phase; where there is none, the kernel ends. Where a diagonal of that many places along x is given,
// unless it is 0, chains are taken along those; then a ticket may be for none, and again takes another one. Behind it, the number of the chain is in shared memory.
//
// No thread uses shared memory then: a barrier lies behind the last tile.
func (f *function) take(axes int, diagonal int64, again *ir.Block) (phase value.Value) {
	number := f.inShared(0, types.I64)
	f.branch(f.chain.first, func() {
		counter := f.flag(f.order(countField))
		f.block.NewStore(f.call("atom.relaxed.gpu.global.add.u64 $0, [$1], 1;", "=l,l", types.I64, counter), number)
	}, nil)
	f.barrier()
	var taken value.Value = f.block.NewLoad(types.I64, number)
	f.barrier()
	end := f.newBlock("none")
	end.NewRet(nil)
	if diagonal > 0 {
		f.inLong(func() { taken = f.onDiagonal(taken, diagonal, axes, end, again) })
		f.branch(f.chain.first, func() { f.block.NewStore(taken, number) }, nil)
	} else {
		some := f.newBlock("chain")
		f.block.NewCondBr(f.block.NewICmp(enum.IPredUGE, taken, f.order(countField)), end, some)
		f.block = some
	}
	for axis := range axes {
		width := f.order(widthField + axis)
		f.chain.at[axis] = f.block.NewAdd(f.order(firstField+axis), f.block.NewURem(taken, width))
		taken = f.block.NewUDiv(taken, width)
	}
	n := constant.NewInt(types.I64, int64(len(f.chain.waits)))
	f.chain.time = f.block.NewAdd(f.order(beginField), f.block.NewUDiv(taken, n))
	return f.block.NewURem(taken, n)
}

// onDiagonal returns the number of the chain that a ticket is for, in the order of phases; where it is for none, it goes to again, and where no ticket from there
// on is for any, to end. On a diagonal a phase counts as much as n places along x, so that those on one wait for chains on ones before it only.
// Each diagonal has as many tickets as there can be chains on any: for each of its last levels, as far back as x has places, and all places along y and z.
//
//	n = 4, 3 levels of 6 places along x: their diagonals
//
//	level 0    0  1  2  3  4  5
//	level 1                4  5  6  7  8  9
//	level 2                            8  9 10 11 12 13
func (f *function) onDiagonal(ticket value.Value, n int64, axes int, end, again *ir.Block) value.Value {
	width, each := f.order(widthField), f.num(n)
	others := value.Value(f.num(1)) // places along y and z
	for axis := 1; axis < axes; axis++ {
		others = f.mul(others, f.order(widthField+axis))
	}
	levels := f.block.NewUDiv(f.order(countField), f.mul(width, others))
	deep := f.block.NewUDiv(f.add(width, f.num(n-1)), each)
	tickets := f.mul(deep, others) // of a diagonal
	diagonal, rest := f.block.NewUDiv(ticket, tickets), f.block.NewURem(ticket, tickets)
	back, other := f.block.NewUDiv(rest, others), f.block.NewURem(rest, others)
	level := f.sub(f.block.NewUDiv(diagonal, each), back)
	x := f.sub(diagonal, f.mul(level, each))

	diagonals := f.add(width, f.mul(f.sub(levels, f.num(1)), each))
	some, chain := f.newBlock("diagonal"), f.newBlock("chain")
	f.block.NewCondBr(f.block.NewICmp(enum.IPredUGE, diagonal, diagonals), end, some)
	f.block = some
	is := f.block.NewAnd(f.block.NewICmp(enum.IPredULT, level, levels), f.block.NewICmp(enum.IPredULT, x, width)) // none is below 0
	f.block.NewCondBr(is, chain, again)
	f.block = chain
	return f.add(f.mul(f.add(f.mul(level, others), other), width), x)
}
