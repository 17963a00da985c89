package openmp_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
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
		tool.Run(t, "gcc", cases.Level("-O1"), "-ffp-contract=off", "-fopenmp", "-DHEXCC_GRAIN=0", "-fsanitize=signed-integer-overflow", "-fno-sanitize-recover",
			"-o", at("huge"), at("main.c"), at("huge.hex.c"), at("original.o"))
		require.Equal(t, "0 differ, many changed\n", tool.Run(t, at("huge")), target)
	}
}

const farSource = `void f(%[1]s from, %[1]s to, %[1]s lo, %[1]s n, %[1]s m, float A[restrict 2][n][m])
{
#pragma scop
  for (%[1]s t = from; t < to; t++)
    for (%[1]s i = lo + 1; i < lo + n - 1; i++)
      for (%[1]s j = 1; j < m - 1; j++)
        A[(t - from + 1) %% 2][i - lo][j] = 0.2f * (A[(t - from) %% 2][i - lo][j] + A[(t - from) %% 2][i - lo - 1][j]
          + A[(t - from) %% 2][i - lo + 1][j] + A[(t - from) %% 2][i - lo][j - 1]);
#pragma endscop
}
`

// farMain runs the original g and the tiled f where loops begin far from 0, farther each time, up to the end of the type.
const farMain = `#include <stdio.h>
#include <stdlib.h>
enum { n = 40, m = 50, steps = 9 };
void f(%[1]s from, %[1]s to, %[1]s lo, %[1]s, %[1]s, float *A);
void g(%[1]s from, %[1]s to, %[1]s lo, %[1]s, %[1]s, float *A);
static float want[2 * n * m], got[2 * n * m];
int main(void) {
  const %[1]s most = %[2]s, least = %[3]s;
  long differ = 0, same = 0;
  for (int k = 0; k < 128; k++) {
    const int down = k / 64;
    const unsigned long far = (1ul << (k %% 64)) - 1;
    if (far > (unsigned long)most || (down && least == 0))
      continue;
    const %[1]s from = down ? -(%[1]s)far - 1 : (%[1]s)far - (far >= steps ? steps : 0);
    const %[1]s lo = down ? -(%[1]s)far - 1 : (%[1]s)far - (far >= n ? n : 0);
    for (int i = 0; i < 2 * n * m; i++)
      want[i] = got[i] = i * 7919 %% 1009;
    g(from, from + steps, lo, n, m, want);
    f(from, from + steps, lo, n, m, got);
    for (int i = 0; i < 2 * n * m; i++)
      differ += want[i] != got[i], same += want[i] == i * 7919 %% 1009;
  }
  printf("%%ld differ, %%s\n", differ, same < 100000 ? "many changed" : "few changed");
}
`

// TestParametersNearTheEnd runs tiles where sums of 64 bits overflow, or would.
func TestParametersNearTheEnd(t *testing.T) {
	for _, typ := range [][3]string{{"long", "0x7fffffffffffffff", "-0x7fffffffffffffff - 1"}, {"unsigned long", "0xffffffffffffffff", "0"}} {
		for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
			source, main := fmt.Sprintf(farSource, typ[0]), fmt.Sprintf(farMain, typ[0], typ[1], typ[2])
			res := compile(t, "far", source, hexcc.Options{Target: target}, false)
			dir := tool.Write(t, map[string]string{"far.hex.c": res.C.Text, "original.c": source, "main.c": main})
			at := func(name string) string { return filepath.Join(dir, name) }
			tool.Run(t, "gcc", "-c", "-O1", "-ffp-contract=off", "-Df=g", "-o", at("original.o"), at("original.c"))
			tool.Run(t, "gcc", cases.Level("-O1"), "-ffp-contract=off", "-fopenmp", "-DHEXCC_GRAIN=0", "-fsanitize=undefined", "-fno-sanitize-recover",
				"-o", at("far"), at("main.c"), at("far.hex.c"), at("original.o"))
			said := tool.Run(t, at("far"))
			require.Regexp(t, `(?m)^0 differ, many changed$`, said, target)
		}
	}
}
