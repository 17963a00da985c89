#define REAL double
#define FIELDS 4
#define OUTPUTS 1
#define L 160
#define N 160
#define M 160
#define CELLS ((long)L * N * M)
// Density, the step before, this one, and the next.
#define VALUE(f, r) (f == 0 ? 1 + r : r)
static void call(double **f)
{
  typedef double (*field)[N][M];
  static double one[M];
  for (int i = 0; i < M; i++)
    one[i] = 1 - 0.001 * i;
  damp(L, N, M, 0.001, (field)f[3], (field)f[2], (field)f[1], (field)f[0], one, one, one, one, one, one, one, one, one);
}
