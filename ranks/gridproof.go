package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
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
	width := g.ColumnWidth()
	g.Ask("instances are boxes, and so is what they write", func() string {
		for _, c := range g.grid.Chain {
			for _, s := range slices.Concat(c.Up, c.Down) {
				if _, _, err := g.box(s.Stmt); err != nil {
					return err.Error()
				}
				if why := straight(s.Access); why != "" {
					return why
				}
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
		g.Ask(fmt.Sprintf("values of %s go no further along %s than a rank has tiles", a.Array.Name, g.Phases[0].Second), func() string { return g.further(i, all) })
		g.Ask(fmt.Sprintf("values of %s that cross a border along %s are sent after the tile that computes them", a.Array.Name, g.Phases[0].Second), func() string { return g.chained(i, all) })
	}
}

// uses looks for elements that tiles at a border use and the rank with these tiles has not.
func (g *gridder) uses(array int) string {
	side, first, tile := g.grid.Arrays[array], g.FirstColumn(), affine.Var(g.grid.Border)
	for _, st := range g.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != g.Arrays[array].Array {
				continue
			}
			for phase := range g.Schedule.Phases {
				iters := poly.Ins(len(st.Iters))
				rows := g.in(st, iters, phase, affine.Var(writerT), affine.Var(writerS))
				above := g.above(st, iters, phase, affine.Var(writerT), tile, 0)
				for _, out := range []poly.Formula{
					poly.And(above, poly.Less(poly.Out(side.Dim), first.Add(side.Lo))),
					poly.And(poly.Not(above), poly.Less(first.Add(side.Hi-1), poly.Out(side.Dim))),
				} {
					m := poly.NewMap(g.params, st.Tuple(), elements(x.Array), append(rows[:len(rows):len(rows)], out)...)
					if !g.empty(x.Map.Intersect(m)) {
						return fmt.Sprintf("%s uses elements of %s by %s that the rank has not", st.Name, x.Array.Name, x.Text)
					}
				}
			}
		}
	}
	return ""
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

// above holds where an instance of a phase of a time tile lies in a tile along S1 that is no less than tile, or would if it lay so many columns further.
func (g *gridder) above(st *scop.Stmt, iters []affine.Sum, phase int, T, tile affine.Sum, further int64) poly.Formula {
	ph := g.Schedule.Phases[phase]
	d, side := ph.Space[1], ph.Space[1].Sides[0]
	tau, s1 := g.placeAlong(st, iters, 1)
	a := tau.Add(ph.TimeShift).Minus(T.Times(g.Schedule.Height))
	b := s1.Add(further).Minus(tile.Times(d.Stride)).Add(-d.Offset)
	return poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C))
}

// ownedAbove holds where the element of a flow is owned above the border of a tile along S1.
func (g *gridder) ownedAbove(array int, f flow, tiles int64) poly.Formula {
	x := g.element(f)[g.grid.Arrays[array].Dim]
	return poly.AtMost(g.FirstColumn().Add(tiles*g.ColumnWidth()), x)
}

// writerAbove and readerAbove hold where who writes a value of a flow, or reads it, lies above the border, moved by so many tiles.
func (g *gridder) writerAbove(f flow, w int, tiles, further int64) poly.Formula {
	return g.above(f.From.st, poly.Ins(len(f.From.st.Iters)), w, affine.Var(writerT), affine.Var(g.grid.Border).Add(tiles), further)
}

func (g *gridder) readerAbove(array int, f flow, r int, tiles int64) poly.Formula {
	if r < 0 {
		return g.ownedAbove(array, f, tiles)
	}
	return g.above(f.To.st, poly.Outs(len(f.To.st.Iters)), r, affine.Var(readerT), affine.Var(g.grid.Border).Add(tiles), 0)
}

// crossing holds where a value of a flow crosses the border, up or down.
func (g *gridder) crossing(array int, f flow, w, r int, up bool) []poly.Formula {
	from, to := g.writerAbove(f, w, 0, 0), g.readerAbove(array, f, r, 0)
	if up {
		return []poly.Formula{poly.Not(from), to}
	}
	return []poly.Formula{from, poly.Not(to)}
}

// further looks for values that go to tiles along S1 which are more than Reach away.
func (g *gridder) further(array int, all []flow) string {
	for _, f := range all {
		if f.From.a == nil {
			continue
		}
		bad := g.phases(f, func(w, r int, rows []poly.Formula) string {
			up := []poly.Formula{poly.Not(g.writerAbove(f, w, 0, 0)), g.readerAbove(array, f, r, g.grid.Reach)}
			down := []poly.Formula{g.writerAbove(f, w, g.grid.Reach, 0), poly.Not(g.readerAbove(array, f, r, 0))}
			for _, far := range [][]poly.Formula{up, down} {
				if g.test(f, append(rows, far...)...) {
					return fmt.Sprintf("a value of %s goes from %s to %s, more than %d tiles along %s", g.Arrays[array].Array.Name, f.From.name(), f.To.name(), g.grid.Reach, g.Phases[0].Second)
				}
			}
			return ""
		})
		if bad != "" {
			return bad
		}
	}
	return ""
}

// outside1 returns conditions of which one holds where the instance that writes a value lies in columns that s does not have.
func (g *gridder) outside1(s Slab, f flow, w int) []poly.Formula {
	if s.Up {
		return []poly.Formula{poly.Not(g.writerAbove(f, w, 0, s.Ahead))}
	}
	_, s1 := g.placeAlong(f.From.st, poly.Ins(len(f.From.st.Iters)), 1)
	d := g.Schedule.Phases[w].Space[1]
	first := affine.Var(g.grid.Border).Times(d.Stride).Add(d.Offset)
	return []poly.Formula{g.writerAbove(f, w, 0, -s.Near-1), poly.Less(first.Add(s.Far), s1)}
}

// beyond holds where the element of a flow is none that the receiver has in memory.
func (g *gridder) beyond(array int, f flow, up bool) poly.Formula {
	side := g.grid.Arrays[array]
	x := g.element(f)[side.Dim]
	if up {
		return poly.Less(x, g.FirstColumn().Add(side.Lo))
	}
	return poly.Less(g.FirstColumn().Add(side.Hi-1), x)
}

// earlier holds where the statement that writes a value has more than Depth later instances at the same place in the same tile.
func (g *gridder) earlier(s Slab, f flow, w int) poly.Formula {
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

// chained looks for values that cross the border and are in no slab.
func (g *gridder) chained(array int, all []flow) string {
	for _, f := range all {
		if f.From.a == nil {
			continue
		}
		bad := g.phases(f, func(w, r int, rows []poly.Formula) string {
			for _, up := range []bool{true, false} {
				rows := append(rows[:len(rows):len(rows)], g.crossing(array, f, w, r, up)...)
				missed := []poly.Formula{poly.True()}
				for _, s := range g.grid.Chain[w].way(up) {
					if s.Stmt != f.From.st || s.Access.Array != f.From.a.Array || s.Up != up || !sameAccess(s.Access, f.From.a) {
						continue
					}
					missed = append(g.outside1(s, f, w), g.earlier(s, f, w), g.beyond(array, f, up))
				}
				for _, out := range missed {
					if !out.IsFalse() && g.test(f, append(rows, out)...) {
						return fmt.Sprintf("a value of %s that %s writes and %s reads is not sent along %s", g.Arrays[array].Array.Name, f.From.name(), f.To.name(), g.Phases[0].Second)
					}
				}
			}
			return ""
		})
		if bad != "" {
			return bad
		}
	}
	return ""
}
