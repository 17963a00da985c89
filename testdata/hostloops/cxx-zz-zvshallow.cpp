// Shallow water in two dimensions: cells with operators in a class of fields, and walls that reflect, which copy cells and turn one number.
// RUN 12 9 | 7 3 | 20 20 | 33 12
#include <cmath>
#include <cstdlib>

#include <iostream>
#include <vector>

struct State {
    double h, hu, hv;
};

inline State operator+(const State &a, const State &b) { return {a.h + b.h, a.hu + b.hu, a.hv + b.hv}; }
inline State operator-(const State &a, const State &b) { return {a.h - b.h, a.hu - b.hu, a.hv - b.hv}; }
inline State operator*(double s, const State &a) { return {s * a.h, s * a.hu, s * a.hv}; }

constexpr double g = 9.81;

inline State fluxX(const State &u) {
    return {u.hu, u.hu * u.hu / u.h + 0.5 * g * u.h * u.h, u.hu * u.hv / u.h};
}

inline State fluxY(const State &u) {
    return {u.hv, u.hu * u.hv / u.h, u.hv * u.hv / u.h + 0.5 * g * u.h * u.h};
}

class Field {
public:
    Field(int nx, int ny) : nx_(nx), ny_(ny), data_(nx * ny) {}
    State &operator()(int i, int j) { return data_[i * ny_ + j]; }
    const State &operator()(int i, int j) const { return data_[i * ny_ + j]; }
    int nx() const { return nx_; }
    int ny() const { return ny_; }

private:
    int nx_, ny_;
    std::vector<State> data_;
};

int main(int argc, char **argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 60;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 80;
    const int nx = n + 2, ny = n + 2;
    const double dx = 1.0 / (n + 1), dt = 0.1 * dx / std::sqrt(g * 2.0);
    const double lx = 0.5 * dt / dx, ly = 0.5 * dt / dx;

    Field u(nx, ny), unew(nx, ny);
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j) {
            const double x = (i + 0.5) * dx - 0.5, y = (j + 0.5) * dx - 0.5;
            u(i, j) = State{1.0 + 0.5 * std::exp(-50 * (x * x + y * y)), 0.0, 0.0};
            unew(i, j) = u(i, j);
        }

#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < nx - 1; ++i)
            for (int j = 1; j < ny - 1; ++j) {
                State avg = 0.25 * (u(i + 1, j) + u(i - 1, j) + u(i, j + 1) + u(i, j - 1));
                State dFx = fluxX(u(i + 1, j)) - fluxX(u(i - 1, j));
                State dFy = fluxY(u(i, j + 1)) - fluxY(u(i, j - 1));
                unew(i, j) = avg - lx * dFx - ly * dFy;
            }
        // reflective walls
        for (int i = 1; i < nx - 1; ++i) {
            unew(i, 0) = unew(i, 1);
            unew(i, 0).hv = -unew(i, 1).hv;
            unew(i, ny - 1) = unew(i, ny - 2);
            unew(i, ny - 1).hv = -unew(i, ny - 2).hv;
        }
        for (int j = 0; j < ny; ++j) {
            unew(0, j) = unew(1, j);
            unew(0, j).hu = -unew(1, j).hu;
            unew(nx - 1, j) = unew(nx - 2, j);
            unew(nx - 1, j).hu = -unew(nx - 2, j).hu;
        }
        std::swap(u, unew);
    }
#pragma endscop

    double mass = 0, mx = 0, ke = 0;
    for (int i = 1; i < nx - 1; ++i)
        for (int j = 1; j < ny - 1; ++j) {
            mass += u(i, j).h;
            mx += u(i, j).hu * (i - j * 0.5);
            ke += 0.5 * (u(i, j).hu * u(i, j).hu + u(i, j).hv * u(i, j).hv) / u(i, j).h;
        }
    std::cout << std::hexfloat << "mass " << mass << "\nmx " << mx << "\nke " << ke << "\n";
    return 0;
}
