// Burgers equations: a template of vectors whose operators are friends, in arrays that unique_ptr owns and a lambda finds places in.
// RUN 12 9 | 7 3 | 20 20 | 33 12
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

template <typename T>
struct Vec2 {
    T x{}, y{};
    Vec2 &operator+=(const Vec2 &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    friend Vec2 operator+(Vec2 a, const Vec2 &b) { return a += b; }
    friend Vec2 operator-(const Vec2 &a, const Vec2 &b) { return {a.x - b.x, a.y - b.y}; }
    friend Vec2 operator*(T s, const Vec2 &v) { return {s * v.x, s * v.y}; }
    T dot(const Vec2 &o) const { return x * o.x + y * o.y; }
};

using real = double;
using V = Vec2<real>;

int main(int argc, char **argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 64;
    const int nt = argc > 2 ? std::atoi(argv[2]) : 100;
    const int N = n + 2;
    const real h = 1.0 / (n + 1), nu = 0.01, dt = 0.2 * h * h / nu < 0.2 * h ? 0.2 * h * h / nu : 0.2 * h;

    auto u = std::make_unique<V[]>(N * N);
    auto w = std::make_unique<V[]>(N * N);
    auto id = [N](int i, int j) { return i * N + j; };

    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            u[id(i, j)] = {std::sin(2 * M_PI * i * h) * std::cos(M_PI * j * h), std::cos(2 * M_PI * j * h)};
            w[id(i, j)] = u[id(i, j)];
        }

#pragma scop
    for (int t = 0; t < nt; ++t) {
        for (int i = 1; i <= n; ++i) {
            for (int j = 1; j <= n; ++j) {
                const V c = u[id(i, j)];
                const V dx = (1.0 / (2 * h)) * (u[id(i + 1, j)] - u[id(i - 1, j)]);
                const V dy = (1.0 / (2 * h)) * (u[id(i, j + 1)] - u[id(i, j - 1)]);
                const V lap = (1.0 / (h * h)) * (u[id(i + 1, j)] + u[id(i - 1, j)] + u[id(i, j + 1)] + u[id(i, j - 1)] - 4.0 * c);
                V r = c;
                r += dt * (nu * lap - c.x * dx - c.y * dy);
                w[id(i, j)] = r;
            }
        }
        u.swap(w);
    }
#pragma endscop

    real e = 0, cs = 0;
    for (int k = 0; k < N * N; ++k) {
        e += 0.5 * u[k].dot(u[k]);
        cs += (k % 7) * u[k].x - (k % 5) * u[k].y;
    }
    std::printf("energy %a checksum %a\n", e, cs);
}
