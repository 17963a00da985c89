package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThresholds translates random programs whose nests gather under conditions on elements that the same branch changes, as sandpiles and neurons do, and compares what they
// print with what they print as they are.
func TestThresholds(t *testing.T) {
	count := attempts(6, 30, 400)
	taken := printAlike(t, count, 73, thresholds, [][]string{{"3", "3", "4"}, {"2", "9", "5"}, {"12", "7", "40"}, {"35", "41", "25"}})
	require.Greater(t, taken, count*3/4, "of %d", count)
}

// thresholds returns a program with a loop around nests that change elements where these are large, or small, and gather that.
func thresholds(r *rand.Rand) string {
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	typ := pick("double", "float", "int", "unsigned")
	at := "a[i][j]"
	test := at + pick(" > 11", " >= 15", " < 6", " == 4", " > b[i][j]")
	if r.IntN(4) == 0 {
		test += pick(" && t > 0", " && (i + j) % 2 == 0", " || b[i][j] > 20")
	}
	store := at + pick(" = 0;", " -= 7;", " = b[i][j];", " = b[i + 1][j];", " += 3;", " = (b[i][j - 1] + b[i][j + 1]) / 2;")
	term := pick(at, "b[i][j]", "i * ("+at+" > 3)", "i + j", at+" - b[i][j]", "("+at+" > 2 ? 3 : 5)", "12345678901L * ("+at+" > 5)", "(unsigned long)i * 11400714819323198485ul * (b[i][j] > 3)")
	if r.IntN(2) == 0 {
		term = "1"
	}
	gather := pick("sum += TERM;", "sum += TERM;", "sum -= TERM;", "sum ^= (long)(TERM);", "sum |= i * ("+at+" > 3);", "if (sum < TERM) sum = TERM;", "sum = sum > TERM ? sum : TERM;", "flag = 1;", "sum++;")
	gather = strings.ReplaceAll(gather, "TERM", term)
	if !strings.Contains(gather, "flag") {
		gather += pick("", "", " flag = 1;")
	}
	body := store + " " + gather
	switch r.IntN(4) {
	case 0:
		body = gather + " " + store
	case 1:
		body = fmt.Sprintf("%s old = %s; %s %s", typ, at, store, strings.ReplaceAll(gather, at, pick("old", at)))
	}
	switch r.IntN(5) {
	case 0:
		body = fmt.Sprintf("if (!(%s)) continue;\n        %s", test, body)
	case 1:
		body = fmt.Sprintf("if (%s) { %s }\n        else { %s }", test, pick("b[i][j] += 1;", "b[i][j] = 1;", at+" += 1;"), body)
	case 2:
		body = fmt.Sprintf("if (%s) { %s }\n        else { %s }", test, body, pick(at+" += 1;", "sum += 2;", "b[i][j] += 1;"))
	case 3:
		body = fmt.Sprintf("if (%s) {\n          if (%s) { %s }\n        }", test, pick("i > 1", "j % 3 == 1", "b[i][j] > 2", at+" < 40"), body)
	default:
		body = fmt.Sprintf("if (%s) { %s }", test, body)
	}
	nest := fmt.Sprintf("    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < m - 1; j++) {\n        %s\n      }\n", body)
	spread := fmt.Sprintf("    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < m - 1; j++)\n        %s;\n", pick("b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 3", at+" += 2", "b[i][j] = "+at, at+" = (b[i][j - 1] + b[i][j + 1]) / 2 + 1"))
	if r.IntN(2) == 0 {
		nest += spread
	} else {
		nest = spread + nest
	}
	loop := fmt.Sprintf("  for (t = 0; t < T; t++) {\n    %s\n%s    %s\n  }\n", pick("sum = 0;", "flag = 0;", "sum = 0, flag = 0;"), nest, pick("hist[t] = sum;", "if (!flag && t > 2) break;", `printf("%ld %d\n", (long)sum, flag);`, "if (flag) hist[t] = sum;"))
	return fmt.Sprintf(`#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), T = atoi(argv[argc - 1]), t = 0, flag = 0;
  %[1]s (*a)[m] = malloc(n * sizeof *a), (*b)[m] = malloc(n * sizeof *b);
  %[2]s sum = 0;
  long hist[100] = {0};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] = (i * 31 + j * 17) %% 23;
#pragma scop
%[3]s#pragma endscop
  printf("%%ld %%d %%d\n", (long)sum, flag, t);
  for (int k = 0; k < T; k++)
    printf("%%ld\n", hist[k]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      printf("%%a %%a\n", (double)a[i][j], (double)b[i][j]);
  return 0;
}
`, typ, pick("long", "int", "unsigned long", "long"), loop)
}
