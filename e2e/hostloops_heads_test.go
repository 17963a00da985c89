package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// gatheringHeads are heads of loops over u[n] that gather the greatest of its elements, and whether OpenMP is to run them: all of them
// hold for what is inside of u, whatever n and m are.
var gatheringHeads = []struct {
	head     string
	parallel bool
}{
	{"int i = 1; i < n - 1; i++", true},
	{"int i = 1; i + 1 < n; i++", true},
	{"int i = 1; n > i + 1; i++", true},
	{"int i = 1; i - n < -1; i++", true},
	{"int i = 1; -i > 1 - n; i++", true},
	{"int i = 1; 1 + i + 1 <= n; i++", true},
	{"int i = 1; n - i > 1; i += 2", true},
	{"int i = 1; i + m < n && m >= 0; i++", false},
	{"int i = 1; i < n - 1 && i < m; i++", false},
	{"int i = 1; 2 * i < n; i++", false},
	{"int i = 1; i * 1 < n - 1; i++", false},
	{"int i = 1; i < n - 1; i -= -1", true},
	{"int i = n - 2; i + 1 > 1; i--", true},
	{"int i = n - 2; 0 < i; i--", true},
	{"int i = n - 1; i-- > 1;", true},
	{"int i = n - 1; --i > 0;", true},
	{"int i = n; i-- > 0;", true},
	{"unsigned i = n < 1 ? 0 : n - 1; i-- > 1;", true},
	{"unsigned i = n < 1 ? 0 : n; i-- > 0;", false},
	{"size_t i = 1; i + 1 < z; i++", true},
	{"size_t i = 0; i + 2 <= z; i++", true},
	{"long i = 1; i + 1 < n; i++", true},
	{"short i = 1; i + 1 < n; i++", false},
}

const gatheringLoop = `static int f%d(int n, int m, size_t z, double *restrict u, double tol)
{
  double e;
  int steps = 0;
  (void)z, (void)m;
#pragma scop
  do {
    e = 0;
    for (%s)
      if (u[i] > e)
        e = u[i];
    for (int i = 0; i < n; i++)
      u[i] *= 0.5;
    steps++;
  } while (e > tol);
#pragma endscop
  return steps;
}
`

const gatheringNest = `static int nest(int n, double (*restrict u)[n], double (*restrict v)[n], double tol)
{
  double e;
  int steps = 0;
#pragma scop
  do {
    e = 0;
    for (int i = 1; i + 1 < n; i++)
      for (int j = n - 1; j-- > 1;) {
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        e = fmax(e, fabs(v[i][j] - u[i][j]));
      }
    for (int i = n - 1; i-- > 1;)
      for (int j = 1; 2 * j < 2 * n - 2; j++)
        u[i][j] = v[i][j];
    steps++;
  } while (e > tol);
#pragma endscop
  return steps;
}
`

// TestGatheringHeads translates loops that gather, whose heads are written in many ways, of which OpenMP takes some: compilers take what is made of them,
// and it does what the program does, at sizes that are none, too.
func TestGatheringHeads(t *testing.T) {
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n")
	calls := ""
	for i, h := range gatheringHeads {
		fmt.Fprintf(&b, gatheringLoop, i, h.head)
		calls += fmt.Sprintf("  fill(300, u);\n  printf(\"%d: %%d\\n\", f%d(n, m, n > 0 ? n : 0, u, 0.01));\n", i, i)
	}
	b.WriteString(gatheringNest)
	b.WriteString("static void fill(int n, double *u)\n{\n  for (int i = 0; i < n; i++)\n    u[i] = i * 7919 % 1009 * (i % 97 == 5 ? 40 : 1);\n}\n")
	b.WriteString("int main(int argc, char **argv)\n{\n  static double u[300], v[17 * 17], w[17 * 17];\n  int n = atoi(argv[argc - 2]), m = atoi(argv[argc - 1]);\n" + calls)
	b.WriteString("  fill(17 * 17, v);\n  if (n > 0 && n <= 17)\n    printf(\"nest: %d %a\\n\", nest(n, (double (*)[n])v, (double (*)[n])w, 0.01), v[n]);\n  return 0;\n}\n")
	dir := tool.Write(t, map[string]string{"heads.c": b.String()})
	at := func(name string) string { return filepath.Join(dir, name) }
	tool.Run(t, command(t), "-q", "--target=openmp", "-o", at("made"), at("heads.c"))
	made, err := os.ReadFile(at("made.hex.c"))
	require.NoError(t, err)
	functions := strings.Split(string(made), "static int f")[1:]
	for i, h := range gatheringHeads {
		require.Equal(t, h.parallel, strings.Contains(functions[i], "#pragma omp parallel for simd reduction("), "%s\n%s", h.head, functions[i])
	}
	flags := []string{cases.Level("-O1"), "-ffp-contract=off", "-Wno-unknown-pragmas"}
	plain := tool.Build(t, "gcc", at("plain"), append(flags, at("heads.c"), "-lm")...)
	ours := tool.Build(t, "gcc", at("ours"), append(flags, "-Wall", "-fopenmp", "-DHEXCC_GRAIN=0", "-fsanitize=undefined", "-fno-sanitize-recover", at("made.hex.c"), "-lm")...)
	for _, run := range [][]string{{"0", "0"}, {"1", "9"}, {"2", "3"}, {"3", "1"}, {"17", "5"}, {"300", "400"}, {"-5", "7"}} {
		require.Empty(t, tool.SameOutput(t, plain, ours, run...), run)
	}
}
