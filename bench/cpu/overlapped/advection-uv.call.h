#define REAL double
#define FIELDS 4
#define OUTPUTS 2
#define L 64
#define N 256
#define M 256
#define CELLS ((long)L * N * M)
#define VALUE(f, r) (f < 2 ? 20 * r - 10 : 0)
static void call(double **f)
{
  typedef double (*field)[N][M];
  static double acrlat[N], tgrlat[N];
  for (int j = 0; j < N; j++)
    acrlat[j] = 1.0 / (512 - j), tgrlat[j] = 1e-5 * j;
  advect(L, N, M, (field)f[0], (field)f[1], (field)f[2], (field)f[3], acrlat, tgrlat);
}
