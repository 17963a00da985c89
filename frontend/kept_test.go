package frontend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestKeptAddresses reads regions that set elements through a pointer, beside numbers that it may lead to: they are refused exactly where the file keeps the address of such
// a number of the type of the elements.
func TestKeptAddresses(t *testing.T) {
	for _, c := range []struct {
		name, before, set string
		refused           bool
	}{
		{"a local number", "double w = 0.3, *q = &w;", "q[0] = 0.2;", true},
		{"another type", "double w = 0.3; float x, *q = &x;", "q[0] = 0.2;", false},
		{"an address that is read through", "double w = 0.3; scan(&w);", "b[0] = 0.2;", false},
		{"an address that a function keeps", "double w = 0.3; keep(&w);", "b[0] = 0.2;", true},
		{"an address in a struct", "double w = 0.3; struct holder h = {&w}; double *q = h.p;", "*q = 0.2;", true},
		{"an address of a row", "double w = 0.3; double (*q)[1] = (double (*)[1])&w;", "q[0][0] = 0.2;", true},
		{"a global number that is passed to the function", "", "b[0] = 0.2;", true},
		{"a counter that is read by a pointer", "double w = 0.3; int k = 0, *q = &k;", "a[1] = q[0]; k++;", true},
		{"a pointer that leads elsewhere", "double w = 0.3, other, *q = &other;", "q[0] = w;", false},
	} {
		name := "w"
		global, call := "", "f(4, 100, x, y);"
		if c.before == "" {
			global, call = "static double w;", "f(4, 100, x, &w);"
		}
		text := fmt.Sprintf(`struct holder { double *p; };
static double *kept, x[100], y[100];
static void keep(double *p) { kept = p; }
static void scan(double *p) { *p = 3; }
%s
static void f(int T, int n, double *restrict a, double *restrict b)
{
  %s
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      a[i] = %s * (a[i] + b[i]);
    %s
  }
#pragma endscop
}
int main(void) { %s return 0; }
`, global, c.before, name, c.set, call)
		_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{})
		if c.refused {
			require.ErrorContains(t, err, "it through a pointer: its address is kept [HX104]", c.name)
		} else {
			require.NoError(t, err, c.name)
		}
	}
}
