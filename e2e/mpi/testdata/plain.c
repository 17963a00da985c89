// What examples/heat-mpi leaves in plate.raw, by the region as it is. plain ROWS COLUMNS STEPS
#include <stdio.h>
#include <stdlib.h>
void heat(int n, int m, int steps, float *A);

int main(int argc, char **argv)
{
  const int n = argc > 3 ? atoi(argv[1]) : 0, m = argc > 3 ? atoi(argv[2]) : 0, steps = argc > 3 ? atoi(argv[3]) : 0;
  float *A = malloc(sizeof *A * 2 * (size_t)n * (size_t)m);
  for (int plane = 0; plane < 2; plane++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++) {
        const long y = i - n / 3, x = j - m / 2;
        A[(plane * (long)n + i) * m + j] = j == 0 || y * y + x * x < (long)n * n / 25;
      }
  heat(n, m, steps, A);
  FILE *f = fopen("plate.raw", "wb");
  fwrite(A, sizeof *A, 2 * (size_t)n * (size_t)m, f);
  free(A);
  return fclose(f);
}
