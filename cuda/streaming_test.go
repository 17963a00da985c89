package cuda_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// This file runs and compiles kernels whose rows stream through the registers of a pipeline of warps.

// streaming returns options for such kernels, of that shape.
func streaming(columns, steps, warps, period int) hexcc.Options {
	return hexcc.Options{
		NoAlias: true, Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming,
		Pipeline: &stream.Shape{Columns: columns, Steps: steps, Warps: warps, Period: period},
	}
}

// TestStreamingRunsOnCPU runs cases whose rows stream, in pipelines of several shapes: at sizes of which most tiles are partial, and at one that has full turns.
func TestStreamingRunsOnCPU(t *testing.T) {
	for _, base := range []string{"box-2d", "diffusion-2d", "em-2d", "fdtd-2d", "gaussian-2d", "poisson-2d", "rician-2d", "star-2d-2", "tv-2d"} {
		for _, s := range [][4]int{{2, 2, 2, 2}, {4, 4, 2, 1}} {
			t.Run(fmt.Sprint(base, s), func(t *testing.T) {
				t.Parallel()
				tr := compiled(t, base, cases.Input(t, base), streaming(s[0], s[1], s[2], s[3]))
				compareOnCPU(t, tr, 6)
				require.Empty(t, streamed(t, tr, tr.files.Kernel))
			})
		}
	}
}

// streamed runs a kernel file on arrays that have tiles with full turns, several times, and says what is wrong with its results.
func streamed(t *testing.T, tr translation, text string) (wrong string) {
	params, ok := oracle.Sized(tr.scop, 201, 13)
	require.True(t, ok)
	mem, err := scop.NewMemory(tr.scop, params, 1)
	require.NoError(t, err)
	x := oracle.Trial{Before: mem, After: oracle.CompileC(t, tr.scop).Run(t, mem)}
	tr.files.Kernel = text
	dir := tr.write(t)
	program, err := crun.Compile("gcc", t.TempDir(), []*scop.Program{tr.scop}, []byte(tr.files.Host), "-I", dir, tr.buildOnCPU(t, dir), "-lstdc++")
	require.NoError(t, err)
	for seed := range 3 {
		after, says, err := program.Run([]crun.Input{{Memory: x.Before}}, fmt.Sprint("SHIM_SEED=", seed))
		if err != nil {
			return says
		}
		if wrong := oracle.Different(x.After, after[0]); wrong != "" {
			return wrong
		}
	}
	return ""
}

var _ = regexp.MustCompile
