package symbolic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// TestFullTiles proves of the full tiles of all cases, in all variants, that they do what the program does.
func TestFullTiles(t *testing.T) {
	variants := []pipeline.Variant{pipeline.Staged, pipeline.Global, pipeline.Large, pipeline.By7, pipeline.By2, pipeline.Turns, pipeline.SpaceOnly, pipeline.Untiled}
	for _, x := range pipeline.Some(t) {
		for _, v := range variants {
			t.Run(x.Name+"/"+v.Name, func(t *testing.T) {
				if v.Name != "global" && v.Name != "staged" && v.Name != "space" && v.Name != "untiled" && len(x.Space.Space) > 2 {
					v.Widths = pipeline.Narrow // the others do not fit for all cases
				}
				if v.Widths[0][0] > 4000 {
					v.Widths[0] = []int64{4000}
				}
				_, loops, p := v.Of(t, x)
				proof := symbolic.Prove(p, loops)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			})
		}
	}
}

// TestSubscripts proves full tiles where subscripts of one array move with the tile in different ways.
func TestSubscripts(t *testing.T) {
	for name, body := range map[string]string{
		"table":      "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) B[(t + 1) % 2][i][j] = tab[(i + 3) % 5] * B[t % 2][i][j - 1];",
		"two moduli": "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) B[(t + 1) % 2][i][j] = tab[(i + 4) % 7] * B[t % 2][i][j - 1] + tab[(i + 2) % 3] * tab[3];",
		"condition":  "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if (B[t % 2][i][j] > 1) B[(t + 1) % 2][i][j] = tab[3] * B[t % 2][i][j - 1];",
	} {
		text := "void f(int T, int n, int m, float B[restrict 2][n][m], const float tab[restrict 8]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {" + body + "}\n#pragma endscop\n}\n"
		x, reads := pipeline.Read(t, name, text), 0
		for _, w := range []int64{2, 3, 5, 8} {
			for _, strategy := range []lower.Strategy{lower.Static, lower.Moved, lower.Global} {
				sizes := schedule.Sizes{H: 1, W: []int64{w + schedule.MinW0(x.Cone, 1), 9 + w}}
				loops := pipeline.Loops(t, x.Schedule(t, sizes))
				p, err := lower.Lower(loops, pipeline.Device(t, "sm_80"), lower.Options{Strategy: strategy})
				require.NoError(t, err)
				proof := symbolic.Prove(p, loops)
				require.True(t, proof.Holds, "%s %d %v\n%s", name, w, strategy, proof.Text(false))
				reads += proof.Tests // none where a tile covers the extent
			}
		}
		require.NotZero(t, reads, name)
	}
}
