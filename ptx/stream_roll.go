package ptx

import (
	"reflect"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/gpu"
)

// This file lowers turns that are not full as a loop over beats. Their code is long, and they are few; and the code of a beat is most often that of the one
// before with other registers for its rows, and the next slots. So rows move on from beat to beat instead:
//
//	beat 0: D = A + B + C, A = row of slot 0       beat: D = A + B + C, A = row of slot s
//	beat 1: D = B + C + A, B = row of slot 1             A, B, C, s = B, C, A, s+1

// rolled lowers the beats of a turn from first on as a loop of so many beats each time; next is what beatsAlike returns.
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

// beatsAlike returns for each row which one has its part in the next beat, if all beats of a turn are the same but for that, and for slots, which are the next ones each beat.
func (g *stage) beatsAlike() (next []int, ok bool) {
	p := g.pipe
	next = make([]int, len(g.Rows))
	for i := range next {
		next[i] = -1
	}
	for _, c := range p.Copies {
		for r, slot := range c.Slots {
			if slot != (c.Slots[0]+r)%p.Slots {
				return nil, false
			}
		}
	}
	for r, ops := range g.Beats {
		others := g.Beats[(r+1)%len(g.Beats)]
		if len(ops) != len(others) {
			return nil, false
		}
		for i := range ops {
			x, y := nameless(ops[i]), nameless(others[i])
			if !reflect.DeepEqual(x.op, y.op) || len(x.rows) != len(y.rows) || x.slot >= 0 && y.slot != (x.slot+1)%p.Slots {
				return nil, false
			}
			for k, row := range x.rows {
				if next[row] >= 0 && next[row] != y.rows[k] {
					return nil, false
				}
				next[row] = y.rows[k]
			}
		}
	}
	return next, g.permutes(next)
}

// permutes reports whether next is a permutation of like rows, which a turn of beats brings back to where it began. It completes it by rows that nothing is done with.
func (g *stage) permutes(next []int) bool {
	taken := make([]bool, len(next))
	for i, to := range next {
		if to < 0 {
			next[i], to = i, i
		}
		a, b := g.Rows[i], g.Rows[to]
		if taken[to] || a.Array.Elem != b.Array.Elem || a.Left != b.Left || a.Right != b.Right {
			return false
		}
		taken[to] = true
	}
	for i := range next {
		at := i
		for range g.pipe.Turn {
			at = next[at]
		}
		if at != i {
			return false
		}
	}
	return true
}

// An anonymous is an operation without the names of its rows and of its slot, and these names; slot < 0: it has none.
type anonymous struct {
	op   gpu.WarpOp
	rows []int
	slot int
}

// nameless takes the names out of an operation.
func nameless(op gpu.WarpOp) anonymous {
	switch op := op.(type) {
	case gpu.ReadRow:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case gpu.WriteRow:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case gpu.Exchange:
		row := op.Row
		op.Row = 0
		return anonymous{op, []int{row}, -1}
	case gpu.Evaluate:
		var rows []int
		op.Operands = slices.Clone(op.Operands)
		for i := range op.Operands {
			if o := &op.Operands[i]; o.Element == nil {
				rows = append(rows, o.Row)
				o.Row = 0
			}
		}
		return anonymous{op, rows, -1}
	case gpu.Patch:
		row := op.Row
		op.Row, op.Beside = 0, nil // what it has is loaded
		return anonymous{op, []int{row}, -1}
	case gpu.Fetch:
		slot := op.Slot
		op.Slot = 0
		return anonymous{op, nil, slot}
	case gpu.Enter:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case gpu.Leave:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case gpu.Put:
		slot := op.Slot
		op.Slot = 0
		return anonymous{op, nil, slot}
	case gpu.StoreColumn:
		row := op.Row
		op.Row = 0
		return anonymous{op, []int{row}, -1}
	}
	return anonymous{op, nil, -1} // like only what is the very same
}
