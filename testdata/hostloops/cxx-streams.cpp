// Output to streams in a time loop, and in one that ends by a value.
// RUN 100 9|7 64|0 33|1 3
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <vector>

#define IDX(i, j) ((i) * n + (j))

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 40, n = argc > 2 ? std::atoi(argv[2]) : 50;
    double *u = new double[n * n], *v = new double[n * n];
    for (int k = 0; k < n * n; k++)
        u[k] = v[k] = std::sin(0.1 * k);
    std::cout << std::fixed << std::setprecision(12);
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[IDX(i, j)] = v[IDX(i, j)];
        if (t % 10 == 0)
            std::cout << "step " << std::setw(5) << t << ": " << u[IDX(1, 1)] << std::endl;
    }
#pragma endscop
    double change = 1;
    int count = 0;
#pragma scop
    while (change > 1e-3 && count < 500) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                v[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
                change = std::fmax(change, std::fabs(v[IDX(i, j)] - u[IDX(i, j)]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[IDX(i, j)] = v[IDX(i, j)];
        if (count % 100 == 0)
            std::cout << "change " << change << "\n";
        ++count;
    }
#pragma endscop
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        sum += u[k] * (k % 7);
    std::cout << count << " " << sum << std::endl;
    delete[] u;
    delete[] v;
}
