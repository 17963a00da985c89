package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/schedule"
)

// hotspot3D is an iteration of Hotspot3D of Rodinia on a grid that is padded by one point on each side, as LIFT pads it.
const hotspot3D = `void hotspot(int nx, int ny, int nz, const float power[restrict nz][ny][nx], const float in[restrict nz + 2][ny + 2][nx + 2], float out[restrict nz][ny][nx],
             float cc, float cn, float cs, float ce, float cw, float ct, float cb, float step, float ambient)
{
#pragma scop
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++)
        out[z][y][x] = cc * in[z + 1][y + 1][x + 1] + cn * in[z + 1][y][x + 1] + cs * in[z + 1][y + 2][x + 1] + ce * in[z + 1][y + 1][x + 2]
                     + cw * in[z + 1][y + 1][x] + ct * in[z + 2][y + 1][x + 1] + cb * in[z][y + 1][x + 1] + step * power[z][y][x] + ct * ambient;
#pragma endscop
}
`

// TestThinGrid counts operations and full tiles of Hotspot3D at the size that LIFT runs it at, 512 x 512 x 8, with 17 operations (Stoltzfus et al., TACO 2019, table 2): of the tiles
// that the model chooses for that more than half are full, though the grid has eight layers.
func TestThinGrid(t *testing.T) {
	size := map[string]int64{"nx": 512, "ny": 512, "nz": 8}
	for _, strategy := range []hexcc.Strategy{hexcc.Space, hexcc.Overlapped} {
		res, err := hexcc.Compile(source([]byte(hotspot3D)), hexcc.Options{NoAlias: true, Strategy: strategy, Grid: size, Stop: "schedule"})
		require.NoError(t, err)
		require.Equal(t, int64(17), res.Scop.Stmts[0].Operations())
		require.Len(t, res.Schedule.Phases, 1)
		set := schedule.FullTiles(res.Schedule, 0)
		full, all := 0, 0
		tiles := func(n int64, d int) int64 { return (n + res.Sizes.W[d] - 1) / res.Sizes.W[d] }
		for z := range tiles(8, 0) {
			for y := range tiles(512, 1) {
				for x := range tiles(512, 2) {
					if all++; set.Contains(size, 0, z, y, x) {
						full++
					}
				}
			}
		}
		t.Logf("%s: %d of %d tiles of %v are full", strategy, full, all, res.Sizes)
		require.Greater(t, 2*full, all, "%v: %v", res.Sizes, set)
	}
}
