// The grid of COSMO's benchmarks.
#define N 256
#define M 256
#define K 64
extern double in[K][N][M], out[K][N][M], coeff[K][N][M];
void hd(void);
