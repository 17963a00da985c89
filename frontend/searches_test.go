package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestSearches takes small loops that data end by a break, where all iterations may be computed, and refuses others.
func TestSearches(t *testing.T) {
	const text = `static const double edge[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static double probe(double x);
static int found(double x, const double *table) { int k; for (k = 0; k < 4; k++) if (x < table[k]) break; return k; }
static double probe(double x) { return x; }
void f(int n, int steps, double *restrict a, double *restrict b, const double *table, int size)
{
  int left;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      double s = a[i], w[3] = {s, 2 * s, 3};
      int k = 0;
      BODY
      b[i] = s + k + a[i - 1] + w[0];
    }
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
}
`
	for _, x := range []struct{ body, refused string }{
		{"for (k = 0; k < 8; k++) if (s < edge[k]) break;", ""},
		{"for (int q = 0; q < 8; q++) { s += edge[q]; if (s > 9) break; s *= 2; }", ""},
		{"for (k = 7; k >= 0; k--) { if (s > edge[k]) { if (s > 99) continue; s = 1; break; } }", ""},
		{"for (k = 0; k < 3; k++) if (w[k] > a[i + 1]) break;", "HX106"}, // elements that are variables of the body
		{"for (int q = 0; q < 3; q++) { for (k = 0; k < 3; k++) if (w[k] > a[i + 1]) break; if (s > k) break; }", "HX106"},
		{"k = found(s, edge);", ""},
		{"for (k = 0; k < 8; k++) if (s < edge[k + 1]) break;", "HX105"}, // computed for k = 7, too
		{"for (k = 0; k < 8; k++) if (s < table[k]) break;", "HX102"},
		{"for (k = 0; k < 3; k++) { s += a[i + k]; if (s > 9) break; }", "HX102"},
		{"for (k = 0; k < 3; k++) { b[i] = s; if (s > 9) break; }", "HX102"},
		{"for (k = 0; k < 3; k++) { w[k] = s; if (s > 9) break; }", "HX106"},
		{"for (k = 0; k < 3; k++) if (probe(s) > k) break;", "HX102"},
		{"for (k = 0; k < size; k++) if (s < edge[k]) break;", "HX102"},
		{"for (k = 0; k < 8; k++) { if (s < edge[k]) break; k++; }", "HX10"},
		{"for (left = 0; left < 8; left++) if (s < edge[left]) break; s += left;", "HX108"}, // a variable of the function
		{"for (left = 7; left >= 0; left--) s += left; s += left;", "HX108"},
		{"k = found(s, table);", "HX101"},
	} {
		source := strings.Replace(text, "BODY", x.body, 1)
		_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(source)}, frontend.Options{})
		if x.refused == "" {
			require.NoError(t, err, x.body)
		} else {
			require.ErrorContains(t, err, x.refused, x.body)
		}
	}
}
