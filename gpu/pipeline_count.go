package gpu

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// A TurnCount is what a block does in a full turn of a Pipeline, all warps together. Elements and values are counted one by one, whatever how many of them
// one instruction moves.
type TurnCount struct {
	Updates      int64 // instances of the tile
	Evaluated    int64 // columns that lanes compute: Updates, and those at either side that are of no use
	Operations   int64 // of all columns, as scop.Stmt.Operations counts them
	Shuffles     int64 // columns that lanes get from those beside them
	SharedLoads  int64 // elements from shared memory
	SharedStores int64 // to it, and copies that arrive there
	GlobalLoads  int64 // elements from global memory
	GlobalStores int64
	Bytes        int64                // of global loads and stores
	SharedBytes  int64                // of shared loads and stores
	Runs         map[*scop.Stmt]int64 // instances of each statement
}

// Count returns what a full turn does.
func (p *Pipeline) Count() TurnCount {
	n := TurnCount{Runs: map[*scop.Stmt]int64{}}
	for _, st := range p.Stages {
		for warp := st.First; warp < st.First+st.Count; warp++ {
			for _, ops := range st.Beats {
				for _, op := range ops {
					n.add(p, op, warp)
				}
			}
		}
	}
	for _, c := range p.Copies {
		n.global(int64(c.Count*p.Turn), c.Ring.Array.Elem.Size(), c.In)
	}
	return n
}

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
func (n *TurnCount) add(p *Pipeline, op WarpOp, warp int) {
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
		n.Operations += row * op.Stmt.Operations()
		for _, o := range op.Operands {
			if o.Element != nil && !p.Same(o.Element) {
				n.GlobalLoads += row
				n.Bytes += row * int64(o.Element.Array.Elem.Size())
			}
		}
	case Exchange:
		n.Shuffles += int64(WarpLanes * (op.Left + op.Right))
	case ReadRow:
		n.shared(row, op.Ring.Array.Elem.Size(), false)
	case WriteRow:
		n.shared(row, op.Ring.Array.Elem.Size(), true)
	case Enter:
		if op.Warps.Has(warp) {
			n.shared(1, op.Edge.Array.Elem.Size(), false)
		}
	case Leave:
		if op.Warps.Has(warp) {
			n.shared(1, op.Edge.Array.Elem.Size(), true)
		}
	case Fetch:
		if op.Border {
			return
		}
		n.global(op.Cursor.of(warp), op.Edge.Array.Elem.Size(), true)
	case Put:
		n.global(op.Cursor.of(warp), op.Edge.Array.Elem.Size(), false)
	case StoreColumn:
		if op.Warps.Has(warp) {
			n.GlobalStores++
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
