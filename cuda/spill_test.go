package cuda_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoSpills has nvcc compile, at the tile sizes chosen for them and for sm_80 and sm_90,
// the kernels of the cases that TestCompilersAccept compiles at others: no register is spilled.
func TestNoSpills(t *testing.T) {
	nvcc := nvcc(t)
	paths, err := filepath.Glob("../testdata/*.txtar")
	require.NoError(t, err)
	paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(reported, caseName(path)) })
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(caseName(path), func(t *testing.T) { noSpills(t, nvcc, path) })
	}
}

// caseName returns the name of a case by its path.
func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

func noSpills(t *testing.T, nvcc, path string) {
	t.Parallel()
	tr := byDefault(t, path)
	dir := tr.write(t)
	out := tool(t, nvcc, "-O3", "-Xptxas", "-v", "-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_80,code=sm_90",
		"-c", filepath.Join(dir, tr.names.KernelFile()), "-o", filepath.Join(dir, "kernel.o"))
	rows := usages(out)
	require.Len(t, rows, 4)
	for _, r := range rows {
		require.Equal(t, "0", r.spill, "%v", r)
	}
}
