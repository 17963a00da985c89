// Enumerations with a scope: no arithmetic converts them, a cast does, and what they are stored as is their own.
// RUN 60 5|9 30|2 3|90 0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cells {
enum class Kind : std::uint8_t { Fluid, Wall, Out = 7 };
enum struct Sign { Minus = -1, Zero, Plus, Last = Plus + 1 };
}  // namespace cells
enum class Wide : long { Low = -4, High = 5 };
enum class Large : unsigned { None, Most = 0x80000001u };
using cells::Kind;
enum class Colour : bool { Red, Black };

struct Cell {
  Kind kind = Kind::Fluid;
  double value = 0;
};

static Large large[100];
static Wide wide[100];

static double weight(Kind k) {
  switch (k) {
  case Kind::Wall:
    return 0.5;
  case cells::Kind::Out:
    return 0.25;
  default:
    return 1;
  }
}

static constexpr bool isOpen(const Kind k) { return k != Kind::Wall; }

static void run(int n, int steps, std::vector<Kind> &kind, const cells::Sign *sign, Kind one, Colour colour, std::vector<Cell> &cell, std::vector<double> &a,
                std::vector<double> &b) {
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i) {
      const Kind here = kind[i];
      const auto next = kind[i + 1] == Kind::Out ? Kind::Wall : kind[i + 1];
      double sum = here == Kind::Wall ? 0 : a[i - 1] + a[i + 1];
      if (sign[i] < cells::Sign::Zero || sign[i] == cells::Sign::Last) sum += 0.5;
      if (isOpen(here) && next > Kind::Fluid && one >= next) sum += weight(next) * static_cast<int>(next);
      sum += static_cast<int>(here) * 0.125 + static_cast<double>(sign[i]) + static_cast<int>(wide[i]) * (wide[i] < Wide::High ? 2 : 3);
      sum += (large[i] > Large::None) + static_cast<unsigned>(Large::Most) * 0x1p-33 + (colour == Colour::Black ? i : -i);
      b[i] = sum / 4 + cell[i].value * (cell[i].kind == one);
    }
    for (int i = 1; i < n - 1; ++i) {
      a[i] = b[i] / 16;
      cell[i].value = b[i] > 3 ? cell[i - 1].value : a[i];
      if (sign[i] == cells::Sign::Minus)
        kind[i] = one;
      else if (b[i] > 5)
        kind[i] = static_cast<Kind>(i % 2 * 7);
    }
  }
#pragma endscop
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50, steps = argc > 2 ? std::atoi(argv[2]) : 8;
  std::vector<Kind> kind(n);
  std::vector<cells::Sign> sign(n);
  std::vector<Cell> cell(n);
  std::vector<double> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    kind[i] = i % 3 == 0 ? Kind::Fluid : i % 7 ? Kind::Wall : Kind::Out;
    sign[i] = i % 5 == 2 ? cells::Sign::Minus : i % 2 ? cells::Sign::Zero : cells::Sign::Last;
    wide[i] = i % 2 ? Wide::Low : Wide::High, large[i] = i % 3 ? Large::None : Large::Most;
    cell[i].kind = kind[i], cell[i].value = i % 4;
    a[i] = i % 9;
  }
  run(n, steps, kind, sign.data(), Kind::Wall, Colour::Black, cell, a, b);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 0.97 + a[i] + static_cast<int>(kind[i]) + cell[i].value;
  std::printf("%.17g\n", sum);
}
