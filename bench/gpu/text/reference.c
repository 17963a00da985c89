// Runs an original program and writes the hashes of its results: reference FILE N T
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hash.h"

int main(int argc, char **argv)
{
  if (argc != 4)
    return fprintf(stderr, "usage: %s FILE N T\n", argv[0]), 2;
  int n = atoi(argv[2]), T = atoi(argv[3]);
  size_t count = PLANES;
  for (int d = 0; d < DIMS; d++)
    count *= (size_t)n;
  real *a[ARRAYS];
  for (int i = 0; i < ARRAYS; i++) {
    a[i] = malloc(count * sizeof(real));
    if (a[i] == NULL)
      return fprintf(stderr, "no memory for %zu elements\n", count), 2;
    for (size_t k = 0; k < count; k++)
      a[i][k] = (real)initial(i, k % (count / PLANES)); // the planes begin alike
  }
  ORIGINAL(T, n, a);
  FILE *f = fopen(argv[1], "wb");
  for (int i = 0; f != NULL && i < ARRAYS; i++)
    for (size_t at = 0; at < count; at += CHUNK) {
      word sum = 0;
      for (size_t k = at; k < at + CHUNK && k < count; k++) {
        word bits = 0;
        memcpy(&bits, &a[i][k], sizeof(real));
        sum += hashed(bits, k);
      }
      fwrite(&sum, sizeof sum, 1, f);
    }
  if (f == NULL || fclose(f) != 0)
    return perror(argv[1]), 2;
  return 0;
}
