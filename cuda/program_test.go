package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
)

// wanted are pieces of the kernel files of programs.
var wanted = map[string][]string{
	"conversions":  {"p = __fmul_rn(", "sqrt((double)(", "1e-3", " << 2", "-p - -x"},
	"names-of-c++": {"template_", "class_", "this_"},
	"unsigned":     {"(unsigned int)", "const long n = (long)n_arg;", "long S0_from"},
	"constants":    {"__fmul_rn(.25f, ", ", 0.25f)", " / 3.f", "A[((i0) * 40 + (i1)) * 43 + (i2)]"},
}

// TestPrograms runs programs that try what the cases do not, and compares them with the original.
func TestPrograms(t *testing.T) {
	for i, p := range cases.Programs {
		if i%2 > 0 && !cases.Whole() {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			tr := translate(t, p.Name, p.Text, staged)
			for _, want := range wanted[p.Name] {
				require.Contains(t, tr.files.Kernel, want)
			}
			compareOnCPU(t, tr, 4)
		})
	}
}

// TestLargeTiles checks that large tiles ask for shared memory at launch.
func TestLargeTiles(t *testing.T) {
	kernel := load(t, "fdtd-2d", large).files.Kernel
	require.Contains(t, kernel, "cudaFuncAttributeMaxDynamicSharedMemorySize")
	require.Contains(t, kernel, "(hexcc_shared + 0)")
	require.NotContains(t, kernel, "__shared__ double")
}
