package ptx_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
)

// TestCheck runs the program of --check against a driver that runs the PTX.
func TestCheck(t *testing.T) {
	res := whole.Compile(t, "fail", cases.Failing, hexcc.Options{Check: true, Target: hexcc.PTX, LLC: llvm(t, "sm_80").LLC})
	dir := whole.Write(t, append(res.PTX.Named("fail"), ctext.File{Name: ctext.CheckFile("fail"), Text: res.Check})...)
	path := func(name string) string { return filepath.Join(dir, name) }
	program := tool.Build(t, "gcc", path("check"), "-O1", "-Wno-unknown-pragmas", "-Wno-unused-function", "-I", dir,
		path(ctext.CheckFile("fail")), path(ptx.LoaderFile("fail")), driverObject(t))
	out, errs, status, g := runProgram(t, program, nil, "T=5", "n=200")
	require.Zero(t, status, errs)
	require.Empty(t, g.faults)
	require.Contains(t, out, "f: T=5 n=200: 400 elements equal")
	require.Contains(t, out, "all equal")
}
