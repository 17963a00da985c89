package frontend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// TestStridesSetBefore: the length of a plane is the product that the function sets it to in front of the region, where what it is made of is there what it was; else it is not.
func TestStridesSetBefore(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int all, *where;
struct grid { int n, m; };
void unknown(void);
void fill(int n, double *u, double *v);
static void settle(void) { all = 7; }
static void halve(int *p) { *p /= 2; }
static void half(struct grid *g) { g->m /= 2; }
#define SETUP plane = l * m; m = 3
void f(int steps, int l, int n, int m, struct grid *g, double *restrict u, double *restrict v)
{
  struct grid own = {n, m};
  BEFORE
#pragma scop
  for (int t = 0; t < steps; t++) {
    IN
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          v[i * plane + j * l + k] = 0.5 * (u[(i - 1) * plane + j * l + k] + u[i * plane + (j - 1) * l + k - 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          u[i * plane + j * l + k] = v[i * plane + j * l + k];
  }
#pragma endscop
  AFTER
}
`
	for _, x := range []struct {
		before, in, after string
		known             bool
	}{
		{"const int plane = l * m;", "", "", true},
		{"if (n > 9) m = atoi(\"4\"); const int plane = l * m;", "", "", true},
		{"m++; long plane = (long)l * m;", "", "m = 0;", true},
		{"int plane; m = 8; plane = m * l; fill(n, u, v);", "", "", true},
		{"int plane = 0; plane = m * l;", "", "", true},
		{"halve(&m); const int plane = l * m;", "", "", true},
		{"for (m = 0; m < n; m++) if (m * m > n) break; const int plane = l * m; for (int m = 0; m < n; m++) u[m] = 0;", "", "", true},
		{"scanf(\"%d\", &m); const int plane = m * l; printf(\"%d\\n\", plane);", "", "", true},
		{"m = g->m; const int plane = l * m; half(g);", "", "", true},
		{"const int row = l, plane = row * m;", "", "", true},
		{"const int plane = l * all; printf(\"%d\\n\", plane);", "", "settle();", true},
		{"const int plane = l * g->m; fill(n, u, v);", "", "half(g);", false}, // of which the file shows nothing
		{"half(g); const int plane = l * g->m; settle();", "", "half(g);", true},
		{"half(&own); const int plane = l * own.m;", "", "", true},

		{"const int plane = l * m; m = 3;", "", "", false},
		{"const int plane = l * m; if (n > 9) m--;", "", "", false},
		{"int plane; SETUP;", "", "", false},
		{"const int plane = l * m, k = m++;", "", "", false},
		{"const int plane = l * m; halve(&m);", "", "", false},
		{"where = &m; const int plane = l * m; unknown();", "", "", false},
		{"where = &m; const int plane = l * m; *where = 3;", "", "", false},
		{"const int plane = l * m; scanf(\"%d\", &m);", "", "", false},
		{"const int plane = l * m; for (m = 0; m < n; m++) u[m] = 0;", "", "", false},
		{"int plane = 9; if (n > 5) plane = m * l;", "", "", false},
		{"int plane = l * m; plane = 8;", "", "m = 3; plane = m * l;", false},
		{"int plane = l * m; again: plane = l * m;", "", "if (m++ < 5) goto again;", false},
		{"int plane = 3; if (n > 5) goto over; plane = l * m; over:;", "", "", false},
		{"int plane = 3; switch (n) { case 1: plane = l * m; case 2:", "", "}", false},
		{"int plane = 3; for (int k = 0; k < 3; k++) { if (k > 1) plane = l * m;", "", "}", false},
		{"int plane = l * m; for (int k = 0; k < 3; k++) {", "", "m++; }", false},
		{"volatile int w = m; const int plane = l * w;", "", "", false},
		{"volatile int plane = l * m;", "", "", false},
		{"const int plane = l * all; settle();", "", "", false},
		{"const int plane = l * all; unknown();", "", "", false},
		{"const int plane = l * g->m; half(g);", "", "", false},
		{"const int plane = l * g->m; g->m = 3;", "", "", false},
		{"const int plane = l * own.m; half(&own);", "", "", false},
		{"const char plane = l * m;", "", "", false},
	} {
		source := strings.NewReplacer("BEFORE", x.before, "IN", x.in, "AFTER", x.after).Replace(text)
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(source)}, frontend.Options{})
		known := err == nil && len(res.Programs) == 1 && !slices.ContainsFunc(res.Programs[0].Params, func(q scop.Param) bool { return q.Name == "plane" })
		require.Equal(t, x.known, known, "%s\n%v", x.before, err)
	}
}
