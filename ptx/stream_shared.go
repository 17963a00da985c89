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

// This file lays out the rows and edges of a pipeline in shared memory, and addresses them.
//
// A row is chunks of neighbouring columns, of 16 bytes if Columns and what rows are moved by are multiples of that: chunk c of lane l lies at
// [c][l+1], so that the lanes of a warp touch all banks alike, however far the row they read is moved. There is a lane too
// many on both sides, which holds nothing.

const pitch = gpu.RingLanes

// sharedPlaces say where rings and edges are.
type sharedPlaces struct {
	rings map[*gpu.Ring]ringPlace
	edges map[*gpu.Edge]edgePlace
	bytes int64 // of all
}

// A ringPlace is where the slots of a ring are.
type ringPlace struct {
	at    int64
	chunk int   // columns of a chunk
	elem  int64 // bytes
	row   int64 // bytes of a slot
	count int64 // slots of a number
}

// An edgePlace is where the slots of an edge are.
type edgePlace struct {
	at, elem, set, count int64
}

// place lays out the shared memory of p.
func place(p *gpu.Pipeline) sharedPlaces {
	s := sharedPlaces{rings: map[*gpu.Ring]ringPlace{}, edges: map[*gpu.Edge]edgePlace{}, bytes: 8 * headerWords(p)}
	for _, r := range p.Rings {
		x := ringPlace{at: s.bytes, chunk: p.Chunk(r), elem: int64(r.Array.Elem.Size()), count: int64(p.Slots)}
		x.row = gpu.Aligned(int64(pitch*p.Columns) * x.elem)
		s.rings[r] = x
		s.bytes += x.row * x.count * int64(r.Numbers)
	}
	for _, e := range p.Edges {
		x := edgePlace{at: s.bytes, elem: int64(e.Array.Elem.Size()), count: int64(p.Slots)}
		x.set = gpu.Aligned(int64(e.Elements) * x.elem)
		s.edges[e] = x
		s.bytes += x.set * x.count * int64(p.Warps)
	}
	return s
}

// An address is a place in shared memory: so many bytes from where the lane begins.
type address struct {
	base  value.Value // a pointer to bytes
	bytes int64
}

// plus returns an address so many bytes further.
func (a address) plus(bytes int64) address { return address{a.base, a.bytes + bytes} }

// pointer returns a as a pointer.
func (g *stage) pointer3(a address, t types.Type) value.Value {
	p := g.block.NewGetElementPtr(types.I8, a.base, constant.NewInt(types.I32, a.bytes))
	return g.block.NewBitCast(p, pointer(t, sharedSpace))
}

// begins returns where the lane begins, if each lane has so many bytes, and each warp.
func (g *stage) begins(lane, warp int64) value.Value {
	key := fmt.Sprint(lane, warp)
	if v := g.lanes3[key]; v != nil {
		return v
	}
	b := g.fixed
	at := b.NewMul(g.small, constant.NewInt(types.I32, lane))
	var w value.Value = g.warp
	if g.index.BitSize == 64 {
		w = b.NewTrunc(w, types.I32)
	}
	v := b.NewGetElementPtr(types.I8, g.inShared(0, types.I8), b.NewAdd(at, b.NewMul(w, constant.NewInt(types.I32, warp))))
	g.lanes3[key] = v
	return v
}

// inRing returns where chunk 0 of the lane lies in slot 0 of the ring of number Warp + by.
func (g *stage) inRing(r *gpu.Ring, by int) (address, ringPlace) {
	x := g.places.rings[r]
	number := x.row * x.count
	base := g.begins(int64(x.chunk)*x.elem, number)
	return address{base, x.at + int64(by)*number}, x
}

// chunkAt returns how far from its lane's chunk 0 the chunk lies whose first column is that one of a lane beside.
func (x ringPlace) chunkAt(column, lane int) int64 {
	return int64(column/x.chunk*pitch+lane+1) * int64(x.chunk) * x.elem
}

func (g *stage) readRow(op gpu.ReadRow) {
	at, x := g.inRing(op.Ring, op.From)
	cells, t := g.rows[op.Row].cells, typeOf(op.Ring.Array.Elem)
	for c := 0; c < g.pipe.Columns; c += x.chunk {
		var offsets []int64
		for _, shift := range op.Shift {
			offsets = append(offsets, x.chunkAt(g.pipe.Place(c, shift)))
		}
		copy(cells[c:], g.loadVector(g.slotted(g.byWarp(at, offsets), op.Slot, x.row), t, x.chunk))
	}
}

// byWarp returns an address that is further by other numbers of bytes in each warp of the stage.
func (g *stage) byWarp(a address, offsets []int64) address {
	same := true
	for _, o := range offsets {
		same = same && o == offsets[0]
	}
	if same {
		return a.plus(offsets[0])
	}
	key := fmt.Sprint(a.base.Ident(), offsets)
	if g.lanes3[key] == nil {
		b := g.fixed
		var by value.Value = constant.NewInt(types.I32, offsets[0])
		for i, o := range offsets[1:] {
			by = b.NewSelect(b.NewICmp(sameAs, g.warp, g.num(int64(g.First+1+i))), constant.NewInt(types.I32, o), by)
		}
		g.lanes3[key] = b.NewGetElementPtr(types.I8, a.base, by)
	}
	return address{g.lanes3[key], a.bytes}
}

func (g *stage) writeRow(op gpu.WriteRow) {
	at, x := g.inRing(op.Ring, op.To)
	at = g.slotted(at, op.Slot, x.row)
	for c := 0; c < g.pipe.Columns; c += x.chunk {
		g.storeVector(at.plus(x.chunkAt(c, 0)), g.rows[op.Row].cells[c:c+x.chunk])
	}
}

// loadVector loads n neighbouring values, which lie at a multiple of their size.
func (g *stage) loadVector(a address, t types.Type, n int) (all []value.Value) {
	if n == 1 {
		return []value.Value{g.block.NewLoad(t, g.pointer3(a, t))}
	}
	vector := types.NewVector(uint64(n), t)
	load := g.block.NewLoad(vector, g.pointer3(a, vector))
	load.Align = ir.Align(n * bytesOf(t))
	for i := range n {
		all = append(all, g.block.NewExtractElement(load, constant.NewInt(types.I32, int64(i))))
	}
	return all
}

// storeVector stores neighbouring values to a multiple of their size.
func (g *stage) storeVector(a address, all []value.Value) {
	t := all[0].Type()
	if len(all) == 1 {
		g.block.NewStore(all[0], g.pointer3(a, t))
		return
	}
	vector := types.NewVector(uint64(len(all)), t)
	var v value.Value = constant.NewUndef(vector)
	for i, x := range all {
		v = g.block.NewInsertElement(v, x, constant.NewInt(types.I32, int64(i)))
	}
	store := g.block.NewStore(v, g.pointer3(a, vector))
	store.Align = ir.Align(len(all) * bytesOf(t))
}

// bytesOf returns the size of a value of type t.
func bytesOf(t types.Type) int {
	switch t := t.(type) {
	case *types.IntType:
		return int(t.BitSize / 8)
	case *types.FloatType:
		if t.Kind == types.FloatKindDouble {
			return 8
		}
		return 4
	}
	panic(fmt.Sprintf("ptx: the size of %v", t))
}

// inEdge returns where element 0 of a slot of an edge lies, if each lane begins so many bytes further.
func (g *stage) inEdge(e *gpu.Edge, slot int, lane int64) (address, edgePlace) {
	x := g.places.edges[e]
	return g.slotted(address{g.begins(lane, x.set*x.count), x.at}, slot, x.set), x
}

// isLane returns whether the lane is that one, in warps of the span.
func (g *stage) isLane(lane affine.Sum, span gpu.Span) value.Value {
	is := value.Value(g.block.NewICmp(sameAs, g.lane, g.sum(lane)))
	if in := g.inSpan(span); in != nil {
		return g.block.NewAnd(in, is)
	}
	return is
}

// inSpan returns whether the warp is in a span, nil if all warps of the stage are.
func (g *stage) inSpan(s gpu.Span) value.Value {
	var all value.Value
	if s.First > g.First {
		all = g.block.NewICmp(atLeast, g.warp, g.num(int64(s.First)))
	}
	if s.Last < g.First+g.Count-1 {
		below := value.Value(g.block.NewICmp(atMost, g.warp, g.num(int64(s.Last))))
		if all != nil {
			below = g.block.NewAnd(all, below)
		}
		all = below
	}
	return all
}

// enters lowers several Enter of one slot, elements of which that lie side by side are loaded at once.
func (g *stage) enters(ops []gpu.Enter) {
	at, x := g.inEdge(ops[0].Edge, ops[0].Slot, 0)
	t := typeOf(ops[0].Edge.Array.Elem)
	n := max(1, gpu.ChunkBytes/int(x.elem))
	used := map[int]bool{}
	for _, op := range ops {
		used[op.Element] = true
	}
	loaded := map[int]value.Value{}
	for _, op := range ops {
		if loaded[op.Element] != nil {
			continue
		}
		from, count := op.Element, 1
		for count < n && allUsed(used, from/(2*count)*(2*count), 2*count) {
			count *= 2
			from = from / count * count
		}
		for i, v := range g.loadVector(at.plus(int64(from)*x.elem), t, count) {
			loaded[from+i] = v
		}
	}
	for _, op := range ops {
		cell := &g.rows[op.Row].cells[op.X]
		*cell = g.block.NewSelect(g.isLane(op.Lane, op.Warps), loaded[op.Element], *cell)
	}
}

func allUsed(used map[int]bool, from, count int) bool {
	for i := range count {
		if !used[from+i] {
			return false
		}
	}
	return true
}

// leaves lowers several Leave of one slot: those of one lane at once.
func (g *stage) leaves(ops []gpu.Leave) {
	slices.SortStableFunc(ops, func(a, b gpu.Leave) int { return a.Element - b.Element })
	for len(ops) > 0 {
		op, count := ops[0], 1
		for n := 2; n <= len(ops) && n <= gpu.ChunkBytes/op.Edge.Array.Elem.Size() && op.Element%n == 0 && sideBySide(ops[:n]); n *= 2 {
			count = n
		}
		g.branch(g.isLane(op.Lane, op.Warps), func() {
			at, x := g.inEdge(op.Edge, op.Slot, 0)
			var all []value.Value
			for _, o := range ops[:count] {
				all = append(all, g.rows[o.Row].cells[o.X])
			}
			g.storeVector(at.plus(int64(op.Element)*x.elem), all)
		}, nil)
		ops = ops[count:]
	}
}

// sideBySide reports whether ops are of one lane and of neighbouring elements.
func sideBySide(ops []gpu.Leave) bool {
	for i, op := range ops {
		if !op.Lane.Equal(ops[0].Lane) || op.Warps != ops[0].Warps || op.Element != ops[0].Element+i || op.Row != ops[0].Row {
			return false
		}
	}
	return true
}
