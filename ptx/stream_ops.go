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
		vars := map[string]value.Value{}
		if !g.full {
			vars[g.pipe.Vars.At] = g.add(g.at, g.num(int64(x)))
		} else {
			vars[g.pipe.Vars.At] = g.columnOf(x)
		}
		g.with(vars, func() { made[x] = g.result(op, x) })
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

// A columnSet is columns of a lane: those from .. to, or, if each is set, those of which it is true.
type columnSet struct {
	from, to value.Value
	each     func(x int) value.Value
}

// has returns whether column x of the lane is in s.
func (g *stage) has(s columnSet, x int) value.Value {
	if s.each != nil {
		return s.each(x)
	}
	at := g.num(int64(x))
	return g.block.NewAnd(g.block.NewICmp(atMost, s.from, at), g.block.NewICmp(atMost, at, s.to))
}

// both returns the columns of two sets.
func (g *stage) both(s, t columnSet) columnSet {
	if s.each != nil || t.each != nil {
		return columnSet{each: func(x int) value.Value { return g.block.NewAnd(g.has(s, x), g.has(t, x)) }}
	}
	return columnSet{from: g.greatest(s.from, t.from), to: g.least(s.to, t.to)}
}

// between returns the columns at local coordinates lo to hi.
func (g *stage) between(lo, hi affine.Sum) columnSet {
	first := g.mul(g.lane, g.num(int64(g.pipe.Columns)))
	return columnSet{from: g.sub(g.sum(lo.Minus(g.Origin)), first), to: g.sub(g.sum(hi.Minus(g.Origin)), first)}
}

// where returns the columns whose At makes a condition hold.
func (g *stage) where(c astgen.Cond) columnSet {
	at := g.pipe.Vars.At
	some := columnSet{from: g.num(0), to: g.num(int64(g.pipe.Columns - 1))}
	switch {
	case c == nil:
		return some
	case len(c) == 0:
		return columnSet{from: g.num(0), to: g.num(-1)}
	}
	each := columnSet{each: func(x int) (holds value.Value) {
		g.with(map[string]value.Value{at: g.add(g.at, g.num(int64(x)))}, func() { holds = g.cond(c) })
		return holds
	}}
	if len(c) > 1 {
		return each
	}
	var fixed []affine.Expr // that do not depend on the column
	for _, r := range c[0] {
		x, isSum := r.(affine.Sum)
		uses := false
		affine.Vars(r, func(name string) { uses = uses || name == at })
		switch {
		case !uses:
			fixed = append(fixed, r)
			continue
		case !isSum || x.Coef(at) != 1 && x.Coef(at) != -1:
			return each
		}
		var here value.Value // of column 0
		g.with(map[string]value.Value{at: g.at}, func() { here = g.sum(x) })
		if x.Coef(at) == 1 {
			some.from = g.greatest(some.from, g.sub(g.num(0), here))
		} else {
			some.to = g.least(some.to, here)
		}
	}
	if len(fixed) > 0 {
		some.to = g.block.NewSelect(g.cond(astgen.Cond{fixed}), some.to, g.num(-1))
	}
	return some
}

// any returns whether s may have a column of the lane.
func (g *stage) any(s columnSet) value.Value {
	if s.each != nil {
		return constant.True
	}
	lo, hi := g.greatest(s.from, g.num(0)), g.least(s.to, g.num(int64(g.pipe.Columns-1)))
	return g.block.NewICmp(atMost, lo, hi)
}

func (g *stage) patch(op gpu.Patch) {
	domain := g.where(op.Domain)
	g.patchIn(op, domain, g.both(g.where(op.Element.Exists), g.between(op.Need[0], op.Need[1])))
	g.patchOut(op, g.both(g.both(domain, g.where(op.Final)), g.between(op.Own[0], op.Own[1])))
}

// elements returns a pointer to the element of each column of the lane, all of which are computed from the one of column 0.
func (g *stage) elements(e gpu.Element) func(x int) value.Value {
	var first value.Value
	g.with(map[string]value.Value{g.pipe.Vars.At: g.at}, func() { first = g.to(e) })
	next := g.perUnit(e, g.pipe.Vars.At)
	return func(x int) value.Value {
		d := distance{bytes: next.bytes * int64(x)}
		if next.value != nil {
			d.value = g.block.NewMul(next.value, constant.NewInt(types.I64, int64(x)))
		}
		return g.further(first, d)
	}
}

// patchIn sets columns that are no instances to the elements of some.
func (g *stage) patchIn(op gpu.Patch, domain, some columnSet) {
	cells := g.rows[op.Row].cells
	any := g.any(some)
	if domain.each == nil && some.each == nil { // not where all of some are instances
		lo, hi := g.greatest(some.from, g.num(0)), g.least(some.to, g.num(int64(g.pipe.Columns-1)))
		outside := g.block.NewOr(g.block.NewICmp(below, lo, domain.from), g.block.NewICmp(below, domain.to, hi))
		any = g.block.NewAnd(any, outside)
	}
	t := g.cell32(op.Element)
	copy(cells, g.ifElse(any, func() []value.Value {
		at := g.elements(op.Element)
		made := make([]value.Value, len(cells))
		for x, v := range cells {
			need := g.block.NewAnd(g.has(some, x), g.block.NewXor(g.has(domain, x), constant.True))
			p := at(x)
			made[x] = g.ifElse(need, func() []value.Value {
				load := g.block.NewLoad(t, g.block.NewBitCast(p, pointer(t, globalSpace)))
				load.Align = ir.Align(bytesOf(t))
				return []value.Value{load}
			}, []value.Value{v})[0]
		}
		return made
	}, cells))
}

// cell32 returns the type of e.
func (g *stage) cell32(e gpu.Element) types.Type { return g.function.cell(e.Array) }

// patchOut stores the columns of some that nothing else stores.
func (g *stage) patchOut(op gpu.Patch, some columnSet) {
	g.branch(g.any(some), func() {
		at := g.elements(op.Element)
		type stored struct {
			columnSet
			in value.Value
		}
		var others []stored
		for _, x := range op.Stored {
			others = append(others, stored{g.between(x.Lo, x.Hi), g.inSpan(x.Warps)})
		}
		for x, v := range g.rows[op.Row].cells {
			cond := g.has(some, x)
			for _, o := range others {
				cond = g.block.NewAnd(cond, g.block.NewXor(g.and(g.has(o.columnSet, x), o.in), constant.True))
			}
			p := at(x)
			g.branch(cond, func() { g.storeGlobal(p, v) }, nil)
		}
	}, nil)
}
