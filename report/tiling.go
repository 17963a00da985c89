package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// A tilingFigure is the tiles around a region: s0 to the right, time upwards.
type tilingFigure struct {
	drawing
	frame
	p        plane
	r        region
	shares   []share
	launches []launch
	terms    terms
	outlines [][]point // by share
	labels   []label   // of the tiles that have room for one
	lo, hi   point     // corners of what is drawn, in (s, tau)
}

const (
	axisRoom   = 64
	launchRoom = 44 // each phase has a column of launches at the right
	columnWide = 26
)

// tilingPicture draws the tiles that have points in r, at most width pixels wide.
func tilingPicture(s *schedule.Schedule, r region, t terms, width float64) *drawing {
	f := &tilingFigure{p: plane{s}, r: r, terms: t}
	f.shares, f.launches = f.p.shares(r)
	if len(f.shares) == 0 {
		f.w, f.h = width, 40
		f.text(12, 24, plain("no instances for "+r.words), style{size: 13, fill: ink.faint})
		return &f.drawing
	}
	f.layout(width)
	f.grid()
	f.tiles()
	f.frameOfRegion()
	f.label()
	f.instances()
	f.words()
	f.axes()
	f.columns()
	f.legend()
	return &f.drawing
}

func (f *tilingFigure) layout(width float64) {
	f.lo, f.hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, sh := range f.shares {
		ps := f.p.outline(sh.tile)
		f.outlines = append(f.outlines, ps)
		for _, p := range ps {
			f.lo = point{min(f.lo.x, p.x), min(f.lo.y, p.y)}
			f.hi = point{max(f.hi.x, p.x), max(f.hi.y, p.y)}
		}
	}
	right := float64(launchRoom + columnWide*len(f.p.s.Phases) + 40)
	wide, high := f.hi.x-f.lo.x, f.hi.y-f.lo.y
	f.fit(width-axisRoom-right, max(620, 8*min(high, 110)), wide, high, 40)
	f.w = width
	f.origin.x = axisRoom + (width-axisRoom-right-wide*f.cell)/2 - f.lo.x*f.cell
	f.origin.y = 40 + f.hi.y*f.rise
	f.h = f.at(0, f.lo.y).y + 92
}

// grid draws light lines at the ticks of the axes, under the tiles.
func (f *tilingFigure) grid() {
	step := tickStep(f.cell, 30)
	f.group(attrs{"stroke", ink.grid, "stroke-width", 1}, func() {
		for s := multipleFrom(f.lo.x, step); s <= f.hi.x; s += step {
			f.line(f.at(s, f.lo.y), f.at(s, f.hi.y), nil)
		}
		step = tickStep(f.rise, 30)
		for tau := multipleFrom(f.lo.y, step); tau <= f.hi.y; tau += step {
			f.line(f.at(f.lo.x, tau), f.at(f.hi.x, tau), nil)
		}
	})
}

func (f *tilingFigure) tiles() {
	f.group(attrs{"stroke", ink.paper, "stroke-width", 2, "stroke-linejoin", "round"}, func() {
		for i, sh := range f.shares {
			colour := phaseTint(sh.Phase)
			fill := colour.fill
			if !sh.Full {
				fill = colour.light
			}
			f.note(f.tip(sh), func() {
				f.polygon(f.all(f.outlines[i]), attrs{"class", "tile", "data-tile", fmt.Sprintf("%d %d %d", sh.T, sh.Phase, sh.S), "fill", fill})
			})
		}
	})
	f.group(attrs{"fill", "none", "stroke-width", 0.9, "stroke-linejoin", "round", "stroke", ink.axis}, func() {
		for i := range f.shares {
			f.polygon(f.all(f.outlines[i]), nil)
		}
	})
}

func (f *tilingFigure) tip(sh share) string {
	kind := "full"
	if !sh.Full {
		kind = "partial"
	}
	return fmt.Sprintf("%v: %s, %s, %d of %d points", sh.tile, f.launchOf(sh, f.terms.launch+" ", "front "), kind, sh.Points, f.p.points(sh.tile))
}

// frameOfRegion draws a dashed box around the domain.
func (f *tilingFigure) frameOfRegion() {
	f.group(attrs{"stroke", ink.domain, "stroke-width", 1.3, "stroke-dasharray", "7 4"}, func() {
		for _, side := range f.r.frameSides(f.lo, f.hi) {
			f.line(f.at(side[0].x, side[0].y), f.at(side[1].x, side[1].y), nil)
		}
	})
}

// instances draws the instances of the tiles.
func (f *tilingFigure) instances() {
	K := int64(max(1, f.p.s.Canonical.K))
	byStatement := make([][]row, K)
	for _, sh := range f.shares {
		f.p.each(sh.tile, func(tau, s int64) {
			if !f.r.in(tau, s) {
				return
			}
			rows := &byStatement[tau-K*floorDiv(tau, K)]
			if n := len(*rows); n > 0 && (*rows)[n-1].tau == float64(tau) && (*rows)[n-1].hi == float64(s-1) {
				(*rows)[n-1].hi++
				return
			}
			*rows = append(*rows, row{float64(tau), float64(s), float64(s)})
		})
	}
	for i, rows := range byStatement {
		f.marks(f.frame, f.p.s.Canonical, i, rows, 0.72, f.covered)
	}
}

// mark draws what stands for level i in a legend, in the middle at p.
func (f *tilingFigure) mark(p point, c *schedule.Canonical, i int) {
	if f.dotted() {
		f.dots([]point{p}, 3.4, attrs{"data-s", levelKey(c, i), "stroke", levelInk(c, i)})
		return
	}
	f.line(p.add(-10, 0), p.add(10, 0), attrs{"data-s", levelKey(c, i), "stroke", levelInk(c, i), "stroke-width", 1.6})
}

func (f *tilingFigure) axes() {
	small := style{size: 11, fill: ink.faint, anchor: "middle"}
	step := tickStep(f.cell, 30)
	bottom, left := f.at(0, f.lo.y).y, f.at(f.lo.x, 0).x
	for s := multipleFrom(f.lo.x, step); s <= f.hi.x; s += step {
		f.text(f.at(s, 0).x, bottom+22, integer(s), small)
	}
	small.anchor = "end"
	step = tickStep(f.rise, 30)
	for tau := multipleFrom(f.lo.y, step); tau <= f.hi.y; tau += step {
		f.text(left-16, f.at(0, tau).y+4, integer(tau), small)
	}
	f.arrow(point{left - 4, bottom + 8}, point{f.at(f.hi.x, 0).x + 16, bottom + 8}, ink.axis, 1.2)
	f.arrow(point{left - 9, bottom + 3}, point{left - 9, f.at(0, f.hi.y).y - 16}, ink.axis, 1.2)
	word := style{size: 13, fill: ink.text}
	f.text(left-40, f.at(0, f.hi.y).y-24, timeAxis(f.p.s.Canonical), word)
	word.anchor = "end"
	f.text(f.at(f.hi.x, 0).x+16, bottom+42, spaceAxis(f.p.s.Canonical, 0), word)
}

// timeAxis names tau in the user's words.
func timeAxis(c *schedule.Canonical) string {
	if c.K > 1 {
		return fmt.Sprintf("τ = %d%s + level, upwards", c.K, plain(c.Scop.Time))
	}
	return plain(c.Scop.Time) + " (time), upwards"
}

// timeName is τ, or the time iterator where they are the same.
func timeName(c *schedule.Canonical) string {
	if c.K > 1 {
		return "τ"
	}
	return plain(c.Scop.Time)
}

// spaceAxis names a space dimension, with the iterator it stands for where all statements agree.
func spaceAxis(c *schedule.Canonical, dim int) string {
	names := map[string]bool{}
	name := ""
	for i, places := range c.Places {
		if len(places) <= dim || places[dim].Iter < 0 {
			continue
		}
		name = c.Scop.Stmts[i].Iters[places[dim].Iter]
		names[name] = true
	}
	if len(names) == 1 {
		return fmt.Sprintf("s_%d (%s)", dim, plain(name))
	}
	return fmt.Sprintf("s_%d", dim)
}

// columns draws the launches at the right: when each runs, one column for each phase.
func (f *tilingFigure) columns() {
	if f.p.s.Fronts != nil { // a launch has tiles of several times
		return
	}
	x := f.at(f.hi.x, 0).x + launchRoom
	f.text(x+float64(len(f.p.s.Phases))*columnWide/2, f.at(0, f.hi.y).y-10, f.terms.launches, style{size: 12, fill: ink.text, anchor: "middle"})
	for _, l := range f.launches {
		colour := phaseTint(l.Phase)
		first, last, _ := f.p.span(tile{l.T, l.Phase, 0})
		top := f.at(0, min(f.hi.y, float64(last)+0.5)).y
		low := f.at(0, max(f.lo.y, float64(first)-0.5)).y
		at := x + float64(l.Phase)*columnWide
		f.note(fmt.Sprintf("%s %d: T=%d, phase %d", f.terms.launch, l.Number, l.T, l.Phase), func() {
			f.rect(at+2, top+1.5, columnWide-4, low-top-3, attrs{"rx", 4, "fill", colour.fill, "stroke", colour.edge, "stroke-width", 0.8})
			if low-top > 16 {
				f.text(at+columnWide/2, (top+low)/2+4, fmt.Sprint(l.Number), style{size: 12, fill: colour.word, anchor: "middle", bold: true})
			}
		})
	}
}

// legend explains the colours, in one row under the axes.
func (f *tilingFigure) legend() {
	x, y := float64(axisRoom), f.h-16
	if note := f.stretch(); note != "" {
		f.text(axisRoom, y-22, note, style{size: 12, fill: ink.faint, italic: true})
	}
	word := style{size: 12, fill: ink.text}
	item := func(symbol func(x float64), text string) {
		if wide := 26 + 1.1*textWidth(text, 12); x+wide > f.w && x > axisRoom {
			x, y = axisRoom, y+20
			f.h += 20
		}
		symbol(x)
		f.text(x+26, y, text, word)
		x += 26 + textWidth(text, 12) + 22
	}
	for phase := range f.p.s.Phases {
		colour := phaseTint(phase)
		swatch := func(fill string) func(float64) {
			return func(x float64) {
				f.rect(x, y-11, 20, 14, attrs{"rx", 3, "fill", fill, "stroke", ink.axis, "stroke-width", 0.9})
			}
		}
		item(swatch(colour.fill), fmt.Sprintf("phase %d, full tile", phase))
		item(swatch(colour.light), "partial tile")
	}
	item(func(x float64) {
		f.rect(x, y-11, 20, 14, attrs{"fill", "none", "stroke", ink.domain, "stroke-width", 1.3, "stroke-dasharray", "4 3"})
	}, plain(strings.TrimSpace("domain "+f.r.words)))
	K := f.p.s.Canonical.K
	if !f.dotted() && !f.lined() {
		return
	}
	for i := range K {
		text := "point"
		if f.lined() {
			text = "row of points"
		}
		if K > 1 {
			text = plain(strings.Join(levelNames(f.p.s.Canonical, i), ", "))
		}
		item(func(x float64) { f.mark(point{x + 10, y - 4}, f.p.s.Canonical, i) }, text)
	}
}
