package cuda_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestSlabs runs kernels on a grid that is longer along y than a grid of CUDA may be: it goes in several launches,
// and each tile runs once.
func TestSlabs(t *testing.T) {
	const text = `void f(int T, int n, int m, float A[2][n][m])
{
#pragma hexcc tile(h=0, w0=0, w1=2)
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int k = 0; k < m; k++)
        A[(t + 1) % 2][i][k] = 0.3f * A[t % 2][i][k] + A[t % 2][i - 1][k] - 0.7f * A[t % 2][i + 1][k];
#pragma endscop
}
`
	const main = `#include <stdio.h>
#include <string.h>
#include "slabs.hex.h"
enum { N = 150001, M = 3 };
void f(int T, int n, int m, float A[2][N][M]);
static float want[2][N][M], got[2][N][M], before[2][N][M];
int main(void) {
  for (long i = 0; i < 2L * N * M; i++)
    before[0][0][i] = (float)(i * 7919 % 1009);
  memcpy(want, before, sizeof want);
  memcpy(got, before, sizeof got);
  f(3, N, M, want);
  if (hexcc_slabs_0_device(3, N, M, &got[0][0][0], 0))
    return puts(hexcc_slabs_error()), 1;
  printf("%s, %s\n", memcmp(want, got, sizeof want) ? "they differ" : "equal", memcmp(want, before, sizeof want) ? "changed" : "not changed");
}
`
	tr := translate(t, "slabs", text, staged)
	require.Contains(t, tr.files.Kernel, "S0_from += 65535)") // of 75000 tiles, 2 wide
	dir := tr.write(t)
	kernels := tr.buildOnCPU(t, dir)
	for name, text := range map[string]string{"original.c": text, "main.c": main} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	program := filepath.Join(dir, "slabs")
	tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-I", dir, filepath.Join(dir, "main.c"), filepath.Join(dir, "original.c"),
		kernels, "-lstdc++", "-lm", "-o", program)
	require.Equal(t, "equal, changed\n", tool.Run(t, program))
}
