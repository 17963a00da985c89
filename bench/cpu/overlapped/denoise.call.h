#define REAL float
#define FIELDS 2
#define OUTPUTS 1
#define L 128
#define N 128
#define M 128
#define CELLS (2L * L * N * M) // two pictures by turns
#define VALUE(f, r) (1 + r)
static void call(float **f)
{
  denoise(4, L, N, M, (float (*)[L][N][M])f[1], (float (*)[N][M])f[0]);
}
