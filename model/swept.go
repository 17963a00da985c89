package model

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file chooses boxes for levels that are in order along their first dimension: how many columns a thread of a CPU, or a block of a GPU, takes at once.

// longestRow is the most columns next to each other that a thread takes, and the row of levels without an order.
const longestRow = 512

// columns returns the widths of boxes on a CPU. A thread takes one row of columns at a time:
//
//   - where elements of neighbours are next to each other, as many as let the cache of second level hold the columns until a sweep comes back, but a few
//     lines at least, as rows run in vectors;
//   - where those of a column are, as many as a line has elements: a quotient of one column hides behind those of the others, and the lines of
//     all, which lie at one distance in memory and share few places of a cache, stay until they are used up.
func (cpu Caches) columns(c *schedule.Canonical, g Grid) schedule.Sizes {
	line := cpu.lineElements(c)
	row := line
	if !along(c) {
		held := int64(heldShare*float64(cpu.Cache)) / (bytesAt(c) * max(1, g.Space[0].Hi-g.Space[0].Lo+1))
		for row = 4 * line; row < longestRow && 2*row <= held; row *= 2 {
		}
	}
	w := slices.Repeat([]int64{1}, len(c.Space))
	w[0], w[len(w)-1] = longestRow, row
	return schedule.Sizes{H: schedule.NoHeight, W: w}
}

// along reports whether a statement of a level in order uses elements that are next to each other along a column rather than across.
func along(c *schedule.Canonical) bool {
	return slices.ContainsFunc(c.Scop.Stmts, func(st *scop.Stmt) bool {
		at := c.Places[st.Order]
		first := at[0].Iter
		return c.SweptAt(c.Levels[st.Order]) && first >= 0 && slices.ContainsFunc(st.Accesses, func(a *scop.Access) bool {
			return len(a.Index) > 0 && a.Index[len(a.Index)-1].Coef(first) != 0
		})
	})
}
