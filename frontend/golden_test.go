package frontend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/golden"
)

// others are the sections that tests of other packages check.
var others = []string{"deps", "space", "cone", "tile", "schedule", "proof", "ast", "gpu", "cuda", "ptx", "opencl", "openmp", "error"}

// TestGolden compares the program of each case with its section scop.
func TestGolden(t *testing.T) {
	for _, glob := range []string{"../testdata/*.txtar", "testdata/*.txtar"} {
		golden.Run(t, glob, others, func(t *testing.T, c *golden.Case) {
			res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: c.Input("input.c")}, frontend.Options{})
			require.NoError(t, err)
			require.Len(t, res.Programs, 1)
			require.NoError(t, res.Programs[0].Verify())
			c.Check("scop", res.Programs[0].String())
		})
	}
}
