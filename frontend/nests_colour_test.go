package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestNestsByColour: nests in which a test of a colour is around some statements only are taken apart by it where that frees them of what they wait for, and compute what
// C computes.
func TestNestsByColour(t *testing.T) {
	const stencil = "0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1])"
	for body, nests := range map[string]int{
		"w[i][j] = t; if ((i + j + t) % 2 == 0) u[i][j] = STENCIL;":                              2,
		"w[i][j] = t; if ((i + j) & 1) { u[i][j] = STENCIL; w[i][j] += 1; }":                     2,
		"int odd = (i + j + t) & 1; w[i][j] += 1; if (odd) u[i][j] = STENCIL; w[i][j] *= 2;":     2,
		"if ((i + j) % 2 == 1) u[i][j] = STENCIL; else w[i][j] += 2;":                            2,
		"if ((i + j) % 3 == 1) u[i][j] = STENCIL; else w[i][j] += 2;":                            2,
		"if (i > 2) { w[i][j] = 1; if ((i + j) % 2 == 0) u[i][j] = STENCIL; }":                   2,
		"if ((i + j) % 2 == 0) u[i][j] = STENCIL;":                                               1,
		"if ((i + j) % 2 == 0) { u[i][j] = STENCIL; w[i][j] = 1; } else { }":                     1,
		"w[i][j] = u[i][j - 1]; if ((i + j) % 2 == 0) u[i][j] = STENCIL;":                        2,
		"w[i][j] = u[i][j + 1]; if ((i + j) % 2 == 0) u[i][j] = STENCIL;":                        1, // points of the other colour would read what is set later
		"w[i][j] = 1; if ((i ^ j) & 1) u[i][j] = STENCIL;":                                       1,
		"w[i][j] = t; if ((i + 2 * j) % 2 == 0) u[i][j] = 0.5 * (u[i][j - 1] + u[i][j + 1]);":    1, // neighbours are of one colour
		"w[i][j] = t; if ((int)w[i][j] % 2 == 0) u[i][j] = STENCIL;":                             1,
		"w[i][j] = t; if ((i + j) % 2 == 0) u[i][j] = STENCIL; if ((i + j) % 2 == 1) w[i][j]--;": 2,
	} {
		text := "void f(int T, int n, double u[restrict n][n], double w[restrict n][n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++) {\n" +
			strings.ReplaceAll(body, "STENCIL", stencil) + "\n      }\n#pragma endscop\n}\n"
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{})
		require.NoError(t, err, text)
		p := res.Programs[0]
		require.Len(t, p.Stmts, nests, text)
		for _, sizes := range [][]int64{{3, 9}, {2, 3}, {1, 4}} {
			mem, err := scop.NewMemory(p, sizes, 7)
			require.NoError(t, err)
			want, got := oracle.CompileC(t, p, oracle.Levels[0]).Run(t, mem), mem.Clone()
			require.NoError(t, scop.Run(p, got))
			require.Empty(t, oracle.Different(want, got), text)
		}
	}
}
