package openmp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestSideBySide translates programs with boxes, in which rows run three at a
// time, and others, in which they do not, and compares results.
func TestSideBySide(t *testing.T) {
	for _, x := range []struct {
		name, text string
		together   bool
	}{
		{"locals", boxOfLocals, true},
		{"in-order", readsItsStore, false},
		{"star", star, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for _, w := range ways {
				res := compile(t, x.name, x.text, w.o, w.auto)
				require.Equal(t, x.together, strings.Contains(res.C.Text, "b0 += 3)"), w.name)
			}
			compare(t, x.name, x.text, ways...)
		})
	}
}

// TestRowsOfBytes translates one program for elements of several sizes: rows of small ones run in vectors from where they begin, as a cache line of them is too many
// points to run one by one, and those of others begin at a cache line.
func TestRowsOfBytes(t *testing.T) {
	for typeName, aligned := range map[string]bool{"unsigned char": false, "short": false, "int": true, "float": true, "double": true} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			text := strings.ReplaceAll(majority, "cell", typeName)
			hybrid := way{"hybrid", hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Hybrid}, true, true}
			res := compile(t, "majority", text, hybrid.o, hybrid.auto)
			require.Equal(t, aligned, strings.Contains(res.C.Text, "% 64 != 0"))
			require.Contains(t, res.C.Text, "#pragma omp simd")
			compare(t, "majority", text, hybrid)
		})
	}
}

const majority = `
void majority(int T, int n, int m, cell A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] > 2;
#pragma endscop
}
`

// Two stores, a local that is set twice, and the row as a value.
const boxOfLocals = `
void locals(int T, int n, int m, float A[2][n][m], float B[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        float sum = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1];
        const float here = A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1];
        sum = sum * 0.25f + here;
        B[(t + 1) % 2][i][j] = 0.5f * B[t % 2][i][j] + here * i;
        A[(t + 1) % 2][i][j] = 0.1f * (sum + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]);
      }
#pragma endscop
}
`

// What the second store reads is what the first one stored.
const readsItsStore = `
void in_order(int T, int n, double A[2][n][n], double B[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        B[i][j] = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] + A[t % 2][i][j - 1] + A[t % 2][i][j] +
                  A[t % 2][i][j + 1];
        A[(t + 1) % 2][i][j] = 0.1 * (B[i][j] + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]);
      }
#pragma endscop
}
`

const star = `
void star(int T, int n, double A[2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.2 * (A[t % 2][i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] + A[t % 2][i - 1][j]);
#pragma endscop
}
`
