// Vectors whose elements are arrays, templates of names of arrays, and assignments of whole arrays.
// RUN 60 5|9 30|3 2|97 0
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace lattice {
constexpr int Q = 3;
constexpr std::array<int, Q> c{0, 1, -1};
constexpr std::array<double, Q> w{4.0 / 6, 1.0 / 6, 1.0 / 6};
}  // namespace lattice

using Node = std::array<double, lattice::Q>;
template <typename T, std::size_t R, std::size_t C>
using Table = std::array<std::array<T, C>, R>;
constexpr int rows{4};
template <class T, int N = 5>
using Row = std::array<T, N>;

static Table<float, rows, 120> weights{};
static Row<double> edge{{1, 2, 3, 4, 5}};

class Lattice {
 public:
  explicit Lattice(int n) : n_(n), f_(n), g_(n) {
    for (int i = 0; i < n; ++i)
      for (int q = 0; q < lattice::Q; ++q) f_[i][q] = g_[i][q] = lattice::w[q] * (1 + i % 7);
  }
  int size() const { return n_; }
  double density(int i) const {
    const Node &here = f_[i];
    return here[0] + here[1] + here[2];
  }
  void step(double omega) {
    for (int i = 1; i < n_ - 1; ++i) {
      Node in;
      double rho = 0;
      for (int q = 0; q < lattice::Q; ++q) {
        in[q] = f_[i - lattice::c[q]][q];
        rho += in[q];
      }
      for (int q = 0; q < lattice::Q; ++q) g_[i][q] = in[q] + omega * (lattice::w[q] * rho - in[q]) + weights[q][i % 8] + edge[q];
    }
    for (int i = 1; i < n_ - 1; ++i) f_[i] = g_[i];
  }
  const Node &at(int i) const { return f_[i]; }

 private:
  int n_;
  std::vector<Node> f_, g_;
};

static void shift(int n, int steps, std::vector<Node> &a, std::vector<std::array<double, 3>> &b, std::vector<std::array<int, 2>> &marks) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      if (marks[i][0] > marks[i][1])
        b[i] = a[i - 1];
      else {
        b[i][0] = 0.5 * a[i][0];
        b[i][1] = a[i + 1][1] - a[i][2];
        b[i][2] = a[i][2] + marks[i][1];
      }
    std::swap(a, b);
  }
#pragma endscop
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50, steps = argc > 2 ? std::atoi(argv[2]) : 8;
  std::vector<Node> a(n), b(n);
  std::vector<std::array<int, 2>> marks(n);
  for (int i = 0; i < n; ++i) {
    a[i] = {i % 5 * 0.5, i % 3 * 0.25, 1.0};
    b[i] = a[i];
    marks[i] = {i % 4, i % 3};
    weights[i % rows][i % 8] = 0.125f * (i % 6);
  }
  shift(n, steps, a, b, marks);
  Lattice lattice(n);
#pragma scop
  for (int t = 0; t < steps; ++t) lattice.step(0.75);
#pragma endscop
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + a[i][0] + 2 * a[i][1] + 3 * a[i][2] + lattice.density(i) + lattice.at(i)[1];
  std::printf("%.17g\n", sum);
}
