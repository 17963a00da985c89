package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestCases compares every operation that compiling the cases of testdata asks package poly for, on the same operands, with
// isl: in CI those of some of the cases as they are now (HEXCC_TESTS=all: of all), and those on the sets of isl's tests, elsewhere those of the files of
// `make bench-poly` for one operation.
func TestCases(t *testing.T) {
	args := []string{"-python", tool.Python(t), "-compare"}
	if os.Getenv("CI") == "true" {
		path := filepath.Join(t.TempDir(), "operations.txt")
		recorded := "../../testdata/[aew]*.txtar" // some of each kind
		if cases.Every() {
			recorded = "../../testdata/*.txtar"
		}
		status, out := benchPoly(t, "-operations", path, "-record", recorded)
		require.Equal(t, 0, status, out)
		args = append(args, "-operations", path+",testdata/isl.txt")
	} else {
		args = append(args, "-only", "Set.IsSubset")
	}
	status, out := benchPoly(t, args...)
	assert.Equal(t, 0, status, out)
	t.Log(out)
}
