package main

import (
	"fmt"

	"github.com/hexcc/hexcc/ranks"
)

// This file says in which numbers of ranks, and how set out, hexcc verify runs regions.

// A setOut is so many ranks, in rows and columns; rows 0: in a row, as there are tiles of one dimension.
type setOut struct{ ranks, rows, columns int }

// setOuts are those that a region is run on.
func setOuts(p *ranks.Plan) []setOut {
	return ofPlan(p, []setOut{{2, 2, 1}, {3, 3, 1}, {2, 1, 2}, {4, 2, 2}, {6, 2, 3}}, verifiedRanks)
}

// simulatedSetOuts are those that it is simulated on.
func simulatedSetOuts(p *ranks.Plan) []setOut {
	return ofPlan(p, []setOut{{2, 2, 1}, {2, 1, 2}, {6, 2, 3}}, simulatedRanks)
}

// ofPlan returns grids where ranks form one, else so many ranks in a row.
func ofPlan(p *ranks.Plan, grids []setOut, counts []int) (list []setOut) {
	if p.Grid != nil {
		return grids
	}
	for _, n := range counts {
		list = append(list, setOut{ranks: n})
	}
	return list
}

// environment asks the driver for it.
func (s setOut) environment() string { return fmt.Sprintf("HEXCC_RANK_GRID=%dx%d", s.rows, s.columns) }

func (s setOut) short() string {
	if s.rows > 0 {
		return fmt.Sprintf("%d x %d", s.rows, s.columns)
	}
	return fmt.Sprint(s.ranks)
}

func (s setOut) String() string { return s.short() + " ranks" }

// shares returns what each rank has and does, with so many threads.
func (s setOut) shares(p *ranks.Plan, params []int64, threads int64) (list []ranks.Share) {
	if s.rows == 0 {
		list, _ = p.Shares(params, s.ranks)
		return list
	}
	cells, _ := p.Cells(params, s.rows, s.columns, threads)
	for _, c := range cells {
		list = append(list, c.Share)
	}
	return list
}
