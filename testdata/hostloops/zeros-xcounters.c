// Loops that end when a nest has counted nothing, by ++ in front and behind, without a test around it, by numbers, and by what is negated.
// RUN 40 40 | 10 100 | 4 5 | 17 1 | 33 0
#include <stdio.h>
#include <stdlib.h>

static int a[64][64], b[64][64];

static void show(int n, int t)
{
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum = sum * 3 % 1000003 + a[i][j];
      a[i][j] = b[i][j] = (i * 7 + j * 5) % 11 > 6;
    }
  printf("%d %ld\n", t, sum);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 40, t;
  show(n, 0);
#pragma scop
  for (t = 0; t < steps; t++) {
    int changed = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] > 1;
        if (b[i][j] != a[i][j])
          changed++;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    if (changed == 0)
      break;
  }
#pragma endscop
  show(n, t);
#pragma scop
  for (t = 0; t < steps; t++) {
    long changed = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] > 2 - a[i][j];
        if (b[i][j] != a[i][j])
          ++changed;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    if (!changed)
      break;
  }
#pragma endscop
  show(n, t);
#pragma scop
  for (t = 0; t < steps; t++) {
    int cells = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        b[i][j] = a[i - 1][j] ^ a[i][j - 1] ^ a[i][j];
        cells++;
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
    if (cells == 0)
      break;
  }
#pragma endscop
  show(n, t);
  return 0;
}
