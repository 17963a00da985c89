package schedule

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
)

// This file tiles space alone. Each level of each iteration of the time loop is
// one launch, whose tiles are boxes side by side that all may run at once:
//
//	S_i[t, ..] -> [t, level, S0, .., Sn, tau, s0, .., sn]     S_p = ⌊s_p/w_p⌋
//
// Where points of a level depend on each other, along the first dimension (swept.go), tiles are one point wide there and a block runs
// them in order:
//
//	S_i[t, ..] -> [t, level, S1, .., Sn, s0, tau, s0, .., sn]
//
// No slope bounds its dependences. It is the scheme of last resort, and that of
// regions without a time loop. Untiled is the same order in other words: the loops as
// they are written, of which a box is what the threads of a block run.

// NoHeight is the H of Sizes for tiles of space alone.
const NoHeight = -1

// Space returns the schedule of c that tiles space alone in boxes. Of sizes it
// takes the widths. It fails with a diag.List where one is not legal.
func Space(c *Canonical, sizes Sizes) (*Schedule, error) {
	if err := CheckWidths(c, sizes); err != nil {
		return nil, err
	}
	s := SpaceTiles(c, sizes)
	s.Relate()
	return s, nil
}

// SpaceTiles returns Space less its Map, for sizes that are legal.
func SpaceTiles(c *Canonical, sizes Sizes) *Schedule {
	s := &Schedule{
		Canonical: c, Scheme: spaceOnly, Height: int64(c.K),
		Sizes: Sizes{H: NoHeight, W: sizes.W},
	}
	for level := range c.K {
		s.Phases = append(s.Phases, boxes{c, sizes}.phase(level))
	}
	s.Dims = s.dims()
	return s
}

// The names of the schemes of boxes.
const (
	spaceOnly = "space only"
	untiled   = "untiled"
)

// Untiled is Space, with boxes that are shares of threads in the loops as they are written.
func Untiled(c *Canonical, sizes Sizes) (*Schedule, error) {
	s, err := Space(c, sizes)
	if err != nil {
		return nil, err
	}
	s.Scheme = untiled
	return s, nil
}

// CheckWidths returns nil where the widths make boxes, and otherwise a diag.List
// that names the nearest ones that do.
func CheckWidths(c *Canonical, sizes Sizes) error {
	if len(sizes.W) != len(c.Space) {
		return diag.List{{Code: "HX204", Msg: fmt.Sprintf("%d tile widths for %d space dimensions", len(sizes.W), len(c.Space)),
			Help: "give " + sizeNames(len(c.Space))}}
	}
	var list diag.List
	for i, w := range sizes.W {
		if near := max(1, min(w, WidthLimit)); w != near {
			list = append(list, &diag.Diagnostic{Code: "HX204", Msg: fmt.Sprintf("w%d=%d: a box is 1 to %d points wide", i, w, WidthLimit),
				Help: fmt.Sprintf("choose w%d=%d", i, near)})
		}
	}
	if len(list) > 0 {
		return list
	}
	return nil
}

// boxes is a tiling of space under construction.
type boxes struct {
	c     *Canonical
	sizes Sizes
}

// width returns the width of the boxes of a level along a dimension. Where some levels are in order along the first dimension, the width of
// that is what rows of the others have, and their other widths come before it.
func (x boxes) width(level, dim int) int64 {
	switch {
	case x.c.Sweeps == nil:
		return x.sizes.W[dim]
	case !x.c.SweptAt(level):
		return x.sizes.W[(dim+1)%len(x.sizes.W)]
	case dim == 0:
		return 1
	}
	return x.sizes.W[dim]
}

// phase returns the tiles of the launch of a level: boxes at its step, nothing at others.
func (x boxes) phase(level int) Phase {
	var ph Phase
	for i := range x.sizes.W {
		d := TileDim{Tile: fmt.Sprint("S", i), Point: x.c.Space[i], Role: Block, Stride: x.width(level, i)}
		if i == 0 && x.c.SweptAt(level) { // one point after the other
			d.Role = Seq
		}
		w := d.Stride
		ph.Space = append(ph.Space, d.between(int64(x.c.K),
			HalfPlane{A: 1, C: -int64(level)}, HalfPlane{A: -1, C: int64(level)}, // at its own step
			HalfPlane{B: 1}, HalfPlane{B: -1, C: w - 1}))
	}
	return ph
}
