package model

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// This file weighs loops on a CPU that run each nest of each time step over the whole
// grid: as they are written, each outermost loop over space under omp parallel for, or in boxes.

// A Weight is what a point takes on a CPU by the model. Weights compare with each other only.
type Weight struct {
	PerPoint float64
	Tiles    int64   // that may run at once: those between two barriers, if there are such; rows, where nothing is tiled
	Ready    bool    // tiles start when those that they need have ended
	moved    float64 // bytes of a point that tiles of time and space move from beyond the second level, or to it
}

// Loses reports whether w is more than x by more than what sizes about as good differ by.
func (w Weight) Loses(x Weight) bool { return loses(w.PerPoint, x.PerPoint) }

// barrierWork is what a core takes for a barrier, in the unit of pointWork: a microsecond or so.
const barrierWork = 40_000

// idle returns by how much the work takes longer since cores wait for the last of so
// many tiles: half a tile each, on average, and all but one core where there is one tile.
func (cpu Caches) idle(tiles float64) float64 {
	return 1 + min(float64(cpu.Cores-1), float64(cpu.Cores)/2/tiles)
}

// barrier returns what a point takes for its part of a barrier after so many points.
func (cpu Caches) barrier(points float64) float64 {
	if cpu.Cores == 1 {
		return 0
	}
	return barrierWork * float64(cpu.Cores) / max(1, points)
}

// all returns what a byte costs that was not touched since all of the grid was.
func (cpu Caches) all(c *schedule.Canonical, g Grid) float64 {
	bytes := float64(bytesAt(c))
	for _, r := range g.Space {
		bytes *= float64(max(1, r.Hi-r.Lo+1))
	}
	switch {
	case bytes > float64(cpu.Last*cpu.Cores):
		return memoryByte
	case bytes > float64(cpu.Cache*cpu.Cores):
		return lastByte
	}
	return cacheByte
}

// A sweep is loops over boxes of space, to be weighed for any widths: what does not depend on those.
type sweep struct {
	cpu   Caches
	grid  Grid
	far   float64 // what a byte costs that was not touched since all of the grid was
	nests []swept
}

// A swept is one loop nest of a sweep.
type swept struct {
	nest
	reuses []reuse
	rows   float64 // that a row of points touches
}

func (cpu Caches) sweep(c *schedule.Canonical, g Grid) sweep {
	s := sweep{cpu: cpu, grid: g, far: cpu.all(c, g)}
	for _, st := range c.Scop.Stmts {
		if n, ok := nestOf(c, st, g); ok {
			rows := rowsOf(c, st)
			s.nests = append(s.nests, swept{n, reuses(rows), touched(rows)})
		}
	}
	return s
}

// untiled returns the weight of the loops as they are written.
func (s sweep) untiled() Weight {
	widths := make([]float64, len(s.grid.Space))
	for p := range widths {
		widths[p] = extentOf(s.grid, p)
	}
	return s.weight(widths, extentOf(s.grid, 0))
}

// boxes returns the widths of boxes of space that weigh the least, and their weight.
func (s sweep) boxes() (best schedule.Sizes, least Weight) {
	for _, w := range boxWidths(len(s.grid.Space)) {
		if x := s.boxed(w); best.W == nil || x.PerPoint < least.PerPoint {
			best, least = schedule.Sizes{H: schedule.NoHeight, W: w}, x
		}
	}
	return best, least
}

// boxWidths returns the widths to try in so many dimensions.
func boxWidths(dims int) [][]int64 {
	lists := slices.Repeat([][]int64{{8, 32, 128}}, dims)
	lists[0] = []int64{1, 2, 4, 8, 16}
	lists[dims-1] = []int64{512, 2048, 8192}
	if dims == 1 {
		lists[0] = []int64{256, 512, 1024, 2048, 4096, 8192, 16384}
	}
	return product(lists)
}

// Boxes returns the widths of boxes of space that weigh the least on a grid of typical
// sizes. The error, a diag.List, says what is wrong with those.
func (cpu Caches) Boxes(c *schedule.Canonical, typical Typical) (schedule.Sizes, error) {
	g, err := NewGrid(c, typical)
	if err != nil {
		return schedule.Sizes{}, err
	}
	if c.Sweeps != nil {
		return cpu.columns(c, g), nil
	}
	best, _ := cpu.sweep(c, g).boxes()
	return best, nil
}

// boxed returns the weight of boxes of the given widths, of which the last may be smaller.
func (s sweep) boxed(w []int64) Weight {
	widths := make([]float64, len(w))
	for p := range widths {
		whole := extentOf(s.grid, p)
		widths[p] = whole / math.Ceil(whole/float64(w[p]))
	}
	return s.weight(widths, math.Ceil(extentOf(s.grid, 0)/float64(w[0])))
}

func extentOf(g Grid, p int) float64 { return float64(max(1, g.Space[p].Hi-g.Space[p].Lo+1)) }

// weight returns the weight of loops over boxes of such widths, which cores share by
// so many parts: the work of a point, its part of the start of its row, what a step moves
// of the whole grid, which was not touched since the step before, and what comes again
// because a cache has not held it from row to row, or from plane to plane.
func (s sweep) weight(widths []float64, parts float64) Weight {
	var work, points float64
	for _, n := range s.nests {
		cost := pointWork + (rowStart+n.rows*(rowTouched+rowFar))/widths[len(widths)-1] + s.far*(n.bytes+n.written)/n.points
		for d, r := range n.reuses {
			cost += s.cpu.level(r.swept(d, widths)) * r.again
			if widths[d] < extentOf(s.grid, d) {
				cost += s.far * r.again / widths[d] // the box beside has read it
			}
		}
		all := n.points * float64(n.steps)
		work += all * (cost*s.cpu.idle(parts) + s.cpu.barrier(n.points))
		points += all
	}
	return Weight{PerPoint: work / max(1, points), Tiles: int64(parts)}
}

// level returns what a byte costs a core that is touched again after so many others.
func (cpu Caches) level(bytes float64) float64 {
	switch {
	case bytes > float64(cpu.Last):
		return memoryByte
	case bytes > float64(cpu.Cache):
		return lastByte
	case bytes > float64(cpu.First):
		return cacheByte
	}
	return 0
}
