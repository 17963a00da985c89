package emulate

import (
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a cpu.Program as ranks of a grid do: of a phase the tiles of a rank, one by one, each behind what the rank before it in its row has sent of it. What goes down the rows is taken
// as soon as the tiles at the border have run, and arrives as late as it may: before a tile of the next phase that waits for it, before strips are sent to other rows, or where that phase ends.

// A net is ranks of a grid that run a program.
type net struct {
	plan          *ranks.Plan
	cells         []ranks.Cell
	rows, columns int
	mems          []*scop.Memory // by rank
	params        []int64
	under         []packet // what goes down, and has not arrived
}

// A packet is what goes down to a rank of a tile S0 of a phase.
type packet struct {
	to    int
	phase int
	tile  int64
	cells map[cell]uint64
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
	n.arrive(func(packet) bool { return true })
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

// arrive puts those of what is under way where they belong that have to be there.
func (n *net) arrive(now func(packet) bool) {
	var left []packet
	for _, p := range n.under {
		if now(p) {
			put(n.mems, p.cells)
		} else {
			left = append(left, p)
		}
	}
	n.under = left
}

// phase runs a phase of time tile t: run runs on mem tile S0 from its tile along S1 first to last.
func (n *net) phase(number int, t, lo, hi int64, mem *scop.Memory, run func(tile, first, last int64)) {
	apart := n.plan.Grid.Apart[number]
	for r, c := range n.cells { // ranks of a row in order
		first, last := max(lo, c.First), min(hi, c.Last)
		for k := int64(0); k <= last-first; k++ {
			tile := n.plan.InOrder(number, first, last, k)
			n.arrive(func(p packet) bool {
				return p.to == r && p.phase != number && apart[0] <= tile-p.tile && tile-p.tile <= apart[1]
			})
			near := c.Last1
			if c.Column > 0 {
				near = min(near, c.First1+n.plan.Grid.Near-1)
			}
			inPlace(n.mems[r], mem, func() { run(tile, c.First1, near) })
			if to, ok := n.linked(r, 1); ok {
				n.under = append(n.under, packet{to, number, tile, take(n.mems, sent{r, to, n.plan.SlabBoxes(c, 2*number+1, n.params, t, tile)})})
			}
			if near < c.Last1 {
				inPlace(n.mems[r], mem, func() { run(tile, near+1, c.Last1) })
			}
			if to, ok := n.linked(r, 0); ok {
				deliver(n.mems, sent{r, to, n.plan.SlabBoxes(c, 2*number, n.params, t, tile)})
			}
		}
	}
	n.arrive(func(p packet) bool {
		c := n.cells[p.to]
		return p.phase != number || p.tile == n.plan.InOrder(number, max(lo, c.First), min(hi, c.Last), 0)
	})
}
