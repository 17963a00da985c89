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
)

// This file addresses elements in the straight code of a full tile.
//
// In global memory most are addressed from the base address that gpu gives them: by
// products of a number and a stride of 32 bits, which the hardware adds to 64 bits in
// one instruction. What strides are is hidden from LLVM, anew behind each barrier. Else it
// would keep the addresses of all rows from one barrier to the next, or compute
// multiples of strides before the loop over tiles, and need more registers for
// them than there are. A tile without base addresses has few addresses: they are
// computed once, in its head.
//
// In shared memory an element lies at a number of bytes from where the thread
// begins: an address that is computed in the head too.

// A tile is what addresses in the straight code of a full tile are made of. What
// is computed in its head, a block that runs before all else, is by its key.
type tile struct {
	head      *ir.Block
	bases     map[*gpu.Base]value.Value // pointers to bytes
	strides   []tileStride
	addressed int                    // elements from base addresses since the strides were hidden
	threads   map[string]value.Value // by buffer and the multiples of thread indices: where the thread begins, in bytes
	outer     map[string]bool        // the variables that the head may use, if it has no base addresses; else nil
	origins   map[string]value.Value // by array and subscripts without what is added at a distance that is a number
}

// A tileStride is a stride of a tile.
type tileStride struct {
	gpu.Stride
	elements value.Value // how many: 32 bits, without a sign
}

// fitting returns that all strides to test are below 2^32, nil if there are none.
func (f *function) fitting(strides []gpu.Stride) (all value.Value) {
	for _, s := range strides {
		over := f.block.NewLShr(f.product(s, f.wide), constant.NewInt(types.I64, 32))
		fits := f.block.NewICmp(enum.IPredEQ, over, constant.NewInt(types.I64, 0))
		if all == nil {
			all = fits
		} else {
			all = f.block.NewAnd(all, fits)
		}
	}
	return all
}

// product returns s, its factors as the function makes them of indices; they wrap.
func (f *function) product(s gpu.Stride, as func(value.Value) value.Value) (v value.Value) {
	number, others := s.Factors()
	for _, e := range others {
		x := as(f.sum(f.affine(e)))
		if v == nil {
			v = x
		} else {
			v = f.block.NewMul(v, x)
		}
	}
	if number != 1 {
		v = f.block.NewMul(v, constant.NewInt(v.Type().(*types.IntType), number))
	}
	return v
}

// straight lowers n.Then, the straight code of a full tile.
func (f *function) straight(n gpu.If) {
	first := f.newBlock("tile")
	f.tile = &tile{head: f.block, bases: map[*gpu.Base]value.Value{}, threads: map[string]value.Value{}, origins: map[string]value.Value{}}
	f.inHead(func() {
		for _, s := range n.Strides {
			f.tile.strides = append(f.tile.strides, tileStride{s, f.product(s, f.narrow)})
		}
		for _, c := range n.Bases {
			f.tile.bases[c] = f.block.NewBitCast(f.element(c.Array, c.Index), pointer(types.I8, globalSpace))
		}
	})
	if len(n.Bases) == 0 {
		f.tile.outer = map[string]bool{}
		for name := range f.vars {
			f.tile.outer[name] = true
		}
	}
	f.block = first
	f.anew()
	f.nodes(n.Then)
	f.tile.head.NewBr(first)
}

// inHead runs lower, whose instructions go to the head of the tile, where the
// variables for thread indices are bound.
func (f *function) inHead(lower func()) {
	block, vars := f.block, f.vars
	f.block, f.vars = f.tile.head, maps.Clone(f.vars)
	for axis, name := range f.kernel.ThreadVars {
		f.vars[name] = lazy(func() value.Value { return f.thread(axis) })
	}
	lower()
	f.block, f.vars = block, vars
}

// anew hides from LLVM what the strides are.
func (f *function) anew() {
	if f.tile == nil {
		return
	}
	f.tile.addressed = 0
	for i, s := range f.tile.strides {
		t := types.NewPointer(types.NewFunc(types.I32, types.I32))
		same := ir.NewInlineAsm(t, "", "=r,0")
		same.SideEffect = true
		f.tile.strides[i].elements = f.block.NewCall(same, s.elements)
	}
}

func (t *tile) clone() *tile {
	if t == nil {
		return nil
	}
	inner := *t
	inner.strides = slices.Clone(t.strides)
	return &inner
}

// ahead returns a pointer to r, which has a base address.
func (f *function) ahead(r gpu.Ref) value.Value {
	f.tile.addressed++
	at, size := f.tile.bases[r.Base], int64(r.Array.Elem.Size())
	last, steps := r.Steps()
	for _, s := range steps {
		bytes := f.block.NewMul(f.block.NewZExt(f.strideOf(s.Stride), types.I64), constant.NewInt(types.I64, s.Count*size))
		at = f.block.NewGetElementPtr(types.I8, at, bytes)
	}
	at = f.block.NewGetElementPtr(types.I8, at, constant.NewInt(types.I64, last*size))
	return f.block.NewBitCast(at, pointer(f.cell(r.Array), globalSpace))
}

// strideOf returns s, one of the strides of the tile.
func (f *function) strideOf(s gpu.Stride) value.Value {
	for _, have := range f.tile.strides {
		if have.Same(s) {
			return have.elements
		}
	}
	panic(fmt.Sprintf("ptx: the stride of dimension %d of %s is not known in %s", s.Dim, s.Array.Name, f.name))
}

// narrow returns the lower 32 bits of an index.
func (f *function) narrow(v value.Value) value.Value {
	if f.index.BitSize == 32 {
		return v
	}
	return f.block.NewTrunc(v, types.I32)
}

// fromOrigin returns a pointer to r from one that is computed in the head of the
// tile; nil if its subscripts have variables that are not known there.
func (f *function) fromOrigin(r gpu.Ref) value.Value {
	index, key, bytes := make([]affine.Expr, len(r.Index)), r.Array.Name, int64(0)
	for d, e := range r.Index {
		s, ok := f.overLanes(e)
		if !ok {
			return nil
		}
		if number, others := (gpu.Stride{Array: r.Array, Dim: d}).Factors(); len(others) == 0 {
			bytes += s.Const * number * int64(r.Array.Elem.Size())
			s = s.Add(-s.Const)
		}
		index[d] = s
		key += fmt.Sprint(",", s)
	}
	if f.tile.origins[key] == nil {
		f.inHead(func() {
			f.tile.origins[key] = f.block.NewBitCast(f.element(r.Array, index), pointer(types.I8, globalSpace))
		})
	}
	at := f.block.NewGetElementPtr(types.I8, f.tile.origins[key], constant.NewInt(types.I64, bytes))
	return f.block.NewBitCast(at, pointer(f.cell(r.Array), globalSpace))
}

// overLanes returns e over thread indices in place of the variables of loops that
// are one; ok is false if it has others of the tile.
func (f *function) overLanes(e affine.Expr) (out affine.Sum, ok bool) {
	s, ok := e.(affine.Sum)
	if !ok {
		return out, false
	}
	out = affine.Num(s.Const)
	for _, t := range s.Terms {
		l, isLane := f.lanes[t.Var]
		switch {
		case isLane && l.axis >= 0:
			out = out.Plus(affine.Var(f.kernel.ThreadVars[l.axis]).Times(t.Coef)).Add(t.Coef * l.plus)
		case isLane:
			out = out.Add(t.Coef * l.plus)
		case f.tile.outer[t.Var]:
			out = out.Plus(affine.Var(t.Var).Times(t.Coef))
		default:
			return out, false
		}
	}
	return out, true
}

// sharedPlace returns a pointer to r, in shared memory, if it stands in the
// straight code of a full tile and its subscripts are made of thread indices; else nil.
func (f *function) sharedPlace(r gpu.Ref) value.Value {
	if f.tile == nil {
		return nil
	}
	var by [3]int64 // along each axis, in bytes
	at, step := int64(0), int64(r.Array.Elem.Size())
	for d, e := range slices.Backward(r.Index) {
		s, ok := f.overLanes(e)
		if !ok {
			return nil
		}
		at += s.Const * step
		for _, t := range s.Terms {
			axis := slices.Index(f.kernel.ThreadVars[:], t.Var)
			if axis < 0 {
				return nil
			}
			by[axis] += t.Coef * step
		}
		step *= r.Buffer.Shape[d]
	}
	p := f.block.NewGetElementPtr(types.I8, f.begin(r.Buffer, by), constant.NewInt(types.I32, at))
	return f.block.NewBitCast(p, pointer(f.cell(r.Array), sharedSpace))
}

// begin returns where the thread begins in b, if it lies by so many bytes for its
// index along each axis from the buffer's beginning.
func (f *function) begin(b *gpu.Buffer, by [3]int64) value.Value {
	key := fmt.Sprint(b.Name, by)
	if v := f.tile.threads[key]; v != nil {
		return v
	}
	head := f.tile.head
	var v value.Value = head.NewBitCast(f.buffer(b), pointer(types.I8, sharedSpace))
	for axis, n := range by {
		if n != 0 {
			v = head.NewGetElementPtr(types.I8, v, f.nsw(head.NewMul(f.thread(axis), f.num(n))))
		}
	}
	f.tile.threads[key] = v
	return v
}
