package cuda_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// write puts the files of tr into a new folder and returns it.
func (tr translation) write(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		tr.names.HeaderFile(): tr.files.Header,
		tr.names.HostFile():   tr.files.Host,
		tr.names.KernelFile(): tr.files.Kernel,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// buildOnCPU compiles the kernel file with g++ and returns the object file.
// Without g++ the test is skipped, except in CI, where it fails.
func (tr translation) buildOnCPU(t *testing.T, dir string) string {
	if _, err := exec.LookPath("g++"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("g++ is missing")
		}
		t.Skip("no g++: the printed text is not run on the CPU")
	}
	shim, err := filepath.Abs("shim")
	require.NoError(t, err)
	object := filepath.Join(dir, "kernel.o")
	tool(t, "g++", "-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
		"-fsanitize=bounds,signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error",
		"-I", shim, "-I", dir, "-x", "c++", "-c", filepath.Join(dir, tr.names.KernelFile()), "-o", object)
	return object
}

// tool runs a program that must succeed and say nothing wrong, and returns what it prints.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

// deep are the cases of three and more dimensions, by the names of their files.
var deep = regexp.MustCompile(`-[34]d\b`)

// TestTextRunsOnCPU compiles what is printed, host file and kernels, and the
// original program with the C compiler of the machine, runs both, and compares all
// arrays bit for bit.
func TestTextRunsOnCPU(t *testing.T) {
	eachCase(t, func(t *testing.T, path string) {
		t.Parallel()
		if name := filepath.Base(path); os.Getenv("CI") != "true" && deep.MatchString(name) && name != "heat-3d.txtar" {
			t.Skip("takes long to compile and run: with CI=true only")
		}
		compareOnCPU(t, load(t, path, staged), 6)
	})
	for _, o := range others {
		t.Run(filepath.Base(o.path)+"/"+o.name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, o.path, o.variant), 3)
		})
	}
}

// TestSpaceOnlyRunsOnCPU does so with tiles of space alone, of one nest and of several.
func TestSpaceOnlyRunsOnCPU(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "em-2d", "fdtd-2d", "diffusion-2d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, "../testdata/"+name+".txtar", variant{name: "space", spaceOnly: true}), 6)
		})
	}
}

// compareOnCPU runs tr and its original at several sizes.
func compareOnCPU(t *testing.T, tr translation, sizes int) {
	dir := tr.write(t)
	translated := *tr.scop
	translated.Source = []byte(tr.files.Host)
	ours := oracle.CompileC(t, &translated, "-I", dir, tr.buildOnCPU(t, dir), "-lstdc++")
	original := oracle.CompileC(t, tr.scop)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range sizes {
		params := oracle.RandomParams(tr.scop, rng, i)
		mem, err := scop.NewMemory(tr.scop, params, uint64(i))
		require.NoError(t, err)
		want, got := original.Run(t, mem), ours.Run(t, mem)
		diff := want.Compare(got)
		require.Zero(t, diff.Differ, "%s: %d of %d elements differ; first %s: want %s, got %s",
			mem.Sizes(), diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
	}
}
