package ptx

import (
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// This file lowers turns as a loop over beats: those that are not full, whose code is long, and which are few, and full ones of which straight code is too much. The code of a beat is most often that
// of the one before with other registers for its rows, and the next slots. So rows move on from beat to beat instead:
//
//	beat 0: D = A + B + C, A = row of slot 0       beat: D = A + B + C, A = row of slot s
//	beat 1: D = B + C + A, B = row of slot 1             A, B, C, s = B, C, A, s+1

// rolled lowers the beats of a turn from first on as a loop of so many beats each time; next is what gpu.Pipeline.Next returns.
func (g *stage) rolled(first value.Value, next []int, unit int) {
	f, p := g.function, g.pipe
	before, loop, after := f.block, f.newBlock("beat"), f.newBlock("beats")
	before.NewBr(loop)
	beat := loop.NewPhi(ir.NewIncoming(first, before))
	slot := loop.NewPhi(ir.NewIncoming(constant.NewInt(types.I32, 0), before))
	var phis []*ir.InstPhi
	carried := g.carried()
	for _, v := range carried {
		phi := loop.NewPhi(ir.NewIncoming(*v, before))
		phis = append(phis, phi)
		*v = phi
	}
	f.block, g.slot = loop, slot
	for k := range unit {
		g.beat(k, g.add(beat, g.num(int64(k))))
	}
	then := g.add(beat, g.num(int64(unit)))
	switch g.slot = nil; {
	case unit == p.Period:
		g.endInterval()
	default: // 1
		since := f.block.NewURem(g.sub(then, first), g.num(int64(p.Period)))
		f.branch(f.block.NewICmp(enum.IPredEQ, since, g.num(0)), g.endInterval, nil)
	}
	for range unit {
		g.moveRows(next)
	}
	further := f.block.NewAdd(slot, constant.NewInt(types.I32, int64(unit)))
	beat.Incs = append(beat.Incs, ir.NewIncoming(then, f.block))
	slot.Incs = append(slot.Incs, ir.NewIncoming(g.wrapped(further), f.block))
	for i, v := range carried {
		phis[i].Incs = append(phis[i].Incs, ir.NewIncoming(*v, f.block))
	}
	more := f.block.NewICmp(below, then, g.add(first, g.num(int64(p.Turn))))
	f.block.NewCondBr(more, loop, after)
	f.block = after
}

// moveRows gives each row what is in the one that next has for it.
func (g *stage) moveRows(next []int) {
	var old []rowValues
	for _, r := range g.rows {
		old = append(old, rowValues{slices.Clone(r.cells), slices.Clone(r.left), slices.Clone(r.right)})
	}
	for i, from := range next {
		copy(g.rows[i].cells, old[from].cells)
		copy(g.rows[i].left, old[from].left)
		copy(g.rows[i].right, old[from].right)
	}
}

// wrapped returns the slot behind the last one as the first one, and so on.
func (g *stage) wrapped(slot value.Value) value.Value {
	slots := constant.NewInt(types.I32, int64(g.pipe.Slots))
	return g.block.NewSelect(g.block.NewICmp(below, slot, slots), slot, g.block.NewSub(slot, slots))
}

// slotted returns the address of a slot of what begins at a, of slots of so many bytes.
func (g *stage) slotted(a address, slot int, bytes int64) address {
	if g.slot == nil {
		return a.plus(int64(slot) * bytes)
	}
	at := g.wrapped(g.block.NewAdd(g.slot, constant.NewInt(types.I32, int64(slot))))
	return address{g.block.NewGetElementPtr(types.I8, a.base, g.block.NewMul(at, constant.NewInt(types.I32, bytes))), a.bytes}
}
