// Functions that return pairs, tuples and structs, taken apart by structured bindings, std::tie, std::get and members.
// RUN 3 9 8 | 0 5 9 | 6 23 17 | 2 1 1 | 5 3 4
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>
using real = double;
struct Flux { double x, y; };
static std::pair<double, double> grad(const std::vector<double> &u, int k, int m) { return {0.5 * (u[k + 1] - u[k - 1]), 0.5 * (u[k + m] - u[k - m])}; }
static Flux limited(double gx, double gy) { return {gx / (1 + std::fabs(gx)), gy / (1 + std::fabs(gy))}; }
static std::tuple<real, float, int> sums(const std::vector<real> &u, int k)
{
    const real s = u[k - 1] + u[k + 1];
    return std::make_tuple(s, float(s) * 0.5f, s > 1 ? 1 : 0);
}
static std::pair<real, int> best(double a, double b) { return a > b ? std::make_pair(a, 1) : std::pair<real, int>(b, 2); }

static void evolve(std::vector<double> &u, std::vector<double> &v, int n, int m, int steps)
{
#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < m - 1; ++j) {
                const int k = i * m + j;
                const auto [gx, gy] = grad(u, k, m);
                auto [fx, fy] = limited(gx, gy);
                fx *= 2;
                double a, b;
                std::tie(a, b) = grad(u, k, m);
                const std::tuple<double, float, int> s = sums(u, k);
                const auto g = grad(u, k, m);
                std::pair<double, double> w{g.second, g.first};
                w.first += a;
                const auto [most, which] = best(w.first, b);
                v[k] = u[k] - 0.01 * gx - 0.1 * fy + 1e-3 * (fx + w.first * w.second + std::get<0>(s) + std::get<1>(s) * std::get<2>(s)) + 1e-4 * most * which;
            }
        std::swap(u, v);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8, m = argc > 3 ? atoi(argv[3]) : 8;
    std::vector<double> u(n * m), v(n * m);
    for (int k = 0; k < n * m; k++)
        u[k] = v[k] = std::sin(k * 0.7) + k % 3;
    evolve(u, v, n, m, T);
    for (double x : u)
        printf("%a\n", x);
}
