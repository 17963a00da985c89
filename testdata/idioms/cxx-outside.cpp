// Functions with std::min and std::max, a lambda and classes around.
// RUN 300|0|1|17
#include <algorithm>
#include <cmath>
#include <functional>
#include <cstdio>
#include <cstdlib>
#include <string>

class Timer { public: Timer(const std::string &n) : name(n) {} ~Timer() { std::printf("%s done\n", name.c_str()); } private: std::string name; };

namespace {
inline double minmod(double a, double b) noexcept
{
    if (a * b <= 0.0) return 0.0;
    return a > 0 ? std::min(a, b) : std::max(a, b);
}
constexpr double sqr(double x) { return x * x; }
}

void advect(double *__restrict__ q, double *__restrict__ r, const int n, const int nt, const double c)
{
    Timer timer("advect");
#pragma scop
    for (int t = 0; t < nt; t++) {
        for (int i = 2; i < n - 2; i++) {
            auto s = minmod(q[i] - q[i - 1], q[i + 1] - q[i]);
            auto sm = minmod(q[i - 1] - q[i - 2], q[i] - q[i - 1]);
            r[i] = q[i] - c * ((q[i] + 0.5 * (1 - c) * s) - (q[i - 1] + 0.5 * (1 - c) * sm)) + 1e-3 * sqr(s);
        }
        for (int i = 2; i < n - 2; i++)
            q[i] = r[i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    const int n = 500;
    double *q = new double[n], *r = new double[n];
    std::function<double(int)> init = [](int i) { return i > 100 && i < 200 ? 1.0 : 0.0; };
    for (int i = 0; i < n; i++) q[i] = r[i] = init(i);
    advect(q, r, n, argc > 1 ? std::atoi(argv[1]) : 300, 0.4);
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * q[i];
    std::printf("%.17g\n", s);
    delete[] q;
    delete[] r;
}
