// Loops that the host runs, with exchanges of objects, of their members and of vectors.
// RUN 20 5|33 9|3 4|9 0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
struct State {
  int nx, ny;
  std::vector<double> h, w;
  State(int nx, int ny) : nx(nx), ny(ny), h(nx * ny), w(nx * ny) {}
  int at(int i, int j) const { return i * ny + j; }
};

static void step(const State &s, State &o, double c) {
  for (int i = 1; i < s.nx - 1; ++i)
    for (int j = 1; j < s.ny - 1; ++j) {
      const int k = s.at(i, j);
      o.h[k] = 0.25 * (s.h[s.at(i - 1, j)] + s.h[s.at(i + 1, j)] + s.h[k - 1] + s.h[k + 1]) - c * s.w[k];
      o.w[k] = s.w[k] + c * (s.h[k + 1] - s.h[k - 1]);
    }
}

static double until(State &a, State &b, double end) {
  double time = 0, dt = 0.01;
#pragma scop
  while (time < end) {
    step(a, b, 0.05);
    std::swap(a, b);
    time += dt;
  }
#pragma endscop
  return time;
}

static double members(State &a, State &b, double end) {
  double time = 0, dt = 0.02;
#pragma scop
  while (time < end) {
    step(a, b, 0.07);
    a.h.swap(b.h);
    std::swap(a.w, b.w);
    time += dt;
  }
#pragma endscop
  return time;
}

static int converge(std::vector<double> &u, std::vector<double> &v, int n, double least) {
  int it = 0;
  double most = least + 1;
#pragma scop
  while (most > least && it < 60) {
    most = 0;
    for (int i = 1; i < n - 1; ++i) {
      v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
      most = std::max(most, std::fabs(v[i] - u[i]));
    }
    std::swap(u, v);
    ++it;
  }
#pragma endscop
  return it;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 20, steps = argc > 2 ? std::atoi(argv[2]) : 5;
  State a(n, n + 1), b(n, n + 1);
  for (std::size_t k = 0; k < a.h.size(); ++k) a.h[k] = b.h[k] = k * 7 % 11, a.w[k] = b.w[k] = k % 3;
  double time = until(a, b, steps * 0.01 - 0.001) + members(a, b, steps * 0.02 - 0.001);
  int its = converge(a.h, a.w, n * n, 0.2);
  std::printf("%a %d\n", time, its);
  for (std::size_t k = 0; k < a.h.size(); ++k) std::printf("%a %a %a %a\n", a.h[k], a.w[k], b.h[k], b.w[k]);
}
