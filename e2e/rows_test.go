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
