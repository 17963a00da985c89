// Enumerations: arithmetic makes an int of those that one holds, and of others what they are.
// RUN 60 5|9 30|2 3|90 0
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cells {
enum Kind { FLUID, WALL, OUT = 7 };
enum Sign { MINUS = -1, ZERO, PLUS };
}  // namespace cells
enum Small : unsigned char { S0, S1 };
enum Big : unsigned { B0, B1 = 3 };
enum Wide : long { W0, W1 = 5 };
enum Large { L0, L1 = 0x80000001u };
using namespace cells;

static std::vector<Small> small(100);
static Big big[100];
static Wide wide[100];
static Large large[100];

static void run(int n, int steps, std::vector<Kind> &kind, const Sign *sign, Kind one, std::vector<double> &a, std::vector<double> &b) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i) {
      const int below = (kind[i] - 2) + (kind[i] - OUT > 0) + (Kind::OUT - kind[i]) + (kind[i] < i - 8) + (i - 3) * cells::Kind::WALL;
      b[i] = (kind[i] == WALL ? 0 : a[i - 1] + a[i + 1]) + below + sign[i] * 0.5 + (sign[i] < cells::ZERO) + (kind[i] == one ? 3 : 4);
      b[i] += (small[i] - S1) + (big[i] - B1) * 0x1p-32 + (wide[i] - W1) + (large[i] - 5) * 0x1p-32 + (i - 20) * B1 * 0x1p-34 + (i - 50) * L0 / 1e9;
    }
    for (int i = 1; i < n - 1; ++i) {
      a[i] = b[i] / 64;
      kind[i] = sign[i] == MINUS ? one : kind[i];
    }
  }
#pragma endscop
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50, steps = argc > 2 ? std::atoi(argv[2]) : 8;
  std::vector<Kind> kind(n);
  std::vector<Sign> sign(n);
  std::vector<double> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    kind[i] = i % 3 == 0 ? FLUID : i % 7 ? WALL : OUT;
    sign[i] = i % 5 == 2 ? MINUS : i % 2 ? ZERO : PLUS;
    small[i] = i % 3 ? S0 : S1, big[i] = i % 4 ? B0 : B1, wide[i] = i % 2 ? W0 : W1, large[i] = i % 3 ? L0 : L1;
    a[i] = i % 9;
  }
  run(n, steps, kind, sign.data(), WALL, a, b);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + a[i] + kind[i];
  std::printf("%.17g\n", sum);
}
