package ranks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestTester: of what a wall reads one rank owns all, by rows, and in a grid by columns; or no rank could test it.
func TestTester(t *testing.T) {
	solid, frame, table := &scop.Array{Name: "solid"}, &scop.Array{Name: "frame"}, &scop.Array{Name: "table"}
	p := &Plan{Arrays: []Array{{Array: solid, Dim: 0, Unit: 1}, {Array: frame, Dim: 1, Unit: 1}, {Array: table, Dim: -1}}}
	index := func(c ...int64) scop.Index { // c[0] is a number, the others are of iterators
		return scop.Index{Affine: scop.Affine{Const: c[0], Iters: c[1:]}}
	}
	read := func(a *scop.Array, index ...scop.Index) *scop.Access { return &scop.Access{Array: a, Index: index} }
	wall := func(accesses ...*scop.Access) scop.Wall {
		return scop.Wall{Nest: &scop.Stmt{Accesses: append(accesses, &scop.Access{Array: &scop.Array{Name: "breach"}, Write: true, Index: []scop.Index{index(0)}})}, Text: "solid[i][j]"}
	}
	row, below, column := index(0, 1, 0), index(1, 1, 0), index(0, 0, 1)
	first := read(solid, row, column)
	owned, err := p.Tester(wall(read(table, column), first, read(frame, column, row)))
	require.NoError(t, err)
	require.Equal(t, []Owned{{first, 0}}, owned)
	owned, err = p.Tester(wall(read(table, column)))
	require.NoError(t, err)
	require.Empty(t, owned, "all ranks have it")
	const why = "whether 'solid[i][j]' keeps what it guards inside of arrays depends on elements that different ranks own"
	_, err = p.Tester(wall(first, read(frame, column, below)))
	require.ErrorContains(t, err, why)
	p.Grid = &Grid{Arrays: []Side{{Dim: 1}, {Dim: 0}, {Dim: -1}}}
	owned, err = p.Tester(wall(first, read(frame, column, row)))
	require.NoError(t, err)
	require.Equal(t, []Owned{{first, 0}, {first, 1}}, owned)
	_, err = p.Tester(wall(first, read(frame, below, row)))
	require.ErrorContains(t, err, why)
	p.Arrays[1].Ring = true
	_, err = p.Tester(wall(first, read(frame, column, row)))
	require.ErrorContains(t, err, why)
}
