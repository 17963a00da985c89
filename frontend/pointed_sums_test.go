package frontend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// pointed is a time loop with a function whose nest gathers in what it is passed the address of.
const pointed = `#include <math.h>
#include <stdio.h>
FILE
static void step(int n, double *a, double *b, double *sum, const double *by)
{
  BEGIN
  for (int i = 1; i < n - 1; i++) {
    b[i] = 0.25 * (a[i - 1] + a[i + 1]) BY;
    GATHER
  }
  for (int i = 1; i < n - 1; i++)
    a[i] = b[i];
}
void f(int n, int steps, double *restrict a, double *restrict b, double *p, double weight)
{
  double d = 1, e = 2;
  BEFORE
#pragma scop
  for (int t = 0; t < steps; t++) {
    CALL
    printf("%g\n", d);
  }
#pragma endscop
}
`

// TestPointedSums: such a nest is divided where the argument is the address of a scalar, which then stands for what it leads to, and that of no element; else it sets an element in all
// of its iterations.
func TestPointedSums(t *testing.T) {
	const call = "step(n, a, b, &d, p);"
	for _, x := range []struct {
		file, begin, by, gather, before, call string
		divided                               bool
	}{
		{"", "*sum = 0;", "", "*sum = *sum + b[i];", "", call, true},
		{"", "", "", "*sum += b[i];", "", call, true},
		{"", "", "", "*sum = fmax(*sum, b[i]);", "", call, true},
		{"", "", "", "if (b[i] > *sum) *sum = b[i];", "", call, true},
		{"", "", "+ *by", "* sum /* of b */ += b[i];", "", call, true},
		{"static double own;", "", "", "*sum += b[i];", "", "step(n, a, b, &own, p);", true},
		{"", "", "+ *by", "*sum += b[i];", "", "step(n, a, b, &(d), &e);", true},

		{"", "", "", "*sum += b[i];", "", "step(n, a, b, p, &d);", false},
		{"", "", "", "*sum += b[i];", "", "step(n, a, b, &a[2], p);", false},
		{"", "", "", "*(sum) += b[i];", "", call, false},
		{"", "", "", "*sum += b[i]; sum += 0;", "", call, false},
		{"", "", "+ *by", "*sum += b[i];", "", "step(n, a, b, &d, &d);", false},
		{"", "", "+ *by", "*sum += b[i];", "p = &d;", call, false},
		{"", "", "", "*sum += b[i];", "a = &d;", call, false},
		{"#define TO *sum", "", "", "TO += b[i];", "", call, false},
		{"", "double d = 3; *sum = d;", "", "*sum += b[i];", "", call, false},
	} {
		source := strings.NewReplacer("FILE", x.file, "BEGIN", x.begin, "BY", x.by, "GATHER", x.gather, "BEFORE", x.before, "CALL", x.call).Replace(pointed)
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(source)}, frontend.Options{})
		divided := err == nil && len(res.Programs) == 2 && !slices.ContainsFunc(res.Programs, func(p *scop.Program) bool {
			return slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool {
				return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool { return x.Write && strings.Contains(x.Text, "sum") })
			})
		})
		require.Equal(t, x.divided, divided, "%s\n%v", source, err)
	}
}

// TestGatheredElsewhere refuses a nest that may read what it gathers through a pointer.
func TestGatheredElsewhere(t *testing.T) {
	const text = `#include <math.h>
#include <stdio.h>
struct report { double most; int times; } *kept;
void note(double *x);
void f(int n, int steps, double *restrict a, double *restrict b, double *p, int *q, struct report *r)
{
  double d;
  BEFORE
#pragma scop
  for (int t = 0; t < steps; t++) {
    d = 0;
    for (int i = 1; i < n - 1; i++) {
      b[i] = 0.25 * (a[i - 1] + a[i + 1]) + USE;
      d = fmax(d, b[i] - a[i]);
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
    printf("%g\n", d);
  }
#pragma endscop
}
`
	for _, x := range []struct {
		before, use string
		code        string
	}{
		{"", "*p", ""},
		{"note(&d);", "*p", ""}, // which the compiler cannot know, but the function is not of this file: it is asked where it is called
		{"p = &d;", "*p", "HX107"},
		{"p = n > 5 ? &d : p;", "p[0]", "HX107"},
		{"p = &d;", "r->most", "HX107"},
		{"p = &d;", "*q", "HX107"}, // a and b are such elements
	} {
		source := strings.NewReplacer("BEFORE", x.before, "USE", x.use).Replace(text)
		_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(source)}, frontend.Options{})
		if x.code == "" {
			require.NoError(t, err, source)
		} else {
			require.ErrorContains(t, err, x.code, source)
			require.ErrorContains(t, err, "what this nest gathers in 'd' depends on the order", source)
		}
	}
}
