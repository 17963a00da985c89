package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file points to elements of global memory. A thread has a pointer for what it copies each beat, which it moves on by what the row of a beat
// lies from that of the one before.

// A pointer1 points to an element of each beat, in global memory.
type pointer1 struct {
	at   value.Value // to bytes, in the beat that is lowered
	step distance    // from one beat to the next
	// If lead is set, at is the first beat's alone: this one lies as far from lead in all beats, as the table has it at apart.
	lead  *pointer1
	apart address
}

// A distance is a number of bytes: a constant, and a value unless that is nil.
type distance struct {
	bytes int64
	value value.Value
}

// move goes on to the next beat.
func (p *pointer1) move(f *function) { p.at = f.further(p.at, p.step) }

// now returns p in the beat that is lowered.
func (g *stage) now(p *pointer1) value.Value {
	if p.lead == nil {
		return p.at
	}
	return g.block.NewGetElementPtr(types.I8, p.lead.at, g.loadVector(p.apart, types.I64, 1)[0])
}

// A kin is pointers that may lie the same distance apart in all lanes of a warp: to elements of an array, so many further from lane to lane.
type kin struct {
	array *scop.Array
	lane  int
}

// follow has p lie behind an earlier pointer of its kin that moves as it does, if there is one: in three dimensions, where each line has its own, they
// would take more registers than there are.
func (g *stage) follow(p *pointer1, of kin) {
	if !g.lined() {
		return
	}
	number := func(p *pointer1) value.Value { return g.block.NewPtrToInt(p.at, types.I64) }
	for _, lead := range g.leads[of] {
		if !lead.step.same(p.step) {
			continue
		}
		first, other := *lead, *p // the table is filled when they have moved
		key := fmt.Sprint("apart ", len(g.table.entries))
		at, ok := g.warpEntry(key, 8, func(to address) {
			g.storeVector(to, []value.Value{g.block.NewSub(number(&other), number(&first))})
		})
		if ok {
			p.lead, p.apart = lead, at
			return
		}
	}
	g.leads[of] = append(g.leads[of], p)
}

// same reports whether d and o are the same distance, by how they are computed.
func (d distance) same(o distance) bool {
	return d.bytes == o.bytes && (d.value == nil) == (o.value == nil) && (d.value == nil || sameValue(d.value, o.value))
}

// further returns a pointer to bytes so far from another one.
func (f *function) further(at value.Value, d distance) value.Value {
	if d.value != nil {
		at = f.block.NewGetElementPtr(types.I8, at, d.value)
	}
	if d.bytes != 0 {
		at = f.block.NewGetElementPtr(types.I8, at, constant.NewInt(types.I64, d.bytes))
	}
	return at
}

// perUnit returns how far e moves when a variable grows by 1; it panics if that is not the same everywhere.
func (f *function) perUnit(e gpu.Element, name string) (d distance) {
	size := int64(e.Array.Elem.Size())
	for dim, x := range e.Index {
		s, ok := x.(affine.Sum)
		if !ok {
			affine.Vars(x, func(v string) {
				if v == name {
					panic(fmt.Sprintf("ptx: %s is in a remainder of a subscript of %s", name, e.Array.Name))
				}
			})
			continue
		}
		c := s.Coef(name)
		if c == 0 {
			continue
		}
		stride := gpu.Stride{Array: e.Array, Dim: dim}
		if number, others := stride.Factors(); len(others) == 0 {
			d.bytes += c * number * size
			continue
		}
		v := value.Value(f.block.NewMul(f.product(stride, f.wide), constant.NewInt(types.I64, c*size)))
		if d.value != nil {
			v = f.block.NewAdd(d.value, v)
		}
		d.value = v
	}
	return d
}

// to returns a pointer to the bytes of e.
func (f *function) to(e gpu.Element) value.Value {
	return f.block.NewBitCast(f.element(e.Array, e.Index), pointer(types.I8, globalSpace))
}

// choose returns x where cond holds, else y.
func (f *function) choose(cond value.Value, x, y distance) distance {
	if x.same(y) {
		return x
	}
	whole := func(d distance) value.Value {
		if d.value == nil {
			return constant.NewInt(types.I64, d.bytes)
		}
		return f.add64(d.value, d.bytes)
	}
	return distance{value: f.block.NewSelect(cond, whole(x), whole(y))}
}

// sameValue reports whether x and y are the same product of the same values.
func sameValue(x, y value.Value) bool {
	if x == y {
		return true
	}
	a, ok := x.(*ir.InstMul)
	b, is := y.(*ir.InstMul)
	if ok && is {
		return sameValue(a.X, b.X) && sameValue(a.Y, b.Y)
	}
	c, ok := x.(*constant.Int)
	d, is := y.(*constant.Int)
	return ok && is && c.X.Cmp(d.X) == 0
}
