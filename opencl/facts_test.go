package opencl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestOutsideOfFacts runs a program on inputs for which what it tests does not hold, each by itself: arrays that
// overlap and sizes outside. The original loops run, and it says so; where all holds, it says nothing.
func TestOutsideOfFacts(t *testing.T) {
	needDevice(t)
	tr := translate(t, "apart", cases.TwoPointers, hexcc.Options{NoAlias: true, Assume: []string{"n >= 20", "T <= 7"}})
	dir := tr.write(t)
	cc, err := crun.Compiler()
	require.NoError(t, err)
	ours, err := crun.Compile(cc, t.TempDir(), []*scop.Program{tr.scop}, []byte(tr.files.Host), "-I", dir, tr.object(t, dir), "-lOpenCL")
	require.NoError(t, err)
	original, err := crun.Compile(cc, t.TempDir(), []*scop.Program{tr.scop}, tr.scop.Source)
	require.NoError(t, err)
	failing := crun.FailingInputs(tr.scop, [][]int64{{5, 40}}, 1)
	require.Len(t, failing, 3)
	for _, x := range failing {
		require.NoError(t, x.Err, x.What)
		want, _, err := original.Run([]crun.Input{x.Input})
		require.NoError(t, err)
		got, says, err := ours.Run([]crun.Input{x.Input})
		require.NoError(t, err, says)
		require.Contains(t, says, "it does not hold that "+x.What+": the original loops run instead of the kernels")
		require.Zero(t, want[0].Compare(got[0]).Differ, x.What)
	}
	in := failing[2].Input
	in.Overlap = nil
	got, says, err := ours.Run([]crun.Input{in})
	require.NoError(t, err, says)
	require.Empty(t, says)
	require.Zero(t, oracle.CompileC(t, tr.scop).Run(t, in.Memory).Compare(got[0]).Differ)
}
