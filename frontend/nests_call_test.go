package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestCallsAroundRings compares programs whose expressions call functions that lead around the ends of dimensions, or over a border, with the same programs written out: the
// nests, what they run over and what they touch have to be equal.
func TestCallsAroundRings(t *testing.T) {
	for _, x := range []struct{ name, functions, params, called, written string }{
		{"remainders", "static double lap(int n, const double a[n][n], int i, int j) { return a[(i + 1) % n][j] + a[(i + n - 1) % n][j]; }",
			"double A[n][n], double B[n][n]", "lap(n, A, i, j)", "(A[(i + 1) % n][j] + A[(i + n - 1) % n][j])"},
		{"a mask of flat rows", "static double lap(const double *a, int i, int j) { return a[((i + 1) & 127) * 128 + j] + a[i * 128 + ((j - 1) & 127)]; }",
			"double A[128 * 128], double B[128 * 128]", "lap(A, i, j)", "(A[((i + 1) & 127) * 128 + j] + A[i * 128 + ((j - 1) & 127)])"},
		{"a function in a function, with a local", "static double at(int n, const double a[n][n], int i, int j) { int k = (i + n) % n; return a[k][(j + n) % n]; }\n" +
			"static double lap(int n, const double a[n][n], int i, int j) { double s = at(n, a, i - 1, j); s += at(n, a, i, j + 1); return s; }",
			"double A[n][n], double B[n][n]", "lap(n, A, i, j)", "(A[(i - 1 + n) % n][(j + n) % n] + A[(i + n) % n][(j + 1 + n) % n])"},
		{"a border by choice", "static double up(int n, const double a[n][n], int i, int j) { return a[i > 0 ? i - 1 : 0][j]; }",
			"double A[n][n], double B[n][n]", "up(n, A, i, j)", "(A[i > 0 ? i - 1 : 0][j])"},
		{"an argument with a remainder", "static double at(int n, const double a[n][n], int i, int j) { return a[i][j]; }",
			"double A[n][n], double B[n][n]", "at(n, A, (i + 1) % n, j)", "(A[(i + 1) % n][j])"},
	} {
		of := func(value string) *scop.Program {
			to, n := "B[i][j]", "n"
			if strings.Contains(x.params, "128") {
				to, n = "B[i * 128 + j]", "128"
			}
			return parseOne(t, x.functions+"\nvoid f(int T, int n, "+x.params+")\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 0; i < "+n+"; i++)\n      for (int j = 0; j < "+n+
				"; j++)\n        "+to+" = 0.5 * "+value+";\n#pragma endscop\n}\n")
		}
		called, written := of(x.called), of(x.written)
		require.Len(t, called.Stmts, len(written.Stmts), x.name)
		require.Greater(t, len(called.Stmts), 1, x.name)
		for k, st := range written.Stmts {
			require.True(t, st.Domain.IsEqual(called.Stmts[k].Domain.RenameDims(st.Iters...)), "%s: %v", x.name, st.Domain)
			require.Len(t, called.Stmts[k].Accesses, len(st.Accesses), x.name)
			for n, a := range st.Accesses {
				require.Equal(t, a.Index, called.Stmts[k].Accesses[n].Index, "%s: %s", x.name, a.Text)
			}
		}
	}
}
