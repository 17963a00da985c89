package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/schedule"
)

// An orderFigure is a small grid of tiles, twice: as launches in turn let them start, and as their waits do. Above are the
// chains, in time and the first space dimension; below the tiles along some of them.
type orderFigure struct {
	drawing
	p    plane
	r    schedule.Ready
	t    terms
	g    beatGrid
	last int64 // the last beat at which a tile starts, in either order
}

const (
	orderInset = 6
	orderGap   = 44 // between the two orders
	orderTitle = 60
	orderLeft  = 84 // for what rows are
	cellHigh   = 24
	rowGap     = 17
)

// orderPicture draws when tiles can start, at most width pixels wide.
func orderPicture(s *schedule.Schedule, r schedule.Ready, t terms, width float64) *drawing {
	f := &orderFigure{p: plane{s}, r: r, t: t}
	f.w = width
	if r.Why != "" {
		f.h = 30
		f.text(0, 18, plain("tiles start in no other order than that of "+t.launches+": "+r.Why), style{size: 13, fill: ink.faint, italic: true})
		return &f.drawing
	}
	f.g = gridOf(r)
	phases, ready := f.g.inPhases(r.Chains), f.g.whenReady(r.Chains)
	for _, starts := range []map[schedule.Link]int64{phases, ready} {
		for _, beat := range starts {
			f.last = max(f.last, beat)
		}
	}
	wide := (width - orderGap - 2*orderInset) / 2
	f.group(attrs{"class", "phases"}, func() { f.half(orderInset, wide, "in phases", phases, f.barriers) })
	f.group(attrs{"class", "ready"}, func() { f.half(orderInset+wide+orderGap, wide, "when ready", ready, f.waits) })
	f.legend()
	return &f.drawing
}

// half draws one of the orders; before yields what a link is shown to wait for.
func (f *orderFigure) half(x, wide float64, title string, starts map[schedule.Link]int64, before func(schedule.Link, func(schedule.Link))) {
	last := int64(0)
	for _, beat := range starts {
		last = max(last, beat)
	}
	f.text(x, 14, title, style{size: 14, fill: ink.text, bold: true})
	f.text(x, 32, fmt.Sprintf("the last tile can start at beat %d", last), style{size: 12, fill: ink.faint})
	if f.g.along > 1 {
		f.text(x, 54, "all chains, by the first of their tiles", style{size: 12, fill: ink.text})
	}
	y := f.plane(x, orderTitle, wide, starts, before)
	if f.g.along > 1 {
		y = f.along(x, y+40, wide, starts, before)
	}
	f.h = max(f.h, y)
}

// waits yields what x waits for when ready.
func (f *orderFigure) waits(x schedule.Link, yield func(schedule.Link)) {
	f.g.sources(f.r.Chains, x, yield)
}

// barriers yields all chains of the phase before, for one chain of a phase.
func (f *orderFigure) barriers(x schedule.Link, yield func(schedule.Link)) {
	y := x
	if y.Phase--; y.Phase < 0 {
		y.Time, y.Phase = y.Time-1, len(f.r.Chains.Steps)-1
	}
	if y.Time < 0 || x.At[0] != f.shown() || x.Place > 0 {
		return
	}
	for y.At[0] = range f.g.chains {
		y.Place = f.g.along - 1
		yield(y)
	}
}

// shown is the chain of a phase whose tiles are drawn.
func (f *orderFigure) shown() int64 { return f.g.chains / 2 }

// beatInk is the colour of a beat, and that of words on it.
func (f *orderFigure) beatInk(beat int64) (fill, word string) {
	part := float64(beat) / float64(max(1, f.last))
	word = ink.text
	if part > 0.5 {
		word = ink.paper
	}
	return blend(ink.beats, part), word
}

// plane draws the chains in the plane of time and the first space dimension, and returns where it ends.
func (f *orderFigure) plane(x, y, wide float64, starts map[schedule.Link]int64, before func(schedule.Link, func(schedule.Link))) float64 {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	f.chains(func(l schedule.Link, outline []point) {
		for _, q := range outline {
			lo, hi = point{min(lo.x, q.x), min(lo.y, q.y)}, point{max(hi.x, q.x), max(hi.y, q.y)}
		}
	})
	if math.IsInf(lo.x, 1) {
		return y
	}
	var at frame
	at.fit(wide-orderLeft, 300, hi.x-lo.x, hi.y-lo.y, 60)
	at.origin = point{x + orderLeft - lo.x*at.cell, y + 8 + hi.y*at.rise}
	middle := map[schedule.Link]point{}
	f.group(attrs{"stroke", ink.paper, "stroke-width", 1.5, "stroke-linejoin", "round"}, func() {
		f.chains(func(l schedule.Link, outline []point) {
			fill, word := f.beatInk(starts[l])
			f.note(fmt.Sprintf("%v: can start at beat %d", chainOf(l), starts[l]), func() {
				f.polygon(at.all(outline), attrs{"class", "chain", "data-link", linkText(l), "fill", fill})
			})
			mid := centroid(outline)
			middle[l] = at.at(mid.x, mid.y)
			f.number(middle[l], starts[l], word, func(p point) bool {
				return insidePolygon(outline, (p.x-at.origin.x)/at.cell, (at.origin.y-p.y)/at.rise)
			})
		})
	})
	f.chains(func(l schedule.Link, _ []point) {
		before(l, func(from schedule.Link) {
			from.Place = 0
			if p, drawn := middle[from]; drawn {
				f.wait(from, l, p, middle[l], 13)
			}
		})
	})
	bottom, left := at.at(0, lo.y).y+8, x+orderLeft-10
	f.arrow(point{left, bottom}, point{at.at(hi.x, 0).x, bottom}, ink.axis, 1.2)
	f.arrow(point{left, bottom}, point{left, at.at(0, hi.y).y}, ink.axis, 1.2)
	word := style{size: 12, fill: ink.text}
	f.text(left+6, bottom+18, spaceAxis(f.p.s.Canonical, 0), word)
	word.anchor = "end"
	f.text(left-8, at.at(0, hi.y).y+10, timeName(f.p.s.Canonical), word)
	if note := at.stretch(); note != "" {
		f.text(x, bottom+38, note, style{size: 11, fill: ink.faint, italic: true})
		bottom += 20
	}
	return bottom + 22
}

// chains yields the first link of each chain, and its outline in the plane. Tiles without one are left out.
func (f *orderFigure) chains(yield func(schedule.Link, []point)) {
	f.g.links(len(f.r.Chains.Steps), func(l schedule.Link) {
		if l.Place > 0 {
			return
		}
		if ps := f.p.outline(chainOf(l)); ps != nil {
			yield(l, ps)
		}
	})
}

func chainOf(l schedule.Link) tile { return tile{l.Time, l.Phase, l.At[0]} }

func linkText(l schedule.Link) string { return fmt.Sprint(l.Time, l.Phase, l.At[0], l.Place) }

// centroid is the centre of mass of a polygon.
func centroid(ps []point) (c point) {
	twice := 0.0
	for i, a := range ps {
		b := ps[(i+1)%len(ps)]
		cross := (a.x-ps[0].x)*(b.y-ps[0].y) - (b.x-ps[0].x)*(a.y-ps[0].y)
		twice += cross
		c = point{c.x + cross*(a.x+b.x+ps[0].x)/3, c.y + cross*(a.y+b.y+ps[0].y)/3}
	}
	return point{c.x / twice, c.y / twice}
}

// number writes a beat at c, if there is room: where inside holds for the corners of the text.
func (f *orderFigure) number(c point, beat int64, colour string, inside func(point) bool) {
	text := fmt.Sprint(beat)
	w := textWidth(text, 12)/2 + 2
	for _, d := range []point{{-w, -7}, {w, -7}, {-w, 7}, {w, 7}} {
		if !inside(c.add(d.x, d.y)) {
			return
		}
	}
	f.group(attrs{"class", "beat", "stroke", "none"}, func() {
		f.text(c.x, c.y+4, text, style{size: 12, fill: colour, anchor: "middle", bold: true})
	})
}

// wait draws an arrow from what is waited for to what waits, so many pixels short of both.
func (f *orderFigure) wait(from, to schedule.Link, a, b point, short float64) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length < 2*short+6 {
		return
	}
	ux, uy := (b.x-a.x)/length*short, (b.y-a.y)/length*short
	f.group(attrs{"class", "wait", "data-from", linkText(from), "data-to", linkText(to)}, func() { f.arrow(a.add(ux, uy), b.add(-ux, -uy), ink.waits, 1) })
}

// along draws the tiles of one chain of each phase, a row for each, and returns where it ends.
func (f *orderFigure) along(x, y, wide float64, starts map[schedule.Link]int64, before func(schedule.Link, func(schedule.Link))) float64 {
	phases := int64(len(f.r.Chains.Steps))
	rows := f.g.times * phases
	cell := (wide - orderLeft) / float64(f.g.along)
	at := func(l schedule.Link) point { // the upper left corner
		row := rows - 1 - (l.Time*phases + int64(l.Phase))
		return point{x + orderLeft + float64(l.Place)*cell, y + float64(row)*(cellHigh+rowGap)}
	}
	small := style{size: 11, fill: ink.faint, anchor: "end"}
	f.text(x, y-12, fmt.Sprintf("the chains of S_0=%d, tile by tile", f.shown()), style{size: 12, fill: ink.text})
	every := max(1, int64(math.Ceil(22/cell)), f.g.along/8)
	roomy := textWidth(fmt.Sprint(f.last), 12)+4 < cell
	f.g.links(len(f.r.Chains.Steps), func(l schedule.Link) {
		if l.At[0] != f.shown() {
			return
		}
		p := at(l)
		fill, word := f.beatInk(starts[l])
		f.note(fmt.Sprintf("%v, %s=%d: can start at beat %d", chainOf(l), f.alongName(), l.Place, starts[l]), func() {
			f.rect(p.x, p.y, cell, cellHigh, attrs{"class", "link", "data-link", linkText(l), "fill", fill, "stroke", ink.paper, "stroke-width", min(1, cell/8)})
		})
		f.number(p.add(cell/2, cellHigh/2), starts[l], word, func(point) bool { return roomy })
		if l.Place == 0 {
			f.text(x+orderLeft-8, p.y+cellHigh/2+4, fmt.Sprintf("T=%d, phase %d", l.Time, l.Phase), small)
		}
	})
	f.g.links(len(f.r.Chains.Steps), func(l schedule.Link) {
		if l.At[0] != f.shown() || l.Place%every != 0 {
			return
		}
		before(l, func(from schedule.Link) {
			if from.At[0] == f.shown() {
				f.wait(from, l, at(from).add(cell/2, 0), at(l).add(cell/2, cellHigh), 0)
			}
		})
	})
	bottom := y + float64(rows)*(cellHigh+rowGap) - rowGap
	f.arrow(point{x + orderLeft, bottom + 8}, point{x + wide, bottom + 8}, ink.axis, 1.2)
	f.text(x+orderLeft, bottom+26, mathText(fmt.Sprintf("S_%s, from 0 to %d", f.alongName()[1:], f.g.along-1)), style{size: 12, fill: ink.text})
	return bottom + 30
}

// alongName is the index of tiles along a chain, such as S1.
func (f *orderFigure) alongName() string { return f.r.Tile[2+f.r.Chains.Blocks].Name }

// legend says what colours and arrows mean.
func (f *orderFigure) legend() {
	const wide, high = 320.0, 14.0
	y := f.h + 34
	n := min(f.last+1, 64)
	step := wide / float64(n)
	beatAt := func(i int64) int64 {
		if n == 1 {
			return 0
		}
		return i * f.last / (n - 1)
	}
	f.text(orderInset, y-8, "the beat at which a tile can start", style{size: 12, fill: ink.text})
	for i := range n {
		fill, _ := f.beatInk(beatAt(i))
		f.rect(orderInset+float64(i)*step, y, step+0.3, high, attrs{"fill", fill})
	}
	f.rect(orderInset, y, wide, high, attrs{"fill", "none", "stroke", ink.axis, "stroke-width", 0.8})
	tick := tickStep(wide/float64(max(1, f.last)), 34)
	for beat := 0.0; beat <= float64(f.last); beat += tick {
		at := orderInset + step/2 + (wide-step)*beat/float64(max(1, f.last))
		f.line(point{at, y + high}, point{at, y + high + 4}, attrs{"stroke", ink.axis, "stroke-width", 1})
		f.text(at, y+high+17, integer(beat), style{size: 11, fill: ink.faint, anchor: "middle"})
	}
	x, word := orderInset+wide+48, style{size: 12, fill: ink.text}
	f.arrow(point{x, y + 2}, point{x + 28, y + 2}, ink.waits, 1)
	f.text(x+38, y+6, "from what has to end to what waits for it; in phases for one chain of each, which waits for all of the phase before", word)
	f.text(x, y+26, f.beatText(), word)
	f.h = y + high + 28
}

// beatText says what a beat is, and what to read from the picture where chains are of one tile.
func (f *orderFigure) beatText() string {
	switch {
	case f.g.along == 1:
		return "A beat is what a tile takes. Chains are of one tile: waits help where those of a phase are no multiple of what runs at once."
	case len(f.r.Tile) > 3+f.r.Chains.Blocks:
		return fmt.Sprintf("A beat is what the tiles of a chain at one S_%s take, each the same; there is a %s for each chain.", f.alongName()[1:], f.t.worker)
	}
	return "A beat is what a tile takes, each the same; there is a " + f.t.worker + " for each chain."
}
