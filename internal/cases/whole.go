package cases

// These are whole programs, with a main that prints sums of what regions leave.

// Functions has regions in two functions, with indices of two types and two arrays of
// one name.
const Functions = `
#include <stdio.h>
static float A[2][50][50];
static void heat(int T, int n)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
static void other(unsigned T, long n, float w, double A[restrict 2][n][n + 1])
{
#pragma scop
  for (unsigned t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = w * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
`

// Several is a program of Functions, with regions in its main, too, one of which is
// tiled in space alone.
const Several = Functions + `
static double B[400], C[400];
int main(void)
{
  static double D[2][30][31];
  double s = 0;
  int t, i;
  long m = 377;
  for (i = 0; i < 50 * 50; i++)
    A[0][i / 50][i % 50] = A[1][i / 50][i % 50] = i % 31;
  for (i = 0; i < 400; i++)
    B[i] = i % 17;
  for (i = 0; i < 30 * 31; i++)
    D[0][i / 31][i % 31] = D[1][i / 31][i % 31] = i % 13;
  heat(13, 47);
  other(9, 30, 0.3f, D);
#pragma scop
  for (t = 0; t < 21; t++) {
    for (i = 1; i < m; i++)
      C[i] = 0.5 * (B[i - 1] + B[i + 1]);
    for (i = 1; i < m; i++)
      B[i] = C[i];
  }
#pragma endscop
#pragma scop
  for (t = 0; t < 3; t++)
    for (i = 0; i < 300; i++)
      B[i] = B[i] / 3;
#pragma endscop
  for (i = 0; i < 50 * 50; i++)
    s += A[0][i / 50][i % 50] * i;
  for (i = 0; i < 400; i++)
    s += B[i] * i;
  for (i = 0; i < 30 * 31; i++)
    s += D[1][i / 31][i % 31] * i;
  printf("%.17g\n", s);
  return 0;
}
`

const factMain = `
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static float A[2][100], B[3000];
static void f(int T, int n, int m, float *A0, float *B0);
int main(int argc, char **argv)
{
  int T = atoi(argv[1]), n = atoi(argv[2]), m = argc > 3 ? atoi(argv[3]) : 0;
  float sum = 0;
  for (int i = 0; i < 100; i++)
    A[0][i] = A[1][i] = i % 7;
  for (int i = 0; i < 3000; i++)
    B[i] = i % 11;
  f(T, n, m, B, B + m);
  f(T, n, m, B, B + m);
  for (int i = 0; i < 100; i++)
    sum += A[0][i] * i;
  for (int i = 0; i < 3000; i++)
    sum += B[i] * i;
  printf("%.9g\n", sum);
  return 0;
}
`

// Extent needs n <= 100, which its array holds, where there is a step. Its main, like
// those of the next three, takes T, n, and m, and calls its function twice.
const Extent = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
  (void)m;
  int t, i;
#pragma scop
  for (t = 0; t < T; t++)
    for (i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// Stated may be told facts about n and m.
const Stated = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1 && i < m; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// Assert asserts 3 < n <= 100.
const Assert = factMain + `
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)A0;
  (void)B0;
  (void)m;
  assert(n > 3 && n <= 100);
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// Apart has two pointers m elements apart, which overlap where m < n.
const Apart = factMain + `
static void step(int T, int n, float A[n], float B[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.5f * (A[i - 1] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
#pragma endscop
}
static void f(int T, int n, int m, float *A0, float *B0)
{
  (void)m;
  step(T, n, A0, B0);
}
`

// Failing is a region whose function can fail: it has no main, and arrays of n.
const Failing = `
void f(int T, int n, float A[restrict n], const float B[restrict n]) {
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[i] = A[i] + 0.5f * B[i - 1] * B[i + 1];
#pragma endscop
}
`

// TwoPointers is a region whose arrays may overlap: its function has no main, and arrays of n.
const TwoPointers = `
void f(int T, int n, float *a, float *b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
}
`
