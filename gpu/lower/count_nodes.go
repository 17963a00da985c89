package lower

// This file counts what the nodes of a kernel do: instructions of each kind, and the turns and lanes that they take.

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
)

// nodes adds what the nodes of a full tile between full tiles do: copies only if they are straight code.
func (c *Counts) nodes(ns []gpu.Node, straight bool) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.Barrier:
			c.Barriers++
		case gpu.If:
			c.nodes(n.Then, straight)
		case gpu.For: // along columns
			for v, hi := affine.Eval(n.Lo, nil), affine.Eval(n.Hi, nil); v <= hi; v++ {
				c.nodes(ofTurn(n.Body, n.Var, v), straight)
			}
		case gpu.Threads:
			if straight || !n.Role.Kind.Copies() {
				c.threads(n)
			}
		}
	}
}

// ofTurn returns nodes, which are points of a turn, with its number for the variable.
func ofTurn(nodes []gpu.Node, turn string, v int64) (out []gpu.Node) {
	by := map[string]affine.Sum{turn: affine.Num(v)}
	for _, n := range nodes {
		if t, ok := n.(gpu.Threads); ok {
			t.Loops = slices.Clone(t.Loops)
			for i := range t.Loops {
				t.Loops[i].Lo, t.Loops[i].Hi = affine.Subst(t.Loops[i].Lo, by), affine.Subst(t.Loops[i].Hi, by)
			}
			n = t
		}
		out = append(out, n)
	}
	return out
}

// tests adds the places where threads branch.
func (c *Counts) tests(ns []gpu.Node, threads [3]int) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.For:
			c.Tests++
			c.tests(n.Body, threads)
		case gpu.If:
			c.Tests++
			c.tests(n.Then, threads)
		case gpu.Threads:
			tests := n.Tests(threads)
			c.Tests += tests
			if !n.Role.Kind.Copies() {
				c.CoreTests += tests
			}
		}
	}
}

// threads adds the accesses of n.
func (c *Counts) threads(n gpu.Threads) {
	c.operations(n, pointsOf(n, map[string]int64{}))
}

// operations adds the accesses of n, which runs so many points.
func (c *Counts) operations(n gpu.Threads, points int64) {
	for _, op := range n.Body {
		switch op := op.(type) {
		case gpu.Copy:
			c.copy(op, points)
		case gpu.Load:
			if !n.Role.Kind.Copies() { // else it is counted with the copy from its register
				c.access(points, op.From.Array, op.From.Buffer != nil, false)
			}
		case gpu.Compute:
			for i, r := range op.Refs {
				if write := op.Stmt.Accesses[i].Write; r.Reg == "" || write {
					c.access(points, r.Array, r.Buffer != nil, write)
				}
			}
		}
	}
}

// copy adds n copies.
func (c *Counts) copy(op gpu.Copy, n int64) {
	switch {
	case op.From.Buffer == nil:
		c.Loads += n
		c.Bytes += n * int64(op.To.Array.Elem.Size())
	case op.To.Buffer == nil:
		c.Stores += n
		c.Bytes += n * int64(op.To.Array.Elem.Size())
	default:
		c.Moves += n
	}
	for i, r := range []gpu.Ref{op.From, op.To} {
		if r.Buffer != nil && r.Reg == "" {
			c.access(n, r.Array, true, i == 1)
		}
	}
}

// pointsOf returns the points of n, whose loops run between numbers, and what at has values of.
func pointsOf(n gpu.Threads, at map[string]int64) (points int64) {
	var walk func(loops []gpu.ThreadLoop, product int64)
	walk = func(loops []gpu.ThreadLoop, product int64) {
		if len(loops) == 0 {
			if n.Guard.Holds(at) {
				points += product
			}
			return
		}
		lo, hi := affine.Eval(loops[0].Lo, at), affine.Eval(loops[0].Hi, at)
		if n.Guard == nil {
			walk(loops[1:], product*max(0, hi-lo+1))
			return
		}
		for at[loops[0].Var] = lo; at[loops[0].Var] <= hi; at[loops[0].Var]++ {
			walk(loops[1:], product)
		}
	}
	walk(n.Loops, 1)
	return points
}

// turns returns the most points of s that one thread runs.
func (ph *block) turns(s astgen.Slice) int64 {
	n, order := int64(1), ph.pointOrder()
	for i, d := range order {
		extent := s.Hi[d] - s.Lo[d] + 1
		a := axis(i, len(order))
		if i == 0 && ph.streaming() != nil { // plane by plane
			a = -1
		}
		if a >= 0 {
			extent = (extent + int64(ph.threads[a]) - 1) / int64(ph.threads[a])
		}
		n *= extent
	}
	return n
}

// lanes returns how many threads are in the warps that run points of s, a warp as often as it runs some. Where rows of threads are no whole warps, a warp has
// threads of several.
func (ph *block) lanes(s astgen.Slice, warp int64) int64 {
	order := ph.pointOrder()
	last := order[len(order)-1]
	along, threads := s.Hi[last]-s.Lo[last]+1, int64(ph.threads[axis(len(order)-1, len(order))])
	rows := pointset.Box{Lo: s.Lo, Hi: s.Hi}.Count() / max(1, along)
	up := func(n int64) int64 { return (n + warp - 1) / warp * warp }
	if threads%warp != 0 {
		all := int64(ph.size())
		return rows * along * up(all) / all
	}
	return rows * (along/threads*threads + up(along%threads))
}
