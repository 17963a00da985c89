// Loops that stay on the host, with names of namespaces and of classes.
// RUN 60|3|0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
namespace model {
using real = double;
static real tolerance = 1e-3, u[80], v[80], error, total;
enum Kind { open, closed };
static Kind kinds[80];
template <class T>
struct Rules {
  static constexpr T share = T(0.25);
};
}  // namespace model
struct Solver {
  static constexpr double omega = 0.5;
  static int most, done;
  static double last;
};
int Solver::most = 50, Solver::done = 0;
double Solver::last = 0;

static int solve(int n) {
  int it = 0;
#pragma scop
  for (it = 0; model::tolerance < model::error && it < Solver::most; ++it) {
    model::error = 0;
    for (int i = 1; i < n - 1; ++i) model::v[i] = model::Rules<float>::share * (model::u[i - 1] + model::u[i + 1]) + Solver::omega * model::u[i] + Solver::last;
    for (int i = 1; i < n - 1; ++i) model::error = std::max(model::error, std::fabs(model::v[i] - model::u[i]));
    for (int i = 1; i < n - 1; ++i) model::u[i] = model::kinds[i] == model::closed ? model::u[i] : model::v[i];
  }
#pragma endscop
  return it;
}

static void sum(int n) {
#pragma scop
  for (int t = 0; t < Solver::most; ++t) {
    model::total = 0;
    for (int i = 0; i < n; ++i) model::total += model::u[i];
    const model::real mean = model::total / n;
    for (int i = 1; i < n - 1; ++i) model::u[i] = model::u[i] * Solver::omega + mean * model::Rules<double>::share;
    Solver::last = mean;
  }
#pragma endscop
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 80;
  for (int i = 0; i < n; ++i) model::u[i] = i * i % 11, model::kinds[i] = i % 9 == 4 ? model::closed : model::open;
  model::error = 1;
  Solver::done = solve(n);
  Solver::most = 4;
  sum(n);
  double x = 0;
  for (int i = 0; i < n; ++i) x = x * 0.97 + model::u[i];
  std::printf("%d %.12g %.12g %.12g\n", Solver::done, x, model::error, Solver::last);
}
