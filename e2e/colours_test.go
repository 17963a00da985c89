package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// TestColours translates updates in place of points in two colours and more, as they are written, and runs them as threads would:
// tiled in time, with equal results, and with no race. Where only single points depend on each other, tiles lie side by side, and store
// nothing that they do not change.
func TestColours(t *testing.T) {
	const (
		rows = "for (int i = 1; i < n - 1; i++) "
		all  = "for (int j = 1; j < m - 1; j++) "
		star = "u[i][j] += w * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1] - 4 * u[i][j] + f[i][j]); "
		bare = "u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]); "
		box  = "u[i][j] = 0.125 * (u[i-1][j-1] + u[i-1][j] + u[i-1][j+1] + u[i][j-1] + u[i][j+1] + u[i+1][j-1] + u[i+1][j] + u[i+1][j+1]); "
	)
	for name, body := range map[string]string{
		"loop":       "for (int c = 0; c < 2; c++) " + rows + "for (int j = 1 + (i + c) % 2; j < m - 1; j += 2) " + star,
		"no old":     "for (int c = 0; c < 2; c++) " + rows + "for (int j = 1 + (i + c) % 2; j < m - 1; j += 2) " + bare,
		"condition":  "for (int c = 0; c < 2; c++) " + rows + all + "if ((i + j) % 2 == c) " + star,
		"four nests": "for (int p = 0; p < 2; p++) for (int q = 0; q < 2; q++) for (int i = 1 + (p + q) % 2; i < n - 1; i += 2) for (int j = 1 + q; j < m - 1; j += 2) " + star,
		"by time":    rows + "for (int j = 1 + (i + t) % 2; j < m - 1; j += 2) " + star,
		"four":       "for (int p = 0; p < 2; p++) for (int q = 0; q < 2; q++) " + rows + all + "if (i % 2 == p && (j & 1) == q) " + box,
		"lines":      "for (int c = 0; c < 2; c++) for (int i = 1 + c; i < n - 1; i += 2) " + all + "u[i][j] = w * (u[i-1][j] + u[i+1][j]) - f[i][j]; ",
		"diagonals":  "for (int c = 0; c < 3; c++) " + rows + all + "if ((i + j) % 3 == c) " + star,
		"one colour": rows + "for (int j = i % 2 == 0 ? 2 : 1; j < m - 1; j += 2) " + star + rows + "for (int j = 1 + !(i & 1); j < m - 1; j += 2) u[i][j] *= 0.5; ",
		"beside all": "for (int c = 0; c < 2; c++) " + rows + all + "if ((i + j + c) & 1) " + star + rows + all + "f[i][j] = 0.5 * f[i][j] + u[i][j-1] - u[i+1][j]; ",
	} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf("void f(int T, int n, int m, double w, double u[restrict n][m], double f[restrict n][m]) {\n"+
				"#pragma scop\nfor (int t = 0; t < T; t++) {\n%s\n}\n#pragma endscop\n}\n", body)
			for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP} {
				res, err := hexcc.Compile(hexcc.Source{Name: "colours.c", Text: []byte(text)}, hexcc.Options{Target: target})
				require.NoError(t, err)
				require.NotContains(t, fmt.Sprint(res.Warnings), "HX212", "it is tiled in time")
				request := emulate.Request{Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000}
				if request.Program = res.GPU; target == hexcc.OpenMP {
					request.Program, request.CPU = nil, res.CPU
				}
				v, err := emulate.Verify(request)
				require.NoError(t, err)
				require.True(t, v.OK(), "%v", v)
			}
		})
	}
}

// TestStoresOfOneColour has points of one colour write two elements each of one plane: a full tile stores what the first of them writes beyond the second.
func TestStoresOfOneColour(t *testing.T) {
	for _, step := range []string{"A[(t + 1) % 2][i + 2] = 1; A[(t + 1) % 2][i] += 1;", "A[(t + 1) % 2][i] += 1; A[(t + 1) % 2][i + 2] = 1;"} {
		text := fmt.Sprintf("void f(int T, int m, int A[restrict 2][m]) {\n"+
			"#pragma scop\nfor (int t = 0; t < T; t++)\n  for (int i = 2; i < m - 3; i += 3) {\n    %s\n  }\n#pragma endscop\n}\n", step)
		for _, tile := range []*schedule.Sizes{nil, {H: 3, W: []int64{60}}} {
			res, err := hexcc.Compile(hexcc.Source{Name: "stores.c", Text: []byte(text)}, hexcc.Options{Strategy: hexcc.Hybrid, Tile: tile})
			require.NoError(t, err)
			v, err := emulate.Verify(emulate.Request{Schedule: res.Schedule, Proofs: res.Proofs, Program: res.GPU, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		}
	}
}
