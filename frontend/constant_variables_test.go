package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// weighted is a region with c.
const weighted = `#pragma scop
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = c * a[i - 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
`

// TestConstantVariables: a variable that keeps the value which it begins with is that number, and no other is.
func TestConstantVariables(t *testing.T) {
	const text = `#include <stdio.h>
#define DT 0.5
FILE
void take(double *p);
void f(int n, double given, double *restrict a, double *restrict b)
{
  BEFORE
` + weighted + `  AFTER
}
`
	for _, x := range []struct{ file, before, after, number string }{
		{"", "double c = 0.25;", "", "0.25"},
		{"", "const double c = 1;", "", "1"},
		{"", "static double c = -DT;", "", "-0.5"},
		{"", "const int half = 2; double c = 1.0 / half;", "", "0.5"},
		{"", "int n0 = 4; double dx = 1.0 / n0, c = 0.5 * (dx * dx);", "", "0.03125"},
		{"", "float third = 1.0f / 3; double c = third;", "", "0.3333333432674408"},
		{"", "float c = 0.1;", "", "(double)0.10000000149011612"},
		{"static const double c = 3 * DT;", "", "", "1.5"},
		{"", "double c = 0.25; if (n > 100) c = 0.5;", "", ""},
		{"", "double c = 0.25;", "c = n; printf(\"%g\", c);", ""},
		{"", "double c = 0.25;", "c++;", ""},
		{"", "double c = 0.25;", "--c;", ""},
		{"", "double c = 0.25;", "c /= 3;", ""},
		{"", "double c = 0.25; take(&c);", "", ""},
		{"", "double c = 0.25; __asm__(\"\" : \"+x\"(c));", "", ""},
		{"", "double dx = 0.25; take(&dx); double c = dx;", "", ""},
		{"", "volatile double v = 0.25; double c = v;", "", ""},
		{"", "double c = given;", "", ""},
		{"", "double c; c = 0.25;", "", ""},
		{"", "double c = 1.0 / 0;", "", ""},
		{"", "double c = (short)65536;", "", ""},
		{"", "int m = -1; double c = (unsigned char)m;", "", ""},
		{"double c = 0.25;", "", "", ""},
		{"static double c = 0.25;", "", "", ""},
		{"extern const double c;", "", "", ""},
	} {
		source := strings.NewReplacer("FILE", x.file, "BEFORE", x.before, "AFTER", x.after).Replace(text)
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(source)}, frontend.Options{})
		require.NoError(t, err, source)
		p := res.Programs[0]
		if x.number == "" {
			require.Len(t, p.Scalars, 1, source)
			continue
		}
		require.Empty(t, p.Scalars, source)
		require.Contains(t, p.String(), "b[i] = "+x.number+" * a[i - 1]", source)
	}
}

// TestConstantVariablesOfCxx: in C++ a variable may be changed by a reference wherever it is named, so only constants are numbers.
func TestConstantVariablesOfCxx(t *testing.T) {
	const text = `void change(double &p);
void f(int n, double *__restrict a, double *__restrict b)
{
  KIND double c = 0.25;
  CHANGE
` + weighted + `}
`
	for _, x := range []struct {
		kind, change string
		scalars      int
	}{{"", "", 1}, {"", "change(c);", 1}, {"const", "", 0}, {"constexpr", "", 0}} {
		source := strings.NewReplacer("KIND", x.kind, "CHANGE", x.change).Replace(text)
		res, err := frontend.Parse(frontend.Source{Name: "f.cpp", Text: []byte(source)}, frontend.Options{})
		require.NoError(t, err, source)
		require.Len(t, res.Programs[0].Scalars, x.scalars, source)
	}
}
