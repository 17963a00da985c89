package ptx_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/oracle"
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

// compareRuns runs the kernels and the original, compiled by the C compiler, at
// several sizes, and compares all arrays bit for bit.
func compareRuns(t *testing.T, trial *ptx.Trial, original *oracle.Binary, sizes int) {
	t.Helper()
	p := trial.Program.Scop
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range sizes {
		mem, err := scop.NewMemory(p, oracle.RandomParams(p, rng, i), uint64(i))
		require.NoError(t, err)
		want, got := original.Run(t, mem), mem.Clone()
		var dead []*scop.Array
		for _, a := range p.Arrays {
			transfer := trial.Program.Transfer(a)
			if !transfer.In { // the device has something else there
				got.Scramble(a, uint64(i)+1)
			}
			if !transfer.Out && !a.Const {
				dead = append(dead, a)
			}
		}
		require.NoError(t, trial.Run(got), mem.Sizes())
		diff := want.Compare(got, dead...)
		require.Zero(t, diff.Differ, "%s: %d of %d elements differ; first %s: want %s, got %s",
			mem.Sizes(), diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
	}
}

// TestTextRuns runs the PTX of every case, instruction by instruction, and
// compares all arrays with those of the original program, compiled by the C
// compiler of the machine, bit for bit.
func TestTextRuns(t *testing.T) {
	tools := llvm(t, "sm_80")
	eachCase(t, func(t *testing.T, path string) {
		t.Parallel()
		base, text := input(t, path)
		checkText(t, tools, mapped(t, base, text, staged), sizesOf(base))
	})
	for _, o := range []struct {
		base string
		variant
	}{{"jacobi-2d", global}, {"fdtd-2d", global}, {"jacobi-2d", large}, {"fdtd-2d", large}, {"em-2d", spaceOnly}, {"gradient-2d", by2}} {
		t.Run(o.base+"/"+o.name, func(t *testing.T) {
			t.Parallel()
			base, text := input(t, filepath.Join("../testdata", o.base+".txtar"))
			checkText(t, tools, mapped(t, base, text, o.variant), 3)
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
	compareRuns(t, trial, oracle.CompileC(t, part.Program.Scop), sizes)
}
