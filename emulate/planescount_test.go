package emulate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// heat is a stencil of a volume in two planes that take turns.
const heat = `void f(int T, int n, int m, int l, float A[restrict 2][n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          A[(t + 1) % 2][i][j][k] = 0.125f * (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k] + A[t % 2][i][j + 1][k]
            + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]) + 0.25f * A[t % 2][i][j][k];
#pragma endscop
}
`

// kept is a stencil that writes to the array that it reads, which has two versions.
const kept = `void f(int T, int n, int m, float A[restrict n][m], float b[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = b[i][j];
  }
#pragma endscop
}
`

// stretched has a coefficient for each row and one for each column: neither follows planes.
const stretched = `void f(int T, int n, int m, float A[restrict 2][n][m], const float c[restrict m], const float d[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = c[j - 1] * A[t % 2][i - 1][j] + c[j + 1] * A[t % 2][i][j + 1] + d[i + 1] * A[t % 2][i + 1][j];
#pragma endscop
}
`

// TestPlaneCounts: a tile that streams and that no bound cuts does what is counted of it. What one does follows from whole runs: one more along each dimension, in all
// ways to have it along some of them and not along others.
func TestPlaneCounts(t *testing.T) {
	unlimited := strings.ReplaceAll(diffusion, " > 0 ? 0 : ", " + ") // which reads all of its operands
	for _, x := range []struct {
		name, text string
		sizes      schedule.Sizes
		async      bool
	}{
		{"diffusion", unlimited, schedule.Sizes{H: 1, W: []int64{7, 10}, Stream: new(0)}, true},
		{"diffusion along rows", unlimited, schedule.Sizes{H: 1, W: []int64{6, 9}, Stream: new(1)}, false},
		{"jacobi", jacobiPlanes, schedule.Sizes{H: 2, W: []int64{9, 8}, Stream: new(0)}, true},
		{"stretched", stretched, schedule.Sizes{H: 1, W: []int64{6, 9}, Stream: new(0)}, true},
		{"stretched along rows", stretched, schedule.Sizes{H: 1, W: []int64{6, 9}, Stream: new(1)}, false},
		{"kept", kept, schedule.Sizes{H: 1, W: []int64{8, 9}, Stream: new(0)}, true},
		{"heat", heat, schedule.Sizes{H: 1, W: []int64{5, 4, 6}, Stream: new(0)}, true},
		{"heat, two steps, along rows", heat, schedule.Sizes{H: 2, W: []int64{4, 7, 5}, Stream: new(1)}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := newPlan(t, x.name, x.text)
			o := lower.Options{Async: x.async}
			r, _, ok := p.overlapped(t, nil, x.sizes, o, nil)
			require.True(t, ok)
			dims := len(x.sizes.W)
			var one emulate.Counters
			for some := range 1 << dims {
				params, extent := []int64{}, 0
				for _, v := range p.Scop.Params {
					if v.Name == "T" {
						params = append(params, x.sizes.H)
						continue
					}
					n := 5*x.sizes.W[extent] + 3
					if some>>extent&1 != 0 {
						n += x.sizes.W[extent]
					}
					params, extent = append(params, n), extent+1
				}
				require.Equal(t, dims, extent)
				sign := int64(1)
				for d := range dims {
					if some>>d&1 == 0 {
						sign = -sign
					}
				}
				mem, err := scop.NewMemory(r.Program.Scop, params, 1)
				require.NoError(t, err)
				report, err := emulate.Run(r.Program, mem, emulate.Options{})
				require.NoError(t, err)
				require.True(t, report.OK(), "%v", report.Findings)
				c := report.Launches[0].Counters
				one.Points += sign * c.Points
				one.GlobalLoads += sign * (c.GlobalLoads + c.GlobalStores)
				one.SharedLoads, one.SharedStores = one.SharedLoads+sign*c.SharedLoads, one.SharedStores+sign*c.SharedStores
				one.Barriers, one.Blocks = one.Barriers+sign*c.Barriers, one.Blocks+sign*c.Blocks
			}
			require.EqualValues(t, 1, one.Blocks)
			got := lower.NewCounter(r.Schedule.Canonical, pipeline.Device(t, "sm_80"), o).Rough(r.Schedule, 0)
			require.Equal(t, one, emulate.Counters{Points: got.Points, GlobalLoads: got.Loads + got.Stores + got.Global, SharedLoads: got.Shared - got.SharedStores,
				SharedStores: got.SharedStores, Barriers: int64(got.Barriers), Blocks: 1}, "%v", r.Program)
			require.Equal(t, r.Program.Kernels[0].SharedBytes(), got.SharedBytes)
			require.True(t, got.Ahead)
		})
	}
}
