package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses boxes that overlap by the same model as other tiles. All nests of as many iterations of the time loop as a tile spans are one launch;
// what a tile computes of other tiles' points is counted as all else.

// exactOverlapped is how many candidates are counted exactly, of each height.
const exactOverlapped = 2

// iterations are how many iterations of the time loop a tile may span; more are tried as long as they are better than fewer.
var iterations = []int64{1, 2, 3, 4, 6, 8}

// A ConflictError says that tiles that overlap cannot run at the same time: one stores what another one still reads.
type ConflictError struct{ schedule.Dependence }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s stores what %s of another tile, which runs at the same time, may still read", e.DstAccess.Text, e.SrcAccess.Text)
}

// ChooseOverlapped returns the sizes of boxes that overlap, with a launch for each of the groups, with which a run takes the least time by the model, and what it takes. The error, a diag.List, says that
// no sizes fit d at all, that boxes would grow with a parameter, or what is wrong with the typical sizes; or it is a ConflictError.
func ChooseOverlapped(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, d machine.Device, typical Typical, leave lower.Leave) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, leave)
	if err != nil {
		return Estimate{}, err
	}
	byTime := func(x, y Estimate) int { return cmp.Compare(x.Seconds, y.Seconds) }
	var all []Estimate
	least := math.Inf(1)
	overlap := schedule.NewOverlap(c, deps).In(groups)
	for _, h := range iterations {
		if h > 1 && (c.Scop.Timeless || len(groups) > 1) {
			break
		}
		var rough []Estimate
		for _, w := range s.owned() {
			tiles, err := overlap.Tiles(schedule.Sizes{H: h, W: w})
			if err != nil {
				return Estimate{}, err
			}
			if d, conflict := tiles.Conflict(); conflict {
				if h == 1 && len(all)+len(rough) == 0 {
					return Estimate{}, &ConflictError{d}
				}
				break
			}
			count := s.counter.Rough
			if c.Ways != nil { // most arrays stay in global memory: what is rough of others would be far off
				count = s.exact
			}
			if e, ok := s.estimate(tiles, count); ok {
				rough = append(rough, e)
			}
		}
		slices.SortStableFunc(rough, byTime)
		for _, e := range rough[:min(len(rough), exactOverlapped)] {
			tiles, err := overlap.Tiles(e.Sizes)
			if err != nil {
				return Estimate{}, err
			}
			if e, ok := s.estimate(tiles, s.exact); ok {
				all = append(all, e)
			}
		}
		if len(rough) == 0 || rough[0].Seconds >= least {
			break
		}
		least = rough[0].Seconds
	}
	if len(all) == 0 {
		return Estimate{}, tooLarge(c, d, "name sizes with --tile")
	}
	best := slices.MinFunc(all, byTime)
	best.Groups = groups
	return best, nil
}

// owned returns the widths to try: whole warps of the stride-one dimension, and of the others what makes boxes little longer than wide.
func (s *search) owned() [][]int64 {
	warp := int64(s.device.Warp)
	if s.space.Ways != nil { // whole columns, few at a time: shared memory holds what they hand on
		lists := slices.Repeat([][]int64{{1, 2, 4, 8, 16}}, len(s.space.Space))
		lists[0], lists[len(lists)-1] = []int64{s.space.Column.Points}, []int64{warp / 4, warp / 2, warp, 2 * warp}
		return product(lists)
	}
	switch dims := len(s.space.Space); dims {
	case 1:
		return product([][]int64{{4 * warp, 8 * warp, 16 * warp, 32 * warp}})
	case 2:
		return product([][]int64{{4, 8, 16, 32}, {warp, 2 * warp, 4 * warp}})
	default:
		lists := slices.Repeat([][]int64{{1, 4, 8, 16}}, dims)
		lists[dims-1] = []int64{warp, 2 * warp}
		return product(lists)
	}
}
