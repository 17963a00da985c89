package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// blurs are two nests that hand a field on.
const blurs = `void f(int n, int m, float in[restrict n][m], float out[restrict n][m])
{
  float a[n][m];
#pragma scop
  for (int i = 2; i < n - 2; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i - 2][j] + in[i][j] + in[i + 2][j];
  for (int i = 4; i < n - 4; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = a[i - 2][j - 2] + a[i][j] + a[i + 2][j + 2];
#pragma endscop
}
`

// TestOverlapping chooses boxes that overlap for a CPU: whole rows of a narrow picture, of which the second level holds all that a tile has in use, and counts what
// runs again exactly.
func TestOverlapping(t *testing.T) {
	x := pipeline.Read(t, "blurs", blurs)
	caches := model.Caches{CPU: machine.AnyCPU}
	best, err := caches.Overlapping(x.Space, x.Deps, nil, model.Typical{"n": 2000, "m": 500})
	require.NoError(t, err)
	require.GreaterOrEqual(t, best.Sizes.W[1], int64(496), "%v", best)
	require.Less(t, best.Bytes, float64(machine.AnyCPU.Cache), "%v", best)
	require.Less(t, best.Again, 1.3, "%v", best)
	require.Greater(t, best.Tiles, int64(machine.AnyCPU.Cores))
	wide, err := caches.Overlapping(x.Space, x.Deps, nil, model.Typical{"n": 2000, "m": 500_000})
	require.NoError(t, err)
	require.LessOrEqual(t, wide.Sizes.W[1], int64(4096))
	tiles, err := schedule.OverlappedTiles(x.Space, x.Deps, best.Sizes)
	require.NoError(t, err)
	computed, owned := int64(0), int64(0)
	for _, st := range x.Scop.Stmts {
		a := int64(x.Space.Levels[st.Order])
		box, own := tiles.Phases[0].Box(st, a), tiles.Phases[0].Owned(st, a)
		computed += (box.Hi[0] - box.Lo[0] + 1) * min(box.Hi[1]-box.Lo[1]+1, 500)
		owned += (own.Hi[0] - own.Lo[0] + 1) * min(own.Hi[1]-own.Lo[1]+1, 500)
	}
	require.InDelta(t, float64(computed)/float64(owned), best.Again, 0.03, "%v", best)
}
