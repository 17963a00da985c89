// Operators that are templates, of objects in objects, whose members have values of their own.
// RUN 40 30 | 3 5 | 17 9 | 64 20
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
template <typename T, int N>
struct Pt {
    T a = T(1), b{2}, c{};
    constexpr T sum() const { return a + b + c; }
    Pt scaled(T s) const { return {s * a, s * b, s * c}; }
    bool big() const { return sum() > T(3); }
};
template <typename T, int N>
inline Pt<T, N> operator+(const Pt<T, N> &l, const Pt<T, N> &r) { return {l.a + r.a, l.b + r.b, l.c + r.c}; }
template <typename T, int N>
inline Pt<T, N> operator-(const Pt<T, N> &l, const Pt<T, N> &r) { Pt<T, N> q; q.a = l.a - r.a; q.b = l.b - r.b; q.c = l.c - r.c; return q; }
template <typename T, int N, typename S>
inline Pt<T, N> operator*(S s, const Pt<T, N> &r) { return r.scaled(s); }
template <typename T, int N>
inline Pt<T, N> &operator-=(Pt<T, N> &l, const Pt<T, N> &r) { l.a -= r.a; l.b -= r.b; l.c -= r.c; return l; }
struct Cell { Pt<double, 3> p; double rho; };
inline Cell operator+(const Cell &x, const Cell &y) { return {x.p + y.p, x.rho + y.rho}; }
inline Cell operator*(double s, const Cell &x) { Cell r{s * x.p, s * x.rho}; return r; }
using P = Pt<double, 3>;
static P limiter(const P &l, const P &r)
{
    P q;
    q.a = l.a * r.a > 0 ? std::min(l.a, r.a) : 0.0;
    q.b = std::max(l.b, r.b);
    return q;
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40;
    const int steps = argc > 2 ? atoi(argv[2]) : 30;
    std::vector<Cell> u(n + 2), w(n + 2);
    for (int i = 0; i < n + 2; i++) { u[i].p.a = std::sin(i); u[i].rho = std::cos(i * 0.3); w[i] = u[i]; }
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= n; i++) {
            const auto l = u[i - 1].p;
            const auto r = u[i + 1].p;
            const auto m = 0.5 * (l + r);
            auto g = limiter(m - l, r - m);
            g -= 0.01 * g.scaled(2.0);
            const Cell &c = u[i];
            Cell d = 0.9 * c;
            d.p = d.p + 0.1 * g;
            P z{};
            if (m.big()) z = P{0.5};
            d.p -= 0.001 * z;
            d.rho += 0.01 * (l - r).sum() + P{1, 2}.sum() * 1e-3;
            w[i] = 0.5 * (d + 0.5 * (u[i - 1] + u[i + 1]));
        }
        std::swap(u, w);
    }
#pragma endscop
    double s = 0, q = 0;
    for (int i = 0; i < n + 2; i++) { s += u[i].p.sum() * (i % 3); q += u[i].rho; }
    printf("%a %a\n", s, q);
}
