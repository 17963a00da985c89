package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

const numbersByMacros = `#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 40
#endif
#define LAST (N - 1)
#if !defined(SHARE)
#define SHARE (0.5 / 2)
#endif
#ifndef TURNS
#define TURNS 2
#endif
#ifndef ROWS
#define ROWS 9
#endif
#ifndef WEIGHT
#define WEIGHT 0.5
#endif
#define FIXED 3
static double shared(double x, double y) { return SHARE * (x + y); }
int main(void)
{
  int rows = ROWS;
  double weight = WEIGHT / 2;
  for (int k = 0; k < TURNS; k++) {
    double *a = calloc(N + 4 + rows, sizeof *a), *b = calloc(N + 4 + rows, sizeof *b);
    for (int i = 0; i < N; i++)
      a[i] = b[i] = i % 7;
#pragma scop
    for (int t = 0; t < FIXED + STEPS; t++) {
      for (int i = 1; i < LAST; i++)
        b[i] = shared(a[i - 1], a[i + 1]);
      for (int i = 1; i < LAST; i++)
        a[i] = b[i];
      for (int i = 0; i < rows; i++)
        a[N + i] += weight * a[1];
    }
#pragma endscop
    printf("%a %a\n", a[2], a[N]);
    free(a);
    free(b);
  }
  return 0;
}
`

// TestMacrosThatMayChange compiles a translation with other numbers for macros than it was made with: where the region has one of them that is an error, of C and of C++, and else it is
// what the program would be.
func TestMacrosThatMayChange(t *testing.T) {
	for _, lang := range []struct{ ext, compiler string }{{"c", "gcc"}, {"cpp", "g++"}} {
		text := numbersByMacros
		if lang.ext == "cpp" {
			text = strings.NewReplacer("calloc(N + 4 + rows, sizeof *a)", "new double[N + 4 + rows]()", "calloc(N + 4 + rows, sizeof *b)", "new double[N + 4 + rows]()", "free(", "delete[] (").Replace(text)
		}
		dir := tool.Write(t, map[string]string{"m." + lang.ext: text})
		at := func(name string) string { return filepath.Join(dir, name) }
		tool.Run(t, command(t), "-q", "--target=openmp", "-DSTEPS=4", "-o", at("made"), at("m."+lang.ext))
		for flag, wrong := range map[string]bool{"-DSTEPS=4": false, "-DN=40": false, "-DTURNS=5": false, "-DSTEPS=5": true, "-DN=41": true, "-DN=(4*10)": false, "-DSHARE=0.25": false, "-DSHARE=0.125": true, "-DROWS=9": false, "-DWEIGHT=0.5": false, "-DWEIGHT=0.25": true} {
			out, err := exec.Command(lang.compiler, "-Wno-unknown-pragmas", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", flag, "-DSTEPS=4", at("made.hex."+lang.ext), "-o", at("ours")).CombinedOutput()
			if flag == "-DSTEPS=5" {
				out, err = exec.Command(lang.compiler, "-Wno-unknown-pragmas", flag, at("made.hex."+lang.ext), "-o", at("ours")).CombinedOutput()
			}
			if wrong {
				require.Error(t, err, flag)
				require.Contains(t, string(out), "_was_another_number", flag)
				continue
			}
			require.NoError(t, err, "%s\n%s", flag, out)
			plain := tool.Build(t, lang.compiler, at("plain"), "-w", "-ffp-contract=off", flag, "-DSTEPS=4", at("m."+lang.ext))
			require.Empty(t, tool.SameOutput(t, plain, at("ours")), flag)
		}
	}
}
