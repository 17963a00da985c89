package lower

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/scop"
)

// This file puts barriers between the parts of a tile: copies in, time steps, copies out. There is one
// just where an earlier part, run since the last barrier, and the next part use a common element in
// different threads, and one of them writes it. With points block-cyclic along x in both,
//
//	step 0: A[1][x] = ..       step 1: A[0][x] = f(A[1][x])      no barrier: thread x reads what it wrote
//	step 0: A[1][x] = ..       step 1: A[0][x] = f(A[1][x-1])    a barrier: thread x reads what thread x-1 wrote

// A work is a part of a tile between two possible barriers.
type work struct {
	nodes   func() []gpu.Node
	effects []effect
}

// only is the nodes of a work that is n.
func only(n gpu.Node) func() []gpu.Node { return func() []gpu.Node { return []gpu.Node{n} } }

// An effect is the use of the elements of a box of an array: by their x if the
// array has a layout, else all of it.
type effect struct {
	array  *scop.Array
	shared bool // of its buffer
	write  bool
	whole  bool  // the box is not known
	apart  int64 // not 0: no effect of another statement with the same number is of the same element
	copied bool  // by a copy; copies in of an array write different elements, as do copies out
	pointset.Box
	rows func() []affine.Sum // over elementVars: what else is known of the elements; nil: nothing
	by   [3]sharing          // which threads, by axis
}

// elementVars returns variables for the x of n dimensions. They are no names of C.
func elementVars(n int) []affine.Sum {
	x := make([]affine.Sum, n)
	for k := range x {
		x[k] = affine.Var(fmt.Sprint("@", k))
	}
	return x
}

// exclude reports whether no element makes both rows and others >= 0. True is certain.
func exclude(rows, others []affine.Sum) bool {
	for _, r := range rows {
		for _, o := range others {
			if sum := r.Plus(o); sum.IsNum() && sum.Const < 0 {
				return true
			}
		}
	}
	return false
}

// A sharing says which thread along an axis uses an element.
type sharing struct {
	kind sharingKind
	dim  int         // blockCyclic: thread (x_dim - lo) modulo the threads of the axis
	lo   affine.Expr // blockCyclic: over tile indices and parameters
	rows int64       // blockCyclic: thread (x_dim - lo) / rows; 0 and 1: as above
}

type sharingKind uint8

const (
	anyThread  sharingKind = iota // it cannot be told
	threadZero                    // thread 0 uses all elements
	blockCyclic
)

// sharings returns who uses the elements of which dimension dim is the variable
// plus off; dim < 0 where no dimension follows the variable.
func sharings(loops []gpu.ThreadLoop, of func(name string) (dim int, off int64)) [3]sharing {
	by := [3]sharing{{kind: threadZero}, {kind: threadZero}, {kind: threadZero}}
	for _, l := range loops {
		if l.Axis < 0 || affine.Same(l.Lo, l.Hi) {
			continue
		}
		dim, off := of(l.Var)
		if dim < 0 || usesLoops(l.Lo, loops) {
			by[l.Axis] = sharing{}
		} else {
			by[l.Axis] = sharing{kind: blockCyclic, dim: dim, lo: affine.Offset(l.Lo, off)}
		}
	}
	return by
}

// usesLoops reports whether the variable of a loop occurs in e.
func usesLoops(e affine.Expr, loops []gpu.ThreadLoop) bool {
	found := false
	affine.Vars(e, func(name string) {
		for _, l := range loops {
			found = found || l.Var == name
		}
	})
	return found
}

// sameThread reports whether, of n threads along an axis, the one that d deals an element to is the one that e does. True is certain.
func (d sharing) sameThread(e sharing, n int) bool {
	if n == 1 {
		return true
	}
	if d.kind != e.kind || d.kind == anyThread || d.dim != e.dim || max(1, d.rows) != max(1, e.rows) {
		return false
	}
	if d.kind == threadZero || affine.Same(d.lo, e.lo) {
		return true
	}
	if d.rows > 1 {
		return false
	}
	x, ok := d.lo.(affine.Sum)
	y, ok2 := e.lo.(affine.Sum)
	return ok && ok2 && x.Parallel(y) && (x.Const-y.Const)%int64(n) == 0
}

// conflicts reports whether the order of e and f matters and different threads of a block of that shape run them.
func (e effect) conflicts(f effect, threads [3]int) bool {
	if e.array != f.array || e.shared != f.shared || !e.write && !f.write {
		return false
	}
	if e.apart != 0 && e.apart == f.apart {
		return false
	}
	if e.whole || f.whole {
		return true
	}
	if e.copied && f.copied && e.write && f.write {
		return false
	}
	if !e.Meets(f.Box) {
		return false
	}
	for a, n := range threads {
		if !e.by[a].sameThread(f.by[a], n) {
			return e.rows == nil || f.rows == nil || !exclude(e.rows(), f.rows())
		}
	}
	return false
}

// synchronize returns the nodes of the parts in order, with barriers. If the
// tile is in a loop, the next tile starts after a barrier.
func synchronize(parts []work, threads [3]int, loop bool) []gpu.Node {
	var nodes []gpu.Node
	starts, end := barriers(parts, threads, loop)
	for i, w := range parts {
		if starts[i] {
			nodes = append(nodes, gpu.Barrier{})
		}
		for _, n := range w.nodes() {
			if t, ok := n.(gpu.Threads); ok && copies(t) {
				nodes = join(nodes, t)
			} else {
				nodes = append(nodes, n)
			}
		}
	}
	if end {
		nodes = append(nodes, gpu.Barrier{Role: gpu.Role{Kind: gpu.BeforeNextTile}})
	}
	return nodes
}

// copies reports whether n copies, each thread one value of each loop at most.
func copies(n gpu.Threads) bool {
	_, copies := n.Body[0].(gpu.Copy)
	return copies && !slices.ContainsFunc(n.Loops, func(l gpu.ThreadLoop) bool { return l.Axis < 0 })
}

// barriers says before which parts there is a barrier, and whether there is one
// at the end, before the next tile of a loop.
func barriers(parts []work, threads [3]int, loop bool) (starts []bool, end bool) {
	var pending []effect
	for _, w := range parts {
		start := conflict(pending, w.effects, threads)
		if start {
			pending = nil
		}
		starts = append(starts, start)
		pending = append(pending, w.effects...)
	}
	return starts, loop && len(pending) > 0
}

func conflict(xs, ys []effect, threads [3]int) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.conflicts(y, threads) {
				return true
			}
		}
	}
	return false
}
