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
