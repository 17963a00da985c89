package frontend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// cxxHeader is what headers of C++ hold: what a region needs of it, and what no C is.
const cxxHeader = `#pragma once
#include <iostream>
#include <string>
#include <vector>
extern "C" bool check(const char *name, bool verbose = false);
class Log { public: Log(const std::string &n) : name(n) {} template <class T> Log &operator<<(const T &x); private: std::string name; };
template <class T> struct Box { T x; };
std::string describe(const Log &log, int level = 0);
std::vector<double> made(int n, std::string name = "x");
inline void report(double x) { std::cout << x << std::endl; for (auto &c : std::string("x")) (void)c; }
inline int lambda(int x) { auto f = [&](int y) { return x += y; }; return f(1); }
struct pair { double x, y; };
inline double scaled(double x, double by = 0.5) { return x * by; }
template <bool back> void shift(double *to, const double *from, int n)
{
  for (int i = 1; i < n - 1; i++)
    to[i] = back ? from[i - 1] : from[i + 1];
}
#ifdef UNDERSCORE
double seconds_()
#else
double seconds()
#endif
{
  return __builtin_expect(1, 1);
}
`

// TestCxxHeaders reads headers of C++ as far as a region needs them, and files that are included in a region.
func TestCxxHeaders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"all.h":   "#include \"more/all.hpp\"\n",
		"nest.h":  "for (int i = 1; i < n - 1; i++)\n  A[i] = (1 - omega) * A[i] + omega * scaled(B[i]) + std::abs(edge);\n",
		"more.cc": "double clock_of() { try { return 1; } catch (...) { return 2; } }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "more"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more", "all.hpp"), []byte(cxxHeader), 0o666))
	text := `#include "all.h"
#include "more.cc"
#ifdef SLOW
const double omega = 0.5;
#else
const double omega = 0.25;
#endif
static constexpr double edge = -1;
static bool within(const double *x, const size_t n, const float delta = 0.01f) {
  FILE *fp = fopen("x", "w");
  std::string s("x");
  return fp && x[n] > delta;
}
double A[64], B[64];
int f(int steps, int n)
{
  Log log("f");
  double t0 = seconds(), t1 = clock_of();
#pragma scop
  for (int t = 0; t < steps; t++) {
    shift<true>(B, A, n);
#include "nest.h"
    shift<false>(B, A, n);
  }
#pragma endscop
  report(seconds() - t0 + t1);
  return within(A, 3) + check("x") + lambda(3);
}
`
	path := filepath.Join(dir, "f.cpp")
	for _, end := range []string{"\n", "\r\n"} {
		res, err := frontend.Parse(frontend.Source{Name: path, Text: []byte(strings.ReplaceAll(text, "\n", end))}, frontend.Options{})
		require.NoError(t, err)
		require.Len(t, res.Programs, 1)
		require.Len(t, res.Programs[0].Stmts, 3)
	}
	// A region that needs what cannot be read is refused, with the place of that.
	_, err := frontend.Parse(frontend.Source{Name: path, Text: []byte(strings.Replace(text, "shift<true>(B, A, n);", "A[3] = lambda(3);", 1))}, frontend.Options{})
	require.ErrorContains(t, err, "f.cpp:21:12: function 'lambda' is not known [HX103]")
	var list diag.List
	require.ErrorAs(t, err, &list)
	note := list[0].Notes[len(list[0].Notes)-1]
	require.Contains(t, note.Msg, "its body could not be read as C: ")
	require.Equal(t, diag.Pos{File: filepath.Join(dir, "more", "all.hpp"), Line: 11, Col: 28}, note.At.Pos)
}

// TestCxxLines reads C++ whose lines end as on Windows: pragmas go on over several lines there, too.
func TestCxxLines(t *testing.T) {
	text := `#include <chrono>
#define LAST(n) \
  ((n) - 1)
static double u[100], v[100];
int f(int n)
{
#pragma omp target data map (to: u[0:100]) \
                        map (tofrom: v[0:100])
{
  auto start = std::chrono::steady_clock::now();
#pragma scop
  for (int t = 0; t < 50; t++) {
    for (int i = 1; i < LAST(n); i++)
      v[i] = 0.25 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < LAST(n); i++)
      u[i] = v[i];
  }
#pragma endscop
  auto end = std::chrono::steady_clock::now();
}
  return 0;
}
`
	for _, end := range []string{"\n", "\r\n"} {
		res, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.ReplaceAll(text, "\n", end))}, frontend.Options{})
		require.NoError(t, err)
		require.Len(t, res.Programs[0].Stmts, 2)
	}
	parallel := strings.Replace(text, "omp target data map (to: u[0:100]) \\\n                        map (tofrom: v[0:100])", "omp parallel \\\n num_threads(2)", 1)
	for _, end := range []string{"\n", "\r\n"} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(strings.ReplaceAll(parallel, "\n", end))}, frontend.Options{})
		require.ErrorContains(t, err, "[HX017]")
	}
}

// TestRegionInTemplate: a region in a template of functions is read for what calls it, and refused where nothing does.
func TestRegionInTemplate(t *testing.T) {
	const text = `template <class T>
void f(int n, T *a, T *b)
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
#pragma endscop
}
`
	for call, refused := range map[string]string{
		"": "f.cpp:4:1: #pragma scop in a template, and no use of it in this file says what its parameters are [HX007]",
		"void g(double *a, double *b) { f<double>(100, a, b); }\n": "",
	} {
		_, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(text + call)}, frontend.Options{})
		if refused == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, refused)
	}
}
