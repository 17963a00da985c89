// Regions in templates of functions that the file uses with several lists of arguments: types of numbers, classes, numbers.
// RUN 1 3|5 0|7 4|20 9|33 12
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace num {

template <typename T>
class Image {
public:
    Image(int n, T fill) : n_(n), v_(static_cast<size_t>(n) * n, fill) {}
    T &operator()(int i, int j) { return v_[static_cast<size_t>(i) * n_ + j]; }
    const T &operator()(int i, int j) const { return v_[static_cast<size_t>(i) * n_ + j]; }
    int size() const { return n_; }

private:
    int n_;
    std::vector<T> v_;
};

struct Linear {
    double weight;
    explicit Linear(double w) : weight(w) {}
    double operator()(double d) const { return weight * d; }
};

struct Clipped {
    double weight, most = 0.75;
    explicit Clipped(double w) : weight(w) {}
    double operator()(double d) const { return weight * (d < most ? d : most); }
};

}  // namespace num

struct Central {
    static constexpr int halo = 1;
    static double slope(double m, double, double p) { return 0.5 * (p - m); }
};

struct Upwind {
    static constexpr int halo = 2;
    static double slope(double m, double x, double) { return x - m; }
};

// numbers of two types
template <typename T>
void smooth(std::vector<T> &u, std::vector<T> &v, int n, int steps)
{
    const T w = T(0.25);
    if (n < 2)
        return;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = w * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
        std::swap(u, v);
    }
#pragma endscop
    std::printf("smoothed %d\n", n);
}

// objects that are made in the call
template <typename Conductance>
void diffuse(num::Image<float> &img, int steps, const Conductance &g)
{
    const int n = img.size();
    num::Image<float> out(n, 1.0f);
#pragma hexcc strategy(space)
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                const float c = img(i, j);
                out(i, j) = c + g(img(i - 1, j) - c) + g(img(i + 1, j) - c) + g(img(i, j - 1) - c) + g(img(i, j + 1) - c);
            }
        std::swap(img, out);
    }
#pragma endscop
}

// a class that is named in the call, a number, and two regions
template <class S, int factor = 1>
double advect(double *u, double *v, int n, int steps)
{
    constexpr int g = S::halo;
    for (int round = 0; round < 2; round++) {
#pragma scop
        for (int t = 0; t < steps; t++) {
            for (int i = g; i < n - g; i++)
                v[i] = u[i] - factor * 0.125 * S::slope(u[i - g], u[i], u[i + g]);
            for (int i = g; i < n - g; i++)
                u[i] = v[i];
        }
#pragma endscop
        u[0] += 1;
    }
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[i] = u[i] * 0.5 + factor;
#pragma endscop
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 20, steps = argc > 2 ? std::atoi(argv[2]) : 9;
    std::vector<double> a(n * n), b(n * n, 0.5);
    std::vector<float> c(n * n), d(n * n, 0.5f);
    num::Image<float> x(n, 0.0f), y(n, 0.0f);
    for (int k = 0; k < n * n; k++) {
        a[k] = k * 37 % 101 * 0.01;
        c[k] = k * 31 % 97 * 0.01f;
        x(k / n, k % n) = k * 29 % 89 * 0.02f;
        y(k / n, k % n) = k * 23 % 83 * 0.02f;
    }
    smooth(a, b, n, steps);
    smooth<float>(c, d, n, steps);
    diffuse(x, steps, num::Linear{0.2});
    diffuse(y, steps, num::Clipped(0.15));
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        sum += k % 17 * (a[k] + c[k]) + k % 13 * (x(k / n, k % n) + y(k / n, k % n));
    std::printf("%.17g", sum);
    std::printf(" %.17g", advect<Central>(a.data(), b.data(), n * n, steps));
    std::printf(" %.17g", advect<Upwind>(a.data(), b.data(), n * n, steps));
    std::printf(" %.17g\n", advect<Upwind, 2>(a.data(), b.data(), n * n, steps));
    return 0;
}
