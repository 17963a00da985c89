// A time loop in C++ that ends by a time.
// RUN 0|1|40
#include <cstdio>
#include <cstdlib>
#include <cmath>
#define N 90
static double u[N][N], v[N][N];
int main(int argc, char **argv)
{
  const double end = 0.01 * (argc > 1 ? std::atoi(argv[1]) : 60);
  double time = 0, dt = 0.01;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) u[i][j] = v[i][j] = (i*3+j)%5;
#pragma scop
  while (time < end) {
    double src = std::sin(6.28 * time);
    for (int i = 1; i < N-1; i++) for (int j = 1; j < N-1; j++) v[i][j] = u[i][j] + 0.1*(u[i-1][j]+u[i+1][j]+u[i][j-1]+u[i][j+1]-4*u[i][j]);
    for (int i = 1; i < N-1; i++) for (int j = 1; j < N-1; j++) u[i][j] = v[i][j];
    u[50][60] += dt * src;
    time += dt;
  }
#pragma endscop
  double e = 0; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) e += u[i][j] * (i ^ j);
  printf("%.15g %.17g\n", e, time);
}
