package model

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// A shape is tiles of legal sizes and a first idea of their cost.
type shape struct {
	tiles         *schedule.Schedule
	points, bytes int64 // of the boxes around what a tile uses
}

// candidates returns sizes worth a look: few steps, whole warps of the
// stride-one dimension, widths that grow by about a third.
func candidates(c *schedule.Canonical, cone schedule.Cone, d gpu.Device) []schedule.Sizes {
	widths := [][]int64{{0, 1, 2, 3, 4, 5, 7, 9, 12, 16}} // of w0, above its bound
	for range c.Space[1:] {
		widths = append(widths, []int64{2, 3, 4, 6, 8, 10, 12, 16})
	}
	warp := int64(d.Warp)
	last := []int64{warp, 2 * warp, 4 * warp, 8 * warp}
	if len(widths) == 1 {
		last = []int64{warp - 1, 2*warp - 1, 4*warp - 1, 8*warp - 1, 16*warp - 1}
	}
	widths[len(widths)-1] = last
	var all []schedule.Sizes
	for _, h := range heights(c.K) {
		for _, w := range product(widths) {
			w[0] = max(w[0], 0) + schedule.MinW0(cone, h)
			all = append(all, schedule.Sizes{H: h, W: w})
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

// screen returns the candidates that fit the budget, those with the most points
// for the space they take first.
func screen(k *gpu.Counter, c *schedule.Canonical, cone schedule.Cone, all []schedule.Sizes, budget int64) []shape {
	var fit []shape
	for _, sizes := range all {
		if x, err := newShape(k, c, cone, sizes); err == nil && x.bytes <= budget {
			fit = append(fit, x)
		}
	}
	slices.SortStableFunc(fit, func(x, y shape) int { return int(x.bytes*y.points - y.bytes*x.points) })
	return fit
}

func newShape(k *gpu.Counter, c *schedule.Canonical, cone schedule.Cone, sizes schedule.Sizes) (shape, error) {
	tiles, err := schedule.HybridTiles(c, cone, sizes)
	if err != nil {
		return shape{}, err
	}
	points, bytes := k.Footprint(tiles, 0)
	return shape{tiles, points, bytes}, nil
}

// tooLarge is the error that not even the smallest tile fits d.
func tooLarge(c *schedule.Canonical, cone schedule.Cone, d gpu.Device) error {
	return diag.List{{
		Code: "HX401",
		At:   diag.Span{Pos: diag.Pos{File: c.Scop.File, Line: c.Scop.Region.StartLine, Col: 1}, Len: 1},
		Msg:  fmt.Sprintf("no tile fits the %d bytes of shared memory that a block of %s has", d.SharedBytes, d.Name),
		Help: "give tile sizes with --tile=h=...,w0=...",
	}}
}
