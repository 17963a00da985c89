package openmp_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// emptySource has regions of one nest, of two, of a space that shrinks with time, and of parameters of several types.
const emptySource = `#include <stddef.h>
void one(int steps, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
void two(int steps, int n, int m, float A[n][m], float B[n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        B[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = B[i][j];
  }
#pragma endscop
}
void shrinking(int steps, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1 - t; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
void wide(long steps, long lo, long n, float A[2][n])
{
#pragma scop
  for (long t = 0; t < steps; t++)
    for (long i = lo; i < n - 4; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 4]);
#pragma endscop
}
`

// emptyMain runs each region at sizes for which nothing is to be done, or very little, with as many steps as can be said.
const emptyMain = `#include <limits.h>
#include <stdio.h>
void one(int steps, int n, float *);
void two(int steps, int n, int m, float *, float *);
void shrinking(int steps, int n, float *);
void wide(long steps, long lo, long n, float *);
int main(void) {
  static float A[400], B[400];
  static const int few[] = {INT_MIN, -7, -1, 0, 1, 2}, steps[] = {INT_MIN, -1, 0, 1, INT_MAX};
  for (int s = 0; s < 5; s++)
    for (int i = 0; i < 6; i++) {
      one(steps[s], few[i], A);
      wide(steps[s], 1, few[i] + (few[i] == 2 ? 3L : 0), A);
      wide(s == 4 ? LONG_MAX / 4 : steps[s], 1, few[i], A);
      two(steps[s], few[i], 20, A, B);
      two(steps[s], 20, few[i], A, B);
      shrinking(steps[s], few[i], A);
    }
  for (int s = 0; s < 3; s++) {
    one(steps[s], 200, A);
    two(steps[s], 20, 20, A, B);
    shrinking(steps[s], 200, A);
    wide(steps[s], 1, 200, A);
  }
  for (int i = 0; i < 400; i++)
    if (A[i] != 0 || B[i] != 0)
      return puts("something was done"), 1;
  for (int i = 0; i < 400; i++)
    A[i] = (float)(i * 7919 % 1009);
  shrinking(INT_MAX, 200, A);
  return 0;
}
`

// TestNothingToDo runs tiles, compiled so that they stop where an integer overflows, where a region has no
// iteration: it takes no time, whatever the number of steps.
func TestNothingToDo(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
		for _, strategy := range []hexcc.Strategy{hexcc.Hybrid, hexcc.Space} {
			res := compile(t, "empty", emptySource, hexcc.Options{Target: target, NoAlias: true, Strategy: strategy}, true)
			dir := tool.Write(t, map[string]string{"empty.hex.c": res.C.Text, "main.c": emptyMain})
			at := func(name string) string { return filepath.Join(dir, name) }
			tool.Run(t, "gcc", cases.Level("-O1"), "-ffp-contract=off", "-fopenmp", "-fsanitize=undefined", "-fno-sanitize-recover",
				"-o", at("empty"), at("main.c"), at("empty.hex.c"))
			start := time.Now()
			require.Empty(t, tool.Run(t, at("empty")), target)
			require.Less(t, time.Since(start), 30*time.Second)
		}
	}
}
