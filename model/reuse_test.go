package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
)

// TestRowsOf counts by hand the rows that a statement touches: three rows of a 3x3 box read five and write three.
func TestRowsOf(t *testing.T) {
	for name, want := range map[string]int{
		"jacobi-1d": 2, "jacobi-2d": 3 + 1, "star-2d-2": 5 + 1, "box-2d": 5 + 3, "heat-2d": 5 + 3, "laplacian-3d": 5 + 1, "heat-3d-27": 3*5 + 3,
	} {
		c := pipeline.Case(t, name).Space
		require.Len(t, rowsOf(c, c.Scop.Stmts[0]), want, name)
	}
}

// TestReuse counts by hand what is touched between two reads of an element, and what is read
// again where the first level does not hold that.
func TestReuse(t *testing.T) {
	size := func(name string) float64 {
		return float64(pipeline.Case(t, name).Space.Scop.Arrays[0].Elem.Size())
	}
	rows := func(name string) []row {
		c := pipeline.Case(t, name).Space
		return rowsOf(c, c.Scop.Stmts[0])
	}
	star, widths := rows("jacobi-2d"), []float64{30, 100}
	require.Equal(t, 4*100*size("jacobi-2d"), reuses(star)[0].swept(0, widths))
	require.Equal(t, 2*size("jacobi-2d"), again(star, 0)) // of three rows one is new
	box := rows("heat-2d")
	require.Equal(t, 8*100*size("heat-2d"), reuses(box)[0].swept(0, widths))
	require.InDelta(t, 2.0/3*size("heat-2d"), again(box, 0), 1e-12) // of five rows three are new, for three points

	star, widths = rows("laplacian-3d"), []float64{30, 4, 100}
	bytes := size("laplacian-3d")
	require.Equal(t, 6*100*bytes, reuses(star)[1].swept(1, widths))
	require.Equal(t, ((4+2)+4+4+4)*100*bytes, reuses(star)[0].swept(0, widths)) // its own plane with a row on each side, two others, and what is stored
	require.Equal(t, 2*bytes, again(star, 1))                                   // of its own plane
	require.Equal(t, 2*bytes, again(star, 0))
}

// TestReread shrinks the first level under twice what planes, then rows, need, where the first of them are evicted, and under what they need, where all are.
func TestReread(t *testing.T) {
	x := pipeline.Case(t, "laplacian-3d")
	c := x.Space
	bytes := float64(c.Scop.Arrays[0].Elem.Size())
	grid, err := NewGrid(c, nil)
	require.NoError(t, err)
	tile := cacheTile{cpu: Caches{machine.AnyCPU}, c: c, cone: x.Cone, grid: grid, reuses: [][]reuse{reuses(rowsOf(c, c.Scop.Stmts[0]))}}
	tile.sizes.W = []int64{30, 4, 64}
	row := int64(64 * bytes)
	for rows, want := range map[int64]float64{36: 0, 24: 1, 18: 2, 12: 2, 8: 3, 6: 4, 5: 4} {
		tile.cpu.First = rows * row
		require.InDelta(t, want, tile.reread(), 1e-9, rows)
	}
}
