package openmp_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestVectorNames translates programs whose variables and macros are called what the printed text
// calls its own, and compares what they print.
func TestVectorNames(t *testing.T) {
	for _, x := range []struct {
		name, text string
		defines    []string
	}{
		{"variables", namesOfOurs, nil},
		{"locals", localsOfOurs, nil},
		{"macros", macrosOfOurs, []string{"vectors=3", "start=0.2", "x0=0.3", "x0_m1=0.4", "HEXCC_LOAD8=5", "HEXCC_FETCH=7", "end=9", "at=8"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"-Wno-unknown-pragmas"}
			for _, d := range x.defines {
				flags = append(flags, "-D"+d)
			}
			plain := build(t, "gcc", t.TempDir(), "plain", x.text, flags...)
			for _, compiler := range compilers(t) {
				for _, on := range []int{0, 1} {
					vectors := fmt.Sprintf("HEXCC_VECTORS=%d", on)
					o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Defines: append(slices.Clone(x.defines), vectors)}
					text := compile(t, x.name, x.text, o, true).C.Text
					require.Contains(t, text, "#if HEXCC_VECTORS")
					require.NotContains(t, text, "#undef HEXCC_VECTORS")
					tool.SameOutput(t, plain, build(t, compiler, t.TempDir(), x.name, text, slices.Concat(flags, []string{cases.Level("-O1"), "-fopenmp", "-DHEXCC_GRAIN=0", "-D" + vectors})...))
				}
			}
		})
	}
}

// What all of them end with: arrays A, and what they print.
const printsA = `
int main(void)
{
  enum { N = 11, M = 61 };
  static double A[2][N][M], B[2][N][M], c[M], d[M];
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      A[0][i][j] = A[1][i][j] = (i * 37 + j * 11) % 53 * 0.3;
      B[0][i][j] = B[1][i][j] = i - j;
      c[j] = j * 0.1;
      d[j] = 1.0 / (j + 1);
    }
  RUN;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      s = s * 0.99 + A[0][i][j] + 3 * A[1][i][j] + B[1][i][j];
  printf("%.17g\n", s);
  return 0;
}
`

const namesOfOurs = `#include <stdio.h>
#define HEXCC_LOAD8(x) ((x) + 1)
#define HEXCC_STORE8 5
#define HEXCC_JOIN8 6
#define HEXCC_FETCH 7
#define HEXCC_HERE 8
#define vectors 3
void f(int T, int start, int end, double x0_before[2][start][end], double x0_after[2][start][end], double x0_m1[end], double x0[end], double x0_p1,
       double lines, double row0, double next0)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int least = 1; least < start - 1; least++)
      for (int most = 1; most < end - 1; most++) {
        double share = x0_p1 * x0_before[t % 2][least][most] + x0_before[t % 2][least][most - 1] - x0_m1[most] * row0;
        double value0 = x0_before[t % 2][least][most + 1] * lines;
        double aligned = x0[most + 1] + x0[most - 1] - x0_m1[most - 1] + next0;
        x0_after[1][least][most] = value0 + share;
        x0_before[(t + 1) % 2][least][most] = 0.25 * share + 0.25 * value0 - aligned;
      }
#pragma endscop
}
#define RUN f(vectors, N, M, A, B, c, d, 0.11, 0.3, HEXCC_LOAD8(HEXCC_STORE8), HEXCC_FETCH + HEXCC_HERE + HEXCC_JOIN8)
` + printsA

// Three rows run side by side, whose locals have numbers, as other names have.
const localsOfOurs = `#include <stdio.h>
void f(int T, int n, int m, double A[2][n][m], double B[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        double x = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1];
        double value = A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1];
        const double row = x, next = value * 0.3, x_ = 0.1 * value, x0_m1 = x * 0.25;
        B[(t + 1) % 2][i][j] = 0.5 * B[t % 2][i][j] + value * 0.1 + next + x0_m1;
        A[(t + 1) % 2][i][j] = 0.1 * (x - row * 0.1 + x_ + value + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]);
      }
#pragma endscop
}
#define RUN f(9, N, M, A, B); (void)c; (void)d
` + printsA

const macrosOfOurs = `#include <stdio.h>
void f(int T, int n, int m, double A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = start * A[t % 2][i][j - 1] + A[t % 2][i][j] * x0 + x0_m1 * A[t % 2][i][j + 1];
#pragma endscop
}
#define RUN f(vectors + HEXCC_LOAD8, N + end - 9, M + at - 8 + HEXCC_FETCH - 7, A); (void)c; (void)d
` + printsA
