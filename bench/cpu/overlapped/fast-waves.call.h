#define REAL double
#define FIELDS 8
#define OUTPUTS 3
#define L 64
#define N 256
#define M 256
#define CELLS ((L + 1L) * N * M)
// The winds' tendencies, weights, heights, densities, and both winds and the pressure.
#define VALUE(f, r) (f < 2 ? r - 0.5 : f == 2 ? 0.5 + 0.25 * r : f == 3 ? 100 * (L - i / (N * M)) + 50 * r : f == 4 ? 1 + 0.25 * r : r)
static void call(double **f)
{
  typedef double (*field)[N][M];
  static double fx[N];
  for (int j = 0; j < N; j++)
    fx[j] = 0.0625 + 1e-5 * j;
  fast_waves(4, L, N, M, (field)f[5], (field)f[6], (field)f[0], (field)f[1], (field)f[2], (field)f[7], (field)f[3], (field)f[4], fx);
}
