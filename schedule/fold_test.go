package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestFold folds dimensions whose ends are neighbours, and leaves others whole: slopes are then those of the stencil inside, and the
// halves do what the whole does, at all small sizes.
func TestFold(t *testing.T) {
	const (
		left, right = "(i == 0 ? n - 1 : i - 1)", "(i == n - 1 ? 0 : i + 1)"
		ring        = "int n, int T, float A[2][n]"
		torus       = "int n, int T, float A[2][n][n]"
		pair        = "int n, int T, float a[n], float b[n]"
	)
	for _, x := range []struct {
		name, params, body string
		least              int64 // the least n for which the program stays inside of its arrays
		statements         int
		slopes             string
	}{
		{"ring", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][" + left + "] + A[t % 2][i] - A[t % 2][" + right + "];", 1, 5,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"one way", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][" + left + "] + A[t % 2][i];", 1, 4,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"from 1 to n", "int n, int T, float A[2][n + 2]", "for (int i = 1; i <= n; i++) A[(t + 1) % 2][i] = A[t % 2][i == 1 ? n : i - 1] + A[t % 2][i == n ? 1 : i + 1];", 1, 5,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"two far", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i < 2 ? i + n - 2 : i - 2] + A[t % 2][i >= n - 2 ? i - n + 2 : i + 2];", 2, 6,
			"-2*dt <= ds0 <= 2*dt\n"},
		{"numbers", "int T, float A[2][100]", "for (int i = 0; i < 100; i++) A[(t + 1) % 2][i] = A[t % 2][i == 0 ? 99 : i - 1] + A[t % 2][i == 99 ? 0 : i + 1];", 1, 4,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"torus", torus, "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[(t + 1) % 2][i][j] = A[t % 2][" + left + "][j] + A[t % 2][i][j == n - 1 ? 0 : j + 1];", 1, 10,
			"-1*dt <= ds0 <= 1*dt\n-1*dt <= ds1 <= 1*dt\n"},
		{"tube", torus, "for (int i = 1; i < n - 1; i++) for (int j = 0; j < n; j++) A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i][j == n - 1 ? 0 : j + 1];", 1, 3,
			"-1*dt <= ds0 <= 1*dt\n-1*dt <= ds1 <= 1*dt\n"},
		{"ghosts", pair, "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i]; a[0] = a[n - 2]; a[n - 1] = a[1];", 3, 5,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"mirrored", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][n - 1 - i];", 1, 2,
			"-0*dt <= ds0 <= 0*dt\n"},
		{"walls", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i == 0 ? 0 : i - 1] + A[t % 2][i == n - 1 ? n - 1 : i + 1];", 1, 4,
			"-1*dt <= ds0 <= 1*dt\n"},
		{"broadcast", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][0];", 1, 1, ""},
		{"a wire across", ring, "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][" + left + "] + A[t % 2][0];", 1, 2, ""},
		{"shifted by half", "int n, int T, float A[2][2 * n]", "for (int i = 0; i < n; i++) A[(t + 1) % 2][i] = A[t % 2][i + n];", 1, 1, "-0*dt <= ds0 <= 0*dt\n"},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := parseC(t, region(x.params, "for (int t = 0; t < T; t++) {"+x.body+"}"))
			q := Fold(p)
			require.Len(t, q.Stmts, x.statements, "%v", q)
			deps, err := Dependences(q)
			require.NoError(t, err)
			c, err := Canonicalize(q, deps)
			require.NoError(t, err)
			cone, err := BoundCone(c, deps)
			require.Equal(t, x.slopes == "", err != nil, "%v", err)
			require.Equal(t, x.slopes, cone.String())
			for n := x.least; n < 9; n++ {
				sizes := map[string]int64{"T": 5, "n": n}
				var params []int64
				for _, v := range p.Params {
					params = append(params, sizes[v.Name])
				}
				mem, err := scop.NewMemory(p, params, 3)
				require.NoError(t, err, n)
				got := mem.Clone()
				require.NoError(t, scop.Run(p, mem), fmt.Sprint("n = ", n))
				require.NoError(t, scop.Run(q, got), fmt.Sprint("n = ", n))
				require.Zero(t, got.Compare(mem).Differ, n)
			}
		})
	}
}
