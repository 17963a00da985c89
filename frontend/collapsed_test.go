package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// TestCollapsedLoops reads loops over all elements of an array of rows, and calls that copy arrays: as nests over rows and columns, or not at all.
func TestCollapsedLoops(t *testing.T) {
	const byRows = 2
	for _, x := range []struct {
		source string
		loops  int // over space around what the text stores
		code   diag.Code
	}{
		{"for (int k = 0; k < n * m; k++) u[k] += 0.5f * v[k];", byRows, ""},
		{"for (long k = 0; k < (long)m * n; ++k) u[k] = v[k];", byRows, ""},
		{"for (size_t k = 0; k < size; k += 1) { float x = v[k]; if (x > 1) u[k] = x; }", byRows, ""},
		{"for (int k = 0; k < n * m; k++) u[k] = w[k];", byRows, ""}, // no other loop uses w
		{"for (int k = 0; k < n * m; k++) w[k] = 1;", byRows, ""},    // nor says what rows are
		{"for (int k = 0; k < n; k++) w[k] = 1;", 1, ""},
		{"for (int k = 0; k < n * n; k++) u[k] = v[k];", 0, "HX119"}, // rows of m elements
		{"for (int k = 1; k < n * m; k++) u[k] = v[k];", 0, "HX101"},
		{"for (int k = 0; k < n * m; k += 2) u[k] = v[k];", 0, "HX101"},
		{"for (int k = 0; k < n * m; k++) u[k] = k;", 0, "HX101"},
		{"for (int k = 0; k < n * m - 1; k++) u[k] = v[k + 1];", 0, "HX101"},
		{"for (int k = 0; k < n * m; k++) u[k] = v[m - k];", 0, "HX101"},
		{"for (int k = 0; k < n * (m + 1); k++) u[k] = v[k];", 0, "HX119"},
		{"memcpy(u, v, n * m * sizeof *u);", byRows, ""},
		{"(void)memcpy(u, v, 4 * (size_t)n * m);", byRows, ""},
		{"memmove(&u[0], v, bytes);", byRows, ""},
		{"memcpy(u + m, v + m, m * sizeof *u);", 1, ""},
		{"memset(u, 0, bytes);", byRows, ""},
		{"for (int k = 0; k < (n + 2) * (m - 1); k++) w[k] = d2[k];", byRows, ""}, // no other loop uses w or d2: rows as they are written
		{"memcpy(P, Q, sizeof(float) * (n + 2) * (2 * m - 1));", byRows, ""},
		{"memcpy(P, Q, (2 * m + n * 2 * m - n + m * 2 - 2) * sizeof(float));", byRows, ""},
		{"memcpy(P, Q, sizeof *P * (n + 2));", byRows, ""},
		{"memcpy(P, Q, sizeof(float[n + 2][2 * m - 1]));", byRows, ""},
		{"memcpy(P + 1, Q + 1, n * sizeof Q[0]);", byRows, ""},
		{"memcpy(P, Q, sizeof(float) * (n + 2) * (2 * m - 2));", 0, "HX125"}, // no whole rows
		{"memcpy(P, Q, sizeof *A * (2 * n * m - n) + 4);", 0, "HX125"},
		{"memcpy(P, A, sizeof(float) * (n + 2) * 40);", 0, "HX125"}, // rows of other lengths
		{"memcpy(A, B, sizeof(float) * 40 * n);", byRows, ""},
		{"memcpy(&A[0][0], B[0], n * sizeof A[0]);", byRows, ""},
		{"memcpy(A[1], B[2], sizeof A[1]);", 1, ""},
		{"memcpy(A[1], A[2], 10 * sizeof(float));", 1, ""},
		{"memmove(u, u + m, m * sizeof *u);", 0, "HX125"},         // may overlap
		{"memset(u, 255, bytes);", 0, "HX125"},                    // not a number of the array's
		{"memcpy(u, v, 3 * n);", 0, "HX125"},                      // no whole elements
		{"memcpy(u, d, n * m * sizeof *u);", 0, "HX125"},          // elements of another type
		{"memcpy(A[1], B[2], 2 * sizeof A[1]);", 0, "HX125"},      // of another shape
		{"memcpy(u, v, n + m);", 0, "HX125"},                      // no product
		{"memcpy(u, v, *steps * sizeof *u);", 0, "HX125"},         // not known before
		{"if (memcmp(u, v, bytes)) memset(u, 0, 8);", 0, "HX125"}, // the call around it is no nest
	} {
		t.Run(x.source, func(t *testing.T) {
			res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: fmt.Appendf(nil, `#include <string.h>
void f(int T, int n, int m, float *restrict u, float *restrict v, float *restrict w, double *restrict d, float (*restrict A)[40], float (*restrict B)[40], int *steps,
  float (*restrict P)[2 * m - 1], float (*restrict Q)[2 * m - 1], float *restrict d2)
{
  const size_t size = (size_t)n * m, bytes = n * m * sizeof *u;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i * m + j] = 0.5f * (u[(i - 1) * m + j] + u[i * m + j + 1]);
    %s
  }
#pragma endscop
}`, x.source)}, frontend.Options{})
			var said diag.List
			if err != nil {
				said = err.(diag.List)
			} else {
				said = res.Warnings
			}
			if x.code != "" {
				require.True(t, has(said, x.code), "%v", said)
				require.False(t, err == nil && x.code != "HX125", "taken")
				return
			}
			require.NoError(t, err)
			require.False(t, has(said, "HX125"), "%v", said)
			p := res.Programs[0]
			last := p.Stmts[len(p.Stmts)-1]
			require.Len(t, last.Iters, 1+x.loops)
		})
	}
}

func has(ds diag.List, code diag.Code) bool {
	for _, d := range ds {
		if d.Code == code {
			return true
		}
	}
	return false
}

// TestCollapsedLoopSetsItsVariable reads a loop over all elements whose variable is read behind the region: that is refused as for other loops.
func TestCollapsedLoopSetsItsVariable(t *testing.T) {
	const text = `int f(int T, int n, int m, float *restrict u)
{
  int k;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[i * m + j] *= 2;
    for (k = 0; k < n * m; k++)
      u[k] += 1;
  }
#pragma endscop
  return RESULT;
}`
	_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(strings.Replace(text, "RESULT", "k", 1))}, frontend.Options{})
	require.ErrorContains(t, err, "'k' is read after the region")
	_, err = frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(strings.Replace(text, "RESULT", "0", 1))}, frontend.Options{})
	require.NoError(t, err)
}

// TestCollapsedLoopsOfOneHead reads loops that a function and a macro write at one place, for arrays of different rows, and for lines.
func TestCollapsedLoopsOfOneHead(t *testing.T) {
	p := parseOne(t, `static void add(double *y, const double *x, long n) { for (long i = 0; i < n; i++) y[i] += x[i]; }
#define BOTH(a, b, n) for (int k = 0; k < n; k++) a[k] += b[k]; for (int k = 0; k < n; k++) b[k] *= 0.5;
void f(int T, int n, int m, int k, int l, double *restrict u, double *restrict v, double *restrict w, double *restrict x, double *restrict line, double *restrict other)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i * m + j] = u[(i - 1) * m + j] + u[i * m + j + 1];
    for (int i = 1; i < k - 1; i++)
      for (int j = 1; j < l - 1; j++)
        x[i * l + j] = w[(i - 1) * l + j] + w[i * l + j + 1];
    add(u, v, (long)n * m);
    add(w, x, (long)k * l);
    add(line, other, n);
    BOTH(u, v, n * m)
  }
#pragma endscop
}`)
	var loops []int
	for _, s := range p.Stmts {
		loops = append(loops, len(s.Iters)-1)
	}
	require.Equal(t, []int{2, 2, 2, 2, 1, 2, 2}, loops)
}

// TestSwitchOfHost refuses a switch around nests in a loop that the host runs: its labels do not lie in the text as conditions do.
func TestSwitchOfHost(t *testing.T) {
	_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(`#include <stdio.h>
void f(int T, int n, double *restrict u, double *restrict v)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    switch (t % 4) {
    default:
      for (int i = 1; i < n - 1; i++)
        v[i] = u[i - 1];
      break;
    case 1:
      for (int i = 1; i < n - 1; i++)
        v[i] = u[i + 1];
    }
    printf("%d\n", t);
  }
#pragma endscop
}`)}, frontend.Options{})
	require.Error(t, err)
}

// TestPointerOfBefore: members of what a pointer leads to that is set before the region are parameters, as they are of other pointers.
func TestPointerOfBefore(t *testing.T) {
	p := parseOne(t, `typedef struct { double dt; int kind; float w; } setting;
static setting all[4];
void f(int k, int T, double (*restrict a)[100])
{
  const setting *s = &all[k];
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      a[(t + 1) % 2][i] = s->dt * a[t % 2][i - 1];
#pragma endscop
}`)
	require.Len(t, p.Arrays, 1)
}
