package openmp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// passProgram runs a statement as it is written, and translated, on arrays that start cache lines, at sizes of which some have rows of whole
// lines; it says how many elements differ.
const passProgram = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef %[1]s number;
#define BODY %[2]s

static void translated(int T, int n, int m, number A[2][n][m], const number B[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 3; j < m - 3; j++)
        A[(t + 1) %% 2][i][j] = BODY;
#pragma endscop
}

static void original(int T, int n, int m, number A[2][n][m], const number B[n][m])
{
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 3; j < m - 3; j++)
        A[(t + 1) %% 2][i][j] = BODY;
}

static number *numbers(long count)
{
  number *p = aligned_alloc(64, (count * sizeof(number) + 63) / 64 * 64);
  for (long k = 0; k < count; k++)
    p[k] = (number)((k * 7919 + 13) %% 1009) / 1024;
  return p;
}

int main(void)
{
  static const int lengths[] = {64, 96, 160, 131, 224, 7}, rows[] = {40, 23, 57, 31, 6, 12}, steps[] = {9, 1, 14, 8, 25, 3};
  for (int k = 0; k < 6; k++) {
    const int n = rows[k], m = lengths[k], T = steps[k];
    number *a = numbers(2L * n * m), *b = numbers(2L * n * m), *c = numbers((long)n * m);
    translated(T, n, m, (void *)a, (void *)c);
    original(T, n, m, (void *)b, (void *)c);
    if (memcmp(a, b, 2L * n * m * sizeof(number))) {
      printf("different at T=%%d, n=%%d, m=%%d\n", T, n, m);
      return 1;
    }
    free(a);
    free(b);
    free(c);
  }
  return 0;
}
`

// ofPasses are statements whose steps run in one pass.
var ofPasses = map[string][2]string{
	"star":       {"double", "0.2 * (A[t % 2][i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] + A[t % 2][i - 1][j])"},
	"steep":      {"float", "0.25f * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 2][j] + A[t % 2][i - 1][j])"},
	"diagonal":   {"double", "A[t % 2][i + 1][j - 2] * 0.3 + A[t % 2][i + 1][j + 1] * 0.3 - A[t % 2][i][j] - A[t % 2][i - 1][j + 3]"},
	"read along": {"double", "0.5 * A[t % 2][i + 1][j] + A[t % 2][i][j - 2] * B[i][j + 1]"},
}

// TestPasses runs passes as they are printed, by all compilers, and compares all elements with those of the original.
func TestPasses(t *testing.T) {
	for name, x := range ofPasses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := passText(t, name, x)
			for _, compiler := range compilers(t) {
				if compilesVectors(t, compiler) {
					out, err := runText(t, compiler, text, vectorFlags...)
					require.NoError(t, err, "%s: %s", compiler, out)
					out, err = runText(t, compiler, text, append(slices.Clone(vectorFlags), "-DHEXCC_PASSES=0")...)
					require.NoError(t, err, "%s: %s", compiler, out)
				}
				if runsHalves(t, compiler) {
					out, err := runText(t, compiler, text, halvesFlags...)
					require.NoError(t, err, "%s, halves: %s", compiler, out)
				}
			}
		})
	}
}

// TestPassTextMutants spoils what is printed: so it is known that passes run at all, and that each of their parts counts.
func TestPassTextMutants(t *testing.T) {
	text := passText(t, "star", ofPasses["star"])
	gcc := compilers(t)[0]
	if !compilesVectors(t, gcc) {
		t.Skip("no vectors")
	}
	vectors, halves := []string{cases.Level("-O1"), "-fopenmp", "-DHEXCC_GRAIN=0", "-DHEXCC_VECTORS=1", "-w"}, []string{cases.Level("-O1"), "-fopenmp", "-DHEXCC_GRAIN=0", "-mavx", "-w"}
	for what, x := range map[string]struct {
		flags    []string
		from, to string
	}{
		"a step reads the row behind":    {vectors, `(A_1_2 = A_1 \+ \(i) - 1\)`, "$1 - 2)"},
		"a step stores one row ahead":    {vectors, `(double \*A_0_2 = A_0 \+ )\(i - 1\)`, "${1}i"},
		"the same time twice":            {vectors, `(?s)(over rows\n.{0,80}?A_0 = A \+ )\(t & 1\)`, "${1}((t + 1) & 1)"},
		"nothing handed on":              {vectors, `x5 = value0;`, ";"},
		"another row handed on":          {vectors, `x7 = value1;`, "x7 = value0;"},
		"a neighbour of the old line":    {vectors, `x5_before = x5;`, ";"},
		"another place":                  {vectors, `(HEXCC_STORE8\(&A_0_2\[j) - 8\]`, "$1]"},
		"nothing handed on, halves":      {halves, `line5 = value0;`, ";"},
		"a neighbour too far, halves":    {halves, `HEXCC_BETWEEN8\(7,`, "HEXCC_BETWEEN8(6,"},
		"no neighbour at first, halves":  {halves, `line5_before\.high\[3\] = .*`, ""},
		"halves of lines exchanged":      {halves, `\(\(k\) \+ 4, a, b\)`, "((k), a, b)"},
		"places of another step, halves": {halves, `(hexcc_store8\(&A_0_2\[j) - 8\]`, "$1]"},
	} {
		if slices.Contains(x.flags, "-mavx") && !runsHalves(t, gcc) {
			continue
		}
		spoiled := regexp.MustCompile(x.from).ReplaceAllString(text, x.to)
		require.False(t, text == spoiled, what)
		_, err := runText(t, gcc, spoiled, x.flags...)
		require.Error(t, err, what)
	}
}

// passText translates a statement in tiles of a few vectors along rows.
func passText(t *testing.T, name string, x [2]string) string {
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Tile: &schedule.Sizes{H: 3, W: []int64{7, 32}}}
	res := compile(t, strings.ReplaceAll(name, " ", "-"), fmt.Sprintf(passProgram, x[0], x[1]), o, true)
	require.Contains(t, res.C.Text, "// 2 steps in one pass over rows\n", name)
	return res.C.Text
}

// runText compiles and runs a program.
func runText(t *testing.T, compiler, text string, flags ...string) (string, error) {
	program := filepath.Join(t.TempDir(), "program")
	require.NoError(t, os.WriteFile(program+".c", []byte(text), 0o666))
	out, err := exec.Command(compiler, append(flags, "-ffp-contract=off", program+".c", "-o", program)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := exec.Command(program)
	run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	out, err = run.CombinedOutput()
	return string(out), err
}
