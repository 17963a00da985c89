package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file draws when the blocks of a GPU run tiles by the simulation of package model: in phases, and when ready.

// A timeline is what is simulated, for the device and the grid that tile sizes were chosen for.
type timeline struct {
	c       schedule.Chains
	terms   terms
	grid    model.Grid
	force   model.Workforce
	resides int        // blocks on a multiprocessor
	all     model.Load // as much of the grid as is simulated
	times   int64      // time tiles that the grid has
	drawn   model.Load // its beginning
	unit    string     // what takes a unit of time
	places  string     // what a chain has so many of
}

const (
	mostTiles = 1 << 23 // that are simulated
	mostAtT   = 1 << 21 // of a phase of a time tile
	waves     = 4       // drawn of what runs at once when ready, or more
)

// timelineOf returns what to simulate, or why it is not.
func timelineOf(p Products, r schedule.Ready) (t timeline, why string) {
	if t.terms = p.terms(); p.onCPU() {
		return threadLine(p, r)
	}
	choice := p.Choice
	switch {
	case r.Why != "":
		return t, r.Why
	case r.Chains.Blocks != 1:
		return t, "chains differ along several dimensions"
	case pipelineIn(p) != nil:
		return t, "the model knows no times of rows that stream"
	case choice == nil || choice.Grid.Points == 0:
		return t, "no grid is known to simulate"
	case choice.Device.SMs == 0 || choice.Best[0].Occupancy.Blocks == 0:
		return t, "it is not known how many blocks the device holds at once"
	}
	t.resides = choice.Best[0].Occupancy.Blocks
	return t.simulated(p.Schedule, r, choice.Grid, t.resides*choice.Device.SMs)
}

// threadLine is timelineOf for the threads of a CPU, one on each of its cores.
func threadLine(p Products, r schedule.Ready) (t timeline, why string) {
	t.terms = p.terms()
	switch {
	case r.Why != "":
		return t, r.Why
	case r.Chains.Blocks != 1:
		return t, "chains differ along several dimensions"
	case p.Ranking == nil || p.Ranking.Grid.Points == 0:
		return t, "no grid is known to simulate"
	}
	return t.simulated(p.Schedule, r, p.Ranking.Grid, int(p.Ranking.CPU.Cores))
}

// simulated returns t with what so many workers have to do on a grid, or why it is not simulated.
func (t timeline) simulated(s *schedule.Schedule, r schedule.Ready, grid model.Grid, workers int) (timeline, string) {
	t.unit, t.places = "a tile", "tile"
	if len(r.Tile) > 3+r.Chains.Blocks {
		t.unit, t.places = "the tiles of a chain at one "+r.Tile[2+r.Chains.Blocks].Name, "place"
	}
	t.c, t.grid = r.Chains, grid
	t.force = model.Workforce{Workers: workers}
	t.all = model.LoadOf(s, grid)
	t.times = t.all.Times
	atT := t.all.Places * t.all.Along
	switch {
	case atT == 0 || t.times == 0:
		return t, "the grid has no tiles"
	case atT > mostAtT || t.force.Workers > mostAtT:
		return t, fmt.Sprintf("a phase has %s tiles, which are too many", thousands(atT))
	}
	phases := int64(len(r.Chains.Steps))
	t.all.Times = min(t.times, max(1, mostTiles/(phases*atT)))
	t.drawn = t.all
	launches := max(12, waves*(int64(t.force.Workers)+t.all.Places-1)/t.all.Places)
	t.drawn.Times = min(t.all.Times, (launches+phases-1)/phases)
	return t, ""
}

// idleText says how much of the time blocks are idle in each order.
func (t timeline) idleText() string {
	part := fmt.Sprintf("all %s", count(int(t.times), "time tile"))
	if t.all.Times < t.times {
		part = fmt.Sprintf("the first %d of %s", t.all.Times, count(int(t.times), "time tile"))
	}
	return fmt.Sprintf("Over %s, %s are idle %.0f %% of the time in phases, and %.0f %% when ready.", part, t.terms.workers,
		100*(1-t.force.InPhases(t.c, t.all)), 100*(1-t.force.WhenReady(t.c, t.all)))
}

// A timelineFigure is both orders, one under the other, with one scale of time.
type timelineFigure struct {
	drawing
	t       timeline
	end     float64 // of what takes longer
	columns int     // of time
	cell    float64 // pixels of a column
	times   float64 // of a column
}

const (
	timelineRows    = 32
	timelineColumns = 180
	fineColumns     = 720 // where one can zoom
	timelineRowHigh = 5
	timelineLeft    = 70
	busyShades      = 8
)

// timelinePicture draws when blocks run tiles, at most width pixels wide, in so many columns.
func timelinePicture(p Products, width float64, columns int) *drawing {
	f := &timelineFigure{columns: columns}
	f.w = width
	var why string
	if f.t, why = timelineOf(p, schedule.WhenReady(p.Schedule, p.slopes())); why != "" {
		f.h = 30
		f.text(0, 18, plain("not simulated: "+why), style{size: 13, fill: ink.faint, italic: true})
		return &f.drawing
	}
	t := f.t
	none := func(model.Span) {}
	f.end = max(t.force.SpansInPhases(t.c, t.drawn, none), t.force.SpansWhenReady(t.c, t.drawn, none))
	f.cell = math.Floor((width-timelineLeft-20)/timelineColumns) * timelineColumns / float64(columns)
	f.times = f.end / float64(columns)
	f.half("in phases", "phases", t.force.SpansInPhases)
	f.half("when ready", "ready", t.force.SpansWhenReady)
	f.axis()
	f.legend(p)
	return &f.drawing
}

// half draws an order below what is there.
func (f *timelineFigure) half(title, class string, spans func(schedule.Chains, model.Load, func(model.Span)) float64) {
	busy := f.busy(spans)
	took := spans(f.t.c, f.t.drawn, func(model.Span) {})
	tiles := float64(f.t.drawn.Times * int64(len(f.t.c.Steps)) * f.t.drawn.Places * f.t.drawn.Along)
	idle := 1 - tiles/(float64(f.t.force.Workers)*took)
	f.text(6, f.h+14, title, style{size: 14, fill: ink.text, bold: true})
	f.text(timelineLeft+38, f.h+14, fmt.Sprintf("ends at %s; until then %s are idle for %.0f %% of their time", thousands(int64(math.Round(took))), f.t.terms.workers, 100*idle), style{size: 12, fill: ink.text})
	y := f.h + 24
	rows := len(busy)
	f.rect(timelineLeft, y, math.Round(float64(f.columns)*f.cell*took/f.end), float64(rows)*timelineRowHigh, attrs{"class", class, "fill", ink.empty})
	f.group(attrs{"class", class}, func() { f.shades(busy, y) })
	if class == "phases" {
		f.launches(y, float64(rows)*timelineRowHigh)
	}
	small := style{size: 11, fill: ink.faint, anchor: "end"}
	f.text(timelineLeft-8, y+9, f.t.terms.worker+" 1", small)
	if rows > 4 {
		f.text(timelineLeft-8, y+float64(rows)*timelineRowHigh, thousands(int64(f.t.force.Workers)), small)
	}
	f.h = y + float64(rows)*timelineRowHigh + 22
}

// launches draws a line where a launch ends and the next starts, unless there are too many.
func (f *timelineFigure) launches(y, high float64) {
	n := f.t.drawn.Times * int64(len(f.t.c.Steps))
	if n > timelineColumns/3 {
		return
	}
	one := f.t.drawn
	one.Times = 1
	each := f.t.force.SpansInPhases(f.t.c, one, func(model.Span) {}) / float64(len(f.t.c.Steps))
	f.group(attrs{"class", "launch", "stroke", ink.paper, "stroke-width", 1}, func() {
		for i := int64(1); i < n; i++ {
			x := timelineLeft + float64(i)*each/f.times*f.cell
			f.line(point{x, y}, point{x, y + high}, nil)
		}
	})
}

// busy returns for rows of blocks and columns of time in which part of it they run tiles.
func (f *timelineFigure) busy(spans func(schedule.Chains, model.Load, func(model.Span)) float64) [][]float64 {
	workers := f.t.force.Workers
	rows := min(timelineRows, workers)
	sums, have := make([][]float64, rows), make([]float64, rows)
	for i := range sums {
		sums[i] = make([]float64, f.columns)
	}
	for worker := range workers {
		have[worker*rows/workers]++
	}
	spans(f.t.c, f.t.drawn, func(s model.Span) {
		row := sums[s.Worker*rows/workers]
		for column := int(s.From / f.times); column < f.columns; column++ {
			lo, hi := max(s.From, float64(column)*f.times), min(s.To, float64(column+1)*f.times)
			if lo >= s.To {
				break
			}
			row[column] += max(0, hi-lo)
		}
	})
	for i, row := range sums {
		for column := range row {
			row[column] /= f.times * have[i]
		}
	}
	return sums
}

// shades draws the cells, those of a shade as one path. Idle ones are left out.
func (f *timelineFigure) shades(busy [][]float64, y float64) {
	paths := make([]strings.Builder, busyShades+1)
	for i, row := range busy {
		for from := 0; from < len(row); {
			shade, to := shadeOf(row[from]), from+1
			for to < len(row) && shadeOf(row[to]) == shade {
				to++
			}
			fmt.Fprintf(&paths[shade], "M%s %sh%sv%dh-%sz", num(timelineLeft+float64(from)*f.cell), num(y+float64(i)*timelineRowHigh),
				num(float64(to-from)*f.cell), timelineRowHigh, num(float64(to-from)*f.cell))
			from = to
		}
	}
	for shade := 1; shade <= busyShades; shade++ {
		if paths[shade].Len() > 0 {
			f.element("path", attrs{"class", "busy", "data-shade", shade, "fill", shadeInk(shade), "d", paths[shade].String()})
		}
	}
}

// shadeOf is the shade of a part from 0 to 1: 0 for idle only, busyShades for busy only.
func shadeOf(part float64) int {
	return int(math.Round(min(part, 1) * busyShades))
}

func shadeInk(shade int) string {
	return blend([]string{ink.empty, ink.again, ink.first}, float64(shade)/busyShades)
}

// axis draws the scale of time.
func (f *timelineFigure) axis() {
	y, wide := f.h-14, float64(f.columns)*f.cell
	f.arrow(point{timelineLeft, y}, point{timelineLeft + wide + 14, y}, ink.axis, 1.2)
	step := tickStep(wide/f.end, 60)
	for at := 0.0; at <= f.end; at += step {
		x := timelineLeft + at/f.end*wide
		f.line(point{x, y}, point{x, y + 4}, attrs{"stroke", ink.axis, "stroke-width", 1})
		f.text(x, y+17, thousands(int64(at)), style{size: 11, fill: ink.faint, anchor: "middle"})
	}
	f.text(timelineLeft, y+36, "time, in what "+f.takes(), style{size: 12, fill: ink.text})
	f.h = y + 48
}

// takes says what a unit of time is.
func (f *timelineFigure) takes() string {
	if f.t.places == "tile" {
		return f.t.unit + " takes"
	}
	return f.t.unit + " take"
}

// legend says what is drawn, and that it is not measured.
func (f *timelineFigure) legend(p Products) {
	t, y := f.t, f.h+12
	word := style{size: 12, fill: ink.text}
	for shade := range busyShades + 1 {
		f.rect(6+float64(shade)*16, y-10, 16, 13, attrs{"fill", shadeInk(shade)})
	}
	f.text(6+16*(busyShades+1)+10, y, fmt.Sprintf("idle to busy; where there are many %s a row is several. White lines: a %s ends, the next starts", t.terms.workers, t.terms.launch), word)
	line := 0
	of := fmt.Sprintf("%s, one on each core. For %s.", count(t.force.Workers, "thread"), t.grid)
	same := "however many blocks a multiprocessor runs, and neither launches nor waits cost any."
	if p.onCPU() {
		same = "whatever caches hold, and neither barriers nor waits cost any."
	} else {
		d := p.Choice.Device
		of = fmt.Sprintf("%s (%s): %s blocks, %d on each of %d multiprocessors. For %s.", d.Name, d.Part, thousands(int64(t.force.Workers)), t.resides, d.SMs, t.grid)
	}
	for _, words := range []string{
		of,
		fmt.Sprintf("A phase has %s of %s; drawn: the first %d of %s. %s", count(int(t.all.Places), "chain"), count(int(t.all.Along), t.places), t.drawn.Times,
			count(int(t.times), "time tile"), t.idleText()),
		"Simulated, not measured: by the model all tiles take the same time, " + same,
	} {
		for _, part := range broken(words, f.w-20, word.size) {
			f.text(6, y+22+float64(line)*18, plain(part), word)
			line++
		}
	}
	f.h = y + 22 + float64(line-1)*18 + 8
}

// broken breaks a text between words into lines of at most so many pixels.
func broken(text string, wide, size float64) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && 1.05*textWidth(plain(lines[n-1]+" "+word), size) <= wide {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
