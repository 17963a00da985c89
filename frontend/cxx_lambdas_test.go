package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// lambdasProgram is a region that calls a lambda of several statements, in which tests replace a part.
const lambdasProgram = `#include <cmath>
#include <utility>
#include <vector>
#define INC(v) ((v) += 1)
#define BUMP x += 1
struct P { double a, b; };
static double inc(double &v) { v += 1; return v; }
template <class V> void bump(V &v) { v += 1; }
void step(std::vector<double> &u, std::vector<double> &v, double x, int n, int steps) {
  P p{1, 2};
  double w[3] = {1, 2, 3};
  auto g = [&](int i) { const double y = u[i]; return y * w[1]; };
  auto f = [&](int i) { const double y = u[i - 1]; return x * y; };
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = f(i);
    for (int i = 1; i < n - 1; i++) u[i] = v[i] + g(i);
  }
#pragma endscop
}
double use(double x) { P p{x, x}; bump(x); return inc(x) + p.a; }
`

// parseLambdas reads lambdasProgram with new in place of old.
func parseLambdas(t *testing.T, old, new string) error {
	require.Contains(t, lambdasProgram, old)
	_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(lambdasProgram, old, new, 1))}, frontend.Options{})
	return err
}

// TestCxxLambdasLifted reads lambdas of several statements.
func TestCxxLambdasLifted(t *testing.T) {
	body := "const double y = u[i - 1]; return x * y;"
	for _, x := range []struct{ old, new string }{
		{"", ""},
		{"auto f = [&]", "const auto f = [&u, x]"},
		{body, "if (i > 3) return x; double y = u[i - 1]; y += 2; return x * y;"},
		{"(int i) { " + body, "(int i) -> double { if (i > 3) return 1; return x * p.a;"},
		{body, "double q[2] = {1, 2}; q[0] = u[i]; return q[0] + q[1] * g(i);"},
		{"(int i) { " + body + " }", "(auto i) { " + body + " }"},
		{"= f(i);", "= f(i) + f(2 * i - i);"},
		{body, "const double y = p.a; return y > 0 ? p.a : p.b;"},
		// What it sees may change, unless it holds a copy.
		{"#pragma scop\n", "x = 2;\n#pragma scop\n"},
		// It names no variable that another one hides.
		{"v[i] = f(i);", "{ const double w = 3; v[i] = f(i) + w; }"},
	} {
		require.NoError(t, parseLambdas(t, x.old, x.new), x.new)
	}
}

// TestCxxLambdasRefused refuses lambdas that would mean something else as functions of C.
func TestCxxLambdasRefused(t *testing.T) {
	refused := func(old, new, why string) {
		t.Helper()
		require.ErrorContains(t, parseLambdas(t, old, new), why, "%s", new)
	}
	for _, set := range []string{"x = 1;", "x++;", "--x;", "(x) += 1;", "inc(x);", "bump(x);", "double *q = &x; *q = 2;", "double &q = x; q = 2;", "double q = y; std::swap(x, q);"} {
		refused("return x * y;", set+" return x * y;", "f.cpp:16:44: a region cannot call lambda 'f': it may set 'x', which is no variable of its own [HX005]")
	}
	refused("return x * y;", "p.a = 1; return x * y;", "it may set 'p', which")
	refused("return x * y;", "u.swap(v); return x * y;", "it may set 'u', which")
	refused("return x * y;", "std::swap(u, v); return x * y;", "it may set 'u', which")
	refused("return x * y;", "INC(x); return x * y;", "macro 'INC', which it uses, may set something")
	refused("return x * y;", "BUMP; return x * y;", "macro 'BUMP', which it uses, may set something")
	refused("return x * y;", "static int k = 0; return x * y;", "it does more than compute")
	refused("return x * y;", "auto h = [&](int k) { return k * x; }; return h(i);", "it does more than compute")
	refused("return x * y;", "return y * pow(x, 2);", "what type it returns is not known")
	// What it captures: made for it, kept, or changed.
	refused("auto f = [&]", "auto f = [&u, x = 2.0]", "it makes what it captures")
	refused("auto f = [&](int i) {", "auto f = [&u, x](int i) mutable { x += 1;", "it sets copies of its own, which it keeps")
	refused("auto f = [&]", "static auto f = [&]", "it is static, and keeps what it captures first")
	refused("i < n - 1; i++) v[i] = f(i);", "i < n - 1; i++) { static const auto h = [&](int k) { return u[k] * x; }; v[i] = h(i); }", "HX005")
	refused("auto f = [&]", "auto f = [=]", "lambda 'f' holds a copy of 'u', which may be set later [HX005]")
	refused("auto f = [&](int i) { const double y = u[i - 1]; return x * y; };", "auto f = [u](int i) { return u[i - 1]; };", "lambda 'f' holds a copy of 'u', which may be set later [HX005]")
	refused("auto f = [&](int i) { const double y = u[i - 1]; return x * y; };", "auto f = [&, p](int i) { return u[i - 1] * p.a; };\n  p.a = 2;", "lambda 'f' holds a copy of 'p', which may be set later [HX005]")
	// Names that mean something else in front of the function, or where it is called.
	refused("  auto f = [&](int i) { const", "  using real = float;\n  auto f = [&](int i) { const real z = 1; const", "it uses 'real', which is declared in the function")
	refused("  auto f = [&](int i) { const", "#define K 3\n  auto f = [&](int i) { const", "a directive stands before it in the function")
	refused("v[i] = f(i);", "{ const double x = 3; v[i] = f(i) + x; }", "lambda 'f' names 'x', which is another variable here [HX005]")
	refused("return x * y;", "const double w = 2; return w * g(i);", "it calls 'g' where 'w' is another variable")
	// What it is given may be what it sets.
	refused("(int i) { const", "(int i, const double &o) { v[i] = 2; x = o; const", "it may set 'x', which")
	refused("(int i) { const double y = u[i - 1]; return x * y;", "(int i, const double &o) { v[i] = 2; const double y = o; return y;", "it sets something, which 'o' may refer to")
}
