// Shock tube: conserved numbers with operators as members, primitive ones with methods, fluxes between cells.
// RUN 30 20 | 7 3 | 50 33 | 2 5
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr double gamma_ = 1.4;

struct Cons {
    double rho, mom, E;
    Cons operator+(const Cons &o) const { return Cons{rho + o.rho, mom + o.mom, E + o.E}; }
    Cons operator-(const Cons &o) const { return Cons{rho - o.rho, mom - o.mom, E - o.E}; }
    Cons operator*(double s) const { return Cons{rho * s, mom * s, E * s}; }
    Cons &operator-=(const Cons &o) {
        rho -= o.rho;
        mom -= o.mom;
        E -= o.E;
        return *this;
    }
};

struct Prim {
    double rho, u, p;
    double soundSpeed() const { return std::sqrt(gamma_ * p / rho); }
};

static Prim toPrim(const Cons &c) {
    Prim w;
    w.rho = c.rho;
    w.u = c.mom / c.rho;
    w.p = (gamma_ - 1) * (c.E - 0.5 * c.mom * w.u);
    return w;
}

static Cons toCons(const Prim &w) {
    return {w.rho, w.rho * w.u, w.p / (gamma_ - 1) + 0.5 * w.rho * w.u * w.u};
}

static Cons physFlux(const Cons &c) {
    const Prim w = toPrim(c);
    return {c.mom, c.mom * w.u + w.p, (c.E + w.p) * w.u};
}

static Cons rusanov(const Cons &l, const Cons &r) {
    const Prim wl = toPrim(l), wr = toPrim(r);
    const double s = std::max(std::fabs(wl.u) + wl.soundSpeed(), std::fabs(wr.u) + wr.soundSpeed());
    return (physFlux(l) + physFlux(r)) * 0.5 - (r - l) * (0.5 * s);
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 300;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
    const double dx = 1.0 / (n > 0 ? n : 1);
    const double dt = 0.2 * dx;
    std::vector<Cons> U(n + 2), F(n + 2);
    for (int i = 0; i < n + 2; ++i)
        U[i] = i < (n + 2) / 2 ? toCons({1.0, 0.0, 1.0}) : toCons({0.125, 0.0, 0.1});

#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 0; i <= n; ++i)
            F[i] = rusanov(U[i], U[i + 1]);
        for (int i = 1; i <= n; ++i)
            U[i] -= (F[i] - F[i - 1]) * (dt / dx);
        U[0] = U[1];
        U[n + 1] = U[n];
    }
#pragma endscop

    double m = 0, q = 0, e = 0;
    for (const Cons &c : U) {
        m += c.rho;
        q += c.mom;
        e += c.E;
    }
    const Prim mid = toPrim(U[(n + 2) / 2]);
    std::printf("%a %a %a\nmid %a %a %a\n", m, q, e, mid.rho, mid.u, mid.p);
    return 0;
}
