package frontend_test

import (
	"fmt"
	"os"
	"strings"
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

// TestPad pads arrays by copies of their ends, as LIFT's pad does (Stoltzfus et al., TACO 2019, sections 3.2 and 3.4): pad(2, 3, clamp) of four elements has nine, pad2(1, 1, clamp) of 2 x 2 has 4 x 4.
func TestPad(t *testing.T) {
	for _, x := range []struct{ text, array, want string }{
		{`void f(double in[restrict 4], double out[restrict 9])
{
#pragma scop
  for (int i = 0; i < 2 + 4 + 3; i++)
    out[i] = in[i - 2 < 0 ? 0 : i - 2 >= 4 ? 3 : i - 2];
#pragma endscop
}
`, "out", "0 0 0 1 2 3 3 3 3"},
		{`void f(double in[restrict 2][2], double out[restrict 4][4])
{
#pragma scop
  for (int i = 0; i < 1 + 2 + 1; i++)
    for (int j = 0; j < 1 + 2 + 1; j++)
      out[i][j] = in[i - 1 < 0 ? 0 : i - 1 >= 2 ? 1 : i - 1][j - 1 < 0 ? 0 : j - 1 >= 2 ? 1 : j - 1];
#pragma endscop
}
`, "out", "0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3"},
	} {
		p := parseOne(t, x.text)
		mem, err := scop.NewMemory(p, nil, 1)
		require.NoError(t, err)
		from := map[uint64]int{} // which element of in has those bits
		for _, s := range mem.Arrays {
			for k, bits := range s.Cells {
				if s.Array.Name == "in" {
					from[bits] = k
				}
			}
		}
		require.NoError(t, scop.Run(p, mem))
		var got []string
		for _, s := range mem.Arrays {
			for _, bits := range s.Cells {
				if s.Array.Name == x.array {
					got = append(got, fmt.Sprint(from[bits]))
				}
			}
		}
		require.Equal(t, strings.Fields(x.want), got)
	}
}
