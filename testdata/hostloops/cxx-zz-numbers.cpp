// Dimensions that are constants of classes and arguments of templates, which are constants of functions and of the file.
// RUN 20 9 | 0 3 | 1 3 | 2 1 | 3 4 | 5 2 | 40 17
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int width = 2, K = 9;
struct World {
  static constexpr int N = 48, M = N + 2;
  double c[N][M];
  double d[N][M];
};
template <int R> struct Weights {
  double w[2 * R + 1];
  Weights()
  {
    for (int k = -R; k <= R; k++)
      w[k + R] = 1.0 / (2 * R + 1) + 0.01 * k;
  }
};
template <int K> struct Few {
  double w[K];
};
template <int R> double reach(double x) { return x / R; }
static World world;

static inline double around(const World &w, int i, int j)
{
  return w.c[(i + 1) % World::N][j] + w.c[(i + World::N - 1) % World::N][(j + 1) % World::M];
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  constexpr int R = width + 1;
  Weights<R> far;
  Weights<width> near;
  Few<R> few;
  Few<4> more;
  for (int k = 0; k < K; k++)
    (k < R ? few.w[k] : more.w[k % 4]) = 0.125 * k;
  std::vector<double> a(n + 2 * R), b(n + 2 * R);
  for (int i = 0; i < n + 2 * R; i++)
    a[i] = b[i] = i % 9;
  for (int i = 0; i < World::N; i++)
    for (int j = 0; j < World::M; j++)
      world.c[i][j] = (i * (n + 3) + j * 7) % 5;
  World &w = world;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < World::N; i++)
      for (int j = 0; j < World::M; j++)
        w.d[i][j] = 0.25 * around(w, i, j) + reach<R>(w.c[i][j]);
    for (int i = 0; i < World::N; i++)
      for (int j = 0; j < World::M; j++)
        w.c[i][j] = w.d[i][j];
    for (int i = R; i < n + R; i++) {
      double s = 0;
      for (int k = -R; k <= R; k++)
        s += far.w[k + R] * a[i + k];
      b[i] = s + few.w[2] + more.w[1] + near.w[2 * width] * reach<width>(a[i]);
    }
    a.swap(b);
  }
#pragma endscop
  for (int i = 0; i < n + 2 * R; i++)
    printf("%.17g %.17g\n", a[i], b[i]);
  for (int i = 0; i < World::N; i++)
    printf("%.17g %.17g\n", world.c[i][3], world.d[i][World::M - 1]);
}
