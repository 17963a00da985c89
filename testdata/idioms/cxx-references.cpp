// References to arrays, namespaces, and functions of <cmath>, which go by the types of their arguments.
// RUN 20|1|0|301
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace wave {
constexpr int N = 1000;
const float c2 = 0.25f;

void run(float (&u)[3][N], const int &steps)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            u[(t + 2) % 3][i] = 2 * u[(t + 1) % 3][i] - u[t % 3][i] + c2 * static_cast<float>(u[(t + 1) % 3][i - 1] - 2 * u[(t + 1) % 3][i] + u[(t + 1) % 3][i + 1]) * std::sqrt(std::abs(u[t % 3][i]) + 1.f);
#pragma endscop
}
} // namespace wave

static float u[3][wave::N];

int main(int argc, char **argv)
{
    for (int i = 0; i < wave::N; i++)
        u[0][i] = u[1][i] = std::exp(-0.01f * (i - 500) * (i - 500));
    wave::run(u, argc > 1 ? std::atoi(argv[1]) : 300);
    double s = 0;
    for (auto &plane : u) for (auto x : plane) s += x;
    std::printf("%.9g\n", s);
}
