package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file proves of a pipeline of ranks, for all values of the parameters, time tiles and borders, what pipeline.go relies on. It takes slabs as they are printed, where values go (flow.go) and which elements instances use, and
// knows nothing of how the slabs, or the waits of the schedule, were found.

// Further parameters of questions: the tiles along S1 of two instances that use one element.
const (
	writerC = "hexcc_cw"
	readerC = "hexcc_cr"
)

func (g *piper) prove() {
	g.Ask("instances are boxes, and so is what they write", func() string { return g.noBoxes(slices.Concat(g.pipe.Up, g.pipe.Down)) })
	g.Ask("rows that are sent are those of a tile beside the border", func() string {
		for _, s := range slices.Concat(g.pipe.Up, g.pipe.Down) {
			if max(s.Ahead, s.Near+1) > g.width {
				return fmt.Sprintf("%d rows are sent, and a tile has %d", max(s.Ahead, s.Near+1), g.width)
			}
		}
		return ""
	})
	for i, a := range g.Arrays {
		if a.Dim < 0 {
			continue
		}
		g.Ask(fmt.Sprintf("a rank has the rows of %s that its tiles use", a.Array.Name), func() string { return g.uses(i) })
		if !g.scop.Writes(a.Array) {
			continue
		}
		all := g.flowsOf(a.Array)
		g.Ask(fmt.Sprintf("values of %s that cross a border are sent in the turn that computes them", a.Array.Name), func() string { return g.sentAlong(i, all) })
		g.Ask(fmt.Sprintf("tiles on both sides of a border use elements of %s in the order in which they are sent", a.Array.Name), func() string { return g.inOrder(i) })
	}
}

// inOrder looks for an element that tiles on both sides of the border use, one of which writes it, in another order than messages keep.
func (g *piper) inOrder(array int) string {
	a := g.Arrays[array].Array
	writes := touches(g.scop, a, true)
	all := slices.Concat(writes, touches(g.scop, a, false))
	for i, x := range all {
		for k, y := range all {
			if i >= len(writes) && k >= len(writes) {
				continue
			}
			pairs := x.a.Map.ApplyRange(y.a.Map.Inverse()).Intersect(schedule.Before(x.st, y.st)).IntersectParams(g.scop.Context)
			if pairs.IsEmpty() {
				continue
			}
			for _, bad := range g.outOfOrder(x, y) {
				m := poly.NewMap(append(slices.Clone(g.params), writerC, readerC), x.st.Tuple(), y.st.Tuple(), bad...)
				if !g.empty(pairs.Intersect(m)) {
					return fmt.Sprintf("%s and then %s use an element of %s, on both sides of a border, earlier than it is sent", x.st.Name, y.st.Name, a.Name)
				}
			}
		}
	}
	return ""
}

// outOfOrder returns when an instance of x and one of y, which runs later, are not in the order of messages: conditions of which one holds.
func (g *piper) outOfOrder(x, y touch) [][]poly.Formula {
	from, to := poly.Ins(len(x.st.Iters)), poly.Outs(len(y.st.Iters))
	T, U := affine.Var(writerT), affine.Var(readerT)
	rows := append(g.in(x.st, from, 0, T, affine.Var(writerS)), g.in(y.st, to, 0, U, affine.Var(readerS))...)
	B := g.tile
	up := append(slices.Clone(rows), poly.Less(affine.Var(writerS), B), poly.AtMost(B, affine.Var(readerS)))
	down := append(slices.Clone(rows), poly.Less(affine.Var(readerS), B), poly.AtMost(B, affine.Var(writerS)))
	list := [][]poly.Formula{
		append(slices.Clone(up), poly.Less(U, T)),
		append(slices.Clone(down), poly.AtMost(U, T)),
		append(slices.Clone(down), poly.Equal(U, T.Add(1)), poly.Less(affine.Var(readerS), B.Add(-1))),
	}
	if !g.Turns() {
		return list
	}
	C, D := affine.Var(writerC), affine.Var(readerC)
	turns := append(g.inTurn(x, from, T, C), g.inTurn(y, to, U, D)...)
	return append(list,
		slices.Concat(up, turns, []poly.Formula{poly.Equal(U, T), poly.Less(D, C)}),
		slices.Concat(down, turns, []poly.Formula{poly.Equal(U, T.Add(1)), poly.Less(D.Add(g.pipe.Lag), C)}))
}

// inTurn returns that an instance lies in a tile along S1 of a time tile.
func (g *piper) inTurn(x touch, iters []affine.Sum, T, tile affine.Sum) (rows []poly.Formula) {
	d := g.Schedule.Phases[0].Space[1]
	tau, s := g.placeAlong(x.st, iters, 1)
	a := tau.Add(g.Schedule.Phases[0].TimeShift).Minus(T.Times(g.Schedule.Height))
	b := s.Minus(tile.Times(d.Stride)).Minus(T.Times(d.Drift)).Add(-d.Offset)
	for _, side := range d.Sides {
		rows = append(rows, poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C)))
	}
	return rows
}
