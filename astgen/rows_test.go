package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestSideBySide counts by hand the rows that run side by side, and those they
// touch: three rows of a 3x3 box read five and write three.
func TestSideBySide(t *testing.T) {
	want := map[string][2]int64{
		"jacobi-1d":  {1, 2},
		"jacobi-2d":  {1, 4},
		"star-2d-2":  {1, 6},
		"box-2d":     {3, 5 + 3},
		"life":       {3, 5 + 3},
		"heat-2d":    {3, 5 + 3},
		"heat-3d-27": {3, 3*5 + 3},
	}
	for _, x := range pipeline.All(t) {
		if w, ok := want[x.Name]; ok {
			st := x.Space.Scop.Stmts[0]
			size := int64(x.Space.Scop.Arrays[0].Elem.Size())
			require.Equal(t, w, [2]int64{int64(astgen.SideBySide(x.Space, st)), astgen.RowBytes(x.Space, st) / size}, x.Name)
			delete(want, x.Name)
		}
	}
	require.Empty(t, want)
}
