// Complex numbers of C++ with zeros of both signs, infinities and what is no number: made of parts, of real numbers and by literals, as locals, members, elements and arguments.
// RUN 1 40 | 2 300 | 5 77 | 3 3 | 0 5 | 4 9 | 2 1
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>
using namespace std::complex_literals;
typedef std::complex<float> cfloat;
typedef double real;
using cplx = std::complex<real>;

struct Wave {
    int n;
    std::vector<cplx> psi, next;
    std::vector<float> v;
    cplx rate;
    const cplx &at(int i) const { return psi[i]; }
};

template <class T> static T twice(T x) { return x + x; }
static std::complex<double> times(std::complex<double> z, std::complex<double> w) { return z * w; }
static cplx real2(double x, cplx w) { return x * w; }
static double part(const cplx &z) { return z.real() - std::imag(z); }

static void f(int T, int n, std::vector<cplx> &a, std::vector<cplx> &an, std::vector<double> &x, std::vector<cfloat> &b, std::vector<cfloat> &bn, double gain, Wave &wave)
{
    const cfloat turn = cfloat(0.0f, 1.0f);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
            cplx l = x[i];
            cplx w = a[i * 16 + 16];
            cplx zero;
            cplx many[3];
            many[1] = {x[i], 2};
            const auto both = w * x[i] + 0.5i;
            an[i * 16] = i % 2 ? w * 0.5 : times(gain, w);
            an[i * 16 + 1] = times(x[i], w);
            an[i * 16 + 2] = real2(x[i], w);
            an[i * 16 + 3] = l * w + zero;
            an[i * 16 + 4] = cplx(x[i]) * w;
            an[i * 16 + 5] = x[i] * w + many[0] + many[1];
            an[i * 16 + 6] = w / x[i];
            an[i * 16 + 7] = x[i] / w + std::conj(both);
            an[i * 16 + 8] = x[i] - w;
            an[i * 16 + 9] = -w + 1.0i * w - x[i];
            an[i * 16 + 10] += x[i];
            an[i * 16 + 11] *= 1.0 - w;
            an[i * 16 + 12] -= twice(w) / (w == x[i] ? 2.0 : std::norm(w));
            an[i * 16 + 13] /= cplx{x[i], part(w)};
            an[i * 16 + 14] = std::polar(x[i] * x[i], 0.25) + exp(std::sqrt(w)) - std::log(w) * std::arg(w) + std::sin(w) * std::cos(conj(w));
            an[i * 16 + 15] = w != l ? (w - l).real() : std::abs(w + l);
            bn[i * 4] = cfloat(w) * (float)x[i] + b[i * 4 + 4];
            bn[i * 4 + 1] = b[i * 4 + 5] / turn;
            bn[i * 4 + 1] *= 0.1;
            bn[i * 4 + 2] += x[i];
            bn[i * 4 + 3] *= w;
        }
        for (int i = 1; i < n - 1; i++)
            wave.next[i] = wave.at(i) + wave.rate * (wave.at(i - 1) + wave.at(i + 1) - 2.0 * wave.psi[i]) - 1i * double(wave.v[i]) * wave.psi[i];
        std::swap(a, an);
        std::swap(b, bn);
        std::swap(wave.psi, wave.next);
    }
#pragma endscop
}

static void show(double v)
{
    if (v == v)
        printf("%a\n", v);
    else
        puts("nan"); // of either sign
}

int main(int argc, char **argv)
{
    int T = argc > 1 ? atoi(argv[1]) : 3, n = argc > 2 ? atoi(argv[2]) : 8;
    std::vector<cplx> a(n * 16 + 16), an(n * 16 + 16);
    std::vector<cfloat> b(n * 4 + 4), bn(n * 4 + 4);
    std::vector<double> x(n);
    const double special[] = {0., -0., 1., -2.5, 1. / 0., -1. / 0., 1e308, 3e-320, 0.1};
    unsigned s = 1;
    for (int k = 0; k < n * 16; k++) {
        s = s * 1103515245 + 12345;
        a[k] = cplx(special[(s >> 16) % 9], special[(s >> 20) % 9]);
        an[k] = cplx(special[(s >> 18) % 9], special[(s >> 21) % 9]);
        b[k / 4] = cfloat(float(special[(s >> 20) % 9]), float(special[(s >> 16) % 9]));
        bn[k / 4] = std::conj(b[k / 4]);
        x[k / 16] = special[(s >> 8) % 9];
    }
    Wave wave{n, std::vector<cplx>(n), std::vector<cplx>(n), std::vector<float>(n), cplx(0.01, 0.2)};
    for (int i = 0; i < n; i++) {
        wave.psi[i] = wave.next[i] = cplx(i % 5, -i);
        wave.v[i] = i % 3;
    }
    f(T, n, a, an, x, b, bn, 2, wave);
    for (int k = 0; k < n * 16; k++) {
        show(a[k].real());
        show(a[k].imag());
        show(b[k / 4].real());
        show(b[k / 4].imag());
    }
    for (int i = 0; i < n; i++)
        printf("%a %a\n", wave.psi[i].real(), wave.psi[i].imag());
    return 0;
}
