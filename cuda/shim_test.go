package cuda_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// write puts the files of tr into a new folder and returns it.
func (tr translation) write(t *testing.T) string {
	return whole.Write(t, tr.files.Named(tr.names.Base)...)
}

// buildOnCPU compiles the kernel file, which is in dir, and returns the object file: with clang without optimization where HEXCC_CLANG
// names one, which takes three fifths of the time that g++ takes, or with g++, always with HEXCC_TESTS=all. Text that was compiled
// before is not compiled again. Without g++ the test is skipped, except in CI, where it fails.
func (tr translation) buildOnCPU(t *testing.T, dir string) string {
	t.Helper()
	tool.CXX(t)
	name := sha256.Sum256([]byte(tr.files.Kernel + tr.files.Header))
	made, _ := objects.LoadOrStore(name, &sync.Once{})
	object := filepath.Join(scratch, hex.EncodeToString(name[:])+".o")
	made.(*sync.Once).Do(func() {
		compiler, args := "g++", slices.Concat(cxxFlags, []string{"-O1"})
		if !cases.Every() {
			compiler, args = quick()
			args = append(args, "-include", precompiled(t)) // half the time
		}
		tool.Run(t, compiler, slices.Concat(args, []string{"-I", shimDir(t), "-I", dir, "-x", "c++", "-c",
			filepath.Join(dir, cuda.KernelFile(tr.names.Base)), "-o", object})...)
	})
	return object
}

// cxxFlags are the flags for the text of kernels, which stops where it leaves an array or overflows.
var cxxFlags = []string{"-std=c++17", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
	"-fsanitize=bounds,signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error"}

// quick returns the compiler that takes least time without optimization, and its flags.
func quick() (compiler string, flags []string) {
	flags = append(slices.Clone(cxxFlags), "-O0")
	if clang := os.Getenv("HEXCC_CLANG"); clang != "" { // which warns of what it includes from the library of g++, and of times at which no nest has a step
		return clang, append(flags, "-Wno-deprecated-declarations", "-Wno-tautological-overlap-compare")
	}
	return "g++", flags
}

func shimDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("shim")
	require.NoError(t, err)
	return dir
}

// precompiled returns a header that includes that of the shim, and is compiled already.
func precompiled(t *testing.T) string {
	t.Helper()
	header := filepath.Join(scratch, "shim.h")
	precompile.Do(func() {
		require.NoError(t, os.WriteFile(header, []byte("#include <cuda_runtime.h>\n"), 0o666))
		compiler, flags := quick()
		tool.Run(t, compiler, slices.Concat(flags, []string{"-I", shimDir(t), "-x", "c++-header", header, "-o", header + ".gch"})...)
	})
	return header
}

var (
	scratch    string   // a folder that lasts as long as the tests of the package
	objects    sync.Map // *sync.Once by the text that is compiled in it
	precompile sync.Once
)

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "hexcc-cuda-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// TestTextRunsOnCPU compiles what is printed, host file and kernels, and the
// original program with the C compiler of the machine, runs both, and compares all
// arrays bit for bit: of every sixth case in CI, of each with HEXCC_TESTS=all.
func TestTextRunsOnCPU(t *testing.T) {
	cases.EachNth(t, 6, 0, func(t *testing.T, base, text string) {
		t.Parallel()
		compareOnCPU(t, translate(t, base, text, staged), 6)
	})
	for i, o := range others {
		if !cases.Due(i, cases.Rounds) || (o.base == "fdtd-2d" || o.base == "heat-3d") && !cases.Whole() {
			continue // each way remains
		}
		t.Run(o.base+"/"+o.Name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, o.base, o.variant), 3)
		})
	}
}

// TestSpaceOnlyRunsOnCPU does so with tiles of space alone, and with loops that are not tiled, of one nest and of several.
func TestSpaceOnlyRunsOnCPU(t *testing.T) {
	for _, v := range []pipeline.Variant{pipeline.SpaceOnly, pipeline.Untiled} {
		for _, name := range []string{"jacobi-1d", "em-2d", "fdtd-2d", "diffusion-2d", "heat-3d"} {
			t.Run(name+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				compareOnCPU(t, load(t, name, variant{Variant: v}), 6)
			})
		}
	}
}

// compareOnCPU runs tr and its original at several sizes.
func compareOnCPU(t *testing.T, tr translation, sizes int) {
	dir := tr.write(t)
	translated := *tr.scop
	translated.Source = []byte(tr.files.Host)
	ours := oracle.CompileC(t, &translated, "-I", dir, tr.buildOnCPU(t, dir), "-lstdc++")
	for _, x := range oracle.Trials(t, tr.scop, sizes) {
		x.Check(t, tr.names.Base, ours.Run(t, x.Before))
	}
}
