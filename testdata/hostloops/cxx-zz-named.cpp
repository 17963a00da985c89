// References to members of structs, that are vectors, objects and numbers, declared in front of a region: by auto and by their types, one by another.
// RUN 20 9 | 0 3 | 1 3 | 2 1 | 3 4 | 5 2 | 40 17
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::vector<double> field;
struct Part { std::vector<double> p; double k; };
struct Grid {
  int n;
  std::vector<double> a;
  Grid(int n) : n(n), a(n + 2) {}
  double &operator()(int i) { return a[i]; }
  double operator()(int i) const { return a[i]; }
};
struct State {
  std::vector<double> h, g;
  int n;
  Part part;
  Grid u, v;
  State(int n) : h(n + 2), g(n + 2), n(n), part{std::vector<double>(n + 2, 0.25), 0.5}, u(n), v(n) {}
};

static void advance(State &s, State *other, int steps)
{
  auto &h = s.h;
  field &g = s.g;
  auto &part = s.part;
  const auto &p = part.p;
  const double &k = s.part.k;
  auto &u = s.u;
  Grid &v = s.v;
  std::vector<double> &left = other->h;
  const int n = s.n;
  std::fill(g.begin(), g.end(), 0.125);
  if (n > 2)
    h[2] = 7;
  {
    auto &first = other->g;
    first[0] = 3;
  }
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i <= n; i++)
      g[i] = k * (h[i - 1] + h[i + 1]) + p[i] * left[i];
    for (int i = 1; i <= n; i++) {
      v(i) = 0.5 * u(i - 1) + s.g[i];
      left[i] += 0.125 * u.a[i];
    }
    for (int i = 1; i <= n; i++)
      u(i) = v(i);
    std::swap(h, g);
  }
#pragma endscop
  h.push_back(g[0]);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  State s(n), other(n);
  for (int i = 0; i < n + 2; i++) {
    s.h[i] = i * 7 % 11;
    s.u(i) = i * 5 % 7;
    other.h[i] = i % 3;
  }
  advance(s, &other, steps);
  for (int i = 0; i < n + 2; i++)
    printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", s.h[i], s.g[i], s.u(i), s.v(i), other.h[i], other.g[i]);
}
