package model_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// replayed are the clocks in which a multiprocessor runs a full turn of each of the blocks that it holds, by the replay of machine code of bench/sass (nvcc 13.0),
// and those blocks.
var replayed = []struct {
	arch, name string
	shape      stream.Shape
	blocks     int
	clocks     float64
}{
	{"sm_90", "box-2d", stream.Shape{Columns: 4, Steps: 4, Warps: 4, Period: 2}, 2, 20578},
	{"sm_90", "diffusion-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 14616},
	{"sm_90", "em-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 13211},
	{"sm_90", "fdtd-2d", stream.Shape{Columns: 4, Steps: 4, Warps: 4, Period: 2}, 2, 6510},
	{"sm_90", "gaussian-2d", stream.Shape{Columns: 8, Steps: 2, Warps: 4, Period: 2}, 2, 31217},
	{"sm_90", "gradient-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 40009},
	{"sm_90", "heat-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 7988},
	{"sm_90", "heat-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 1}, 6, 2729},
	{"sm_90", "jacobi-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 4618},
	{"sm_90", "jacobi-2d", stream.Shape{Columns: 4, Steps: 4, Warps: 4, Period: 2}, 5, 4961},
	{"sm_90", "jacobi-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 1}, 7, 2537},
	{"sm_90", "life", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 25474},
	{"sm_90", "poisson-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 7184},
	{"sm_90", "star-2d-2", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 10849},
	{"sm_90", "star-2d-2", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1}, 2, 5312},
	{"sm_90", "star-2d-4", stream.Shape{Columns: 8, Steps: 1, Warps: 4, Period: 1}, 2, 10300},
	{"sm_90", "wave-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 5589},
	{"sm_80", "diffusion-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 1, 11765},
	{"sm_80", "em-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 1, 11778},
	{"sm_80", "fdtd-2d", stream.Shape{Columns: 4, Steps: 4, Warps: 4, Period: 2}, 1, 6407},
	{"sm_80", "heat-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 13437},
	{"sm_80", "jacobi-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 3, 6656},
	{"sm_80", "star-2d-2", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 17132},
	{"sm_80", "wave-2d", stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}, 2, 8139},
}

// TestStreamTurns: what the model says of full turns is within 1.4 times what the replay says, and within 1.12 times on average.
func TestStreamTurns(t *testing.T) {
	sum := 0.0
	for _, r := range replayed {
		x := pipeline.Case(t, r.name)
		s := pipeline.StrideOneFirst(t, r.name, x.Scop)
		r.shape.Code = 64 // full turns were straight code
		c, err := model.ChooseStreams(s.Space, s.Cone, machine.DeviceOf(r.arch), nil, &r.shape, true, 0)
		require.NoError(t, err)
		require.True(t, c.Fits(), "%s %v: %s", r.name, r.shape, c.Fit().Why)
		require.Equal(t, r.blocks, c.Fit().Blocks, "%s %s %v", r.arch, r.name, r.shape)
		off := math.Abs(math.Log(c.Best().Turn / r.clocks))
		t.Logf("%s %-14s %v: %6.0f clocks, replayed %6.0f: %.2f", r.arch, r.name, r.shape, c.Best().Turn, r.clocks, c.Best().Turn/r.clocks)
		require.Less(t, off, math.Log(1.4), r.name)
		sum += off
	}
	require.Less(t, sum/float64(len(replayed)), math.Log(1.12))
}

// TestChooseStreams: on a grid that keeps all blocks busy the first shape is taken that fits; on small ones, one with more and shorter chains.
func TestChooseStreams(t *testing.T) {
	s := pipeline.StrideOneFirst(t, "jacobi-2d", pipeline.Case(t, "jacobi-2d").Scop)
	d := machine.DeviceOf("sm_90")
	large, err := model.ChooseStreams(s.Space, s.Cone, d, nil, nil, true, 0)
	require.NoError(t, err)
	require.Equal(t, stream.DefaultShape, large.Fit().Shape)
	require.Len(t, large.Tried, 1)
	require.Greater(t, large.Best().Share, 0.8)
	small, err := model.ChooseStreams(s.Space, s.Cone, d, model.Typical{"n": 1000, "T": 100}, nil, true, 0)
	require.NoError(t, err)
	require.Len(t, small.Tried, len(stream.Shapes))
	require.NotEqual(t, stream.DefaultShape, small.Fit().Shape)
	first := small.Costs[0]
	require.Equal(t, stream.DefaultShape, small.Tried[0].Shape)
	require.Greater(t, first.PerPoint, small.Best().PerPoint)
	for i, c := range small.Costs {
		if small.Tried[i].Why == "" {
			require.Positive(t, c.PerPoint)
			require.LessOrEqual(t, c.Share, 1.0)
			require.GreaterOrEqual(t, c.PerPoint*9/8, small.Best().PerPoint)
		}
	}
	none, err := model.ChooseStreams(s.Space, s.Cone, d, model.Typical{"n": 2, "T": 100}, nil, true, 0)
	require.NoError(t, err)
	require.Zero(t, none.Best().PerPoint, "a grid without points")
}

// TestIndependentRows: rows that need none of each other stream in chains as others do, and take no longer.
func TestIndependentRows(t *testing.T) {
	perPoint := func(name, sum string) float64 {
		x := pipeline.Read(t, name, `void f(int T, int n, int m, float u[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][i][j] = `+sum+`;
#pragma endscop
}
`)
		s := pipeline.StrideOneFirst(t, name, x.Scop)
		c, err := model.ChooseStreams(s.Space, s.Cone, machine.DeviceOf("sm_90"), nil, nil, true, 0)
		require.NoError(t, err)
		require.True(t, c.Fits())
		return c.Best().PerPoint
	}
	cross := perPoint("cross", "0.2f * (u[t % 2][i][j - 1] + u[t % 2][i][j] + u[t % 2][i][j + 1] + u[t % 2][i - 1][j] + u[t % 2][i + 1][j])")
	rows := perPoint("rows", "0.3f * (u[t % 2][i][j - 1] + u[t % 2][i][j] + u[t % 2][i][j + 1])")
	require.Positive(t, rows)
	require.Less(t, rows, cross)
}
