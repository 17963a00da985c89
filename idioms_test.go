package hexcc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// Each file of testdata/idioms is a C program that writes a stencil in a way
// that people do. A comment // RUN lists the arguments to run it with.
const idioms = "testdata/idioms/*.c"

var runLine = regexp.MustCompile(`(?m)^// RUN (.*)$`)

// TestIdioms compiles the region of each program with the C compiler, at -O0 and
// at -O2, runs it and compares what it leaves with the interpreter, bit for bit;
// then it verifies the kernels, as hexcc verify does.
func TestIdioms(t *testing.T) {
	paths, err := filepath.Glob(idioms)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".c"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			runs := runLine.FindSubmatch(text)
			require.NotNil(t, runs, "no // RUN line")
			res, err := hexcc.Compile(hexcc.Source{Name: filepath.Base(path), Text: text}, hexcc.Options{})
			require.NoError(t, err)
			compared := 0
			for _, level := range []string{"-O0", "-O2"} {
				probe := oracle.CompileProbe(t, res.Scop, level)
				for run := range strings.SplitSeq(string(runs[1]), "|") {
					before, want := probe.Run(t, strings.Fields(run)...)
					if before == nil {
						continue // the original loops run
					}
					compared++
					require.NoError(t, scop.Run(res.Scop, before))
					diff := want.Compare(before)
					require.Zero(t, diff.Differ, "%s %s: %d of %d elements differ; first %s: want %s, got %s",
						level, run, diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
				}
			}
			require.Greater(t, compared, 3)
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		})
	}
}
