package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestRanked compares each ranking with the choice of the same kind of tiles, which finds the best alone, and with what single sizes are said to take.
func TestRanked(t *testing.T) {
	cpu := model.Caches{CPU: machine.AnyCPU}
	bounds := map[string]bool{}
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d"} {
		x := pipeline.Case(t, name)
		cone := cpu.Aligned(x.Space, x.Cone)
		check := func(all []model.Ranked, best schedule.Sizes, one func(schedule.Sizes) (model.Ranked, error)) {
			t.Helper()
			require.NotEmpty(t, all)
			require.LessOrEqual(t, len(all), 10)
			require.Equal(t, best.String(), all[0].Sizes.String(), name)
			for i, r := range all {
				require.Positive(t, r.PerPoint)
				require.True(t, i <= 1 || all[i-1].PerPoint <= r.PerPoint)
				require.LessOrEqual(t, all[0].PerPoint, r.PerPoint*33/32*1.001, "the first moves the fewest bytes of those about as good")
				again, err := one(r.Sizes)
				require.NoError(t, err)
				require.Equal(t, r, again)
				bounds[r.Bound] = true
				for _, s := range all[:i] {
					require.NotEqual(t, s.Sizes, r.Sizes)
				}
			}
		}
		for _, ready := range []bool{false, true} {
			all, err := cpu.RankedHexagons(x.Space, cone, nil, ready)
			require.NoError(t, err)
			best, err := cpu.Best(x.Space, cone, nil, model.Launches{Phases: !ready})
			require.NoError(t, err)
			one := func(s schedule.Sizes) (model.Ranked, error) { return cpu.Hybrid(x.Space, cone, nil, s, ready) }
			if ready { // Best then prefers the sizes of phases where they are about as good
				phases, whenReady, err := cpu.WhenReady(x.Space, cone, nil, all[0].Sizes)
				require.NoError(t, err)
				require.Equal(t, whenReady.PerPoint, all[0].PerPoint)
				require.NotEqual(t, phases.PerPoint, all[0].PerPoint)
				check(all, all[0].Sizes, one)
				continue
			}
			require.Equal(t, best[0].Weight.PerPoint, all[0].PerPoint)
			check(all, best[0].Sizes, one)
		}

		all, err := cpu.RankedBoxes(x.Space, nil)
		require.NoError(t, err)
		best, err := cpu.Boxes(x.Space, nil)
		require.NoError(t, err)
		check(all, best, func(s schedule.Sizes) (model.Ranked, error) { return cpu.Boxed(x.Space, nil, s) })

		all, err = cpu.RankedParallelograms(x.Space, x.Cone, nil)
		require.NoError(t, err)
		slanted, err := cpu.Parallelograms(x.Space, x.Cone, nil)
		require.NoError(t, err)
		check(all, slanted[0].Sizes, func(s schedule.Sizes) (model.Ranked, error) { return cpu.Parallelogram(x.Space, x.Cone, nil, s) })

		plain, err := cpu.Plain(x.Space, nil)
		require.NoError(t, err)
		require.Positive(t, plain)
		typical := model.Typical{x.Space.Scop.Params[0].Name: -5, x.Space.Scop.Params[1].Name: -5}
		_, err = cpu.RankedBoxes(x.Space, typical)
		require.Error(t, err)
	}
	require.Greater(t, len(bounds), 1, "not all are bound by the same: %v", bounds)
}

// TestMeasurable checks that grids for measuring are small, agree with what is known, and leave what is given as it is.
func TestMeasurable(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "heat-4d", "fdtd-2d"} {
		x := pipeline.Case(t, name)
		sizes, err := model.Measurable(x.Space, nil)
		require.NoError(t, err)
		g, err := model.NewGrid(x.Space, sizes)
		require.NoError(t, err)
		require.LessOrEqual(t, g.Steps, int64(100))
		points := int64(1)
		for _, r := range g.Space {
			points *= r.Hi - r.Lo + 1
		}
		require.InDelta(t, 22, log2(points), 2, "%s: %v", name, g)
		for p, v := range sizes {
			given := model.Typical{p: v + 3}
			other, err := model.Measurable(x.Space, given)
			require.NoError(t, err)
			require.Equal(t, v+3, other[p])
		}
	}
}

func log2(n int64) (l float64) {
	for ; n > 1; n /= 2 {
		l++
	}
	return l
}
