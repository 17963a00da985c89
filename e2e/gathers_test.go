package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGathers translates random programs whose nests gather, with statements that change something besides what they are for: in chains, in subscripts, by
// addresses that they pass, in heads of loops. It compares what they print with what they print as they are.
func TestGathers(t *testing.T) {
	count := attempts(8, 40, 400)
	taken := printAlike(t, count, 89, gathers, [][]string{{"3", "1"}, {"9", "2"}, {"38", "3"}})
	require.Greater(t, taken, count/3, "of %d", count)
}

// gathers returns a program with a loop around a nest that stores elements and gathers.
func gathers(r *rand.Rand) string {
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	of := pick("a[i][j - 1]", "a[i - 1][j]", "0.5 * a[i][j]")
	store := pick(
		"b[i][j] = q = OF;", "b[i][j] = c[i][j] = OF; q = a[i][j];", "double o = a[i][j]; b[i][j] = a[i][j] = 0.5 * o; q = a[i][j] - o;",
		"b[i][j] = add(&q, OF);", "if (add(&q, OF) > 1) b[i][j] = OF;", "double v[2]; v[0] = q = OF; b[i][j] = v[0];",
		"double v[3]; for (int d = -1; d <= 1; d++) v[k++] = a[i][j + d]; b[i][j] = v[0] + 0.5 * v[2];", "for (k = 0; k < 2; k++) b[i][j] += a[i][j - k];",
		"struct pair p; p.x = OF; p.y = q; b[i][j] = p.x; q = p.y;", "struct pair p = {OF, q}; b[i][j] = p.x; q = p.y;", "b[i][j] = OF; q = c[i][j];",
		"int m = k + 1; for (int d = 0; d < m; d++) b[i][j] = OF; k = m;")
	gather := pick("S += q;", "S += k;", "S = fmax(S, q);", "if (q > 1) S += 1; else if (q > 0.5) S += k;", "if (q > S) S = q;", "if (k == 2) S += q;", "S += add(&q, OF);", "S += k++;",
		"for (k = 0; k < 2; k++) S += q;", "S = fmax(S, a[i][j] - q);", "int e = k + 1; for (int d = 0; d < e; d++) S += q;")
	body := store + " " + gather
	if r.IntN(4) == 0 {
		body = gather + " " + store
	}
	if r.IntN(4) == 0 {
		body += " c[i][j] = q + k;"
	}
	return fmt.Sprintf(`#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define OF (%s)
struct pair { double x, y; };
static double add(double *q, double x) { *q += x; return 2 * x; }
double a[40][40], b[40][40], c[40][40];
int main(int argc, char **argv)
{
  int n = atoi(argv[1]), T = atoi(argv[2]);
  double S = 0, s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = (i * 13 + j * 7) %% 17 / 4.0;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double q = 2;
        int k = 0;
        %s
      }
#pragma endscop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += a[i][j] + b[i][j] * (i + 2) + c[i][j] * (j + 3);
  printf("%%.17g %%.17g\n", S, s);
  return 0;
}
`, of, body)
}
