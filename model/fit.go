package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// Advise returns err, where it says that a tile of those sizes does not fit d
// (HX401), with about the largest tile that does; any other error it returns as it is.
func Advise(err error, c *schedule.Canonical, cone schedule.Cone, d gpu.Device, sizes schedule.Sizes) error {
	var list diag.List
	if !errors.As(err, &list) || len(list) != 1 || list[0].Code != "HX401" {
		return err
	}
	said := *list[0]
	if fit, ok := Fit(c, cone, d, sizes); ok {
		said.Help = fmt.Sprintf("the largest tile found that fits is --tile=%v; --tile=auto chooses by a model", fit)
	}
	return diag.List{&said}
}

// Fit returns the sizes with the most points among some of which none is more
// than that of sizes and whose tile fits the shared memory of d; ok is false if
// there are none.
func Fit(c *schedule.Canonical, cone schedule.Cone, d gpu.Device, sizes schedule.Sizes) (fit schedule.Sizes, ok bool) {
	k := gpu.NewCounter(c, d, gpu.Options{})
	var best int64
	lists := [][]int64{}
	for i, w := range sizes.W {
		lists = append(lists, down(w, i == len(sizes.W)-1 && i > 0, int64(d.Warp)))
	}
	for _, h := range schedule.LegalH(c.K) {
		if h > sizes.H {
			break
		}
		for _, w := range product(lists) {
			x, err := newShape(k, c, cone, schedule.Sizes{H: h, W: w})
			if err == nil && x.bytes <= int64(d.SharedBytes) && x.points > best {
				fit, ok, best = x.tiles.Sizes, true, x.points
			}
		}
	}
	return fit, ok
}

// down returns w and some smaller widths: multiples of the warp if the dimension is stride-one.
func down(w int64, strideOne bool, warp int64) []int64 {
	list := []int64{w}
	for len(list) < 12 && w > 1 {
		w = w * 2 / 3
		if strideOne && w > warp {
			w -= w % warp
		}
		list = append(list, w)
	}
	return slices.Compact(list)
}
