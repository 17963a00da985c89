package ptx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// parse reads PTX that must be right.
func parse(t *testing.T, text string) *asm.Module {
	t.Helper()
	m, err := asm.Parse(text)
	require.NoError(t, err)
	return m
}

// compareRuns runs the kernels and the original at several sizes, and compares all
// arrays bit for bit.
func compareRuns(t *testing.T, trial *ptx.Trial, sizes int) {
	t.Helper()
	for i, x := range oracle.Trials(t, trial.Program.Scop, sizes) {
		compareRun(t, trial, x, uint64(i)+1)
	}
}

// compareRun runs the kernels on what the original ran on, and compares.
func compareRun(t *testing.T, trial *ptx.Trial, x oracle.Trial, seed uint64) {
	t.Helper()
	got := x.Before.Clone()
	var dead []*scop.Array
	for _, a := range trial.Program.Scop.Arrays {
		transfer := trial.Program.Transfer(a)
		if !transfer.In { // the device has something else there
			got.Scramble(a, seed)
		}
		if !transfer.Out && !a.Const {
			dead = append(dead, a)
		}
	}
	require.NoError(t, trial.Run(got), x.Before.Sizes())
	x.Check(t, "PTX", got, dead...)
}

// TestTextRuns runs the PTX of every case, instruction by instruction, and
// compares all arrays with those of the original program, compiled by the C
// compiler of the machine, bit for bit.
func TestTextRuns(t *testing.T) {
	tools := llvm(t, "sm_80")
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		v := pipeline.Staged
		v.Async = len(base)%2 == 1 // the others copy through registers
		checkText(t, tools, mapped(t, base, text, v), sizesOf(base))
	})
	for _, o := range []struct {
		base string
		pipeline.Variant
	}{{"jacobi-2d", pipeline.Global}, {"fdtd-2d", pipeline.Global}, {"jacobi-2d", pipeline.Large}, {"fdtd-2d", pipeline.Large}, {"em-2d", pipeline.SpaceOnly}, {"em-2d", pipeline.Untiled}, {"fdtd-2d", pipeline.Untiled}, {"laplacian-3d", pipeline.Untiled}, {"jacobi-1d", pipeline.Untiled}, {"gradient-2d", pipeline.By2}, {"jacobi-2d", pipeline.Turns}} {
		t.Run(o.base+"/"+o.Name, func(t *testing.T) {
			t.Parallel()
			checkText(t, tools, mapped(t, o.base, cases.Input(t, o.base), o.Variant), 3)
		})
	}
}

// sizesOf returns at how many sizes a case is run: fewer where a tile has many points.
func sizesOf(base string) int {
	switch {
	case strings.Contains(base, "4d"):
		return 2
	case strings.Contains(base, "3d"):
		return 3
	}
	return 6
}

// checkText makes PTX of a part, runs it and compares.
func checkText(t *testing.T, tools ptx.Tools, part ptx.Part, sizes int) {
	module := ptx.Lower([]ptx.Part{part})
	text, err := tools.Compile(module.Text, "sm_80")
	require.NoError(t, err)
	if dir := os.Getenv("HEXCC_KEEP"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, part.Names.Base+".hex.ptx"), []byte(text), 0o666))
	}
	trial := &ptx.Trial{Program: part.Program, Kernels: module.Kernels[0], Module: parse(t, text), Seed: 1}
	compareRuns(t, trial, sizes)
}
