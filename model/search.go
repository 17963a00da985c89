package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// The bounds of the search.
const (
	maxHeight  = 16   // steps of a tile, each of which is code, unless fewer are not legal
	maxCode    = 4096 // instructions of a tile that is straight code: 64 KiB, for the instruction cache and the compilers
	maxCounted = 24   // candidates of the lattice to count exactly
	maxRounds  = 3    // of looking at the neighbours of the best
)

// A search looks for tile sizes of a program.
type search struct {
	space   *schedule.Canonical
	cone    schedule.Cone
	device  gpu.Device
	grid    Grid
	counter *gpu.Counter
	double  bool
}

func newSearch(c *schedule.Canonical, cone schedule.Cone, d gpu.Device, typical Typical, leave gpu.Leave) (*search, error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	return &search{c, cone, d, grid, gpu.NewCounter(c, d, gpu.Options{Leave: leave}), usesDouble(c.Scop)}, nil
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
		best := all[0]
		for _, sizes := range s.neighbours(best.Sizes) {
			if seen[sizes.String()] {
				continue
			}
			seen[sizes.String()] = true
			tried++
			if y := s.count(s.tiles(sizes)); s.fits(y) {
				all = append(all, y)
			}
		}
		if rank(all); all[0].Sizes.String() == best.Sizes.String() {
			break
		}
	}
	return all, tried
}

func (s *search) fits(x Candidate) bool {
	return x.Counts.SharedBytes <= int64(s.device.SharedBytes) && x.Occupancy.Blocks > 0 && (!x.Counts.Straight || instructions(x.Counts) <= maxCode)
}

// tiles returns the tiles of sizes that are legal.
func (s *search) tiles(sizes schedule.Sizes) *schedule.Schedule {
	tiles, err := schedule.HybridTiles(s.space, s.cone, sizes)
	if err != nil {
		panic(fmt.Sprintf("model: %v: %v", sizes, err))
	}
	return tiles
}

// lattice returns sizes worth a look: few steps, whole warps of the stride-one
// dimension, widths that grow by about a third.
func (s *search) lattice() []schedule.Sizes {
	widths := [][]int64{{0, 1, 2, 3, 4, 5, 7, 9, 12, 16, 21, 28, 40}} // of w0, above its bound
	classical := []int64{2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 48}
	if len(s.space.Space) > 3 {
		classical = []int64{2, 4, 8, 16, 24}
	}
	for range s.space.Space[1:] {
		widths = append(widths, classical)
	}
	var last []int64
	for n := int64(s.device.Warp); n <= 16*int64(s.device.Warp); n *= 2 {
		last = append(last, n)
	}
	if len(widths) == 1 { // the hexagon is stride-one, and w0+1 wide at its narrowest
		for n := 2 * last[len(last)-1]; n <= 1<<13; n *= 2 {
			last = append(last, n)
		}
		for i := range last {
			last[i]--
		}
	}
	widths[len(widths)-1] = last
	var all []schedule.Sizes
	for _, h := range heights(s.space.K) {
		least := schedule.MinW0(s.cone, h)
		for _, w := range product(widths) {
			if len(w) > 1 {
				w[0] += least
			}
			w[0] = max(w[0], least)
			all = append(all, schedule.Sizes{H: h, W: w})
		}
	}
	return all
}

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

// product returns all vectors of one of each list.
func product(lists [][]int64) [][]int64 {
	all := [][]int64{nil}
	for _, list := range lists {
		var longer [][]int64
		for _, v := range all {
			for _, x := range list {
				longer = append(longer, append(slices.Clone(v), x))
			}
		}
		all = longer
	}
	return all
}

// screen returns the sizes of the lattice that fit, those that take the least
// time by rough counts first.
func (s *search) screen() []Candidate {
	var fit []Candidate
	for _, sizes := range s.lattice() {
		tiles := s.tiles(sizes)
		if x := s.candidate(tiles, s.counter.Rough(tiles, 0), true); s.fits(x) {
			fit = append(fit, x)
		}
	}
	slices.SortStableFunc(fit, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(x.Cost.Seconds, y.Cost.Seconds), smaller(x, y))
	})
	return fit
}

// count returns the candidate of tiles, counted exactly where a tile is full.
func (s *search) count(tiles *schedule.Schedule) Candidate {
	counts := s.counter.Traffic(tiles, 0)
	counts.Barriers = counts.Steps + 1 // a guess, until settle
	if counts.Points == 0 {
		rough := s.counter.Rough(tiles, 0)
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
	return s.candidate(tiles, s.counter.PhaseCounts(tiles, 0), false)
}

// candidate returns the candidate of tiles with those counts.
func (s *search) candidate(tiles *schedule.Schedule, counts gpu.Counts, rough bool) Candidate {
	x := Candidate{Sizes: tiles.Sizes, Counts: counts, Rough: rough}
	x.Occupancy = s.device.Occupancy(counts.Threads, counts.Registers, counts.SharedBytes)
	x.tiling = tilesOf(tiles, s.grid)
	x.load = loadOf(counts, s.device, s.double)
	x.Cost = costOf(x.load, x.Occupancy.Blocks, x.tiling, s.grid, s.device)
	return x
}

// tooLarge is the error that not even the smallest tile fits d.
func tooLarge(c *schedule.Canonical, d gpu.Device) error {
	return diag.List{{
		Code: "HX401",
		At:   c.Scop.Start(),
		Msg:  fmt.Sprintf("no tile fits the %d bytes of shared memory that a block of %s has", d.SharedBytes, d.Name),
		Help: "--memory=global does without shared memory",
	}}
}
