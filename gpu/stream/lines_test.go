package stream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestLevels refuses volumes whose planes do not depend on each other: they are no strips.
func TestLevels(t *testing.T) {
	for _, statement := range []string{
		"A[(t + 1) % 2][i][j][k] = A[t % 2][i][j][k - 1] + A[t % 2][i - 1][j][k];",
		"A[(t + 1) % 2][i][j][k] = A[t % 2][i][j][k - 1] + A[t % 2][i][j + 1][k];",
	} {
		x := pipeline.Read(t, "levels", `void f(int T, int n, float A[2][n][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          `+statement+`
#pragma endscop
}
`)
		_, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Volumes[0])
		require.Contains(t, why, "no value travels along one of the dimensions")
	}
}
