package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestExamplesBuild builds the examples as their users do, with make and with CMake, the kernels on the
// CPU: the programs print what the original prints, and are built again when a header changes that the source
// includes, and only then.
func TestExamplesBuild(t *testing.T) {
	tool.CXX(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples")))
	source := filepath.Join(dir, "jacobi-2d.c")
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	header := filepath.Join(dir, "extra.h")
	require.NoError(t, os.WriteFile(header, []byte("/* nothing */\n"), 0o666))
	require.NoError(t, os.WriteFile(source, append([]byte("#include \"extra.h\"\n"), text...), 0o666))
	hexcc := command(t)
	tool.RunIn(t, dir, "gcc", "-O2", "-ffp-contract=off", "-w", source, "-o", "original")
	want := tool.RunIn(t, dir, "./original", "70", "20")

	for name, way := range map[string]struct {
		first, build func(t *testing.T) string
		program      string
	}{
		"make": {
			first:   func(t *testing.T) string { return "" },
			build:   func(t *testing.T) string { return tool.RunIn(t, dir, "make", "SHIM=1", "HEXCC="+hexcc) },
			program: "./jacobi-2d",
		},
		"cmake": {
			first: func(t *testing.T) string {
				return tool.RunIn(t, dir, tool.CMake(t), "-S", ".", "-B", "build", "-DHEXCC="+hexcc, "-DHEXCC_SHIM=ON")
			},
			build:   func(t *testing.T) string { return tool.RunIn(t, dir, tool.CMake(t), "--build", "build") },
			program: "./build/jacobi-2d",
		},
	} {
		t.Run(name, func(t *testing.T) {
			earlier := time.Now().Add(-time.Hour) // the other way may have made it newer than what is built here
			require.NoError(t, os.Chtimes(header, earlier, earlier))
			way.first(t)
			way.build(t)
			require.Equal(t, want, tool.RunIn(t, dir, way.program, "70", "20"))
			require.NotContains(t, way.build(t), "hexcc ", "nothing has changed")
			later := time.Now().Add(2 * time.Second)
			require.NoError(t, os.Chtimes(header, later, later))
			require.Contains(t, way.build(t), "hexcc ")
		})
	}
	require.Contains(t, tool.RunIn(t, dir, "make", "SHIM=1", "HEXCC="+hexcc, "check"), "\nall equal\n")
}
