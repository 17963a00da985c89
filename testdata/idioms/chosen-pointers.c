// Pointers that the number of the time step chooses: as locals, in calls and in place.
// RUN 0 5 | 1 7 | 6 30 | 3 40 | 2 1 | 5 2
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void smooth(int n, double *to, const double *from)
{
  for (int i = 1; i < n - 1; i++)
    to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}

static void step(int T, int n, int m, double *restrict a, double *restrict b, float (*restrict p)[m], float (*restrict q)[m])
{
  float (*to)[m];
#pragma scop
  for (int t = 0; t < T; t++) {
    const float (*from)[m] = (t & 1) == 0 ? p : q;
    to = t % 2 == 0 ? q : p;
    for (int i = 1; i < n - 1; i++)
      a[i] *= 2; /* one of the two, whatever the step */
    smooth(n, t % 2 ? a : b, !(t % 2) ? a : b);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        to[i][j] = 0.25f * (from[i - 1][j] + from[i][j + 1]) + ((t + 1) % 2 ? p : q)[i - 1][j - 1];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 20, m = n + 3;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  float (*p)[m] = malloc(n * sizeof *p), (*q)[m] = malloc(n * sizeof *q);
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
    for (int j = 0; j < m; j++) {
      p[i][j] = next();
      q[i][j] = next();
    }
  }
  step(T, n, m, a, b, p, q);
  for (int i = 0; i < n; i++) {
    printf("%a %a\n", a[i], b[i]);
    for (int j = 0; j < m; j++)
      printf("%a %a\n", p[i][j], q[i][j]);
  }
  free(a);
  free(b);
  free(p);
  free(q);
  return 0;
}
