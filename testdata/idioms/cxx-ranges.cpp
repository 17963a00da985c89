// Loops over all elements of vectors, arrays and lists, structured bindings, algorithms that fill and copy, whole vectors assigned, if with a variable of its own, and structs
// that functions return in braces.
// RUN 3 2 | 5 0 | 7 4 | 20 9 | 33 6
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Offset {
    int dy, dx;
    double weight = 0.125;
};

constexpr std::array<Offset, 4> near{{{-1, 0, 0.25}, {1, 0}, {0, -1}, {0, 1}}};
constexpr std::array<std::array<int, 2>, 4> corners{{{1, 1}, {{1, -1}}, {-1, 1}, {-1, -1}}};
static const double weights[3] = {0.25, 0.5, 0.25};

struct Flux {
    double h, g;
};

static Flux flux(double a, double b)
{
    if (a > b)
        return {a - b, 0.5};
    return {b - a, 0.25 * a};
}

enum class Colour { red, black };

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 20, steps = argc > 2 ? std::atoi(argv[2]) : 9;
    std::vector<double> u(n * n), v(n * n, 0.5), w(n * n), row(n), edge(n);
    for (int k = 0; k < n * n; k++)
        u[k] = w[k] = k * 37 % 101 * 0.01;
    double *p = edge.data();
#pragma scop
    for (int t = 0; t < steps; t++) {
        std::fill(v.begin(), v.end(), 0.125);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double s = 0;
                for (const auto &[dy, dx, weight] : near)
                    s += weight * u[(i + dy) * n + j + dx];
                for (const auto &d : corners)
                    s += 0.0625 * u[(i + d[0]) * n + j + d[1]];
                for (auto [a, b] : corners)
                    s -= 0.03125 * u[(i + a) * n + j + b];
                for (int dj : {-1, 0, 1})
                    s += weights[dj + 1] * w[i * n + j + dj];
                for (int di : {1, -1})
                    s += 0.125 * w[(i + di) * n + j];
                for (double x : weights)
                    s *= 1 - 0.1 * x;
                if (const double e = s - u[i * n + j]; e > 0)
                    s -= 0.5 * e;
                else
                    s += 0.25;
                const Flux f = flux(s, u[i * n + j + 1]);
                v[i * n + j] = s + 0.01 * f.h * f.g;
            }
        for (auto &x : v)
            x *= 0.97;
        for (const double &x : {0.5, 0.25})
            for (int i = 0; i < n; i++)
                w[i * n] += x * v[i * n];
        for (Colour c : {Colour::red, Colour::black})
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + static_cast<int>(c)) % 2; j < n - 1; j += 2)
                    w[i * n + j] = 0.25 * (w[i * n + j - 1] + w[i * n + j + 1] + w[(i - 1) * n + j] + w[(i + 1) * n + j]);
        std::fill(p, p + n, 0.25 * t);
        for (double &x : row)
            x = 0.5 * x + 0.25;
        std::copy(row.begin(), row.end(), w.begin());
        for (int i = 0; i < n; i++)
            w[n + i] += p[i];
        std::fill_n(w.begin(), n / 2, 0.5);
        u = v;
    }
#pragma endscop
    double a = 0, b = 0;
    for (int k = 0; k < n * n; k++) {
        a += u[k] * (k % 17);
        b += w[k] * (k % 13);
    }
    std::printf("%.17g %.17g %.17g\n", a, b, row[n / 2]);
    return 0;
}
