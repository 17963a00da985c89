// Objects of classes in regions: what TestObjects builds as it is and translated.
#include "grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

using fields::Grid;

// Objects that are exchanged, their private members, indices that methods compute.
void heat(Grid<double> &u, Grid<double> &v, int steps) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = Grid<>::halo; i < u.rows() - 1; ++i)
      for (int j = 1; j < u.cols() - 1; ++j)
        v(i, j) = 0.5 * u(i, j) + 0.125 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
    std::swap(u, v);
  }
#pragma endscop
}

// A region in a template of functions, of which the file uses one.
template <class T>
void waves(Grid<T> &u, const Grid<T> &speed, Grid<T> &before, int steps) {
  const int rows = u.rows(), cols = u.cols();
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < rows - 1; ++i)
      for (int j = 1; j < cols - 1; ++j)
        before(i, j) = T(2) * u(i, j) - before(i, j) + T(0.01) * speed(i, j) * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
    for (int i = 1; i < rows - 1; ++i)
      for (int j = 1; j < cols - 1; ++j) {
        const T x = u(i, j);
        u(i, j) = before(i, j);
        before(i, j) = x;
      }
  }
#pragma endscop
}

// Functions that take objects, views that are exchanged, lambdas with and without copies.
static void upwind(const fields::View &q, fields::View &to, float c) {
  for (int i = 1; i < q.n; ++i)
    for (int j = 1; j < q.m; ++j)
      to[i][j] = q.at(i, j) - c * (q.at(i, j) - q.at(i - 1, j)) - c * (q.at(i, j) - q.at(i, j - 1));
}

void advect(fields::View q, fields::View r, int steps) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    upwind(q, r, 0.25f);
    std::swap(q, r);
  }
#pragma endscop
}

struct Rates {
  double diffusion = 0.1, feed = 0.04;
};

// A region in a method: members without this, numbers in arrays and structs, a lambda.
class Reaction {
  static constexpr int species = 2;

 public:
  Reaction(int n, int m) : n(n), m(m), u(new double[n * m]()), v(n * m, 0.5) {
    for (int k = 0; k < n * m; ++k) u[k] = k % 7 * 0.125;
  }
  void run(int steps) {
    const auto at = [=](int i, int j) { return i * m + j; };
#pragma scop
    for (int t = 0; t < steps; ++t) {
      for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < this->m - 1; ++j) {
          const double lap = u[at(i - 1, j)] + u[at(i + 1, j)] + u[at(i, j - 1)] + u[at(i, j + 1)] - 4 * u[at(i, j)];
          v[at(i, j)] = limited(u[at(i, j)] + rates.diffusion * lap + weights[1] * rates.feed * (1 - u[at(i, j)]));
        }
      for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < m - 1; ++j) value(i, j) = v[at(i, j)];
    }
#pragma endscop
  }
  double sum() const {
    double s = 0;
    for (int k = 0; k < n * m; ++k) s = s * 0.99 + u[k];
    return s;
  }

 private:
  double limited(double x) const { return std::min(1.0, std::max(x, 0.0)); }
  double &value(int i, int j) { return u[i * m + j]; }
  int n, m;
  std::unique_ptr<double[]> u;
  std::vector<double> v;
  std::array<double, species> weights{{0.25, 0.5}};
  Rates rates;
};

// Static members: constants of a class and of a template, private ones that a method reads, numbers that are defined outside of the class.
namespace physics {
template <class T>
struct Scheme {
  static constexpr T near = T(0.125), far = T(0.0625);
  static constexpr int radius{2};
};
class Source {
  static constexpr float strength = 0.75f;
  static const int width = 3;

 public:
  static const int steady = 1;
  static constexpr auto decay = 0.5;
  static double level, floor;
  double at(double x) const { return strength * x + width; }
};
double Source::level = 0.25, Source::floor = 0.125;
}  // namespace physics

class Rod {
  static constexpr float keep = 0.5f;
  std::vector<double> u, v;
  physics::Source source;

 public:
  explicit Rod(int n) : u(n), v(n) {
    for (int i = 0; i < n; ++i) u[i] = v[i] = i % 5;
  }
  void run(int steps) {
    const int n = u.size();
#pragma scop
    for (int t = 0; t < steps; ++t) {
      for (int i = physics::Scheme<float>::radius; i < n - 2; ++i)
        v[i] = keep * u[i] + physics::Scheme<double>::near * (u[i - 1] + u[i + 1]) + Rod::keep * physics::Scheme<float>::far * (u[i - 2] + u[i + 2]) + this->keep * physics::Source::level;
      for (int i = 2; i < n - 2; ++i) u[i] = v[i];
    }
#pragma endscop
  }
  void heated(std::vector<double> &a, int steps) {
    const int n = u.size();
#pragma scop
    for (int t = 0; t < steps; ++t) {
      for (int i = 1; i < n - 1; ++i) a[i] = source.at(0.25 * u[i]) * source.decay + 0.25 * (u[i - 1] + u[i + 1]) * physics::Source::steady;
      for (int i = 1; i < n - 1; ++i) u[i] = a[i] - physics::Source::floor;
    }
#pragma endscop
  }
  double sum() const {
    double s = 0;
    for (double x : u) s = s * 0.99 + x;
    return s;
  }
};

// Objects that are members, several declarations in one, objects that functions and templates take to read; other names of classes and types.
class Sine {
 public:
  using real = double;
  typedef int index;
  using storage = std::vector<real>;
  Sine(index n) : n(n), x(n) {}
  real operator()(index i) const { return doubled(x[i]); }
  real &operator()(index i) { return x[i]; }
  real beside(const Sine &o, index i) const {
    const real other = o(i);
    return x[i] - other;
  }
  static real doubled(real x, index by = 2) { return by * x; }
  double both(const Sine &o, const Sine &p, int i) const { return beside(o, i) + p(i); }
  int size() const { return n; }

 private:
  index n;
  storage x;
};
using Line = Sine;
typedef Grid<float> Coarse;
struct Lines {
  std::vector<double> d;
};
struct Pair {
  Lines first, second;
  int n;
};
struct Both {
  Sine a, b;
};
static double around(const Line &g, int i) { return g(i - 1) + g(i + 1); }
template <class G>
static double across(const G &g, int i) { return g(i - 1) - g(i + 1); }
template <class T>
static void blend(Grid<T> &to, const Grid<T> &g, const T &by, int i) {
  for (int j = 1; j < to.cols() - 1; ++j) to(i, j) = by * (g(i, j - 1) + g(i, j + 1));
}

static double readers(int n, int m, int steps) {
  auto g = Grid<float>(n, m, 0.5f);
  Coarse h{n, m};
  auto u = Sine(n);
  Line v(n), w{n};
  Both both{{n}, {n}};
  fields::View p{nullptr, 0, 0}, q{nullptr, n, m};
  const float rate = 0.5f;
  Pair pair{{std::vector<double>(n, 1)}, {std::vector<double>(n, 2)}, n};
  for (int i = 0; i < n; ++i) u(i) = i % 7, w(i) = i % 3;
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < u.size() - 1; ++i) v(i) = around(u, i) + across(w, i) + u.beside(w, i) + u.both(w, v, i);
    for (int i = 1; i < q.n - 1; ++i) {
      u(i) = 0.125 * v(i) + pair.first.d[i] + Line::doubled(w(i)) + w.doubled(v(i), 1) / 64;
      pair.first.d[i] = pair.second.d[i - 1] * 0.5;
    }
    for (int i = 1; i < n - 1; ++i) both.a(i) = both.b.beside(u, i) + 1;
    for (int i = 1; i < n - 1; ++i) both.b(i) = both.a(i - 1) / 4;
    for (int i = 1; i < pair.n - 1; ++i) pair.second.d[i] = pair.first.d[i];
    for (int i = 1; i < n - 1; ++i) blend(h, g, i % 2 == 0 ? 0.25f : -rate / 2, i);
    for (int i = 2; i < n - 1; ++i) blend(h, g, 0.25f, i);
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) g(i, j) = h(i, j);
  }
#pragma endscop
  double s = p.n + g.sum();
  for (int i = 0; i < n; ++i) s = s * 0.99 + u(i) + pair.second.d[i] + both.b(i);
  return s;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 37, m = argc > 2 ? std::atoi(argv[2]) : 29, steps = argc > 3 ? std::atoi(argv[3]) : 12;
  Grid<double> a(n, m), b(n, m), wide(n, m + 3);
  a.fill(1), b.fill(1), wide.fill(2);
  heat(a, b, steps);
  std::printf("%.17g %.17g\n", a.sum(), b.sum());
  heat(a, wide, steps);  // they are not alike
  std::printf("%.17g %.17g\n", a.sum(), wide.sum());
  heat(b, b, steps);  // they are one
  std::printf("%.17g\n", b.sum());
  Grid<float> u(n, m), c(n, m, 1.5f), w(n, m);
  u.fill(3), w.fill(3);
  waves(u, c, w, steps);
  waves(w, w, u, steps);
  std::printf("%.17g %.17g\n", u.sum(), w.sum());
  std::vector<float> p(n * m), q(n * m);
  for (int k = 0; k < n * m; ++k) p[k] = q[k] = k % 13 * 0.5f;
  advect({p.data(), n, m}, {q.data(), n, m}, steps);
  double s = 0;
  for (int k = 0; k < n * m; ++k) s = s * 0.99 + p[k] + 2 * q[k];
  Reaction r(n, m);
  r.run(steps);
  std::printf("%.17g %.17g\n", s, r.sum());
  Rod rod(n * m);
  std::vector<double> heated(n * m, 1.0);
  physics::Source::level = argc;
  rod.run(steps);
  rod.heated(heated, steps);
  std::printf("%.17g\n", rod.sum());
  std::printf("%.17g\n", readers(n, m, steps));
}
