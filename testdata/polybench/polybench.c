#include <time.h>

#include "polybench.h"

static double started, stopped;

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

void polybench_timer_start(void) { started = now(); }
void polybench_timer_stop(void) { stopped = now(); }
void polybench_timer_print(void) { printf("%0.6f\n", stopped - started); }

void *polybench_alloc_data(unsigned long long n, int size)
{
  void *p = malloc(n * size);
  if (p == NULL) {
    fprintf(stderr, "polybench: out of memory\n");
    exit(1);
  }
  return p;
}
