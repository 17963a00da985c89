package frontend

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/token"

	"github.com/hexcc/hexcc/internal/golden"
)

// TestProjection compares C++ files in C with the sections of testdata/cxx. Each has as many lines as its source, and
// what it takes from the source is found there.
func TestProjection(t *testing.T) {
	golden.Run(t, "testdata/cxx/*.txtar", nil, func(t *testing.T, c *golden.Case) {
		source := c.Input("input.cpp")
		p := project(source, cxxRole{}, nil, nil)
		c.Check("c", trimmed(p.text))
		checkProjection(t, source, p)
		_, errs := translate(newFile(Source{Name: "input.cpp", Text: source}), Options{})
		require.Empty(t, errs)
	})
}

// trimmed returns text without blanks at the ends of its lines and without empty lines.
func trimmed(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// checkProjection checks the lines of p, and that bytes it takes from source are those that it says.
func checkProjection(t *testing.T, source []byte, p *projection) {
	require.Equal(t, bytes.Count(source, []byte("\n")), bytes.Count(p.text, []byte("\n")))
	for i, part := range p.parts {
		if i+1 < len(p.parts) && p.parts[i+1].at == part.at {
			continue // it has no text
		}
		if part.copied {
			if part.same {
				require.Equal(t, strings.TrimSpace(string(source[part.from])), strings.TrimSpace(string(p.text[part.at])))
			}
			continue
		}
		line := bytes.Count(p.text[:part.at], []byte("\n")) + 1
		at := token.Position{Line: line, Column: part.at - p.lines[line-1] + 1}
		require.Equal(t, part.from, p.source(at))
		require.Equal(t, line, bytes.Count(source[:part.from], []byte("\n"))+1)
		if part.same {
			require.Equal(t, source[part.from], p.text[part.at])
		}
	}
}

// FuzzProjection projects what is no C++ at all.
func FuzzProjection(f *testing.F) {
	for _, text := range []string{
		"", "}", "template <class T", "namespace a { void f() {\n#pragma scop\nfor (;;) {}\n#pragma endscop\n} }", "auto x = [](int i) { return i; };",
		"void f(double (&u)[3], const int &n, std::vector<double> &v) { v.swap(u", "using a = b; enum class e : int { x }; int y{3};", "R\"x(\n)x\"", "#define A static_cast<int>(",
		"void f() { for (auto &x : v) { \n#pragma scop\n } }\n#pragma endscop\n", "struct s { int a, b; }; s g(s x) { return s{x.a, x.b}; }", "std::max<double>(1, 2)", "new T[", "f(a, (b, c)); g<h>(i)",
		"void f(){if(a)else;while(x)do;while(0);try{}catch(...){}case 3:x::y::z;throw 1;return}", "delete[] p", "double(", "std::", "a::", "double x{", "vector<", "const", "enum e :", "struct",
		"template <bool b, int n = 1> void f(double *x, int k = 2) { g(b, n); }\ntemplate <class T> T g(T x, T y) { return x; }\ndouble a[3];\nvoid h() {\n#pragma scop\nf<true>(a); f<false, 2>(a, g(1, 2)); std::cout << a[1] << std::setw(3) << std::endl;\n#pragma endscop\n}",
		"template <int n> void f() { f<n * n>(); }\nvoid h() {\n#pragma scop\nf<3>();\n#pragma endscop\n}", "template <> void f<3>() {}", "template <int, class... T> int f(T", "f<", "std::cout <<",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkProjection(t, []byte(text), project([]byte(text), cxxRole{}, nil, nil))
		checkProjection(t, []byte(text), project([]byte(text), cxxRole{header: true}, nil, nil))
	})
}

// TestUnmatched finds the bracket that is wrong.
func TestUnmatched(t *testing.T) {
	for _, x := range []struct {
		text string
		at   int // -1: none
	}{
		{"f(a[i]) { ')'; } // {", -1}, {"", -1},
		{"namespace a { void f() { }", 12}, {"{ f(a[i]); } }", 13}, {"{ f(a[i])); }", 9}, {"{ f(a[i); }", 5}, {"{ f(a; }", 3},
	} {
		got := unmatched(cxxTokens([]byte(x.text)))
		if x.at < 0 {
			require.Nil(t, got, x.text)
			continue
		}
		require.NotNil(t, got, x.text)
		require.Equal(t, x.at, got.from, x.text)
	}
}

// TestNumberOf tells of which types expressions are, as the conversions of C++ say; of others nothing.
func TestNumberOf(t *testing.T) {
	text := `#include <cmath>
using real = float;
struct Cells { int n; std::vector<float> w; double d[50]; };
template <class T> T third(T a) { return a / 3; }
static float half(double x) { return x / 2; }
static float over(float x) { return x; }
static double over(double x) { return x; }
float u[50], pair[2][2];
void f(std::vector<double> &v, std::vector<unsigned char> &c, Cells &s, const float *a, real r, long l, unsigned n, size_t z, double (*u)[4], bool b) {
  int i = 0; { float v = 2; }
  auto x = 0.5f; auto [k, m] = both(v);
  x = (EXPR);
}
`
	for expr, want := range map[string]string{
		"v[i] - v[i - 1]": "double", "v[i] * a[i]": "double", "2 * a[i]": "float", "-c[i]": "int", "c[i]": "unsigned char", "c[i] + c[i]": "int",
		"s.w[i] + 1": "float", "s.d[i] / s.n": "double", "s.n / 2": "int", "r * 2": "float", "l + n": "long", "n - 1": "unsigned int", "n * r": "float",
		"pair[0][1] + 1": "float", "1": "int", "1.5f": "float", "1e3": "double", "7.f / 2": "float", "0x10": "int", "true": "_Bool", "b": "_Bool", "-b": "int",
		"third(c[i]) + 1": "int", "third(third(a[i] * 2))": "float", "half(v[i])": "float", "half(v[i]) * 2": "float", "std::sqrt(a[i])": "float",
		"std::sqrt(s.n)": "double", "std::pow(a[i], 2)": "double", "std::max(a[i], r)": "float", "sqrt(v[i])": "double", "std::abs(a[i] - 1)": "float",
		"(float)v[i]": "float", "(float)v[i] * 2": "float", "static_cast<int>(v[i] * 3)": "int", "double(a[i])": "double", "(v[i] - a[i])": "double",
		"i > 0 ? 1 : 2.5": "double", "i > 0 ? a[i] : r": "float", "v[i] > a[i]": "_Bool", "x": "float",
		// What is not surely known.
		"over(v[i])": "", "k": "", "m * 2": "", "u[i]": "", "z + 1": "", "1u": "", "10L": "", "1.5L": "", "'a'": "", "sqrt(a[i])": "", "abs(v[i])": "", "pair[0]": "",
		"i << 2": "", "c[i] & 7": "", "!i": "", "a": "", "v": "", "v[i] = 2": "", "i++": "", "i, v[i]": "", "unknown(i)": "", "v.size()": "unsigned long",
	} {
		c := newCxxFile([]byte(strings.Replace(text, "EXPR", expr, 1)), nil, nil)
		at := strings.Index(string(c.text), "("+expr+");\n}")
		for i := range c.toks {
			if c.toks[i].from == at {
				require.Equal(t, want, c.numberOf(i+1, c.match[i]), expr)
			}
		}
	}
}
