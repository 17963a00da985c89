// Arrays and vectors by names of their types.
// RUN 5|0|30
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int n = 60;
using Row = std::array<float, n>;
Row a, b;
static const Row source = {1, 2, 3};
namespace q {
using Table = std::array<std::array<double, 8>, n>;
using Vec = std::vector<double>;
static Table m, k;
}  // namespace q

static double run(int steps, const q::Vec &z) {
  q::Vec u(n, 1.0), v(n);
  Row l{};
  const Row w{{0.5f, 0.25f}};
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i) b[i] = 0.25f * (a[i - 1] + a[i + 1]) + source[i] + w[1];
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < 7; ++j) q::k[i][j] = q::m[i - 1][j] + b[i] + z[i];
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < 7; ++j) q::m[i][j] = q::k[i][j] / 4;
    for (int i = 1; i < n - 1; ++i) {
      a[i] = b[i];
      v[i] = u[i - 1] + l[i];
    }
    for (int i = 1; i < n - 1; ++i) {
      u[i] = v[i] / 2;
      l[i] = a[i];
    }
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + u[i] + l[i] + q::m[i][3];
  return sum;
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 8;
  for (int i = 0; i < n; ++i) a[i] = i % 7;
  q::Vec z(n, 0.5);
  double sum = run(steps, z);
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + a[i];
  std::printf("%.17g\n", sum);
}
