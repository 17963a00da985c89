package openmp_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// grainText has regions of the sizes that its arguments give, and one of the size SIDE.
const grainText = `#include <stdio.h>
#include <stdlib.h>
#define SIDE 40
static double fixed[2][SIDE][SIDE];
static double value(int i, int j) { return (i * 7 + j * 3) % 11; }
static void step(int n, double (*restrict a)[n], double (*restrict b)[n])
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}
static void steps(int n, int T, double (*restrict a)[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[(t + 1) % 2][i][j] = 0.2 * (a[t % 2][i][j] + a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1]);
#pragma endscop
}
static void known(void)
{
#pragma scop
  for (int i = 1; i < SIDE - 1; i++)
    for (int j = 1; j < SIDE - 1; j++)
      fixed[1][i][j] = 0.2 * (fixed[0][i][j] + fixed[0][i - 1][j] + fixed[0][i + 1][j] + fixed[0][i][j - 1] + fixed[0][i][j + 1]);
#pragma endscop
}
static int teams; /* that several threads would have been in */
#ifdef COUNT
void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags)
{
  (void)flags;
  teams += threads != 1;
  run(data);
}
#endif
static void said(const char *what)
{
#ifdef COUNT
  printf("%s: %d\n", what, teams);
#else
  (void)what;
#endif
  teams = 0;
}
int main(void)
{
  for (int n = 20; n <= 400; n += 380) {
    double *a = malloc(2 * sizeof *a * n * n), sum = 0;
    for (int i = 0; i < 2 * n * n; i++)
      a[i] = value(i / n, i % n);
    step(n, (double (*)[n])a, (double (*)[n])(a + n * n));
    said(n == 20 ? "step, small" : "step, large");
    steps(n, 8, (double (*)[n][n])a);
    said(n == 20 ? "steps, small" : "steps, large");
    for (int i = 0; i < n * n; i++)
      sum += a[i] * (i % 13);
    printf("%.17g\n", sum);
    free(a);
  }
  for (int i = 0; i < SIDE * SIDE; i++)
    fixed[0][i / SIDE][i % SIDE] = value(i / SIDE, i % SIDE);
  known();
  said("known");
  printf("%.17g\n", fixed[1][SIDE / 2][SIDE / 3]);
  return 0;
}
`

// TestGrain runs regions that are small and large: by threads, with the results of the original; and by a runtime that counts how often threads would have started, one after the other.
func TestGrain(t *testing.T) {
	plain := build(t, "gcc", t.TempDir(), "plain", grainText, "-Wno-unknown-pragmas")
	for launch, want := range map[hexcc.Launch][]string{
		hexcc.Phases: {
			"#pragma omp parallel if(1.1 * (n - 2) * (n - 2) >= HEXCC_GRAIN)\n", "#pragma omp parallel if(0.55 * (n - 2) * (n - 2) * hexcc_long_min(T, ",
			"#if 1588 >= HEXCC_GRAIN\n#pragma omp parallel\n#endif\n", "#if 1588 >= HEXCC_GRAIN\n#pragma omp for schedule(static) nowait\n#endif\n", "#if 1588 >= HEXCC_GRAIN\n    hexcc_meet(&meeting);\n#endif\n",
		},
		hexcc.Ready: {
			"const int enough = 1.1 * (n - 2) * (n - 2) >= HEXCC_GRAIN;\n", "const int enough = 0.55 * (n - 2) * (n - 2) * hexcc_long_min(T, ", "const int enough = 1588 >= HEXCC_GRAIN;\n",
		},
	} {
		res := compile(t, "grain", grainText, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Launch: launch}, true)
		text := res.C.Text
		for _, line := range want {
			require.True(t, strings.Contains(text, line), "%s", line)
		}
		said := 0
		for _, w := range res.Warnings {
			if w.Code == "HX211" && strings.HasPrefix(w.Msg, "one thread runs this region") {
				said++
			}
		}
		require.Equal(t, 1, said, "%v", res.Warnings)
		for _, flags := range [][]string{nil, {"-DHEXCC_GRAIN=0"}, {"-DHEXCC_GRAIN=1000000000"}} {
			tool.SameOutput(t, plain, build(t, "gcc", t.TempDir(), "ours", text, append(flags, "-fopenmp")...))
			counted := build(t, "gcc", t.TempDir(), "counted", text, append(flags, "-fopenmp", "-DCOUNT")...)
			small, large := 0, 1
			if len(flags) > 0 && strings.HasSuffix(flags[0], "=0") {
				small = 1
			} else if len(flags) > 0 {
				large = 0
			}
			out := tool.Run(t, counted)
			for what, want := range map[string]int{"step, small": small, "steps, small": small, "step, large": large, "steps, large": large, "known": small} {
				require.Contains(t, out, fmt.Sprintf("%s: %d\n", what, want), "%v %v", launch, flags)
			}
		}
	}
}

// TestGrainOfFixedSizes translates a nest for grids of known sizes: what is printed of threads is as much as its size asks for.
func TestGrainOfFixedSizes(t *testing.T) {
	for side, want := range map[int]string{40: "#if 1588 >= HEXCC_GRAIN\n#pragma omp parallel\n#endif\n", 130: "#if 18022 >= HEXCC_GRAIN\n#pragma omp parallel\n#endif\n", 140: "\n#pragma omp parallel\n", 4000: "\n#pragma omp parallel\n"} {
		text := compile(t, "grain", strings.Replace(grainText, "SIDE 40", fmt.Sprint("SIDE ", side), 1), hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}, true).C.Text
		known := text[strings.Index(text, "hexcc_grain_2("):]
		known = known[:strings.Index(known, "\n}\n")]
		require.Contains(t, known, want)
		require.Equal(t, side < 135, strings.Contains(known, "HEXCC_GRAIN"), "%d", side)
	}
}

// TestGrainOfChains has two regions alone whose sizes are known: no file defines the threshold that does not use it.
func TestGrainOfChains(t *testing.T) {
	for side, used := range map[string]bool{"60": true, "4000": false} {
		text := strings.ReplaceAll(cases.Input(t, "jacobi-2d"), "[n]", "["+side+"]")
		text = strings.ReplaceAll(text, "n - 1", side+" - 1")
		res := compile(t, "jacobi-2d", text, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Launch: hexcc.Ready}, true)
		require.Equal(t, used, strings.Contains(res.C.Text, "#define HEXCC_GRAIN 20000\n"), "%s", side)
		source := filepath.Join(tool.Write(t, map[string]string{"s.c": res.C.Text}), "s.c")
		tool.Quiet(t, "gcc", append(tool.Strict, "-O1", "-fopenmp", "-Wno-unused-function", "-Wno-unused-parameter", "-fsyntax-only", source)...)
	}
}

// TestGrainOfLoops has loops of schedules of one's own: what one run of a loop has to do, with loops of tiles and along diagonals in it.
func TestGrainOfLoops(t *testing.T) {
	const text = `void f(int T, int n, int m, float a[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[(t + 1) % 2][i][j] = 0.3f * (a[t % 2][i - 1][j] + a[t % 2][i][j] + a[t % 2][i + 1][j]);
#pragma endscop
}
`
	for schedule, want := range map[string]string{
		"[t, i, j]":                           "\n#pragma omp parallel for if(0.7 * (n - 2) * (m - 2) >= HEXCC_GRAIN)\n",
		"[t, floor(i/16), floor(j/16), i, j]": "\n#pragma omp parallel for if(0.7 * (n + 14) * (m + 14) >= HEXCC_GRAIN)\n",
		"[t, 0, 0, i + j, i]":                 "\n#pragma omp parallel for if(0.7 * (m + n - 5) * (n - 2) >= HEXCC_GRAIN)\n",
		"[2*t + i, i, j]":                     "\n#pragma omp parallel for\n", // more than is known
	} {
		res := compile(t, "own", text, own(hexcc.OpenMP, "hexcc schedule 1\nmap S0[t, i, j] -> "+schedule), true)
		require.Contains(t, res.C.Text, want, schedule)
	}
	line := `void f(int T, int n, float a[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = a[t % 2][i - 1];
#pragma endscop
}
`
	const alone = "hexcc schedule 1\nmap S0[t, i] -> [t, i]"
	require.Contains(t, compile(t, "own", line, own(hexcc.OpenMP, alone), true).C.Text, "\n#pragma omp parallel for simd if(parallel: 0.2 * (n - 2) >= HEXCC_GRAIN)\n")
	line = strings.NewReplacer("[n]", "[1000]", "n - 1", "999").Replace(line)
	require.Contains(t, compile(t, "own", line, own(hexcc.OpenMP, alone), true).C.Text, "\n#if 200 >= HEXCC_GRAIN\n#pragma omp parallel for simd\n#else\n#pragma omp simd\n#endif\n")
}
