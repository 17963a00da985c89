// Grids that pointers own, std::unique_ptr<Grid> and std::shared_ptr<Grid>: the loop names them by references, and exchanges the pointers behind the last use of those.
// RUN |0 5 6|1 3 7|2 4 5|3 3 9|7 23 8|12 31 37
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

class Grid {
  public:
    Grid(int n, int m) : n_(n), m_(m), data_(static_cast<std::size_t>(n) * m) {}
    double &operator()(int i, int j) { return data_[i * m_ + j]; }
    const double &operator()(int i, int j) const { return data_[i * m_ + j]; }
    int rows() const { return n_; }
    int columns() const { return m_; }

  private:
    int n_, m_;
    std::vector<double> data_;
};

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 13, n = argc > 2 ? std::atoi(argv[2]) : 41, m = argc > 3 ? std::atoi(argv[3]) : 29;
    auto u = std::make_unique<Grid>(n, m), v = std::make_unique<Grid>(n, m);
    std::unique_ptr<const Grid> source(new Grid(n, m));
    std::shared_ptr<Grid> kappa = std::make_shared<Grid>(n, m);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            (*u)(i, j) = (*v)(i, j) = (13 * i + 5 * j) % 17;
            (*kappa)(i, j) = 0.01 * ((i + j) % 20);
        }
    const Grid &k = *kappa;
#pragma scop
    for (int t = 0; t < steps; ++t) {
        const Grid &now = *u;
        auto &next = *v;
        for (int i = 1; i < now.rows() - 1; ++i)
            for (int j = 1; j < now.columns() - 1; ++j)
                next(i, j) = now(i, j) + k(i, j) * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1) - 4 * now(i, j)) + (*source)(i, j);
        for (int j = 1; j < m - 1; ++j) {
            next(0, j) = next(1, j);
            (*v)(n - 1, j) = 0.5 * (*v)(n - 2, j);
        }
        std::swap(u, v);
    }
#pragma endscop
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) std::printf("%.17g %.17g\n", (*u)(i, j), (*v)(i, j));
}
