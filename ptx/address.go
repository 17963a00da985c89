package ptx

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file addresses arrays in global memory.
//
// A thread of a full tile accesses elements whose subscripts differ by numbers.
// There an address is that of an element near by, plus or minus strides: A[i+3][j-1]
// comes from A[i+2][j] by one addition and an immediate offset. Extents and the
// first address behind each barrier go through a move that LLVM does not look into.
// Else it would keep the addresses of all rows from one barrier to the next, or
// compute multiples of strides before the loop over tiles, and need more
// registers for them than there are.

// globalPlace returns a pointer to an element of an array in global memory.
func (f *function) globalPlace(r gpu.Ref) value.Value {
	if f.near != nil && len(r.Index) > 0 {
		return f.nearPlace(r)
	}
	wide := f.wide
	if small(r.Array) { // then no number of an element needs 64 bits
		wide = func(v value.Value) value.Value { return v }
	}
	var at value.Value = f.num(0)
	for i, e := range r.Index {
		x := wide(f.expr(e))
		if i == 0 {
			at = x
			continue
		}
		at = f.add(f.mul(at, wide(f.sum(f.affine(r.Array.Extents[i])))), x)
	}
	return f.gep(f.cell(r.Array), f.first(r.Array), at)
}

// first returns the pointer to the first element of a.
func (f *function) first(a *scop.Array) value.Value {
	return f.param(Arg{ArrayArg, slices.Index(f.prog.Scop.Arrays, a), a.Elem})
}

// affine returns a, which is over parameters only.
func (f *function) affine(a scop.Affine) astgen.Sum {
	s := astgen.Num(a.Const)
	for i, c := range a.Params {
		s = s.Plus(astgen.Var(f.prog.Scop.Params[i].Name).Times(c))
	}
	return s
}

// small reports whether a has fewer than 2^31 elements whatever the parameters.
func small(a *scop.Array) bool {
	total := uint64(1)
	for _, e := range a.Extents {
		if slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 }) {
			return false
		}
		hi, lo := bits.Mul64(total, uint64(max(e.Const, 0)))
		if hi != 0 || lo > math.MaxInt32 {
			return false
		}
		total = lo
	}
	return true
}

// A near is what is known of addresses at a place of a full tile.
type near struct {
	origins map[string]value.Value // by family: the element whose numbers are all 0, as computed in this tile
	strides map[string]value.Value // in bytes, as computed behind the last barrier
	places  map[string][]place     // by family, computed behind the last barrier
}

// A place is the element of a family whose subscripts are larger by numbers than
// those of the origin; the numbers of dimensions with constant strides are left out.
type place struct {
	by []int64
	at value.Value
}

func newNear() *near {
	return &near{map[string]value.Value{}, map[string]value.Value{}, map[string][]place{}}
}

// behindBarrier forgets all but the origins.
func (n *near) behindBarrier() *near {
	if n == nil {
		return nil
	}
	return &near{n.origins, map[string]value.Value{}, map[string][]place{}}
}

func (n *near) clone() *near {
	if n == nil {
		return nil
	}
	places := map[string][]place{}
	for k, ps := range n.places {
		places[k] = slices.Clone(ps)
	}
	return &near{maps.Clone(n.origins), maps.Clone(n.strides), places}
}

// A stride is the distance in bytes of neighbours along a dimension: a number, or
// a product of extents.
type stride struct {
	bytes   int64        // if extents is empty, the whole stride
	extents []astgen.Sum // that are not numbers
}

// strides returns those of the dimensions of a.
func (f *function) strides(a *scop.Array) []stride {
	all := make([]stride, len(a.Extents))
	s := stride{bytes: int64(a.Elem.Size())}
	for d := len(all) - 1; d >= 0; d-- {
		all[d] = s
		if e := f.affine(a.Extents[d]); e.IsNum() {
			s = stride{s.bytes * e.Const, s.extents}
		} else {
			s = stride{s.bytes, append(slices.Clone(s.extents), e)}
		}
	}
	return all
}

// nearPlace returns a pointer to an element by way of others near by.
func (f *function) nearPlace(r gpu.Ref) value.Value {
	strides := f.strides(r.Array)
	family := r.Array.Name
	origin := make([]astgen.Expr, len(r.Index))
	var by []int64     // along dimensions whose strides are not numbers
	var dims []int     // these dimensions
	offset := int64(0) // in bytes, along the others
	for d, e := range r.Index {
		number := int64(0)
		origin[d] = e
		if s, ok := e.(astgen.Sum); ok {
			number = s.Const
			origin[d] = s.Add(-number)
		}
		family += "[" + fmt.Sprint(origin[d]) + "]"
		if len(strides[d].extents) == 0 {
			offset += number * strides[d].bytes
		} else {
			by, dims = append(by, number), append(dims, d)
		}
	}
	if len(f.near.places[family]) == 0 {
		f.near.places[family] = []place{{make([]int64, len(by)), f.hidden(f.origin(family, r.Array, origin))}}
	}
	at := f.reach(family, by, func(i int) value.Value { return f.strideBytes(strides[dims[i]]) })
	at = f.block.NewGetElementPtr(types.I8, at, constant.NewInt(types.I64, offset))
	return f.block.NewBitCast(at, pointer(f.cell(r.Array), globalSpace))
}

// origin returns the address of an element, computed once in a tile.
func (f *function) origin(family string, a *scop.Array, index []astgen.Expr) value.Value {
	if v := f.near.origins[family]; v != nil {
		return v
	}
	var at value.Value
	for d, e := range index {
		x := f.wide(f.expr(e))
		if d == 0 {
			at = x
			continue
		}
		at = f.block.NewAdd(f.block.NewMul(at, f.wide(f.sum(f.affine(a.Extents[d])))), x)
	}
	p := f.block.NewGetElementPtr(f.cell(a), f.first(a), at)
	v := f.block.NewBitCast(p, pointer(types.I8, globalSpace))
	f.near.origins[family] = v
	return v
}

// reach returns the place of a family by those numbers, and notes it: it is made
// from the one known from which the fewest operations lead to it.
func (f *function) reach(family string, by []int64, strideOf func(i int) value.Value) value.Value {
	best, least := place{}, math.MaxInt
	for _, p := range f.near.places[family] {
		cost := 0
		for i, n := range by {
			switch d := n - p.by[i]; {
			case d == 1 || d == -1:
				cost++
			case d != 0:
				cost += 2
			}
		}
		if cost <= least { // of equals the last: what it is made of is not needed any more
			best, least = p, cost
		}
	}
	at, now := best.at, slices.Clone(best.by)
	for i, n := range by {
		d := n - now[i]
		if d == 0 {
			continue
		}
		step := strideOf(i)
		if d != 1 {
			step = f.block.NewMul(step, constant.NewInt(types.I64, d))
		}
		at = f.block.NewGetElementPtr(types.I8, at, step)
		now[i] = n
		f.near.places[family] = append(f.near.places[family], place{slices.Clone(now), at})
	}
	return at
}

// strideBytes returns s, which is not a number.
func (f *function) strideBytes(s stride) value.Value {
	key := fmt.Sprint(s)
	v := f.near.strides[key]
	if v == nil {
		v = constant.NewInt(types.I64, s.bytes)
		for _, e := range s.extents {
			v = f.block.NewMul(v, f.wide(f.hidden(f.sum(e))))
		}
		f.near.strides[key] = v
	}
	return v
}

// hidden returns v by a move of which LLVM does not know what it does.
func (f *function) hidden(v value.Value) value.Value {
	text, constraint := "mov.u64 $0, $1;", "=l,l"
	if v.Type().Equal(types.I32) {
		text, constraint = "mov.u32 $0, $1;", "=r,r"
	}
	move := ir.NewInlineAsm(types.NewPointer(types.NewFunc(v.Type(), v.Type())), text, constraint)
	move.SideEffect = true
	return f.block.NewCall(move, v)
}
