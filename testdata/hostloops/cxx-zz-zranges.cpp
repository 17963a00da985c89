// Loops over all elements of vectors that gather, beside output, and exchanges in a loop that ends by a value.
// RUN 30 9|3 2|5 0|17 30
#include <vector>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <algorithm>
struct P { double a, b; };
int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 30, steps = argc > 2 ? atoi(argv[2]) : 9;
  std::vector<double> u(n * n), v(n * n);
  std::vector<P> p(n * n);
  for (int k = 0; k < n * n; k++) u[k] = v[k] = k * 37 % 101 * 0.01;
  double most = 0, s = 0; int count = 0;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        v[i * n + j] = 0.25 * (u[i * n - n + j] + u[i * n + n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
    s = 0;
    for (double x : v) s += x * x;
    most = 0;
    for (const auto &x : v) most = std::max(most, std::abs(x));
    for (auto &x : v) { x *= 0.99; s += x; }
    for (double x : v) if (x > 0.5) count += 1;
    for (auto &[a, b] : p) { a += 0.5 * b; b += 0.25; }
    printf("%d %.17g %.17g\n", t, s, most);
    std::swap(u, v);
    if (s < 1e-3) break;
    std::fill(v.begin(), v.end(), most);
    std::copy(u.begin(), u.end(), v.begin());
  }
#pragma endscop
  for (const auto &x : p) s += x.a + 2 * x.b;
  for (double x : u) s += x;
  printf("%.17g %d\n", s, count);
}
