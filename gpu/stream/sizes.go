package stream

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// DefaultShape is the shape for which 32-bit values of a stencil of five points leave registers for three blocks at once.
var DefaultShape = Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2}

// Sizes returns the sizes of tiles of c that pipelines of that shape run: the widest, but for some columns if warps then share more of their code. why says why there are none.
func Sizes(c *schedule.Canonical, cone schedule.Cone, d machine.Device, shape Shape) (sizes schedule.Sizes, why string) {
	if shape.Columns < 1 || shape.Steps < 1 || shape.Warps < 1 || shape.Period < 1 || shape.Height() > schedule.HeightLimit || shape.Height()%2 != 0 {
		return sizes, fmt.Sprintf("a pipeline of %v has no tiles: steps * warps is even, and at most %d", shape, schedule.HeightLimit)
	}
	f, why := flowOf(c)
	if why != "" {
		return sizes, why
	}
	h := shape.Height()/2 - 1
	best, stages := sizes, 0
	for w0 := shape.width(); w0 >= 0 && (stages == 0 || w0 >= best.W[0]-2*int64(shape.Columns)); w0-- {
		sizes = schedule.Sizes{H: h, W: []int64{w0, 1}}
		s, err := schedule.HybridTiles(c, cone, sizes)
		if err != nil {
			var list diag.List
			if errors.As(err, &list) && len(list) > 0 {
				return sizes, list[0].Msg
			}
			return sizes, err.Error()
		}
		t, no := tileOf(f, s)
		if no != "" {
			if why == "" {
				why = no
			}
			break
		}
		l := newLowering(t, d, shape)
		if why = l.fit(); why != "" {
			return sizes, why
		}
		p, no := l.pipeline()
		if no != "" {
			why = no
			continue
		}
		if stages == 0 || len(p.Stages) < stages {
			best, stages = sizes, len(p.Stages)
		}
	}
	if stages > 0 {
		return best, ""
	}
	return sizes, why
}
