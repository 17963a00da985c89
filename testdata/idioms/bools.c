// Numbers of type _Bool: elements, locals, parameters, results and conversions to it.
// RUN 4 9 1 | 7 31 0 | 1 3 1 | 0 5 1
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct site { bool wet, open; };

static inline bool any(bool a, int b) { return a + b; }
static _Bool half(double x) { if (x < 0.25) return x; return x > 0.5; }

static void run(int T, int n, bool flip, bool a[2][n], double u[n], struct site *s, const bool mask[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      bool near = a[t % 2][i - 1] ^ a[t % 2][i + 1], odd = u[i];
      near |= mask[i] && !flip;
      if (any(near, 2 * odd) && u[i] != 0.5)
        near = 2;
      a[(t + 1) % 2][i] = near + a[t % 2][i] + 254;
      s[i].wet = half(u[i]) == mask[i];
      s[i].open = s[i].wet ? a[t % 2][i] : u[i];
    }
    for (int i = 1; i < n - 1; i++)
      u[i] = 0.5 * u[i] + (double)s[i].open * (bool)u[i] - s[i].wet + flip;
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  if (argc < 4)
    return 1;
  int T = atoi(argv[1]), n = atoi(argv[2]);
  bool (*a)[n] = malloc(2 * sizeof *a), *mask = malloc(n);
  double *u = malloc(n * sizeof *u);
  struct site *s = calloc(n, sizeof *s);
  for (int i = 0; i < n; i++) {
    a[0][i] = i % 3 == 0, a[1][i] = i % 5 == 1, mask[i] = i % 2;
    u[i] = i % 4 * 0.25;
  }
  run(T, n, atoi(argv[3]), a, u, s, mask);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (a[0][i] + 2 * a[1][i] + 4 * s[i].wet + 8 * s[i].open) * (i + 1) + u[i] * 3;
  printf("%.17g\n", sum);
}
