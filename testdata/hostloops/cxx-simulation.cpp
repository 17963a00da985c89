// A simulation as a class: its methods step, set borders and write, and stand behind the one that calls them.
// RUN 9 15|20 17|5 4|3 0
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>
template <class T> class Sim {
public:
  Sim(int n, int m) : n_(n), m_(m), u_(n * m), v_(n * m) { for (int i = 0; i < n * m; i++) u_[i] = v_[i] = i * 7 % 13; }
  void run(int steps, int every) {
#pragma scop
    for (int t = 0; t < steps; ++t) {
      step(T(0.2));
      border();
      if (t % every == 0)
        write(t);
    }
#pragma endscop
  }
  void all() const { for (T x : u_) std::printf("%a\n", double(x)); }
private:
  void step(T c) {
    for (int i = 1; i < n_ - 1; ++i)
      for (int j = 1; j < m_ - 1; ++j)
        v_[at(i, j)] = u_[at(i, j)] + c * (u_[at(i - 1, j)] + u_[at(i + 1, j)] + u_[at(i, j - 1)] + u_[at(i, j + 1)] - 4 * u_[at(i, j)]);
    std::swap(u_, v_);
  }
  void border() {
    for (int i = 0; i < n_; ++i) u_[at(i, 0)] = u_[at(i, 1)];
  }
  void write(int t) const { std::cout << t << ' ' << u_[at(1, 1)] << '\n'; }
  int at(int i, int j) const { return i * m_ + j; }
  int n_, m_;
  std::vector<T> u_, v_;
};
int main(int, char **argv) {
  Sim<double> s(atoi(argv[1]), atoi(argv[1]) + 2);
  s.run(atoi(argv[2]), 4);
  s.all();
}
