// Over-relaxation in two colours, each in an array of half the width, walls included: the first and the last column, and those of neighbours, depend on the parity of the row.
// RUN 0 5 4 | 1 7 3 | 4 30 11 | 5 19 16 | 3 3 2 | 6 17 33 | 2 2 2 | 3 1 1 | 2 6 0
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static void relax(int T, int n, int h, double w, double *restrict red, double *restrict black)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      const int odd = i & 1;
      for (int k = 1 - odd; k < h - odd; k++)
        red[i * h + k] += w * (0.25 * (black[(i - 1) * h + k] + black[(i + 1) * h + k] + black[i * h + k - 1 + odd] + black[i * h + k + odd]) - red[i * h + k]);
    }
    for (int i = 1; i < n - 1; i++) {
      int even;
      if (i % 2 == 0)
        even = 1;
      else
        even = 0;
      for (int k = i & 1; k < h - even; k++)
        black[i * h + k] += w * (0.25 * (red[(i - 1) * h + k] + red[(i + 1) * h + k] + red[i * h + k - 1 + even] + red[i * h + k + even]) - black[i * h + k]);
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, h = argc > 3 ? atoi(argv[3]) : 5;
  double (*red)[h + 2] = malloc((n + 2) * sizeof *red), (*black)[h + 2] = malloc((n + 2) * sizeof *black);
  for (int i = 0; i < n + 2; i++)
    for (int k = 0; k < h + 2; k++) {
      red[i][k] = next();
      black[i][k] = next();
    }
  relax(T, n + 2, h + 2, 1.25, red[0], black[0]);
  for (int i = 0; i < n + 2; i++)
    for (int k = 0; k < h + 2; k++)
      printf("%a %a\n", red[i][k], black[i][k]);
  free(red);
  free(black);
  return 0;
}
