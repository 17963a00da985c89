// Gauss-Seidel in place over nine points, as PolyBench's seidel-2d: each point uses what the sweep has just computed.
#define SCALAR_VAL(x) x
#define _PB_N n
#define _PB_TSTEPS tsteps

void kernel_seidel_2d(int tsteps, int n, double A[n][n])
{
  int t, i, j;
#pragma scop
  for (t = 0; t <= _PB_TSTEPS - 1; t++)
    for (i = 1; i<= _PB_N - 2; i++)
      for (j = 1; j <= _PB_N - 2; j++)
	A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1]
		   + A[i][j-1] + A[i][j] + A[i][j+1]
		   + A[i+1][j-1] + A[i+1][j] + A[i+1][j+1])/SCALAR_VAL(9.0);
#pragma endscop
}

