package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file places nests where the rows of their arrays are, for ranks that share out rows alike in all nests of a program: s0 is the first subscript of arrays, whatever loops a nest has. Then a nest
// over the elements of one row, as
//
//	for (j = 0; j < m; j++) A[0][j] = A[1][j];
//
// lies in that row, though it has one loop, and other nests of it along its columns.

// rowsOf returns how many dimensions of space the arrays of p have, where the first is that of rows, and where the arrays with so many lie.
func rowsOf(p *scop.Program) (dims int, known frames) {
	along := map[*scop.Array][]int{} // the dimensions that are of space
	for _, a := range p.Arrays {
		if a.Planes == nil && len(a.Extents) > 0 {
			along[a] = []int{0}
		}
	}
	for _, st := range p.Stmts {
		for _, x := range st.Accesses {
			for d, index := range x.Index {
				if iter, _ := spaceIterator(index); iter > 0 && along[x.Array] != nil && !slices.Contains(along[x.Array], d) {
					along[x.Array] = append(along[x.Array], d)
				}
			}
		}
	}
	dims = dimensions(p)
	for _, a := range p.Arrays {
		dims = max(dims, len(along[a]))
	}
	known = frames{}
	for _, a := range p.Arrays {
		if len(along[a]) == dims {
			for s, d := range slices.Sorted(slices.Values(along[a])) {
				known[axis{a, d}] = frame{dim: s}
			}
		}
	}
	return dims, known
}

// alignedByRows is aligned, with rows for the first dimension.
func alignedByRows(p *scop.Program) Canonical {
	dims, known := rowsOf(p)
	c := Canonical{Scop: p, Places: known.placeAll(p, dims)}
	for i := range dims {
		c.Space = append(c.Space, spaceName(i))
	}
	return c
}
