package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// The bounds of the search.
const (
	maxHeight  = 16      // steps of a tile, each of which is code, unless fewer are not legal
	maxCode    = 4096    // instructions of a tile that is straight code: 64 KiB, for the instruction cache and the compilers; twice that, where there are halves of folded dimensions
	maxCounted = 24      // candidates of the lattice to count exactly
	maxRounds  = 3       // of looking at the neighbours of the best,
	looked     = 2       // and of so many of them
	maxLattice = 1 << 14 // sizes of a lattice: of more dimensions it is coarser
)

// A search looks for tile sizes of a program.
type search struct {
	asking  Asked
	space   *schedule.Canonical
	cone    schedule.Cone
	device  machine.Device
	grid    Grid
	counter *lower.Counter
	double  bool
	tally   tally
	ready   bool           // tiles start when those that they need have ended
	asked   schedule.Sizes // for which tiles was called last
	last    *schedule.Schedule
}

func newSearch(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, asked Asked) (*search, error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	o := asked.Options()
	o.Async = d.AsyncCopies
	return &search{asking: asked, space: c, cone: cone, device: d, grid: grid, counter: lower.NewCounter(c, d, o), double: usesDouble(c.Scop)}, nil
}

// best returns candidates that fit, counted exactly, and how many fit: the most
// promising of a lattice of sizes, and neighbours of the best of them.
func (s *search) best() (all []Candidate, tried int) {
	fit := s.screen()
	tried = len(fit)
	seen := map[string]bool{}
	for _, x := range fit {
		if len(all) == maxCounted {
			break
		}
		if seen[x.Sizes.String()] { // widths below the least legal one became it
			continue
		}
		seen[x.Sizes.String()] = true
		if y := s.count(s.tiles(x.Sizes)); s.fits(y) {
			all = append(all, y)
		}
	}
	for range maxRounds {
		if len(all) == 0 {
			break
		}
		rank(all)
		before := slices.Clone(all[:min(len(all), looked)])
		for _, x := range before {
			for _, sizes := range s.neighbours(x.Sizes) {
				if seen[sizes.String()] {
					continue
				}
				seen[sizes.String()] = true
				tried++
				if y := s.count(s.tiles(sizes)); s.fits(y) {
					all = append(all, y)
				}
			}
		}
		if rank(all); all[0].Sizes.String() == before[0].Sizes.String() {
			break
		}
	}
	return all, tried
}

// tooLarge is the error that no tile does, with a way out.
func (s *search) tooLarge(help string) error {
	if s.asking.Occupancy > 0 {
		return diag.List{{Code: "HX407", At: s.space.Scop.Start(),
			Msg:  fmt.Sprintf("none of the tiles that are tried lets %g of the warps of a multiprocessor of %s run at once", s.asking.Occupancy, s.device.Name),
			Help: "ask for less occupancy, or for a block of another size (--block)"}}
	}
	return tooLarge(s.space, s.device, help)
}

// fits reports whether a candidate that has not been settled may do: registers then save up to an eighth of the instructions that are counted of it.
func (s *search) fits(x Candidate) bool {
	return (!s.ready || x.tiling.waits != nil) && x.Counts.SharedBytes <= int64(s.device.SharedBytes) && x.Occupancy.Blocks > 0 && s.asking.Keeps(s.device, x.Occupancy) && s.short(x, 1.0/8)
}

// short reports whether the code of a candidate is no longer than it may be, and such a part of that.
func (s *search) short(x Candidate, more float64) bool {
	return !x.Counts.Straight || instructions(x.Counts) <= s.maxCode()*(1+more)
}

// maxCode returns how many instructions a tile of straight code may have.
func (s *search) maxCode() float64 {
	if s.counter.Halves() {
		return 2 * maxCode
	}
	return maxCode
}

// tiles returns the tiles of sizes that are legal: those of the last call where they are asked for again.
func (s *search) tiles(sizes schedule.Sizes) *schedule.Schedule {
	if s.last != nil && sizes.H == s.asked.H && slices.Equal(sizes.W, s.asked.W) && slices.Equal(sizes.Start, s.asked.Start) {
		return s.last
	}
	sizes.W, sizes.Start = slices.Clone(sizes.W), slices.Clone(sizes.Start) // the tiles refer to them, and the caller changes them
	s.asked = sizes
	tiles, err := schedule.HybridTiles(s.space, s.cone, sizes)
	if err != nil {
		panic(fmt.Sprintf("model: %v: %v", sizes, err))
	}
	if s.ready {
		tiles.Waits = s.likely(sizes) // what waits copies less to shared memory
	}
	s.last = tiles
	return tiles
}

// A lattice is sizes worth a look: few steps, and widths by dimension, smallest first.
type lattice struct {
	heights []int64
	least   func(h int64) int64 // width of dimension 0
	// widthsOver returns the widths by dimension, where those of dimension 0 are at least so much.
	widthsOver func(least int64) [][]int64
}

// lattice returns the lattice of the search: whole warps of the stride-one
// dimension, widths that grow by about a third, by more where there are many dimensions.
func (s *search) lattice() lattice {
	hexagon := []int64{0, 1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 28, 40} // above its bound
	classical := []int64{2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 48}
	if len(s.space.Space) > 3 {
		classical = []int64{2, 4, 8, 16, 24}
	}
	var last []int64
	for n := int64(s.device.Warp); n <= 16*int64(s.device.Warp); n *= 2 {
		last = append(last, n)
	}
	if len(s.space.Space) == 1 { // the hexagon is stride-one, and w0+1 wide at its narrowest
		for n := 2 * last[len(last)-1]; n <= 1<<13; n *= 2 {
			last = append(last, n)
		}
		for i := range last {
			last[i]--
		}
	}
	hs := heights(s.space.K)
	size := func() int {
		n := len(hs) * len(last)
		if len(s.space.Space) > 1 {
			n *= len(hexagon)
		}
		for range len(s.space.Space) - 2 {
			n = min(n*len(classical), 1<<30)
		}
		return n
	}
	for size() > maxLattice && len(classical) > 1 {
		classical = everyOther(classical)
	}
	return lattice{hs, func(h int64) int64 { return schedule.MinW0(s.cone, h) }, func(least int64) [][]int64 {
		if len(s.space.Space) == 1 {
			widths := slices.Clone(last)
			for i, w := range last {
				widths[i] = max(w, least)
			}
			return [][]int64{widths}
		}
		widths := [][]int64{nil}
		for _, w := range hexagon {
			widths[0] = append(widths[0], w+least)
		}
		for p := range len(s.space.Space) - 2 {
			if s.still(1 + p) {
				widths = append(widths, []int64{1, 2, 4, 8, 16, 32})
			} else {
				widths = append(widths, classical)
			}
		}
		return append(widths, last)
	}}
}

// still reports whether no value travels along a dimension: then tiles have no halo there, and may be one point wide.
func (s *search) still(dim int) bool {
	return dim < len(s.cone.Lo) && s.cone.Lo[dim].Sign() == 0 && s.cone.Hi[dim] != nil && s.cone.Hi[dim].Sign() == 0
}

// everyOther returns the first of each two numbers.
func everyOther(ns []int64) (half []int64) {
	for i := 0; i < len(ns); i += 2 {
		half = append(half, ns[i])
	}
	return half
}

// each calls f with the sizes of l of which none has a room of more than limit, in order. What
// room says must not fall where a width grows.
func (l lattice) each(limit int64, room func(schedule.Sizes) int64, f func(schedule.Sizes)) {
	for _, h := range l.heights {
		widths := l.widthsOver(l.least(h))
		w := make([]int64, len(widths))
		for i := range w {
			w[i] = widths[i][0]
		}
		var walk func(d int)
		walk = func(d int) {
			if d == len(w) {
				f(schedule.Sizes{H: h, W: slices.Clone(w)})
				return
			}
			for _, w[d] = range widths[d] {
				if room(schedule.Sizes{H: h, W: w}) > limit { // and so have all that follow
					break
				}
				walk(d + 1)
			}
			w[d] = widths[d][0]
		}
		walk(0)
	}
}

// room returns the bytes of shared memory without which no tile of those sizes fits.
func (s *search) room(sizes schedule.Sizes) int64 { return s.counter.Room(s.tiles(sizes), 0) }

// neighbours returns legal sizes that differ little from the given, one at a time.
func (s *search) neighbours(x schedule.Sizes) []schedule.Sizes {
	var all []schedule.Sizes
	add := func(h int64, w []int64) {
		w[0] = max(w[0], schedule.MinW0(s.cone, h))
		all = append(all, schedule.Sizes{H: h, W: w})
	}
	for _, h := range heights(s.space.K) {
		if d := h - x.H; d != 0 && max(d, -d) <= int64(s.space.K) {
			add(h, slices.Clone(x.W))
		}
	}
	for i, w := range x.W {
		unit := []int64{1, 2, 3, 8}
		if i == len(x.W)-1 {
			unit = []int64{int64(s.device.Warp)}
		}
		for _, u := range unit {
			for _, y := range []int64{w - u, w + u} {
				if y >= 1 && y <= schedule.WidthLimit {
					v := slices.Clone(x.W)
					v[i] = y
					add(x.H, v)
				}
			}
		}
	}
	return all
}

// heights returns the legal h of at most maxHeight steps, or the least one.
func heights(k int) []int64 {
	hs := schedule.LegalH(k)
	n := 0
	for n < len(hs) && 2*hs[n]+2 <= maxHeight {
		n++
	}
	return hs[:min(len(hs), max(n, 1))]
}

// screen returns the sizes of the lattice that fit, those that take the least
// time by rough counts first.
func (s *search) screen() []Candidate {
	var fit []Candidate
	s.lattice().each(int64(s.device.SharedBytes), s.room, func(sizes schedule.Sizes) {
		tiles := s.tiles(sizes)
		if x := s.candidate(tiles, s.rough(tiles), true); s.fits(x) {
			fit = append(fit, x)
		}
	})
	slices.SortStableFunc(fit, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(x.Cost.Seconds, y.Cost.Seconds), smaller(x, y))
	})
	return fit
}

// rough returns the rough counts of tiles.
func (s *search) rough(tiles *schedule.Schedule) lower.Counts {
	return s.tally.of(rough, tiles.Sizes, func() lower.Counts { return s.counter.Rough(tiles, 0) })
}

// count returns the candidate of tiles, counted exactly where a tile is full.
func (s *search) count(tiles *schedule.Schedule) Candidate {
	s.wait(tiles)
	counts := s.tally.of(traffic, tiles.Sizes, func() lower.Counts { return s.counter.Traffic(tiles, 0) })
	counts.Barriers = counts.Steps + 1 // a guess, until settle
	if counts.Points == 0 {
		rough := s.rough(tiles)
		rough.SharedBytes = counts.SharedBytes
		return s.candidate(tiles, rough, true)
	}
	return s.candidate(tiles, counts, false)
}

// settle counts what takes the most time to count: barriers, and what registers save.
func (s *search) settle(x Candidate) Candidate {
	if x.Rough || x.Counts.SharedBytes > int64(s.device.SharedBytes) { // it is not to be: HX401
		return x
	}
	tiles := s.tiles(x.Sizes)
	s.wait(tiles)
	return s.candidate(tiles, s.tally.of(exact, tiles.Sizes, func() lower.Counts { return s.counter.PhaseCounts(tiles, 0) }), false)
}

// candidate returns the candidate of tiles with those counts.
func (s *search) candidate(tiles *schedule.Schedule, counts lower.Counts, rough bool) Candidate {
	x := Candidate{Sizes: tiles.Sizes, Counts: counts, Rough: rough}
	x.Occupancy = s.device.Occupancy(counts.Threads, counts.Registers, counts.SharedBytes)
	x.tiling = tilesOf(tiles, s.grid)
	x.load = loadOf(counts, s.device, s.double)
	if w := x.tiling.waits; w != nil {
		x.load.wait += w.clocks()
	}
	x.Cost = costOf(x.load, x.Occupancy.Blocks, x.tiling, s.grid, s.device)
	return x
}

// tooLarge is the error that no tile that is tried fits d, although arrays may stay in
// global memory, and what to do.
func tooLarge(c *schedule.Canonical, d machine.Device, help string) error {
	return diag.List{{
		Code: "HX401",
		At:   c.Scop.Start(),
		Msg:  fmt.Sprintf("none of the tiles that are tried fits a block of %s, with its %d bytes of shared memory or without", d.Name, d.SharedBytes),
		Help: help,
	}}
}
