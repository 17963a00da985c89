#include <stdio.h>
#define _GNU_SOURCE
#include <time.h>
#include <sys/time.h>
#include <sys/resource.h>
static int more(void)
{
  struct timespec t;
  struct timeval v;
  struct rusage u;
  gettimeofday(&v, NULL);
  getrusage(RUSAGE_SELF, &u);
  return clock_gettime(CLOCK_MONOTONIC_RAW, &t) + 4 * (v.tv_sec > 0);
}
static void step(int T, int n, double (*restrict a)[n])
{
  struct timespec from;
  clock_gettime(CLOCK_MONOTONIC_RAW, &from);
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = 0.5 * a[t % 2][i - 1] + 0.25 * a[t % 2][i + 1];
#pragma endscop
  (void)from;
}
int main(void)
{
  static double a[2][100];
  double s = 0;
  for (int i = 0; i < 100; i++)
    a[0][i] = a[1][i] = i % 7;
  step(20, 100, a);
  for (int i = 0; i < 100; i++)
    s = s * 0.9 + a[0][i] + a[1][i];
  printf("%.17g %d\n", s, more());
  return 0;
}
