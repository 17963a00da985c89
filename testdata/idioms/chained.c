// Chains of assignments, and continue in a nest; values pass through the types on the way.
// RUN 0 5 | 1 2 | 3 9 | 7 50 | 5 64 | 2 3
#include <stdio.h>
#include <stdlib.h>

static float u[64], w[64];
static double v[64];

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 9;
  for (int i = 0; i < 64; i++)
    u[i] = w[i] = i * i * 0.37f, v[i] = 1.0 / (i + 1);
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      if (v[i] > 0.2) {
        w[i] = u[i];
        continue;
      }
      if (i == 5)
        continue;
      v[i] = w[i] = 0.3 * u[i] + u[i - 1];
    }
    v[0] = u[0] = u[n - 1] = 0.1;
    for (int i = 1; i < n - 1; i++) {
      double a, b;
      a = b = w[i];
      w[i] = u[i] = 0.25 * u[i] + a + 0.5 * b;
    }
  }
#pragma endscop
  for (int i = 0; i < 64; i++)
    printf("%a %a %a\n", u[i], v[i], w[i]);
  return 0;
}
