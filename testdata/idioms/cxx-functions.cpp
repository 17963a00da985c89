// Functions, constants and vectors of C++ around a region, and std::swap in it.
// RUN 20 7|3 4|50 0|17 1
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

using real = double;
constexpr real alpha = 0.1;

static void heat(real *u, real *v, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i)
            for (int j = 1; j < n - 1; ++j)
                v[i * n + j] = u[i * n + j] + alpha * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - real(4) * u[i * n + j]);
        std::swap(u, v);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 200, steps = argc > 2 ? std::atoi(argv[2]) : 100;
    std::vector<real> u(n * n), v(n * n);
    for (int k = 0; k < n * n; k++)
        u[k] = v[k] = std::sin(0.1 * k);
    auto t0 = std::chrono::high_resolution_clock::now();
    heat(u.data(), v.data(), n, steps);
    std::chrono::duration<double> took = std::chrono::high_resolution_clock::now() - t0;
    real sum = 0;
    for (auto x : steps % 2 ? v : u)
        sum += x;
    if (took.count() < 0)
        std::cerr << "how?\n";
    std::cout.precision(17);
    std::cout << "sum " << sum << std::endl;
}
