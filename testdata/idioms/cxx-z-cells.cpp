// Cells with arrays in them as values: made, passed by value and by reference, returned and stored whole.
// RUN |0 5|1 3|2 4|3 2|7 23|12 64
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Cell {
    double f[3];
    double rho() const { return f[0] + f[1] + f[2]; }
};
struct Pair { std::array<double, 2> v; };

static void collide(Cell &c, double w)
{
    const double r = c.rho();
    for (int k = 0; k < 3; ++k) c.f[k] += w * (r / 3 - c.f[k]);
}
static Cell mean(const Cell &a, const Cell &b)
{
    Cell c = a;
    for (int q = 0; q < 3; ++q) c.f[q] = 0.5 * (c.f[q] + b.f[q]);
    return c;
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 13, n = argc > 2 ? std::atoi(argv[2]) : 101;
    std::vector<Cell> x(n), y(n);
    std::vector<Pair> p(n), q(n);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) x[i].f[k] = y[i].f[k] = (i * 3 + k) % 7;
        p[i].v[0] = q[i].v[1] = i % 4;
    }
#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i) {
            Cell c{};
            c.f[0] = x[i].f[0];
            c.f[1] = x[i - 1].f[1];
            c.f[2] = x[i + 1].f[2];
            collide(c, 0.3);
            const Cell d = mean(c, x[i]);
            y[i] = d;
            Pair z = p[i - 1];
            std::swap(z.v[0], z.v[1]);
            z.v[0] += d.f[2] - 0.1 * x[i].rho();
            q[i] = z;
        }
        std::swap(x, y);
        std::swap(p, q);
    }
#pragma endscop
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) std::printf("%.17g %.17g\n", x[i].f[k], y[i].f[k]);
        std::printf("%.17g %.17g %.17g %.17g\n", p[i].v[0], p[i].v[1], q[i].v[0], q[i].v[1]);
    }
}
