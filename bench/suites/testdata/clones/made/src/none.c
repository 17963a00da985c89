static double A[100], B[100];
void step(int steps)
{
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 99; i++)
      B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < 99; i++)
      A[i] = B[i];
  }
}
