package gpu

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
	"math"
)

// A TurnCount is what a block does in a full turn of a Pipeline, all warps together. Elements and values are counted one by one, whatever how many of them
// one instruction moves; Moves and Words are of instructions.
type TurnCount struct {
	Beats        int64 // of the turn
	Updates      int64 // instances of the tile
	Evaluated    int64 // columns that lanes compute: Updates, and those at either side that are of no use
	Operations   int64 // of all columns, as scop.Stmt.OperationsInRow counts them
	Shuffles     int64 // columns that lanes get from those beside them
	SharedLoads  int64 // elements from shared memory
	SharedStores int64 // to it, and copies that arrive there
	GlobalLoads  int64 // elements from global memory
	GlobalStores int64
	Bytes        int64                // of global loads and stores
	SharedBytes  int64                // of shared loads and stores
	Runs         map[*scop.Stmt]int64 // instances of each statement
	Direct       int64                // of GlobalLoads, those to registers, for the statement that reads them
	Moves        int64                // instructions of a warp that access memory, or lanes beside
	Words        int64                // of 32 bits, that these move, for each lane whether it takes part or not
	Rotated      int64                // instructions of a warp by which rows move from registers to registers, where turns are loops over fewer beats
}

// Count returns what a full turn does.
func (p *Pipeline) Count() TurnCount {
	n := TurnCount{Beats: int64(p.Turn), Runs: map[*scop.Stmt]int64{}}
	for i := range p.Stages {
		st := &p.Stages[i]
		for warp := st.First; warp < st.First+st.Count; warp++ {
			for _, ops := range st.Beats {
				for _, op := range ops {
					n.add(p, st, op, warp)
				}
			}
		}
	}
	n.Rotated = p.rotated()
	for _, c := range p.Copies {
		n.global(int64(c.Count*p.Turn), c.Ring.Array.Elem.Size(), c.In)
		n.lists(int64(c.Count), int64(p.Turn), c.Ring.Array.Elem.Size(), c.In)
	}
	return n
}

// rotated returns by how many instructions of all warps rows of a full turn move to where its code looks for them. Of those that take each other's place, the last one moves
// nowhere: it is computed anew.
func (p *Pipeline) rotated() (moves int64) {
	if p.Straight == 0 || p.Straight == p.Turn {
		return 0
	}
	for i := range p.Stages {
		st := &p.Stages[i]
		next, ok := p.Next(st)
		if !ok {
			continue
		}
		for _, cycle := range Cycles(next, p.Straight) {
			for _, row := range cycle[1:] {
				moves += int64(st.Count * p.Turn / p.Straight * p.Columns * st.Rows[row].Array.Elem.Words())
			}
		}
	}
	return moves
}

// moveBytes is the most that a lane moves with one instruction.
const moveBytes = 16

// row counts what moves a row of so many columns to or from shared memory.
func (n *TurnCount) row(columns int64, size int) {
	n.Moves += (columns*int64(size) + moveBytes - 1) / moveBytes
	n.Words += columns * WarpLanes * words(size)
}

// each counts instructions that each move an element of every lane.
func (n *TurnCount) each(times int64, size int) {
	n.Moves += times
	n.Words += times * WarpLanes * words(size)
}

// lists counts what moves so many lists of elements, one in each lane, between global and shared memory: out takes a load and a store.
func (n *TurnCount) lists(elements, times int64, size int, in bool) {
	times *= (elements + WarpLanes - 1) / WarpLanes
	if !in {
		times *= 2
	}
	n.each(times, size)
}

func words(size int) int64 { return int64(size+3) / 4 }

// shared counts elements that come from shared memory, or go there.
func (n *TurnCount) shared(elements int64, size int, in bool) {
	n.SharedBytes += elements * int64(size)
	if in {
		n.SharedStores += elements
	} else {
		n.SharedLoads += elements
	}
}

// global counts elements that come from global memory to shared memory, or go there.
func (n *TurnCount) global(elements int64, size int, in bool) {
	n.Bytes += elements * int64(size)
	n.shared(elements, size, in)
	if in {
		n.GlobalLoads += elements
	} else {
		n.GlobalStores += elements
	}
}

// add counts an op of a warp.
func (n *TurnCount) add(p *Pipeline, st *Stage, op WarpOp, warp int) {
	row := int64(WarpLanes * p.Columns)
	switch op := op.(type) {
	case Evaluate:
		if op.Border {
			return
		}
		lo, hi := p.Own(op, warp)
		own := hi - lo + 1
		n.Updates += own
		n.Runs[op.Stmt] += own
		n.Evaluated += row
		n.Operations += int64(math.Round(float64(row) * op.Stmt.OperationsInRow()))
		for _, o := range op.Operands {
			if o.Element != nil && !p.Same(o.Element) {
				n.GlobalLoads += row
				n.Direct += row
				n.Bytes += row * int64(o.Element.Array.Elem.Size())
				n.each(int64(p.Columns), o.Element.Array.Elem.Size())
			}
		}
	case Exchange:
		n.Shuffles += int64(WarpLanes * (op.Left + op.Right))
		n.each(int64(op.Left+op.Right)*words(st.Rows[op.Row].Array.Elem.Size()), 4)
	case ReadRow:
		n.row(int64(p.Columns), op.Ring.Array.Elem.Size())
		n.shared(row, op.Ring.Array.Elem.Size(), false)
	case WriteRow:
		n.row(int64(p.Columns), op.Ring.Array.Elem.Size())
		n.shared(row, op.Ring.Array.Elem.Size(), true)
	case Enter:
		if op.Warps.Has(warp) {
			n.shared(1, op.Edge.Array.Elem.Size(), false)
			n.each(1, op.Edge.Array.Elem.Size())
		}
	case Leave:
		if op.Warps.Has(warp) {
			n.shared(1, op.Edge.Array.Elem.Size(), true)
			n.each(1, op.Edge.Array.Elem.Size())
		}
	case Fetch:
		if op.Border {
			return
		}
		n.global(op.Cursor.of(warp), op.Edge.Array.Elem.Size(), true)
		n.lists(op.Cursor.of(warp), 1, op.Edge.Array.Elem.Size(), true)
	case Put:
		n.global(op.Cursor.of(warp), op.Edge.Array.Elem.Size(), false)
		n.lists(op.Cursor.of(warp), 1, op.Edge.Array.Elem.Size(), false)
	case StoreColumn:
		if op.Warps.Has(warp) {
			n.GlobalStores++
			n.each(1, op.Element.Array.Elem.Size())
			n.Bytes += int64(op.Element.Array.Elem.Size())
		}
	}
}

// Own returns the least and the greatest local coordinate of what a warp computes of the tile.
func (p *Pipeline) Own(op Evaluate, warp int) (lo, hi int64) {
	at := map[string]int64{p.Vars.Warp: int64(warp)}
	return affine.Eval(op.Own[0], at), affine.Eval(op.Own[1], at)
}

// EachRow calls f with what each warp evaluates in the beats of full turns, step by step.
func (p *Pipeline) EachRow(f func(st *Stage, op Evaluate, warp int)) {
	for i := range p.Stages {
		st := &p.Stages[i]
		for warp := st.First; warp < st.First+st.Count; warp++ {
			for _, op := range st.Beats[0] {
				if e, ok := op.(Evaluate); ok && !e.Border {
					f(st, e, warp)
				}
			}
		}
	}
}

// of returns how many elements c has of a warp.
func (c *Cursor) of(warp int) (n int64) {
	for _, g := range c.Groups {
		if g.Warps.Has(warp) {
			n += int64(g.Count)
		}
	}
	return n
}
