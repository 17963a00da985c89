package ptx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
)

// TestCheck runs the program of --check against a driver that runs the PTX.
func TestCheck(t *testing.T) {
	res, err := hexcc.Compile(hexcc.Source{Name: "fail.c", Text: []byte(failing)}, hexcc.Options{Check: true, Target: hexcc.PTX, LLC: llvm(t, "sm_80").LLC})
	require.NoError(t, err)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{ctext.CheckFile("fail"): res.Check, "fail.hex_kernel.c": res.PTX.Loader, "fail.hex.h": res.PTX.Header} {
		require.NoError(t, os.WriteFile(path(name), []byte(text), 0o666))
	}
	tool(t, "gcc", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function", "-I", dir,
		path(ctext.CheckFile("fail")), path("fail.hex_kernel.c"), driverObject(t), "-o", path("check"), "-lm")
	out, errs, status, g := runProgram(t, path("check"), nil, "T=5", "n=200")
	require.Zero(t, status, errs)
	require.Empty(t, g.faults)
	require.Contains(t, out, "f: T=5 n=200: 400 elements equal")
	require.Contains(t, out, "all equal")
}
