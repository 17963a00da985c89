package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// staticsProgram is a region in which tests put a coefficient.
const staticsProgram = `#include <vector>
namespace physics {
const int count = 3;
double mean;
template <class T> struct Scheme {
  static constexpr T near = T(0.125), far = T(0.25);
};
struct Air {
  static const int width = 2;
  static constexpr float decay{0.5f};
  static constexpr auto whole = 0.5;
  static double level;
  double weigh(double x) const { return strength * x + steps; }
private:
  static float strength;
  static const int steps = 2 + 2;
};
double Air::level = 0.5;
float Air::strength = 2;
}
double physics_mean;
class Sim {
  static constexpr double alpha = 0.25;
  int n;
  std::vector<double> u, v;
  physics::Air air;
  void run(int T) {
#pragma scop
    for (int t = 0; t < T; ++t) {
      for (int i = 2; i < n - 2; ++i) v[i] = COEFFICIENT * u[i - 1] + u[i + 1];
      for (int i = 2; i < n - 2; ++i) u[i] = v[i];
    }
#pragma endscop
  }
};
`

// TestCxxHiddenNames refuses enumerators that C would take for variables, and tells static members from variables of their names.
func TestCxxHiddenNames(t *testing.T) {
	text := `enum Kind : unsigned { open, shut = 3 };
struct Sim {
  static constexpr double rate = 2;
  void run(int n, int T, double *a, double *b, int shut) {
    double rate = 0.5;
#pragma scop
    for (int t = 0; t < T; ++t) {
      for (int i = 1; i < n - 1; ++i) { const int open = i; b[i] = VALUE + open; }
      for (int i = 1; i < n - 1; ++i) a[i] = b[i];
    }
#pragma endscop
  }
};
`
	read := func(value string) (*frontend.Result, error) {
		return frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(text, "VALUE", value, 1))}, frontend.Options{})
	}
	res, err := read("rate * a[i - 1] + Sim::rate * a[i + 1] + shut")
	require.NoError(t, err)
	var names []string
	for _, s := range res.Programs[0].Scalars {
		names = append(names, s.Source())
	}
	require.ElementsMatch(t, []string{"rate", "shut"}, names)
	require.Contains(t, res.Programs[0].String(), "rate * a[i - 1]")
	require.Contains(t, res.Programs[0].String(), "2 * a[i + 1]")
	_, err = read("a[i - 1] * Kind::shut")
	require.ErrorContains(t, err, "a variable hides 'shut' of enumeration 'Kind' here [HX005]")
	_, err = read("a[i - 1] * Kind::open")
	require.ErrorContains(t, err, "a variable hides 'open' of enumeration 'Kind' here [HX005]")
}

// TestCxxStatics reads static members of classes, which the program names as C++ does.
func TestCxxStatics(t *testing.T) {
	read := func(coefficient string) *scop.Program {
		res, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(staticsProgram, "COEFFICIENT", coefficient, 1))}, frontend.Options{})
		require.NoError(t, err, coefficient)
		return res.Programs[0]
	}
	for _, x := range []struct{ coefficient, text string }{
		{"alpha", "0.25"}, {"Sim::alpha", "0.25"}, {"this->alpha", "0.25"},
		{"physics::Air::decay", "0.5f"}, {"air.decay", "0.5f"}, {"physics::Air::whole", "0.5"}, {"physics::Scheme<float>::far", "(double)0.25"},
		{"physics::Air::level", "physics::Air::level"}, {"air.level", "physics::Air::level"}, {"::physics::Air::level", "physics::Air::level"},
		{"physics::mean", "physics::mean"},
	} {
		p := read(x.coefficient)
		if !strings.HasPrefix(x.text, "physics") {
			require.Empty(t, p.Scalars, x.coefficient)
			require.Contains(t, p.String(), x.text+" * this_u[i - 1]", x.coefficient)
			continue
		}
		require.Len(t, p.Scalars, 1, x.coefficient)
		require.Equal(t, x.text, p.Scalars[0].Source(), x.coefficient)
		require.Empty(t, p.Private, x.coefficient)
	}
	// A number that is a bound is claimed by its name, too, but for a constant that is a number where it is written.
	p := read("(i < physics::count + physics::Air::width ? 1 : 2)")
	var claimed []string
	for _, c := range p.Claims {
		claimed = append(claimed, c.C)
	}
	require.Contains(t, claimed, "physics::count")
	require.NotContains(t, claimed, "physics::Air::width")
	require.Contains(t, p.String(), "physics_count + 2")
	// Two variables have two names, whatever is made of their namespaces.
	p = read("physics_mean * physics::mean")
	require.Len(t, p.Scalars, 2)
	require.NotEqual(t, p.Scalars[0].Name, p.Scalars[1].Name)
	// Private ones of another class are reached by an instantiation of a template, an integer by its value: it may have no address.
	p = read("air.weigh(2.0)")
	require.Len(t, p.Private, 2)
	opening := p.Opening()
	require.Contains(t, opening, "_at, &physics::Air::strength>")
	require.Contains(t, opening, "_at, physics::Air::steps>")
}
