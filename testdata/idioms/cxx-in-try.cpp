// Regions in a block whose exceptions are caught.
// RUN 60 5|9 30|3 2|97 0|-1 4
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static std::vector<double> made(int n) {
  if (n < 0) throw std::invalid_argument("a grid has no " + std::to_string(n) + " points");
  return std::vector<double>(n);
}

static double smooth(int n, int steps) {
  int done = 0;
  try {
    std::vector<double> u = made(n), v = made(n);
    for (int i = 0; i < n; ++i) u[i] = v[i] = i % 7;
#pragma scop
    for (int t = 0; t < steps; ++t) {
      for (int i = 1; i < n - 1; ++i) v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
      std::swap(u, v);
    }
#pragma endscop
    done = steps;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum = sum * 0.97 + u[i];
    if (sum > 1e3) throw std::runtime_error("more than expected");
    return sum;
  } catch (const std::invalid_argument &e) {
    std::printf("%s\n", e.what());
    return -1;
  } catch (const std::exception &e) {
    std::printf("%s after %d steps\n", e.what(), done);
  } catch (...) {
    std::abort();
  }
  return done;
}

int main(int argc, char **argv) {
  try {
    int n = argc > 1 ? std::stoi(argv[1]) : 50;
    const int steps = argc > 2 ? std::stoi(argv[2]) : 8;
    const double first = smooth(n, steps);
    std::vector<double> a = made(n), b = made(n);
    for (int i = 0; i < n; ++i) a[i] = b[i] = first + i % 5;
#pragma scop
    for (int t = 0; t < steps; ++t) {
      for (int i = 1; i < n - 1; ++i) b[i] = a[i] + 0.125 * (a[i - 1] - 2 * a[i] + a[i + 1]);
      for (int i = 1; i < n - 1; ++i) a[i] = b[i];
    }
#pragma endscop
    double sum = first;
    for (int i = 0; i < n; ++i) sum = sum * 0.97 + a[i];
    std::printf("%.17g\n", sum);
  } catch (const std::exception &e) {
    std::printf("refused: %s\n", e.what());
  }
}
