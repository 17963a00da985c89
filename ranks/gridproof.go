package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file proves of a grid of ranks, for all values of the parameters, time tiles and borders along S1, that what crosses a border is sent; that the strips across S0 are whole columns
// of what is read, and that slabs overwrite nothing that is read, follows from what grid.go says and Prove has shown.

// ProveGrid returns the proof of the grid of the plan.
func (p *Plan) ProveGrid() schedule.Proof {
	return schedule.Prove("grid", "what crosses a border between two columns of ranks is sent along the chain", func(q *schedule.Prover) {
		g := newGridder(p)
		g.Prover = q
		g.prove()
	})
}

func (g *gridder) prove() {
	g.lean()
	width := g.width
	g.Ask("instances are boxes, and so is what they write", func() string {
		for _, c := range g.grid.Chain {
			if why := g.noBoxes(slices.Concat(c.Up, c.Down)); why != "" {
				return why
			}
		}
		return ""
	})
	g.Ask("columns that are sent are those of the sender", func() string {
		for _, c := range g.grid.Chain {
			for _, s := range slices.Concat(c.Up, c.Down) {
				if max(s.Ahead, s.Near+1) > g.grid.Reach*width {
					return fmt.Sprintf("%d columns are sent, and a rank may have %d", max(s.Ahead, s.Near+1), g.grid.Reach*width)
				}
				if !s.Up && s.Near >= g.grid.Near*width {
					return fmt.Sprintf("%d columns are sent down, of %d tiles", s.Near+1, g.grid.Near)
				}
			}
		}
		for i, side := range g.grid.Arrays {
			if max(-side.Lo, side.Hi) > g.grid.Reach*width {
				return fmt.Sprintf("a rank has more of %s beside its own than its neighbour owns", g.Arrays[i].Array.Name)
			}
		}
		return ""
	})
	for i, a := range g.Arrays {
		if g.grid.Arrays[i].Dim < 0 {
			continue
		}
		g.Ask(fmt.Sprintf("a rank has the columns of %s that its tiles use", a.Array.Name), func() string { return g.uses(i) })
		if !g.scop.Writes(a.Array) {
			continue
		}
		g.Ask(fmt.Sprintf("tiles use elements of %s that those of the phase before write only where they wait for them", a.Array.Name), func() string { return g.again(i) })
		all := g.flowsOf(a.Array)
		g.Ask(fmt.Sprintf("values of %s go no further along %s than a rank has tiles", a.Array.Name, g.Phases[0].Second), func() string { return g.further(i, all, g.grid.Reach) })
		g.Ask(fmt.Sprintf("values of %s that cross a border along %s are sent after the tile that computes them", a.Array.Name, g.Phases[0].Second), func() string { return g.sentAlong(i, all) })
	}
}

// again looks for an element that a tile writes in one phase and a tile uses in the next one that does not wait for what comes along the chain of it. What is read further away than a tile beside it
// Prove has looked for.
func (g *gridder) again(array int) string {
	W, R := affine.Var(writerS), affine.Var(readerS)
	writes := touches(g.scop, g.Arrays[array].Array, true)
	for _, x := range writes {
		for k, y := range slices.Concat(writes, touches(g.scop, g.Arrays[array].Array, false)) {
			pairs := x.a.Map.ApplyRange(y.a.Map.Inverse())
			for phase := range g.Schedule.Phases {
				next, T := phase+1, affine.Var(writerT)
				later := T
				if next == len(g.Schedule.Phases) {
					next, later = 0, T.Add(1)
				}
				rows := g.in(x.st, poly.Ins(len(x.st.Iters)), phase, T, W)
				rows = append(rows, g.in(y.st, poly.Outs(len(y.st.Iters)), next, later, R)...)
				lo, hi := g.grid.Apart[next][0], g.grid.Apart[next][1]
				var far []poly.Formula
				if k < len(writes) || hi < 1 {
					far = append(far, poly.Less(W.Add(hi), R))
				}
				if k < len(writes) || lo > -1 {
					far = append(far, poly.Less(R, W.Add(lo)))
				}
				for _, far := range far {
					m := poly.NewMap(g.params, x.st.Tuple(), y.st.Tuple(), append(rows[:len(rows):len(rows)], far)...)
					if !g.empty(pairs.Intersect(m)) {
						return fmt.Sprintf("%s and %s use an element of %s in tiles that do not wait for each other", x.st.Name, y.st.Name, g.Arrays[array].Array.Name)
					}
				}
			}
		}
	}
	return ""
}

// earlierAtPlace holds where the statement that writes a value has more than Depth later instances at the same place in the same tile.
func (g *gridder) earlierAtPlace(s Slab, f flow, w int) poly.Formula {
	if s.Depth < 0 {
		return poly.False()
	}
	iters := poly.Ins(len(f.From.st.Iters))
	iters[0] = iters[0].Add(s.Depth + 1)
	rows := g.in(f.From.st, iters, w, affine.Var(writerT), affine.Var(writerS))
	for _, b := range f.From.st.Bounds {
		rows = append(rows, poly.NotNegative(g.scop.Sum(b, iters)))
	}
	return poly.And(rows...)
}
