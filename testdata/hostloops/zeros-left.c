// What time loops leave in scalars that no nest uses: the time in a struct, a global and a parameter, and sums of what the loops leave alone.
// RUN 20 9 | 3 0 | 37 1 | 41 31 | 90 211
#include <stdio.h>
#include <stdlib.h>
#define N 40
typedef struct { int n; double t; float age; long cells; double *u, *v; } Sim;
typedef struct { int n; double t, a[N][N], b[N][N]; } Square;
static double now = 0.25, f[2][N][N];
static int cur = 0;
static long cells = 7;
static unsigned short few = 9;

static void times(Sim *s, int T)
{
#pragma scop
  for (int k = 0; k < T; k++) {
    for (int i = 1; i < s->n - 1; i++) s->v[i] = s->u[i] + 0.1 * (s->u[i - 1] - 2 * s->u[i] + s->u[i + 1]);
    double *x = s->u; s->u = s->v; s->v = x;
    s->t += 0.1;
    s->age = s->t * 3;
    s->cells += (s->n - 2) * (long)k;
  }
#pragma endscop
}

static void square(Square *s, int T, double dt, double *left)
{
#pragma scop
  for (int k = 0; k < T; k++) {
    for (int i = 1; i < s->n - 1; i++)
      for (int j = 1; j < s->n - 1; j++) s->b[i][j] = 0.25 * (s->a[i - 1][j] + s->a[i + 1][j] + s->a[i][j - 1] + s->a[i][j + 1]);
    for (int i = 1; i < s->n - 1; i++)
      for (int j = 1; j < s->n - 1; j++) s->a[i][j] = s->b[i][j];
    s->t += dt;
    dt *= 1.01;
  }
#pragma endscop
  *left = dt;
}

static void turns(int n, int T)
{
  int it = 0;
#pragma scop
  while (it < T) {
    int next = 1 - cur;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < N - 1; j++) f[next][i][j] = 0.25 * (f[cur][i + 1][j] + f[cur][i - 1][j] + f[cur][i][j + 1] + f[cur][i][j - 1]);
    cur = 1 - cur;
    cells += (N - 2) * (N - 2);
    it++;
  }
#pragma endscop
#pragma scop
  for (int k = 1; k <= T; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < N - 1; j++) f[1 - cur][i][j] = 0.25 * (f[cur][i + 1][j] + f[cur][i - 1][j] + f[cur][i][j + 1] + f[cur][i][j - 1]);
    cur = 1 - cur;
    cells += (long)(n - 2) * (n - 2);
    few -= n;
    if (k % 3 == 0) now += 0.5;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, T = argc > 2 ? atoi(argv[2]) : 5, m = n < N ? n : N;
  Sim s = {n, 0.5, 1, 3, malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  for (int i = 0; i < n; i++) s.u[i] = s.v[i] = i % 5;
  static Square q;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) q.a[i][j] = q.b[i][j] = f[0][i][j] = f[1][i][j] = (i * 3 + j * 5) % 7;
  q.n = m;
  double left = 0;
  times(&s, T);
  square(&q, T, 0.125, &left);
  turns(m, T);
  for (int i = 0; i < n; i++) printf("%a\n", s.u[i]);
  printf("%a %a %ld %a %a %a %d %ld %d\n", s.t, s.age, s.cells, q.t, left, now, cur, cells, few);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum = sum * 0.99 + q.a[i][j] + f[cur][i][j] * 3;
  printf("%a\n", sum);
}
