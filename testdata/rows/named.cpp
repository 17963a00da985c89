// Vectors and parameters of one name, and several numbers that one declaration makes of text.
// RUN 20 5 | 9 4 | 3 1 | 40 13
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static void slope(const std::vector<double> &u, std::vector<double> &k, int n) {
  for (int i = 1; i < n - 1; ++i) k[i] = u[i + 1] - u[i - 1];
}
int main(int argc, char **argv) {
  int n = argc > 1 ? std::stoi(argv[1]) : 20, steps = argc > 2 ? std::stoi(argv[2]) : 5, last;
  double by = std::stod("0.25"), to{0.5};
  std::vector<double> u(n, 1.0), k(n);
  last = n - 1;
  for (int i = 0; i < n; ++i) u[i] = i * 7 % 5;
#pragma scop
  for (int s = 0; s < steps; ++s) {
    slope(u, k, n);
    for (int i = 1; i < last; ++i) u[i] = to * u[i] + by * (k[i + 1] + k[i - 1]);
  }
#pragma endscop
  for (double x : u) std::printf("%a\n", x);
}
