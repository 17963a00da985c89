package schedule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestPieces takes apart nests of which parts depend on different nests at different distances, and leaves others whole: the
// parts do what the whole does, at all small sizes.
func TestPieces(t *testing.T) {
	const (
		step   = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);"
		sides  = "for (int i = 1; i < n - 1; i++) { b[i][0] = b[i][1]; b[i][n - 1] = b[i][n - 2]; }"
		across = "for (int j = 0; j < n; j++) { b[0][j] = b[1][j]; b[n - 1][j] = b[n - 2][j]; }"
		back   = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[i][j];"
		pair   = "int n, int T, float a[n][n], float b[n][n]"
	)
	for _, x := range []struct {
		name, params, body string
		before, after      int // levels
		facts              string
	}{
		{"corners", pair, step + sides + across + back, 3, 2, ""},
		{"the other way round", pair, step + "for (int j = 1; j < n - 1; j++) { b[0][j] = b[1][j]; b[n - 1][j] = b[n - 2][j]; }" +
			"for (int i = 0; i < n; i++) { b[i][0] = b[i][1]; b[i][n - 1] = b[i][n - 2]; }" + back, 3, 2, ""},
		{"sides only", pair, step + sides + back, 2, 2, ""},
		{"no borders", pair, step + back, 2, 2, ""},
		{"corners of planes", "int n, int T, float A[2][n][n]", strings.NewReplacer("b[", "A[(t + 1) % 2][", "a[", "A[t % 2][").Replace(step + sides + across), 2, 1, "n >= 3"},
		{"a line", "int n, int T, float A[2][n]", "for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];" +
			"A[(t + 1) % 2][0] = A[(t + 1) % 2][1]; A[(t + 1) % 2][n - 1] = A[(t + 1) % 2][n - 2];", 2, 1, "n >= 3"},
		{"ghosts of the plane that is read", "int n, int T, int cur, float A[2][n]", "A[cur][0] = A[cur][1]; A[cur][n - 1] = A[cur][n - 2];" +
			"for (int i = 1; i < n - 1; i++) A[1 - cur][i] = A[cur][i - 1] + A[cur][i + 1]; cur = 1 - cur;", 2, 1, "n >= 4"},
		{"periodic", pair, step + "for (int i = 1; i < n - 1; i++) { b[i][0] = b[i][n - 2]; b[i][n - 1] = b[i][1]; }" + back, 3, 3, ""},
		{"a reflection", pair, step + "for (int j = 0; j < n; j++) b[0][j] = b[2][n - 1 - j];" + back, 2, 2, ""},
		{"two rows", "int n, int T, float a[n], float b[n]", "for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; b[0] = 2; b[n - 1] = 3; for (int i = 0; i < n; i++) a[i] = b[i] + 1;", 2, 2, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := parseC(t, region(x.params, "for (int t = 0; t < T; t++) {"+x.body+"}"))
			q, facts := Pieces(p)
			var texts []string
			for _, f := range facts {
				texts = append(texts, f.Text)
			}
			require.Equal(t, x.facts, strings.Join(texts, ", "))
			require.Equal(t, x.before, levels(t, p))
			require.Equal(t, x.after, levels(t, q))
			require.Equal(t, x.before == x.after || x.name == "a line", len(p.Stmts) == len(q.Stmts))
			for i, s := range q.Stmts {
				require.Equal(t, i, s.Order)
				require.Equal(t, fmt.Sprint("S", i), s.Name)
			}
			for n := int64(1); n < 8; n++ {
				sizes := map[string]int64{"T": 5, "n": n}
				var params []int64
				if x.facts != "" && n < 4 {
					continue
				}
				for _, v := range p.Params {
					params = append(params, sizes[v.Name])
				}
				mem, err := scop.NewMemory(p, params, 3)
				require.NoError(t, err)
				got := mem.Clone()
				whole, parts := scop.Run(p, mem), scop.Run(q, got)
				require.Equal(t, whole == nil, parts == nil, "%v, %v at n = %d", whole, parts, n)
				if whole == nil {
					require.Zero(t, got.Compare(mem).Differ, n)
				}
			}
		})
	}
}

// levels returns how many levels an iteration of p has.
func levels(t *testing.T, p *scop.Program) int {
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Canonicalize(p, deps)
	require.NoError(t, err)
	return c.K
}
