package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestSideBySide: rows of boxes run three at a time, those of stars one by one.
func TestSideBySide(t *testing.T) {
	want := map[string]int{"jacobi-1d": 1, "jacobi-2d": 1, "star-2d-2": 1, "box-2d": 3, "life": 3, "heat-2d": 3, "heat-3d-27": 3}
	for _, x := range pipeline.All(t) {
		if w, ok := want[x.Name]; ok {
			require.Equal(t, w, cpu.SideBySide(x.Space, x.Space.Scop.Stmts[0]), x.Name)
			delete(want, x.Name)
		}
	}
	require.Empty(t, want)
}
