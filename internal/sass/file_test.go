package sass

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestFile compiles a file in its folder, and once more when what it includes or a flag is another, not else.
func TestFile(t *testing.T) {
	tool.Disassembler(t)
	folder, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	compiler, err := NewCompiler("sm_90", kept)
	require.NoError(t, err)
	file := filepath.Join(folder, "main.cu")
	require.NoError(t, os.WriteFile(file, []byte("#include \"op.h\"\n__global__ void f(float *a, float b) { a[threadIdx.x] = a[threadIdx.x] OP b; }\n"), 0o666))
	operation := func(op string, flags ...string) (found string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "include"), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "include", "op.h"), []byte("#ifndef OP\n#define OP "+op+"\n#endif\n"), 0o666))
		made, err := compiler.File(file, append(flags, "-Iinclude")...)
		require.NoError(t, err)
		use, err := made.Kernel("f")
		require.NoError(t, err)
		require.Positive(t, use.Registers)
		all, err := ParseSymbol(made.Listing, use.Kernel)
		require.NoError(t, err)
		for _, in := range all {
			if in.Class() == FP32 {
				found += in.Op
			}
		}
		return found
	}
	count := func() int {
		all, err := os.ReadDir(kept)
		require.NoError(t, err)
		return len(all)
	}
	require.Equal(t, "FADD", operation("+"))
	require.Equal(t, "FMUL", operation("*"))
	require.Equal(t, "FMUL", operation("+", "-DOP=*"))
	require.Equal(t, 3, count())
	require.Equal(t, "FADD", operation("+"))
	require.Equal(t, 3, count())
	_, err = compiler.File(file, "-DOP=(")
	require.ErrorContains(t, err, "main.cu")
}
