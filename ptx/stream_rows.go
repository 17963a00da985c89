package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file moves whole rows between global memory and rings, by all threads of a block, and single columns of rows from registers to global memory.

// A rowCopy is a gpu.RowCopy, of which the thread moves some elements: one of each Threads().
type rowCopy struct {
	*gpu.RowCopy
	number   int         // among those of the pipeline
	pointer1             // to the first one
	next     distance    // from one to the next
	shared   []address   // by element
	some     value.Value // whether the last one is an element
}

// rowCopy prepares copy number i.
func (g *stage) rowCopy(i int) *rowCopy {
	c := &g.pipe.Copies[i]
	made := &rowCopy{RowCopy: c, number: i}
	v, threads := g.pipe.Vars, g.pipe.Threads()
	thread := g.asIndex(g.thread32())
	g.with(map[string]value.Value{v.At: g.add(g.sum(c.First), thread)}, func() {
		made.at, made.step = g.to(c.Element), g.perUnit(c.Element, v.Beat)
		made.next = g.perUnit(c.Element, v.At)
	})
	g.follow(&made.pointer1, kin{c.Element.Array, 1})
	made.next.bytes *= int64(threads)
	if made.next.value != nil {
		made.next.value = g.block.NewMul(made.next.value, constant.NewInt(types.I64, int64(threads)))
	}
	apart := c.First.Minus(c.Origin)
	if !apart.IsNum() {
		panic(fmt.Sprintf("ptx: %v and %v are not a number apart", c.First, c.Origin))
	}
	x := g.places.rings[c.Ring]
	at := x.at + int64(c.Number)*x.row*x.count
	for u := 0; u*threads < c.Count; u++ {
		made.shared = append(made.shared, g.inRow(x, int(apart.Const)+u*threads).plus(at))
	}
	if c.Count%threads != 0 {
		made.some = g.block.NewICmp(below, g.thread32(), constant.NewInt(types.I32, int64(c.Count%threads)))
	}
	return made
}

// inRow returns where the column lies that is so many behind that of the number of the thread, in a slot at 0 of shared memory. Columns that are a multiple of
// a lane's apart have one base: column p is column p % Columns of lane p / Columns.
func (g *stage) inRow(x ringPlace, column int) address {
	columns, chunk := g.pipe.Columns, int64(x.chunk)*x.elem
	_, lanes := g.pipe.Place(column, 0)
	first := column - lanes*columns
	key := fmt.Sprint("row ", first, x.chunk, x.elem)
	if g.lanes3[key] == nil {
		number := func(n int64) value.Value { return constant.NewInt(types.I32, n) }
		b := g.block
		p := b.NewAdd(g.thread32(), number(int64(first)))
		in, lane := b.NewURem(p, number(int64(columns))), b.NewUDiv(p, number(int64(columns)))
		chunks := b.NewMul(b.NewUDiv(in, number(int64(x.chunk))), number(pitch*chunk))
		bytes := b.NewAdd(b.NewAdd(chunks, b.NewMul(b.NewURem(in, number(int64(x.chunk))), number(x.elem))), b.NewMul(lane, number(chunk)))
		g.lanes3[key] = b.NewGetElementPtr(types.I8, g.inShared(0, types.I8), bytes)
	}
	return address{g.lanes3[key], int64(lanes+1) * chunk}
}

// rowCopies lowers those from global memory, or those to it, at beat r of a turn.
func (g *stage) rowCopies(r int, in bool) {
	for _, c := range g.copies {
		if c.In == in {
			g.copyRow(c, r)
		}
	}
}

func (g *stage) copyRow(c *rowCopy, r int) {
	x := g.places.rings[c.Ring]
	at := g.now(&c.pointer1)
	for u, shared := range c.shared {
		if u > 0 {
			at = g.further(at, c.next)
		}
		var cond value.Value
		if u == len(c.shared)-1 {
			cond = c.some
		}
		if !g.full {
			cond = g.and(cond, g.copied(c, u))
		}
		place := g.slotted(shared, c.Slots[r], x.row)
		if c.In {
			g.copyIn(cond, place, at, int(x.elem))
			continue
		}
		g.when(cond, func() { g.storeGlobal(at, g.loadVector(place, typeOf(c.Ring.Array.Elem), 1)[0]) })
	}
}

// copied returns whether the guard of c holds of the thread's element number u.
func (g *stage) copied(c *rowCopy, u int) (holds value.Value) {
	inElement := func(u int, lower func()) {
		thread := g.add(g.add(g.mul(g.warp, g.num(gpu.WarpLanes)), g.lane), g.num(int64(u*g.pipe.Threads())))
		g.with(map[string]value.Value{g.pipe.Vars.At: g.add(g.sum(c.First), thread)}, lower)
	}
	anew := func() value.Value {
		g.anew(func() { inElement(u, func() { holds = g.cond(c.Guard) }) })
		return holds
	}
	all, ok := g.parted(c.Guard)
	if !ok || len(c.shared) > 32 {
		return anew()
	}
	holds = constant.False
	for i, x := range all {
		bits, ok := g.entry(fmt.Sprint("copy ", c.number, " ", i), 4, func(at address) {
			all := value.Value(constant.NewInt(types.I32, 0))
			for u := range c.shared {
				inElement(u, func() {
					bit := g.block.NewShl(g.block.NewZExt(g.cond(astgen.Cond{x.column}), types.I32), constant.NewInt(types.I32, int64(u)))
					all = g.block.NewOr(all, bit)
				})
			}
			g.storeVector(at, []value.Value{all})
		})
		if !ok {
			return anew()
		}
		bit := g.block.NewAnd(g.loadVector(bits, types.I32, 1)[0], constant.NewInt(types.I32, 1<<u))
		holds = g.block.NewOr(holds, g.block.NewAnd(g.duringRows(x.beat), g.block.NewICmp(enum.IPredNE, bit, constant.NewInt(types.I32, 0))))
	}
	return holds
}

// column returns the pointer to the element of op in column 0 of the lane.
func (g *stage) column(op gpu.StoreColumn) *pointer1 {
	key := columnKey(op.Element.Array.Name)
	for _, x := range op.Element.Index {
		key += columnKey(fmt.Sprint(",", x))
	}
	if g.columns[key] == nil {
		v := g.pipe.Vars
		at := g.add(g.add(g.variable(v.Column), g.sum(g.Origin)), g.mul(g.lane, g.num(int64(g.pipe.Columns))))
		g.with(map[string]value.Value{v.At: at}, func() {
			g.columns[key] = &pointer1{at: g.to(op.Element), step: g.perUnit(op.Element, v.Beat)}
		})
		g.follow(g.columns[key], kin{op.Element.Array, g.pipe.Columns})
		g.keys = append(g.keys, key)
	}
	return g.columns[key]
}

func (g *stage) storeColumn(op gpu.StoreColumn) {
	v := g.pipe.Vars
	column := affine.Var(v.Column).Plus(g.Origin).Plus(op.Lane.Times(int64(g.pipe.Columns))).Add(int64(op.X))
	for q := op.Warps.First; q <= op.Warps.Last; q++ {
		if at := op.At.Minus(column).Subst(map[string]affine.Sum{v.Warp: affine.Num(int64(q))}); !at.Equal(affine.Sum{}) {
			panic(fmt.Sprintf("ptx: column %v is stored to %v", column, op.At))
		}
	}
	cond := g.isLane(op.Lane, op.Warps)
	if !g.full {
		cond = g.and(cond, g.storedColumn(op))
	}
	p := g.column(op)
	g.branch(cond, func() {
		at := g.now(p)
		d := g.perUnit(op.Element, v.At)
		d.bytes *= int64(op.X)
		if d.value != nil {
			d.value = g.block.NewMul(d.value, constant.NewInt(types.I64, int64(op.X)))
		}
		g.storeGlobal(g.further(at, d), g.rows[op.Row].cells[op.X])
	}, nil)
}

// storedColumn returns whether op stores.
func (g *stage) storedColumn(op gpu.StoreColumn) (holds value.Value) {
	at := g.pipe.Vars.At
	anew := func() value.Value {
		g.anew(func() {
			g.with(map[string]value.Value{at: g.sum(op.At)}, func() { holds = g.cond(op.Domain) })
		})
		return holds
	}
	if !g.bounded(op.Domain) {
		return anew()
	}
	holds = constant.False
	for i, rows := range op.Domain {
		to, ok := g.warpEntry(fmt.Sprint("column ", astgen.Cond{rows}, op.At, i), g.beatBytes(), func(to address) {
			g.with(map[string]value.Value{at: g.sum(op.At)}, func() { g.storeBeats(to, g.beatsOf(rows)) })
		})
		if !ok {
			return anew()
		}
		holds = g.block.NewOr(holds, g.during(to))
	}
	return holds
}
