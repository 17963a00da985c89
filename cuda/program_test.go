package cuda_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program is C text that tries something, and pieces of the kernel file for it.
type program struct {
	name, text string
	want       []string
}

func (p program) translate(t *testing.T, v variant) translation {
	return translate(t, p.name, strings.TrimLeft(p.text, "\n")+"\n", v)
}

// These programs try what the cases of testdata do not: each is printed, run on
// the CPU and compared with the original.
var programs = []program{
	{"conversions", `
#include <math.h>
void f(int T, int n, double a[restrict 2][n], const float b[restrict n], const int c[restrict n], float x, int k)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      float p = b[i - 1] * x - c[i] * b[i + 1];
      double q = sqrt(b[i] * b[i]) + fabs(a[t % 2][i - 1]) / 2 - (double)x / k;
      q = q + (int)(p * 3) % 5 + (c[i] > 0 && c[i + 1] > k || i == t);
      unsigned u = (unsigned)c[i] * 3u + (c[i] & 1 ? 7u : 9u << 2);
      p = -p - -x;
      a[(t + 1) % 2][i] = i < n / 2 ? p + (q - (a[t % 2][i] - t)) : u % 16 - (p - q) * 1e-3;
    }
#pragma endscop
}`, []string{
		"p = __fmul_rn(", "sqrt((double)(", "1e-3", " << 2", "-p - -x",
	}},
	{"names", `
/* Names that the kernel, CUDA or C++ would like for itself. */
void f(int T, int warpSize, float shared_class[restrict 2][warpSize], float tx, float floord, float blockIdx)
{
  int S0, T_lo;
#pragma scop
  for (T_lo = 0; T_lo < T; T_lo++)
    for (S0 = 1; S0 < warpSize - 1; S0++) {
      float b0 = shared_class[T_lo % 2][S0 - 1] * tx, c0 = floord, error = blockIdx;
      shared_class[(T_lo + 1) % 2][S0] = b0 + c0 * shared_class[T_lo % 2][S0 + 1] + error;
    }
#pragma endscop
}`, nil},
	{"keywords", `
void f(int new, int class, float template[restrict 2][class], float this)
{
#pragma scop
  for (int t = 0; t < new; t++)
    for (int i = 1; i < class - 1; i++) {
      float delete = template[t % 2][i - 1] - this;
      template[(t + 1) % 2][i] = delete * template[t % 2][i + 1];
    }
#pragma endscop
}`, []string{"template_", "class_", "this_"}},
	{"unsigned", `
void f(unsigned T, unsigned long n, long m, double a[restrict 2][n][m])
{
#pragma scop
  for (unsigned t = 0; t < T; t++)
    for (unsigned long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        a[(t + 1) % 2][i][j] = a[t % 2][i - 1][j] + a[t % 2][i + 1][j] * (t + n) - j;
#pragma endscop
}`, []string{"(unsigned int)", "const long n = (long)n_arg;", "long S0_from"}},
	{"constants", `
#define N 40
#define STEPS 11
float A[2][N][N + 3];
void f(void)
{
  int t, i, j;
#pragma scop
  for (t = 0; t < STEPS; t++)
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N + 2; j++)
        A[(t + 1) % 2][i][j] = .25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]) + A[t % 2][i][j - 1] / 4 + A[t % 2][i][j + 1] / 3.f;
#pragma endscop
}`, []string{"__fmul_rn(.25f, ", ", 0.25f)", " / 3.f", "A[((i0) * 40 + (i1)) * 43 + (i2)]"}},
	{"integers", `
void f(int T, int n, int a[restrict 2][n], const long b[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++) {
      long s = b[i - 2] * 3L + (a[t % 2][i] ^ 0x1f) - (b[i + 2] >> 3);
      a[(t + 1) % 2][i] = (int)(s & 1023) + (a[t % 2][i - 2] < a[t % 2][i] ? -a[t % 2][i] : ~a[t % 2][i]) / 3 - 2147483647 % (1 + i);
    }
#pragma endscop
}`, nil},
}

func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			tr := p.translate(t, staged)
			for _, want := range p.want {
				require.Contains(t, tr.files.Kernel, want)
			}
			compareOnCPU(t, tr, 4)
		})
	}
}

// TestLargeTiles checks that large tiles ask for shared memory at launch.
func TestLargeTiles(t *testing.T) {
	kernel := load(t, "../testdata/fdtd-2d.txtar", large).files.Kernel
	require.Contains(t, kernel, "cudaFuncAttributeMaxDynamicSharedMemorySize")
	require.Contains(t, kernel, "(hexcc_shared + 0)")
	require.NotContains(t, kernel, "__shared__ double")
}
