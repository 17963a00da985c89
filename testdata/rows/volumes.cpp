// Vectors of vectors of vectors.
// RUN 9 4 | 3 3 | 20 5 | 0 1 | 1 1 | 2 2
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  std::vector<std::vector<std::vector<double>>> u(n, std::vector<std::vector<double>>(n, std::vector<double>(n, 1.0))), v(n, std::vector<std::vector<double>>(n, std::vector<double>(n)));
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) u[i][j][k] = v[i][j][k] = (i + j * 3 + k * 7) % 11;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          v[i][j][k] = 0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          u[i][j][k] = v[i][j][k];
  }
#pragma endscop
  for (auto &p : u) for (auto &r : p) for (double x : r) std::printf("%a\n", x);
}
