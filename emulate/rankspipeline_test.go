package emulate

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
)

// piped returns the plan of a program in place, in tiles of at least so many rows and columns; ok is false where ranks cannot run it.
func piped(t *testing.T, name, text string, h, width int64) (p planned, ok bool) {
	t.Helper()
	x := pipeline.InPlace(t, name, text)
	sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[h]}
	for d := range x.Space.Space {
		sizes.W = append(sizes.W, width+int64(d))
	}
	for far, found := schedule.FarthestWait(x.Space, x.Cone, sizes); !found || far > 1; far, found = schedule.FarthestWait(x.Space, x.Cone, sizes) {
		sizes.W[0]++
	}
	if name == "gauss-seidel-backwards" { // rows are counted from the last one, and tiles from the first
		sizes.W[0] = max(sizes.W[0], schedule.Lean(x.Cone, sizes)+2)
	}
	s, err := schedule.Wavefront(x.Space, x.Cone, sizes)
	require.NoError(t, err)
	if p, ok = planOfTiles(t, s); ok {
		require.NotNil(t, p.Pipeline, name)
	}
	return p, ok
}

// TestRankPipelines runs programs in place as ranks of a pipeline with memory of their own would, in tiles of several sizes, in all of which the same is proved.
func TestRankPipelines(t *testing.T) {
	cases.InPlaceInTurns(t, func(t *testing.T, name, text string) {
		for i, x := range [][2]int64{{0, 2}, {1, 5}, {2, 9}} {
			plan, ok := piped(t, name, text, x[0], x[1])
			require.True(t, ok, name)
			proof := plan.Prove()
			require.True(t, proof.Holds, "%s: %s %s", name, proof.Violation, proof.Undecided)
			extent := []int64{0, 57, 43, 19}[len(plan.Schedule.Canonical.Space)]
			for _, steps := range []int64{1, 7, 10} {
				for _, count := range []int{1, 2 + i} {
					differ, _ := onRanks(t, plan, count, extent, steps)
					require.Zero(t, differ, "%s: %d ranks, %d steps", name, count, steps)
				}
			}
		}
	})
}

// TestRankPipelineMutants breaks plans: each slab left out, a row short, or of fewer steps, and messages that are awaited a turn later. That is found by the proof, and by running it.
func TestRankPipelineMutants(t *testing.T) {
	for _, name := range []string{"seidel-2d", "sor-poisson", "gauss-seidel-line", "gauss-seidel-backwards"} {
		text, err := os.ReadFile(cases.File(t, "testdata/wavefront/"+name+".c"))
		require.NoError(t, err)
		whole, ok := piped(t, name, string(text), 2, 7)
		require.True(t, ok)
		tried := 0
		try := func(what string, change func(p *ranks.Pipeline)) {
			mutant, pipe := *whole.Plan, *whole.Pipeline
			pipe.Up, pipe.Down = slices.Clone(pipe.Up), slices.Clone(pipe.Down)
			change(&pipe)
			mutant.Pipeline = &pipe
			tried++
			require.False(t, mutant.Prove().Holds, "%s: %s", name, what)
			differ := int64(0)
			for _, steps := range []int64{7, 10, 12} {
				more, ok := onRanks(t, planned{&mutant, whole.prog}, 3, 61, steps)
				require.True(t, ok)
				differ += more
			}
			require.NotZero(t, differ, "%s: %s", name, what)
		}
		each := func(what string, up bool, change func(s *ranks.Slab)) {
			list := whole.Pipeline.Down
			if up {
				list = whole.Pipeline.Up
			}
			for i := range list {
				try(fmt.Sprintf("%s: slab %d, up: %v", what, i, up), func(p *ranks.Pipeline) {
					if up {
						change(&p.Up[i])
					} else {
						change(&p.Down[i])
					}
				})
			}
		}
		each("a row short", true, func(s *ranks.Slab) { s.Ahead-- })
		each("a row short", false, func(s *ranks.Slab) { s.Near-- })
		each("a row short behind", false, func(s *ranks.Slab) { s.Far-- })
		each("the last step only", true, func(s *ranks.Slab) { s.Depth = 0 })
		try("nothing up", func(p *ranks.Pipeline) { p.Up = nil })
		try("nothing down", func(p *ranks.Pipeline) { p.Down = nil })
		if whole.Turns() {
			try("down a turn later", func(p *ranks.Pipeline) { p.Lag-- })
		}
		require.GreaterOrEqual(t, tried, 6, name)
	}
}
