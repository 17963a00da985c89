// Vectors of vectors that are exchanged, of which one is a copy of the other.
// RUN 50 7 | 3 2 | 1 1 | 33 4 | 20 0
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <utility>
using Grid = std::vector<std::vector<float>>;
void step(const Grid &in, Grid &out) {
  for (size_t i = 1; i + 1 < in.size(); i++)
    for (size_t j = 1; j + 1 < in[i].size(); j++)
      out[i][j] = 0.25f * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
}
int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 300, steps = argc > 2 ? std::atoi(argv[2]) : 40;
  Grid u(n, std::vector<float>(n, 0.0f)), v = u;
  for (int i = 0; i < n; i++) u[i][0] = v[i][0] = 1.0f;
#pragma scop
  for (int t = 0; t < steps; t++) {
    step(u, v);
    std::swap(u, v);
  }
#pragma endscop
  double s = 0;
  for (auto &row : u)
    for (float x : row)
      std::printf("%a\n", x), s += x;
  std::printf("%a\n", s);
}
