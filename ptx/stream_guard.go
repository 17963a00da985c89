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
)

// This file lowers what turns do that are not full. Most of their conditions are of two parts, one about beats, and one about columns, which is the same in
// all beats of a chain. So what beats, and what columns of a lane, is computed once in a chain and kept in shared memory: there is room for
// it, and in registers there is none. What there is no room for either, without fewer blocks at once, is computed anew in each beat.
//
//	S0 runs where 1 <= beat - warp && beat - warp <= n - 2 && 1 <= at && at <= n - 2:
//	the beats 1 + warp to n - 2 + warp, and the columns 01111111 of lane 0, 11111111 of others

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

func (g *stage) patch(op gpu.Patch) {
	cells := g.rows[op.Row].cells
	lower := func() []value.Value {
		need, leaving := g.needed(op)
		domain := g.columnsWhere(op.Domain)
		some := g.without(g.block.NewAnd(need, g.columnsWhere(op.Element.Exists)), domain)
		made := g.patchIn(op, some)
		if op.Final == nil || len(op.Final) > 0 {
			g.patchOut(op, g.block.NewAnd(g.block.NewAnd(leaving, g.columnsWhere(op.Final)), domain))
		}
		return made
	}
	if op.Inside == nil {
		copy(cells, lower())
		return
	}
	outside := g.block.NewXor(g.holds(op.Inside), constant.True)
	copy(cells, g.ifElse(outside, lower, cells))
}

// needed returns the columns of op that later steps need, and those of the tile that nothing else stores.
func (g *stage) needed(op gpu.Patch) (need, leaving value.Value) {
	at, ok := address{}, false
	if g.pipe.Columns <= 16 {
		at, ok = g.entry(fmt.Sprint("needed ", op.Need, op.Own, op.Stored), 4, func(at address) {
			both := g.block.NewOr(g.between(op.Need[0], op.Need[1]), g.block.NewShl(g.leaving(op), g.mask(16)))
			g.storeVector(at, []value.Value{both})
		})
	}
	if !ok {
		g.anew(func() { need, leaving = g.between(op.Need[0], op.Need[1]), g.leaving(op) })
		return need, leaving
	}
	both := g.loadVector(at, types.I32, 1)[0]
	return g.block.NewAnd(both, g.mask(1<<16-1)), g.block.NewLShr(both, g.mask(16))
}

// columnsWhere returns the columns of the lane of which c holds.
func (g *stage) columnsWhere(c astgen.Cond) (set value.Value) {
	all, ok := g.parted(c)
	if !ok || g.bits() != types.I32 {
		g.anew(func() { set = g.where(c) })
		return set
	}
	set = g.mask(0)
	for _, x := range all {
		columns := g.mask(1<<g.pipe.Columns - 1)
		if len(x.column) > 0 {
			at, ok := g.entry("columns "+astgen.Cond{x.column}.String(), 4, func(at address) {
				g.atLane(func() { g.storeVector(at, []value.Value{g.where(astgen.Cond{x.column})}) })
			})
			if ok {
				columns = g.loadVector(at, types.I32, 1)[0]
			} else {
				g.anew(func() { columns = g.where(astgen.Cond{x.column}) })
			}
		}
		if len(x.beat) > 0 {
			columns = g.block.NewSelect(g.duringRows(x.beat), columns, g.mask(0))
		}
		set = g.block.NewOr(set, columns)
	}
	return set
}

// holds returns whether c does, which is not about At.
func (g *stage) holds(c astgen.Cond) (yes value.Value) {
	all, ok := g.parted(c)
	if !ok {
		g.anew(func() { yes = g.cond(c) })
		return yes
	}
	yes = constant.False
	for _, x := range all {
		yes = g.block.NewOr(yes, g.duringRows(x.beat))
	}
	return yes
}

// leaving returns the columns of the tile that nothing else stores.
func (g *stage) leaving(op gpu.Patch) value.Value {
	out := g.between(op.Own[0], op.Own[1])
	for _, x := range op.Stored {
		stored := g.between(x.Lo, x.Hi)
		if in := g.inSpan(x.Warps); in != nil {
			stored = g.block.NewSelect(in, stored, g.mask(0))
		}
		out = g.without(out, stored)
	}
	return out
}

// atLane lowers with At bound to column 0 of the lane.
func (g *stage) atLane(lower func()) {
	at := g.add(g.add(g.variable(g.pipe.Vars.Column), g.sum(g.Origin)), g.mul(g.lane, g.num(int64(g.pipe.Columns))))
	g.with(map[string]value.Value{g.pipe.Vars.At: at}, lower)
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
	g.with(g.chainVars(), func() {
		g.vars[v.Warp] = g.warp
		g.atLane(lower)
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

// patchIn returns the row with columns set to elements.
func (g *stage) patchIn(op gpu.Patch, set value.Value) []value.Value {
	cells, t := g.rows[op.Row].cells, g.function.cell(op.Element.Array)
	return g.ifElse(g.some(set), func() []value.Value {
		var at func(x int) value.Value
		g.anew(func() { at = g.elements(op.Element) })
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
	}, cells)
}

// some returns whether there are columns in a set.
func (g *stage) some(set value.Value) value.Value {
	return g.block.NewICmp(enum.IPredNE, set, g.mask(0))
}

// patchOut stores columns.
func (g *stage) patchOut(op gpu.Patch, set value.Value) {
	g.branch(g.some(set), func() {
		var at func(x int) value.Value
		g.anew(func() { at = g.elements(op.Element) })
		for x, v := range g.rows[op.Row].cells {
			p := at(x)
			g.branch(g.has(set, x), func() { g.storeGlobal(p, v) }, nil)
		}
	}, nil)
}
