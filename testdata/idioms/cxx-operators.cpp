// Vectors with operators: members, functions, one of another sign, constructors, methods of what operators return.
// RUN 40 30 | 3 5 | 17 9 | 64 20
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace phys {
struct V3 {
    double x, y, z;
    V3() : x(0), y(0), z(0) {}
    V3(double a, double b, double c) : x(a), y(b), z(c) {}
    explicit V3(double a) : V3(a, a, a) {}
    V3 operator-() const { return V3(-x, -y, -z); }
    V3 &operator*=(const double &s) { x *= s; y *= s; z *= s; return *this; }
    V3 &operator+=(const V3 &o) { x += o.x; y += o.y; z += o.z; return *this; }
    V3 &operator/=(const V3 &o) { x /= o.x; y /= o.x; z /= o.x; return *this; }
    V3 operator*(const V3 &o) const { return V3(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x); }
    V3 operator*(double s) const { V3 r = *this; r *= s; return r; }
    double norm() const { return std::sqrt(x * x + y * y + z * z); }
    double dot(const V3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
inline V3 operator+(V3 a, const V3 &b) { a += b; return a; }
inline V3 operator-(const V3 &a, const V3 &b) { return a + -b; }
inline V3 operator*(double s, const V3 &v) { return v * s; }
inline V3 operator/(const V3 &v, double s) { return v * (1.0 / s); }
V3 &operator-=(V3 &a, const V3 &b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; return a; }
}
using phys::V3;
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40;
    const int steps = argc > 2 ? atoi(argv[2]) : 30;
    std::vector<V3> u(n + 2), w(n + 2);
    for (int i = 0; i < n + 2; i++) { u[i] = V3(std::sin(i), std::cos(i * 0.3), 0.1 * (i % 5)); w[i] = u[i]; }
    const double dt = 0.01;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i <= n; i++) {
            V3 a = u[i - 1] - 2.0 * u[i] + u[i + 1], b, c(0.1, 0.2, 0.3);
            b += a * dt;
            b -= u[i] / 7.;
            V3 d = -a * c;
            d *= 0.5;
            auto e = (a + b).dot(c) * d + V3{0.001, 0, 0} * (i % 3 == 0 ? 1.0 : 2.0);
            if (e.norm() > 10.0) e = V3();
            w[i] = u[i] + dt * (a - b * 0.25 + e) ;
            w[i] += V3(1e-3, 0, 1e-4) * a.norm();
        }
        u.swap(w);
    }
#pragma endscop
    double s = 0, q = 0;
    for (int i = 0; i < n + 2; i++) { s += u[i].norm(); q += u[i].dot(V3(1, 2, 3)); }
    printf("%a %a\n", s, q);
}
