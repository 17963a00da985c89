package ptx

import (
	"fmt"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file moves elements between global memory and rings or edges.

// A cursor is pointers to the elements of a gpu.Cursor: of each lane to one of 32, and to another one of those behind.
type cursor struct {
	*gpu.Cursor
	sets []*lanePointer
}

// A lanePointer has an element of each lane, in those lanes that active is true of; nil: all.
type lanePointer struct {
	pointer1
	first  int // the number of lane 0's element
	active value.Value
}

// A columnKey is an element of each column of the warp.
type columnKey string

// pointers returns all pointers of the stage that move.
func (g *stage) pointers() (all []*pointer1) {
	for _, c := range g.order {
		for _, s := range c.sets {
			all = append(all, &s.pointer1)
		}
	}
	for _, c := range g.copies {
		all = append(all, &c.pointer1)
	}
	for _, k := range g.keys {
		all = append(all, g.columns[k])
	}
	return slices.DeleteFunc(all, func(p *pointer1) bool { return p.lead != nil })
}

// prepare computes what the pointers are in the first beat.
func (g *stage) prepare() {
	for _, ops := range g.Beats {
		for _, op := range ops {
			switch op := op.(type) {
			case gpu.Fetch:
				if !op.Border {
					g.cursor(op.Cursor)
				}
			case gpu.Put:
				g.cursor(op.Cursor)
			case gpu.StoreColumn:
				g.column(op)
			}
		}
	}
	for i := range g.pipe.Copies {
		g.copies = append(g.copies, g.rowCopy(i))
	}
}

// cursor prepares c.
func (g *stage) cursor(c *gpu.Cursor) {
	if g.cursors[c] != nil {
		return
	}
	made := &cursor{Cursor: c}
	for first := 0; first < c.Elements(); first += gpu.WarpLanes {
		made.sets = append(made.sets, g.lanePointer(c, first))
	}
	g.cursors[c], g.order = made, append(g.order, made)
}

// A share is the lanes whose elements are of a group.
type share struct {
	gpu.Group
	from, to int         // lanes
	at       affine.Sum  // s0 of the element that lane 0 has or would have
	in       value.Value // whether the lane is one of them, nil: all are
}

// shares returns the groups of 32 elements of c.
func (g *stage) shares(c *gpu.Cursor, first int) (all []share) {
	base := 0
	for _, group := range c.Groups {
		from, to := max(base-first, 0), min(base+group.Count-first, gpu.WarpLanes)-1
		if from <= to {
			s := share{Group: group, from: from, to: to, at: group.At.Add(int64(first - base))}
			if from > 0 {
				s.in = g.block.NewICmp(atLeast, g.small, constant.NewInt(types.I32, int64(from)))
			}
			if to < gpu.WarpLanes-1 {
				below := value.Value(g.block.NewICmp(atMost, g.small, constant.NewInt(types.I32, int64(to))))
				if s.in != nil {
					below = g.block.NewAnd(s.in, below)
				}
				s.in = below
			}
			all = append(all, s)
		}
		base += group.Count
	}
	return all
}

// inGroup lowers with At bound to what the lane has of a share.
func (g *stage) inGroup(s share, lower func()) {
	g.with(map[string]value.Value{g.pipe.Vars.At: g.add(g.sum(s.at), g.lane)}, lower)
}

// lanePointer returns the pointer to elements first to first + 31 of c.
func (g *stage) lanePointer(c *gpu.Cursor, first int) *lanePointer {
	p := &lanePointer{first: first}
	lanes, whole := 0, true
	active := value.Value(constant.False)
	for i, s := range g.shares(c, first) {
		g.inGroup(s, func() {
			at, step := g.to(s.Element), g.perUnit(s.Element, g.pipe.Vars.Beat)
			in := g.and(s.in, g.inSpan(s.Warps))
			switch {
			case i == 0:
				p.at, p.step = at, step
			default:
				p.at = g.block.NewSelect(s.in, at, p.at)
				p.step = g.choose(s.in, step, p.step)
			}
			if in == nil {
				in = constant.True
			}
			active = g.block.NewOr(active, in)
			lanes += s.to - s.from + 1
			whole = whole && g.inSpan(s.Warps) == nil
		})
	}
	if !whole || lanes < gpu.WarpLanes {
		p.active = active
	}
	return p
}

// and returns x && y, where nil is true.
func (f *function) and(x, y value.Value) value.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return f.block.NewAnd(x, y)
}

// allowed returns whether the lane copies its element of a set, nil: it does.
func (g *stage) allowed(c *gpu.Cursor, p *lanePointer) value.Value {
	if g.full {
		return p.active
	}
	bounded, most := true, 0
	for _, group := range c.Groups {
		bounded, most = bounded && g.bounded(group.Guard), max(most, len(group.Guard))
	}
	any := value.Value(constant.False)
	for i := 0; bounded && i < most; i++ { // each alternative of the lane's guard
		var at address
		at, bounded = g.entry(fmt.Sprint("cursor ", c.Name, p.first, i), g.beatBytes(), func(at address) {
			b := beats{g.num(1), g.num(0)}
			for _, s := range g.shares(c, p.first) {
				if i < len(s.Guard) {
					b = g.beatsIn(s, s.Guard[i], b)
				}
			}
			g.storeBeats(at, b)
		})
		if bounded {
			any = g.block.NewOr(any, g.during(at))
		}
	}
	if bounded {
		return any
	}
	any = constant.False
	g.anew(func() {
		for _, s := range g.shares(c, p.first) {
			g.inGroup(s, func() {
				any = g.block.NewOr(any, g.and(g.and(g.cond(s.Guard), s.in), g.inSpan(s.Warps)))
			})
		}
	})
	return any
}

// beatsIn returns the beats of which rows hold in lanes of a share, and others in others.
func (g *stage) beatsIn(s share, rows []affine.Expr, others beats) (b beats) {
	g.inGroup(s, func() {
		b = g.beatsOf(rows)
		if in := g.and(s.in, g.inSpan(s.Warps)); in != nil {
			b = beats{g.block.NewSelect(in, b.lo, others.lo), g.block.NewSelect(in, b.hi, others.hi)}
		}
	})
	return b
}

func (g *stage) fetch(op gpu.Fetch) {
	size := op.Edge.Array.Elem.Size()
	for _, p := range g.cursors[op.Cursor].sets {
		to, x := g.inEdge(op.Edge, op.Slot, int64(size))
		g.copyIn(g.allowed(op.Cursor, p), to.plus(int64(p.first)*x.elem), p.at, size)
	}
}

// copyIn begins to copy an element to shared memory, where a condition holds, unless it is nil.
func (g *stage) copyIn(cond value.Value, to address, from value.Value, size int) {
	if g.async {
		g.when(cond, func() {
			base := g.block.NewPtrToInt(to.base, types.I32)
			g.call(fmt.Sprintf("cp.async.ca.shared.global [$0+%d], [$1], %d;", to.bytes, size), "r,l", types.Void, base, from)
		})
		return
	}
	t := types.NewInt(uint64(8 * size))
	text, constraint := fmt.Sprintf("ld.global.cg.u%d $0, [$1];", 8*size), map[int]string{4: "=r,l", 8: "=l,l"}[size]
	before := g.block
	var v value.Value
	g.when(cond, func() { v = g.call(text, constraint, t, from) })
	if cond != nil {
		inside := before.Term.(*ir.TermCondBr).TargetTrue.(*ir.Block)
		v = g.block.NewPhi(ir.NewIncoming(v, inside), ir.NewIncoming(constant.NewUndef(t), before))
	}
	g.late = append(g.late, func() {
		g.when(cond, func() { g.storeVector(to, []value.Value{v}) })
	})
}

// when lowers under a condition, unless it is nil.
func (g *stage) when(cond value.Value, lower func()) {
	if cond == nil {
		lower()
		return
	}
	g.branch(cond, lower, nil)
}

func (g *stage) put(op gpu.Put) {
	g.warpBarrier()
	size := int64(op.Edge.Array.Elem.Size())
	for _, p := range g.cursors[op.Cursor].sets {
		from, x := g.inEdge(op.Edge, op.Slot, size)
		g.when(g.allowed(op.Cursor, p), func() {
			v := g.loadVector(from.plus(int64(p.first)*x.elem), typeOf(op.Edge.Array.Elem), 1)[0]
			g.storeGlobal(p.at, v)
		})
	}
}

func (g *stage) storeGlobal(at value.Value, v value.Value) {
	store := g.block.NewStore(v, g.block.NewBitCast(at, pointer(v.Type(), globalSpace)))
	store.Align = ir.Align(bytesOf(v.Type()))
}
