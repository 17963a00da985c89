// Variables say which plane is the newest: they are exchanged, counted modulo 3, or flip, and are read afterwards.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

static double u[3][90], v[2][90], w[2][90];

static int run(int n, int T, int flag)
{
  int prev = 0, cur = 1, next = 2, tmp, src = 0, dst = 1;
#pragma scop
  for (int t = 3; t < T + 3; t++) {
    for (int i = 1; i < n - 1; i++)
      u[next][i] = 2 * u[cur][i] - u[prev][i] + 0.25 * (u[cur][i - 1] - 2 * u[cur][i] + u[cur][i + 1]);
    for (int i = 1; i < n - 1; i++)
      v[dst][i] = 0.5 * (v[src][i - 1] + v[src][i + 1]);
    for (int i = 1; i < n - 1; i++)
      w[!flag][i] = 0.5 * (w[flag][i - 1] + w[flag][i + 1]) + src;
    tmp = prev;
    prev = cur;
    cur = next;
    next = tmp;
    src ^= 1;
    dst = 1 - src;
    flag = !flag;
  }
#pragma endscop
  printf("%d %d %d %d %d\n", prev, cur, next, src, dst);
  return flag;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  for (int i = 0; i < 90; i++) {
    for (int k = 0; k < 3; k++)
      u[k][i] = next();
    v[0][i] = w[0][i] = next();
    v[1][i] = w[1][i] = next();
  }
  printf("%d\n", run(n, T, n % 2));
  for (int i = 0; i < 90; i++)
    printf("%a %a %a %a %a %a %a\n", u[0][i], u[1][i], u[2][i], v[0][i], v[1][i], w[0][i], w[1][i]);
  return 0;
}
