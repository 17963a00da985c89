// std::transform with one and two inputs and std::for_each, over whole vectors, parts of them and arrays that pointers lead to.
// RUN 3 9 | 0 5 | 6 23 | 2 2 | 5 3 | 40 64
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    const int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8;
    std::vector<double> u(n), v(n), w(n);
    std::vector<float> f(n);
    std::vector<double> c(n);
    double *p = c.data();
    for (int i = 0; i < n; i++) {
        u[i] = v[i] = 0.3 * (i % 7) - i % 3;
        w[i] = 1 + 0.1 * i;
        f[i] = 0.25f * i;
        p[i] = i % 4;
    }
    const double damping = 0.99;
#pragma scop
    for (int t = 0; t < T; ++t) {
        for (int i = 1; i < n - 1; ++i)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        std::transform(v.begin(), v.end(), u.begin(), [damping](double x) { return damping * x; });
        std::transform(u.begin() + 1, u.end() - 1, v.begin() + 1, [](const double &x) -> float { return x * x > 1 ? 1.0 / x : x; });
        std::transform(u.cbegin(), u.cend(), w.begin(), w.begin(), [&](auto x, const auto &y) { return 0.25 * x + y; });
        std::transform(p, p + n, f.begin(), p, [](double a, double b) { return 0.5 * a - b; });
        std::for_each(f.begin(), f.end(), [](float &x) {
            const float y = x * 0.5f;
            x = y + 0.125f;
        });
    }
#pragma endscop
    for (int i = 0; i < n; i++)
        printf("%a %a %a %a %a\n", u[i], v[i], w[i], f[i], c[i]);
}
