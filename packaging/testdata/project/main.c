#include <stdio.h>

void stencil(int steps, int n, float A[2][n]);
float rest(float x);

int main(void)
{
  static float A[2][1000];
  for (int n = 1000, k = 0; k < 3; k++) {
    for (int i = 0; i < 2 * n; i++)
      (&A[0][0])[i] = (i * 37 + k) % 101;
    stencil(50 + k, n, A);
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += A[k % 2][i] * (i % 7);
    printf("%a\n", rest(sum));
  }
  return 0;
}
