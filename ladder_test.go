package hexcc_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ladder is the order of the packages: each may import those on rungs below its
// own, and none on its own rung or above. ARCHITECTURE.md draws it.
var ladder = [][]string{
	{"affine", "diag", "machine", "ptx/asm", "tune", "internal/cases", "internal/ccline", "internal/gallery", "internal/heavy", "internal/listing", "internal/nvcc", "internal/parallel", "internal/programs"},
	{"poly", "profile"},
	{"scop", "internal/tool", "schedule/tree"},
	{"frontend", "schedule", "internal/browser", "astgen/scan"},
	{"astgen", "astgen/mapped", "rewrite", "internal/schedules"},
	{"ctext", "gpu", "gpu/pointset", "cpu"},
	{"ranks"},
	{"mpitext"},
	{"gpu/lower", "gpu/proof", "gpu/stream", "gpu/beat", "openmp", "crun"},
	{"kerneltext", "internal/pipeline", "mpirun"},
	{"cuda", "opencl", "ptx", "emulate", "symbolic"},
	{"model", "opencl/device", "internal/sass"},
	{"report", "calc"},
	{"."}, // the root package hexcc
	{"tune/stencil", "profile/advice", "lsp"},
	{"cmd/hexcc", "bench", "bench/choice", "bench/cpu", "bench/gallery", "bench/gpu", "bench/gpu/testrun", "bench/kernels", "bench/poly", "bench/ptx", "bench/ready", "bench/sass", "bench/scan", "bench/suites", "internal/golden", "internal/oracle", "internal/randc", "internal/testlog", "internal/whole", "internal/written", "packaging/site"},
}

const module = "github.com/hexcc/hexcc"

// TestLadder checks that every package is on the ladder and imports downwards
// only. Tests are free, being at the top of everything.
func TestLadder(t *testing.T) {
	rung := map[string]int{}
	for i, names := range ladder {
		for _, name := range names {
			rung[name] = i
		}
	}
	for dir, imports := range packages(t) {
		mine, known := rung[dir]
		require.True(t, known, "package %s is not on the ladder", dir)
		for _, path := range imports {
			rel, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			rel = strings.TrimPrefix(rel, "/")
			if rel == "" {
				rel = "."
			}
			require.Less(t, rung[rel], mine, "%s imports %s, which is not below it", dir, path)
		}
	}
}

// packages returns the imports of each folder with Go files, tests left out.
func packages(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name != "." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		found[dir] = append(found[dir], importPaths(file.Imports)...)
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

func importPaths(specs []*ast.ImportSpec) []string {
	paths := make([]string, len(specs))
	for i, spec := range specs {
		paths[i], _ = strconv.Unquote(spec.Path.Value)
	}
	return paths
}

// TestPolyAlone: who uses poly compiles nothing but it, affine and the standard library.
func TestPolyAlone(t *testing.T) {
	imports := packages(t)
	for _, dir := range []string{"poly", "affine"} {
		for _, path := range imports[dir] {
			first, _, _ := strings.Cut(path, "/")
			require.True(t, path == module+"/affine" || !strings.Contains(first, "."), "%s imports %s", dir, path)
		}
	}
}
