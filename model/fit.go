package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// Advise returns err, where it says that a tile of those sizes does not fit d
// (HX401), with about the largest tile that does; any other error it returns as it is.
func Advise(err error, c *schedule.Canonical, cone schedule.Cone, d machine.Device, sizes schedule.Sizes, asked Asked) error {
	var list diag.List
	if !errors.As(err, &list) || len(list) != 1 || list[0].Code != "HX401" {
		return err
	}
	said := *list[0]
	if fit, ok := Fit(c, cone, d, sizes, asked); ok {
		said.Help = fmt.Sprintf("the largest tile found that fits is --tile=%v; --tile=auto chooses by a model", fit)
	}
	return diag.List{&said}
}

// Fit returns legal sizes, none more than that of sizes, whose tile fits the
// shared memory of d, and of which none alone can be more: the one with the
// most points that was found, if what is asked is kept. ok is false if there are none.
func Fit(c *schedule.Canonical, cone schedule.Cone, d machine.Device, sizes schedule.Sizes, asked Asked) (fit schedule.Sizes, ok bool) {
	f := fitting{lower.NewCounter(c, d, asked.Options()), c, cone, d}
	var best int64
	lists := [][]int64{}
	for i, w := range sizes.W {
		lists = append(lists, down(w, f.unit(i, len(sizes.W), w), downTo[min(len(sizes.W), len(downTo)-1)]))
	}
	for _, h := range schedule.LegalH(c.K) {
		if h > sizes.H {
			break
		}
		for _, w := range product(lists) {
			x := schedule.Sizes{H: h, W: w}
			if points := f.points(x); points > best {
				fit, ok, best = x, true, points
			}
		}
	}
	if ok {
		fit = f.grown(fit, sizes)
	}
	return fit, ok
}

// A fitting tries sizes on a device.
type fitting struct {
	counter *lower.Counter
	space   *schedule.Canonical
	cone    schedule.Cone
	device  machine.Device
}

// points returns the points of a tile, 0 if the sizes are not legal or do not fit.
func (f fitting) points(sizes schedule.Sizes) int64 {
	tiles, err := schedule.HybridTiles(f.space, f.cone, sizes)
	if err != nil {
		return 0
	}
	n := f.counter.Rough(tiles, 0)
	if n.SharedBytes > int64(f.device.SharedBytes) {
		return 0
	}
	return n.Points
}

// unit returns by how much a width w of dimension i of n may change: a warp if
// the dimension is stride-one and not the hexagon's, as long as whole warps are wanted.
func (f fitting) unit(i, n int, w int64) int64 {
	if warp := int64(f.device.Warp); i == n-1 && i > 0 && w >= warp && w%warp == 0 {
		return warp
	}
	return 1
}

// grown returns sizes of which none can be a unit more, within limit.
func (f fitting) grown(x, limit schedule.Sizes) schedule.Sizes {
	for again := true; again; {
		again = false
		for i := len(x.W) - 1; i >= 0; i-- {
			for unit := f.unit(i, len(x.W), limit.W[i]); x.W[i]+unit <= limit.W[i]; {
				y := schedule.Sizes{H: x.H, W: slices.Clone(x.W)}
				if y.W[i] += unit; f.points(y) == 0 {
					break
				}
				x, again = y, true
			}
		}
	}
	return x
}

// downTo is how many widths to try, by the number of dimensions.
var downTo = []int{0, 24, 12, 8, 4}

// down returns w and smaller widths to 1, n at most, in even ratios; multiples
// of unit where they are more than it.
func down(w, unit int64, n int) (list []int64) {
	for i := range n {
		x := int64(math.Round(math.Pow(float64(w), 1-float64(i)/float64(n-1))))
		if x > unit {
			x -= x % unit
		}
		list = append(list, x)
	}
	return slices.Compact(list)
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
