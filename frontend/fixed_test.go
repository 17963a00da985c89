package frontend_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// TestClampedReadsLieNearby: where a border splits a clamped stencil, its parts read at constant distances from what they write.
func TestClampedReadsLieNearby(t *testing.T) {
	text, err := os.ReadFile("../testdata/idioms/clamped.c")
	require.NoError(t, err)
	p := parseOne(t, string(text))
	require.Len(t, p.Stmts, 10)
	for _, st := range p.Stmts {
		for _, a := range st.Accesses {
			for k, x := range a.Index[1:] {
				want := []int64{0, 0, 0}
				want[1+k] = 1
				require.Equal(t, want, x.Iters, "%s: %s", st.Name, a.Text)
				require.Zero(t, x.At(make([]int64, 3), []int64{1000, 1000})-x.Const, "%s: %s", st.Name, a.Text)
			}
		}
	}
}

// TestReadsFarAwayStay: a subscript that is at no constant distance is left as it is, and so is one that a loop changes.
func TestReadsFarAwayStay(t *testing.T) {
	for read, want := range map[string]map[string]bool{
		"i > 0 ? i - 1 : n - 1": {"1*i+0*n-1": true, "0*i+1*n-1": true}, // around the grid
		"i > 4 ? i - 5 : 0":     {"1*i+0*n-5": true, "0*i+0*n+0": true},
		"n - 1":                 {"0*i+1*n-1": true},
	} {
		p := parseOne(t, fmt.Sprintf("void f(int n, int T, double A[restrict 2][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 0; i < n; i++) A[(t + 1) %% 2][i] = A[t %% 2][%s];\n#pragma endscop\n}\n", read))
		got := map[string]bool{}
		for _, st := range p.Stmts {
			for _, a := range st.Accesses {
				if x := a.Index[1]; !a.Write {
					got[fmt.Sprintf("%d*i%+d*n%+d", x.Iters[1], x.Params[0], x.Const)] = true
				}
			}
		}
		require.Equal(t, want, got, read)
	}
}

// TestEndsOfKnownExtents: a body that sets elements at both ends of an array is taken apart where the extent is a number, too: the ends
// are as many points apart as the array is long, which is no slope for tiles.
func TestEndsOfKnownExtents(t *testing.T) {
	for _, extent := range []string{"10", "300", "n"} {
		p := parseOne(t, fmt.Sprintf("void f(int n, int T, double A[restrict n][%s]) {\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 0; i < n; i++) { A[i][0] = 1; A[i][%[1]s - 1] = 2; }\n#pragma endscop\n}\n", extent))
		require.Len(t, p.Stmts, 2, extent)
	}
}

func parseOne(t *testing.T, text string) *scop.Program {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
	require.NoError(t, err)
	require.Len(t, res.Programs, 1)
	return res.Programs[0]
}
