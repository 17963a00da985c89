// Objects that count their steps and keep the time, in methods that compute and in others.
// RUN 40 30 12|7 5 3|9 8 0|33 17 30
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

class Diffusion {
 public:
  Diffusion(int n, int m, double dt) : n_(n), m_(m), dt_(dt), u_(n * m), v_(n * m) {
    for (int i = 0; i < n * m; ++i) u_[i] = v_[i] = i % 7;
  }
  void step() {
    for (int i = 1; i < n_ - 1; ++i)
      for (int j = 1; j < m_ - 1; ++j) v_[at(i, j)] = u_[at(i, j)] + dt_ * (u_[at(i - 1, j)] + u_[at(i + 1, j)] + u_[at(i, j - 1)] + u_[at(i, j + 1)] - 4 * u_[at(i, j)]);
    u_.swap(v_);
    ++steps_;
    time_ += dt_;
  }
  void tick() {
    ++ticks_;
    late_ = ticks_ > 5;
  }
  int steps() const { return steps_; }
  int ticks() const { return ticks_; }
  bool late() const { return late_; }
  double time() const { return time_; }
  double value(int i, int j) const { return u_[at(i, j)]; }

 private:
  int at(int i, int j) const { return i * m_ + j; }
  int n_, m_, steps_ = 0, ticks_ = 0;
  double dt_, time_ = 0;
  bool late_ = false;
  std::vector<double> u_, v_;
};

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 20, m = argc > 2 ? std::atoi(argv[2]) : 10, steps = argc > 3 ? std::atoi(argv[3]) : 5;
  Diffusion a(n, m, 0.125), b(n, m, 0.0625);
#pragma scop
  for (int t = 0; t < steps; ++t) a.step();
#pragma endscop
#pragma scop
  for (int t = 0; t < steps; ++t) {
    b.step();
    b.tick();
    if (t % 4 == 3) std::printf("%d %d %g\n", b.steps(), b.ticks(), b.time());
  }
#pragma endscop
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) sum = sum * 0.99 + a.value(i, j) - b.value(i, j);
  std::printf("%d %d %d %d %g %g %.17g\n", a.steps(), b.steps(), b.ticks(), b.late(), a.time(), b.time(), sum);
}
