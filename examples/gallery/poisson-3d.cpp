// Smoother of a geometric multigrid solver for the 3-D Poisson problem
//     -laplace(u) = f  in the unit cube,  u = 0 on the faces,
// discretised by the seven-point stencil.  The smoother is weighted Jacobi with
// omega = 6/7, run for a fixed number of double sweeps (u -> tmp -> u), so the
// result is always in the caller's array.
//
// Usage: poisson-3d [n] [double sweeps] [picture.pgm]
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double omega = 6.0 / 7.0;

inline std::size_t idx(std::size_t i, std::size_t j, std::size_t k, std::size_t n)
{
    return (i * n + j) * n + k;
}

void sweep(const double *u, double *v, const double *f, std::size_t n, double h2)
{
#pragma omp parallel for
    for (std::size_t i = 1; i < n - 1; ++i)
        for (std::size_t j = 1; j < n - 1; ++j)
            for (std::size_t k = 1; k < n - 1; ++k) {
                const double nb = u[idx(i - 1, j, k, n)] + u[idx(i + 1, j, k, n)]
                                + u[idx(i, j - 1, k, n)] + u[idx(i, j + 1, k, n)]
                                + u[idx(i, j, k - 1, n)] + u[idx(i, j, k + 1, n)];
                v[idx(i, j, k, n)] = (1.0 - omega) * u[idx(i, j, k, n)]
                                   + omega / 6.0 * (nb + h2 * f[idx(i, j, k, n)]);
            }
}

void smooth(double *u, double *tmp, const double *f, std::size_t n, double h2, int nu)
{
#pragma scop
    for (int s = 0; s < nu; ++s) {
        sweep(u, tmp, f, n, h2);
        sweep(tmp, u, f, n, h2);
    }
#pragma endscop
}

double residual_max(const double *u, const double *f, std::size_t n, double h2)
{
    double r = 0.0;
    for (std::size_t i = 1; i < n - 1; ++i)
        for (std::size_t j = 1; j < n - 1; ++j)
            for (std::size_t k = 1; k < n - 1; ++k) {
                const double nb = u[idx(i - 1, j, k, n)] + u[idx(i + 1, j, k, n)]
                                + u[idx(i, j - 1, k, n)] + u[idx(i, j + 1, k, n)]
                                + u[idx(i, j, k - 1, n)] + u[idx(i, j, k + 1, n)];
                const double lap = (nb - 6.0 * u[idx(i, j, k, n)]) / h2;
                r = std::max(r, std::fabs(f[idx(i, j, k, n)] + lap));
            }
    return r;
}

void write_slice(const char *name, const std::vector<double> &u, std::size_t n)
{
    std::FILE *fp = std::fopen(name, "wb");
    if (!fp) {
        std::perror(name);
        return;
    }
    const double *p = u.data() + (n / 2) * n * n;
    const auto mm = std::minmax_element(p, p + n * n);
    const double lo = *mm.first, range = std::max(*mm.second - lo, 1e-300);
    const std::size_t step = (n + 399) / 400, w = (n + step - 1) / step;
    std::fprintf(fp, "P5\n%zu %zu\n255\n", w, w);
    for (std::size_t j = 0; j < n; j += step)
        for (std::size_t k = 0; k < n; k += step)
            std::fputc(static_cast<int>(255.0 * (p[j * n + k] - lo) / range), fp);
    std::fclose(fp);
}

} // namespace

int main(int argc, char **argv)
{
    const int narg = argc > 1 ? std::atoi(argv[1]) : 100;
    const int nu = argc > 2 ? std::atoi(argv[2]) : 50;
    if (narg < 3 || nu < 0) {
        std::fprintf(stderr, "usage: %s [n] [double sweeps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    const std::size_t n = narg;
    const double h = 1.0 / (n - 1), h2 = h * h;

    std::vector<double> u(n * n * n), tmp(n * n * n), f(n * n * n);

    // Charges of both signs; a rough first guess with much high frequency error.
    constexpr double src[4][4] = {{0.5, 0.3, 0.3, 400.0}, {0.45, 0.7, 0.35, -500.0},
                                  {0.55, 0.6, 0.7, 450.0}, {0.5, 0.25, 0.75, -300.0}};
    unsigned seed = 12345u;
    for (std::size_t i = 1; i < n - 1; ++i)
        for (std::size_t j = 1; j < n - 1; ++j)
            for (std::size_t k = 1; k < n - 1; ++k) {
                double q = 0.0;
                for (const auto &s : src) {
                    const double dx = i * h - s[0], dy = j * h - s[1], dz = k * h - s[2];
                    q += s[3] * std::exp(-120.0 * (dx * dx + dy * dy + dz * dz));
                }
                seed = seed * 1664525u + 1013904223u;
                f[idx(i, j, k, n)] = q;
                u[idx(i, j, k, n)] = 2.0 * ((seed >> 8) / 16777216.0 - 0.5);
            }
    tmp = u;

    const double r0 = residual_max(u.data(), f.data(), n, h2);
    smooth(u.data(), tmp.data(), f.data(), n, h2, nu);
    const double r1 = residual_max(u.data(), f.data(), n, h2);

    std::printf("n = %zu, %d double sweeps: max residual %.17g -> %.17g\n", n, nu, r0, r1);
    std::printf("u at centre %.17g\n", u[idx(n / 2, n / 2, n / 2, n)]);

    if (argc > 3)
        write_slice(argv[3], u, n);
    return 0;
}
