// Complex numbers whose norms and sums are gathered, until they change no more.
// RUN 3 8 | 0 5 | 40 23 | 2 1 | 200 40
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>
using cplx = std::complex<double>;
int main(int argc, char **argv)
{
    int T = argc > 1 ? atoi(argv[1]) : 30, n = argc > 2 ? atoi(argv[2]) : 8;
    std::vector<cplx> u(n), v(n);
    for (int i = 0; i < n; i++) u[i] = cplx(i % 7, -i % 5);
    double err = 1, mass = 0;
    cplx total = 0;
    int it = 0;
#pragma scop
    while (err > 1e-3 && it < T) {
        err = 0;
        mass = 0;
        total = 0.0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            err = std::max(err, std::abs(v[i] - u[i]));
            mass += std::norm(v[i]);
            total += v[i];
        }
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
        if (it % 10 == 0) printf("%d %.17g %.17g %.17g %.17g\n", it, err, mass, total.real(), total.imag());
        it++;
    }
#pragma endscop
    for (int i = 0; i < n; i++) printf("%.17g %.17g\n", u[i].real(), u[i].imag());
    printf("%d %.17g\n", it, err);
}
