package cpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file gives tiles that overlap memory of their own. A tile computes, of the arrays that hand values from nest to nest, what others compute, too; so it
// keeps these in buffers, which the caches hold, and writes nothing of them to the arrays:
//
//	b[i] = a[i-1] + a[i+1]; c[i] = b[i-1] + b[i+1]      a tile of c[8·S0 .. 8·S0 + 7] has b[-1 + 8·S0 .. 8 + 8·S0] in a buffer of 10, b[i] at i - (8·S0 - 1)

// A Buffer is where a tile has its part of an array: element [i0]..[in] of the array is element [i0 - Origin[0]]..[in - Origin[n]] of Shape.
// Nothing of it outlives a tile, and nothing is in it when a tile starts.
type Buffer struct {
	Array  *scop.Array
	Shape  []int64
	Origin []affine.Sum // over T, tile indices and parameters
}

// Bytes returns how many bytes b has.
func (b *Buffer) Bytes() int64 {
	n := int64(b.Array.Elem.Size())
	for _, x := range b.Shape {
		n *= x
	}
	return n
}

// Distance returns how many elements the row with these leading subscripts of b is behind another one; ok is false where that is no number.
func (b *Buffer) Distance(from, to []affine.Expr) (elements int64, ok bool) {
	for k := range from {
		elements *= b.Shape[k]
		if affine.Same(from[k], to[k]) {
			continue
		}
		x, isSum := from[k].(affine.Sum)
		y, too := to[k].(affine.Sum)
		if !isSum || !too || !x.Parallel(y) {
			return 0, false
		}
		elements += y.Const - x.Const
	}
	return elements * b.Shape[len(from)], len(from) == len(to)
}

// String returns double lap[10][70] = lap[8·S0 - 1..][64·S1 - 1..].
func (b *Buffer) String() string {
	var shape, from strings.Builder
	for k, n := range b.Shape {
		fmt.Fprintf(&shape, "[%d]", n)
		fmt.Fprintf(&from, "[%v..]", b.Origin[k])
	}
	return fmt.Sprintf("%v %s%s = %s%s", b.Array.Elem, b.Array.Name, &shape, b.Array.Name, &from)
}

// OnStack is how many bytes of buffers a function may declare. More are allocated, once for each thread.
const OnStack = 64 << 10

// Allocated reports whether buffers of p are allocated.
func (p *Program) Allocated() bool {
	total := int64(0)
	for i := range p.Buffers {
		total += p.Buffers[i].Bytes()
	}
	return total > OnStack
}

// Buffer returns where tiles have a, nil if they have it in memory as all else.
func (p *Program) Buffer(a *scop.Array) *Buffer {
	for i := range p.Buffers {
		if p.Buffers[i].Array == a {
			return &p.Buffers[i]
		}
	}
	return nil
}

// A BufferError says that tiles that overlap cannot run on a CPU, since they would have to have an array for themselves and do not.
type BufferError struct {
	Array *scop.Array
	Why   string
	Stays bool // others see the array
}

func (e *BufferError) Error() string { return e.Why }

// Buffers returns the buffers of the tiles of s, none where tiles do not overlap. The error is a *BufferError.
func Buffers(s *schedule.Schedule, n astgen.Names) (all []Buffer, err error) {
	if !s.Overlaps() {
		return nil, nil
	}
	var steps []astgen.Slice
	for i := range s.Phases {
		steps = append(steps, astgen.Slices(s, n, i)...)
	}
	if err := apart(s, steps); err != nil {
		return nil, err
	}
	for _, a := range s.Temporaries {
		b := Buffer{Array: a}
		for k := range a.Extents {
			x, err := extentOf(s.Canonical.Scop, n, steps, a, k)
			if err != nil {
				return nil, err
			}
			b.Shape, b.Origin = append(b.Shape, x.hi-x.lo+1), append(b.Origin, x.from.Add(x.lo))
		}
		all = append(all, b)
	}
	return all, nil
}

// apart returns an error where a tile stores what another one does to an array that is in memory.
func apart(s *schedule.Schedule, all []astgen.Slice) error {
	for _, v := range s.Versions {
		return &BufferError{v.Array, fmt.Sprintf("nests store to %s what tiles beside may still have to read of it", v.Array.Name), true}
	}
	for _, at := range all {
		for _, acc := range at.Stmt.Accesses {
			if acc.Write && at.PartlyOwned() && !slices.Contains(s.Temporaries, acc.Array) {
				return &BufferError{acc.Array, fmt.Sprintf("several tiles compute the same elements of %s, which is seen outside of an iteration", acc.Array.Name), true}
			}
		}
	}
	return nil
}

// A reach is the subscripts from + lo to from + hi.
type reach struct {
	from   affine.Sum
	lo, hi int64
}

// reachOf returns which values subscript k of acc has in a tile, where its local coordinates are in the box of at.
func reachOf(p *scop.Program, n astgen.Names, at astgen.Slice, acc *scop.Access, k int) (r reach) {
	if by := acc.Index[k].Mod; by > 0 {
		return reach{affine.Num(0), 0, by - 1}
	}
	x := p.Sum(acc.Index[k].Affine, at.Iters)
	for p, b := range n.Points {
		c := x.Coef(b)
		x = x.Without(b)
		r.lo, r.hi = r.lo+min(c*at.Lo[p], c*at.Hi[p]), r.hi+max(c*at.Lo[p], c*at.Hi[p])
	}
	r.lo, r.hi = r.lo+x.Const, r.hi+x.Const
	r.from = x.Add(-x.Const)
	return r
}

// placed is reachOf for a subscript without a loop variable of a nest that has a place along a dimension of tiles, as a plane at a border has: fw[0], which is at the
// place s0 = 0, or fw[l]. What it is is told by the place, as of other subscripts: 4*S0 + b0, where that is 0.
func placed(p *scop.Program, n astgen.Names, at astgen.Slice, acc *scop.Access, k int) reach {
	r := reachOf(p, n, at, acc, k)
	x := p.Sum(acc.Index[k].Affine, at.Iters)
	for _, row := range at.Fixed() {
		for _, sign := range []int64{1, -1} {
			y := x.Plus(row.Times(sign))
			free := y
			for i := range n.Points {
				free = free.Without(n.Points[i]).Without(n.Tiles[i])
			}
			if acc.Index[k].Mod > 0 || r.lo != r.hi || !free.IsNum() {
				continue
			}
			for i, b := range n.Points {
				if y.Coef(b) == 1 {
					y = y.Without(b)
					return reach{y.Add(-y.Const), at.Lo[i] + y.Const, at.Hi[i] + y.Const}
				}
			}
		}
	}
	return r
}

// extentOf returns the values that subscript k of a has in a tile.
func extentOf(p *scop.Program, n astgen.Names, all []astgen.Slice, a *scop.Array, k int) (whole reach, err error) {
	if whole, err = extentBy(reachOf, p, n, all, a, k); err != nil {
		if by, no := extentBy(placed, p, n, all, a, k); no == nil {
			return by, nil
		}
	}
	return whole, err
}

// reaching is reachOf or placed.
type reaching func(p *scop.Program, n astgen.Names, at astgen.Slice, acc *scop.Access, k int) reach

// extentBy is extentOf by one way to tell what subscripts reach.
func extentBy(of reaching, p *scop.Program, n astgen.Names, all []astgen.Slice, a *scop.Array, k int) (whole reach, err error) {
	none := true
	for _, at := range all {
		for _, acc := range at.Stmt.Accesses {
			if acc.Array != a {
				continue
			}
			r := of(p, n, at, acc, k)
			switch {
			case !none && !r.from.Equal(whole.from):
				return whole, &BufferError{a, fmt.Sprintf("subscripts of %s are not at a distance of numbers from each other, so that no buffer of a tile has a shape", a.Name), false}
			case none:
				whole, none = r, false
			default:
				whole.lo, whole.hi = min(whole.lo, r.lo), max(whole.hi, r.hi)
			}
		}
	}
	return whole, nil
}

// buffers proves that tiles find in their buffers what they read and write, whatever the parameters: at each step each subscript, over the box that the step
// computes, is inside of the shape; and that no array which several tiles write is in memory.
func (v *verifier) buffers() {
	s := v.p.Schedule
	if !s.Overlaps() {
		if len(v.p.Buffers) > 0 {
			v.fail("buffers of tiles that do not overlap")
		}
		return
	}
	if len(v.p.Buffers) != len(s.Temporaries) {
		v.fail("%d buffers for %d arrays that tiles have for themselves", len(v.p.Buffers), len(s.Temporaries))
	}
	for i := range s.Phases {
		for _, at := range astgen.Slices(s, v.p.Names, i) {
			for _, acc := range at.Stmt.Accesses {
				b := v.p.Buffer(acc.Array)
				if b == nil {
					if acc.Write && at.PartlyOwned() {
						v.fail("%s: several tiles write the same elements of %s", at.Stmt.Name, acc.Array.Name)
					}
					continue
				}
				v.inside(b, at, acc)
			}
		}
	}
}

// inside checks that all elements which acc touches at the points of at are in b.
func (v *verifier) inside(b *Buffer, at astgen.Slice, acc *scop.Access) {
	for k := range acc.Index {
		if !slices.ContainsFunc([]reaching{reachOf, placed}, func(of reaching) bool {
			r := of(v.p.Scop(), v.p.Names, at, acc, k)
			off := r.from.Minus(b.Origin[k])
			return off.IsNum() && r.lo+off.Const >= 0 && r.hi+off.Const < b.Shape[k]
		}) {
			v.fail("%s in step %d: subscript %d of %s may be outside of %v", at.Stmt.Name, at.A, k, acc.Text, b)
		}
	}
}
