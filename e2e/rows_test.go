package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestRowsOfVectors runs the programs of testdata/rows, whose rows are vectors, or whose arrays are owned by other objects, as they are and translated, under sanitizers: they leave the same, and the tiled loops
// run in the first run, wherever the rows lie.
func TestRowsOfVectors(t *testing.T) {
	tool.CXX(t)
	paths, err := filepath.Glob("../testdata/rows/*.cpp")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".cpp"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			runs := hostRuns.FindSubmatch(text)
			require.NotNil(t, runs)
			res := probed(t, filepath.Base(path), string(text))
			sanitizers := []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
			plain, ours := buildProbed(t, res, res.Probed.Source), buildProbed(t, res, []byte(res.C.Text), sanitizers...)
			for i, run := range strings.Split(string(runs[1]), "|") {
				want, said := plain.run(t, strings.Fields(run))
				got, saidToo := ours.run(t, strings.Fields(run))
				require.True(t, said.Out == saidToo.Out, "%s: it prints something else", run)
				all, err := compareProbed(res, want, got)
				require.NoError(t, err)
				for _, region := range all {
					require.Zero(t, region.Differ, "%s: %+v", run, region.First)
					if i == 0 {
						require.Positive(t, region.Elements)
					}
				}
				if i == 0 {
					require.Empty(t, saidToo.Err)
				} else if saidToo.Err != "" {
					require.Contains(t, saidToo.Err, "hexcc: it does not hold that")
				}
			}
		})
	}
}

// TestRowsByTurns runs a program whose tables of rows point into one block, where rows of one array lie between those of another, at distances that just fit, and some that do not: the
// tiled loops run exactly where no element is in two rows, and leave what the program leaves.
func TestRowsByTurns(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
  int n = atoi(argv[1]), m = atoi(argv[2]), across = atoi(argv[3]), down = atoi(argv[4]), other = atoi(argv[5]), T = 7;
  double *block = malloc(8L * (n + down + 2) * (across + other) * 4), **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b);
  long all = (long)(n + down + 2) * (across + other) * 4;
  for (long i = 0; i < all; i++)
    block[i] = i * 7 % 1000 * 0.001;
  for (int i = 0; i < n; i++) {
    a[i] = block + (long)i * across;
    b[i] = block + (long)(i + down) * (across + argc - 6) + other;
  }
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
  for (long i = 0; i < all; i++)
    printf("%a\n", block[i]);
  free(a), free(b), free(block);
}
`
	res := probed(t, "turns.c", text)
	plain, ours := buildProbed(t, res, res.Probed.Source), buildProbed(t, res, []byte(res.C.Text), "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	for run, tiled := range map[string]bool{
		"20 30 60 0 30":     true,  // one behind the other
		"20 30 59 0 30":     true,  // nobody uses the last element of a row of b
		"20 30 58 0 30":     false, // nor is there room for the one before it
		"20 30 60 0 29":     false,
		"20 30 90 0 45":     true,
		"20 30 60 3 30":     true, // some rows further down
		"20 30 60 19 -30":   true, // before those of a
		"20 30 60 1 -30":    true,
		"20 30 60 1 -28":    false,
		"20 30 30 25 0":     true,  // one block behind the other
		"20 30 30 19 0":     false, // the last row of a is the first one of b
		"20 30 70 0 33 x":   false, // distances that differ
		"20 30 60 0 1170 x": true,  // behind the last row, before the next one would begin
		"20 30 60 0 1169 x": false,
		"3 3 6 0 3":         true,
		"3 3 5 0 3":         true,
		"3 3 4 0 3":         false,
	} {
		want, said := plain.run(t, strings.Fields(run))
		got, saidToo := ours.run(t, strings.Fields(run))
		require.True(t, said.Out == saidToo.Out && said.Out != "", "%s: it prints something else", run)
		_, err := compareProbed(res, want, got)
		require.NoError(t, err)
		require.Equal(t, tiled, saidToo.Err == "", "%s: %s", run, saidToo.Err)
	}
}
