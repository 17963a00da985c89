package opencl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
)

// checked builds the program of --check for C text; change edits the file that runs the kernels.
func checked(t *testing.T, base, text string, change func(string) string) (program string) {
	needDevice(t)
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)},
		hexcc.Options{NoAlias: true, Base: base, Check: true, Target: hexcc.OpenCL})
	require.NoError(t, err)
	tr := translation{scop: res.Scop, files: res.OpenCL}
	tr.names.Base = base
	tr.files.Run = change(tr.files.Run)
	dir := tr.write(t)
	source := filepath.Join(dir, ctext.CheckFile(base))
	require.NoError(t, os.WriteFile(source, []byte(res.Check), 0o666))
	program = filepath.Join(dir, "check")
	tool(t, "gcc", "-std=gnu11", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function",
		"-I", dir, source, tr.object(t, dir), "-lOpenCL", "-lm", "-o", program)
	return program
}

// TestCheck runs the programs of --check: what is equal is told so, a kernel with a wrong constant is found
// out, and where there is no device the program says so. Arrays of the program and two regions are compared, too.
func TestCheck(t *testing.T) {
	same := func(text string) string { return text }
	text := input(t, "../testdata/jacobi-1d.txtar")
	program := checked(t, "jacobi-1d", text, same)
	out, errs, status := output(t, program, nil)
	require.Zero(t, status, out+errs)
	require.Greater(t, strings.Count(out, " elements equal; original "), 4)
	require.Contains(t, out, "\nall equal\n")
	out, errs, status = output(t, program, nil, "n=100", "T=12")
	require.Zero(t, status, errs)
	require.Equal(t, 1, strings.Count(out, "T=12 n=100: 200 elements equal"))

	_, errs, status = output(t, program, []string{"OCL_ICD_VENDORS=/nowhere"})
	require.Equal(t, 2, status)
	require.Contains(t, errs, "there is no OpenCL device")

	out, errs, status = output(t, checked(t, "jacobi-1d", text, func(text string) string {
		require.Contains(t, text, "0.33333f")
		return strings.ReplaceAll(text, "0.33333f", "0.33334f")
	}), nil)
	require.Equal(t, 1, status, errs)
	require.Contains(t, out, " elements DIFFER\n")
	require.NotContains(t, out, "all equal")

	out, errs, status = output(t, checked(t, "several", several, same), nil)
	require.Zero(t, status, errs)
	require.Contains(t, out, "heat: T=")
	require.Contains(t, out, "other: T=")
	require.Contains(t, out, "all equal\n")
}
