package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// objectsProgram is a region over objects, in which tests replace a part.
const objectsProgram = `#include <vector>
#include <utility>
template <class T> class Grid {
 public:
  Grid(int n, int m) : n_(n), m_(m), data_(n * m) {}
  T &operator()(int i, int j) { return data_[i * m_ + j]; }
  const T &operator()(int i, int j) const { return data_[i * m_ + j]; }
  int rows() const { return n_; }
  int cols() const { return m_; }
  T &counted(int i, int j) { calls_++; return data_[i * m_ + j]; }
  T &checked(int i, int j) { if (i < 0) throw i; return data_[i * m_ + j]; }
 private:
  int n_, m_, calls_ = 0;
  std::vector<T> data_;
};
void step(Grid<double> &u, Grid<double> &v, int steps) {
  int shift = 1;
  auto left = [=](int i) { return i - shift; };
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < u.rows() - 1; i++)
      for (int j = 1; j < u.cols() - 1; j++) v(i, j) = u(left(i), j);
    std::swap(u, v);
  }
#pragma endscop
}
`

// TestCxxObjects reads a region over objects, and changes of it that another program would be.
func TestCxxObjects(t *testing.T) {
	read := func(old, new string) error {
		require.Contains(t, objectsProgram, old)
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(objectsProgram, old, new, 1))}, frontend.Options{})
		return err
	}
	require.NoError(t, read("", ""))
	for _, x := range []struct{ old, new, err string }{
		// What the lambda holds a copy of is another value where it is called, or hidden there.
		{"#pragma scop\n", "shift = 2;\n#pragma scop\n", "lambda 'left' holds a copy of 'shift', which may be set later [HX005]"},
		{"#pragma scop\n", "const int *where = &shift; (void)where;\n#pragma scop\n", "lambda 'left' holds a copy of 'shift', which may be set later [HX005]"},
		// A method that sets a number, one that may not return, one that does not exist.
		{"v(i, j) =", "v.counted(i, j) =", "f.cpp:22:48: a method of class 'Grid' that a region cannot call [HX005]"},
		{"v(i, j) =", "v.checked(i, j) =", "f.cpp:22:48: a method of class 'Grid' that a region cannot call [HX005]"},
		{"v(i, j) =", "v.at(i, j) =", "HX005"},
		// Copies of objects are no exchange.
		{"std::swap(u, v);", "u = v;", "HX106"},
		// Two objects that may be one, in which a number is set.
		{"std::swap(u, v);", "u.calls_ += 1;", "f.cpp:16:24: the function sets a number in an object, and 'u' may be the same object as another [HX005]"},
		// What the lambda sees is hidden where it is called; it sees what is set, where it holds no copy.
		{"[=](int i) { return i - shift; };", "[&](int i) { return i - shift; }; shift = 1;", ""},
		{"int shift = 1;\n  auto left", "const int j = 1;\n  auto left", "HX005"},
	} {
		err := read(x.old, x.new)
		if x.err == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, x.err, "%s", x.new)
	}
}

// TestCxxConstObjects reads objects whose accessors differ for those that are const.
func TestCxxConstObjects(t *testing.T) {
	text := strings.Replace(objectsProgram, "const { return data_[i * m_ + j]; }", "const { return data_[j * m_ + i]; }", 1)
	read := func(text string) string {
		res, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(text)}, frontend.Options{})
		require.NoError(t, err)
		var maps []string
		for _, a := range res.Programs[0].Stmts[0].Accesses {
			maps = append(maps, fmt.Sprint(a.Map))
		}
		return strings.Join(maps, "\n")
	}
	loop := "std::swap(u, v);"
	copyBack := "for (int i = 1; i < u.rows() - 1; i++) for (int j = 1; j < u.cols() - 1; j++) v(i, j) = v(i, j) + u(i, j);"
	plain := read(strings.Replace(text, loop, copyBack, 1))
	constant := read(strings.Replace(strings.Replace(text, loop, copyBack, 1), "step(Grid<double> &u", "step(const Grid<double> &u", 1))
	require.NotEqual(t, plain, constant)
}

// TestCxxRegionsInTemplates reads regions in templates of functions, for each list of arguments that the file uses them with.
func TestCxxRegionsInTemplates(t *testing.T) {
	text := strings.NewReplacer("void step(Grid<double> &u, Grid<double> &v", "template <class T> void step(Grid<T> &u, Grid<T> &v").Replace(objectsProgram)
	functions := []string{}
	parse := func(text string) error {
		res, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(text)}, frontend.Options{})
		functions = nil
		if err != nil {
			return err
		}
		for _, p := range res.Programs {
			functions = append(functions, p.Function)
			first, last := p.UserLines()
			require.Equal(t, [2]int{19, 25}, [2]int{first, last})
		}
		return nil
	}
	one := "void use(Grid<float> &a) { step(a, a, 3); }\n"
	require.NoError(t, parse(text+one))
	require.NoError(t, parse(text+one+"void more(Grid<float> &a) { step<float>(a, a, 4); }\n"))
	require.ErrorContains(t, parse(text), "no use of it in this file says what its parameters are [HX007]")
	require.NoError(t, parse(text+one+"void other(Grid<double> &a) { step(a, a, 3); }\n"))
	require.Equal(t, []string{"step__float", "step__double"}, functions)
	// What is around them is read once for each, on one line.
	require.ErrorContains(t, parse(strings.Replace(text, "#pragma scop", "#ifdef X\n#endif\n#pragma scop", 1)+one+"void other(Grid<double> &a) { step(a, a, 3); }\n"), "f.cpp:19:1: a directive around a region in a template")
	// Of a template of classes there is one.
	text = "template <class T> struct Sim { int n; std::vector<T> a, b; void run(int steps) {\n#pragma scop\nfor (int t = 0; t < steps; t++) { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1]; for (int i = 1; i < n - 1; i++) a[i] = b[i]; }\n#pragma endscop\n} };\n"
	require.ErrorContains(t, parse("#include <vector>\n"+text+"void f(Sim<int> &x, Sim<double> &y) { x.run(1); y.run(2); }\n"), "in a template of classes that this file uses with several lists of arguments [HX007]")
}
