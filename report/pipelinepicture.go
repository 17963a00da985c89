package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// A pipelineFigure is a pipeline of warps: above the first beats of a chain, warp by warp; below the columns that each step computes, on the lanes that hold them;
// and in three dimensions the lines, and those that strips pass on.
type pipelineFigure struct {
	drawing
	p     *gpu.Pipeline
	space *schedule.Canonical
	cell  float64 // width of a beat
	one   int     // the tile that is framed
}

const (
	pipelineLeft = 150 // for what rows are
	stepHigh     = 12  // of a step in a warp and beat
	bandHigh     = 12
	turnsShown   = 2
	mostBeat     = 56
)

// pipelinePicture draws the pipeline of g, which runs the tiles of c, at most width pixels wide.
func pipelinePicture(g *gpu.Program, c *schedule.Canonical, width float64) *drawing {
	p := g.Pipeline()
	f := &pipelineFigure{p: p, space: c, one: p.Turn / 2}
	if p.Lines > 0 {
		f.one = max(f.one, p.Ahead) // so that there is room for what is fetched before
	}
	f.w = width
	f.beats()
	f.lanes()
	if p.Lines > 0 {
		f.lines(g)
	}
	return &f.drawing
}

// time is the colour of a step of the tile.
func (f *pipelineFigure) time(step int) string {
	return blend(ink.beats, float64(step)/float64(max(1, f.p.Steps*f.p.InTime()-1)))
}

// word is the colour of a text on that of a step.
func (f *pipelineFigure) word(step int) string {
	if 2*step >= f.p.Steps*f.p.InTime() {
		return ink.paper
	}
	return ink.text
}

// beats draws which steps of which tile each warp runs in the first beats.
func (f *pipelineFigure) beats() {
	p := f.p
	n := p.Behind(p.Warps-1) + p.Period + turnsShown*p.Turn
	f.cell = math.Floor(min(mostBeat, (f.w-pipelineLeft-8)/float64(n)))
	small, name := style{size: 11, fill: ink.faint, anchor: "middle"}, style{size: 13, fill: ink.text, anchor: "end"}
	f.text(pipelineLeft-8, 14, "beat", style{size: 12, fill: ink.faint, anchor: "end"})
	for b := range n {
		f.text(f.x(b)+f.cell/2, 14, fmt.Sprint(b), small)
	}
	high := float64(p.Steps*stepHigh + 6)
	if p.Lines > 0 {
		high += copyHigh
	}
	y := 22.0
	for q := range p.Warps {
		top := y + float64(q)*high
		f.text(pipelineLeft-8, top+float64(p.Steps*stepHigh)/2+1, fmt.Sprintf("warp %d", q), name)
		f.text(pipelineLeft-8, top+float64(p.Steps*stepHigh)/2+14, fmt.Sprintf("steps %d to %d", p.Order(q)*p.Steps, (p.Order(q)+1)*p.Steps-1), style{size: 10, fill: ink.faint, anchor: "end"})
		for b := range n {
			if tile := b - p.Behind(q); tile >= 0 {
				f.turn(q, b, tile, top)
			}
		}
	}
	y += float64(p.Warps) * high
	f.group(attrs{"class", "barrier", "stroke", ink.waits, "stroke-width", 1.5, "stroke-dasharray", "5 3"}, func() {
		for b := p.Period; b <= n; b += p.Period {
			f.line(point{f.x(b), 20}, point{f.x(b), y}, nil)
		}
	})
	f.group(attrs{"class", "barrier", "stroke", ink.waits, "stroke-width", 1.5, "stroke-dasharray", "5 3"}, func() {
		f.line(point{pipelineLeft, y + 16}, point{pipelineLeft + 30, y + 16}, nil)
	})
	f.text(pipelineLeft+38, y+20, "barrier of the block", style{size: 12, fill: ink.text})
	for step := range p.Steps * p.InTime() {
		f.rect(pipelineLeft+200+float64(step)*14, y+9, 14, 14, attrs{"class", "scale", "fill", f.time(step)})
	}
	f.text(pipelineLeft+208+float64(p.Steps*p.InTime())*14, y+20, fmt.Sprintf("step 0 to %d of a tile", p.Steps*p.InTime()-1), style{size: 12, fill: ink.text})
	f.h = y + 44
	if p.Lines > 0 {
		f.copyScale(y + 36)
		f.h += 24
	}
}

// x is where a beat begins.
func (f *pipelineFigure) x(beat int) float64 { return pipelineLeft + float64(beat)*f.cell }

// turn draws what warp q runs of a tile in a beat: the tile with the number of the first one is framed in all warps.
func (f *pipelineFigure) turn(q, beat, tile int, top float64) {
	first := f.p.Order(q) * f.p.Steps
	title := fmt.Sprintf("beat %d, warp %d: steps %d to %d of tile %d", beat, q, first, first+f.p.Steps-1, tile)
	f.note(title, func() {
		for k := range f.p.Steps {
			step := first + k
			f.rect(f.x(beat)+2, top+float64(k*stepHigh), f.cell-4, stepHigh, attrs{"class", "step", "data-tile", tile, "data-step", step, "fill", f.time(step)})
		}
		if tile == f.one {
			f.rect(f.x(beat)+2, top, f.cell-4, float64(f.p.Steps*stepHigh), attrs{"class", "one", "fill", "none", "stroke", ink.text, "stroke-width", 2})
		}
		f.text(f.x(beat)+f.cell/2, top+float64(f.p.Steps*stepHigh)/2+4, fmt.Sprint(tile), style{size: 11, fill: f.word(first + f.p.Steps/2), anchor: "middle", bold: tile == f.one})
	})
	if tile == f.one && f.p.Lines > 0 {
		f.copies(q, beat, top+float64(f.p.Steps*stepHigh)+3+copyHigh/2)
	}
}

// lanes draws which columns each step computes, on the lanes that hold them.
func (f *pipelineFigure) lanes() {
	p := f.p
	f.text(0, f.h+4, "What the lanes hold", style{size: 14, fill: ink.text, bold: true})
	f.text(pipelineLeft+30, f.h+4, fmt.Sprintf("each box is a lane and its %s; coloured what the tile computes at that step, grey what is computed and of no use", count(p.Columns, "column")),
		style{size: 12, fill: ink.faint})
	y := f.h + 18
	column := (f.w - pipelineLeft - 8) / float64(gpu.WarpLanes*p.Columns)
	drawn := -1
	p.EachRow(func(st *gpu.Stage, op gpu.Evaluate, warp int) {
		step := f.step(op, warp)
		if step == drawn || warp%p.Across > 0 { // another statement of the step, or a warp across, of the same columns
			return
		}
		if drawn >= 0 && step%p.Steps == 0 {
			y += 5
		}
		drawn = step
		lo, hi := p.Own(op, warp)
		origin := affine.Eval(st.Origin, map[string]int64{p.Vars.Warp: int64(warp)})
		f.row(y, step, column, lo-origin, hi-origin)
		y += bandHigh
	})
	f.h = y + 17
}

// step returns the step of the tile that op is of.
func (f *pipelineFigure) step(op gpu.Evaluate, warp int) int {
	t := affine.Eval(op.Iters[0], map[string]int64{f.p.Vars.Time: 0, f.p.Vars.Warp: int64(warp)})
	return f.space.K*int(t) + f.space.Levels[op.Stmt.Order]
}

// warpsOf names the warps that run a step.
func (f *pipelineFigure) warpsOf(step int) string {
	first := step / f.p.Steps * f.p.Across
	if f.p.Across == 1 {
		return fmt.Sprintf("warp %d", first)
	}
	return fmt.Sprintf("warps %d to %d", first, first+f.p.Across-1)
}

// row draws the columns lo to hi that a step computes, on all lanes.
func (f *pipelineFigure) row(y float64, step int, column float64, lo, hi int64) {
	all := float64(gpu.WarpLanes * f.p.Columns)
	f.text(pipelineLeft-8, y+10, fmt.Sprintf("%s, step %d", f.warpsOf(step), step), style{size: 10, fill: ink.faint, anchor: "end"})
	f.note(fmt.Sprintf("step %d: columns %d to %d of %d", step, lo, hi, int(all)), func() {
		f.rect(pipelineLeft, y, all*column, bandHigh-2, attrs{"class", "held", "fill", ink.grid})
		f.rect(pipelineLeft+float64(lo)*column, y, float64(hi-lo+1)*column, bandHigh-2, attrs{"class", "own", "data-step", step, "fill", f.time(step)})
	})
	f.group(attrs{"stroke", ink.paper, "stroke-width", 1}, func() {
		for lane := 1; lane < gpu.WarpLanes; lane++ {
			x := pipelineLeft + float64(lane*f.p.Columns)*column
			f.line(point{x, y}, point{x, y + bandHigh - 2}, nil)
		}
	})
}
