// Small arrays whose subscripts are data: coefficients of materials, rules of automata, chances by the number of neighbours.
// RUN 0 5 7|1 7 7|6 5 3|3 30 41|2 4 9|5 33 4|4 13 17|3 3 3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define L 23

static float ca[3] = {1.0f, 0.9f, 0.75f};
static const unsigned char rule[8] = {0, 1, 1, 1, 0, 1, 1, 0};
struct medium { double eps, sigma; };

static unsigned char cell[2][L], mat[40][50];
static int spin[L];

static double half(const double *w, int x) { return 0.5 * w[x > 3 ? 3 : x < 0 ? 0 : x]; }

static void step(int T, int n, int m, double e[restrict n][m], double h[restrict n][m], const struct medium *media)
{
  struct medium medium[4];
  double chance[5], w[2][4];
  for (int k = 0; k < 5; k++)
    chance[k] = exp(-0.5 * k);
  for (int k = 0; k < 4; k++)
    medium[k] = media[k], w[0][k] = k * 0.25, w[1][k] = 1 - k * 0.125;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        const int of = (mat[i][j] + mat[i - 1][j]) / 2;
        e[i][j] = ca[mat[i][j] % 3] * e[i][j] + medium[of].eps * (h[i][j] - h[i - 1][j]) - medium[of].sigma * (h[i][j] - h[i][j - 1]);
        if (mat[i][j] != 2)
          e[i][j] += 1e-3 * w[t & 1][mat[i][j]] + 1e-3 * half(w[0], (int)e[i][j]);
      }
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        h[i][j] += 0.25 * (e[i + 1][j] - e[i][j]) - 0.25 * (e[i][j + 1] - e[i][j]);
    for (int i = 1; i < L - 1; i++)
      cell[(t + 1) % 2][i] = rule[4 * cell[t % 2][i - 1] + 2 * cell[t % 2][i] + cell[t % 2][i + 1]];
    for (int i = 1; i < L - 1; i++) {
      int sum = spin[i - 1] + spin[i + 1];
      if (i % 2 == t % 2 && chance[(sum * spin[i] + 2)] > 0.3)
        spin[i] = -spin[i];
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 4, m = argc > 3 ? atoi(argv[3]) : 4;
  struct medium media[4] = {{0.5, 0.25}, {0.4, 0.3}, {0.3, 0.2}, {0.2, 0.1}};
  double(*e)[m] = malloc(n * m * sizeof(double)), (*h)[m] = malloc(n * m * sizeof(double));
  for (int k = 0; k < n * m; k++)
    e[k / m][k % m] = k * 13 % 7, h[k / m][k % m] = k * 17 % 5;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      mat[i][j] = (i / 3 + j / 4 + i * j) % 4;
  for (int i = 0; i < L; i++)
    cell[0][i] = cell[1][i] = i % 5 < 2, spin[i] = i % 3 ? 1 : -1;
  step(T, n, m, e, h, media);
  for (int k = 0; k < n * m; k++)
    printf("%a %a\n", e[k / m][k % m], h[k / m][k % m]);
  for (int i = 0; i < L; i++)
    printf("%d %d %d\n", cell[0][i], cell[1][i], spin[i]);
  return 0;
}
