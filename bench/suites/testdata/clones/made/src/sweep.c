static double A[100];
void step(int steps)
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < 99; i++)
      A[i] = A[i - 1] + A[99 - i];
}
