package emulate

import (
	"math"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a cpu.Program, or a gpu.Program, as ranks do that have memory of their own: the tiles of each on its memory, one rank after the other in each phase, and behind
// the phase the messages. What a rank neither owns nor has got is no number there.

// A crowd is ranks that run a program.
type crowd struct {
	plan   *ranks.Plan
	shares []ranks.Share
	mems   []*scop.Memory // by rank
}

// RunRanks executes a program that has a plan on mem as so many ranks would, and returns what it saw, like RunCPU; ok is false where there are more ranks than tiles.
func RunRanks(prog *cpu.Program, plan *ranks.Plan, count int, mem *scop.Memory, o Options) (report *Report, ok bool, err error) {
	if plan.Pipeline != nil {
		return runPipeline(prog, plan, count, mem, o)
	}
	return runRanks(plan, count, mem, func(c *crowd) (*Report, error) {
		o.ranks = c
		return RunCPU(prog, mem, o)
	})
}

// RunRanksGPU does so with kernels, like Run: each rank's blocks on memory of its own, where an access outside of the rank's part of an array is one outside of the array.
func RunRanksGPU(prog *gpu.Program, plan *ranks.Plan, count int, mem *scop.Memory, o Options) (report *Report, ok bool, err error) {
	return runRanks(plan, count, mem, func(c *crowd) (*Report, error) {
		o.ranks = c
		return Run(prog, mem, o)
	})
}

// runRanks lets so many ranks, each of which has its parts of mem, run what run does, and gathers what they own.
func runRanks(plan *ranks.Plan, count int, mem *scop.Memory, run func(*crowd) (*Report, error)) (report *Report, ok bool, err error) {
	shares, ok := plan.Shares(mem.Params, count)
	if !ok {
		return nil, false, nil
	}
	c := &crowd{plan: plan, shares: shares}
	owns := func(r, i int, s *scop.Storage, k int) bool { return c.owns(r, i, s, k, mem.Params) }
	c.mems = memories(len(shares), mem, owns)
	report, err = run(c)
	gather(c.mems, mem, owns)
	return report, true, err
}

// An owner says whether rank r owns element k of array i, whose storage is s.
type owner func(r, i int, s *scop.Storage, k int) bool

// memories returns what so many ranks have of mem, by rank: what one does not own is no number.
func memories(ranks int, mem *scop.Memory, owns owner) (mems []*scop.Memory) {
	for r := range ranks {
		own := mem.Clone()
		for i, s := range own.Arrays {
			for k := range s.Cells {
				if !owns(r, i, s, k) {
					s.Cells[k] = math.MaxUint64 >> (64 - 8*min(8, s.Array.Elem.Size()))
				}
			}
		}
		mems = append(mems, own)
	}
	return mems
}

// gather sets mem to what ranks have of the elements that they own.
func gather(mems []*scop.Memory, mem *scop.Memory, owns owner) {
	for r, own := range mems {
		for i, s := range mem.Arrays {
			for k := range s.Cells {
				if owns(r, i, s, k) {
					s.Cells[k] = own.Arrays[i].Cells[k]
				}
			}
		}
	}
}

// owns reports whether rank r owns element k of array i.
func (c *crowd) owns(r, i int, s *scop.Storage, k int, params []int64) bool {
	dim := c.plan.Arrays[i].Dim
	return dim < 0 || c.shares[r].Owns(c.plan, params, i, along(s, k, dim), r > 0, r < len(c.shares)-1)
}

// along returns the subscript of element k in a dimension.
func along(s *scop.Storage, k, dim int) int64 {
	for d := len(s.Extent) - 1; d > dim; d-- {
		k /= int(s.Extent[d])
	}
	return int64(k) % s.Extent[dim]
}

// with runs what rank r does on its memory in place of mem.
func (c *crowd) with(r int, mem *scop.Memory, run func()) { inPlace(c.mems[r], mem, run) }

// inPlace runs something on the elements of own in place of those of mem.
func inPlace(own, mem *scop.Memory, run func()) {
	for i, s := range mem.Arrays {
		copy(s.Cells, own.Arrays[i].Cells)
	}
	run()
	for i, s := range mem.Arrays {
		copy(own.Arrays[i].Cells, s.Cells)
	}
}

// A part is the elements of an array that a rank has in memory: those whose subscript along a dimension lies in an interval.
type part struct {
	inner, extent int64 // elements for each subscript of the dimension, and how many subscripts there are
	lo, hi        int64
}

func (p *part) has(cell int64) bool {
	x := cell / p.inner % p.extent
	return p.lo <= x && x <= p.hi
}

// parts returns what rank r has of each array.
func (c *crowd) parts(r int, mem *scop.Memory) (list []*part) {
	for i, s := range mem.Arrays {
		p := &part{inner: 1, extent: 1}
		p.lo, p.hi = c.shares[r].Part(c.plan, mem.Params, i, r > 0, r < len(c.shares)-1)
		dim := max(c.plan.Arrays[i].Dim, 0)
		for d := range s.Extent {
			if d == dim {
				p.extent = s.Extent[d]
			} else if d > dim {
				p.inner *= s.Extent[d]
			}
		}
		list = append(list, p)
	}
	return list
}

// exchange does what the messages before the first phase do, 0, or those after phase 0, 1, and so on, of time tile t.
func (c *crowd) exchange(after int, t int64, params []int64) {
	var all []sent
	for r := 1; r < len(c.shares); r++ {
		for way := range 2 {
			from, to := r-1, r
			if way == 1 {
				from, to = r, r-1
			}
			all = append(all, sent{from, to, c.plan.Boxes(2*after+way, params, t, c.shares[r].First)})
		}
	}
	deliver(c.mems, all...)
}

// A sent is boxes that go from one rank to another one.
type sent struct {
	from, to int
	boxes    []ranks.Box
}

// A cell is an element of an array of a rank.
type cell struct{ to, array, at int }

// deliver copies what is sent between the memories of ranks, all of it at once.
func deliver(mems []*scop.Memory, all ...sent) { put(mems, take(mems, all...)) }

// take returns the values of what is sent, and where they go.
func take(mems []*scop.Memory, all ...sent) map[cell]uint64 {
	got := map[cell]uint64{}
	for _, m := range all {
		for _, b := range m.boxes {
			for i, s := range mems[m.from].Arrays {
				if s.Array == b.Array {
					eachIn(s, b, func(k int) { got[cell{m.to, i, k}] = s.Cells[k] })
				}
			}
		}
	}
	return got
}

func put(mems []*scop.Memory, got map[cell]uint64) {
	for x, v := range got {
		mems[x.to].Arrays[x.array].Cells[x.at] = v
	}
}

// eachIn visits the elements of a box.
func eachIn(s *scop.Storage, b ranks.Box, visit func(k int)) {
	var walk func(d, k int)
	walk = func(d, k int) {
		if d == len(b.Lo) {
			visit(k)
			return
		}
		for x := b.Lo[d]; x <= b.Hi[d]; x += b.Along(d) {
			walk(d+1, k*int(s.Extent[d])+int(x))
		}
	}
	walk(0, 0)
}
