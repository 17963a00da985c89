package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChanges translates random programs whose nests gather by how much they have changed elements, of several types and in several ways, and compares what they print with what
// they print as they are.
func TestChanges(t *testing.T) {
	count := attempts(6, 30, 400)
	taken := printAlike(t, count, 71, changes, [][]string{{"3", "3", "4"}, {"2", "9", "5"}, {"12", "7", "40"}, {"35", "41", "25"}})
	require.Greater(t, taken, count*3/4, "of %d", count)
}

// changes returns a program with a loop around a nest that gathers what it changes.
func changes(r *rand.Rand) string {
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	typ := pick("double", "double", "float", "int", "unsigned", "short")
	whole := typ != "double" && typ != "float"
	to := pick("b", "a")
	sum := "a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]"
	value, change := "0.25 * ("+sum+")", pick("fabs(now - old)", "(now - old) * (now - old)", "now - old", "now > old ? now - old : old - now")
	if typ == "float" {
		value, change = "("+sum+") / 4.0f", pick("fabsf(now - old)", "now - old", "fabs(now - old)")
	}
	if whole {
		value, change = "("+sum+") / 3", pick("now != old", "now - old", "now ^ old", "now > old")
	}
	now := to + "[i][j]"
	change = strings.ReplaceAll(change, "now", now)
	scalar := pick("double", typ)
	if whole {
		scalar = pick("long", "int", "unsigned", "double")
	}
	var gather, ends string
	switch way := r.IntN(7); {
	case way == 0 && !whole:
		gather, ends = pick("", "if (j % 3 != 1) ")+fmt.Sprintf("e = fmax(e, %s);", change), "e < TOL"
	case way == 1 && !whole:
		gather, ends = fmt.Sprintf("e = fmin(e, -(%s));", change), "e > -TOL"
	case way == 2:
		gather, ends = fmt.Sprintf("if (e < %s) e = %s;", change, change), "e <= TOL"
	case way == 3:
		gather, ends = fmt.Sprintf("{ %s d = %s; e = d > e ? d : e; }", scalar, change), "!(e > TOL)"
	case way == 4:
		gather, ends = fmt.Sprintf("if (%s) e++;", change), "e == 0"
	default:
		gather, ends = fmt.Sprintf("e += %s;", change), "e == 0"
	}
	if !whole {
		ends = strings.Replace(ends, "TOL", pick("0.02", "0.3", "0"), 1)
	}
	ends = strings.Replace(ends, "TOL", pick("0", "2"), 1)
	second, count := "", ""
	if r.IntN(2) == 0 {
		second = pick("moved += "+now+" != old;", "if (old > 1) moved++;", "most = old > most ? old : most;")
		count = pick("", "if (moved > 1000000) break;")
	}
	body := fmt.Sprintf("%s old = %s;\n        %s = %s;\n        %s\n        %s", typ, now, now, value, gather, second)
	if r.IntN(4) == 0 {
		body = fmt.Sprintf("if (fixed[i][j]) continue;\n        %s", body)
	} else if r.IntN(3) == 0 {
		body = fmt.Sprintf("if (!fixed[i][j] && i + j != 7) {\n        %s\n        }", body)
	}
	rows := pick("int i = 1; i < n - 1; i++", "int i = 1; i <= n - 2; i++", "int i = n - 2; i >= 1; i--")
	columns := pick("int j = 1; j < m - 1; j++", "int j = 1; j <= m - 2; ++j", "int j = m - 2; j > 0; j--", "int j = 1; j < m - 1; j += 2", "int j = 1 + i % 2; j < m - 1; j += 2", "int j = 2 - (i & 1); j <= m - 2; j += 2")
	nest := fmt.Sprintf("    for (%s)\n      for (%s) {\n        %s\n      }\n", rows, columns, body)
	if other := strings.NewReplacer("1 + i % 2", "2 - i % 2", "2 - (i & 1)", "1 + (i & 1)").Replace(nest); other != nest && r.IntN(3) > 0 {
		nest += other
		if r.IntN(4) == 0 { // it asks in between
			nest = strings.TrimSuffix(nest, other) + fmt.Sprintf("    if (%s) break;\n", ends) + other
		}
	}
	if to == "b" {
		nest += "    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < m - 1; j++)\n        a[i][j] = b[i][j];\n"
	}
	reset := "e = 0; moved = 0; most = 0;"
	if r.IntN(4) == 0 {
		reset = "e = 0;" // the others pass from step to step
	}
	loop := fmt.Sprintf("  for (k = 0; k < T; k++) {\n    %s\n%s    %s\n    if (%s) break;\n  }\n", reset, nest, count, ends)
	if r.IntN(3) == 0 {
		loop = fmt.Sprintf("  do {\n    %s\n%s    k++;\n  } while (!(%s) && k < T);\n", reset, nest, ends)
	}
	return fmt.Sprintf(`#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), T = atoi(argv[argc - 1]), k = 0, moved = 0;
  %[1]s (*a)[m] = malloc(n * sizeof *a), (*b)[m] = malloc(n * sizeof *b), most = 0;
  int (*fixed)[m] = malloc(n * sizeof *fixed);
  %[2]s e = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] = (i * 31 + j * 17) %% 23, fixed[i][j] = (i + 2 * j) %% 9 == 4;
#pragma scop
%[3]s#pragma endscop
  printf("%%d %%a %%d %%a\n", k, (double)e, moved, (double)most);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%%a %%a\n", (double)a[i][j], (double)b[i][j]);
  return 0;
}
`, typ, scalar, loop)
}
