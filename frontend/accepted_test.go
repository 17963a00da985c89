package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// accepted are programs that were refused once, and how their first statement is
// to be read. They are compared with what the C compiler makes of them.
var accepted = []acceptedProgram{
	{"a short loop around a long one, with locals of its own", "float A[restrict 12][n]", `
    for (int i = 2; i < 12 - 2; i++)
      for (int j = 1; j < n - 1; j++) {
        float x = 1;
        x += A[i][j];
        A[i][j] = x;
      }`, "{ S0[t, j] : 1 <= j <= n - 2 and 0 <= t <= T - 1 }"},
	{"a window in a short loop", "float A[restrict 12], float B[restrict 12]", `
    for (int i = 2; i < 12 - 2; i++) {
      float x = 0;
      for (int w = -2; w <= 2; w++)
        x += A[i + w] * w;
      B[i] = x;
    }`, "{ S0[t, i] : 2 <= i <= 9 and 0 <= t <= T - 1 }"},
	{"a short loop around a long one, beside a store", "float A[restrict n][4], float B[restrict n]", `
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < n; j++)
        B[j] += A[j][i];`, "{ S0[t, j] : 0 <= j <= n - 1 and 0 <= t <= T - 1 }"},
	{"unsigned conditions that wrap around", "long A[restrict n], const long B[n]", `
    for (int i = 0; i < n; i++) {
      for (unsigned k = 0; k < 3; k++) {
        A[i] = A[i] * 3 + (k - 1 > 0 ? B[i] : 2);
        if (1 - k < 2)
          A[i] += 5;
      }
    }`, "{ S0[t, i] : 0 <= i <= n - 1 and 0 <= t <= T - 1 }"},
	{"steps of three in an array with an extent", "float A[restrict n + 2], const double B[n + 2]", `
    for (int i = 1; i < n; i += 3)
      A[1 + i] += 2 * B[i];`, "{ S0[t, i] : 0 <= 3i <= n - 2 and 0 <= t <= T - 1 }"},
	{"a struct declared beside the loops", "float A[100]", `
    struct pair { int x, y; };
    for (int i = 0; i < 100; i++)
      A[i] -= sizeof(struct pair);`, "{ S0[t, i] : 0 <= i <= 99 and 0 <= t <= T - 1 }"},
	{"steps of three in 100 elements", "float A[100]", `
    for (int i = 0; i < 100; i += 3)
      A[i] -= 1;`, "{ S0[t, i] : 0 <= i <= 33 and 0 <= t <= T - 1 }"},
	{"a condition in steps of two", "double B[restrict n + 1]", `
    for (int i = 2; i < n - 2; i += 2)
      B[i] = i < t ? 1 : B[i + 2];`, "{ S0[t, i] : 0 <= 2i <= n - 5 and 2i <= t - 3 and 0 <= t <= T - 1 }"},
	{"a cast in a condition that splits", "double A[restrict n], const double B[n]", `
    for (int i = 0; i < n - 1; i++)
      A[i] = i > (long)0 ? B[i - 1] : B[i + 1];`, "{ S0[t, i] : 1 <= i <= n - 2 and 0 <= t <= T - 1 }"},
	{"steps of two in a pointer that another nest uses farther", "float *restrict A, const float *restrict B", `
    for (int i = 1; i < n - 1; i += 2)
      A[i] += B[i + 1];
    for (int i = 0; i < n; i++)
      A[i] = 2 * A[i] + B[i];`, "{ S0[t, i] : 0 <= 2i <= n - 3 and 0 <= t <= T - 1 }"},
	{"names with a meaning in formulas", "float exists[restrict n], const float max[n]", `
    for (int min = 0; min < n; min++)
      exists[min] += max[min];`, "{ S0[t, min_1] : 0 <= min_1 <= n - 1 and 0 <= t <= T - 1 }"},
	{"names beyond ASCII", "float $a[restrict n], const float n_u00e9[n]", `
    for (int n\u00e9 = 0; né < n; né++)
      $a[n\u00e9] += n_u00e9[né];`, "{ S0[t, n_u00e9_1] : 0 <= n_u00e9_1 <= n - 1 and 0 <= t <= T - 1 }"},
}

// TestScalarInCondition: a variable of a condition that is not affine is a value, not a parameter.
func TestScalarInCondition(t *testing.T) {
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(`void f(int T, int n, int c, double alpha, double A[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[i] = c < alpha ? A[i - 1] : A[i + 1];
#pragma endscop
}
`)}, frontend.Options{})
	require.NoError(t, err)
	p := res.Programs[0]
	require.Len(t, p.Params, 2)
	require.Len(t, p.Scalars, 2)
}

func TestAccepted(t *testing.T) { requireAccepted(t, accepted) }

// An acceptedProgram is a program that is taken, and how its first statement is to be read.
type acceptedProgram struct{ name, params, body, domain string }

// requireAccepted reads programs, runs them, and compares what they leave with what the C compiler makes of them. It returns them.
func requireAccepted(t *testing.T, accepted []acceptedProgram) []*scop.Program {
	var text strings.Builder
	for i, c := range accepted {
		fmt.Fprintf(&text, "void f%d(int T, int n, %s)\n{\n  int c;\n#pragma scop\n  for (int t = 0; t < T; t++) {%s\n  }\n#pragma endscop\n}\n", i, c.params, c.body)
	}
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text.String())}, frontend.Options{})
	require.NoError(t, err)
	plain, fast := oracle.CompileAll(t, res.Programs, "-O0"), oracle.CompileAll(t, res.Programs, "-O2")
	for _, size := range []int64{1, 2, 7, 12} {
		var mems []*scop.Memory
		for _, p := range res.Programs {
			var params []int64
			for _, q := range p.Params {
				params = append(params, map[string]int64{"T": 3, "n": size}[q.Name])
			}
			mem, err := scop.NewMemory(p, params, uint64(size))
			require.NoError(t, err)
			mems = append(mems, mem)
		}
		want, again := plain.Run(t, mems), fast.Run(t, mems)
		for i, p := range res.Programs {
			require.True(t, p.Stmts[0].Domain.IsEqual(poly.MustSet("[T, n] -> "+accepted[i].domain)), "%s: %v", accepted[i].name, p.Stmts[0].Domain)
			require.NoError(t, scop.Run(p, mems[i]), accepted[i].name)
			require.Empty(t, oracle.Different(want[i], mems[i]), accepted[i].name)
			require.Empty(t, oracle.Different(again[i], mems[i]), accepted[i].name)
		}
	}
	return res.Programs
}
