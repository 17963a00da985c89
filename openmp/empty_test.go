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
			tool.Run(t, "gcc", cases.Level("-O1"), "-ffp-contract=off", "-fopenmp", "-DHEXCC_GRAIN=0", "-fsanitize=undefined", "-fno-sanitize-recover",
				"-o", at("empty"), at("main.c"), at("empty.hex.c"))
			start := time.Now()
			require.Empty(t, tool.Run(t, at("empty")), target)
			require.Less(t, time.Since(start), 30*time.Second)
		}
	}
}

// zeroSource has regions in which an element of an array is an argument, with conditions and bounds that are sums of
// what is only subtracted, and no number.
const zeroSource = `void equal(int n, double *restrict T, const double *restrict v, int c)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (c == 0)
      T[i] = v[2];
#pragma endscop
}
void most(int n, double *restrict T, const double *restrict v, int c)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (0 >= c)
      T[i] += v[2];
#pragma endscop
}
void other(int n, double *restrict T, const double *restrict v, int c)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (c)
      T[i] -= 3 * v[2];
#pragma endscop
}
void below(int n, double *restrict T, const double *restrict v, int c)
{
#pragma scop
  for (int i = c; i < 0; i++)
    T[i + 100] += 5 * v[2];
#pragma endscop
}
void sums(int n, double *restrict T, const double *restrict v, int c)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (2 * c + n <= 0 || c == -1)
      T[i] += 7 * v[2];
#pragma endscop
}
`

// zeroMain prints what the regions leave where they run and where they do not, and have no array of coefficients then.
const zeroMain = `#include <stdio.h>
void equal(int n, double *T, const double *v, int c), most(int n, double *T, const double *v, int c), other(int n, double *T, const double *v, int c);
void below(int n, double *T, const double *v, int c), sums(int n, double *T, const double *v, int c);
int main(void) {
  static double T[200], v[3] = {1, 2, 3};
  for (int n = 0; n < 9; n += 4)
    for (int c = -9; c < 3; c++) {
      equal(n, T, n > 0 && c == 0 ? v : 0, c);
      most(n, T, n > 0 && c <= 0 ? v : 0, c);
      other(n, T, n > 0 && c != 0 ? v : 0, c);
      below(200, T, c < 0 ? v : 0, c);
      sums(n, T, n > 0 && (2 * c + n <= 0 || c == -1) ? v : 0, c);
      for (int i = 0; i < 200; i++)
        printf("%g ", T[i]);
      puts("");
    }
  return 0;
}
`

// TestComparedWithZero runs what asks whether there is something to do, before it reads coefficients, by sums of which nothing is positive.
func TestComparedWithZero(t *testing.T) {
	dir := tool.Write(t, map[string]string{"zero.c": zeroSource, "main.c": zeroMain})
	at := func(name string) string { return filepath.Join(dir, name) }
	flags := []string{cases.Level("-O1"), "-ffp-contract=off", "-fopenmp", "-DHEXCC_GRAIN=0", "-Wno-unknown-pragmas", at("main.c"), "-o"}
	tool.Run(t, "gcc", append(flags, at("plain"), at("zero.c"))...)
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
		res := compile(t, "zero", zeroSource, hexcc.Options{Target: target}, true)
		dir := tool.Write(t, map[string]string{"zero.hex.c": res.C.Text})
		tool.Run(t, "gcc", append(flags, at(string(target)), filepath.Join(dir, "zero.hex.c"))...)
		tool.SameOutput(t, at("plain"), at(string(target)))
	}
}
