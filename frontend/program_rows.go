package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file is about the sizes of rows that are vectors: see storage_rows.go.

// checkSized notes sizes of rows of which the region uses no element: nothing tests that all have one size.
func (as *assembly) checkSized(rows []scop.RowPointers) {
	for _, d := range inOrder(as.source, as.params) {
		name := as.u.members.rowsOf(d)
		if name != "" && as.u.members.anyRow && !slices.ContainsFunc(rows, func(r scop.RowPointers) bool { return slices.Contains(r.Sized, name) }) {
			as.errorf("HX106", as.r.stmts[0].at(), "sizes of rows are taken to be the same where the region uses elements of the rows, which is tested",
				"copy the size to a variable in front of the region", "the region asks for the size of the rows of '%s', and uses none of them", name)
		}
	}
}
