package openmp_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/tool"
)

const hugeSource = `void f(int T, int n, int lo, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = lo; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// hugeMain runs the original g and the tiled f at the far end of arrays with as many
// elements as an int can say. Pages that nobody touches do not exist.
const hugeMain = `#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
enum { n = INT_MAX, tail = 2000 };
void f(int T, int, int lo, float *A);
void g(int T, int, int lo, float *A);
static float *map(void) {
  return mmap(0, 2l * n * sizeof(float), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
int main(void) {
  float *want = map(), *got = map();
  if (want == MAP_FAILED || got == MAP_FAILED)
    return puts("no memory"), 1;
  for (long p = 1; p <= 2; p++)
    for (long i = p * n - tail; i < p * n; i++)
      want[i] = got[i] = i * 7919 % 1009;
  g(13, n, n - tail + 10, want);
  f(13, n, n - tail + 10, got);
  long differ = 0, changed = 0;
  for (long p = 1; p <= 2; p++)
    for (long i = p * n - tail; i < p * n; i++)
      differ += want[i] != got[i], changed += want[i] != i * 7919 % 1009;
  printf("%ld differ, %s\n", differ, changed > 1000 ? "many changed" : "few changed");
}
`

// TestLargestParameters runs tiles, compiled so that they stop where an int overflows, at the largest n there is.
func TestLargestParameters(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
		res := compile(t, "huge", hugeSource, hexcc.Options{Target: target}, false)
		dir := tool.Write(t, map[string]string{"huge.hex.c": res.C.Text, "original.c": hugeSource, "main.c": hugeMain})
		at := func(name string) string { return filepath.Join(dir, name) }
		tool.Run(t, "gcc", "-c", "-O1", "-ffp-contract=off", "-Df=g", "-o", at("original.o"), at("original.c"))
		tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-fopenmp", "-fsanitize=signed-integer-overflow", "-fno-sanitize-recover",
			"-o", at("huge"), at("main.c"), at("huge.hex.c"), at("original.o"))
		require.Equal(t, "0 differ, many changed\n", tool.Run(t, at("huge")), target)
	}
}
