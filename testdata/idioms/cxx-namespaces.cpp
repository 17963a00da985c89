// Arrays, structs, types and numbers of namespaces, and types that headers declare in std alone.
// RUN 40 9|7 33|3 2|90 0
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace model {
using real = double;
typedef unsigned char level;
struct Cell {
  real heat;
  int steps;
};
struct Field {
  real *u;
  std::size_t n;
};
static const real weight[3] = {0.25, 0.5, 0.25};
static Cell cells[100];
static real source[100];
static Field field;
constexpr int least = 1;
inline std::size_t twice(std::size_t i) { return 2 * i; }
}  // namespace model

static void run(std::vector<float> &a, int steps) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (std::size_t i = model::least; i + 1 < model::field.n; ++i) {
      const model::real x = model::field.u[i - 1] + model::field.u[i + 1];
      model::cells[i].heat = model::weight[1] * model::cells[i].heat + model::weight[0] * x + (model::level)(model::twice(i) + 250);
      a[i] = static_cast<float>(x) + model::source[i];
    }
    for (std::size_t i = 1; i + 1 < model::field.n; ++i)
      model::field.u[i] = model::cells[i].heat / 1024 + a[i] * 0.125;
  }
#pragma endscop
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::stoi(argv[1]) : 50, steps = argc > 2 ? std::stoi(argv[2]) : 10;
  std::vector<double> u(n);
  std::vector<float> a(n);
  for (int i = 0; i < n; ++i) u[i] = model::cells[i].heat = i % 7, model::source[i] = i % 3 * 0.5;
  model::field = {u.data(), u.size()};
  run(a, steps);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + u[i] + model::cells[i].heat + a[i];
  std::printf("%.17g\n", sum);
}
