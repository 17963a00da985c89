package schedule

import (
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the steps of an iteration of the time loop, called levels. A statement that depends on
// others in one iteration runs after them:
//
//   - at the level of the last of them, where it can be placed such that each of its instances depends on
//     instances at its own place only. They lie in the same tile, whatever the tiles are, and run one
//     after the other there, in the order of ranks;
//   - else at the next level.
//
// So there are as many levels as the longest chain of dependences over a distance has statements, not as many as there are
// nests. A stencil shares its level with boundaries that write other elements, with a point source added to
// it and with what is computed point by point from its results.
//
//	for t { for i { b[i] = f(a) }  b[0] = b[1];  for i { a[i] = b[i] + g(b[i-1]) } }     levels 0, 0, 1; b[0] is placed at 1

// A sameIteration is the part of a dependence that relates instances of one iteration of the time loop.
type sameIteration struct {
	Dependence
	part poly.Map
}

// oneIteration returns the dependences of one iteration by target. Their sources come earlier in the program.
func oneIteration(p *scop.Program, deps []Dependence) [][]sameIteration {
	parts := parallel.Map(deps, func(d Dependence) poly.Map {
		if d.Src.Order >= d.Dst.Order {
			return poly.Map{}
		}
		return d.Map.Intersect(sameTime(d.Src, d.Dst))
	})
	all := make([][]sameIteration, len(p.Stmts))
	for i, d := range deps {
		if !parts[i].IsEmpty() {
			all[d.Dst.Order] = append(all[d.Dst.Order], sameIteration{d, parts[i]})
		}
	}
	return all
}

// byTarget returns dependences that all relate instances of one iteration by target.
func byTarget(p *scop.Program, deps []Dependence) [][]sameIteration {
	all := make([][]sameIteration, len(p.Stmts))
	for _, d := range deps {
		if d.Src.Order < d.Dst.Order {
			all[d.Dst.Order] = append(all[d.Dst.Order], sameIteration{d, d.Map})
		}
	}
	return all
}

// level sets Levels and K where they are not given, and Ranks, by the dependences of one iteration. Statements are moved to share a
// level if move is set.
func (c *Canonical) level(all [][]sameIteration, move bool) {
	given := c.Levels != nil
	c.Ranks = make([]int, len(c.Scop.Stmts))
	if !given {
		c.Levels = make([]int, len(c.Scop.Stmts))
	}
	for dst, list := range all {
		if !given {
			c.Levels[dst] = c.levelOf(dst, list, move)
			c.K = max(c.K, c.Levels[dst]+1)
		}
		for _, d := range list {
			if src := d.Src.Order; c.Levels[src] == c.Levels[dst] {
				c.Ranks[dst] = max(c.Ranks[dst], c.Ranks[src]+1)
				c.Together = append(c.Together, [2]int{src, dst})
			}
		}
	}
	if move {
		center(c.Scop, c.Places)
	}
}

// levelOf returns the level of statement dst, which depends on earlier ones by list in one iteration.
func (c *Canonical) levelOf(dst int, list []sameIteration, move bool) (level int) {
	for _, d := range list {
		level = max(level, c.Levels[d.Src.Order])
	}
	var by []int64 // how far dst lies from what it depends on at that level; nil: on nothing yet
	for _, d := range list {
		if c.Levels[d.Src.Order] != level {
			continue
		}
		for p := range c.Space {
			far, ok := c.constant(d.Dependence, d.part, p)
			switch {
			case !ok, len(by) > p && by[p] != far, far != 0 && !move:
				return level + 1
			case len(by) == p:
				by = append(by, far)
			}
		}
	}
	for p := range by {
		c.Places[dst][p].Shift.Const -= by[p]
		c.meets(dst, p, -by[p])
	}
	return level
}

// meets notes that statement st was moved along a dimension to share a level.
func (c *Canonical) meets(st, dim int, by int64) {
	if by == 0 {
		return
	}
	i := slices.IndexFunc(c.Moves, func(m Move) bool { return m.Dim == dim })
	if i < 0 {
		i = len(c.Moves)
		c.Moves = append(c.Moves, Move{Dim: dim, By: make([]int64, len(c.Places)), Shares: true})
	}
	c.Moves[i].By[st] = by
}

// constant returns the distance of d in a dimension, if it is one number on part.
func (c *Canonical) constant(d Dependence, part poly.Map, dim int) (far int64, ok bool) {
	ds := c.distance(d, dim)
	one := poly.Affine{Const: 1, In: make([]int64, len(ds.In)), Out: make([]int64, len(ds.Out))}
	ratios := part.Ratios()
	most, okMost := ratios.Max(ds, one)
	least, okLeast := ratios.Max(negated(ds), one)
	if !okMost || !okLeast || most == nil || !most.IsInt() || !most.Num().IsInt64() || new(big.Rat).Add(most, least).Sign() != 0 {
		return 0, false
	}
	return most.Num().Int64(), true
}

// At returns the statements of a level, in source order.
func (c *Canonical) At(level int) (all []*scop.Stmt) {
	for _, st := range c.Scop.Stmts {
		if c.Levels[st.Order] == level {
			all = append(all, st)
		}
	}
	return all
}

// ranked reports whether statements of a level depend on each other.
func (c *Canonical) ranked() bool {
	for _, rank := range c.Ranks {
		if rank > 0 {
			return true
		}
	}
	return false
}
