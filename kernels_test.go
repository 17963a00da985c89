package hexcc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/schedule"
)

// TestKernelsDocument: the pieces of code in docs/kernels.md are what hexcc prints, for sm_80 or what their fence says.
func TestKernelsDocument(t *testing.T) {
	doc, err := os.ReadFile("docs/kernels.md")
	require.NoError(t, err)
	pieces := regexp.MustCompile("(?s)```cuda ?(\\w*)\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	require.NotEmpty(t, pieces)
	fronts := 0
	for _, p := range pieces {
		file, sizes, arch := "examples/jacobi-2d.c", "h=2,w0=3,w1=32", p[1]
		if arch == "fronts" { // of loops that carry dependences
			fronts++
			file, sizes, arch = "testdata/wavefront/seidel-2d.c", "h=3,w0=16,w1=64", ""
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		tile, err := schedule.ParseSizes(sizes)
		require.NoError(t, err)
		res, err := hexcc.Compile(hexcc.Source{Name: filepath.Base(file), Text: text}, hexcc.Options{Tile: tile, Arch: arch})
		require.NoError(t, err)
		require.True(t, strings.Contains(res.Files.Kernel, p[2]), "not in the kernels of today:\n%s", p[2])
	}
	require.NotZero(t, fronts)
}

// TestOutputDocument keeps docs/output up to date (-update rewrites it): the files
// are what hexcc writes, and docs/output.md quotes them.
func TestOutputDocument(t *testing.T) {
	text, err := os.ReadFile("examples/jacobi-2d.c")
	require.NoError(t, err)
	tile, err := schedule.ParseSizes("h=1,w0=2,w1=32")
	require.NoError(t, err)
	res, err := hexcc.Compile(hexcc.Source{Name: "examples/jacobi-2d.c", Text: text}, hexcc.Options{Tile: tile, Base: "jacobi-2d"})
	require.NoError(t, err)
	for name, got := range map[string]string{
		"jacobi-2d.hex.h": res.Files.Header, "jacobi-2d.hex_host.cu": res.Files.Host, "jacobi-2d.hex_kernel.cu": res.Files.Kernel,
	} {
		path := filepath.Join("docs", "output", name)
		if *golden.Update {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(want) == got, "%s is stale: make gallery", path)
	}
	doc, err := os.ReadFile("docs/output.md")
	require.NoError(t, err)
	pieces := regexp.MustCompile("(?s)```cuda\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	require.NotEmpty(t, pieces)
	for _, p := range pieces {
		require.True(t, strings.Contains(res.Files.Kernel, p[1]), "docs/output.md: not in the kernels of today:\n%s", p[1])
	}
}
