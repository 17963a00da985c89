package cpu_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// leaning returns the tile of the last phase of a case, whose rows have so many points and lean by so many a step.
func leaning(t *testing.T, name string, lean, width int64) cpu.Tile {
	x := pipeline.Case(t, name)
	x.Cone.Lo = slices.Clone(x.Cone.Lo)
	x.Cone.Lo[1] = big.NewRat(lean, 1)
	h := schedule.LegalH(x.Space.K)[3]
	loops, err := astgen.Roll(x.Schedule(t, schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h), width}}))
	require.NoError(t, err)
	p := cpu.Make(loops)
	require.NoError(t, p.Verify())
	return tiles(p.Phases[1].Body)[0]
}

// TestPass counts by hand what a pass of the 5-point star does: one row and one cache line behind, two rows at once; of four rows that those of the second step
// read two are handed on; the next pass is the first to read two rows more on each side, beyond those that both steps touch.
func TestPass(t *testing.T) {
	const line = 16 // floats
	p := leaning(t, "jacobi-2d", line, 4*line).Pass
	require.NotNil(t, p)
	require.Equal(t, schedule.Pass{Steps: 2, Rows: 1, Places: line}, p.Pass)
	handed := 0
	for k, sources := range p.Sources {
		require.Len(t, sources, 4)
		for _, x := range sources {
			if x.Handed > 0 {
				require.Equal(t, 1, k)
				handed++
			}
		}
	}
	require.Equal(t, 2, handed)
	require.Equal(t, int64(2*line), p.Ahead.Lean)
	require.Len(t, p.Ahead.Rows, 1)
	require.Equal(t, [2][2]int64{{-3, -2}, {2, 3}}, [2][2]int64{p.Ahead.Rows[0].Before, p.Ahead.Rows[0].After})
}

// TestNoPass has steps that run one by one: rows that lean by less than a line, or have no whole lines, or run three at a time; two nests;
// more operations than loads.
func TestNoPass(t *testing.T) {
	for _, x := range []struct {
		name        string
		lean, width int64
	}{
		{"jacobi-2d", 8, 64}, {"jacobi-2d", 32, 64}, {"jacobi-2d", 16, 40}, {"heat-2d", 16, 64}, {"fdtd-2d", 16, 64}, {"wave-2d", 16, 64}, {"star-2d-2", 16, 64},
	} {
		require.Nil(t, leaning(t, x.name, x.lean, x.width).Pass, "%v", x)
	}
}
