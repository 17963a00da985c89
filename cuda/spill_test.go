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
	eachCase(t, func(t *testing.T, path string) {
		if slices.Contains(reported, strings.TrimSuffix(filepath.Base(path), ".txtar")) {
			t.Skip("TestCompilersAccept does so")
		}
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
	})
}
