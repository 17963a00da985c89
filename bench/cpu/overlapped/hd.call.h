double in[K][N][M], out[K][N][M], coeff[K][N][M];
#define REAL double
#define FIELDS 3
#define OUTPUTS 1
#define CELLS ((long)K * N * M)
#define VALUE(f, r) (f == 0 ? 160 * r : f == 1 ? 0.16 * r : 0)
static void call(double **f)
{
  static int filled;
  if (!filled++)
    memcpy(in, f[0], sizeof in), memcpy(coeff, f[1], sizeof coeff);
  hd();
  f[2] = out[0][0];
}
