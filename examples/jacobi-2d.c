/* Jacobi iteration on a square grid: each step replaces every inner point by a
   weighted sum of itself and its four neighbours. The two halves of A hold the
   old and the new values in turn. */
#include <stdio.h>
#include <stdlib.h>

void jacobi_2d(int steps, int n, float A[2][n][n])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j]
                                       + A[t % 2][i + 1][j] + A[t % 2][i][j - 1]
                                       + A[t % 2][i][j + 1]);
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int steps = argc > 2 ? atoi(argv[2]) : 100;
  if (n < 1 || steps < 0)
    return fprintf(stderr, "usage: %s [n] [steps]\n", argv[0]), 1;
  float(*A)[n][n] = malloc(sizeof(float[2][n][n]));
  if (!A)
    return perror("malloc"), 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[0][i][j] = A[1][i][j] = (float)((i * 7 + j * 13) % 101) / 101;
  jacobi_2d(steps, n, A);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += A[steps % 2][i][j];
  printf("n = %d, steps = %d, mean = %.9f\n", n, steps, sum / n / n);
  free(A);
  return 0;
}
