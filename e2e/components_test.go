package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestComponentsCost: by the model, what loops over components become costs what the same program does that is written
// out by hand, with an array for each component: in time, and in bytes of global memory.
func TestComponentsCost(t *testing.T) {
	const each = `
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {%s
      }`
	// blur returns five points around an element, from from[...][i][j]tail to to.
	blur := func(to, from, tail string) string {
		at := func(sub string) string { return from + sub + tail }
		return fmt.Sprintf("\n        %s[i][j]%s = 0.2f * (%s + %s + %s + %s + %s);", to, tail, at("[i][j]"), at("[i - 1][j]"), at("[i + 1][j]"), at("[i][j - 1]"), at("[i][j + 1]"))
	}
	three := fmt.Sprintf(each, blur("R[(t + 1) % 2]", "R[t % 2]", "")+blur("G[(t + 1) % 2]", "G[t % 2]", "")+blur("B[(t + 1) % 2]", "B[t % 2]", ""))
	const threeArrays = "float R[2][n][n], float G[2][n][n], float B[2][n][n]"
	wall := func(array string) string {
		return fmt.Sprintf(" %[1]s[(t + 1) %% 2][i][0] = %[1]s[(t + 1) %% 2][i][1];", array)
	}
	for _, c := range []struct{ name, params, body, handParams, hand string }{
		{"innermost", "float A[2][n][n][3]", fmt.Sprintf(each, "\n        for (int c = 0; c < 3; c++)"+blur("A[(t + 1) % 2]", "A[t % 2]", "[c]")), threeArrays, three},
		{"outermost", "float A[2][3][n][n]", "\n    for (int c = 0; c < 3; c++)" + fmt.Sprintf(each, blur("A[(t + 1) % 2][c]", "A[t % 2][c]", "")), threeArrays, three},
		{"with a wall", "float A[2][3][n][n]", "\n    for (int c = 0; c < 3; c++) {" + fmt.Sprintf(each, blur("A[(t + 1) % 2][c]", "A[t % 2][c]", "")) +
			"\n    for (int i = 1; i < n - 1; i++)" + " A[(t + 1) % 2][c][i][0] = A[(t + 1) % 2][c][i][1];" + "\n    }",
			threeArrays, three + "\n    for (int i = 1; i < n - 1; i++) {" + wall("R") + wall("G") + wall("B") + " }"},
		{"all of all", "const double K[3][3], double u[2][n][n][3]", fmt.Sprintf(each, `
        for (int a = 0; a < 3; a++) {
          double s = 0;
          for (int b = 0; b < 3; b++)
            s += K[a][b] * (u[t % 2][i - 1][j][b] + u[t % 2][i + 1][j][b]);
          u[(t + 1) % 2][i][j][a] = u[t % 2][i][j][a] + s;
        }`), "const double K[3][3], double u[2][n][n], double v[2][n][n], double w[2][n][n]", fmt.Sprintf(each, `
        double r = K[0][0] * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j]) + K[0][1] * (v[t % 2][i - 1][j] + v[t % 2][i + 1][j]) + K[0][2] * (w[t % 2][i - 1][j] + w[t % 2][i + 1][j]);
        u[(t + 1) % 2][i][j] = u[t % 2][i][j] + r;
        double s = K[1][0] * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j]) + K[1][1] * (v[t % 2][i - 1][j] + v[t % 2][i + 1][j]) + K[1][2] * (w[t % 2][i - 1][j] + w[t % 2][i + 1][j]);
        v[(t + 1) % 2][i][j] = v[t % 2][i][j] + s;
        double x = K[2][0] * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j]) + K[2][1] * (v[t % 2][i - 1][j] + v[t % 2][i + 1][j]) + K[2][2] * (w[t % 2][i - 1][j] + w[t % 2][i + 1][j]);
        w[(t + 1) % 2][i][j] = w[t % 2][i][j] + x;`)},
		{"in place, with offsets of their own", "float v[2][n][n], float s[3][n][n]",
			fmt.Sprintf(each, `
        for (int c = 0; c < 2; c++)
          v[c][i][j] += s[c][i + 1 - c][j + c] - s[c][i][j] + s[2][i][j] - s[2][i - c][j - 1 + c];`) + fmt.Sprintf(each, `
        for (int c = 0; c < 2; c++)
          s[c][i][j] += 2 * (v[c][i][j] - v[c][i - 1 + c][j - c]) + (v[1 - c][i][j] - v[1 - c][i - c][j - 1 + c]);
        s[2][i][j] += v[0][i][j + 1] - v[0][i][j] + v[1][i + 1][j] - v[1][i][j];`),
			"float v0[n][n], float v1[n][n], float s0[n][n], float s1[n][n], float s2[n][n]", fmt.Sprintf(each, `
        v0[i][j] += s0[i + 1][j] - s0[i][j] + s2[i][j] - s2[i][j - 1];
        v1[i][j] += s1[i][j + 1] - s1[i][j] + s2[i][j] - s2[i - 1][j];`) + fmt.Sprintf(each, `
        s0[i][j] += 2 * (v0[i][j] - v0[i - 1][j]) + (v1[i][j] - v1[i][j - 1]);
        s1[i][j] += 2 * (v1[i][j] - v1[i][j - 1]) + (v0[i][j] - v0[i - 1][j]);
        s2[i][j] += v0[i][j + 1] - v0[i][j] + v1[i + 1][j] - v1[i][j];`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cost := func(params, body string) (seconds, bytes float64) {
				text := fmt.Sprintf("void f(int T, int n, %s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {%s\n  }\n#pragma endscop\n}\n", params, body)
				res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, hexcc.Options{NoAlias: true, Kernel: hexcc.Tiles, Strategy: hexcc.Hybrid})
				require.NoError(t, err, text)
				best := res.Choice.Best[0]
				return best.Cost.Seconds, best.BytesPerPoint() * float64(res.Choice.Grid.Points)
			}
			seconds, bytes := cost(c.params, c.body)
			handSeconds, handBytes := cost(c.handParams, c.hand)
			t.Logf("%.4g s, by hand %.4g; %.4g bytes, by hand %.4g", seconds, handSeconds, bytes, handBytes)
			require.LessOrEqual(t, seconds, 1.1*handSeconds)
			require.LessOrEqual(t, bytes, 1.1*handBytes)
		})
	}
}
