// Loops that end by numbers of short types, and of types without a sign, and by values that are cast: what is gathered is what C leaves in them.
// RUN 20 9 | 63 20 | 3 4 | 2 1 | 200 9
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int a[400], b[400];
static double u[400], v[400];

static void start(int n, int seed)
{
  for (int i = 0; i < n; i++) {
    a[i] = b[i] = i * seed % 40000 - 100;
    u[i] = v[i] = (i * 7 + seed) % 11 * 0.37;
  }
}

static void shorter(int n, int T)
{
  short e = 1;
  int k = 0;
#pragma scop
  while (e > 0 && k < T) {
    e = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = a[i] + 1000 * i;
      e = b[i] > e ? b[i] : e;
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
    k++;
  }
#pragma endscop
  printf("%d %d\n", k, e);
}

static void counted(int n, int T)
{
  signed char e = 1;
  int k = 0;
#pragma scop
  while (e > 0 && k < T) {
    e = 0;
    for (int i = 0; i < n; i++) {
      b[i] = a[i] + 1;
      e += b[i] != a[i];
    }
    for (int i = 0; i < n; i++)
      a[i] = b[i];
    k++;
  }
#pragma endscop
  printf("%d %d\n", k, e);
}

static void unsignedly(int n, int T)
{
  unsigned e = 1;
  int k = 0;
#pragma scop
  do {
    e = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = (a[i - 1] + a[i + 1]) / 2;
      if (b[i] > (int)e)
        e = b[i];
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
    k++;
  } while (e > 5 && k < T);
#pragma endscop
  printf("%d %u\n", k, e);
}

static void cast(int n, int T)
{
  double e = 1, f = 1, g = 1;
  int k = 0;
#pragma scop
  while (e + f + g > 0.01 && k < T) {
    e = 0;
    f = 0;
    g = 0;
    for (int i = 1; i < n - 1; i++) {
      v[i] = 0.49 * (u[i - 1] + u[i + 1]);
      if ((int)v[i] > (int)e)
        e = v[i];
    }
    for (int i = 1; i < n - 1; i++)
      f = (float)(f > v[i] ? f : v[i]);
    for (int i = 1; i < n - 1; i++)
      g = fmaxf(g, v[i] * 0.1);
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
    k++;
  }
#pragma endscop
  printf("%d %a %a %a\n", k, e, f, g);
}

static void hidden(int n, int T)
{
  double t = 0;
  int k;
#pragma scop
  for (k = 0; k < T; k++) {
    t += 0.1;
    for (int i = 1; i < n - 1; i++) {
      double s = 3;
      v[i] = u[i] + s;
    }
    for (int i = 1; i < n - 1; i++) {
      double k = t;
      u[i] = v[i] + k;
    }
  }
#pragma endscop
  printf("%d %a\n", k, t);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 63, T = argc > 2 ? atoi(argv[2]) : 9;
  static void (*const all[])(int, int) = {shorter, counted, unsignedly, cast, hidden};
  for (int s = 0; s < 5; s++) {
    start(n, 7 + 31 * s);
    all[s](n, T);
    for (int i = 0; i < n; i++)
      printf("%d %d %a %a\n", a[i], b[i], u[i], v[i]);
  }
  return 0;
}
