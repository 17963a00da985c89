package cuda_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/schedule"
)

// TestCoreOfJacobi looks at what nvcc makes of the core of a full tile: between
// its barriers neither label, branch nor predicate, per update fewer than 3
// loads from and one store to shared memory, and 5 operations.
func TestCoreOfJacobi(t *testing.T) {
	nvcc := tool.NVCC(t)
	tile, err := schedule.ParseSizes("h=2,w0=3,w1=32")
	require.NoError(t, err)
	tr := compiled(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), hexcc.Options{NoAlias: true, Tile: tile})
	dir := tr.write(t)
	file := filepath.Join(dir, "k.ptx")
	tool.Run(t, nvcc, "-O3", "-arch=sm_80", "-ptx", filepath.Join(dir, cuda.KernelFile(tr.names.Base)), "-o", file)
	ptx, err := os.ReadFile(file)
	require.NoError(t, err)

	kernels := slices.DeleteFunc(strings.Split(string(ptx), ".entry")[1:], func(k string) bool {
		return strings.Contains(strings.SplitN(k, "(", 2)[0], "_long") // the version with indices of 64 bits has no full tiles
	})
	require.Len(t, kernels, 2)
	for _, k := range kernels {
		var steps []string
		for _, part := range strings.Split(k, "bar.sync") {
			if n := strings.Count(part, "mul.rn.f32"); n > 1 { // rows that one thread computes
				steps = append(steps, part)
			}
		}
		require.Len(t, steps, 6)
		count := func(pattern string) int {
			return len(regexp.MustCompile(pattern).FindAllString(strings.Join(steps, ""), -1))
		}
		require.Zero(t, count(`\bbra\b|@|\bsetp\b|\bselp\b|(?m)^\$\w+:`), "%s", steps)
		require.Zero(t, count(`\bdiv\b|\brem\b`))
		require.Contains(t, k, "0f3E4CCCCD") // 0.2f
		require.Equal(t, 36, count(`mul\.rn\.f32`))
		require.Equal(t, 36*4, count(`add(\.rn)?\.f32`))
		require.Equal(t, 36, count(`st\.shared\.f32`))
		require.Equal(t, 92, count(`ld\.shared\.f32`))
		require.Equal(t, 16, count(`st\.global\.f32`))
	}
}
