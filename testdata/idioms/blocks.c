/* Loops that were written in blocks, of a size known at run time, or a number; the extents of arrays are read from structs. */
// RUN 20 60 70 8 16|5 41 37 1 3|3 30 30 100 7|9 17 19 4 4|0 33 33 5 5
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define TILE 16

struct dataobj { void *restrict data; int *size; };

static void forward(struct dataobj *restrict u_vec, struct dataobj *restrict v_vec, int steps, int bx, int by)
{
  double (*restrict u)[u_vec->size[1]][u_vec->size[2]] = (double (*)[u_vec->size[1]][u_vec->size[2]]) u_vec->data;
  double (*restrict v)[v_vec->size[1]] = (double (*)[v_vec->size[1]]) v_vec->data;
  const int n = u_vec->size[1], m = u_vec->size[2];
#pragma scop
  for (int time = 0, t0 = time % 2, t1 = (time + 1) % 2; time < steps; time += 1, t0 = time % 2, t1 = (time + 1) % 2) {
    for (int ib = 1; ib <= n - 2; ib += bx)
      for (int jb = 1; jb <= m - 2; jb += by)
        for (int i = ib; i <= MIN(ib + bx - 1, n - 2); i += 1)
          for (int j = jb; j <= MIN(jb + by - 1, m - 2); j += 1)
            u[t1][i][j] = 0.25 * v[i][j] * (u[t0][i - 1][j] + u[t0][i + 1][j] + u[t0][i][j - 1] + u[t0][i][j + 1]);
    for (int ib = 1; ib < n - 1; ib += TILE)
      for (int i = ib; i < ib + TILE && i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          v[i][j] = 0.5 * (v[i][j] + 1.0);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int arg[5] = {20, 60, 70, 8, 16};
  for (int i = 1; i < argc && i <= 5; i++)
    arg[i - 1] = atoi(argv[i]);
  int n = arg[1], m = arg[2], us[3] = {2, n, m}, vs[2] = {n, m};
  struct dataobj u = {calloc((size_t)2 * n * m, sizeof(double)), us}, v = {calloc((size_t)n * m, sizeof(double)), vs};
  double *p = u.data, *q = v.data, sum = 0;
  for (int k = 0; k < n * m; k++) {
    p[k] = p[n * m + k] = (k * 7) % 11;
    q[k] = 1 + (k % 5) * 0.125;
  }
  forward(&u, &v, arg[0], arg[3], arg[4]);
  for (int k = 0; k < 2 * n * m; k++)
    sum += p[k] * (k % 13) + q[k / 2];
  printf("%.17g\n", sum);
  free(u.data);
  free(v.data);
  return 0;
}
