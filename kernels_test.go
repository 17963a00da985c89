package hexcc_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestKernelsDocument: the pieces of code in docs/kernels.md are what hexcc prints.
func TestKernelsDocument(t *testing.T) {
	doc, err := os.ReadFile("docs/kernels.md")
	require.NoError(t, err)
	text, err := os.ReadFile("examples/jacobi-2d.c")
	require.NoError(t, err)
	tile, err := hexcc.ParseTile("h=2,w0=3,w1=32")
	require.NoError(t, err)
	res, err := hexcc.Compile(hexcc.Source{Name: "jacobi-2d.c", Text: text}, hexcc.Options{Tile: tile})
	require.NoError(t, err)
	pieces := regexp.MustCompile("(?s)```cuda\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	require.NotEmpty(t, pieces)
	for _, p := range pieces {
		require.True(t, strings.Contains(res.Files.Kernel, p[1]), "not in the kernels of today:\n%s", p[1])
	}
}
