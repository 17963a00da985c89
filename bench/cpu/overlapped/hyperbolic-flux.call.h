#define REAL double
#define FIELDS 13
#define OUTPUTS 5
#define L 128
#define N 128
#define M 128
#define CELLS ((long)L * N * M)
#define VALUE(f, r) (f < 8 ? 2 * r - 1 : 0)
static void call(double **f)
{
  typedef double (*field)[N][M];
  static const double dxinv[3] = {0.5, 0.25, 0.125};
  fluxes(L, N, M, dxinv, (field)f[0], (field)f[1], (field)f[2], (field)f[3], (field)f[4], (field)f[5], (field)f[6], (field)f[7], (field)f[8], (field)f[9], (field)f[10], (field)f[11], (field)f[12]);
}
