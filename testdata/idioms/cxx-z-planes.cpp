// Planes of a std::array of vectors by their numbers, and references to them.
// RUN 0 5 6|1 3 4|2 4 3|7 23 8|12 31 37
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
int main(int argc, char **argv) {
  const std::size_t n = argc > 2 ? std::atoi(argv[2]) : 101, m = argc > 3 ? std::atoi(argv[3]) : 67;
  const int steps = argc > 1 ? std::atoi(argv[1]) : 25;
  std::array<std::vector<double>, 3> fields;
  for (auto &f : fields) f.assign(n * m, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      fields[0][i * m + j] = fields[1][i * m + j] = std::sin(0.1 * i) * std::cos(0.07 * j);
  const double c2 = 0.25;
  int prev = 0, cur = 1, next = 2;
#pragma scop
  for (int s = 0; s < steps; ++s) {
    const auto &up = fields[prev];
    const auto &u = fields[cur];
    auto &un = fields[next];
    for (std::size_t i = 1; i < n - 1; ++i)
      for (std::size_t j = 1; j < m - 1; ++j) {
        const auto k = i * m + j;
        un[k] = 2 * u[k] - up[k] + c2 * (u[k - 1] + u[k + 1] + u[k - m] + u[k + m] - 4 * u[k]);
      }
    int tmp = prev;
    prev = cur;
    cur = next;
    next = tmp;
  }
#pragma endscop
  double e = 0;
  for (std::size_t k = 0; k < n * m; ++k) e += fields[cur][k] * (1 + k % 7);
  std::printf("%.17g\n", e);
}
