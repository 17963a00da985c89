// A time loop whose step is a method with a lambda, and that prints what methods return that have no C.
// RUN 100 9|7 64|0 33|31 17
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

struct Rates {
    double spread = 0.1, feed = 0.02;
};

class Field {
public:
    Field(int n, const Rates &r) : name_("u"), rates_(r), n_(n), u_(n * n), next_(n * n)
    {
        for (int k = 0; k < n * n; k++)
            u_[k] = 1.0 + 0.5 * std::sin(0.3 * k);
    }

    void step()
    {
        auto lap = [this](const std::vector<double> &f, int x, int y) {
            const int left = wrap(x - 1), right = wrap(x + 1);
            const int below = wrap(y - 1), above = wrap(y + 1);
            return f[at(left, y)] + f[at(right, y)] + f[at(x, below)] + f[at(x, above)] - 4.0 * f[at(x, y)];
        };
        for (int y = 0; y < n_; ++y)
            for (int x = 0; x < n_; ++x)
                next_[at(x, y)] = u_[at(x, y)] + rates_.spread * lap(u_, x, y) - rates_.feed * u_[at(x, y)];
        u_.swap(next_);
        ++steps_;
    }

    double mean() const { return std::accumulate(u_.begin(), u_.end(), 0.0) / (n_ * n_); }
    double most() const { return *std::max_element(u_.begin(), u_.end()); }
    double above(double level) const
    {
        int count = 0;
        for (const double x : u_)
            if (x > level)
                count++;
        return count / (mean() * n_ * n_);
    }
    int steps() const { return steps_; }
    const std::string &name() const { return name_; }

private:
    int at(int x, int y) const { return y * n_ + x; }
    int wrap(int i) const { return (i + n_) % n_; }
    std::string name_;
    Rates rates_;
    int n_;
    std::vector<double> u_, next_;
    int steps_ = 0;
};

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 40, n = argc > 2 ? std::atoi(argv[2]) : 30;
    Field field(n, Rates());
    std::cout.precision(12);
#pragma scop
    for (int s = 0; s < steps; ++s) {
        field.step();
        if ((s + 1) % 10 == 0)
            std::cout << "step " << field.steps() << ": mean " << field.mean() << ", most " << field.most() - 1.0 << "\n";
        if (s % 7 == 3)
            std::printf("%.12g\n", field.above(1.01));
    }
#pragma endscop
    std::cout << field.name() << " " << field.mean() << std::endl;
}
