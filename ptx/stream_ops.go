package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
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
		if in := firstOf[gpu.Enter](ops, func(a, b gpu.Enter) bool { return a.Edge == b.Edge && a.Slot == b.Slot }); len(in) > 0 {
			g.enters(in)
			ops = ops[len(in):]
			continue
		}
		if out := firstOf[gpu.Leave](ops, func(a, b gpu.Leave) bool { return a.Edge == b.Edge && a.Slot == b.Slot }); len(out) > 0 {
			g.leaves(out)
			ops = ops[len(out):]
			continue
		}
		g.op(ops[0])
		ops = ops[1:]
	}
}

// firstOf returns the first of ops, as far as they are of one kind and like the first one.
func firstOf[T gpu.WarpOp](ops []gpu.WarpOp, like func(a, b T) bool) (all []T) {
	for _, op := range ops {
		x, ok := op.(T)
		if !ok || len(all) > 0 && !like(all[0], x) {
			break
		}
		all = append(all, x)
	}
	return all
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
		g.fetch(op)
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
	made := make([]value.Value, g.pipe.Columns)
	for x := range made {
		g.with(map[string]value.Value{g.pipe.Vars.At: g.columnOf(x)}, func() { made[x] = g.result(op, x) })
	}
	copy(g.rows[op.Row].cells, made)
}

// columnOf returns s0 of column x of the lane.
func (g *stage) columnOf(x int) value.Value {
	lane := g.add(g.mul(g.lane, g.num(int64(g.pipe.Columns))), g.num(int64(x)))
	return g.add(g.add(g.short(columnWord), g.sum(g.Origin)), lane)
}

// result returns what a statement stores in column x.
func (g *stage) result(op gpu.Evaluate, x int) (stored value.Value) {
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
			stored = b.expr(a.Value)
		default:
			panic(fmt.Sprintf("ptx: unknown action %T", action))
		}
	}
	return stored
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

// Columns of a lane are bits of a number: which of them are instances, exist, enter, leave.

// mask returns a set of columns.
func (g *stage) mask(bits int64) value.Value { return constant.NewInt(g.bits(), bits) }

// bits is the type of a set of columns.
func (g *stage) bits() *types.IntType {
	switch n := g.pipe.Columns; {
	case n < 32:
		return types.I32
	case n < 64:
		return types.I64
	}
	panic(fmt.Sprintf("ptx: a lane has %d columns", g.pipe.Columns))
}

// has returns whether a column is in a set.
func (g *stage) has(set value.Value, x int) value.Value {
	return g.block.NewICmp(enum.IPredNE, g.block.NewAnd(set, g.mask(1<<x)), g.mask(0))
}

func (g *stage) without(set, other value.Value) value.Value {
	return g.block.NewAnd(set, g.block.NewXor(other, g.mask(-1)))
}

// upTo returns the columns below n.
func (g *stage) upTo(n value.Value) value.Value {
	n = g.least(g.greatest(n, g.num(0)), g.num(int64(g.pipe.Columns)))
	switch t := g.bits(); {
	case t.BitSize < g.index.BitSize:
		n = g.block.NewTrunc(n, t)
	case t.BitSize > g.index.BitSize:
		n = g.block.NewZExt(n, t)
	}
	return g.block.NewSub(g.block.NewShl(g.mask(1), n), g.mask(1))
}

// between returns the columns at local coordinates lo to hi.
func (g *stage) between(lo, hi affine.Sum) value.Value {
	first := g.mul(g.lane, g.num(int64(g.pipe.Columns)))
	low, high := g.sub(g.sum(lo.Minus(g.Origin)), first), g.sub(g.sum(hi.Minus(g.Origin).Add(1)), first)
	return g.without(g.upTo(high), g.upTo(low))
}

// where returns the columns whose At makes a condition hold.
func (g *stage) where(c astgen.Cond) value.Value {
	at, every := g.pipe.Vars.At, g.mask(1<<g.pipe.Columns-1)
	switch {
	case c == nil:
		return every
	case len(c) == 0:
		return g.mask(0)
	case len(c) > 1:
		return g.each(c)
	}
	set := every
	var fixed, rows []affine.Expr // those that depend on the column are rows
	for _, r := range c[0] {
		uses := false
		affine.Vars(r, func(name string) { uses = uses || name == at })
		x, isSum := r.(affine.Sum)
		switch {
		case !uses:
			fixed = append(fixed, r)
		case !isSum || x.Coef(at) != 1 && x.Coef(at) != -1:
			return g.each(c)
		default:
			rows = append(rows, r)
		}
	}
	for _, r := range rows {
		x := r.(affine.Sum)
		here := g.sum(x) // of column 0
		if x.Coef(at) == 1 {
			set = g.without(set, g.upTo(g.sub(g.num(0), here)))
		} else {
			set = g.block.NewAnd(set, g.upTo(g.add(here, g.num(1))))
		}
	}
	if len(fixed) > 0 {
		set = g.block.NewSelect(g.cond(astgen.Cond{fixed}), set, g.mask(0))
	}
	return set
}

// each is where, for conditions of any form: column by column.
func (g *stage) each(c astgen.Cond) value.Value {
	at, set := g.pipe.Vars.At, value.Value(g.mask(0))
	first := g.variable(at)
	for x := range g.pipe.Columns {
		g.with(map[string]value.Value{at: g.add(first, g.num(int64(x)))}, func() {
			set = g.block.NewOr(set, g.block.NewSelect(g.cond(c), g.mask(1<<x), g.mask(0)))
		})
	}
	return set
}

// patch lowers op, with At bound to column 0 of the lane.
func (g *stage) patch(op gpu.Patch) {
	g.anew(func() {
		domain := g.where(op.Domain)
		in := g.without(g.block.NewAnd(g.where(op.Element.Exists), g.between(op.Need[0], op.Need[1])), domain)
		var out value.Value = g.block.NewAnd(g.block.NewAnd(domain, g.where(op.Final)), g.between(op.Own[0], op.Own[1]))
		for _, x := range op.Stored {
			stored := g.between(x.Lo, x.Hi)
			if in := g.inSpan(x.Warps); in != nil {
				stored = g.block.NewSelect(in, stored, g.mask(0))
			}
			out = g.without(out, stored)
		}
		g.patchIn(op, in)
		g.patchOut(op, out)
	})
}

// anew lowers with all that distinguishes chains, warps and lanes as if it were not known yet, and At bound to column 0 of the lane. What turns compute that
// are not full would else be kept in registers from the first time on: of which there are no more than full turns need.
func (g *stage) anew(lower func()) {
	warp, lane, small, v := g.warp, g.lane, g.small, g.pipe.Vars
	same := ir.NewInlineAsm(types.NewPointer(types.NewFunc(types.I32, types.I32)), "", "=r,0,~{memory}")
	same.SideEffect = true
	thread := g.block.NewCall(same, g.thread32())
	g.small = g.block.NewAnd(thread, constant.NewInt(types.I32, gpu.WarpLanes-1))
	g.lane, g.warp = g.asIndex(g.small), g.asIndex(g.block.NewLShr(thread, constant.NewInt(types.I32, 5)))
	g.with(map[string]value.Value{v.Warp: g.warp, v.Time: g.short(timeWord), v.Column: g.short(columnWord)}, func() {
		at := g.add(g.add(g.variable(v.Column), g.sum(g.Origin)), g.mul(g.lane, g.num(int64(g.pipe.Columns))))
		g.with(map[string]value.Value{v.At: at}, lower)
	})
	g.warp, g.lane, g.small = warp, lane, small
}

// elements returns a pointer to the element of each column of the lane, all of which are computed from the one of column 0.
func (g *stage) elements(e gpu.Element) func(x int) value.Value {
	first, next := g.to(e), g.perUnit(e, g.pipe.Vars.At)
	return func(x int) value.Value {
		d := distance{bytes: next.bytes * int64(x)}
		if next.value != nil {
			d.value = g.block.NewMul(next.value, constant.NewInt(types.I64, int64(x)))
		}
		return g.further(first, d)
	}
}

// patchIn sets columns to elements.
func (g *stage) patchIn(op gpu.Patch, set value.Value) {
	cells, t := g.rows[op.Row].cells, g.function.cell(op.Element.Array)
	copy(cells, g.ifElse(g.some(set), func() []value.Value {
		at := g.elements(op.Element)
		made := make([]value.Value, len(cells))
		for x, v := range cells {
			p := at(x)
			made[x] = g.ifElse(g.has(set, x), func() []value.Value {
				load := g.block.NewLoad(t, g.block.NewBitCast(p, pointer(t, globalSpace)))
				load.Align = ir.Align(bytesOf(t))
				return []value.Value{load}
			}, []value.Value{v})[0]
		}
		return made
	}, cells))
}

// some returns whether there are columns in a set.
func (g *stage) some(set value.Value) value.Value {
	return g.block.NewICmp(enum.IPredNE, set, g.mask(0))
}

// patchOut stores columns.
func (g *stage) patchOut(op gpu.Patch, set value.Value) {
	g.branch(g.some(set), func() {
		at := g.elements(op.Element)
		for x, v := range g.rows[op.Row].cells {
			p := at(x)
			g.branch(g.has(set, x), func() { g.storeGlobal(p, v) }, nil)
		}
	}, nil)
}
