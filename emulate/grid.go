package emulate

import (
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a cpu.Program as ranks of a grid do: of a phase the tiles of a rank, one by one, each behind what the rank before it in its row has sent of it; then what goes down the rows, and
// then what goes from row to row.

// A net is ranks of a grid that run a program.
type net struct {
	plan          *ranks.Plan
	cells         []ranks.Cell
	rows, columns int
	mems          []*scop.Memory // by rank
	params        []int64
}

// limitFrom and limitTo are the variables that limit the loop along S1.
const limitFrom, limitTo = "hexcc_from", "hexcc_to"

// RunGrid executes a program that has a plan with a grid on mem as rows x columns ranks would, like RunRanks.
func RunGrid(prog *cpu.Program, plan *ranks.Plan, rows, columns int, mem *scop.Memory, o Options) (report *Report, ok bool, err error) {
	cells, ok := plan.Cells(mem.Params, rows, columns, 1)
	if !ok {
		return nil, false, nil
	}
	n := &net{plan: plan, cells: cells, rows: rows, columns: columns, params: mem.Params}
	n.mems = memories(len(cells), mem, n.owns)
	o.net = n
	report, err = RunCPU(cpu.Between(prog, limitFrom, limitTo), mem, o)
	gather(n.mems, mem, n.owns)
	return report, true, err
}

// owns reports whether rank r owns element k of array i.
func (n *net) owns(r, i int, s *scop.Storage, k int) bool {
	c, dim, second := n.cells[r], n.plan.Arrays[i].Dim, n.plan.Grid.Arrays[i].Dim
	if dim >= 0 && !c.Owns(n.plan, n.params, i, along(s, k, dim), c.Row > 0, c.Row < n.rows-1) {
		return false
	}
	if dim < 0 || second < 0 {
		return true
	}
	lo, hi := c.OwnColumns(n.plan, n.params, i, n.columns)
	x := along(s, k, second)
	return lo <= x && x <= hi
}

// linked returns the rank behind r in its row, or before it where way is 1; ok is false where there is none.
func (n *net) linked(r, way int) (to int, ok bool) {
	column := n.cells[r].Column + 1 - 2*way
	return r + 1 - 2*way, column >= 0 && column < n.columns
}

// strips delivers what goes from row to row before the first phase, 0, or after phase 0, 1, and so on, of time tile t.
func (n *net) strips(after int, t int64) {
	var all []sent
	for r, c := range n.cells {
		for way := range 2 {
			if to := r + n.columns*(1-2*way); to >= 0 && to < len(n.cells) {
				all = append(all, sent{r, to, n.plan.StripBoxes(c, 2*after+way, n.params, t, n.rows, n.columns)})
			}
		}
	}
	deliver(n.mems, all...)
}

// begin delivers what ranks send before the first phase.
func (n *net) begin(t int64) {
	if n.columns > 1 {
		var all []sent
		for r, c := range n.cells {
			for way := range 2 {
				if to, ok := n.linked(r, way); ok {
					all = append(all, sent{r, to, n.plan.BesideBoxes(c, way, n.params, n.rows)})
				}
			}
		}
		deliver(n.mems, all...)
	}
	n.strips(0, t)
}

// phase runs a phase of time tile t: run runs on mem tile S0 from its tile along S1 first to last.
func (n *net) phase(number int, t, lo, hi int64, mem *scop.Memory, run func(tile, first, last int64)) {
	var down []sent
	for r, c := range n.cells { // ranks of a row in order
		first, last := max(lo, c.First), min(hi, c.Last)
		inPlace(n.mems[r], mem, func() {
			for tile := first; tile <= last; tile++ {
				run(tile, c.First1, c.Last1)
			}
		})
		for tile := first; tile <= last; tile++ {
			if to, ok := n.linked(r, 0); ok {
				deliver(n.mems, sent{r, to, n.plan.SlabBoxes(c, 2*number, n.params, t, tile)})
			}
			if to, ok := n.linked(r, 1); ok {
				down = append(down, sent{r, to, n.plan.SlabBoxes(c, 2*number+1, n.params, t, tile)})
			}
		}
	}
	deliver(n.mems, down...)
}
