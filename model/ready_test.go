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
			best, err := cpu.Best(x.Space, leaning, nil, model.Launches{Phases: true})
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
	require.GreaterOrEqual(t, gains, 4)
}

// TestSizesForLaunch chooses sizes and the launch together, on many cores: what is chosen takes no longer than the best sizes of either launch, and in the
// simulation tiles of such sizes keep cores as busy as the formula says, and take no longer than those that are best in phases.
func TestSizesForLaunch(t *testing.T) {
	both, better := model.Launches{Phases: true, Ready: true}, 0
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d", "wave-3d", "heat-4d"} {
		x := pipeline.Case(t, name)
		for _, cores := range []int64{1, 16, 64, 128} {
			cpu, alone := model.Caches{CPU: machine.AnyCPU}, model.Caches{CPU: machine.AnyCPU}
			cpu.Cores, alone.Cores = cores, 1
			leaning := cpu.Aligned(x.Space, x.Cone)
			best := func(l model.Launches) model.Weighed {
				all, err := cpu.Best(x.Space, leaning, nil, l)
				require.NoError(t, err)
				for i, y := range all[1:] {
					require.Equal(t, all[0].Weight.Ready, y.Weight.Ready)
					require.False(t, all[0].Weight.Loses(y.Weight))
					// The first of either launch need not weigh the least: it moves the fewest bytes of those about as good.
					require.True(t, i <= 1 || all[i].Weight.PerPoint <= y.Weight.PerPoint)
					require.NotEqual(t, all[i].Sizes, y.Sizes)
				}
				return all[0]
			}
			inPhases, whenReady, chosen := best(model.Launches{Phases: true}), best(model.Launches{Ready: true}), best(both)
			require.False(t, inPhases.Weight.Ready)
			require.True(t, whenReady.Weight.Ready)
			if !chosen.Weight.Ready {
				require.Equal(t, inPhases, chosen)
				require.True(t, cores == 1 || whenReady.Weight.Loses(inPhases.Weight))
				continue
			}
			require.Greater(t, cores, int64(1))
			require.False(t, chosen.Weight.Loses(inPhases.Weight), "what starts when it can is taken unless it is worse")
			require.False(t, chosen.Weight.Loses(whenReady.Weight))
			// simulated returns the share of the time in which cores run tiles of such sizes when they are ready, and what a point takes then.
			simulated := func(sizes schedule.Sizes) (busy, formula, point float64) {
				s, err := schedule.Hybrid(x.Space, leaning, sizes)
				require.NoError(t, err)
				c, ok := schedule.FindChains(s, leaning, 1)
				require.True(t, ok)
				grid, err := model.NewGrid(x.Space, nil)
				require.NoError(t, err)
				_, one, err := alone.WhenReady(x.Space, leaning, nil, sizes)
				require.NoError(t, err)
				_, many, err := cpu.WhenReady(x.Space, leaning, nil, sizes)
				require.NoError(t, err)
				busy = model.Workforce{Workers: int(cores)}.WhenReady(c, model.LoadOf(s, grid))
				return busy, one.PerPoint / many.PerPoint, one.PerPoint / busy
			}
			busy, formula, point := simulated(chosen.Sizes)
			_, _, before := simulated(inPhases.Sizes)
			t.Logf("%s, %d cores, %v: busy %.2f of the time in the simulation, %.2f by the model; %.2f times as fast as in the sizes for phases, %v",
				name, cores, chosen.Sizes, busy, formula, before/point, inPhases.Sizes)
			require.InEpsilon(t, busy, formula, 0.05)
			require.Less(t, point, before*1.02)
			if point*1.2 < before {
				better++
			}
		}
	}
	require.GreaterOrEqual(t, better, 3)
}
