package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
)

// TestJacobi has the numbers of jacobi-2d at h=2, w0=3, w1=32, where all is known:
// 1152 updates a tile, of which each row of 32 is one warp's; a request for such a
// row takes 4 sectors in one line where it is aligned, and 5 in two where it is not.
func TestJacobi(t *testing.T) {
	tile, err := hexcc.ParseTile("h=2,w0=3,w1=32")
	require.NoError(t, err)
	src, err := sourceOf("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	doc, err := os.ReadFile("../../docs/kernels.md")
	require.NoError(t, err)
	for _, c := range []struct {
		strategy gpu.Strategy
		columns  string
	}{
		{gpu.Global, "    0.545    0.101     0.000       0.0     0%"},
		{gpu.Staged, "    0.167    0.031     0.000       0.0     0%"},
		{gpu.Interleaved, "    0.174    0.031     0.000       0.0     0%"},
		{gpu.Aligned, "    0.160    0.014     0.000       0.0     0%"},
		{gpu.Moved, "    0.151    0.014     0.000       0.0     0%"},
		{gpu.Static, "    0.151    0.014     0.000       0.0     0%"},
	} {
		t.Run(c.strategy.String(), func(t *testing.T) {
			did, err := emulated(src, hexcc.Options{Arch: "sm_80", Tile: tile}, c.strategy)
			require.NoError(t, err)
			require.Equal(t, c.columns, did.String())
			require.Regexp(t, c.strategy.String()+" .*"+c.columns+"\n", string(doc))
			full := &did.Profile[emulate.Full]
			step := full[emulate.Step]
			require.Equal(t, 1152*did.tiles, step.Points)
			require.Zero(t, step.Divergent)
			require.Zero(t, step.Idle)
			require.Zero(t, step.Shared().Conflicts())
			if c.strategy != gpu.Global {
				require.Equal(t, 92*32*did.tiles, step.SharedLoads.Elements)
				require.Equal(t, 36*32*did.tiles, step.SharedStores.Elements)
			}
			if c.strategy != gpu.Moved && c.strategy != gpu.Static {
				return
			}
			in := full[emulate.CopyInAfter]
			require.Positive(t, in.GlobalLoads.Requests)
			require.Equal(t, 32*in.GlobalLoads.Requests, in.GlobalLoads.Elements)
			require.Equal(t, 4*in.GlobalLoads.Requests, in.GlobalLoads.Sectors)
			require.Equal(t, in.GlobalLoads.Requests, in.GlobalLoads.Lines)
			require.Zero(t, in.GlobalLoads.Elements%512, "16 rows of 32 are new")
			require.Zero(t, in.Divergent)
			require.Zero(t, in.SharedStores.Conflicts())
			require.Zero(t, full[emulate.Move].Shared().Conflicts())
		})
	}
}
