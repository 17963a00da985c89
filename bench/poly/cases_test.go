package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCases compares every operation that compiling the cases of testdata asks package poly for, on the same operands, with
// isl: in CI those of all cases as they are now, elsewhere those of the file of `make bench-poly` for one operation.
func TestCases(t *testing.T) {
	python := os.Getenv("HEXCC_PYTHON")
	if python == "" {
		python = "python3"
	}
	args := []string{"-python", python, "-runs", "1", "-compare", "-slow", "0"}
	if exec.Command(python, "-c", "import islpy").Run() != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s has no islpy", python)
		}
		t.Skipf("%s has no islpy", python)
	}
	if os.Getenv("CI") == "true" {
		path := filepath.Join(t.TempDir(), "operations.txt")
		status, out := benchPoly(t, "-operations", path, "-record", "../../testdata/*.txtar")
		require.Equal(t, 0, status, out)
		args = append(args, "-operations", path)
	} else {
		args = append(args, "-only", "Set.IsSubset")
	}
	status, out := benchPoly(t, args...)
	assert.Equal(t, 0, status, out)
	t.Log(out)
}
