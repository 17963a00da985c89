// Loops that go on while a cell asks for it, and divide integers by cells, themselves and in a function: a step too many would divide by zero. By what is the
// same at every step they divide in chunks, too.
// RUN 40 40 | 10 100 | 4 5 | 3 30 | 2 4 | 17 0
#include <stdio.h>
#include <stdlib.h>

static int wrap(int i, int n) { return (i % n + n) % n; }
static int share(int a, int b) { return a / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 40, it = 0, more = 1, k = 3;
  int *a = calloc(n + 2, sizeof *a), *b = calloc(n + 2, sizeof *b);
  for (int i = 0; i < n + 2; i++)
    a[i] = b[i] = 12;
#pragma scop
  while (more && it < steps) {
    more = 0;
    for (int i = 1; i <= n; i++)
      b[i] = a[i] - 1 - (a[i - 1] + a[i + 1]) / a[i] / 20;
    for (int i = 1; i <= n; i++) {
      a[i] = b[i];
      if (a[i] > 0)
        more = 1;
    }
    it++;
  }
#pragma endscop
  printf("%d %d\n", it, more);
  for (int i = 0; i < n + 2; i++) {
    printf("%d\n", a[i]);
    a[i] = b[i] = 20 + i % 7;
  }
  more = 1;
  it = 0;
#pragma scop
  while (more && it < steps) {
    more = 0;
    for (int i = 1; i <= n; i++)
      b[i] = a[i] - 1 - share(a[i - 1] + a[i + 1], a[i]) / 20;
    for (int i = 1; i <= n; i++) {
      a[i] = b[i];
      if (a[i] > 6)
        more = 1;
    }
    it++;
  }
#pragma endscop
  printf("%d %d\n", it, more);
  for (int i = 0; i < n + 2; i++) {
    printf("%d\n", a[i]);
    a[i] = b[i] = 20 + i % 7;
  }
  more = 1;
  it = 0;
#pragma scop
  while (more && it < steps) {
    more = 0;
    for (int i = 0; i < n; i++)
      b[i] = (a[wrap(i - 1, n)] + a[wrap(i + 1, n)]) / k % 17 + a[i] / 2;
    for (int i = 0; i < n; i++) {
      a[i] = b[i];
      if (a[i] > 9)
        more = 1;
    }
    it++;
  }
#pragma endscop
  printf("%d %d\n", it, more);
  for (int i = 0; i < n + 2; i++)
    printf("%d\n", a[i]);
  return 0;
}
