// Variables of the body of a loop that keep their values from step to step: counted at each step, and under tests.
// RUN 5 4 | 20 13 | 9 1 | 33 20 | 6 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double p[64][64], q[64][64];

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, T = argc > 2 ? atoi(argv[2]) : 9;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p[i][j] = (i * 13 + j * 7) % 17 / 17.0;
#pragma scop
  for (int t = 0; t < T; t++) {
    static int count = 3;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        p[i][j] = q[i][j];
    count++;
    if (t % 5 == 2)
      printf("%d %.17g\n", count, p[n / 2][n / 2]);
  }
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        q[i][j] = 0.25 * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        p[i][j] = q[i][j];
    if (t % 3 == 1) {
      static int shown, since;
      shown++;
      since += t;
      printf("%d %d %.17g\n", shown, since, p[2][2]);
    }
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += p[i][j] * (i + 2 * j + 1);
  printf("%.17g\n", sum);
  return 0;
}
