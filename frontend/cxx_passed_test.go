package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// passedProgram is a region that passes a lambda to a template of functions, in which tests replace a part.
const passedProgram = `#include <utility>
#include <vector>
#define FIRST 1
template <class F> void loop(int from, int to, F f) {
  for (int i = from; i < to; i++) f(i);
}
template <class F> void stores(double *x, std::vector<double> &v, int n, F f) { for (int i = FIRST; i < n - 1; i++) { v[i] = f(i); } }
template <class F> void sets(double &x, int n, F f) { for (int i = FIRST; i < n - 1; i++) f(i); }
template <class F, class G> void both(int n, F f, G g) { for (int i = FIRST; i < n - 1; i++) { f(i); g(i); } }
template <class F> void again(int n, F f) { loop(1, n - 1, f); }
template <class F> void forever(int n, F f) { f(n); forever(n - 1, f); }
double total;
void step(std::vector<double> &u, std::vector<double> &v, double x, int n, int steps) {
  double y = 2 * x;
  const auto at = [=](int i) { return i % n; };
#pragma scop
  for (int t = 0; t < steps; t++) {
    loop(1, n - 1, [&](int i) { v[i] = u[i - 1] * y; });
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
#pragma endscop
}
`

const passedCall = "loop(1, n - 1, [&](int i) { v[i] = u[i - 1] * y; });"

// parsePassed reads passedProgram with texts replaced by others, in pairs.
func parsePassed(t *testing.T, pairs ...string) error {
	text := passedProgram
	for k := 0; k < len(pairs); k += 2 {
		require.Contains(t, text, pairs[k])
		text = strings.Replace(text, pairs[k], pairs[k+1], 1)
	}
	_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(text)}, frontend.Options{})
	return err
}

// TestCxxLambdasPassed reads lambdas that are passed to templates of functions.
func TestCxxLambdasPassed(t *testing.T) {
	for _, call := range []string{
		passedCall,
		"loop(1, n - 1, [=, &u, &v](int i) { v[i] = u[i - 1] * y; });",
		"auto f = [&](int i) { v[i] = u[i - 1] * y; }; loop(1, n - 1, f);",
		"again(n, [&](int i) { v[i] = u[i - 1] * y; });",
		"both(n, [&](int i) { v[i] = u[i - 1] * y; }, [&](int i) { v[i] += 1; });",
		"again(n, [&](int i) { v[i] = u[at(i)] * y; });", // which is given n as a value
		"double z; stores(&z, v, n, [&](int i) { return u[i - 1] * y; });",
		"double z; sets(z, n, [&](int i) { v[i] = u[i - 1] * y; });",
	} {
		require.NoError(t, parsePassed(t, passedCall, call), call)
	}
	for _, head := range []string{"const F &f", "F &&f", "const F f"} {
		require.NoError(t, parsePassed(t, "F f) {\n", head+") {\n"), head)
	}
	require.NoError(t, parsePassed(t, "f(i);\n", "std::forward<F>(f)(i);\n"))
	require.NoError(t, parsePassed(t, "F f) {\n", "F u) {\n", "f(i);\n", "{ int v = i; u(v); }\n"))
	require.NoError(t, parsePassed(t, "v[i] = u[i - 1] * y;", "v[i] = u[at(i)] * y;"))
}

// TestCxxLambdasPassedRefused refuses lambdas that are passed to what would mean something else in C.
func TestCxxLambdasPassedRefused(t *testing.T) {
	refused := func(why string, pairs ...string) {
		t.Helper()
		require.ErrorContains(t, parsePassed(t, pairs...), why, "%s", pairs)
	}
	refused("f.cpp:18:5: this lambda cannot be passed to 'loop': it may set 'y', which is no variable of its own [HX005]", "* y; });", "* y; y += 1; });")
	refused("'sets' may set 'y', which the lambda names", passedCall, "sets(y, n, [&](int i) { v[i] = u[i - 1] * y; });")
	refused("which 'y' may refer to", passedCall, "stores(&y, v, n, [=, &u](int i) { return u[i - 1] * y; });")
	refused("which 'y' may refer to", passedCall, "stores(p, v, n, [&](int i) { return u[i - 1] * y; });", "2 * x;", "2 * x; double *p = &y;")
	refused("'loop' does more with 'f' than call it", "f(i);\n", "{ auto g = f; g(i); }\n")
	refused("'loop' does more with 'F' than call it", "f(i);\n", "f(i + sizeof(F));\n")
	refused("it holds a copy of 'u'", "[&](int i)", "[=, &v](int i)")
	refused("it names 'y', which is another variable here", passedCall, "auto f = [&](int i) { v[i] = u[i - 1] * y; }; { double y = 3; loop(1, n - 1, f); v[0] = y; }")
	refused("'loop' may set 'n', which the lambda names", "v[i] = u[i - 1]", "v[i] = u[at(i)]", "void loop(int from, int to,", "void loop(int from, int &to,", "loop(1, n - 1,", "loop(1, n,")
	refused("a directive stands around the template", "template <class F> void loop", "#if 1\ntemplate <class F> void loop", "template <class F> void stores", "#endif\ntemplate <class F> void stores")
	refused("changes a macro that it uses", passedCall, "both(n, [&](int i) { v[i] = u[i - 1] * y; }, [&](int i) { v[i] += 1; });", "double total;", "#undef FIRST\n#define FIRST 2\ndouble total;")
	refused("a variable of the template is static", "for (int i = from", "static int calls; for (int i = from")
	refused("it is passed on too often", passedCall, "forever(n, [&](int i) { v[i] = u[i - 1] * y; });")
	refused("it follows from more than one argument", "int n, F f, G g)", "int n, F f, F g)", passedCall, "auto f = [&](int i) { v[i] = u[i - 1] * y; }; both(n, f, f);")
	refused("of parameter 'i' no type is known", "[&](int i)", "[&](auto i)")
	refused("the call leaves arguments out", "F f) {\n", "F f, int k = 1) {\n")
	refused("it is called with another number of arguments", "f(i);\n", "f(i, 1);\n")
	refused("how it captures, or what it returns, is not read", "[&](int i)", "[&, k = n](int i)")
	refused("unexpected '['", "double total;", "template <class F> void loop(int to, F f) { f(to); }\ndouble total;")
	refused("'total' is assigned in the region", "* y; });", "* y; total += y; });")
}
