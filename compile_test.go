package hexcc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
)

// TestFixedSizes compiles and verifies two nests on grids of known size: larger
// than a tile, smaller than any, and without a point inside.
func TestFixedSizes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 67} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			text := fmt.Sprintf(`
float A[%d][%[1]d], B[%[1]d][%[1]d];
void f(int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < %[1]d - 1; i++)
      for (int j = 1; j < %[1]d - 1; j++)
        B[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < %[1]d - 1; i++)
      for (int j = 1; j < %[1]d - 1; j++)
        A[i][j] = B[i][j];
  }
#pragma endscop
}
`, n)
			res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{})
			require.NoError(t, err)
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs})
			require.NoError(t, err)
			require.Equal(t, n > 2, v.OK(), "%v", v) // smaller ones have no iteration, so that nothing is verified
			require.Equal(t, n <= 2, v.Empty() != "", "%v", v)
			for _, x := range v.Trials {
				require.True(t, x.OK(), "%v", v)
			}
		})
	}
}

// TestBoundsOfItself compiles, for GPU and CPU, a loop whose bounds exclude each other and leave its iterator without an upper one.
func TestBoundsOfItself(t *testing.T) {
	const text = `
void f(int T, int n, float A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < i - 1; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
}
`
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.C} {
		res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{Target: target})
		require.NoError(t, err)
		if target == hexcc.CUDA {
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs})
			require.NoError(t, err)
			require.NotEmpty(t, v.Empty(), "%v", v) // it has no iteration
			for _, x := range v.Trials {
				require.True(t, x.OK(), "%v", v)
			}
		}
	}
}
