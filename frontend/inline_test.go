package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// called are functions in calls. Of those that are called as statements the value is not used, but what it takes to compute it
// is done; a parameter holds what its type can hold. want is a diagnostic, "" if the program is taken.
var called = []struct{ name, functions, call, want string }{
	{"a number", `static int put(double *p, int i, double v) { p[i] = v; return 1; }`, "put(B, i, A[i])", ""},
	{"a value that is read", `static double get(double *p, int i) { return p[i] + 1; }`, "get(B, i); B[i] = A[i]", ""},
	{"an assignment", `static int put(double *p, int i, double v) { return (p[i] = v) > 0; }`, "put(B, i, A[i])", ""},
	{"an assignment with an operator", `static double put(double *p, int i, double v) { p[i] = 1; return -(p[i] += v); }`, "(void)put(B, i, A[i])", ""},
	{"a step", `static double put(double *p, int i, double v) { p[i] = v; return p[i]++; }`, "put(B, i, A[i])", ""},
	{"a comma", `static int put(double *p, int i, double v) { p[i] = v; return (p[i] *= 5, 3); }`, "put(B, i, A[i])", ""},
	{"a call", `static int two(double *p, int i, double v) { p[i] = v; return 1; }
static int put(double *p, int i, double v) { return two(p, i, 2 * v) + two(p, i + 0, 3 * v); }`, "put(B, i, A[i])", ""},
	{"a call without a value", `static void two(double *p, int i, double v) { p[i] = v; }
static void put(double *p, int i, double v) { return two(p, i, 2 * v); }`, "put(B, i, A[i])", ""},
	{"branches", `static int put(double *p, int i, double v) { p[i] = v; if (v > 0.5) return 3; p[i] = 2 * v; return 4; }`, "put(B, i, A[i])", ""},
	{"branches that assign", `static int put(double *p, int i, double v) { if (v > 0.5) return (p[i] = v) > 1; else { p[i] = 3; return --p[i]; } }`, "put(B, i, A[i])", ""},
	{"branches by the place", `static int put(double *p, int i, double v) { if (i < 5) return p[i] = v; return p[i] = 7; }`, "put(B, i, A[i])", ""},
	{"a choice of calls", `static int two(double *p, int i, double v) { p[i] = v; return 1; }
static int put(double *p, int i, double v) { return v > 0.5 ? two(p, i, v) : two(p, i, 3); }`, "put(B, i, A[i])", ""},
	{"a call under a condition", `static int two(double *p, int i, double v) { p[i] = v; return 1; }
static int put(double *p, int i, double v) { return v > 0.5 && two(p, i, v), v < 0.1 || two(p, i, -v); }`, "put(B, i, A[i])", ""},
	{"a call that decides about another", `static int two(double *p, int i, double v) { p[i] = v; return 1; }
static int put(double *p, int i, double v) { return two(p, i, v) || two(p, i, -v); }`, "put(B, i, A[i])", "HX103"},
	{"a function of math.h", `static double put(double *p, int i, double v) { p[i] = v; return sqrt(v); }`, "put(B, i, A[i])", ""},
	{"an unknown function", `int shown(int); static int put(double *p, int i, double v) { p[i] = v; return shown(i); }`, "put(B, i, A[i])", "HX103"},
	{"an unknown function in an operand", `int shown(int); static int put(double *p, int i, double v) { p[i] = v; return 1 + shown(i); }`, "put(B, i, A[i])", "HX103"},
	{"an unknown function in an argument that is not used", `double *shown(double *); static void put(double *q, double *p, int i, double v) { p[i] = v; }`, "put(shown(B), B, i, A[i])", "HX103"},
	{"a step in an argument that is not used", `static void put(double *q, double *p, int i, double v) { p[i] = v; }`, "put(more++, B, i, A[i])", "HX117"},
	{"a step in an argument of a value", `static double get(double *q, double *p, int i) { return p[i]; }`, "B[i] = get(more++, A, i)", "HX103"},
	{"a global counter", `static int count; static int put(double *p, int i, double v) { p[i] = v; return ++count; }`, "put(B, i, A[i])", "HX107"},
	{"a return in a loop", `static int put(double *p, int i, double v) { for (int k = 0; k < 3; k++) { p[i] = v; if (v > 1) return k; } return 1; }`, "put(B, i, A[i])", "HX102"},

	{"an address", `static double *at(double *p, int i) { return &p[i]; }`, "*at(B, i) = *at(A, i) + 1", ""},
	{"an address and an offset", `static double *at(double *p, int i) { return p + i - 1; }`, "at(B, i)[1] = at(A, i)[1] + 2", ""},
	{"an address that is changed", `static double *at(double *p, int i) { return &p[i]; }`, "*at(B, i) = 2; *at(B, i) += A[i]; (*at(B, i))++", ""},
	{"an address of an address", `static double *at(double *p, int i) { return &p[i]; } static double *left(double *p, int i) { return at(p, i - 1); }`, "*at(B, i) = (i > 0 ? *left(A, i) : 0) + left(A, i)[1]", ""},
	{"an address over variables", `static double *at(double *p, int i) { const int k = i - 1; int m = k + 1; return p + m; }`, "*at(B, i) = 3 * *at(A, i)", ""},
	{"an address by a narrow number", `static double *at(double *p, unsigned char i) { return p + i; }`, "*at(B, i) = *at(A, 256) + *at(A, (i - 1) * 256 + 1)", "HX101"},
	{"an address in a value", `static double *at(double *p, int i) { return &p[i]; } static double sum(double *p, int i) { double s = 3 * *at(p, i); return s + *at(p, i); }`, "*at(B, i) = sum(A, i)", ""},
	{"an address that counts", `static int n_; static double *at(double *p, int i) { n_++; return &p[i]; }`, "*at(B, i) = A[i]", "HX102"},
	{"an address that is chosen", `static double *at(double *p, int i) { if (i > 3) return p; return &p[i]; }`, "*at(B, i) = A[i]", "HX102"},
	{"an address with a step in an argument", `static double *at(double *p, int i) { return &p[i]; }`, "*at(B, more++) = A[i]", "HX102"},
	{"an address by a parameter that is set", `static double *at(double *p, int i) { i = i; return &p[i]; }`, "*at(B, i) = A[i]", "HX102"},
	{"an unknown address", `double *at(double *p, int i);`, "*at(B, i) = A[i]", "HX102"},

	{"an array of the body", `static void put(double *p, double v) { p[0] = v; *(p + 1) = 2 * v; }`, "double w[2]; put(w, A[i]); B[i] = w[0] + w[1]", ""},
	{"parts of an array of the body", `static void swap(double *p, double *q) { double t = *p; *p = *q; *q = t; }`, "double w[3] = {A[i], I[i], 7}; swap(w, &w[2]); swap(w + 1, w); B[i] = w[0] + 3 * w[1] - w[2]", ""},
	{"rows of an array of the body", `static void put(double *p, double v) { for (int k = 0; k < 2; k++) p[k] = v * (k + 1); }`, "double w[2][2]; put(w[0], A[i]); put(w[1], 3); B[i] = w[0][1] + w[1][0] * w[1][1]", ""},
	{"an array of the body, and one that others see", `static void put(double *p, double v) { p[0] = v; }`, "double w[1]; put(w, A[i]); put(&B[i], w[0] + 1)", ""},
	{"an array of the body, passed on", `static void half(double *p) { *p *= 0.5; } static void both(double *p) { half(p); half(&p[1]); }`, "double w[2] = {A[i], 3}; both(w); B[i] = w[0] - w[1]", ""},
	{"a value of an array of the body", `static double sum(const double *p) { double s = 0; for (int k = 0; k < 3; k++) s += p[k]; return s; }`, "double w[3] = {A[i], I[i], 2}; B[i] = sum(w) * w[1] + sum(w)", ""},
	{"a value of an array of the body under a condition", `static double sum(const double *p) { return p[0] + p[1]; }`, "double w[2] = {A[i], 2}; B[i] = I[i] > 0.5 ? sum(w) : 1", "HX106"},
	{"an element that is not known", `static void put(double *p, int k, double v) { p[k] = v; }`, "double w[2] = {1, 2}; put(w, i % 2, A[i]); B[i] = w[0] + w[1]", "HX106"},
	{"a struct of the body", `struct pair { double x, y; }; static void turn(struct pair *p) { double t = p->x; p->x = -p->y; p->y = t; }`, "struct pair q = {A[i], 3}; turn(&q); B[i] = q.x + 2 * q.y", ""},
	{"a value of a struct of the body that changes", `struct pair { double x, y; }; static int turn(struct pair *p) { double t = p->x; p->x = -p->y; p->y = t; return t > 0.5; }`, "struct pair q = {A[i], 3}; int k = turn(&q); B[i] = k ? q.x : q.y", ""},
	{"variables of the body", `static void split(double v, double *p, float *q) { *p = v / 3; q[0] = v; *q -= 1; }`, "double x; float y; split(A[i], &x, &y); B[i] = x + y", ""},
	{"one variable by two names", `static void add(double *p, double *q) { *p += 1; *p += *q; }`, "double x = A[i]; add(&x, &x); B[i] = x", ""},
	{"a value, and variables of the body", `static int split(double v, double *p) { *p = v / 3; return v > 0.5; }`, "double x, y; B[i] = 0; if (split(A[i], &x)) B[i] = x; else if (split(x, &y)) B[i] = y + x", ""},
	{"a variable of the body that is read", `static double twice(const double *p) { return *p + *p; }`, "double x = A[i] - 0.5; B[i] = x > 0 && twice(&x) > 0.3 ? twice(&x) + x : x", ""},
	{"a variable of the body under a condition", `static int split(double v, double *p) { *p = v / 3; return v > 0.5; }`, "double x = 0; B[i] = I[i] > 0.5 && split(A[i], &x) ? x : 1", "HX103"},
	{"a variable of the body, used beside", `static double half(double *p) { *p /= 2; return *p; }`, "double x = A[i]; B[i] = x + half(&x)", "HX103"},
	{"a variable of the body, and its value", `static double put(double v, double *p) { *p = 1; *p += v; return v; }`, "double x = A[i], y = put(x, &x); put(y, &y); B[i] = x + 2 * y", ""},
	{"a struct of the body, and its value", `struct pair { double x, y; }; static void put(double v, struct pair *p) { p->x = 1; p->y = v; }`, "struct pair q = {A[i], 2}; put(q.x, &q); B[i] = q.x + 2 * q.y", ""},
	{"a comma before a value of the body", `static double get(const double *p) { return *p; }`, "double w[2] = {1, 2}, x = A[i], y; x = 2, y = get(&x); w[0] = y, w[1] = get(w); B[i] = x + y + w[1]", ""},
	{"functions with arrays of their own", `static void order(double *p, double *q) { if (*p > *q) { double t = *p; *p = *q; *q = t; } }
static double median(double p, double q, double r) { double w[3] = {p, q, r}; order(&p, &q); order(w, w + 1); order(w + 1, w + 2); order(w, w + 1); return w[1] + 0.1 * p; }`, "B[i] = median(A[i], I[i], 0.5) + median(0.3, A[i], A[i])", ""},

	{"a narrow parameter", `static void put(double *p, int i, short v) { p[i] = v; }`, "put(B, i, (i + 3) * 40000)", ""},
	{"a narrow parameter of a value", `static double of(unsigned char v) { return v * v; }`, "B[i] = of(i * 300 + 7) + of(3)", ""},
	{"a narrow parameter that is set", `static double of(signed char v) { v += 100; return v; }`, "B[i] = of(i * 30)", ""},
	{"a float parameter", `static void put(double *p, int i, float v) { p[i] = v; }`, "put(B, i, A[i] / 3)", ""},
	{"a narrow parameter in a bound", `static void row(double *p, unsigned char n, double v) { for (int j = 0; j < n; j++) p[j] = v; }`, "B[i] = t;\n    }\n    row(B, 3, t);\n    for (int i = 0; i < n; i++) {\n      B[i] += 1", ""},
	{"a narrow parameter in a subscript", `static double of(const double *p, short i) { return p[i - 1]; }`, "B[i] = of(A, 3)", ""},
	{"a true parameter", `static void put(double *p, int i, _Bool v) { p[i] = v ? 2 : 3; }`, "put(B, i, 1)", ""},
	{"a _Bool", `static void put(double *p, int i, _Bool v) { p[i] = v; }`, "put(B, i, i * 2)", ""},
	{"a _Bool of a value", `static double of(_Bool v) { return v; }`, "B[i] = of(i * 2)", ""},
	{"a number of another type", `static double of(_Float128 v) { return v * v; }`, "B[i] = of(A[i])", "HX106"},
	{"a complex number of long double", `static double of(long double _Complex v) { return v * v; }`, "B[i] = of(A[i])", "HX106"},
	{"128 bits", `static void put(double *p, int i, __int128 v) { p[i] = v * v; }`, "put(B, i, 100000000000 * i)", "HX106"},
	{"a struct", `struct pair { double x, y; }; static double of(struct pair v) { return v.x + v.y; } static struct pair c = {1.5, 0.25};`, "B[i] = of(c)", ""},
	{"another sign", `static double of(const unsigned *p, int i) { return p[i] / 2; }`, "B[i] = of(I, i)", "HX106"},
	{"another sign, of a statement", `static void put(unsigned *p, int i, double *q) { q[i] = p[i] / 2; }`, "put(I, i, B)", "HX106"},
	{"rows of another sign", `static double of(const unsigned (*p)[4], int i) { return p[i][1] / 2; }`, "B[i] = of(J, i)", "HX106"},
	{"rows", `static double of(const int (*p)[4], int i) { return p[i][1] / 2; }`, "B[i] = of(J, i)", ""},
}

// TestCalls compares calls with what the C compiler makes of them.
func TestCalls(t *testing.T) {
	for _, c := range called {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("#include <math.h>\n%s\nvoid f(int T, int n, double A[restrict n], double B[restrict n], int I[restrict n], int J[restrict n][4], double *restrict more)\n{\n"+
				"#pragma scop\n  for (int t = 0; t < T; t++) {\n    for (int i = 0; i < n; i++) {\n      %s;\n    }\n    for (int i = 0; i < n; i++)\n      A[i] = B[i] + 0.25 * A[i];\n  }\n#pragma endscop\n}\n", c.functions, c.call)
			res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
			if c.want != "" {
				var list diag.List
				require.ErrorAs(t, err, &list)
				var codes []string
				for _, d := range list {
					codes = append(codes, string(d.Code))
				}
				require.Contains(t, codes, c.want, "%v", err)
				return
			}
			require.NoError(t, err)
			p := res.Programs[0]
			for _, level := range oracle.Levels {
				probe := oracle.CompileC(t, p, level)
				for _, n := range []int64{3, 12} {
					var params []int64
					for _, q := range p.Params {
						params = append(params, map[string]int64{"T": 3, "n": n}[q.Name])
					}
					mem, err := scop.NewMemory(p, params, uint64(n))
					require.NoError(t, err)
					want := probe.Run(t, mem)
					require.NoError(t, scop.Run(p, mem))
					require.Empty(t, oracle.Different(want, mem), strings.TrimSpace(c.functions))
				}
			}
		})
	}
}
