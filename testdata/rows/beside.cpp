// Another array, which a pointer leads to: it may lie in a row, and then rows are not copied.
// RUN 20 5 0 | 20 5 1 | 2 3 0 | 1 1 0 | 33 4 0 | 33 4 1 | 0 1 0
#include <cstdio>
#include <cstdlib>
#include <vector>
static void run(int steps, int n, std::vector<std::vector<double>> &a, std::vector<std::vector<double>> &b, const double *k) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = k[j] * (a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), steps = std::atoi(argv[2]), how = std::atoi(argv[3]);
  std::vector<std::vector<double>> u(n), v(n, std::vector<double>(n));
  for (int i = 0; i < n; i++) { u[i].resize(n); if (i % 4 == 1) v[i].reserve(3 * n); for (int j = 0; j < n; j++) u[i][j] = v[i][j] = (i * 7 + j * 5) % 13 * 0.05; }
  std::vector<double> k(n, 0.4);
  run(steps, n, u, v, how ? v[n / 2].data() : k.data());
  for (auto &r : u) for (double x : r) std::printf("%a\n", x);
}
