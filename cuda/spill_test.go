package cuda_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestFewSpills has nvcc compile, at the tile sizes chosen for them and for sm_80 and sm_90,
// the kernels of every fourth of the cases that TestCompilersAccept compiles at others, or of all with HEXCC_TESTS=all: no more than
// two values of a thread are spilled, which loads that run ahead are worth.
func TestFewSpills(t *testing.T) {
	nvcc := tool.NVCC(t)
	cases.EachNth(t, 4, 0, func(t *testing.T, base, text string) {
		if !slices.Contains(reported, base) {
			t.Parallel()
			fewSpills(t, nvcc, byDefault(t, base, text))
		}
	})
}

func fewSpills(t *testing.T, nvcc string, tr translation) {
	dir := tr.write(t)
	out := tool.Run(t, nvcc, "-O3", "-Xptxas", "-v", "-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_80,code=sm_90",
		"-c", filepath.Join(dir, cuda.KernelFile(tr.names.Base)), "-o", filepath.Join(dir, "kernel.o"))
	rows := usages(out)
	requireKernels(t, rows, 4, out)
	for _, r := range rows {
		spilled, err := strconv.Atoi(r.spill)
		require.NoError(t, err)
		require.LessOrEqual(t, spilled, 8, "%v", r)
	}
}
