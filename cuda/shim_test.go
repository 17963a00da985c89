package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// buildOnCPU compiles the kernel file with g++ and returns the object file.
// Without g++ the test is skipped, except in CI, where it fails.
func (tr translation) buildOnCPU(t *testing.T, dir string) string {
	if _, err := exec.LookPath("g++"); err != nil {
		tool.Missing(t, "no g++: the printed text is not run on the CPU")
	}
	shim, err := filepath.Abs("shim")
	require.NoError(t, err)
	object := filepath.Join(dir, "kernel.o")
	tool.Run(t, "g++", "-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
		"-fsanitize=bounds,signed-integer-overflow,shift", "-fsanitize-undefined-trap-on-error",
		"-I", shim, "-I", dir, "-x", "c++", "-c", filepath.Join(dir, cuda.KernelFile(tr.names.Base)), "-o", object)
	return object
}

// deep are the cases of three and more dimensions, by their names.
var deep = regexp.MustCompile(`-[34]d\b`)

// TestTextRunsOnCPU compiles what is printed, host file and kernels, and the
// original program with the C compiler of the machine, runs both, and compares all
// arrays bit for bit.
func TestTextRunsOnCPU(t *testing.T) {
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		if os.Getenv("CI") != "true" && deep.MatchString(base) && base != "heat-3d" {
			t.Skip("takes long to compile and run: with CI=true only")
		}
		compareOnCPU(t, translate(t, base, text, staged), 6)
	})
	for _, o := range others {
		t.Run(o.base+"/"+o.Name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, o.base, o.variant), 3)
		})
	}
}

// TestSpaceOnlyRunsOnCPU does so with tiles of space alone, of one nest and of several.
func TestSpaceOnlyRunsOnCPU(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "em-2d", "fdtd-2d", "diffusion-2d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, name, variant{Variant: pipeline.SpaceOnly}), 6)
		})
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
