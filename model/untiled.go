package model

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file chooses how the loops run as they are written, and says what they take then: what tiling has to be
// better than. On a GPU that is a launch for each level of each time step, with a thread for each point or for a
// short column of points, which keeps in registers what its points share. An element moves once between memory and
// the chip in a step: a cache of the device holds it until neighbouring blocks have read it, too.

// An Estimate is what a run takes by the model.
type Estimate struct {
	Sizes    schedule.Sizes // of tiles, or of what a block runs where nothing is tiled
	Launches int64
	Blocks   int64           // of the launch with the most
	Seconds  float64         // of the whole run
	PerPoint float64         // seconds by point
	Groups   schedule.Groups // launches of an iteration, where tiles overlap; nil: it is one
	Parts    []Part          // by phase
	Other    *Expected       // where tiles overlap: what the best take that do not stream if these do, or do if these do not; nil: that was not asked for, or none fit
}

// untiledThreads bounds the threads of a block: with more, few blocks fit a multiprocessor, and the last of them leaves much of it idle.
const untiledThreads = 256

// The registers of a thread beside the values that a statement reads and writes.
const (
	plainRegisters  = 24 // indices, addresses, intermediate results
	arrayRegisters  = 4  // a pointer, and what its subscripts share
	columnRegisters = 8  // what a point of a column loads ahead of the one before
)

// columnCost is how much longer a block takes that a bound of the grid cuts, where its threads run columns of points: each point then
// loads what it reads. Where a thread has one point it only tests whether that is there.
const columnCost = 1.5

// ChooseUntiled returns how many points along each dimension a block runs with which the loops of c, each level of each step a launch
// on d, take the least time by the model, and what they take. The error, a diag.List, says what is wrong with the typical sizes.
func ChooseUntiled(c *schedule.Canonical, d machine.Device, typical Typical, asked Asked) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, asked)
	if err != nil {
		return Estimate{}, err
	}
	o := asked.Options()
	o.Strategy = lower.Global
	u := untiled{search: s, plain: lower.NewCounter(c, d, o)}
	u.traffic()
	var all []Estimate
	for _, w := range s.columns() {
		all = append(all, u.estimate(w, u.plain.Rough))
	}
	slices.SortStableFunc(all, byTime)
	all = all[:min(len(all), exactSpace)]
	for i, e := range all {
		all[i] = u.estimate(e.Sizes.W, u.exact)
	}
	best := slices.MinFunc(all, byTime)
	tiles := schedule.SpaceTiles(c, best.Sizes)
	for i, p := range best.Parts { // the box is rough: it has corners, and what is read of the planes that are written
		best.Parts[i].Port = float64(s.exact(tiles, p.Phase).Bytes)
	}
	return best, nil
}

// columns returns the widths to try: of the stride-one dimension whole warps, of the one before no more than the threads of a block,
// and of the first a column of a thread, if it is neither.
func (s *search) columns() (all [][]int64) {
	dims := len(s.space.Space)
	warp := int64(s.device.Warp)
	most := int64(min(untiledThreads, s.device.ThreadsPerBlock))
	lists := slices.Repeat([][]int64{{1}}, dims)
	lists[0] = []int64{1, 2, 4, 8}
	if dims > 2 {
		lists[dims-2] = []int64{1, 2, 4, 8, 16}
	}
	lists[dims-1] = []int64{warp, 2 * warp, 4 * warp, 8 * warp}
	for _, w := range product(lists) {
		threads := w[dims-1]
		if dims > 2 {
			threads *= w[dims-2]
		}
		if threads <= most {
			all = append(all, w)
		}
	}
	if len(all) == 0 {
		all = [][]int64{slices.Repeat([]int64{1}, dims)}
	}
	return all
}

// An untiled is a search for the blocks of loops as they are written.
type untiled struct {
	*search                // counts boxes around what blocks use
	plain   *lower.Counter // counts what threads do
	bytes   []float64      // by level: what a step moves between memory and the chip
}

// traffic sets the bytes of each level.
func (u *untiled) traffic() {
	u.bytes = make([]float64, u.space.K)
	for level := range u.bytes {
		var all planes // of all nests of the launch: what two of them use moves once
		for _, st := range u.space.At(level) {
			if n, ok := nestOf(u.space, st, u.grid); ok {
				all.join(n.planes)
			}
		}
		u.bytes[level], _ = all.bytes()
	}
}

// registers estimates those of a thread: what ptxas was seen to take. A compiler may use more where it has them, which is what counts of straight
// code are about; these loops are short.
func (u *untiled) registers(w []int64) int {
	widest := 0
	for _, st := range u.space.Scop.Stmts {
		n := 0
		for _, a := range st.Accesses {
			n += a.Array.Elem.Words()
		}
		widest = max(widest, n)
	}
	n := plainRegisters + arrayRegisters*len(u.space.Scop.Arrays) + widest
	if w[0] > 1 && len(w) > 1 {
		n += columnRegisters
	}
	return min(n, u.device.RegistersPerThread)
}

// exact counts a phase exactly, or roughly where none of its blocks is whole.
func (u *untiled) exact(tiles *schedule.Schedule, phase int) lower.Counts {
	if counts := u.plain.PhaseCounts(tiles, phase); counts.Points > 0 {
		return counts
	}
	return u.plain.Rough(tiles, phase)
}

// estimate returns what blocks of such widths take, whose threads do what is counted. Of memory a block asks its share of what a step
// moves, of what is behind its multiprocessor the box around all that it uses, and of the cache there each access.
func (u *untiled) estimate(w []int64, count func(*schedule.Schedule, int) lower.Counts) Estimate {
	tiles := schedule.SpaceTiles(u.space, schedule.Sizes{H: schedule.NoHeight, W: w})
	e := Estimate{Sizes: tiles.Sizes}
	all := tilesOf(tiles, u.grid)
	for phase := range tiles.Phases {
		counts := count(tiles, phase)
		own := all
		own.launches = slices.DeleteFunc(slices.Clone(all.launches), func(x launches) bool { return x.phase != phase })
		if own.full = 1; w[0] > 1 && len(w) > 1 {
			own.full = 1 - (1-all.full)*(columnCost-1)/(partialCost-1)
		}
		l := loadOf(counts, u.device, u.double)
		share := float64(u.device.GBs) * 1e9 / u.device.Hertz() / float64(u.device.SMs)
		most := own.most()
		l.global = u.bytes[phase] / float64(max(1, most.blocks*most.sequence)) / share
		l.port = float64(u.counter.Rough(tiles, phase).Bytes) / portBytes
		l.shared = float64(counts.Bytes) / float64(u.device.SharedPerClock)
		occupancy := u.device.Occupancy(counts.Threads, u.registers(w), 0)
		cost := costOf(l, occupancy.Blocks, own, u.grid, u.device)
		e.Parts = append(e.Parts, Part{phase, l.global * share, l.port * portBytes, cost, own})
		e.Launches += cost.Launches
		e.Blocks = max(e.Blocks, cost.Blocks)
		e.Seconds += cost.Seconds
	}
	e.PerPoint = e.Seconds / float64(max(1, u.grid.Points))
	return e
}

// A nest is what one time step of a loop nest does.
type nest struct {
	steps   int64   // how many there are
	points  float64 // of a step
	bytes   float64 // of the elements that a step reads, and of those that it writes
	written float64 // of bytes, those written
	planes  planes
}

// nestOf returns the nest of st on a grid; ok is false if it has no points.
func nestOf(c *schedule.Canonical, st *scop.Stmt, g Grid) (n nest, ok bool) {
	params := make([]int64, len(g.Values))
	for i, v := range g.Values {
		params[i] = v.Value
	}
	loops := scop.NewNest(st, params)
	lo, hi, ok := loops.Box()
	if !ok {
		return n, false
	}
	n.steps = hi[0] - lo[0] + 1
	n.points = float64(pointsOf(loops, lo, hi)) / float64(n.steps)
	box := 1.0
	for d := 1; d < len(lo); d++ {
		box *= float64(hi[d]-lo[d]) + 1
	}
	for _, a := range st.Accesses {
		p := planeOf(a, params, lo, hi)
		p.share = min(1, n.points/box)
		n.planes.join(planes{p})
	}
	n.bytes, n.written = n.planes.bytes()
	return n, n.points > 0
}

// planes are those of a nest or of several, each key once.
type planes []plane

// join adds what others touch.
func (all *planes) join(others planes) {
	for _, q := range others {
		i := slices.IndexFunc(*all, func(p plane) bool { return p.key == q.key })
		if i < 0 {
			q.lo, q.hi = slices.Clone(q.lo), slices.Clone(q.hi)
			*all = append(*all, q)
			continue
		}
		(*all)[i].join(q)
	}
}

// bytes returns those of the elements, and of these those written.
func (all planes) bytes() (bytes, written float64) {
	for _, p := range all {
		n := p.elements() * p.share * p.size
		bytes += n
		if p.write {
			written += n
		}
	}
	return bytes, written
}

// A plane is what a step reads of an array, or writes, by subscripts that differ in constants only.
type plane struct {
	key    string  // what those have in common that may touch the same
	lo, hi []int64 // of the subscripts that loops over space have a part in
	each   float64 // elements of one access
	share  float64 // of them that the points of the nest touch, which need not fill their box
	count  int     // accesses
	size   float64 // bytes of an element
	write  bool
}

// planeOf returns what one access touches in a step.
func planeOf(a *scop.Access, params, lo, hi []int64) plane {
	p := plane{each: 1, count: 1, size: float64(a.Array.Elem.Size()), write: a.Write}
	key := fmt.Sprint(a.Array.Name, a.Write)
	used := make([]bool, len(lo))
	for _, x := range a.Index {
		least, follows := x.Affine.At(make([]int64, len(lo)), params), false
		most := least
		for d := 1; d < len(lo); d++ {
			if k := x.Coef(d); k != 0 {
				least, most = least+min(k*lo[d], k*hi[d]), most+max(k*lo[d], k*hi[d])
				used[d], follows = true, true
				key += fmt.Sprint(" ", d, "*", k)
			}
		}
		key += fmt.Sprint(" t*", x.Coef(0), " mod ", x.Mod)
		switch {
		case !follows:
			key += fmt.Sprint(" + ", x.At(make([]int64, len(lo)), params))
			least, most = 0, 0
		case x.Mod > 0:
			least, most = 0, min(x.Mod-1, most-least)
		}
		p.lo, p.hi = append(p.lo, least), append(p.hi, most)
	}
	for d := 1; d < len(lo); d++ {
		if used[d] {
			p.each *= float64(hi[d]-lo[d]) + 1
		}
	}
	p.key = key
	return p
}

// join adds what another access touches.
func (p *plane) join(q plane) {
	for i := range p.lo {
		p.lo[i], p.hi[i] = min(p.lo[i], q.lo[i]), max(p.hi[i], q.hi[i])
	}
	p.each, p.share = max(p.each, q.each), max(p.share, q.share)
	p.count += q.count
}

// elements returns about how many elements the accesses touch: no more than the box
// around them has, nor than they touch one by one.
func (p *plane) elements() float64 {
	box := 1.0
	for i := range p.lo {
		box *= float64(p.hi[i]-p.lo[i]) + 1
	}
	return min(box, p.each*float64(p.count))
}
