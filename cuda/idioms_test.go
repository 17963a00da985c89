package cuda_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// stagedIdioms are those whose kernels use shared memory in this test.
var stagedIdioms = map[string]bool{"swap-rows": true, "rotate-three": true, "flat-index-macro": true}

// TestIdiomsRunOnCPU builds each program of testdata/idioms as it is, at -O0 and
// at -O2, and with its region translated and the kernels run on the CPU: all
// print the same, whatever surrounds the region and follows it. In CI these are every eighth idiom, unless HEXCC_TESTS=all.
func TestIdiomsRunOnCPU(t *testing.T) {
	cases.EachNthIdiom(t, 8, 1, func(t *testing.T, x cases.Idiom) {
		v := global // small text: the host code differs between idioms, the kernels do not
		if stagedIdioms[x.Name] {
			v = staged
		}
		tr := translate(t, x.Name, x.Text, v)
		dir := tr.write(t)
		build := func(name string, args ...string) string {
			return tool.Build(t, "gcc", filepath.Join(dir, name), append([]string{"-Wno-unknown-pragmas", "-I", dir}, args...)...)
		}
		ours := build("ours", "-O1", "-x", "c", filepath.Join(dir, cuda.HostFile(tr.names.Base)), "-x", "none", tr.buildOnCPU(t, dir), "-lstdc++")
		plain, fast := build("plain", "-O0", x.Path), build("fast", "-O2", x.Path)
		for _, args := range x.Runs {
			require.Empty(t, tool.SameOutput(t, plain, fast, args...))
			tool.SameOutput(t, plain, ours, args...)
		}
	})
}

// TestIdiomsCompile compiles what is printed for some idioms with nvcc, without a warning.
func TestIdiomsCompile(t *testing.T) {
	compiler := tool.NVCC(t)
	for _, base := range []string{"rotate-three", "struct-of-pointers", "flat-volume", "array-of-structs", "mixed-structs", "named-constants", "half-mixed", "half-storage"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			tr := translate(t, base, cases.ReadIdiom(t, base).Text, global)
			dir := tr.write(t)
			tool.Run(t, compiler, "-O3", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-arch=sm_80",
				"-c", filepath.Join(dir, cuda.KernelFile(tr.names.Base)), "-o", filepath.Join(dir, "kernel.o"))
		})
	}
}
