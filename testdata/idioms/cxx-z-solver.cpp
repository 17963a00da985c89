// A solver that owns two grids of cells, fills their ghosts, and exchanges the pointers: region and step are methods.
// RUN 0 12|1 13|2 24|7 31
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Cell { double u, v; };
class Grid {
 public:
  Grid(int nx, int ny) : nx(nx), ny(ny), cells((nx + 2) * (ny + 2)) {}
  Cell &operator()(int i, int j) { return cells[i * (ny + 2) + j]; }
  const Cell &operator()(int i, int j) const { return cells[i * (ny + 2) + j]; }
  void exchange() {
    for (int j = 1; j <= ny; ++j) {
      (*this)(0, j) = (*this)(nx, j);
      (*this)(nx + 1, j) = (*this)(1, j);
    }
    for (int i = 0; i <= nx + 1; ++i) {
      (*this)(i, 0) = (*this)(i, ny);
      (*this)(i, ny + 1) = (*this)(i, 1);
    }
  }
  const int nx, ny;
 private:
  std::vector<Cell> cells;
};
class GrayScott {
 public:
  GrayScott(int n, double F, double k) : F_(F), k_(k), cur_(std::make_unique<Grid>(n, n)), next_(std::make_unique<Grid>(n, n)) {
    for (int i = 1; i <= n; ++i)
      for (int j = 1; j <= n; ++j) {
        bool in = i > n / 3 && i < n / 2 && j > n / 3 && j < n / 2;
        (*cur_)(i, j) = Cell{in ? 0.5 : 1.0, in ? 0.25 : 0.0};
      }
  }
  void advance() {
    Grid &g = *cur_;
    Grid &out = *next_;
    g.exchange();
    for (int i = 1; i <= g.nx; ++i)
      for (int j = 1; j <= g.ny; ++j) {
        const Cell &c = g(i, j);
        const double lu = g(i - 1, j).u + g(i + 1, j).u + g(i, j - 1).u + g(i, j + 1).u - 4 * c.u;
        const double lv = g(i - 1, j).v + g(i + 1, j).v + g(i, j - 1).v + g(i, j + 1).v - 4 * c.v;
        const double r = c.u * c.v * c.v;
        out(i, j).u = c.u + 0.16 * lu - r + F_ * (1 - c.u);
        out(i, j).v = c.v + 0.08 * lv + r - (F_ + k_) * c.v;
      }
    std::swap(cur_, next_);
  }
  double sum() const {
    double s = 0;
    const Grid &g = *cur_;
    for (int i = 1; i <= g.nx; ++i) for (int j = 1; j <= g.ny; ++j) s += g(i, j).v * (i % 3 + 1);
    return s;
  }
  void run(int steps) {
#pragma scop
    for (int t = 0; t < steps; ++t) advance();
#pragma endscop
  }
 private:
  double F_, k_;
  std::unique_ptr<Grid> cur_, next_;
};
int main(int argc, char **argv) {
  GrayScott gs(argc > 2 ? std::atoi(argv[2]) : 64, 0.035, 0.065);
  gs.run(argc > 1 ? std::atoi(argv[1]) : 25);
  std::printf("%.17g\n", gs.sum());
}
