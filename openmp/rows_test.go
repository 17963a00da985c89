package openmp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
