package emulate

import (
	"math"

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

// limits are the variables that limit the loop along S1.
const limitFrom, limitTo = "hexcc_from", "hexcc_to"

// RunGrid executes a program that has a plan with a grid on mem as rows x columns ranks would, like RunRanks.
func RunGrid(prog *cpu.Program, plan *ranks.Plan, rows, columns int, mem *scop.Memory, o Options) (report *Report, ok bool, err error) {
	cells, ok := plan.Cells(mem.Params, rows, columns, 1)
	if !ok {
		return nil, false, nil
	}
	n := &net{plan: plan, cells: cells, rows: rows, columns: columns, params: mem.Params}
	for r := range cells {
		own := mem.Clone()
		n.each(r, own, func(s *scop.Storage, k int, owned bool) {
			if !owned {
				s.Cells[k] = math.MaxUint64 >> (64 - 8*min(8, s.Array.Elem.Size()))
			}
		})
		n.mems = append(n.mems, own)
	}
	o.net = n
	report, err = RunCPU(cpu.Between(prog, limitFrom, limitTo), mem, o)
	for r := range cells {
		for i := range mem.Arrays {
			from := n.mems[r].Arrays[i]
			n.eachOf(r, i, mem.Arrays[i], func(s *scop.Storage, k int, owned bool) {
				if owned {
					s.Cells[k] = from.Cells[k]
				}
			})
		}
	}
	return report, true, err
}

// each visits all elements of a memory, with whether rank r owns them.
func (n *net) each(r int, mem *scop.Memory, visit func(s *scop.Storage, k int, owned bool)) {
	for i, s := range mem.Arrays {
		n.eachOf(r, i, s, visit)
	}
}

func (n *net) eachOf(r, i int, s *scop.Storage, visit func(s *scop.Storage, k int, owned bool)) {
	c, dim, second := n.cells[r], n.plan.Arrays[i].Dim, n.plan.Grid.Arrays[i].Dim
	for k := range s.Cells {
		owned := dim < 0 || c.Owns(n.plan, n.params, i, along(s, k, dim), c.Row > 0, c.Row < n.rows-1)
		if owned && second >= 0 {
			lo, hi := c.OwnColumns(n.plan, n.params, i, n.columns)
			x := along(s, k, second)
			owned = lo <= x && x <= hi
		}
		visit(s, k, owned)
	}
}

// along returns the subscript of element k in a dimension.
func along(s *scop.Storage, k, dim int) int64 {
	for d := len(s.Extent) - 1; d > dim; d-- {
		k /= int(s.Extent[d])
	}
	return int64(k) % s.Extent[dim]
}

// A sent is boxes that go from one rank to another one.
type sent struct {
	from, to int
	boxes    []ranks.Box
}

// deliver copies what is sent, all of it at once.
func (n *net) deliver(all ...sent) {
	type cell struct{ to, array, at int }
	got := map[cell]uint64{}
	for _, m := range all {
		for _, b := range m.boxes {
			for i, s := range n.mems[m.from].Arrays {
				if s.Array == b.Array {
					eachIn(s, b, func(k int) { got[cell{m.to, i, k}] = s.Cells[k] })
				}
			}
		}
	}
	for x, v := range got {
		n.mems[x.to].Arrays[x.array].Cells[x.at] = v
	}
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
	n.deliver(all...)
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
		n.deliver(all...)
	}
	n.strips(0, t)
}

// phase runs a phase of time tile t: run runs on mem tile S0 from its tile along S1 first to last.
func (n *net) phase(number int, t, lo, hi int64, mem *scop.Memory, run func(tile, first, last int64)) {
	var down []sent
	for r, c := range n.cells { // ranks of a row in order
		first, last := max(lo, c.First), min(hi, c.Last)
		for i, s := range mem.Arrays {
			copy(s.Cells, n.mems[r].Arrays[i].Cells)
		}
		for tile := first; tile <= last; tile++ {
			run(tile, c.First1, c.Last1)
		}
		for i, s := range mem.Arrays {
			copy(n.mems[r].Arrays[i].Cells, s.Cells)
		}
		for tile := first; tile <= last; tile++ {
			if to, ok := n.linked(r, 0); ok {
				n.deliver(sent{r, to, n.plan.SlabBoxes(c, 2*number, n.params, t, tile)})
			}
			if to, ok := n.linked(r, 1); ok {
				down = append(down, sent{r, to, n.plan.SlabBoxes(c, 2*number+1, n.params, t, tile)})
			}
		}
	}
	n.deliver(down...)
}
