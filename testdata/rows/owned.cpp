// Arrays that objects own: std::unique_ptr of many declarations.
// RUN 50 5 | 17 4 | 3 3 | 1 0
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
using Buffer = std::unique_ptr<float[]>;
static void smooth(int n, int steps, Buffer &a, Buffer &b) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.3f * (a[i - 1] + a[i] + a[i + 1]);
    std::swap(a, b);
  }
#pragma endscop
}
int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50, steps = argc > 2 ? std::atoi(argv[2]) : 7;
  auto u = std::make_unique<double[]>(n * n);
  const auto k = std::make_unique<double[]>(n);
  std::unique_ptr<double[]> v(new double[n * n]), w{new double[n * n]()};
  for (int i = 0; i < n * n; i++) u[i] = v[i] = w[i] = i % 17;
  for (int i = 0; i < n; i++) k[i] = 0.2 + i * 1e-3;
  auto idx = [n](int i, int j) { return i * n + j; };
  auto lap = [&](const double *a, int i, int j) { return a[idx(i - 1, j)] + a[idx(i + 1, j)] + a[idx(i, j - 1)] + a[idx(i, j + 1)] - 4 * a[idx(i, j)]; };
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[idx(i, j)] = u[idx(i, j)] + k[i] * lap(u.get(), i, j) + 1e-3 * w[idx(i, j)];
    std::swap(u, v);
  }
#pragma endscop
  Buffer a = std::make_unique<float[]>(n), b(new float[n]);
  for (int i = 0; i < n; i++) a[i] = b[i] = u[i * n + i];
  smooth(n, steps, a, b);
  for (int i = 0; i < n * n; i++) std::printf("%a\n", u[i]);
  for (int i = 0; i < n; i++) std::printf("%a\n", a[i]);
}
