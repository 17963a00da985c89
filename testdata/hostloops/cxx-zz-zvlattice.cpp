// Lattice Boltzmann in two dimensions: vectors of arrays by another name, in a namespace, around which indices wrap.
// RUN 12 9 | 7 3 | 20 20 | 33 12
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace lbm {
constexpr int Q = 9;
constexpr std::array<int, Q> cx{0, 1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::array<int, Q> cy{0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::array<double, Q> w{4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

using Cell = std::array<double, Q>;

inline double feq(int k, double rho, double ux, double uy) {
    const double cu = 3.0 * (cx[k] * ux + cy[k] * uy);
    return w[k] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
}
} // namespace lbm

int main(int argc, char **argv) {
    using namespace lbm;
    const int nx = (argc > 1 ? std::atoi(argv[1]) : 40) + 1;
    const int ny = nx + 3;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 60;
    const double tau = 0.8, omega = 1.0 / tau;

    std::vector<Cell> f(nx * ny), fnew(nx * ny);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const double ux = 0.05 * std::sin(2 * M_PI * x / nx) * std::cos(2 * M_PI * y / ny);
            const double uy = -0.05 * std::cos(2 * M_PI * x / nx) * std::sin(2 * M_PI * y / ny);
            for (int k = 0; k < Q; k++) f[y * nx + x][k] = feq(k, 1.0, ux, uy);
        }

#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < ny; y++) {
            for (int x = 0; x < nx; x++) {
                Cell c;
                double rho = 0, ux = 0, uy = 0;
                for (int k = 0; k < Q; k++) {
                    const int xs = (x - cx[k] + nx) % nx;
                    const int ys = (y - cy[k] + ny) % ny;
                    c[k] = f[ys * nx + xs][k];
                    rho += c[k];
                    ux += cx[k] * c[k];
                    uy += cy[k] * c[k];
                }
                ux /= rho;
                uy /= rho;
                for (int k = 0; k < Q; k++)
                    fnew[y * nx + x][k] = c[k] - omega * (c[k] - feq(k, rho, ux, uy));
            }
        }
        f.swap(fnew);
    }
#pragma endscop

    double mass = 0, mom = 0;
    for (int i = 0; i < nx * ny; i++)
        for (int k = 0; k < Q; k++) {
            mass += f[i][k];
            mom += f[i][k] * (k + 1) * (i % 11);
        }
    std::printf("mass %a mom %a\n", mass, mom);
}
