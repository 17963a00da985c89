package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestUntiled compares with what is counted by hand: a grid so large that only its
// bytes count, each element read and written once.
func TestUntiled(t *testing.T) {
	for _, x := range []struct {
		name  string
		bytes float64 // of a point
	}{
		{"laplacian-3d", 4 + 4}, // seven reads of one plane
		{"jacobi-2d", 4 + 4},    // five
		{"wave-2d", 4 + 4 + 4},  // of two planes
		{"jacobi-1d", 4 + 4},
	} {
		for _, d := range []string{"sm_80", "sm_90"} {
			device := pipeline.Device(t, d)
			s := pipeline.Case(t, x.name)
			e, err := model.ChooseUntiled(s.Space, device, nil, model.Asked{})
			require.NoError(t, err)
			bandwidth := float64(device.GBs) * 1e9
			require.Greater(t, e.PerPoint, x.bytes/bandwidth, "%s on %s: no faster than memory", x.name, d)
			require.Less(t, e.PerPoint, 1.2*x.bytes/bandwidth, "%s on %s", x.name, d) // blocks at the border, latencies, launches
			require.EqualValues(t, schedule.NoHeight, e.Sizes.H)
		}
	}
	x := span(t, "broadcast")
	e, err := model.ChooseUntiled(x.Space, pipeline.Device(t, "sm_80"), model.Typical{"T": 100}, model.Asked{})
	require.NoError(t, err)
	require.EqualValues(t, 100, e.Launches)
	require.InEpsilon(t, 100*(3e-6+700/1.41e9), e.Seconds, 0.03) // a launch, and a load's latency
}

// TestSpaceEstimate works out an example: boxes of 8 x 32 of one array that is copied point by point.
func TestSpaceEstimate(t *testing.T) {
	x := pipeline.Read(t, "copy", `void f(int T, int n, float A[2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i][j] + 1;
#pragma endscop
}
`)
	d := pipeline.Device(t, "sm_80")
	e, err := model.AssessSpace(x.Space, d, model.Typical{"T": 10, "n": 4096}, schedule.Sizes{H: schedule.NoHeight, W: []int64{8, 32}}, model.Asked{})
	require.NoError(t, err)
	require.EqualValues(t, 10, e.Launches)
	require.EqualValues(t, 4096/8*4096/32, e.Blocks)
	require.Greater(t, e.PerPoint, 8/(float64(d.GBs)*1e9), "no faster than memory")
	best, err := model.ChooseSpace(x.Space, d, model.Typical{"T": 10, "n": 4096}, model.Asked{})
	require.NoError(t, err)
	require.LessOrEqual(t, best.Seconds, e.Seconds)
}

// TestOutlook asks of all cases and random programs, on all devices and CPUs and on grids of all
// sizes: figures are above nothing and have an end, and what is preferred is no worse.
func TestOutlook(t *testing.T) {
	all := append(some(pipeline.All(t)), more(t)...)
	for name := range spanning {
		all = append(all, span(t, name))
	}
	for seed := range uint64(30) {
		if x, ok := random(seed); ok {
			all = append(all, x)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	asked := 0
	for _, x := range all {
		for i, d := range machine.Devices() {
			given := model.Typical{}
			for _, p := range x.Scop.Params {
				given[p.Name] = 1 << rng.IntN(41) >> rng.IntN(2)
			}
			cpu := model.Caches{CPU: machine.CPU{First: 32 << 10, Cache: 1 << 20, Last: 4 << 20, Line: 64, Cores: 1 << rng.IntN(8)}}
			if _, err := model.NewGrid(x.Space, given); err != nil || i%8 != asked%8 {
				continue // what is known of the parameters
			}
			c, err := model.Assess(x.Space, x.Cone, d, given, someSizes(rng, x), model.Asked{})
			require.NoError(t, err)
			o, err := model.NewOutlook(x.Space, d, given, c, schedule.Sizes{}, model.Asked{})
			require.NoError(t, err)
			check(t, x.Name, o)

			best, err := cpu.Best(x.Space, cpu.Aligned(x.Space, x.Cone), given, model.Launches{Phases: true})
			require.NoError(t, err)
			o, err = cpu.Outlook(x.Space, given, &best[0].Weight, best[0].Sizes, schedule.Sizes{})
			require.NoError(t, err)
			check(t, x.Name, o)
			asked++
		}
	}
	require.Greater(t, asked, len(all))
}

func check(t *testing.T, name string, o *model.Outlook) {
	require.NoError(t, o.Verify(), "%s %v", name, o.Grid)
	for _, text := range []string{o.String(), o.Figures()} {
		require.NotContains(t, text, "NaN", name)
		require.NotContains(t, text, "Inf", name)
	}
	if o.Grid.Points == 0 || o.Space == nil {
		return
	}
	better, why := o.Better()
	require.Equal(t, better != nil, why != "")
	switch {
	case better == nil:
		require.LessOrEqual(t, o.Likely(o.Hybrid), 1.05*o.Likely(o.Space), "%s %v", name, o)
		require.True(t, !o.Seconds || o.Likely(o.Hybrid) <= 1.05*o.Likely(o.Untiled), "%s %v", name, o)
	case !o.Covers():
		require.Less(t, o.Likely(better), o.Likely(o.Hybrid), "%s %v", name, o)
	}
	if better != nil {
		require.True(t, better == o.Space || o.Seconds && better == o.Untiled)
		require.LessOrEqual(t, o.Likely(better), o.Likely(o.Space))
		require.True(t, !o.Seconds || len(o.Doubts(better)) == 0)
	}
	if o.Hybrid.PerPoint > 1.05*o.Untiled.PerPoint {
		require.NotEmpty(t, o.Doubts(o.Hybrid))
	}
}

// TestSlower: what measurements say of each way, in two and in three dimensions; of hexagons that wait the more, the more of the time places for blocks are empty.
func TestSlower(t *testing.T) {
	d := pipeline.Device(t, "sm_90")
	for _, x := range []struct {
		name         string
		space, loops float64
	}{{"jacobi-2d", 1, 1}, {"laplacian-3d", 1.25, 1.4}} {
		o, err := model.NewOutlook(pipeline.Case(t, x.name).Space, d, nil, nil, schedule.Sizes{}, model.Asked{})
		require.NoError(t, err)
		require.Equal(t, x.space, o.Slower("space", o.Space))
		require.Equal(t, x.loops, o.Slower("untiled", o.Untiled))
		require.Equal(t, x.loops*o.Untiled.PerPoint, o.Likely(o.Untiled))
		require.Equal(t, 1.75, o.Slower("streaming", nil))
		require.Equal(t, 1.2, o.Slower("overlapped", nil))
		busy, idle := o.Slower("hybrid", &model.Expected{Ready: true}), o.Slower("hybrid", &model.Expected{Ready: true, Idle: 0.75})
		require.Equal(t, 2.0, busy)
		require.InDelta(t, 3.48, idle, 0.01) // 2 * 4^0.4
		phases := 6.0
		if x.name == "jacobi-2d" {
			phases = 3.5
		}
		require.Equal(t, phases, o.Slower("hybrid", &model.Expected{Idle: 0.75}), "launches wait for no flags")
		require.Zero(t, o.Likely(nil))
	}
}
