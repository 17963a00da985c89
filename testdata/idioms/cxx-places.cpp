// Sizes of vectors, references that bodies declare, objects that exchange themselves, constants in namespaces, clamp and lists.
// RUN 20|0|1|7
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace phys {
constexpr double dt = 0.1;
inline double react(double u) { return u * (1 - u); }
}

class Grid {
public:
    Grid(int n, int m) : n_(n), m_(m), d_(n * m) {}
    double &operator()(int i, int j) { return d_[i * m_ + j]; }
    const double &operator()(int i, int j) const { return d_[i * m_ + j]; }
    double mean(int i, int j) const { return 0.5 * (d_[i * m_ + j] + d_[i * m_ + j + 1]); }
    int rows() const { return n_; }
    int cols() const { return m_; }
    void swap(Grid &o) noexcept { std::swap(n_, o.n_); std::swap(m_, o.m_); d_.swap(o.d_); }
private:
    int n_, m_;
    std::vector<double> d_;
};

struct Cell { double a, b; };

static double w[34][23];

static void ends(std::vector<double> &h) { const std::size_t n = h.size(); h[0] = h[1]; h[n - 1] = h[n - 2]; }

void run(Grid &u, Grid &v, std::vector<Cell> &cells, const float *f, int steps)
{
#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < u.rows() - 1; ++i)
            for (int j = 1; j < u.cols() - 1; ++j) {
                const auto &c = u(i, j);
                auto &out = v(i, j);
                const double &x = f[j];
                const auto &mean = u.mean(i, j);
                Cell &cell = cells[i * u.cols() + j];
                out = 0.25 * (u(i, j - 1) + u(i, j + 1) + c) + x * 1e-3 + 1e-3 * mean;
                out = std::clamp(out, -20.0, 20.0);
                cell.a += out;
                cell.b -= cell.a * 0.5;
            }
        u.swap(v);
    }
#pragma endscop
}

void line(std::vector<double> &a, std::vector<double> &b, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (std::size_t i = 1; i < a.size() - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]) + 1e-3 * std::min({a[i - 1], a[i], a[i + 1]});
        ends(b);
        std::swap(a, b);
    }
#pragma endscop
}

void rows(int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < 33; i++) {
            auto &row = w[i];
            const auto &up = w[i - 1], &down = w[i + 1];
            for (int j = 1; j < 22; j++)
                row[j] += phys::dt * (up[j] - down[j]) + phys::dt * phys::react(row[j]);
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 20;
    Grid u(40, 50), v(40, 50);
    std::vector<Cell> cells(2000);
    std::vector<float> f(50);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            u(i, j) = v(i, j) = (i * 31 + j * 17) % 23, f[j] = j * 0.37f;
    run(u, v, cells, f.data(), steps);
    std::vector<double> a(500), b(500);
    for (std::size_t i = 0; i < a.size(); i++)
        a[i] = b[i] = i * 7 % 31;
    line(a, b, steps);
    for (int i = 0; i < 34; i++)
        for (int j = 0; j < 23; j++)
            w[i][j] = (i * j) % 7 * 0.125;
    rows(steps);
    double s = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            s += u(i, j) * (i % 5 + j % 3) + cells[i * 50 + j].b;
    for (std::size_t i = 0; i < a.size(); i++)
        s += a[i] * (i % 3);
    for (int i = 0; i < 34; i++)
        for (int j = 0; j < 23; j++)
            s += w[i][j] * (i + j);
    std::printf("%.17g\n", s);
}
