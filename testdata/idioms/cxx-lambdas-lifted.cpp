// Lambdas of several statements: in the function of a region, in a function and in a method that it calls, in a region, with parameters that are auto.
// RUN 40 30|0 9|7 3|23 64
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define AT(i, j) ((i) * n + (j))

struct Model {
    double rate, floor;
};

namespace {
double sign(double x) { return x < 0 ? -1.0 : 1.0; }

template <class T> T middle(T a, T b)
{
    auto half = [](T x, T y) {
        const T sum = x + y;
        return sum / 2;
    };
    return half(a, b);
}

// A function that the region calls, with a lambda that has two returns and one that calls it.
double limited(double a, double b)
{
    const double most = 0.75;
    auto minmod = [most](double x, double y) {
        if (x * y <= 0.0)
            return 0.0;
        double m = std::fabs(x) < std::fabs(y) ? x : y;
        if (std::fabs(m) > most)
            m = most * sign(m);
        return m;
    };
    const auto both = [&](double x) -> double {
        const double one = minmod(x, b);
        return middle(one, minmod(one, a));
    };
    return both(a);
}
}

class Wave {
public:
    Wave(int n, double c) : n_(n), c_(c), u_(n), w_(n) {}
    double &operator()(int i) { return u_[i]; }
    double operator()(int i) const { return u_[i]; }
    // A lambda that finds members by this, in a method that a region calls.
    double bent(int i) const
    {
        auto lap = [this](const std::vector<double> &f, int k) {
            const int left = wrap(k - 1), right = wrap(k + 1);
            const double ends = f[left] + f[right];
            return c_ * (ends - 2.0 * f[k]);
        };
        return lap(u_, i) + 0.125 * lap(w_, i);
    }
    void keep(int i, double x) { w_[i] = x; }
    int size() const { return n_; }

private:
    int wrap(int i) const { return (i + n_) % n_; }
    int n_;
    double c_;
    std::vector<double> u_, w_;
};

// Lambdas in the function of the region: captures of vectors, numbers, structs, objects and macros; a small loop.
void relax(std::vector<double> &u, std::vector<double> &v, Wave &line, Wave &next, const int n, const int steps, const Model &model)
{
    const double weights[3] = {0.25, 0.5, 0.25};
    auto smooth = [&](int i, int j) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += weights[k] * u[AT(i, j + k - 1)];
        return sum;
    };
    const auto damped = [&](double x, bool strong) {
        double y = model.rate * x;
        if (strong && y < model.floor)
            return model.floor;
        y += 0.001f * middle(static_cast<float>(x), 0.5f);
        return y;
    };
    auto squared = [](const auto &x) {
        const double y = x;
        return y * y;
    };
    auto second = [n](const auto &f, int i, int j) {
        const double across = f[AT(i - 1, j)] + f[AT(i + 1, j)];
        return across - 2.0 * f[AT(i, j)];
    };
    auto pulled = [&](int i) {
        const double x = line(i);
        return x + 0.25 * line.bent(i);
    };
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                auto mixed = [&](double share) {
                    const double here = u[AT(i, j)], there = u[AT(i, j - 1)];
                    return share * here + (1.0 - share) * there;
                };
                v[AT(i, j)] = damped(smooth(i, j), i > j) + 0.01 * squared(u[AT(i, j)]) + 0.125 * limited(second(u, i, j), mixed(0.75));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[AT(i, j)] = v[AT(i, j)];
    }
#pragma endscop
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < line.size(); i++)
            next(i) = pulled(i);
        for (int i = 0; i < line.size(); i++)
            line(i) = next(i);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 20, n = argc > 2 ? std::atoi(argv[2]) : 50;
    std::vector<double> u(n * n), v(n * n);
    Wave line(n, 0.2), next(n, 0.2);
    for (int k = 0; k < n * n; k++)
        u[k] = v[k] = std::sin(0.37 * k);
    for (int k = 0; k < n; k++) {
        line(k) = std::cos(0.21 * k);
        line.keep(k, 0.3 * std::sin(1.1 * k));
    }
    relax(u, v, line, next, n, steps, Model{0.875, 0.01});
    double sum = 0, ends = 0;
    for (int k = 0; k < n * n; k++)
        sum += u[k] * (1 + k % 7);
    for (int k = 0; k < n; k++)
        ends += line(k) * (1 + k % 5);
    std::printf("%.17g %.17g\n", sum, ends);
}
