// Steps in a function that exchanges the arrays of a struct; the loop prints now and then.
// RUN 15 9 3 | 0 5 1 | 1 7 2 | 16 12 5 | 23 30 4 | 7 3 1
#include <stdio.h>
#include <stdlib.h>

struct wave {
  int n;
  double c, *old, *now, *next;
};

static void step(struct wave *w)
{
  for (int i = 1; i < w->n - 1; i++)
    w->next[i] = 2 * w->now[i] - w->old[i] + w->c * (w->now[i - 1] - 2 * w->now[i] + w->now[i + 1]);
  double *kept = w->old;
  w->old = w->now;
  w->now = w->next;
  w->next = kept;
}

static void border(struct wave *w)
{
  w->now[0] = w->now[1];
  w->now[w->n - 1] = 0;
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 15, n = argc > 2 ? atoi(argv[2]) : 9, every = argc > 3 ? atoi(argv[3]) : 3;
  struct wave w = {n, 0.3, malloc(n * sizeof(double)), malloc(n * sizeof(double)), malloc(n * sizeof(double))};
  for (int i = 0; i < n; i++)
    w.old[i] = w.now[i] = w.next[i] = i * i % 7;
#pragma scop
  for (int t = 0; t < T; t++) {
    step(&w);
    border(&w);
    if (t % every == 0)
      printf("%d: %a %a\n", t, w.now[1], w.old[n / 2]);
  }
#pragma endscop
  for (int i = 0; i < n; i++)
    printf("%a %a\n", w.now[i], w.old[i]);
  return 0;
}
