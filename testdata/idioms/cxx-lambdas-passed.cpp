// Lambdas that are passed to templates of functions: loops over ranges and cells, nested, passed on, with what they return; in functions and methods that regions call.
// RUN 40 30|0 9|7 3|23 64
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace par {
template <class F> inline void parallel_for(int from, int to, F f)
{
    for (int i = from; i < to; i++)
        f(i);
}

template <class F> void for_each_cell(int n, const F &f)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            f(i, j);
}

// A template that passes what it is given on.
template <typename F> void inside(int n, F &&f) { parallel_for(1, n - 1, std::forward<F>(f)); }

// One whose own lambda calls what it is given.
template <class F> void rows(int n, F cell)
{
    inside(n, [=](int i) {
        for (int j = 1; j < n - 1; j++)
            cell(i, j);
    });
}

template <int Width, class T, class F, class G> void fill(std::vector<T> &v, int n, const F &value, G weight)
{
    for (int k = Width; k < n - Width; k++)
        v[k] = weight(k) * value(k, Width);
}
}

struct Model {
    double rate, floor;
};

class Line {
public:
    Line(int n, double c) : n_(n), c_(c), u_(n), w_(n) {}
    double &operator[](int i) { return u_[i]; }
    // Lambdas find the members by this.
    void step()
    {
        par::parallel_for(1, n_ - 1, [this](int i) { w_[i] = u_[i] + c_ * (u_[at(i - 1)] + u_[at(i + 1)] - 2.0 * u_[i]); });
        par::parallel_for(1, n_ - 1, [&](int i) { u_[i] = w_[i]; });
    }

private:
    int at(int i) const { return i; }
    int n_;
    double c_;
    std::vector<double> u_, w_;
};

// A function that a region calls.
static void damp(std::vector<double> &u, const std::vector<double> &v, int n, const Model model)
{
    par::parallel_for(1, n - 1, [&](int i) {
        par::parallel_for(1, n - 1, [&](int j) {
            double y = model.rate * v[i * n + j];
            if (y < model.floor)
                y = model.floor;
            u[i * n + j] = y;
        });
    });
}

static void relax(std::vector<double> &u, std::vector<double> &v, int n, int steps, const Model model)
{
    const auto at = [=](int i, int j) { return i * n + j; };
    const double weights[3] = {0.25, 0.5, 0.25};
    auto smooth = [&](int i, int j) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += weights[k] * u[at(i, j + k - 1)];
        v[at(i, j)] = sum;
    };
#pragma scop
    for (int t = 0; t < steps; t++) {
        par::for_each_cell(n, smooth);
        par::rows(n, [&](int i, int j) { u[at(i, j)] = 0.2 * (v[at(i - 1, j)] + v[at(i + 1, j)] + v[at(i, j - 1)] + v[at(i, j + 1)]) + 0.2 * v[at(i, j)]; });
        par::for_each_cell(n, [&](int f, int cell) {
            if ((f + cell) % 2 == 0)
                v[at(f, cell)] = u[at(f, cell)] + 0.01 * model.rate;
            else
                v[at(f, cell)] = u[at(f, cell)];
        });
        damp(u, v, n, model);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 20, n = argc > 2 ? std::atoi(argv[2]) : 50;
    std::vector<double> u(n * n), v(n * n);
    Line line(n, 0.2);
    par::parallel_for(0, n * n, [&](int k) { u[k] = v[k] = std::sin(0.37 * k); });
    for (int k = 0; k < n; k++)
        line[k] = std::cos(0.21 * k);
    const Model model{0.875, 0.01};
    relax(u, v, n, steps, model);
    std::vector<double> next(n), now(n);
    for (int k = 0; k < n; k++)
        now[k] = next[k] = u[k] + 0.5;
#pragma scop
    for (int t = 0; t < steps; t++) {
        line.step();
        par::fill<1>(next, n, [&now, model](int k, int d) -> double { return model.rate * (now[k - d] + now[k + d]); }, [](int k) {
            if (k % 3 == 0)
                return 0.25;
            return 0.5;
        });
        par::fill<1>(now, n, [&](int k, int) { return next[k]; }, [&](int) -> double { return model.rate; });
    }
#pragma endscop
    par::parallel_for(0, n, [&](int k) { line[k] += now[k]; });
    double sum = 0, ends = 0;
    for (int k = 0; k < n * n; k++)
        sum += u[k] * (1 + k % 7);
    for (int k = 0; k < n; k++)
        ends += line[k] * (1 + k % 5);
    std::printf("%.17g %.17g\n", sum, ends);
}
