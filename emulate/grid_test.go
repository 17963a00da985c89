package emulate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// onGrid returns how many elements differ that rows x columns ranks leave, and whether there were enough tiles.
func onGrid(t *testing.T, plan planned, rows, columns int, extent, steps int64) (differ int64, ok bool) {
	return against(t, plan, extent, steps, func(mem *scop.Memory) (*Report, bool, error) {
		return RunGrid(plan.prog, plan.Plan, rows, columns, mem, Options{Seed: 1})
	})
}

// TestGrid runs cases as grids of ranks with memory of their own would.
func TestGrid(t *testing.T) {
	list := pipeline.Some(t)
	if !cases.Every() {
		list = []pipeline.Stencil{pipeline.Case(t, "fdtd-2d"), pipeline.Case(t, "jacobi-2d")}
	}
	for _, c := range list {
		plan, ok := planOf(t, c)
		if !ok {
			continue
		}
		if err := plan.MakeGrid("border1"); err != nil {
			require.IsType(t, &ranks.NotShared{}, err)
			require.Nil(t, plan.Grid)
			require.True(t, len(c.Space.Space) < 2 || cases.Every(), "%s: %v", c.Name, err)
			t.Logf("%s: %v", c.Name, err)
			continue
		}
		proof := plan.ProveGrid()
		require.True(t, proof.Holds, "%s: %s %s", c.Name, proof.Violation, proof.Undecided)
		if len(c.Space.Space) > 2 {
			continue
		}
		for _, grid := range [][2]int{{1, 2}, {2, 2}} {
			differ, ok := onGrid(t, plan, grid[0], grid[1], 83, 13)
			require.True(t, ok, c.Name)
			require.Zero(t, differ, "%s: %v ranks", c.Name, grid)
		}
	}
}

// TestGridMutants breaks what goes along chains: too few columns or steps, slabs left out, columns beside its own that a rank has not, strips without them. The proof finds that, and so
// does running it.
func TestGridMutants(t *testing.T) {
	c := pipeline.Case(t, "jacobi-2d")
	whole, ok := planOf(t, c)
	require.True(t, ok)
	require.NoError(t, whole.MakeGrid("border1"))
	tried := 0
	try := func(what string, change func(g *ranks.Grid) bool) {
		mutant, grid := *whole.Plan, *whole.Grid
		mutant.Grid = &grid
		grid.Arrays = append([]ranks.Side{}, grid.Arrays...)
		grid.Chain = nil
		for _, x := range whole.Grid.Chain {
			grid.Chain = append(grid.Chain, ranks.Chain{Up: append([]ranks.Slab{}, x.Up...), Down: append([]ranks.Slab{}, x.Down...)})
		}
		if !change(&grid) {
			return
		}
		tried++
		require.False(t, mutant.ProveGrid().Holds, what)
		differ := int64(0)
		for _, steps := range []int64{4, 7, 13} {
			more, ok := onGrid(t, planned{&mutant, whole.prog}, 2, 2, 83, steps)
			require.True(t, ok)
			if differ += more; differ > 0 {
				break
			}
		}
		require.NotZero(t, differ, what)
	}
	for phase := range whole.Grid.Chain {
		for _, up := range []bool{true, false} {
			slabs := func(g *ranks.Grid) *[]ranks.Slab {
				if up {
					return &g.Chain[phase].Up
				}
				return &g.Chain[phase].Down
			}
			name := fmt.Sprintf(" after phase %d, up %v", phase, up)
			one := func(change func(s *ranks.Slab) bool) func(g *ranks.Grid) bool {
				return func(g *ranks.Grid) bool { return len(*slabs(g)) > 0 && change(&(*slabs(g))[0]) }
			}
			try("left out"+name, func(g *ranks.Grid) bool {
				some := len(*slabs(g)) > 0
				*slabs(g) = nil
				return some
			})
			try("one column short"+name, one(func(s *ranks.Slab) bool { s.Ahead, s.Near = s.Ahead-1, s.Near-1; return true }))
			try("last step alone"+name, one(func(s *ranks.Slab) bool { s.Depth = 0; return true }))
		}
	}
	try("what goes down taken a tile too early", func(g *ranks.Grid) bool { g.Near--; return true })
	for phase := range whole.Grid.Apart {
		for side := range 2 {
			try(fmt.Sprintf("phase %d does not wait for a tile beside its own, %d", phase, side), func(g *ranks.Grid) bool {
				at := g.Apart[phase]
				if at[side] != 0 {
					at[side] = 0
					g.Apart = slices.Clone(g.Apart)
					g.Apart[phase] = at
					return true
				}
				return false
			})
		}
	}
	try("a column beside its own too few", func(g *ranks.Grid) bool { g.Arrays[0].Lo++; return true })
	require.Greater(t, tried, 10)
}
