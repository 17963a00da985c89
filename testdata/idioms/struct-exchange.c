// Pointers to structs are exchanged, and structs by value in a function; sizes in them are the same, which is tested.
// RUN 0 5 | 1 7 | 6 30 | 13 40 | 2 1 | 5 90
#include <stdio.h>
#include <stdlib.h>

static double next(void)
{
  static unsigned long s = 12345;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(s >> 33) / (1ul << 31);
}

struct field {
  int nx;
  double *u, *flux;
};

struct pair {
  int count;
  float *data;
};

static void exchange(struct pair *a, struct pair *b)
{
  struct pair t = *a;
  *a = *b;
  *b = t;
}

static struct field make(int n)
{
  struct field f = {n, malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  for (int i = 0; i < n; i++) {
    f.u[i] = next();
    f.flux[i] = next();
  }
  return f;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 5, n = argc > 2 ? atoi(argv[2]) : 20;
  struct field x = make(n), y = make(n), *a = &x, *b = &y;
  struct pair p = {n, malloc(n * sizeof(float))}, q = {n, malloc(n * sizeof(float))};
  for (int i = 0; i < n; i++) {
    p.data[i] = next();
    q.data[i] = next();
  }
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < a->nx - 1; i++)
      b->flux[i] = a->u[i + 1] - a->u[i - 1] + 0.5 * a->flux[i];
    for (int i = 1; i < b->nx - 1; i++)
      b->u[i] = a->u[i] + 0.125 * b->flux[i];
    struct field *tmp = a;
    a = b;
    b = tmp;
    for (int i = 1; i < p.count - 1; i++)
      q.data[i] = 0.5f * (p.data[i - 1] + p.data[i + 1]);
    exchange(&p, &q);
  }
#pragma endscop
  printf("%d\n", a == &x);
  for (int i = 0; i < n; i++)
    printf("%a %a %a %a %a %a\n", x.u[i], y.u[i], a->u[i], b->flux[i], p.data[i], q.data[i]);
  return 0;
}
