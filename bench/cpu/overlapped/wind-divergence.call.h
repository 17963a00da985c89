#define REAL double
#define FIELDS 5
#define OUTPUTS 1
#define L 64
#define N 256
#define M 256
#define CELLS ((L + 1L) * N * M)
#define VALUE(f, r) (f < 3 ? 20 * r - 10 : f == 3 ? 100 * (L - i / (N * M)) + 50 * r : 0)
static void call(double **f)
{
  typedef double (*field)[N][M];
  static double crlat[N];
  for (int j = 0; j < N; j++)
    crlat[j] = 1 - 0.001 * j;
  divergence(L, N, M, (field)f[0], (field)f[1], (field)f[2], (field)f[3], crlat, (field)f[4]);
}
