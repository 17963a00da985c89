package cuda_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/schedule"
)

// TestMostRegisters: nvcc keeps the bound on registers that is asked for, in kernels that take more without it.
func TestMostRegisters(t *testing.T) {
	compiler := tool.NVCC(t)
	most := func(registers int) (n int) {
		o := hexcc.Options{Arch: "sm_90", Tile: &schedule.Sizes{H: 2, W: []int64{6, 32}}, Kernel: hexcc.Tiles, Strategy: hexcc.Hybrid, Base: "k"}
		o.Registers = registers
		res, err := hexcc.Compile(hexcc.Source{Name: "k.c", Text: hexcc.Example}, o)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "k.cu")
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), "k.hex.h"), []byte(res.Files.Header), 0o666))
		require.NoError(t, os.WriteFile(file, []byte(res.Files.Kernel), 0o666))
		_, used, err := nvcc.Cubin(compiler, file, "sm_90")
		require.NoError(t, err)
		for _, u := range used {
			n = max(n, u.Registers)
		}
		return n
	}
	require.Greater(t, most(0), 40)
	require.LessOrEqual(t, most(40), 40)

	o := hexcc.Options{Arch: "sm_90", Kernel: hexcc.Streaming}
	o.Registers = 200
	res, err := hexcc.Compile(hexcc.Source{Name: "k.c", Text: hexcc.Example}, o)
	require.NoError(t, err)
	require.Contains(t, res.Files.Kernel, "__maxnreg__(200)")
	require.NotContains(t, res.Files.Kernel, "__launch_bounds__")
}
