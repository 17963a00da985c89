// Templates of functions whose arguments follow from those of calls: expressions of several types, elements of vectors, of arrays and of members, results of others.
// RUN 20 9 | 0 3 | 1 3 | 2 1 | 3 4 | 5 2 | 40 17
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using real = float;
struct Cells { int n; std::vector<float> w; double d[50]; };

template <class T> inline T minmod(T a, T b) { return a * b <= T(0) ? T(0) : std::abs(a) < std::abs(b) ? a : b; }
template <typename T> static T third(const T &a) { return a / 3; }
template <class T, class U> T mix(T a, U b) { return a + b / 2; }
template <class T> void relax(int n, const std::vector<T> &u, std::vector<T> &v, T c)
{
  for (int i = 1; i < n - 1; i++)
    v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1]);
}
static double half(float x) { return x / 2; }

static real grid[50][50];
static int marks[50];

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  std::vector<double> u(n + 2), v(n + 2);
  std::vector<float> a(n + 2), b(n + 2);
  Cells s;
  s.n = n;
  s.w.assign(n + 2, 0.5f);
  for (int i = 0; i < 50; i++) {
    marks[i] = i * 5 % 7;
    s.d[i] = i % 3;
    for (int j = 0; j < 50; j++)
      grid[i][j] = (i + 2 * j) % 9;
  }
  for (int i = 0; i < n + 2; i++) {
    u[i] = v[i] = i * 7 % 11;
    a[i] = b[i] = i * 3 % 7;
  }
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n + 1; i++)
      v[i] = u[i] - 0.1 * minmod(u[i] - u[i - 1], u[i + 1] - u[i]) + third(marks[i] + 1) + third(-marks[i]);
    for (int i = 1; i < n + 1; i++)
      b[i] = minmod(a[i] * 0.1f, third(a[i - 1] + a[i + 1])) + third(a[i] * 0.1) + third(std::sqrt(a[i])) + third(half(a[i]) + 1);
    for (int i = 1; i < n + 1; i++)
      s.w[i] = s.w[i] + third(s.w[i] / 2) + mix(marks[i] / 2, s.d[i]) + mix(s.d[i], marks[i] * 3) + minmod(grid[i][1] * 3, grid[1][i] + 0);
    relax(n + 2, v, u, 0.2);
    relax(n + 2, b, a, 0.2f);
  }
#pragma endscop
  for (int i = 0; i < n + 2; i++)
    printf("%.17g %.17g %.9g %.9g %.9g\n", u[i], v[i], a[i], b[i], s.w[i]);
}
