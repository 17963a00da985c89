package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses boxes that overlap by the same model as other tiles. All nests of as many iterations of the time loop as a tile spans are one launch;
// what a tile computes of other tiles' points is counted as all else.

// exactOverlapped is how many candidates are counted exactly, of each height.
const exactOverlapped = 4

// A ConflictError says that tiles that overlap cannot run at the same time: one stores what another one still reads.
type ConflictError struct{ schedule.Dependence }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s stores what %s of another tile, which runs at the same time, may still read", e.DstAccess.Text, e.SrcAccess.Text)
}

// ChooseOverlapped returns the sizes of boxes that overlap with which a run takes the least time by the model, and what it takes. The error, a diag.List, says that
// no sizes fit d at all, that boxes would grow with a parameter, or what is wrong with the typical sizes; or it is a ConflictError.
func ChooseOverlapped(c *schedule.Canonical, deps []schedule.Dependence, d machine.Device, typical Typical, leave lower.Leave) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, leave)
	if err != nil {
		return Estimate{}, err
	}
	byTime := func(x, y Estimate) int { return cmp.Compare(x.Seconds, y.Seconds) }
	var all []Estimate
	for _, h := range []int64{1, 2, 4} {
		if c.Scop.Timeless && h > 1 {
			break
		}
		var rough []Estimate
		for _, w := range s.boxes() {
			tiles, err := schedule.OverlappedTiles(c, deps, schedule.Sizes{H: h, W: w})
			if err != nil {
				return Estimate{}, err
			}
			if d, conflict, err := tiles.Conflict(deps); err != nil {
				return Estimate{}, err
			} else if conflict {
				if h == 1 && len(all)+len(rough) == 0 {
					return Estimate{}, &ConflictError{d}
				}
				break
			}
			if e, ok := s.estimate(tiles, s.counter.Rough); ok {
				rough = append(rough, e)
			}
		}
		slices.SortStableFunc(rough, byTime)
		for _, e := range rough[:min(len(rough), exactOverlapped)] {
			tiles, err := schedule.OverlappedTiles(c, deps, e.Sizes)
			if err != nil {
				return Estimate{}, err
			}
			if e, ok := s.estimate(tiles, s.exact); ok {
				all = append(all, e)
			}
		}
	}
	if len(all) == 0 {
		return Estimate{}, tooLarge(c, d, "name sizes with --tile")
	}
	return slices.MinFunc(all, byTime), nil
}
