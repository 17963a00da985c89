package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file counts what a tile does that streams and that no bound cuts: exactly, from its nodes, position by position. Between two positions at which a condition
// on them changes, all are alike, and one is counted for all of them.

// withoutBounds returns ph for tiles that no bound cuts: all points of the boxes of full are instances, and none of the others'.
func (ph *plan) withoutBounds() *tiles {
	t := ph.uncut(ph.full)
	for i := range t.all {
		if s := &t.all[i]; !isAbsent(s.Rows) {
			s.Rows = nil
		}
	}
	t.plan.full = slices.DeleteFunc(slices.Clone(t.all), func(s astgen.Slice) bool { return s.Rows != nil })
	t.whole = true
	return t
}

// Keeps reports whether tiles of s that overlap have in shared memory what they must not share with others.
func (k *Counter) Keeps(s *schedule.Schedule) bool {
	for phase := range s.Phases {
		if k.phase(s, phase).keeps() != nil {
			return false
		}
	}
	return true
}

// inPlanes returns the counts of a tile that streams and that no bound cuts.
func (k *Counter) inPlanes(ph *plan) Counts {
	t := ph.withoutBounds()
	c := k.compute(ph, t.plan.full, false)
	for _, f := range ph.staged {
		c.SharedBytes += f.buffer.Bytes()
	}
	if len(t.plan.full) == 0 {
		return c
	}
	nodes := t.streamed(astgen.PlaneByPlane(ph.schedule, ph.names, ph.number, t.plan.full, astgen.Known{}))
	c.tests(nodes, ph.threads)
	c.positions(nodes)
	c.First, c.Last, c.Fresh, c.Ahead = c.Loads, c.Stores, c.Loads, ph.early > 0
	return c
}

// positions adds what nodes do, which are those of a tile that streams and that no bound cuts.
func (c *Counts) positions(nodes []gpu.Node) {
	for _, n := range nodes {
		loop, ok := n.(gpu.For)
		if !ok {
			c.planes([]gpu.Node{n}, 1, map[string]int64{})
			continue
		}
		lo, hi := affine.Eval(loop.Lo, nil), affine.Eval(loop.Hi, nil)
		c.Positions = max(0, hi-lo+1)
		from := []int64{lo, hi + 1}
		for _, x := range changes(loop.Body, loop.Var) {
			if lo < x && x <= hi {
				from = append(from, x)
			}
		}
		slices.Sort(from)
		from = slices.Compact(from)
		for i, x := range from[:len(from)-1] {
			c.planes(loop.Body, from[i+1]-x, map[string]int64{loop.Var: x})
		}
	}
}

// planes adds what nodes do at one position, as often as there are such.
func (c *Counts) planes(nodes []gpu.Node, times int64, at map[string]int64) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.Barrier:
			c.Barriers += int(times)
		case gpu.If:
			if n.Cond.Holds(at) {
				c.planes(n.Then, times, at)
			} else {
				c.planes(n.Else, times, at)
			}
		case gpu.Threads:
			c.operations(n, times*pointsOf(n, at))
		}
	}
}

// changes returns the values of a variable from which on a condition in nodes may differ from before: where one of its rows, over that variable alone, changes its sign.
func changes(nodes []gpu.Node, name string) (from []int64) {
	cond := func(c astgen.Cond) {
		for _, all := range c {
			for _, e := range all {
				r, ok := e.(affine.Sum)
				if !ok {
					continue
				}
				switch k, rest := r.Coef(name), r.Without(name).Const; {
				case k > 0: // r >= 0 from there on
					from = append(from, (affine.Remainder(rest, k)-rest)/k)
				case k < 0: // r >= 0 until before there
					from = append(from, (rest-affine.Remainder(rest, -k))/-k+1)
				}
			}
		}
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.If:
			cond(n.Cond)
			from = append(append(from, changes(n.Then, name)...), changes(n.Else, name)...)
		case gpu.Threads:
			cond(n.Guard)
		}
	}
	return from
}
