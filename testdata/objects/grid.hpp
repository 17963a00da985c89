#pragma once
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fields {

// A grid owns its elements, and all is private.
template <class T = double>
class Grid {
 public:
  static constexpr int halo = 1;
  Grid(int rows, int cols, T value = T()) : rows_(rows), cols_(cols), data_(static_cast<std::size_t>(rows) * cols, value), name_("grid") {}
  T &operator()(int i, int j) noexcept { return data_[offset(i, j)]; }
  const T &operator()(int i, int j) const noexcept { return data_[offset(i, j)]; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  void print() const { std::printf("%s of %d\n", name_.c_str(), rows_); }
  void fill(int seed) {
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j < cols_; ++j)
        (*this)(i, j) = T((i * 7 + j * 3 + seed) % 11) * T(0.25);
  }
  double sum() const {
    double s = 0;
    for (auto x : data_) s = s * 0.99 + double(x);
    return s;
  }

 private:
  std::size_t offset(int i, int j) const { return static_cast<std::size_t>(i) * cols_ + j; }
  int rows_, cols_;
  std::vector<T> data_;
  std::string name_;
};

// A view owns nothing.
struct View {
  float *p;
  int n, m;
  float &at(int i, int j) const { return p[i * m + j]; }
  float *operator[](int i) { return p + i * m; }
};

}  // namespace fields
