package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	devices "github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// TestBusy: rows of 34 points, two more than a warp has threads, take the units for two warps: those of a nest of one operation, whose boxes are two rows and two columns more than
// what they own, and of one of two operations, whose rows are whole warps.
func TestBusy(t *testing.T) {
	x := pipeline.Read(t, "nests", `void f(int n, int m, float in[restrict n][m], float out[restrict n][m])
{
  float b[n][m];
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = in[i][j] + in[i - 1][j];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = b[i - 1][j - 1] + b[i][j] + b[i + 1][j + 1];
#pragma endscop
}
`)
	d, ok := devices.LookupDevice("sm_80")
	require.True(t, ok)
	tiles, err := schedule.OverlappedTiles(x.Space, x.Deps, schedule.Sizes{H: 1, W: []int64{8, 32}})
	require.NoError(t, err)
	c := lower.NewCounter(x.Space, d, lower.Options{}).PhaseCounts(tiles, 0)
	require.Equal(t, int64(10*34+8*32*2), c.Operations)
	require.Equal(t, int64(10*64+8*32*2), c.Busy, "%d threads", c.Threads)
	require.Zero(t, c.Waits)
}
