// Traces that grow by what each step has computed.
// RUN 40 30 12|7 5 3|9 8 0|33 17 30
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using Field = std::vector<std::vector<double>>;

static double wavelet(int t) { return t < 6 ? 0.25 * t * (6 - t) : 0; }

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20, m = argc > 2 ? std::atoi(argv[2]) : 10, steps = argc > 3 ? std::atoi(argv[3]) : 5;
  Field u(n, std::vector<double>(m)), v(n, std::vector<double>(m)), w(n, std::vector<double>(m));
  std::vector<double> trace, energy;
  trace.reserve(steps);
  const int si = n / 2, sj = m / 2, ri = n / 3, rj = m / 3;
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) w[i][j] = 2 * v[i][j] - u[i][j] + 0.1 * (v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1] - 4 * v[i][j]);
    w[si][sj] += wavelet(t);
    trace.push_back(w[ri][rj]);
    std::swap(u, v);
    std::swap(v, w);
  }
#pragma endscop
#pragma scop
  for (int t = 0; t < steps; ++t) {
    double sum = 0;
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) {
        w[i][j] = 0.5 * v[i][j];
        sum += v[i][j] * v[i][j];
      }
    energy.emplace_back(sum + t);
    std::swap(v, w);
  }
#pragma endscop
  double all = 0;
  for (double x : trace) all = all * 0.99 + x;
  for (double x : energy) all = all * 0.99 + x;
  std::printf("%zu %zu %.17g %.17g\n", trace.size(), energy.size(), all, v[si][sj]);
}
