/* jacobi-2d.hex_host.cu: hexcc made this from examples/jacobi-2d.c. */
#include "jacobi-2d.hex.h"
#line 1 "examples/jacobi-2d.c"
/* Jacobi iteration on a square grid: each step replaces every inner point by a
   weighted sum of itself and its four neighbours. The two halves of A hold the
   old and the new values in turn. */
#include <stdio.h>
#include <stdlib.h>

void jacobi_2d(int steps, int n, float A[2][n][n])
{
  {
    (void)(void (*)( /* an error here: hexcc misread a type */
      char hexcc_steps_is_int[sizeof(steps) == 4 && sizeof(steps + 0L) == 8 && (__typeof__(steps + 0))-1 < 0
        ? 1 : -1],
      char hexcc_n_is_int[sizeof(n) == 4 && sizeof(n + 0L) == 8 && (__typeof__(n + 0))-1 < 0 ? 1 : -1],
      char hexcc_A_is_float[sizeof(A[0][0][0]) == 4 && sizeof(A[0][0][0] + 0L) == 4 ? 1 : -1]))0;
    /* hexcc: on the GPU, see jacobi-2d.hex_kernel.cu */
    if (hexcc_jacobi_2d_0(steps, n, (float *)(&A[0][0][0])) != 0)
      hexcc_jacobi_2d_stop(); /* says why on stderr, and aborts */
  }
#line 17 "examples/jacobi-2d.c"
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
