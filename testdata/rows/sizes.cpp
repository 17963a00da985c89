// Sizes of rows as bounds: rows of one size, of others, all the same grid, rows with gaps between them.
// RUN 20 30 5 0 | 20 30 5 1 | 20 30 5 2 | 20 30 5 3 | 0 0 3 0 | 1 0 3 0 | 3 0 3 0 | 5 3 4 1 | 3 3 2 0 | 40 25 9 3
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef std::vector<float> Row;
typedef std::vector<Row> Grid;
static void run(int steps, Grid &a, Grid &b) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (std::size_t i = 1; i + 1 < a.size(); i++)
      for (std::size_t j = 1; j + 1 < a[i].size(); j++)
        b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (std::size_t i = 1; i + 1 < a.size(); i++)
      for (std::size_t j = 1; j + 1 < a[i].size(); j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]), m = std::atoi(argv[2]), steps = std::atoi(argv[3]), how = std::atoi(argv[4]);
  Grid u, v;
  for (int i = 0; i < n; i++) {
    int len = how == 1 ? m + i % 3 : m;
    if (how == 1 && i == n - 1) len = m + 9;
    Row r(len);
    for (int j = 0; j < len; j++) r[j] = (i * 7 + j * 5) % 13;
    u.push_back(r);
    v.push_back(r);
    if (how == 3) { u.shrink_to_fit(); u.back().reserve(len + 7 * i % 11); }
  }
  if (how == 1) for (int i = 0; i < n; i++) { u[i].resize(m + 9); v[i].resize(m + 9); u[i].resize(m + (i == 0 || i == n - 1 ? 5 : i % 3)); v[i].resize(m + 5); }
  run(steps, u, how == 2 ? u : v);
  for (auto &r : u) for (float x : r) std::printf("%a\n", x);
  for (auto &r : v) for (float x : r) std::printf("%a\n", x);
}
