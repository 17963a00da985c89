package cases

// Programs try what the cases of testdata do not: types, conversions, operators and
// functions of C, and names that targets would like for themselves.
var Programs = []Case{
	{"conversions", `#include <math.h>
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
}
`},
	{"literals", `void f(int T, int n, float a[restrict 2][n], double b[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      a[(t + 1) % 2][i] = 0.1f * a[t % 2][i - 1] + 0.1 * a[t % 2][i + 1] + 1e-30f * 1e-10f + .3f / 7 - a[t % 2][i] * (1.0f / 3);
      b[(t + 1) % 2][i] = 0.1f * b[t % 2][i - 1] + 0.1 * b[t % 2][i + 1] + 0x1.8p-3 * (1 / 3) + 1 / 3.0 - 1e-310 + b[t % 2][i] / 3;
    }
#pragma endscop
}
`},
	{"unsigned", `void f(unsigned T, unsigned long n, long m, double a[restrict 2][n][m])
{
#pragma scop
  for (unsigned t = 0; t < T; t++)
    for (unsigned long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++)
        a[(t + 1) % 2][i][j] = a[t % 2][i - 1][j] + a[t % 2][i + 1][j] * (t + n) - j;
#pragma endscop
}
`},
	{"integers", `void f(int T, int n, int a[restrict 2][n], const long b[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++) {
      long s = b[i - 2] * 3L + (a[t % 2][i] ^ 0x1f) - (b[i + 2] >> 3);
      a[(t + 1) % 2][i] = (int)(s & 1023) + (a[t % 2][i - 2] < a[t % 2][i] ? -a[t % 2][i] : ~a[t % 2][i]) / 3 - 2147483647 % (1 + i);
    }
#pragma endscop
}
`},
	{"wrapping", `void f(int T, int n, unsigned a[restrict 2][n], unsigned long b[restrict 2][n], long c[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      unsigned u = a[t % 2][i - 1] * 2654435761u + (a[t % 2][i + 1] >> 7) - 3;
      unsigned long v = b[t % 2][i] * 6364136223846793005ul + u % 1000 / 7 + (b[t % 2][i - 1] >> (i & 63));
      a[(t + 1) % 2][i] = u ^ (unsigned)(v >> 32) ^ -u;
      b[(t + 1) % 2][i] = v / (u | 1) + v % 977 + (u < 5);
      c[(t + 1) % 2][i] = (long)v / 3 - (c[t % 2][i + 1] >> 5) % 11 + (long)(int)u + (int)(v << (t & 31)) + !c[t % 2][i];
    }
#pragma endscop
}
`},
	{"functions", `#include <math.h>
#include <stdlib.h>
void f(int T, int n, double a[restrict 2][n], float b[restrict 2][n], int c[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      double x = 7 * a[t % 2][i - 1] / (1 + fabs(a[t % 2][i - 1])), y = 7 * a[t % 2][i + 1] / (1 + fabs(a[t % 2][i + 1])) - 1;
      float p = 9 * b[t % 2][i - 1] / (1 + fabsf(b[t % 2][i - 1])), q = 5 * b[t % 2][i + 1] / (1 + fabsf(b[t % 2][i + 1]));
      a[(t + 1) % 2][i] = 0.01 * (floor(x) + 2 * ceil(y) + 3 * trunc(x + y) + 5 * rint(x) + 7 * nearbyint(y) + 11 * round(x) + fmin(x, y) + 3 * fmax(x, y)
        + copysign(x, y) + fdim(x, y) + fma(x, y, x) + sqrt(fabs(x)));
      b[(t + 1) % 2][i] = 0.02f * (floorf(p) + 2 * ceilf(q) + 3 * truncf(p + q) + 5 * rintf(p) + 7 * roundf(p * 0.5f) + fminf(p, q) + 3 * fmaxf(p, q)
        + copysignf(p, q) + fdimf(p, q) + fmaf(p, q, p) + sqrtf(fabsf(q)) / 3);
      c[(t + 1) % 2][i] = abs(c[t % 2][i] - (int)p) % 1000 + (p < q) + (p >= q) * 2 + (x != y) * 4;
    }
#pragma endscop
}
`},
	{"choices", `void f(int T, int n, float a[restrict 2][n], const int c[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      float x = a[t % 2][i];
      if (c[i] > 3 || x < 0 && c[i] != c[i - 1])
        x = c[i] == 0 ? x : x / c[i];
      else if (!(x > a[t % 2][i - 1]))
        x = a[t % 2][i + 1] - x;
      a[(t + 1) % 2][i] = x == 0 ? -x : x * 0.75f;
    }
#pragma endscop
}
`},
	{"constants", `#define N 40
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
}
`},
	{"names-of-cuda", `/* Names that the kernel, CUDA or C++ would like for itself. */
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
}
`},
	{"names-of-llvm", `/* Names that LLVM or PTX would like for itself. */
void f(int define, int ptr, float shared_A[restrict 2][ptr], float tid, float ret)
{
  int S0, T_lo;
#pragma scop
  for (T_lo = 0; T_lo < define; T_lo++)
    for (S0 = 1; S0 < ptr - 1; S0++) {
      float entry = shared_A[T_lo % 2][S0 - 1] * tid, b0 = ret;
      shared_A[(T_lo + 1) % 2][S0] = entry + b0 * shared_A[T_lo % 2][S0 + 1];
    }
#pragma endscop
}
`},
	{"names-of-c++", `void f(int new, int class, float template[restrict 2][class], float this)
{
#pragma scop
  for (int t = 0; t < new; t++)
    for (int i = 1; i < class - 1; i++) {
      float delete = template[t % 2][i - 1] - this;
      template[(t + 1) % 2][i] = delete * template[t % 2][i + 1];
    }
#pragma endscop
}
`},
}
