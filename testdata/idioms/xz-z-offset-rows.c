// Pointers to rows that lead among them, as those of Numerical Recipes: rows and columns from -nd + 1 on, with a number for nd in one nest and a variable in another one.
// RUN 9 4 | 20 9 | 33 12 | 5 0 | 4 30
#include <stdio.h>
#include <stdlib.h>

#define NR_END 1

static float **matrix(int nrl, int nrh, int ncl, int nch)
{
  int nrow = nrh - nrl + 1, ncol = nch - ncl + 1;
  float **m = malloc((size_t)(nrow + NR_END) * sizeof *m);
  if (!m)
    exit(1);
  m += NR_END;
  m -= nrl;
  m[nrl] = malloc((size_t)(nrow * ncol + NR_END) * sizeof **m);
  if (!m[nrl])
    exit(1);
  m[nrl] += NR_END;
  m[nrl] -= ncl;
  for (int i = nrl + 1; i <= nrh; i++)
    m[i] = m[i - 1] + ncol;
  for (int i = nrl; i <= nrh; i++)
    for (int j = ncl; j <= nch; j++)
      m[i][j] = (float)((i * 31 + j * 17 + 500) % 97) * 0.01f;
  return m;
}

static void free_matrix(float **m, int nrl, int ncl)
{
  free(m[nrl] + ncl - NR_END);
  free(m + nrl - NR_END);
}

static void elastic(int nx, int ny, int nd, int steps, float **v, float **s)
{
#pragma scop
  for (int t = 1; t <= steps; t++) {
    for (int j = 1; j <= ny; j++)
      for (int i = 1; i <= nx; i++)
        v[j][i] += 0.1f * (1.125f * (s[j][i + 1] - s[j][i]) - 0.04f * (s[j][i + 2] - s[j][i - 1]) + s[j - 2][i]);
    for (int j = -nd + 1; j <= ny; j++)
      for (int i = 1; i <= nx; i++)
        s[j][i] += 0.2f * (v[j][i] - v[j][i - 2] + v[j + 1][i]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int nx = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9, ny = nx + 3, nd = 2;
  float **v = matrix(-nd + 1, ny + nd, -nd + 1, nx + nd), **s = matrix(-nd + 1, ny + nd, -nd + 1, nx + nd);
  elastic(nx, ny, nd, steps, v, s);
  for (int j = -nd + 1; j <= ny + nd; j++)
    for (int i = -nd + 1; i <= nx + nd; i++)
      printf("%a %a\n", v[j][i], s[j][i]);
  free_matrix(v, -nd + 1, -nd + 1);
  free_matrix(s, -nd + 1, -nd + 1);
  return 0;
}
