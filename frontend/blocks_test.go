package frontend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestBlocks reads loops that were written in blocks as one, and no others.
func TestBlocks(t *testing.T) {
	read := func(body string) (*frontend.Result, error) {
		return frontend.Parse(frontend.Source{Name: "b.c", Text: []byte(`#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int T, int n, int bs, int now, int next, double A[restrict n][n], double B[restrict n][n], double u[restrict 3][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
` + body + `
  }
#pragma endscop
}
`)}, frontend.Options{})
	}
	for _, c := range []struct{ name, body, wrong string }{
		{"min", "for (int ib = 0; ib < n; ib += bs)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nB[i][0] = A[i][0];", ""},
		{"min turned", "for (int ib = 0; ib <= n - 1; ib = bs + ib)\nfor (int i = ib; i <= MIN(n - 1, bs + ib - 1); i++)\nB[i][0] = A[i][0];", ""},
		{"both", "for (int ib = 0; ib < n; ib += 32)\nfor (int i = ib; i < ib + 32 && i < n; i++)\nB[i][0] = A[i][0];", ""},
		{"less", "for (int ib = 0; ib < n; ib += 8)\nfor (int i = ib; i <= ib + 7 && i < n; i++)\nB[i][0] = A[i][0];", ""},
		{"two", "for (int ib = 1; ib < n; ib += bs)\nfor (int jb = 1; jb < n; jb += bs)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nfor (int j = jb; j < MIN(jb + bs, n); j++)\nB[i][j] = A[i - 1][j] + A[i][j - 1];", ""},
		{"order", "for (int ib = 1; ib < n; ib += bs)\nfor (int j = 1; j < n - 1; j++)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nA[i][j] = A[i - 1][j + 1];", "in blocks"},
		{"planes", "for (int ib = 1; ib < n; ib += bs)\nfor (int j = 1; j < n - 1; j++)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nu[next][i][j] = u[now][i - 1][j];", ""},
		{"too long", "for (int ib = 0; ib < n; ib += bs)\nfor (int i = ib; i < MIN(ib + bs + 1, n); i++)\nB[i][0] = A[i][0];", "does not add a constant"},
		{"too short", "for (int ib = 0; ib < n; ib += bs)\nfor (int i = ib; i <= MIN(ib + bs - 2, n - 1); i++)\nB[i][0] = A[i][0];", "does not add a constant"},
		{"other end", "for (int ib = 0; ib < n - 1; ib += bs)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nB[i][0] = A[i][0];", "does not add a constant"},
		{"block used", "for (int ib = 0; ib < n; ib += bs)\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nB[i][0] = A[ib][0];", "does not add a constant"},
		{"beside", "for (int ib = 0; ib < n; ib += bs) {\nA[ib][0] = 1;\nfor (int i = ib; i < MIN(ib + bs, n); i++)\nB[i][0] = 2;\n}", "does not add a constant"},
		{"every second", "for (int ib = 0; ib < n; ib += bs)\nfor (int i = ib; i < MIN(ib + bs, n); i += 2)\nB[i][0] = A[i][0];", "does not add a constant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := read(c.body)
			if c.wrong != "" {
				require.ErrorContains(t, err, c.wrong)
				return
			}
			require.NoError(t, err)
			p := res.Programs[0]
			require.LessOrEqual(t, len(p.Stmts[0].Iters), 3)
			tests := ""
			for _, f := range p.Facts {
				tests += f.Text + "\n"
			}
			if c.name != "both" && c.name != "less" {
				require.Contains(t, tests, "bs >= 1")
			}
			if c.name == "planes" {
				require.Contains(t, tests, "_is_another >= 1")
			}
		})
	}
}
