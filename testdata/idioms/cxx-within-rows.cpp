// A wave of vectors of vectors, private members of a class, of which some are copies of others: rows lie anywhere.
// RUN 30 20 10 | 3 3 4 | 2 9 4 | 1 1 1 | 64 33 7
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
class Wave {
  using Grid = std::vector<std::vector<double>>;
  int n_, m_;
  Grid prev_, cur_, next_;
  const Grid speed_;
public:
  Wave(int n, int m) : n_(n), m_(m), prev_(n, std::vector<double>(m)), cur_(prev_), next_(n, std::vector<double>(m)), speed_(n, std::vector<double>(m, 0.3)) {
    for (int i = 0; i < n_; i++)
      for (int j = 0; j < m_; j++)
        cur_[i][j] = prev_[i][j] = (i * 7 + j * 5) % 13;
  }
  void run(int steps) {
#pragma scop
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < n_ - 1; i++)
        for (int j = 1; j < m_ - 1; j++)
          next_[i][j] = 2 * cur_[i][j] - prev_[i][j] + speed_[i][j] * (cur_[i - 1][j] + cur_[i + 1][j] + cur_[i][j - 1] + cur_[i][j + 1] - 4 * cur_[i][j]);
      std::swap(prev_, cur_);
      std::swap(cur_, next_);
    }
#pragma endscop
  }
  void print() const { for (const auto &row : cur_) for (double x : row) std::printf("%a\n", x); }
};
int main(int argc, char **argv) {
  Wave w(argc > 1 ? std::atoi(argv[1]) : 30, argc > 2 ? std::atoi(argv[2]) : 20);
  w.run(argc > 3 ? std::atoi(argv[3]) : 10);
  w.print();
}
