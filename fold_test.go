package hexcc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	programs "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
)

// TestFold: arrays that are folded leave the same bits by every strategy and on CPUs, with sums regrouped and the nests in one launch or each in its own, too; where tiles overlap, what holds the
// combination is in no memory but that of a tile.
func TestFold(t *testing.T) {
	denoising := programs.Input(t, "rician-2d")
	for _, x := range []struct {
		text, names string
		o           hexcc.Options
		inTiles     bool // tiles alone have what holds the combination
	}{
		{programs.ReadIdiom(t, "winds-folded").Text, "auto", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles}, false},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles}, false},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Space}, false},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Overlapped}, true},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Overlapped, Fuse: "[g],[u_g,u]"}, true},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Overlapped, Fuse: "[g,u_g],[u]"}, false},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Overlapped, Target: hexcc.OpenMP, Fuse: "[g],[u_g,u]"}, true},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Hybrid, Target: hexcc.OpenMP}, false},
		{denoising, "g,u", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Reassociate: hexcc.AnyLoop, FMA: true}, false},
	} {
		o := x.o
		o.NoAlias, o.Fold = true, strings.Split(x.names, ",")
		res, err := hexcc.Compile(source([]byte(x.text)), o)
		require.NoError(t, err, "%+v", o)
		require.Greater(t, len(res.Scop.Arrays), len(res.Folded.Before().Arrays))
		in := report.Inspect(res.Products())
		require.Contains(t, in.Text(), "Folding: combinations of arrays computed once")
		require.Less(t, in.Folding.Now, in.Folding.Before)
		made := res.Folded.Folds[0].Array
		if res.CPU != nil {
			require.Equal(t, x.inTiles, res.CPU.Buffer(made) != nil)
			require.Equal(t, x.inTiles, !strings.Contains(res.C.Text, "the source does not have it"))
		} else {
			require.Equal(t, x.inTiles, slices.Contains(res.Schedule.Temporaries, made), "%+v", o)
		}
		v, err := emulate.Verify(emulate.Request{Program: res.GPU, CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 5000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%+v: %v", o, v)
	}
}

// TestFoldNothing: where no arrays are folded, a remark says so; what is named and cannot be is an error.
func TestFoldNothing(t *testing.T) {
	text := programs.Input(t, "heat-2d")
	res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Fold: []string{hexcc.AnyArrays}, Stop: "scop"})
	require.NoError(t, err)
	require.Nil(t, res.Folded)
	require.Equal(t, diag.Code("HX224"), res.Warnings[0].Code)
	_, err = hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Fold: []string{"A", "q"}, Stop: "scop"})
	require.ErrorContains(t, err, "'q' is no array of the region")
}
