package hexcc_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestOverlappedAbsent: where tiles overlap that a nest of fixed size never fills, beside nests that do, its array is handed on by tiles that test for it.
func TestOverlappedAbsent(t *testing.T) {
	text, err := os.ReadFile("testdata/idioms/loop-heads.c")
	require.NoError(t, err)
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.PTX} {
		res, err := hexcc.Compile(hexcc.Source{Name: "loop-heads.c", Text: text}, hexcc.Options{Base: "x", Strategy: hexcc.Overlapped, Target: target, Stop: "gpu"})
		require.NoError(t, err)
		require.NotEmpty(t, res.Proofs)
		for _, p := range res.Proofs {
			require.True(t, p.Holds, "%s: %s", p.Name, p.Violation)
		}
	}
}
