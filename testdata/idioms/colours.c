// Relaxation in place of lines by turns, of points in four colours, and of points in two colours beside a nest over all points.
// RUN 0 5 | 1 7 | 4 30 | 5 19 | 3 3 | 2 2 | 3 1
#include <stdio.h>
#include <stdlib.h>

static float next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (float)(s >> 40) / (1 << 24);
}

static void relax(int T, int n, float lines[restrict n][n], float a[restrict n][n], float b[restrict n][n], float c[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i += 2)
      for (int j = 1; j < n - 1; j++)
        lines[i][j] = 0.5f * (lines[i - 1][j] + lines[i + 1][j]);
    for (int i = 2; i < n - 1; i += 2)
      for (int j = 1; j < n - 1; j++)
        lines[i][j] = 0.5f * (lines[i - 1][j] + lines[i + 1][j]);
    for (int p = 0; p < 2; p++)
      for (int q = 0; q < 2; q++)
        for (int i = 1 + p; i < n - 1; i += 2)
          for (int j = 1 + q; j < n - 1; j += 2)
            a[i][j] = 0.125f * (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1]
                              + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]);
    for (int i = 1; i < n - 1; i++) {
      int first = i % 2 == 0 ? 2 : 1;
      for (int j = first; j < n - 1; j += 2)
        b[i][j] = 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = n - 2 - (i + n) % 2; j >= 1; j -= 2)
        b[i][j] = 0.25f * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        c[i][j] = 0.5f * c[i][j] + b[i][j - 1] - b[i + 1][j];
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4;
  float (*lines)[n] = malloc(n * sizeof *lines), (*a)[n] = malloc(n * sizeof *a), (*b)[n] = malloc(n * sizeof *b), (*c)[n] = malloc(n * sizeof *c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      lines[i][j] = next();
      a[i][j] = next();
      b[i][j] = next();
      c[i][j] = next();
    }
  relax(T, n, lines, a, b, c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%a %a %a %a\n", lines[i][j], a[i][j], b[i][j], c[i][j]);
  free(lines);
  free(a);
  free(b);
  free(c);
  return 0;
}
