// Rows and columns that are counted from 1, of pointers that lead in front of their blocks, as those of Numerical Recipes: there is no row 0, and no column.
// RUN 60 50 | 3 4 | 2 3 | 1 2 | 7 1 | 20 0 | 33 9
#include <stdio.h>
#include <stdlib.h>

enum { NR_END = 1 };

static float **matrix(long nrl, long nrh, long ncl, long nch)
{
  const long rows = nrh - nrl + 1, columns = nch - ncl + 1;
  float **m = malloc((rows + NR_END) * sizeof(float *));
  float *block = malloc((rows * columns + NR_END) * sizeof(float));
  if (!m || !block)
    exit(1);
  m += NR_END - nrl;
  m[nrl] = block + NR_END - ncl;
  for (long i = nrl + 1; i <= nrh; i++)
    m[i] = m[i - 1] + columns;
  return m;
}

static void free_matrix(float **m, long nrl, long ncl)
{
  free(m[nrl] + ncl - NR_END);
  free(m + nrl - NR_END);
}

static void smooth(int nx, int ny, float **p, float **q)
{
  for (int j = 2; j <= ny - 1; j++)
    for (int i = 2; i <= nx - 1; i++)
      q[j][i] = 0.2f * (p[j][i] + p[j][i - 1] + p[j][i + 1] + p[j - 1][i] + p[j + 1][i]);
}

int main(int argc, char **argv)
{
  const int nx = argc > 1 ? atoi(argv[1]) : 9, ny = nx + 5, nt = argc > 2 ? atoi(argv[2]) : 3;
  float **p = matrix(1, ny, 1, nx), **q = matrix(1, ny, 1, nx);
  for (int j = 1; j <= ny; j++)
    for (int i = 1; i <= nx; i++)
      p[j][i] = q[j][i] = (i * 7 + j * 3) % 11;
#pragma scop
  for (int t = 0; t < nt; t++) {
    smooth(nx, ny, p, q);
    for (int j = 2; j <= ny - 1; j++)
      for (int i = 2; i <= nx - 1; i++)
        p[j][i] = q[j][i];
  }
#pragma endscop
  for (int j = 1; j <= ny; j++)
    for (int i = 1; i <= nx; i++)
      printf("%a\n", p[j][i]);
  free_matrix(p, 1, 1);
  free_matrix(q, 1, 1);
  return 0;
}
