package model

import (
	"cmp"
	"errors"
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

// ChooseOverlapped returns the sizes of boxes that overlap, with a launch for each of the groups, with which a run takes the least time by the model, and what it takes. wish says whether they
// stream: along that dimension of space, or not (NoStream); nil: as the model finds better, and Other is what the best takes that does not do as the best does. The error, a diag.List, says that
// no sizes fit d at all, that boxes would grow with a parameter, or what is wrong with the typical sizes; or it is a ConflictError.
func ChooseOverlapped(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, d machine.Device, typical Typical, asked Asked, wish *int) (Estimate, error) {
	s, err := newSearch(c, schedule.Cone{}, d, typical, asked)
	if err != nil {
		return Estimate{}, err
	}
	o := fusing{s, schedule.NewOverlap(c, deps).In(groups), groups}
	var boxes, planes []Estimate
	if wish == nil || *wish == NoStream {
		boxes, err = o.best(func(h int64) ([]Estimate, error) { return o.boxes(h) })
		if err != nil {
			return Estimate{}, err
		}
	}
	for _, dim := range s.streams(wish) {
		more, err := o.best(func(h int64) ([]Estimate, error) { return o.planes(h, dim) })
		if err != nil {
			return Estimate{}, err
		}
		planes = append(planes, more...)
	}
	slices.SortStableFunc(boxes, byTime)
	slices.SortStableFunc(planes, byTime)
	for wish == nil && len(planes) > 0 && !o.keeps(planes[0].Sizes) {
		planes = planes[1:]
	}
	if len(boxes)+len(planes) == 0 {
		return Estimate{}, s.tooLarge("name sizes with --tile")
	}
	if len(boxes) == 0 || len(planes) > 0 && planes[0].Seconds*streamMargin < boxes[0].Seconds {
		boxes, planes = planes, boxes
	}
	best := boxes[0]
	if best.Groups = groups; len(planes) > 0 {
		best.Other = planes[0].expected()
	}
	return best, nil
}

// streamMargin is how many times faster tiles that stream have to be expected to be to be taken in place of tiles that do not: by replay (docs/choice.md) they take up to 1.3 times what is
// expected, and those that do not as little as half.
const streamMargin = 1.75

func byTime(x, y Estimate) int { return cmp.Compare(x.Seconds, y.Seconds) }

// A fusing is a search for boxes that overlap.
type fusing struct {
	*search
	overlap *schedule.Overlap
	groups  schedule.Groups
}

// best returns the candidates of all heights that are worth a look, of which of returns the best of one, or none that fit.
func (o *fusing) best(of func(h int64) ([]Estimate, error)) (all []Estimate, err error) {
	least := math.Inf(1)
	for _, h := range iterations {
		if h > 1 && (o.space.Scop.Timeless || len(o.groups) > 1) {
			break
		}
		if most := o.asking.Iterations; most > 0 && h > most {
			break
		}
		some, err := of(h)
		if err != nil {
			if conflict := (*ConflictError)(nil); errors.As(err, &conflict) && h > 1 {
				break
			}
			return nil, err
		}
		all = append(all, some...)
		if len(some) == 0 || some[0].Seconds >= least {
			break
		}
		least = some[0].Seconds
	}
	return all, nil
}

// weigh returns what tiles of those sizes take; ok is false if they do not fit.
func (o *fusing) weigh(sizes schedule.Sizes, count func(*schedule.Schedule, int) lower.Counts) (e Estimate, ok bool, err error) {
	tiles, err := o.overlap.Tiles(sizes)
	if err != nil {
		return e, false, err
	}
	if d, conflict := tiles.Conflict(); conflict {
		return e, false, &ConflictError{d}
	}
	e, ok = o.estimate(tiles, count)
	return e, ok, nil
}

// keeps reports whether tiles of those sizes, which are legal, have in shared memory what they have to.
func (o *fusing) keeps(sizes schedule.Sizes) bool {
	tiles, err := o.overlap.Tiles(sizes)
	return err == nil && o.counter.Keeps(tiles)
}

// boxes returns what the best tiles of a height take that run step by step, by rough counts and then, of some of them, exactly.
func (o *fusing) boxes(h int64) (all []Estimate, err error) {
	var rough []Estimate
	count := o.counter.Rough
	if o.space.Ways != nil { // most arrays stay in global memory: what is rough of others would be far off
		count = o.exact
	}
	for _, w := range o.owned() {
		e, ok, err := o.weigh(schedule.Sizes{H: h, W: w}, count)
		if err != nil && len(rough) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		if ok {
			rough = append(rough, e)
		}
	}
	slices.SortStableFunc(rough, byTime)
	for _, e := range rough[:min(len(rough), exactOverlapped)] {
		e, ok, err := o.weigh(e.Sizes, o.exact)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, byTime)
	return all, nil
}

// planes returns what tiles of a height take that stream along a dimension, the best ones first.
func (o *fusing) planes(h int64, dim int) ([]Estimate, error) {
	var failed error
	all := o.streamed(h, dim, func(sizes schedule.Sizes) (Estimate, bool) {
		if failed != nil {
			return Estimate{}, false
		}
		e, ok, err := o.weigh(sizes, o.counter.Rough)
		failed = err
		return e, ok && err == nil
	})
	if len(all) > 0 {
		failed = nil
	}
	return all, failed
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
