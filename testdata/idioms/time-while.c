// A while loop; several variables count its steps and are read afterwards, and in it.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

struct run {
  int done;
  long work;
};

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) {
    a[i] = next();
    b[i] = next();
  }
  struct run r;
  r.done = 7;
  int it = 1;
  unsigned stamp = 5;
#pragma scop
  r.work = 100;
  while (it <= T) {
    stamp += 2;
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * (a[i - 1] + a[i + 1]) + stamp + 0.125 * r.done;
    it++;
    for (int i = it; i < n - 1; i++)
      b[i] += r.work;
    double *tmp = a;
    a = b;
    b = tmp;
    r.done -= 1, r.work += 10;
  }
#pragma endscop
  printf("%d %u %d %ld\n", it, stamp, r.done, r.work);
  for (int i = 0; i < n; i++)
    printf("%a %a\n", a[i], b[i]);
  free(a);
  free(b);
  return 0;
}
