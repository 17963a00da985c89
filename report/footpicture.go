package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

const (
	stepsShown  = 12  // of a tile
	arraysShown = 6   // of a program
	panelWide   = 138 // at least, for the words under it
	panelFoot   = 56
)

// footprintPicture draws which elements a full tile uses at each step, and what
// of the shared memory of the device its buffers take, or what the caches of a CPU have to hold.
func footprintPicture(x Products, width float64) *drawing {
	s, p := x.Schedule, x.GPU
	d := &drawing{w: width}
	y := 0.0
	var shown []footprint
	var left, more []string
	phases := tileShapes(s)
	for _, phase := range phases {
		for _, array := range drawnArrays(s, p) {
			fp, why := footprintOf(s, phase, array)
			name := array.Name
			if len(phases) > 1 {
				name += fmt.Sprintf(" in phase %d", phase)
			}
			switch {
			case why == unusedByTile && len(phases) > 1:
			case why != "":
				left = append(left, name+": "+why)
			case len(shown) == arraysShown:
				more = append(more, name)
			default:
				fp.name = name
				shown = append(shown, fp)
			}
		}
	}
	if len(more) > 0 {
		left = append(left, fmt.Sprintf("%s: only the first %d arrays are", strings.Join(more, ", "), arraysShown))
	}
	for _, fp := range shown {
		if fp.cells.sLo == fp.cells.sHi || fp.cells.tauLo == fp.cells.tauHi {
			y = d.lanes(fp, y)
		} else {
			y = d.panels(fp, y, max(200, 620/float64(len(shown))))
		}
	}
	if len(shown) > 0 {
		first, again := "read for the first time: loaded, or left by the tile before", "read again: already there"
		if x.onCPU() {
			first, again = "read for the first time: from memory, or left in a cache by tiles before", "read again: in a cache"
		}
		y = d.footLegend(y, first, again)
	}
	for _, l := range left {
		d.text(0, y+16, plain("not drawn: "+l), style{size: 12, fill: ink.faint, italic: true})
		y += 20
	}
	if x.onCPU() {
		d.h = d.cacheBars(threadsOf(x), y+12)
		return d
	}
	y = d.sharedBar(p, y+12)
	d.h = y
	return d
}

// drawnArrays returns the arrays of the program, those in shared memory first.
func drawnArrays(s *schedule.Schedule, p *gpu.Program) []*scop.Array {
	var all []*scop.Array
	if p != nil && len(p.Kernels) > 0 {
		for _, k := range p.Kernels {
			for _, b := range k.Shared {
				if !slices.Contains(all, b.Array) {
					all = append(all, b.Array)
				}
			}
		}
	}
	for _, a := range s.Canonical.Scop.Arrays {
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all
}

// chosenSteps returns at most stepsShown of the steps, the first and the last among them.
func chosenSteps(all []footstep) []footstep {
	if len(all) <= stepsShown {
		return all
	}
	var some []footstep
	for i := range stepsShown {
		some = append(some, all[i*(len(all)-1)/(stepsShown-1)])
	}
	return some
}

// panels draws the steps of fp below y, in about so much height, and returns where they end.
func (d *drawing) panels(fp footprint, y, room float64) float64 {
	steps, y := d.footTitle(fp, y)
	rows, cols := float64(fp.cells.tauHi-fp.cells.tauLo+1), float64(fp.cells.sHi-fp.cells.sLo+1)
	f, across := panelScale(d.w, room, rows, cols, len(steps))
	wide, high := max(panelWide, cols*f.cell+16), rows*f.rise+panelFoot
	for i, st := range steps {
		f.origin = point{float64(i%across) * wide, y + float64(i/across)*high}
		d.panel(fp, st, f)
		_, h := fp.size(f)
		for i, line := range fp.words(st) {
			d.text(f.origin.x, f.origin.y+h+15+14*float64(i), line, style{size: 11, fill: ink.text, bold: i == 0})
		}
	}
	return y + high*float64((len(steps)+across-1)/across) + 8
}

const laneHigh = 18 // pixels of a step

// lanes draws the steps of fp, which has one row or column of cells, as rows, the last step on top.
func (d *drawing) lanes(fp footprint, y float64) float64 {
	steps, y := d.footTitle(fp, y)
	if fp.cells.sLo == fp.cells.sHi { // turn it
		fp.cells = fp.cells.turned()
	}
	const names, words = 90, 330
	f := frame{rise: laneHigh - 5, cell: min(16, (d.w-names-words)/float64(fp.cells.sHi-fp.cells.sLo+1))}
	for i, st := range slices.Backward(steps) {
		st.first.of, st.again.of, st.written.of = fp.cells, fp.cells, fp.cells
		f.origin = point{names, y + laneHigh*float64(len(steps)-1-i)}
		d.panel(fp, st, f)
		wide, _ := fp.size(f)
		lines := fp.words(st)
		d.text(names-8, f.origin.y+11, lines[0], style{size: 11, fill: ink.text, anchor: "end", bold: true})
		d.text(names+wide+10, f.origin.y+11, strings.Join(lines[1:], "; "), style{size: 11, fill: ink.text})
	}
	return y + laneHigh*float64(len(steps)) + 12
}

// turned returns r with its axes exchanged.
func (r rect) turned() rect { return rect{r.sLo, r.sHi, r.tauLo, r.tauHi} }

// size is that of a panel of fp.
func (fp footprint) size(f frame) (wide, high float64) {
	return float64(fp.cells.sHi-fp.cells.sLo+1) * f.cell, float64(fp.cells.tauHi-fp.cells.tauLo+1) * f.rise
}

// footTitle writes what the panels of fp are, and returns the steps to draw and where they begin.
func (d *drawing) footTitle(fp footprint, y float64) ([]footstep, float64) {
	steps := chosenSteps(fp.steps)
	note := fp.title()
	if len(steps) < len(fp.steps) {
		note += fmt.Sprintf("; %d of %d steps are drawn", len(steps), len(fp.steps))
	}
	d.text(0, y+14, plain(fp.name), style{size: 14, fill: ink.text, bold: true})
	d.text(textWidth(plain(fp.name), 14)*1.1+14, y+14, note, style{size: 12, fill: ink.faint})
	return steps, y + 28
}

// panelScale chooses how many of n panels of rows by cols cells stand side by
// side: that which makes the cells largest, in a picture that is not too high.
func panelScale(width, room, rows, cols float64, n int) (best frame, across int) {
	for k := 1; k <= n && (k == 1 || float64(k)*panelWide <= width); k++ {
		lines := float64((n + k - 1) / k)
		var f frame
		largest := 13.0
		if n == 1 {
			largest = 7
		}
		f.fit(width/float64(k)-16, max(24, room/lines-panelFoot), cols, rows, largest)
		if f.cell*f.rise >= best.cell*best.rise {
			best, across = f, k
		}
	}
	return best, across
}

// title says what the panels are cuts of.
func (fp footprint) title() string {
	text := "s_0 downwards, s_1 to the right"
	switch {
	case fp.cells.sLo == fp.cells.sHi:
		text = "s_0 to the right, time upwards"
	case fp.cells.tauLo == fp.cells.tauHi:
		text = "s_1 to the right, time upwards"
	}
	if !fp.whole {
		text += "; a cut through the middle of the other dimensions"
	}
	return text
}

// panel draws one step of fp.
func (d *drawing) panel(fp footprint, st footstep, f frame) {
	path := func(m mask) string {
		var out strings.Builder
		for _, r := range m.rects() {
			fmt.Fprintf(&out, "M%s %sh%sv%sh-%sz", num(f.origin.x+float64(r.sLo-fp.cells.sLo)*f.cell), num(f.origin.y+float64(r.tauLo-fp.cells.tauLo)*f.rise),
				num(float64(r.sHi-r.sLo+1)*f.cell), num(float64(r.tauHi-r.tauLo+1)*f.rise), num(float64(r.sHi-r.sLo+1)*f.cell))
		}
		return out.String()
	}
	cells := func(m mask, class, fill string) {
		if m.count() > 0 {
			d.element("path", attrs{"class", class, "fill", fill, "d", path(m)})
		}
	}
	wide, high := fp.size(f)
	d.group(attrs{"class", "panel", "data-s", fp.key(st)}, func() {
		d.rect(f.origin.x, f.origin.y, wide, high, attrs{"fill", ink.empty})
		cells(st.written.minus(st.first).minus(st.again), "onlywritten", ink.onlyWritten)
		cells(st.again, "again", ink.again)
		cells(st.first, "first", ink.first)
		if f.cell >= 5 && f.rise >= 5 {
			var lines strings.Builder
			for x := f.cell; x < wide-0.1; x += f.cell {
				fmt.Fprintf(&lines, "M%s %sv%s", num(f.origin.x+x), num(f.origin.y), num(high))
			}
			for y := f.rise; y < high-0.1; y += f.rise {
				fmt.Fprintf(&lines, "M%s %sh%s", num(f.origin.x), num(f.origin.y+y), num(wide))
			}
			d.element("path", attrs{"class", "grid", "stroke", ink.paper, "stroke-width", 0.6, "d", lines.String()})
		}
		if st.written.count() > 0 {
			d.element("path", attrs{"class", "written", "fill", "none", "stroke", ink.written, "stroke-width", 1.8, "d", path(st.written)})
		}
	})
}

// key is that of the statement of a step.
func (fp footprint) key(st footstep) string { return regionKey(fp.region, st.stmt.Name) }

// minus returns the cells of m that n does not hold.
func (m mask) minus(n mask) mask {
	out := newMask(m.of)
	for i := range m.in {
		out.in[i] = m.in[i] && !n.in[i]
	}
	return out
}

// words are the lines under a panel of st.
func (fp footprint) words(st footstep) []string {
	var use []string
	if n := st.first.count(); n > 0 {
		use = append(use, fmt.Sprintf("%d new", n))
	}
	if n := st.again.count(); n > 0 {
		use = append(use, fmt.Sprintf("%d reused", n))
	}
	lines := []string{fmt.Sprintf("step %d, %s", st.a, plain(st.stmt.Name))}
	if len(use) > 0 {
		lines = append(lines, strings.Join(use, ", ")+fp.slots(" of", st.reads))
	}
	if len(st.writes) > 0 {
		lines = append(lines, fmt.Sprintf("%d written%s", st.written.count(), fp.slots(" to", st.writes)))
	}
	return lines
}

// slots names planes of the array, such as " of slot 1"; "" where there is one only.
func (fp footprint) slots(lead string, planes []int64) string {
	if fp.planes < 2 {
		return ""
	}
	texts := make([]string, len(planes))
	for i, p := range planes {
		texts[i] = fmt.Sprint(p)
	}
	if len(texts) == 1 {
		return lead + " slot " + texts[0]
	}
	return lead + " slots " + strings.Join(texts, ", ")
}

// footLegend explains the colours of the panels.
func (d *drawing) footLegend(y float64, first, again string) float64 {
	x := 0.0
	for _, item := range []struct{ fill, stroke, text string }{
		{ink.first, "none", first},
		{ink.again, "none", again},
		{"none", ink.written, "written"},
		{ink.onlyWritten, ink.written, "written, not read at this step"},
		{ink.empty, "none", "not used at this step"},
	} {
		wide := 26 + textWidth(item.text, 12) + 18
		if x+wide > d.w+18 {
			x, y = 0, y+22
		}
		d.rect(x, y+1, 18, 13, attrs{"fill", item.fill, "stroke", item.stroke, "stroke-width", 1.6})
		d.text(x+26, y+12, item.text, style{size: 12, fill: ink.text})
		x += wide
	}
	return y + 26
}

// sharedBar draws the buffers of a kernel as parts of the shared memory that a block may have.
func (d *drawing) sharedBar(p *gpu.Program, y float64) float64 {
	if p == nil || len(p.Kernels) == 0 {
		return y
	}
	k := slices.MaxFunc(p.Kernels, func(x, y *gpu.Kernel) int { return cmp.Compare(x.SharedBytes(), y.SharedBytes()) })
	limit := int64(p.Device.SharedBytes)
	used := k.SharedBytes()
	d.text(0, y+14, "Shared memory of a block", style{size: 14, fill: ink.text, bold: true})
	words := fmt.Sprintf("%s of %s bytes on %s (%.0f%%)", thousands(used), thousands(limit), plain(p.Device.Name), 100*float64(used)/float64(limit))
	if used == 0 {
		words = "none is used"
	} else if o := p.Device.Occupancy(k.Threads[0]*k.Threads[1]*k.Threads[2], 1, used); o.Blocks > 0 {
		words += fmt.Sprintf("; a multiprocessor holds %s, limited by %s, registers aside", count(o.Blocks, "block"), o.Limit)
	}
	d.text(210, y+14, words, style{size: 12, fill: ink.text})
	y += 26
	scale := d.w / float64(max(limit, used))
	d.rect(0, y, float64(limit)*scale, 22, attrs{"class", "limit", "fill", ink.empty, "stroke", ink.axis, "stroke-width", 0.9})
	x, label := 0.0, []string(nil)
	for i, b := range sharedParts(k) {
		colour := phaseTint(i)
		wide := float64(b.bytes) * scale
		text := fmt.Sprintf("%s %s", plain(b.name), thousands(b.bytes))
		d.note(b.about, func() {
			d.rect(x, y, wide, 22, attrs{"class", "buffer", "fill", colour.fill, "stroke", colour.edge, "stroke-width", 0.9})
		})
		if textWidth(text, 11)+8 <= wide {
			d.text(x+wide/2, y+15, text, style{size: 11, fill: colour.word, anchor: "middle"})
		} else {
			label = append(label, text)
		}
		x += wide
	}
	if static := float64(48 << 10); float64(limit) > static {
		at := static * scale
		for _, tick := range []float64{y - 6, y + 22} { // above and below the bar
			d.line(point{at, tick}, point{at, tick + 6}, attrs{"stroke", ink.text, "stroke-width", 1.2})
		}
		d.text(at, y+40, "48 KiB: more must be asked for at launch", style{size: 11, fill: ink.faint})
	}
	y += 52
	if len(label) > 0 {
		d.text(0, y+4, strings.Join(label, ", "), style{size: 11, fill: ink.text})
		y += 18
	}
	return y
}

// A sharedPart is what one buffer takes of shared memory.
type sharedPart struct {
	name, about string
	bytes       int64
}

// sharedParts returns the buffers of a kernel, or the rings and edges of its pipeline.
func sharedParts(k *gpu.Kernel) (all []sharedPart) {
	for _, b := range k.Shared {
		all = append(all, sharedPart{b.Name, fmt.Sprintf("%s of %s: %d bytes, shape %v", b.Name, b.Array.Name, b.Bytes(), b.Shape), b.Bytes()})
	}
	if p := k.Pipeline(); p != nil {
		for _, r := range p.Rings {
			n := p.RingBytes(r)
			all = append(all, sharedPart{r.Name, fmt.Sprintf("%s: %d bytes, rows of %s that warps pass on, %d for each of %d", r.Name, n, r.Array.Name, p.Slots, r.Numbers), n})
		}
		for _, e := range p.Edges {
			n := p.EdgeBytes(e)
			all = append(all, sharedPart{e.Name, fmt.Sprintf("%s: %d bytes, columns of %s that enter and leave", e.Name, n, e.Array.Name), n})
		}
	}
	return all
}

// thousands writes 17872 as 17 872.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}
