// Templates of functions by a truth value, a number and a type, given or deduced, and arguments left out.
// RUN 300|0|1|17
#include <cmath>
#include <cstdio>
#include <cstdlib>

template <typename T>
static inline T clampTo(T x, T low = T(-2), T high = T(2)) // as in std::clamp
{
    return x < low ? low : (high < x ? high : x);
}

static double damp(double x, double by = 0.5, double offset = 0.125) { return by * x + offset; }

template <bool odd> void half(double *to, const double *from, int n)
{
    /* one of two */
    for (int i = 1; i < n; i++) {
        if constexpr (odd)
            to[i] = 0.5 * (from[i] + from[i - 1]); // backwards
        else
            to[i] = 0.25 * (from[i] + 3 * from[i + 1]);
    }
}

template <typename Real, int order = 1>
static void smooth(Real *v, const Real *u, int n)
{
#pragma omp parallel for
    for (int i = 2; i < n - 1; i++) {
        Real s = Real(0);
        for (int k = -order; k <= order; k++)
            s += u[i + k] / Real(2 * order + 1);
        v[i] = clampTo<Real>(s);
    }
}

static double a[321], b[321];
static float c[321], d[321];

int main(int argc, char **argv)
{
    int steps = argc > 1 ? std::atoi(argv[1]) : 50;
    for (int i = 0; i < 321; i++) {
        a[i] = b[i] = std::sin(0.3 * i);
        c[i] = d[i] = (float)std::cos(0.2 * i);
    }
#pragma scop
    for (int t = 0; t < steps; t++) {
        half<true>(b, a, 320);
        half<false>(a, b, 320);
        smooth<float, 2>(d, c, 320);
        smooth<float>(c, d, 320);
        smooth(b, a, 320);
        for (int i = 1; i < 320; i++)
            a[i] = damp(b[i]) - damp(a[i], 0.25);
    }
#pragma endscop
    double sum = 0;
    for (int i = 0; i < 321; i++)
        sum += a[i] * (i + 1) + c[i] + b[i] * 3 + d[i];
    std::printf("%.17g\n", sum);
}
