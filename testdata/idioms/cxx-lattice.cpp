// Fire in a forest: arrays of arrays by another name, which a function takes, of the elements of an enumeration; and templates of functions of variables that auto declares.
// RUN 30 | 1 | 8
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
enum class Cell : std::uint8_t { Empty, Tree, Fire };
constexpr int W = 96, H = 64;
using Lattice = std::array<std::array<Cell, W>, H>;
using Heat = std::array<std::array<double, W>, H>;
constexpr bool burning(const Lattice &l, int y, int x) { return l[y][x] == Cell::Fire; }
template <typename T> static T cooled(T hot, T rate) { return hot - rate * hot; }
static Lattice a, b;
static Heat heat, next;
int main(int argc, char **argv)
{
  const int steps = argc > 1 ? std::atoi(argv[1]) : 100;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
      a[y][x] = b[y][x] = (y * 7 + x * 13) % 5 < 4 ? Cell::Tree : Cell::Empty;
      heat[y][x] = next[y][x] = 0;
    }
  a[H / 2][W / 2] = Cell::Fire;
#pragma scop
  for (int t = 1; t <= steps; ++t) {
    for (int y = 1; y < H - 1; ++y)
      for (int x = 1; x < W - 1; ++x) {
        switch (a[y][x]) {
        case Cell::Fire:
          b[y][x] = Cell::Empty;
          break;
        case Cell::Tree:
          b[y][x] = burning(a, y - 1, x) || burning(a, y + 1, x) || burning(a, y, x - 1) || burning(a, y, x + 1) ? Cell::Fire : Cell::Tree;
          break;
        case Cell::Empty:
          b[y][x] = Cell::Empty;
          break;
        }
        const auto around = 0.25 * (heat[y - 1][x] + heat[y + 1][x] + heat[y][x - 1] + heat[y][x + 1]);
        const auto rate = 0.125;
        next[y][x] = cooled(around, rate) + (burning(a, y, x) ? 100 : 0);
      }
    for (int y = 1; y < H - 1; ++y)
      for (int x = 1; x < W - 1; ++x) {
        a[y][x] = b[y][x];
        heat[y][x] = next[y][x];
      }
  }
#pragma endscop
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      std::printf("%d %a\n", static_cast<int>(a[y][x]), heat[y][x]);
}
