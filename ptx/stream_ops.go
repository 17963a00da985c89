package ptx

import (
	"fmt"
	"maps"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers what all lanes of a warp do together.

// Comparisons of integers.
const (
	sameAs  = enum.IPredEQ
	atLeast = enum.IPredSGE
	atMost  = enum.IPredSLE
	below   = enum.IPredSLT
)

// ops lowers what the warps do in a beat. What enters or leaves one row, one behind the other, is lowered at once.
func (g *stage) ops(ops []gpu.WarpOp) {
	for len(ops) > 0 {
		if in := gpu.Alike(ops, func(a, b gpu.Enter) bool { return a.Edge == b.Edge && a.Slot == b.Slot }); len(in) > 0 {
			g.enters(in)
			ops = ops[len(in):]
			continue
		}
		if out := gpu.Alike(ops, func(a, b gpu.Leave) bool { return a.Edge == b.Edge && a.Slot == b.Slot }); len(out) > 0 {
			g.leaves(out)
			ops = ops[len(out):]
			continue
		}
		g.op(ops[0])
		ops = ops[1:]
	}
}

func (g *stage) op(op gpu.WarpOp) {
	switch op := op.(type) {
	case gpu.ReadRow:
		g.readRow(op)
	case gpu.WriteRow:
		g.writeRow(op)
	case gpu.Exchange:
		g.exchange(op)
	case gpu.Evaluate:
		g.evaluate(op)
	case gpu.Patch:
		if !g.full {
			g.patch(op)
		}
	case gpu.Fetch:
		if !op.Border { // Patch loads these
			g.fetch(op)
		}
	case gpu.FetchLine: // Patch loads them
	case gpu.Put:
		g.put(op)
	case gpu.StoreColumn:
		g.storeColumn(op)
	default:
		panic(fmt.Sprintf("ptx: unknown operation %T", op))
	}
}

// all names all lanes of a warp.
var allLanes = constant.NewInt(types.I32, -1)

// warpBarrier has the lanes see what others of their warp have stored.
func (g *stage) warpBarrier() {
	g.block.NewCall(g.intrinsic("llvm.nvvm.bar.warp.sync", types.Void, types.I32), allLanes)
}

func (g *stage) exchange(op gpu.Exchange) {
	r, columns := &g.rows[op.Row], g.pipe.Columns
	for d := range op.Left {
		r.left[d] = g.fromLane(r.cells[columns-1-d%columns], "up", 1+d/columns)
	}
	for d := range op.Right {
		r.right[d] = g.fromLane(r.cells[d%columns], "down", 1+d/columns)
	}
}

// fromLane returns what v is in a lane so many further up or down.
func (g *stage) fromLane(v value.Value, direction string, by int) value.Value {
	b, t := g.block, v.Type()
	clamp := map[string]int64{"up": 0, "down": gpu.WarpLanes - 1}[direction]
	shuffle := g.intrinsic("llvm.nvvm.shfl.sync."+direction+".i32", types.I32, types.I32, types.I32, types.I32, types.I32)
	word := func(v value.Value) value.Value {
		return b.NewCall(shuffle, allLanes, v, constant.NewInt(types.I32, int64(by)), constant.NewInt(types.I32, clamp))
	}
	if bytesOf(t) == 4 {
		if t.Equal(types.I32) {
			return word(v)
		}
		return b.NewBitCast(word(b.NewBitCast(v, types.I32)), t)
	}
	whole := v
	if !t.Equal(types.I64) {
		whole = b.NewBitCast(v, types.I64)
	}
	half := constant.NewInt(types.I64, 32)
	low, high := word(b.NewTrunc(whole, types.I32)), word(b.NewTrunc(b.NewLShr(whole, half), types.I32))
	whole = b.NewOr(b.NewZExt(low, types.I64), b.NewShl(b.NewZExt(high, types.I64), half))
	if t.Equal(types.I64) {
		return whole
	}
	return b.NewBitCast(whole, t)
}

// cell returns column x + shift of a row.
func (g *stage) cell(row, x, shift int) value.Value {
	r, columns := g.rows[row], g.pipe.Columns
	switch at := x + shift; {
	case at < 0:
		return r.left[-at-1]
	case at >= columns:
		return r.right[at-columns]
	default:
		return r.cells[at]
	}
}

func (g *stage) evaluate(op gpu.Evaluate) {
	if op.Border && g.full {
		return
	}
	made := map[int][]value.Value{} // by access
	for x := range g.pipe.Columns {
		g.with(map[string]value.Value{g.pipe.Vars.At: g.columnOf(x)}, func() { g.results(op, x, made) })
	}
	var domain value.Value
	if op.Border {
		domain = g.columnsWhere(op.Domain)
	}
	for _, k := range slices.Sorted(maps.Keys(made)) {
		all, cells := made[k], g.rows[op.Operands[k].Row].cells
		for x, v := range all {
			if domain != nil {
				v = g.block.NewSelect(g.has(domain, x), v, cells[x])
			}
			cells[x] = v
		}
	}
}

// columnOf returns s0 of column x of the lane.
func (g *stage) columnOf(x int) value.Value {
	lane := g.add(g.mul(g.lane, g.num(int64(g.pipe.Columns))), g.num(int64(x)))
	return g.add(g.add(g.short(columnWord), g.sum(g.Origin)), lane)
}

// results appends what a statement stores in column x.
func (g *stage) results(op gpu.Evaluate, x int, made map[int][]value.Value) {
	b := &body{function: g.function, Compute: gpu.Compute{Stmt: op.Stmt, Iters: op.Iters}, iters: map[string]affine.Expr{}, locals: map[string]value.Value{}}
	for i, name := range op.Stmt.Iters {
		b.iters[name] = op.Iters[i]
	}
	b.read = func(k int) value.Value {
		o := op.Operands[k]
		if o.Element == nil {
			return g.cell(o.Row, x, o.Shift)
		}
		return g.operand(*o.Element)
	}
	for _, action := range op.Stmt.Actions() {
		switch a := action.(type) {
		case scop.Let:
			b.locals[a.Name] = b.expr(a.Value)
		case scop.Store:
			k := slices.Index(op.Stmt.Accesses, a.To)
			made[k] = append(made[k], b.expr(a.Value))
		default:
			panic(fmt.Sprintf("ptx: unknown action %T", action))
		}
	}
}

// operand returns an element of global memory, 0 where there is none.
func (g *stage) operand(e gpu.Element) value.Value {
	if g.full {
		return g.load(gpu.Ref{Array: e.Array, Index: e.Index})
	}
	exists := g.cond(e.Exists)
	return g.ifElse(exists, func() []value.Value {
		return []value.Value{g.load(gpu.Ref{Array: e.Array, Index: e.Index})}
	}, []value.Value{zeroOf(e.Array.Elem)})[0]
}

// ifElse returns what then makes where cond holds, else others.
func (f *function) ifElse(cond value.Value, then func() []value.Value, others []value.Value) (all []value.Value) {
	before := f.block
	var made []value.Value
	var inside *ir.Block
	f.branch(cond, func() {
		made = then()
		inside = f.block
	}, nil)
	for i, v := range made {
		all = append(all, f.block.NewPhi(ir.NewIncoming(v, inside), ir.NewIncoming(others[i], before)))
	}
	return all
}
