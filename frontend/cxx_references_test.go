package frontend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// referencesProgram is a region in which tests declare references.
const referencesProgram = `#include <algorithm>
#include <vector>
typedef double real;
static void next(int &k) { k++; }
void step(std::vector<double> &u, std::vector<double> &v, const double *w, int n, int steps) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      BODY
    }
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
#pragma endscop
}
`

// TestCxxReferences reads bodies that declare references, and refuses those of which it does not know whether they are a place or a value, or which place.
func TestCxxReferences(t *testing.T) {
	for _, x := range []struct {
		body string
		ok   bool
	}{
		{"const double &x = v[i]; v[i] = u[i - 1]; v[i] += x;", true},
		{"const float &x = v[i]; v[i] = u[i - 1]; v[i] += x;", true}, // a copy
		{"const auto &x = v[i] + 1; v[i] = u[i - 1]; v[i] += x;", true},
		{"const auto &x = std::min({v[i], u[i]}); v[i] = u[i - 1]; v[i] += x;", true},
		{"const auto &x = i % 2 ? u[i] : 0.5 * u[i]; v[i] = u[i - 1]; v[i] += x;", true},
		{"double s = u[i]; const double &x = s; s = u[i - 1]; v[i] = x + s;", true},
		{"int k = i; auto &x = v[k]; x = u[k - 1];", true},
		// Names of one type, and what may be a place.
		{"const real &x = v[i]; v[i] = u[i - 1]; v[i] += x;", false},
		{"const auto &x = i % 2 ? v[i] : u[i]; v[i] = u[i - 1]; v[i] += x;", false},
		{"const auto &x = std::max(v[i], u[i]); v[i] = u[i - 1]; v[i] += x;", false},
		{"const auto &x = std::clamp(v[i], u[i], u[i + 1]); v[i] = u[i - 1]; v[i] += x;", false},
		{"const auto &x = (v[i]); v[i] = u[i - 1]; v[i] += x;", false},
		{"const auto &x = *w; v[i] = u[i - 1]; v[i] += x;", false},
		// Another place, by what is set and by what hides it.
		{"int k = i; auto &x = v[k]; k = i - 1; x = u[k];", false},
		{"int k = i; auto &x = v[k]; next(k); x = u[k];", false},
		{"int k = i; auto &x = v[k]; auto &l = k; l--; x = u[k];", false},
		{"auto &x = v[i]; x = u[i - 1]; for (int i = 0; i < 3; i++) x += w[i];", false},
	} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.Replace(referencesProgram, "BODY", x.body, 1))}, frontend.Options{})
		if x.ok {
			require.NoError(t, err, x.body)
			continue
		}
		require.ErrorContains(t, err, "HX005", x.body)
	}
}

// TestCxxSharedNames: which of a function and a template of one name is called, arguments tell in C++. C knows the function only: such calls are refused.
func TestCxxSharedNames(t *testing.T) {
	const plain, template = "static int third(int x) { return x / 3; }\n", "template <class T> T third(T x) { return x / 3; }\n"
	dir := t.TempDir()
	parse := func(before, body string) error {
		text := strings.Replace(strings.Replace(referencesProgram, "void step(", before+"void step(", 1), "BODY", body, 1)
		_, err := frontend.Parse(frontend.Source{Name: filepath.Join(dir, "f.cpp"), Text: []byte(text)}, frontend.Options{})
		return err
	}
	for name, text := range map[string]string{"plain.h": plain, "template.h": template, "both.h": plain + template} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for _, body := range []string{"v[i] = third(u[i]);", "v[i] = third(i);", "double x = u[i]; v[i] = third(x);"} {
		require.NoError(t, parse(plain, body), body)
		require.NoError(t, parse(template, body), body)
		for _, both := range []string{plain + template, template + plain, "namespace a { " + plain + "}\n" + template, strings.Replace(plain, "int", "float", 2) + template,
			"#include \"plain.h\"\n" + template, plain + "#include \"template.h\"\n", "#include \"both.h\"\n"} {
			require.ErrorContains(t, parse(both, body), "function 'third' is not known [HX103]", both+body)
		}
	}
}

// TestCxxNamed reads functions that declare references in front of a region, and refuses those that may lead elsewhere later, or that others hide.
func TestCxxNamed(t *testing.T) {
	text := `#include <utility>
#include <vector>
struct State { std::vector<double> h, g; int n; };
void step(State &s, State *p, int n, int steps) {
  FRONT
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    EXCHANGE
  }
#pragma endscop
}
`
	swap, copied := "std::swap(a, b);", "for (int i = 1; i < n - 1; i++) a[i] = b[i];"
	for _, x := range []struct {
		front, exchange string
		ok              bool
	}{
		{"auto &a = s.h; auto &b = s.g;", swap, true},
		{"auto &a = s.h, &b = s.g;", copied, true},
		{"std::vector<double> &a = s.h, &b = s.g;", swap, true},
		{"auto &x = s; auto &a = x.h; std::vector<double> &b = x.g;", swap, true},
		{"auto &a = p->h; auto &b = p->g;", copied, true},
		{"auto &a = p->h; auto &b = p->g; p++;", copied, false},
		{"auto &a = p->h; auto &b = p->g; p = &s;", copied, false},
		{"State *q = p; auto &a = q->h; auto &b = p->g; std::swap(p, q);", copied, false},
		{"auto &a = s.h; auto &b = s.g; { int a = 2; s.n = a; }", copied, false},
		{"auto &a = s.h; auto &b = s.g;", "for (int s = 1; s < n - 1; s++) a[s] = b[s];", false},
		{"auto &a = n > 3 ? s.h : s.g; auto &b = s.g;", copied, false},
	} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.NewReplacer("FRONT", x.front, "EXCHANGE", x.exchange).Replace(text))}, frontend.Options{})
		require.Equal(t, x.ok, err == nil, "%s %s: %v", x.front, x.exchange, err)
	}
}

// TestCxxExchanges reads objects that a method of theirs exchanges, and takes it for no exchange of all of them where it leaves a member out.
func TestCxxExchanges(t *testing.T) {
	text := `#include <utility>
#include <vector>
struct Part { std::vector<double> d; double tag; PART };
class Grid {
 public:
  double &operator()(int i) { return a.d[i]; }
  void swap(Grid &o) { GRID }
 private:
  int n; Part a;
};
void step(Grid &u, Grid &v, int n, int steps) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v(i) = 0.5 * (u(i - 1) + u(i + 1));
    u.swap(v);
  }
#pragma endscop
}
`
	whole, forgets := "void swap(Part &o) { d.swap(o.d); std::swap(tag, o.tag); }", "void swap(Part &o) { d.swap(o.d); }"
	for _, x := range []struct {
		part, grid string
		ok         bool
	}{
		{whole, "std::swap(n, o.n); a.swap(o.a);", true},
		{forgets, "std::swap(n, o.n); std::swap(a, o.a);", true},
		{forgets, "std::swap(n, o.n); a.swap(o.a);", false},
		{forgets, "using std::swap; swap(n, o.n); swap(a, o.a);", false},
		{whole, "a.swap(o.a);", true}, // what is exchanged is the member
		{forgets, "a.swap(o.a);", true},
	} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.NewReplacer("PART", x.part, "GRID", x.grid).Replace(text))}, frontend.Options{})
		require.Equal(t, x.ok, err == nil, "%s %s: %v", x.part, x.grid, err)
	}
}

// TestCxxNamespaces refuses names that C, which has no namespaces, would take for others.
func TestCxxNamespaces(t *testing.T) {
	text := `namespace k { static double g; }
OTHER
void step(double *u, double *v, int n, int steps, double f) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + VALUE;
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
#pragma endscop
}
`
	for _, x := range []struct{ other, f, value, err string }{
		{"", "f", "k::g * f", ""},
		{"", "g", "k::g * g", "a variable hides 'g' of namespace 'k' here [HX005]"},
		{"static double g;", "f", "g * f", "HX005"},
		{"namespace l { static double g; }", "f", "l::g * f", "HX005"},
		{"static double g2;", "g2", "::g2 * g2", "HX005"},
	} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.NewReplacer("OTHER", x.other, "VALUE", x.value, "double f)", "double "+x.f+")").Replace(text))}, frontend.Options{})
		if x.err == "" {
			require.NoError(t, err, x.value)
			continue
		}
		require.ErrorContains(t, err, x.err, x.value)
	}
}

// exchangedProgram is a class with a step in which tests name arrays and objects that methods exchange.
const exchangedProgram = `#include <memory>
#include <utility>
#include <vector>
struct Grid {
  Grid(int n) : d(n) {}
  double &operator()(int i) { return d[i]; }
  std::vector<double> d;
};
static void other(std::unique_ptr<Grid> &p, std::unique_ptr<Grid> &q) { std::swap(p, q); }
struct Lines {
  int n = 100;
  std::vector<double> a, b;
  void flip() { std::swap(a, b); }
  void twice() { flip(); flip(); }
  void wipe() { for (int i = 0; i < n; ++i) b[i] = 0; }
  void step() { BODY }
};
void run(Lines &s, std::unique_ptr<Grid> &p, std::unique_ptr<Grid> &q, int n, int steps) {
  std::unique_ptr<Grid> u(new Grid(n)), v(new Grid(n));
  FRONT
#pragma scop
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i) (*u)(i) = 0.5 * (*v)(i - 1);
    REGION
  }
#pragma endscop
}
`

// TestCxxReferencesBehindExchanges reads references whose last use is in front of what exchanges the arrays or the objects that they are found by, and refuses others: they would
// be found in another array.
func TestCxxReferencesBehindExchanges(t *testing.T) {
	method := "for (int i = 1; i < n - 1; ++i) b[i] = 0.5 * a[i - 1]; "
	for _, x := range []struct {
		body, region string
		ok           bool
	}{
		{"double &x = b[3]; x = 1; flip();", "s.step();", true},
		{"double &x = b[3]; wipe(); x = 1;", "s.step();", true},
		{"double &x = b[3]; flip(); x = 1;", "s.step();", false},
		{"double &x = b[3]; twice(); x = 1;", "s.step();", false},
		{"double &x = b[3]; double &y = x; flip(); y = 1;", "s.step();", false},
		{"double &x = b[3]; this->flip(); x = 1;", "s.step();", false},
		{"", "Grid &g = *u; for (int i = 1; i < n - 1; ++i) g(i) += 1; std::swap(u, v);", true},
		{"", "auto &g = *u; for (int i = 1; i < n - 1; ++i) g(i) += 1; u.swap(v);", true},
		{"", "Grid &g = *u; | for (int i = 1; i < n - 1; ++i) g(i) += 1;", true},
		{"", "Grid &g = *u; | for (int i = 1; i < n - 1; ++i) g(i) += 1; std::swap(u, v);", false},
		{"", "Grid &g = *u; | for (int i = 1; i < n - 1; ++i) g(i) += 1; u.swap(v);", false},
		{"", "Grid &g = *u; std::swap(u, v); | for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; other(u, v); | for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; u.reset(new Grid(n)); | for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; std::swap(u, v); for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; u.swap(v); for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; other(u, v); for (int i = 1; i < n - 1; ++i) g(i) += 1;", false},
		{"", "Grid &g = *u; Grid &h = g; std::swap(u, v); for (int i = 1; i < n - 1; ++i) h(i) += 1;", false},
		{"", "Grid &g = *u; auto at = [&](int i) { return g(i); }; std::swap(u, v); for (int i = 1; i < n - 1; ++i) (*u)(i) = at(i - 1);", false},
	} {
		front := ""
		if before, rest, ok := strings.Cut(x.region, " | "); ok { // in front of the region
			front, x.region = before, rest
		}
		text := strings.NewReplacer("FRONT", front, "BODY", method+x.body, "REGION", x.region).Replace(exchangedProgram)
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(text)}, frontend.Options{})
		if x.ok {
			require.NoError(t, err, "%s %s", x.body, x.region)
			continue
		}
		require.Error(t, err, "%s %s", x.body, x.region)
	}
}
