package stream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestRefused refuses steps whose statements full turns could not run, or whose reads are of their step at some places only.
func TestRefused(t *testing.T) {
	const (
		plane = `for (int i = 2; i < n - 2; i++) for (int j = 2; j < n - 2; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j]);
      `
		wider = `for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
        `
	)
	for _, x := range []struct{ body, why string }{
		{plane + "if (n > 20) A[(t + 1) % 2][7][9] += 1;", "S0 and S1 write elements of A one after the other"},
		{plane + wider + "B[i][j] = A[(t + 1) % 2][i][j] + B[i][j];", "of its own step where S0 runs, and from before elsewhere"},
		{plane + "for (int j = 2; j < n - 2; j++) B[2][j] = A[(t + 1) % 2][2][j] + B[2][j];", "which writes B, runs at one place along a dimension"},
		{"for (int j = 2; j < n - 2; j++) B[1][j] = A[t % 2][1][j - 1];" + wider + "{ float x = B[i][j] + A[t % 2][i][j + 1] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j]; A[(t + 1) % 2][i][j] = x; }",
			"S1 depends on S0 in its step, which runs at a border"},
		{wider + "{ A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] + A[t % 2][i - 1][j + 1] + A[t % 2][i + 1][j]; B[i][j] += A[(t + 1) % 2][i][j]; }", "behind a store to it"},
	} {
		p := pipeline.Read(t, "refused", `void f(int T, int n, float A[restrict 2][n][n], float B[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
      `+x.body+`
  }
#pragma endscop
}
`)
		_, why := pipeline.Streaming(t, "refused", p.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1})
		require.Contains(t, why, x.why, x.body)
	}
}
