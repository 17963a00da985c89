// Runs a program so many times and prints a sum of the bits of what it leaves and the best time. -DPROGRAM names the file of the program,
// as it is written or as hexcc makes it, and -DCALL the one that says what it is called with.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define main program_main // of the program itself, which is for small sizes
#include PROGRAM
#undef main

// CALL defines REAL, FIELDS, of which the last OUTPUTS are what the program leaves, CELLS of each, VALUE of field f for a number r from 0 to 1, and call.
#include CALL

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int count, char **args)
{
  int runs = count > 1 ? atoi(args[1]) : 20;
  unsigned long long random = 1, sum = 0;
  REAL *fields[FIELDS];
  for (int f = 0; f < FIELDS; f++) {
    fields[f] = malloc(sizeof(REAL) * CELLS);
    for (long i = 0; i < CELLS; i++) {
      random = random * 6364136223846793005ULL + 1;
      double r = (double)(random >> 40) / (1 << 24);
      fields[f][i] = VALUE(f, r);
    }
  }
  double best = 1e9;
  for (int r = 0; r < runs; r++) {
    double start = now(), took;
    call(fields);
    if ((took = now() - start) < best)
      best = took;
  }
  for (int f = FIELDS - OUTPUTS; f < FIELDS; f++)
    for (long i = 0; i < CELLS; i++) {
      unsigned long long bits = 0;
      memcpy(&bits, &fields[f][i], sizeof(REAL));
      sum = (sum ^ bits) * 1099511628211ULL;
    }
  printf("%016llx %.3f\n", sum, best * 1e3);
  return 0;
}
