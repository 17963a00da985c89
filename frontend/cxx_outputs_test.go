package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// outputsProgram is a region that prints what a method returns that has no C, in which tests replace a part.
const outputsProgram = `#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>
static int calls;
static double counted(double x) { calls++; return x; }
struct Other { int n = 0; int total() const { return calls++; } };
class Field {
 public:
  Field(int n) : n_(n), u_(n), v_(n) {}
  void step() {
    for (int i = 1; i < n_ - 1; i++) v_[i] = 0.25 * (u_[i - 1] + 2 * u_[i] + u_[i + 1]);
    u_.swap(v_);
  }
  double mean() const { return std::accumulate(u_.begin(), u_.end(), 0.0) / n_; }
 private:
  int n_;
  std::vector<double> u_, v_;
};
void run(Field &f, int steps, double *w) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    f.step();
    if (t % 10 == 0) std::cout << f.mean() << std::endl;
  }
#pragma endscop
}
`

// TestCxxOutputs reads and refuses output of what const methods return that have no C.
func TestCxxOutputs(t *testing.T) {
	const refusal = "a method of class 'Field' that a region cannot call [HX005]"
	body := "return std::accumulate(u_.begin(), u_.end(), 0.0) / n_;"
	for _, x := range []struct{ old, new, err string }{
		{"", "", ""},
		{"std::cout << f.mean() << std::endl;", `std::printf("%g\n", 2 * f.mean());`, ""},
		{body, "double s = 0; for (const double x : u_) if (x > 0) s += x; return s;", ""},
		{body, "auto more = [&](double s, double x) { return s + x * n_; }; return std::accumulate(u_.begin(), u_.end(), 0.0, more);", ""},
		{"int n_;", "int n_; std::string name_;", ""},
		// What it returns is not only printed.
		{"std::cout << f.mean() << std::endl;", "w[t] = f.mean();", refusal},
		{"std::cout << f.mean() << std::endl;", "std::cout << (w[0] = f.mean());", refusal},
		// It may set something.
		{"mean() const", "mean()", refusal},
		{"int n_;", "int n_; mutable int count_ = 0;", refusal},
		{"int n_;", "int n_; double *w_ = nullptr;", refusal},
		{"int n_;", "int n_; std::unique_ptr<double[]> w_;", refusal},
		{"int n_;", "int n_; std::shared_ptr<int> w_;", refusal},
		{body, "calls++; " + body, refusal},
		{body, "calls = 2; " + body, refusal},
		{body, "static int k = 0; k++; " + body, refusal},
		{body, "double *w = (double *)u_.data(); w[0] = 1; " + body, refusal},
		{body, "double *w = const_cast<double *>(u_.data()); w[0] = 1; " + body, refusal},
		{body, "return counted(1.0) + std::accumulate(u_.begin(), u_.end(), 0.0);", refusal},
		{body, "const_cast<Field *>(this)->n_ = 2; " + body, refusal},
		{body, "return other_.total() + std::accumulate(u_.begin(), u_.end(), 0.0); } Other other_; double one() const { return 1;", refusal},
	} {
		require.Contains(t, outputsProgram, x.old)
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(outputsProgram, x.old, x.new, 1))}, frontend.Options{})
		if x.err == "" {
			require.NoError(t, err, x.new)
			continue
		}
		require.ErrorContains(t, err, x.err, "%s", x.new)
	}
}
