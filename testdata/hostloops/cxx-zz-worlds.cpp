// Objects whose methods say how large they are, and set elements one by one, in nests that count; a loop without a first value, of what an enum class says.
// RUN 40 30 12|7 5 3|3 3 4|2 2 3|33 17 0
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace life {

enum class Cell : std::uint8_t { Dead, Alive };

struct Rule {
  unsigned birth = 1u << 3;
  unsigned survive = (1u << 2) | (1u << 3);
  Cell next(Cell c, int neighbours) const {
    const unsigned mask = c == Cell::Alive ? survive : birth;
    return (mask >> neighbours) & 1u ? Cell::Alive : Cell::Dead;
  }
};

class Universe {
 public:
  Universe(int w, int h) : w_(w), h_(h), cells_(new Cell[w * h]()), scratch_(new Cell[w * h]()) {}
  int width() const { return w_; }
  int height() const { return h_; }
  Cell get(int x, int y) const { return cells_[index(x, y)]; }
  void set(int x, int y, Cell c) { cells_[index(x, y)] = c; }
  void setNext(int x, int y, Cell c) { scratch_[index(x, y)] = c; }
  void flip() { cells_.swap(scratch_); }
  int neighbours(int x, int y) const {
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        const int nx = (x + dx + w_) % w_;
        const int ny = (y + dy + h_) % h_;
        count += static_cast<int>(get(nx, ny));
      }
    return count;
  }

 private:
  int index(int x, int y) const { return y * w_ + x; }
  int w_, h_;
  std::unique_ptr<Cell[]> cells_;
  std::unique_ptr<Cell[]> scratch_;
};

}  // namespace life

int main(int argc, char **argv) {
  life::Universe world(argc > 1 ? std::atoi(argv[1]) : 20, argc > 2 ? std::atoi(argv[2]) : 10);
  const int generations = argc > 3 ? std::atoi(argv[3]) : 5;
  const life::Rule rule;
  for (int y = 0; y < world.height(); ++y)
    for (int x = 0; x < world.width(); ++x) world.set(x, y, (x * 7 + y * 3) % 5 < 2 ? life::Cell::Alive : life::Cell::Dead);
  long totalBirths = 0, totalDeaths = 0;
  int gen = 0;
#pragma scop
  for (; gen < generations; ++gen) {
    long births = 0, deaths = 0;
    for (int y = 0; y < world.height(); ++y) {
      for (int x = 0; x < world.width(); ++x) {
        const auto now = world.get(x, y);
        const auto then = rule.next(now, world.neighbours(x, y));
        if (now != then) {
          if (then == life::Cell::Alive)
            ++births;
          else
            ++deaths;
        }
        world.setNext(x, y, then);
      }
    }
    world.flip();
    totalBirths += births;
    totalDeaths += deaths;
    if (births == 0 && deaths == 0) break;
  }
#pragma endscop
  std::uint64_t hash = 1469598103934665603ull;
  for (int y = 0; y < world.height(); ++y)
    for (int x = 0; x < world.width(); ++x) hash = (hash ^ (static_cast<std::uint64_t>(world.get(x, y)) + 1)) * 1099511628211ull;
  std::printf("%d %ld %ld %016llx\n", gen, totalBirths, totalDeaths, static_cast<unsigned long long>(hash));
}
