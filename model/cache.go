package model

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses tiles for a CPU. What a tile takes from memory is weighed
// against the caches that hold it while its steps run, and against what short
// rows cost.

// Caches chooses tiles by the caches of a processor.
type Caches struct{ machine.CPU }

// What things cost, in the time that a core takes for one load of a full vector
// from its cache of second level, per element of that vector.
const (
	cacheByte  = 0.0625 // a byte that was read in the same step, from the second level
	firstLoad  = 0.25   // an element from the first level: two whole vectors a cycle, where the second level has half of one
	nearAgain  = 0.7    // an element of a row or plane that was read in the same step, from the second level
	lastByte   = 0.08   // a byte from or to the last level
	memoryByte = 1      // a byte from or to memory
	farByte    = 1      // a byte of a plane that was read in the same step, from the last level: more planes than a prefetcher follows
	rowStart   = 60     // a row: its bounds, its first and last elements
	rowTouched = 12     // each row of an array that it touches: its address, its pages
	rowFar     = 30     // and its first lines, which no prefetch brings, where the second level does not hold them
	newRow     = 4      // times that, more for a row that the step before did not have
	heldShare  = 0.6    // of the second level: what keeps its place there from step to step
	pointWork  = 6      // a point of a small stencil
)

// Aligned returns cone with the slope of the last dimension such that rows of
// tiles start at cache lines, if the arrays do: each step moves them by whole lines.
func (cpu Caches) Aligned(c *schedule.Canonical, cone schedule.Cone) schedule.Cone {
	last := len(c.Space) - 1
	lo := cone.Lo[last]
	if last == 0 || lo.Sign() == 0 {
		return cone
	}
	line := big.NewRat(cpu.lineElements(c), 1)
	lines := new(big.Rat).Quo(lo, line)
	up := new(big.Int).Add(lines.Num(), new(big.Int).Sub(lines.Denom(), big.NewInt(1)))
	up.Quo(up, lines.Denom())
	cone.Lo = slices.Clone(cone.Lo)
	cone.Lo[last] = line.Mul(line, new(big.Rat).SetInt(up))
	return cone
}

// lineElements returns the elements in a cache line, of the smallest type that is stored.
func (cpu Caches) lineElements(c *schedule.Canonical) int64 {
	n := int64(1)
	for _, a := range c.Scop.Arrays {
		if !a.Const {
			n = max(n, cpu.Line/int64(a.Elem.Size()))
		}
	}
	return n
}

// Launches are what may keep tiles in order: one of them, or whichever is faster.
type Launches struct {
	Phases bool // the tiles of a phase start when all of the phase before have ended
	Ready  bool // tiles start when those that they need have ended
}

// Weighed is tile sizes and their weight.
type Weighed struct {
	Sizes  schedule.Sizes
	Weight Weight
}

// Best returns tile sizes for a cone that Aligned made, those that take the
// least time by the model on a grid of typical sizes, the best first, all with the launch for which they are. Of both launches that is the one
// with the least time, but tiles that start when they can unless those lose: a core that something else uses for a while holds up all others at the end of a phase, and its neighbours
// alone where tiles wait for each other. They have the sizes that are best in phases, unless those lose: as no
// core waits for the last tile, tiles about as good may be much larger, and larger ones share caches less well than the model knows. The error, a
// diag.List, says what is wrong with typical sizes.
func (cpu Caches) Best(c *schedule.Canonical, cone schedule.Cone, typical Typical, launches Launches) ([]Weighed, error) {
	t, err := cpu.tile(c, cone, typical)
	if err != nil {
		return nil, err
	}
	var inPhases, whenReady []Weighed
	hs := schedule.LegalH(c.K)
	factor := widthFactor(len(c.Space), len(hs))
	for _, h := range hs {
		for _, sizes := range widths(c, cone, h, factor) {
			t.resize(sizes)
			phases, ready := t.weights()
			inPhases, whenReady = append(inPhases, Weighed{sizes, phases}), append(whenReady, Weighed{sizes, ready})
		}
	}
	inPhases, whenReady = least(inPhases), least(whenReady)
	if !launches.Ready || launches.Phases && !inPhases[0].Weight.Yields(whenReady[0].Weight) {
		return inPhases, nil
	}
	t.resize(inPhases[0].Sizes)
	phases, ready := t.weights()
	lightest := slices.MinFunc(whenReady, func(x, y Weighed) int { return cmp.Compare(x.Weight.PerPoint, y.Weight.PerPoint) })
	if ready.Loses(lightest.Weight) || launches.Phases && !phases.Yields(ready) {
		return whenReady, nil
	}
	whenReady = slices.DeleteFunc(whenReady, func(x Weighed) bool { return x.Sizes.H == t.sizes.H && slices.Equal(x.Sizes.W, t.sizes.W) })
	whenReady = slices.Insert(whenReady, 0, Weighed{t.sizes, ready})
	return whenReady[:min(keep, len(whenReady))], nil
}

// least returns those of all with the least weights, the best first.
func least(all []Weighed) []Weighed {
	slices.SortStableFunc(all, func(x, y Weighed) int { return cmp.Compare(x.Weight.PerPoint, y.Weight.PerPoint) })
	all = frugal(all, func(x Weighed) Weight { return x.Weight })
	best := all[:1]
	for _, x := range all[1:] {
		if y := best[len(best)-1].Sizes; len(best) < keep && (x.Sizes.H != y.H || !slices.Equal(x.Sizes.W, y.W)) {
			best = append(best, x)
		}
	}
	return best
}

// frugal returns all, which are sorted by what a point takes, with one that moves the fewest bytes from beyond the second level in front, of those that are about as good as the best: what lies
// there is shared, with other cores and with whatever else runs, and how much of its bandwidth is there for a core is what is known least.
func frugal[T any](all []T, weight func(T) Weight) []T {
	first := 0
	for i, x := range all {
		if weight(x).Loses(weight(all[0])) {
			break
		}
		if weight(x).moved < weight(all[first]).moved {
			first = i
		}
	}
	front := all[first]
	return slices.Insert(slices.Delete(all, first, first+1), 0, front)
}

// tile returns tiles without sizes yet, on a grid of typical sizes.
func (cpu Caches) tile(c *schedule.Canonical, cone schedule.Cone, typical Typical) (t cacheTile, err error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return t, err
	}
	t = cacheTile{cpu: cpu, c: c, cone: cone, grid: grid, bytes: float64(bytesAt(c))}
	for _, st := range c.Scop.Stmts {
		rows := rowsOf(c, st)
		t.reuses = append(t.reuses, reuses(rows))
		t.rows = max(t.rows, touched(rows))
	}
	return t, nil
}

// weights returns the weights of the tile in phases, with what cores wait for each other at the end of one, and when tiles start as soon as they can.
func (t cacheTile) weights() (phases, ready Weight) {
	cost, points := t.cost()
	inPhase := float64(t.grid.Points) / t.phases()
	moved := t.moved(points)
	phases = Weight{PerPoint: cost*t.cpu.idle(t.tiles()) + t.cpu.barrier(inPhase), Tiles: int64(t.tiles()), moved: moved}
	return phases, Weight{t.whenReady(cost, points), int64(t.atOnce()), true, moved}
}

// maxWeighed bounds the sizes that are weighed for a CPU.
const maxWeighed = 1 << 16

// widthFactor returns by what widths grow in the dimensions between the first and the last: 2, or
// the least power of two with which no more than maxWeighed sizes are weighed at so many heights.
func widthFactor(dims, heights int) int64 {
	for factor := int64(2); ; factor *= 2 {
		n := heights * hexagonTops * len(classicalWidths(dims, dims-1, factor))
		for d := 1; d < dims-1; d++ {
			n = min(n*len(classicalWidths(dims, d, factor)), 1<<30)
		}
		if n <= maxWeighed || factor > 64 {
			return factor
		}
	}
}

// hexagonTops is how many widths of hexagons are weighed at a height.
const hexagonTops = 3

// classicalWidths returns the widths to try in dimension d of dims.
func classicalWidths(dims, d int, factor int64) (ws []int64) {
	from, to := int64(2), int64(64)
	if d == dims-1 {
		from, to, factor = max(1, int64(128)>>dims), 2048, 2
	}
	for w := from; w <= to; w *= factor {
		ws = append(ws, w)
	}
	return ws
}

// widths returns the widths to try at a height: hexagons as wide at the top as
// they reach from there to the middle, or half of that, or twice; other dimensions by powers of two, those between the first and the
// last by powers of factor.
func widths(c *schedule.Canonical, cone schedule.Cone, h, factor int64) (all []schedule.Sizes) {
	dims := len(c.Space)
	reach := func(n int64) int64 { // of so many steps, if slopes are steeper than 1
		return int64(math.Ceil(float64(n) * max(1, (slope(cone.Lo[0])+slope(cone.Hi[0]))/2)))
	}
	tops := []int64{reach(h+1) / 2, reach(h + 1), reach(2 * (h + 1))} // hexagonTops of them
	if dims == 1 {
		tops = []int64{512, 1024, 2048, 4096}
	}
	for _, top := range tops {
		all = append(all, schedule.Sizes{H: h, W: []int64{max(top, schedule.MinW0(cone, h))}})
	}
	for d := 1; d < dims; d++ {
		var wider []schedule.Sizes
		for _, s := range all {
			for _, w := range classicalWidths(dims, d, factor) {
				wider = append(wider, schedule.Sizes{H: h, W: append(slices.Clone(s.W), w)})
			}
		}
		all = wider
	}
	return all
}

// A cacheTile is a tile that is weighed.
type cacheTile struct {
	cpu Caches
	// slanted: it is a parallelogram in the first dimension, too, else a hexagon.
	slanted bool
	c       *schedule.Canonical
	cone    schedule.Cone
	sizes   schedule.Sizes
	split   [3]float64 // pieces by dimension, as far as it was asked when the sizes were set; 0: not
	grid    Grid
	bytes   float64 // of all arrays, for a point of space
	// How rows are read again, by statement, then dimension but the last.
	reuses [][]reuse
	rows   float64 // touched by one of points: the most of any statement
}

// resize sets the sizes. What a tile is weighed by asks many times into how many pieces it cuts rows.
func (t *cacheTile) resize(sizes schedule.Sizes) {
	t.sizes, t.split = sizes, [len(t.split)]float64{}
	for p := range min(len(sizes.W), len(t.split)) {
		t.split[p] = t.pieces(p)
	}
}

// touched returns how many rows of arrays a row of points touches.
func touched(rows []row) float64 { return float64(len(rows)) / float64(rows[0].beside) }

// width returns the points that a tile has in a dimension of those in which it is classical, on average: those at the borders of the grid have few.
func (t cacheTile) width(p int) float64 { return t.whole(p) / t.pieces(p) }

// pieces returns into how many pieces the borders of tiles cut a row of the grid along a dimension in which tiles are classical, on average over the steps of a tile. Tiles
// lean, so their borders move over the grid: a tile that is as wide as the grid is cut in some steps, unless it is wider by as much as it leans.
func (t cacheTile) pieces(p int) (sum float64) {
	if p < len(t.split) && t.split[p] > 0 {
		return t.split[p]
	}
	if p == 0 && !t.slanted { // a line of hexagons
		return math.Ceil(t.whole(p) / float64(t.sizes.W[p]))
	}
	first, w := float64(t.grid.Space[p].Lo), float64(t.sizes.W[p])
	lean := slope(t.cone.Lo[p]) * float64(2*t.sizes.H+2)
	for k := range stepsSeen {
		from := first + lean*(float64(k)+0.5)/stepsSeen
		sum += math.Floor((from+t.whole(p)-1)/w) - math.Floor(from/w) + 1
	}
	return sum / stepsSeen
}

// stepsSeen is at how many steps of a tile pieces looks.
const stepsSeen = 8

// whole returns the points of the grid in a dimension.
func (t cacheTile) whole(p int) float64 {
	return float64(max(1, t.grid.Space[p].Hi-t.grid.Space[p].Lo+1))
}

// extents returns the extents of all that a tile touches, by dimension.
func (t cacheTile) extents() []float64 {
	height := float64(2*t.sizes.H + 2)
	out := make([]float64, len(t.sizes.W))
	for p, w := range t.sizes.W {
		out[p] = float64(w) + slope(t.cone.Lo[p])*height
		if p == 0 && !t.slanted {
			out[p] = float64(w) + (slope(t.cone.Lo[0])+slope(t.cone.Hi[0]))*(height/2)
		}
		out[p] = min(out[p], t.whole(p))
	}
	return out
}

// across returns how many places the steps of a tile have in the first dimension, all together.
func (t cacheTile) across() float64 {
	if t.slanted {
		return float64(2*t.sizes.H+2) * t.width(0)
	}
	return float64(2*t.sizes.H+2) * (float64(t.sizes.W[0]) + 1 + t.opening()*float64(t.sizes.H)/2)
}

// opening returns by how much a hexagon grows from step to step.
func (t cacheTile) opening() float64 { return slope(t.cone.Lo[0]) + slope(t.cone.Hi[0]) }

// window returns the bytes that a step touches, on average: what stays in use from
// step to step while the tile moves.
func (t cacheTile) window() float64 {
	moves := t.opening()
	if t.slanted {
		moves = 2 * slope(t.cone.Lo[0])
	}
	cells := min(t.across()/float64(2*t.sizes.H+2)+moves, t.whole(0))
	for p := 1; p < len(t.sizes.W); p++ {
		cells *= min(t.width(p)+2*slope(t.cone.Lo[p]), t.whole(p))
	}
	return cells * t.bytes
}

// cost returns the time for a point: its work, while which it reads from the second level, its part of the start of its row,
// and its part of what the tile moves; and how many points a tile has.
func (t cacheTile) cost() (cost, points float64) {
	extents := t.extents()
	points = t.across()
	fresh := extents[0] * t.bytes
	if t.slanted {
		fresh = t.width(0) * t.bytes
	}
	for p := 1; p < len(extents); p++ {
		points *= t.width(p)
		fresh *= t.width(p)
	}
	cost = pointWork + nearAgain*t.reread() + t.rowTime() + t.cpu.all(t.c, t.grid)*2*fresh/points*t.cut()
	for p := range extents {
		// What a tile leans over was touched when the tile before in this dimension ran.
		leaning := max(0, fresh*(extents[p]-t.width(p))/t.width(p))
		switch {
		case p > 0:
			cost += t.from(t.since(extents, p)) * 2 * leaning / points
		case t.slanted:
			cost += t.fromChain(extents) * 2 * leaning / points
		}
	}
	return cost + t.missed(t.window()) + farByte*t.far(), points
}

// moved returns how many bytes a point of a tile of so many points moves from beyond the second level, or to it: its part of all that the tile touches, and of what the second level does not hold of
// what is in use from step to step.
func (t cacheTile) moved(points float64) float64 {
	touched := t.bytes
	for p, extent := range t.extents() {
		if p > 0 {
			extent = max(extent, t.width(p))
		}
		touched *= extent
	}
	return 2*touched/points*t.cut() + (1-t.held(t.window()))*t.bytes*3/2
}

// rowTime returns a point's part of the start of its row, and of its ends.
func (t cacheTile) rowTime() float64 {
	last := len(t.sizes.W) - 1
	start := rowStart + t.rows*(rowTouched+(1-t.held(t.window()))*rowFar)
	return start*(1+newRow*t.newRows())/t.width(last) + 2*t.roughEnd()*(t.pieces(last)-1)/t.whole(last)
}

// roughEnd returns the time for an end of a row where a tile ends in the middle of a cache line, as it does unless Aligned lets it lean by whole lines: on average half a line of points run by
// themselves, each for about half as long as a vector of a whole line.
func (t cacheTile) roughEnd() float64 {
	line := t.cpu.lineElements(t.c)
	lean := t.cone.Lo[len(t.sizes.W)-1]
	if len(t.sizes.W) == 1 || lean == nil || lean.IsInt() && lean.Num().Int64()%line == 0 {
		return 0
	}
	return float64(line-1) / 2 * float64(line) * pointWork / 2
}

// cut returns how many times as often tiles move what they touch as they would if the steps of the run were a multiple of theirs: a tile that has few
// steps left touches about as much.
func (t cacheTile) cut() float64 {
	steps, height := float64(t.grid.Steps*int64(t.c.K)), float64(2*t.sizes.H+2)
	if steps == 0 {
		return 1
	}
	passes := math.Ceil(steps / height)
	if !t.slanted { // the hexagons of one phase begin half a tile before those of the other
		passes = (passes + math.Ceil((steps+height/2)/height)) / 2
	}
	return passes * height / steps
}

// held returns the share of so many bytes that the second level holds from step to step.
func (t cacheTile) held(bytes float64) float64 { return min(1, heldShare*float64(t.cpu.Cache)/bytes) }

// missed returns the time for a point to read what the second level does not hold of so many bytes that a tile has in use, and what is
// written read before.
func (t cacheTile) missed(bytes float64) float64 {
	return (1 - t.held(bytes)) * max(lastByte, t.from(bytes)) * t.bytes * 3 / 2
}

// newRows returns the share of the rows of a step that the one before did not have, as the tile leans.
func (t cacheTile) newRows() (share float64) {
	if t.slanted && len(t.sizes.W) > 1 {
		share = slope(t.cone.Lo[0]) / t.width(0)
	}
	for p := 1; p < len(t.sizes.W)-1; p++ {
		share += slope(t.cone.Lo[p]) / t.width(p)
	}
	return share
}

// tiles returns the hexagons of a phase. Two phases cover the first dimension.
func (t cacheTile) tiles() float64 {
	period := 2 * (float64(t.sizes.W[0]) + 1 + t.opening()*float64(t.sizes.H)/2)
	return max(1, t.whole(0)/period)
}

// since returns the bytes touched between a tile and the next one in dimension p.
func (t cacheTile) since(extents []float64, p int) float64 {
	bytes := t.bytes
	for q, extent := range extents {
		if q <= p {
			bytes *= extent
		} else {
			bytes *= t.whole(q)
		}
	}
	return bytes
}

// from returns what a byte costs that is touched again after so many others. Of more than the last level holds it holds a part, as
// caches do not evict in strict order.
func (t cacheTile) from(bytes float64) float64 {
	if bytes <= float64(t.cpu.Cache) {
		return 0
	}
	last := min(1, float64(t.cpu.Last)/bytes)
	return lastByte*last + memoryByte*(1-last)
}

// bytesAt returns the bytes that all arrays have for one point of space.
func bytesAt(c *schedule.Canonical) (bytes int64) {
	for _, a := range c.Scop.Arrays {
		n := int64(a.Elem.Size())
		if len(a.Extents) > len(c.Space) && !slices.ContainsFunc(a.Extents[0].Params, func(p int64) bool { return p != 0 }) {
			n *= max(a.Extents[0].Const, 1)
		}
		bytes += n
	}
	return max(bytes, 1)
}

// slope returns r, or 0 where there is no bound.
func slope(r *big.Rat) float64 {
	if r == nil {
		return 0
	}
	const exact = 1 << 53 // integers up to it are float64s, and their quotient is rounded once
	if num, den := r.Num(), r.Denom(); num.IsInt64() && den.IsInt64() && max(num.Int64(), -num.Int64(), den.Int64()) <= exact {
		return float64(num.Int64()) / float64(den.Int64())
	}
	f, _ := r.Float64()
	return f
}
