package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestIdioms compiles the region of each program of testdata/idioms with the C compiler, at -O0 or
// at -O2 by turns, runs it and compares what it leaves with the interpreter, bit for bit;
// then it verifies the kernels, as hexcc verify does, of every second idiom those for a GPU, of the others those for a CPU, or with HEXCC_TESTS=all both.
// Of every third one it verifies the loops that are not tiled, too.
func TestIdioms(t *testing.T) {
	testcases.EachIdiom(t, func(t *testing.T, x testcases.Idiom) {
		gpu, target := len(x.Name)%2 == 0 || testcases.Every(), hexcc.OpenMP // the other half of the idioms for a CPU
		if gpu {
			target = hexcc.CUDA
		}
		res, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Target: target})
		require.NoError(t, err)
		compared, source := 0, res.Scop
		if res.Folded != nil {
			source = res.Folded.Before() // which has the arrays of the source alone
		}
		for _, level := range testcases.Turn(oracle.Levels, x.Number) {
			probe := oracle.CompileProbe(t, source, level)
			for _, run := range x.Runs {
				before, want := probe.Run(t, run...)
				if before == nil {
					continue // the original loops run
				}
				compared++
				require.NoError(t, scop.Run(source, before))
				diff := want.Compare(before)
				require.Zero(t, diff.Differ, "%s %s: %d of %d elements differ; first %s: want %s, got %s",
					level, run, diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
			}
		}
		require.Greater(t, compared, 1)
		if res.Space.Ways == nil && res.Space.Sweeps == nil && (x.Number%3 == 0 || testcases.Every()) { // plain loops run no points in order
			plain, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Strategy: hexcc.Untiled})
			require.NoError(t, err)
			require.Equal(t, hexcc.Untiled, plain.Strategy)
			v, err := emulate.Verify(emulate.Request{Program: plain.GPU, Schedule: plain.Schedule, Proofs: plain.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		}
		if gpu {
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		}
		if gpu && !testcases.Every() {
			return
		}
		onCPU := res
		if gpu {
			onCPU, err = hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Target: hexcc.OpenMP})
			require.NoError(t, err)
		}
		v, err := emulate.Verify(emulate.Request{CPU: onCPU.CPU, Schedule: onCPU.Schedule, Proofs: onCPU.Proofs, Points: 3000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v)
	})
}
