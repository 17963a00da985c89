package model

import (
	"slices"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses tiles of space alone by the same model as those in time. Each
// nest of each time step is a launch, with a block for each tile.

// exactSpace is how many candidates are counted exactly.
const exactSpace = 4

// ChooseSpace returns the widths of tiles of space alone with which a run takes the
// least time by the model, and what it takes. The error, a diag.List, says that
// no widths fit d at all, or what is wrong with the typical sizes.
func ChooseSpace(c *schedule.Canonical, d machine.Device, typical Typical, asked Asked) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, asked)
	if err != nil {
		return Estimate{}, err
	}
	all := s.fitting(s.boxes())
	if len(all) == 0 {
		all = s.fitting([][]int64{slices.Repeat([]int64{1}, len(c.Space))})
	}
	if len(all) == 0 {
		return Estimate{}, s.tooLarge("name sizes with --tile")
	}
	slices.SortStableFunc(all, byTime)
	all = all[:min(len(all), exactSpace)]
	for i, e := range all {
		all[i], _ = s.estimate(schedule.SpaceTiles(c, e.Sizes), s.exact)
	}
	return slices.MinFunc(all, byTime), nil
}

// fitting returns what boxes of such widths take, by rough counts, of those that fit.
func (s *search) fitting(widths [][]int64) (all []Estimate) {
	for _, w := range widths {
		tiles := schedule.SpaceTiles(s.space, schedule.Sizes{H: schedule.NoHeight, W: w})
		if e, ok := s.estimate(tiles, s.counter.Rough); ok {
			all = append(all, e)
		}
	}
	return all
}

// AssessSpace returns what tiles of space alone of the given legal widths take.
func AssessSpace(c *schedule.Canonical, d machine.Device, typical Typical, sizes schedule.Sizes, asked Asked) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, asked)
	if err != nil {
		return Estimate{}, err
	}
	e, _ := s.estimate(schedule.SpaceTiles(c, sizes), s.exact)
	return e, nil
}

// boxes returns the widths to try: whole warps of the stride-one dimension, powers
// of two of the others.
func (s *search) boxes() (all [][]int64) {
	dims := len(s.space.Space)
	warp := int64(s.device.Warp)
	last := []int64{warp, 2 * warp, 4 * warp, 8 * warp}
	others := []int64{1, 2, 4, 8, 16, 32}
	switch {
	case dims == 1:
		last = append(last, 16*warp, 32*warp, 64*warp)
	case dims > 3:
		last, others = last[:2], []int64{1, 4, 16}
	}
	lists := slices.Repeat([][]int64{others}, dims)
	lists[dims-1] = last
	if s.space.Sweeps != nil { // the first is the row of levels without an order, if there are any
		lists[0] = []int64{longestRow}
	}
	return product(lists)
}

// exact counts a phase exactly, or roughly where none of its tiles is full.
func (s *search) exact(tiles *schedule.Schedule, phase int) lower.Counts {
	if counts := s.counter.PhaseCounts(tiles, phase); counts.Points > 0 {
		return counts
	}
	return s.counter.Rough(tiles, phase)
}

// estimate returns what tiles take whose phases differ, as counted; ok is false if they do not fit.
func (s *search) estimate(tiles *schedule.Schedule, count func(*schedule.Schedule, int) lower.Counts) (e Estimate, ok bool) {
	e, ok = Estimate{Sizes: tiles.Sizes}, true
	all := tilesOf(tiles, s.grid)
	for phase := range tiles.Phases {
		counts := count(tiles, phase)
		occupancy := s.device.Occupancy(counts.Threads, counts.Registers, counts.SharedBytes)
		ok = ok && counts.SharedBytes <= int64(s.device.SharedBytes) && occupancy.Blocks > 0
		own := all
		own.launches = slices.DeleteFunc(slices.Clone(all.launches), func(x launches) bool { return x.phase != phase })
		cost := costOf(loadOf(counts, s.device, s.double), occupancy.Blocks, own, s.grid, s.device)
		e.Parts = append(e.Parts, Part{phase, float64(counts.Bytes), 0, cost, own})
		e.Launches += cost.Launches
		e.Blocks = max(e.Blocks, cost.Blocks)
		e.Seconds += cost.Seconds
	}
	e.PerPoint = e.Seconds / float64(max(1, s.grid.Points))
	return e, ok
}
