package opencl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// checked builds the program of --check for C text; change edits the file that runs the kernels.
func checked(t *testing.T, base, text string, change func(string) string) (program string) {
	needDevice(t)
	res := whole.Compile(t, base, text, hexcc.Options{NoAlias: true, Check: true, Target: hexcc.OpenCL})
	tr := translationOf(base, res)
	tr.files.Run = change(tr.files.Run)
	dir := tr.write(t)
	source := filepath.Join(dir, ctext.CheckFile(base))
	require.NoError(t, os.WriteFile(source, []byte(res.Check), 0o666))
	return tool.Build(t, "gcc", filepath.Join(dir, "check"), "-O1", "-Wno-unknown-pragmas", "-Wno-unused-function", "-I", dir,
		source, tr.object(t, dir), "-lOpenCL")
}

// TestCheck runs the programs of --check: what is equal is told so, a kernel with a wrong constant is found
// out, and where there is no device the program says so. Arrays of the program and two regions are compared, too.
func TestCheck(t *testing.T) {
	same := func(text string) string { return text }
	text := cases.Input(t, "jacobi-1d")
	program := checked(t, "jacobi-1d", text, same)
	out, errs, status := tool.Output(t, program)
	require.Zero(t, status, out+errs)
	require.Greater(t, strings.Count(out, " elements equal; original "), 4)
	require.Contains(t, out, "\nall equal\n")
	out, errs, status = tool.Output(t, program, "n=100", "T=12")
	require.Zero(t, status, errs)
	require.Equal(t, 1, strings.Count(out, "T=12 n=100: 200 elements equal"))

	_, errs, status = tool.OutputWith(t, []string{"OCL_ICD_VENDORS=/nowhere"}, program)
	require.Equal(t, 2, status)
	require.Contains(t, errs, "there is no OpenCL device")

	out, errs, status = tool.Output(t, checked(t, "jacobi-1d", text, func(text string) string {
		require.Contains(t, text, "0.33333f")
		return strings.ReplaceAll(text, "0.33333f", "0.33334f")
	}))
	require.Equal(t, 1, status, errs)
	require.Contains(t, out, " elements DIFFER\n")
	require.NotContains(t, out, "all equal")

	out, errs, status = tool.Output(t, checked(t, "several", cases.Functions, same))
	require.Zero(t, status, errs)
	require.Contains(t, out, "heat: T=")
	require.Contains(t, out, "other: T=")
	require.Contains(t, out, "all equal\n")
}
