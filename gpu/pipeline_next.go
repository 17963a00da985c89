package gpu

import (
	"reflect"
	"slices"
)

// This file finds how rows take turns. The code of a beat is most often that of the one before with other registers for its rows, and the next slots: then turns may
// be a loop over one beat, behind which rows move on to the registers of others,
//
//	beat 0: D = A + B + C, A = row of slot 0       beat: D = A + B + C, A = row of slot s
//	beat 1: D = B + C + A, B = row of slot 1             A, B, C, s = B, C, A, s+1
//
// which is less code than a turn, and more moves.

// Next returns for each row of a stage which one has its part in the next beat, if all beats of a turn are the same but for that, and for slots, which are the next ones
// each beat, modulo Slots.
func (p *Pipeline) Next(st *Stage) (next []int, ok bool) {
	next = make([]int, len(st.Rows))
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
	for r, ops := range st.Beats {
		others := st.Beats[(r+1)%len(st.Beats)]
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
	return next, p.permutes(st, next)
}

// permutes reports whether next is a permutation of like rows, which a turn of beats brings back to where it began. It completes it by rows that nothing is done with.
func (p *Pipeline) permutes(st *Stage, next []int) bool {
	taken := make([]bool, len(next))
	for i, to := range next {
		if to < 0 {
			next[i], to = i, i
		}
		a, b := st.Rows[i], st.Rows[to]
		if taken[to] || a.Array.Elem != b.Array.Elem || a.Left != b.Left || a.Right != b.Right {
			return false
		}
		taken[to] = true
	}
	for i := range next {
		at := i
		for range p.Turn {
			at = next[at]
		}
		if at != i {
			return false
		}
	}
	return true
}

// Cycles returns the cycles by which rows move in so many beats, if next is what Next returns: each row of a cycle gets what the one behind it holds, and the last one what the
// first one held.
func Cycles(next []int, beats int) (all [][]int) {
	seen := make([]bool, len(next))
	for first := range next {
		var cycle []int
		for at := first; !seen[at]; {
			seen[at], cycle = true, append(cycle, at)
			for range beats {
				at = next[at]
			}
		}
		if len(cycle) > 1 {
			all = append(all, cycle)
		}
	}
	return all
}

// An anonymous is an operation without the names of its rows and of its slot, and these names; slot < 0: it has none.
type anonymous struct {
	op   WarpOp
	rows []int
	slot int
}

// nameless takes the names out of an operation.
func nameless(op WarpOp) anonymous {
	switch op := op.(type) {
	case ReadRow:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case WriteRow:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case Exchange:
		row := op.Row
		op.Row = 0
		return anonymous{op, []int{row}, -1}
	case Evaluate:
		var rows []int
		op.Operands = slices.Clone(op.Operands)
		for i := range op.Operands {
			if o := &op.Operands[i]; o.Element == nil {
				rows = append(rows, o.Row)
				o.Row = 0
			}
		}
		return anonymous{op, rows, -1}
	case Patch:
		row, slot := op.Row, -1
		op.Row = 0
		if b := op.Beside; b != nil {
			without := *b
			slot, without.Slot = b.Slot, 0
			op.Beside = &without
		}
		return anonymous{op, []int{row}, slot}
	case Fetch:
		slot := op.Slot
		op.Slot = 0
		return anonymous{op, nil, slot}
	case FetchLine:
		slot := op.Slot
		op.Slot = 0
		return anonymous{op, nil, slot}
	case Enter:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case Leave:
		row, slot := op.Row, op.Slot
		op.Row, op.Slot = 0, 0
		return anonymous{op, []int{row}, slot}
	case Put:
		slot := op.Slot
		op.Slot = 0
		return anonymous{op, nil, slot}
	case StoreColumn:
		row := op.Row
		op.Row = 0
		return anonymous{op, []int{row}, -1}
	}
	return anonymous{op, nil, -1} // like only what is the very same
}
