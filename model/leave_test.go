package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
)

// TestLeaveSome chooses tiles for devices with little shared memory. There are always
// some: arrays stay in global memory where no tile fits with them, and only there.
func TestLeaveSome(t *testing.T) {
	names := []string{"jacobi-1d", "jacobi-2d", "em-2d", "star-2d-4", "rician-3d", "em-3d", "heat-4d"}
	stencils := map[string]pipeline.Stencil{}
	for _, name := range names {
		stencils[name] = pipeline.Case(t, name)
	}
	for _, limit := range []int{48 << 10, 8 << 10, 2 << 10} {
		d := pipeline.Device(t, "sm_80")
		d.SharedBytes = limit
		left := 0
		for _, name := range names {
			x := stencils[name]
			c, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
			require.NoError(t, err, name)
			require.NoError(t, c.Verify(), name)
			p := pipeline.Map(t, x.Schedule(t, c.Sizes()), d, lower.Options{Leave: c.Left})
			for _, k := range p.Kernels {
				require.LessOrEqual(t, k.SharedBytes(), int64(limit), name)
				require.Equal(t, c.Best[0].Counts.SharedBytes, k.SharedBytes(), name)
				for _, b := range k.Shared {
					require.Empty(t, c.Left[b.Array.Name], name)
				}
			}
			for array, why := range c.Left {
				require.Contains(t, p.Remarks, array+" stays in global memory: "+why)
			}
			left += len(c.Left)
		}
		switch limit {
		case 48 << 10:
			require.Zero(t, left)
		default:
			require.Positive(t, left)
		}
	}
}

// TestLeaveFew chooses between arrays: the one that costs most room for what it saves goes first.
func TestLeaveFew(t *testing.T) {
	x := pipeline.Read(t, "f", `
void f(int T, int n, float A[restrict 2][n], double B[restrict 2][n], const double c[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 8; i < n - 8; i++) {
      A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1] + A[t % 2][i] * A[t % 2][i + 1];
      B[(t + 1) % 2][i] = B[t % 2][i - 8] + B[t % 2][i + 8] + c[i];
    }
#pragma endscop
}
`)
	d := pipeline.Device(t, "sm_80")
	d.SharedBytes = 1 << 10
	c, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
	require.NoError(t, err)
	require.Contains(t, c.Left, "B")
	require.NotContains(t, c.Left, "A")
}
