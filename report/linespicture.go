package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file draws what a pipeline of three dimensions has beyond one of two: the lines of strips, step by step, those that come from the strip before and those
// that go to the next one, and when they are copied.

const (
	copyHigh = 12 // of what is copied for a tile, under a warp
	boxHigh  = 16
	mostBox  = 44 // of a line across
)

// comes and goes are the colours of lines that come from the strip before, and of those that are stored for the next one.
func comes() tint { return ink.phases[1] }
func goes() tint  { return ink.phases[2] }

// passes reports whether c brings in a line before the first one of the strip.
func passes(c gpu.RowCopy) bool { return c.In && c.Halo }

// copies draws when warp q gets lines of the strip before that it reads in a beat, and when its last lines of that beat are stored.
func (f *pipelineFigure) copies(q, beat int, y float64) {
	p := f.p
	if slices.ContainsFunc(p.Copies, func(c gpu.RowCopy) bool { return passes(c) && c.Warp == q }) {
		from := beat - p.Ahead
		f.note(fmt.Sprintf("lines of the strip before that warp %d reads in beat %d are on their way from beat %d on", q, beat, from), func() {
			f.circle(point{f.x(from) + f.cell/2, y}, 3, attrs{"class", "fetch", "data-warp", q, "data-beat", from, "fill", comes().edge})
			f.arrow(point{f.x(from) + f.cell/2, y}, point{f.x(beat) + 2, y}, comes().edge, 1.5)
		})
	}
	if slices.ContainsFunc(p.Copies, func(c gpu.RowCopy) bool { return !c.In && c.Warp == q }) {
		to := beat + p.Period
		f.note(fmt.Sprintf("lines of warp %d in beat %d are stored in beat %d", q, beat, to), func() {
			f.arrow(point{f.x(beat+1) - 2, y}, point{f.x(to) + f.cell/2, y}, goes().edge, 1.5)
			f.circle(point{f.x(to) + f.cell/2 + 3, y}, 3, attrs{"class", "store", "data-warp", q, "data-beat", to, "fill", goes().edge})
		})
	}
}

// copyScale says what copies draws.
func (f *pipelineFigure) copyScale(y float64) {
	word := style{size: 12, fill: ink.text}
	f.circle(point{pipelineLeft + 4, y}, 3, attrs{"fill", comes().edge})
	f.arrow(point{pipelineLeft + 4, y}, point{pipelineLeft + 30, y}, comes().edge, 1.5)
	f.text(pipelineLeft+38, y+4, "lines of the strip before, on their way for the framed beat", word)
	x := pipelineLeft + 400.0
	f.arrow(point{x, y}, point{x + 24, y}, goes().edge, 1.5)
	f.circle(point{x + 27, y}, 3, attrs{"fill", goes().edge})
	f.text(x+38, y+4, "lines of the framed beat, stored to global memory", word)
}

// A lineRow is the lines of an array at a step: those that the strip computes, and those that are copied in and out.
type lineRow struct {
	step    int64
	array   string
	own     []int64
	in, out []gpu.RowCopy
}

// lineRows returns those of the pipeline, in the order of steps.
func (f *pipelineFigure) lineRows() (all []*lineRow) {
	at := func(step int64, array string) *lineRow {
		for _, r := range all {
			if r.step == step && r.array == array {
				return r
			}
		}
		r := &lineRow{step: step, array: array}
		all = append(all, r)
		return r
	}
	f.p.EachRow(func(st *gpu.Stage, op gpu.Evaluate, warp int) {
		for _, a := range op.Stmt.Accesses {
			if a.Write {
				r := at(int64(f.step(op, warp)), a.Array.Name)
				r.own = append(r.own, f.lineOf(op, warp))
			}
		}
	})
	for _, c := range f.p.Copies {
		r := at(c.Step, c.Element.Array.Name)
		if c.In {
			r.in = append(r.in, c)
		} else {
			r.out = append(r.out, c)
		}
	}
	slices.SortStableFunc(all, func(x, y *lineRow) int { return int(x.step - y.step) })
	return all
}

// lineOf returns which line op computes in a warp, counted from the first of the strip at step 0.
func (f *pipelineFigure) lineOf(op gpu.Evaluate, warp int) int64 {
	place := f.space.Places[op.Stmt.Order][1]
	at := op.Iters[place.Iter].(affine.Sum).Times(place.Sign()).Plus(f.p.Scop.Sum(place.Shift, nil))
	return at.Subst(map[string]affine.Sum{f.p.Vars.Line: affine.Num(0), f.p.Vars.Warp: affine.Num(int64(warp))}).Const
}

// lines draws the lines of a strip at each step, between those of its neighbours.
func (f *pipelineFigure) lines(g *gpu.Program) {
	rows := f.lineRows()
	wide := int64(f.p.Lines * f.p.Across)
	first := func(r *lineRow) int64 { // that the strip computes, or gets of what is computed before it
		if len(r.own) > 0 {
			return slices.Min(r.own)
		}
		at := int64(0)
		for i, c := range slices.DeleteFunc(slices.Clone(r.in), passes) {
			if i == 0 || c.Line < at {
				at = c.Line
			}
		}
		return at
	}
	lo, hi, arrays := int64(0), int64(0), map[string]bool{}
	for _, r := range rows {
		lo, hi, arrays[r.array] = min(lo, first(r)-wide), max(hi, first(r)+2*wide), true
	}
	f.h += 8
	f.text(0, f.h+4, "What strips pass on", style{size: 14, fill: ink.text, bold: true})
	f.text(pipelineLeft+30, f.h+4, "each box is a line of a strip at a step; a strip leans, and reads last lines of the one before, which are computed already", style{size: 12, fill: ink.faint})
	across := min(mostBox, (f.w-pipelineLeft-8)/float64(hi-lo))
	x := func(line int64) float64 { return pipelineLeft + float64(line-lo)*across }
	y := f.h + 34
	top := first(rows[0])
	for i, name := range []string{"strip before", "strip", "next strip"} {
		f.text(x(top+wide*int64(i-1))+float64(wide)*across/2, y-6, name, style{size: 12, fill: ink.text, anchor: "middle", bold: i == 1})
	}
	for i, r := range rows {
		if i > 0 && (r.step < 0) != (rows[i-1].step < 0) || i > 0 && r.step > 0 && r.step != rows[i-1].step && int(r.step)%f.p.Steps == 0 {
			y += 5
		}
		f.lineRow(r, first(r), y, across, x, len(arrays) > 1)
		y += boxHigh
	}
	f.h = f.lineScale(y+22) + 14
	s, _ := g.Kernels[0].Stream()
	if g.Chains != nil && g.Chains.Along {
		f.text(pipelineLeft, f.h, fmt.Sprintf("Before beats b to b + %d, a strip waits until the one before it has signalled beat b + %d.", f.p.Every-1, s.Behind), style{size: 12, fill: ink.text})
		f.h += 17
	}
}

// lineRow draws the lines of an array at a step, of which the strip has those from first on.
func (f *pipelineFigure) lineRow(r *lineRow, first int64, y, across float64, x func(line int64) float64, several bool) {
	step := fmt.Sprintf("step %d", r.step)
	name := step
	switch {
	case r.step < 0:
		name = "before, " + step
	default:
		name = fmt.Sprintf("%s, %s", f.warpsOf(int(r.step)), step)
	}
	if several {
		name += ", " + r.array
	}
	f.text(pipelineLeft-8, y+11, name, style{size: 10, fill: ink.faint, anchor: "end"})
	box := func(line int64, title string, a attrs) {
		f.note(fmt.Sprintf("%s of %s, line %d: %s", step, r.array, line-first, title), func() {
			f.rect(x(line)+1.5, y+1, across-3, boxHigh-3, append(a, "data-step", r.step, "data-line", line))
		})
	}
	wide := int64(f.p.Lines * f.p.Across)
	for k := range wide {
		for _, line := range []int64{first - wide + k, first + wide + k} {
			if !slices.ContainsFunc(r.in, func(c gpu.RowCopy) bool { return passes(c) && c.Line == line }) {
				box(line, "of another strip", attrs{"class", "other", "fill", ink.grid})
			}
		}
	}
	drawn := map[int64]bool{}
	for _, line := range r.own {
		if !drawn[line] { // by another statement, at a border
			drawn[line] = true
			box(line, "computed", attrs{"class", "line", "fill", f.time(int(r.step))})
		}
	}
	warps := map[int64][]string{}
	for _, c := range r.in {
		warps[c.Line] = append(warps[c.Line], fmt.Sprint(c.Warp))
	}
	for _, c := range r.in {
		by := warps[c.Line]
		switch {
		case by == nil: // drawn already
		case passes(c) && r.step >= 0:
			box(c.Line, "of the strip before; read by warp "+strings.Join(by, " and "), attrs{"class", "comes", "data-warps", strings.Join(by, " "), "fill", comes().fill, "stroke", comes().edge})
		default:
			class := "loaded"
			if passes(c) {
				class = "comes"
			}
			box(c.Line, "computed by chains before; read by warp "+strings.Join(by, " and "), attrs{"class", class, "data-warps", strings.Join(by, " "), "fill", ink.paper, "stroke", ink.axis, "stroke-dasharray", "3 2"})
		}
		delete(warps, c.Line)
	}
	for _, c := range r.out {
		f.note(fmt.Sprintf("%s of %s, line %d: stored to global memory", step, r.array, c.Line-first), func() {
			f.rect(x(c.Line)+1.5, y+1, across-3, boxHigh-3, attrs{"class", "goes", "data-step", r.step, "data-line", c.Line, "fill", "none", "stroke", goes().edge, "stroke-width", 3})
		})
	}
}

// lineScale says what the boxes of lines are, and returns where it ends.
func (f *pipelineFigure) lineScale(y float64) float64 {
	at := float64(pipelineLeft)
	for _, k := range []struct {
		text string
		a    attrs
	}{
		{"comes from the strip before", attrs{"fill", comes().fill, "stroke", comes().edge}},
		{"is stored, for the next strip or chains behind", attrs{"fill", f.time(f.p.Steps*f.p.InTime() - 1), "stroke", goes().edge, "stroke-width", 3}},
		{"comes from chains before", attrs{"fill", ink.paper, "stroke", ink.axis, "stroke-dasharray", "3 2"}},
		{"of other strips", attrs{"fill", ink.grid}},
	} {
		f.rect(at+1, y-10, 24, boxHigh-3, k.a)
		f.text(at+32, y, k.text, style{size: 12, fill: ink.text})
		at += 48 + 6.4*float64(len(k.text))
	}
	return y + 8
}
