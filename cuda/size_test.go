package cuda_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestSizes calls functions with sizes that no memory has, with every call of the CUDA runtime failing: what is wrong is
// found before any, and said with its numbers.
func TestSizes(t *testing.T) {
	program := compiled(t, "sizes", cases.Sizes, hexcc.Options{NoAlias: true, Strategy: hexcc.Hybrid}).drive(t, cases.SizesMain())
	out, errs, status := tool.OutputWith(t, []string{"SHIM_NO_DEVICE=1"}, program)
	require.Zero(t, status, errs)
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		require.Regexp(t, `^\S*sizes.hex_kernel.cu:\d+`+cases.SizeTrials[i].Says, line, cases.SizeTrials[i].Call)
	}
}
