package stream

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// DefaultShape is the shape for which 32-bit values of a stencil of five points leave registers for three blocks at once. With a barrier in each beat there is half as much code for a turn as
// with one in every second beat: on a GPU that was 1.3 to 1.6 times as fast (docs/measured.md).
var DefaultShape = Shape{Columns: 8, Steps: 4, Warps: 4, Period: 1}

// Fits returns what pipelines of that shape take, for the widest tiles of c, but for some columns if warps then share more of their code.
func Fits(c *schedule.Canonical, cone schedule.Cone, d machine.Device, shape Shape) (best Fit) {
	no := func(why string) Fit { return Fit{Shape: shape, Why: why} }
	if shape.Columns < 1 || shape.Steps < 1 || shape.Warps < 1 || shape.Period < 1 || shape.Height() > schedule.HeightLimit || shape.Height()%2 != 0 {
		return no(fmt.Sprintf("a pipeline of %v has no tiles: steps * warps is even, and at most %d", shape, schedule.HeightLimit))
	}
	if volume := len(c.Space) == 3; volume && shape.Lines < 1 {
		shape.Lines = Volumes[0].Lines
	} else if !volume && (shape.Lines > 0 || shape.Across > 1) {
		return no("in two dimensions a warp has no lines, and none lie across")
	}
	if n := shape.Warps * shape.across(); n*gpu.WarpLanes > d.ThreadsPerBlock {
		return no(fmt.Sprintf("a block has no room for %d warps", n))
	}
	if shape.Ahead < 0 || shape.Ahead > MostPeriodsAhead {
		return no(fmt.Sprintf("rows begin to be loaded 1 to %d periods before their use", MostPeriodsAhead))
	}
	if shape.across() > 1 && shape.ahead() < 2 {
		return no("warps across a strip read lines that have been copied a period after others: rows begin to be loaded 2 periods before their use at least")
	}
	f, why := flowOf(c)
	if why != "" {
		return no(why)
	}
	h := shape.Height()/2 - 1
	stages := 0
	for w0 := shape.width(); w0 >= 0 && (stages == 0 || w0 >= best.Sizes.W[0]-2*int64(shape.Columns)); w0-- {
		sizes := schedule.Sizes{H: h, W: []int64{w0, 1}}
		if shape.Lines > 0 {
			sizes.W = []int64{w0, shape.strip(), 1}
		}
		s, err := schedule.HybridTiles(c, cone, sizes)
		if err != nil {
			var list diag.List
			if errors.As(err, &list) && len(list) > 0 {
				return no(list[0].Msg)
			}
			return no(err.Error())
		}
		t, tooWide := tileOf(f, s, shape)
		if tooWide != "" {
			if why == "" {
				why = tooWide
			}
			break
		}
		at := newLowering(t, d, shape)
		if unfit := at.fit(); unfit != "" {
			return no(unfit)
		}
		sizes.Start = at.start(s)
		l, p, unfit := lowered(t, d, shape)
		if unfit != "" {
			if why = unfit; l.crowded {
				break
			}
			continue
		}
		if stages == 0 || len(p.Stages) < stages {
			best, stages = l.fits(p, sizes), len(p.Stages)
			if chains, ok := Chains(s, cone); ok {
				best.Chain = l.chain(p, chains)
			}
		}
	}
	if stages > 0 {
		return best
	}
	return no(why)
}

// Looking returns f with chains that look at others every so many beats, to the next turn. One behind the other is as many beats closer as looks are, of both: of the one that waits, and of
// the one that says how far it is.
func (f Fit) Looking(beats int) Fit {
	every := f.Turn.Beats * max(1, int64(beats)/f.Turn.Beats)
	f.Chain.Behind -= 2 * (f.Chain.Look - every)
	f.Shape.Look, f.Chain.Look = beats, every
	return f
}

// chain returns what the beats of chains are that wait for each other like that.
func (l *lowering) chain(p *gpu.Pipeline, chains schedule.Chains) (c Chain) {
	before, behind := l.besideRows(p)
	for _, step := range chains.Steps {
		c.Behind = max(c.Behind, step.Lag+l.wait(p)+int64(p.Every))
	}
	c.Beside, c.Look = before+behind, int64(p.Every)
	return c
}

// fits returns what p takes.
func (l *lowering) fits(p *gpu.Pipeline, sizes schedule.Sizes) Fit {
	loops(p, l.shape.Code)
	f := Fit{Shape: l.shape, Sizes: sizes, Registers: l.registers(p), Shared: p.SharedBytes(), Guards: guards(p), Turn: p.Count()}
	f.Blocks = l.blocks(p)
	return f
}
