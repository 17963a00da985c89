package opencl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// TestSizes calls functions with sizes that no memory has, with the first call of OpenCL failing: what is wrong is found before.
func TestSizes(t *testing.T) {
	program := translationOf("sizes", whole.Compile(t, "sizes", cases.Sizes, hexcc.Options{Target: hexcc.OpenCL, NoAlias: true, Strategy: hexcc.Hybrid})).drive(t, cases.SizesMain())[0]
	out, errs, status := tool.OutputWith(t, []string{"FAKE_FAIL=1"}, program)
	require.Zero(t, status, errs)
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		require.Regexp(t, `^\S*sizes.hex_kernel.c:\d+`+cases.SizeTrials[i].Says+`CL_INVALID_VALUE`, line, cases.SizeTrials[i].Call)
	}
}
