// In a do loop that runs once, as macros have it, continue and break end that loop, and not the one around it.
// RUN 1 5 | 7 1 | 12 3 | 40 9 | 3 2 | 90 20
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 9, T = argc > 2 ? atoi(argv[2]) : 3;
  double *a = malloc(sizeof(double) * n), *b = malloc(sizeof(double) * n);
  for (int i = 0; i < n; i++) a[i] = b[i] = i * 7 % 5;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      do { if (a[i] > 2) continue; b[i] = 0.5 * (a[i-1] + a[i+1]); } while (0);
      b[i] = b[i] + 1;
      do {
        if (a[i] < 1)
          break;
        b[i] = b[i] - 0.25;
      } while (0);
      b[i] = 2 * b[i];
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = 0.25 * b[i];
  }
#pragma endscop
  printf("%d points\n", n);
  for (int i = 0; i < n; i++)
    printf("%a %a\n", a[i], b[i]);
  free(a);
  free(b);
  return 0;
}
