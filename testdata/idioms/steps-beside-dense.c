// Loops in steps of two and three, up and down, beside loops in steps of one on the same arrays.
// RUN 0 5 | 1 7 | 4 40 | 5 19 | 3 3 | 6 33
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void step(int T, int n, double a[restrict n][n], double b[restrict n][n], float line[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 2; i < n - 1; i += 2)
      for (int j = n - 2; j > 0; j -= 3)
        a[i][j] = 0.5 * (b[i - 1][j] + b[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i][j] + 0.25 * a[i + 1][j - 1];
    for (int i = n - 1; i >= 2; i -= 2)
      line[i] = line[i] * 0.5f + t;
    for (int i = 0; i < n; i++)
      line[i] += 1;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  double (*a)[n] = malloc(n * sizeof *a), (*b)[n] = malloc(n * sizeof *b);
  float *line = malloc(n * sizeof *line);
  for (int i = 0; i < n; i++) {
    line[i] = next();
    for (int j = 0; j < n; j++) {
      a[i][j] = next();
      b[i][j] = next();
    }
  }
  step(T, n, a, b, line);
  for (int i = 0; i < n; i++) {
    printf("%a\n", line[i]);
    for (int j = 0; j < n; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  }
  free(a);
  free(b);
  free(line);
  return 0;
}
