package hexcc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestExamplesBuild builds the examples as their users do, with make and with CMake, the kernels on the
// CPU: the programs print what the original prints, and are built again when a header changes that the source
// includes, and only then.
func TestExamplesBuild(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("examples")))
	source := filepath.Join(dir, "jacobi-2d.c")
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	header := filepath.Join(dir, "extra.h")
	require.NoError(t, os.WriteFile(header, []byte("/* nothing */\n"), 0o666))
	require.NoError(t, os.WriteFile(source, append([]byte("#include \"extra.h\"\n"), text...), 0o666))
	hexcc := filepath.Join(dir, "hexcc")
	tool(t, "", "go", "build", "-o", hexcc, "./cmd/hexcc")
	tool(t, dir, "gcc", "-O2", "-ffp-contract=off", "-w", source, "-o", "original")
	want := tool(t, dir, "./original", "70", "20")

	for name, way := range map[string]struct {
		first, build func() string
		program      string
	}{
		"make": {
			first:   func() string { return "" },
			build:   func() string { return tool(t, dir, "make", "SHIM=1", "HEXCC="+hexcc) },
			program: "./jacobi-2d",
		},
		"cmake": {
			first: func() string {
				return tool(t, dir, cmake(t), "-S", ".", "-B", "build", "-DHEXCC="+hexcc, "-DHEXCC_SHIM=ON")
			},
			build:   func() string { return tool(t, dir, cmake(t), "--build", "build") },
			program: "./build/jacobi-2d",
		},
	} {
		t.Run(name, func(t *testing.T) {
			way.first()
			way.build()
			require.Equal(t, want, tool(t, dir, way.program, "70", "20"))
			require.NotContains(t, way.build(), "hexcc ", "nothing has changed")
			later := time.Now().Add(2 * time.Second)
			require.NoError(t, os.Chtimes(header, later, later))
			require.Contains(t, way.build(), "hexcc ")
		})
	}
	require.Contains(t, tool(t, dir, "make", "SHIM=1", "HEXCC="+hexcc, "check"), "\nall equal\n")
}

// cmake returns the path of CMake: $HEXCC_CMAKE, or the one on PATH. Without one the
// test is skipped, except in CI, where it fails.
func cmake(t *testing.T) string {
	if path := os.Getenv("HEXCC_CMAKE"); path != "" {
		return path
	}
	path, err := exec.LookPath("cmake")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("cmake is missing: .ci/run installs it")
		}
		t.Skip("no cmake on PATH or in HEXCC_CMAKE")
	}
	return path
}

// tool runs a program in a folder, which must succeed, and returns what it prints.
func tool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, strings.Join(args, " "), out)
	return string(out)
}
