package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestGainWhenReady compares what the model gains by tiles that start when they can with a simulation, tile by tile: on many cores, at the sizes
// that it chooses for them.
func TestGainWhenReady(t *testing.T) {
	gains := 0
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d", "wave-3d", "heat-4d"} {
		x := pipeline.Case(t, name)
		for _, cores := range []int64{1, 4, 16, 64, 128} {
			cpu := model.Caches{CPU: machine.AnyCPU}
			cpu.Cores = cores
			leaning := cpu.Aligned(x.Space, x.Cone)
			best, err := cpu.Best(x.Space, leaning, nil)
			require.NoError(t, err)
			phases, ready, err := cpu.WhenReady(x.Space, leaning, nil, best[0].Sizes)
			require.NoError(t, err)
			require.Equal(t, best[0].Weight, phases)
			s, err := schedule.Hybrid(x.Space, leaning, best[0].Sizes)
			require.NoError(t, err)
			c, ok := schedule.FindChains(s, leaning, 1)
			require.True(t, ok)
			grid, err := model.NewGrid(x.Space, nil)
			require.NoError(t, err)
			w, l := model.Workforce{Workers: int(cores)}, model.LoadOf(s, grid)
			simulated, expected := w.WhenReady(c, l)/w.InPhases(c, l), phases.PerPoint/ready.PerPoint
			t.Logf("%s, %d cores, %v: %.2f times as fast in the simulation, %.2f by the model", name, cores, best[0].Sizes, simulated, expected)
			require.False(t, phases.Ready)
			require.True(t, ready.Ready)
			require.Equal(t, cores > 1 && expected > 33./32, phases.Loses(ready))
			require.Greater(t, expected, simulated/1.6)
			require.Less(t, expected, simulated*1.6)
			if simulated > 1.5 {
				gains++
				require.True(t, phases.Loses(ready))
			}
		}
	}
	require.GreaterOrEqual(t, gains, 5)
}
