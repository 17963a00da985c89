package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/schedule"
)

// A stripFigure is the tiles of a classical dimension in one time tile: s_i to
// the right, the local time a upwards.
type stripFigure struct {
	drawing
	frame
	p      plane
	dim    int
	tiles  []tile
	lo, hi point
}

// stripPlane returns the tiles of space dimension dim and time, as those of a
// schedule that has no other dimension. Both phases have the same; the last begins at time 0.
func stripPlane(s *schedule.Schedule, dim int) plane {
	ph := s.Phases[len(s.Phases)-1]
	return plane{&schedule.Schedule{
		Canonical: s.Canonical, Scheme: s.Scheme, Height: s.Height, Sizes: s.Sizes,
		Phases: []schedule.Phase{{TimeShift: ph.TimeShift, Space: ph.Space[dim : dim+1]}},
	}}
}

// stripsShown is how many tiles of a sequence are drawn.
const stripsShown = 3

// stripPicture draws the first tiles of classical dimension dim of s in one time
// tile, in the order in which a block runs them, at most width pixels wide.
func stripPicture(s *schedule.Schedule, cone schedule.Cone, dim int, width float64) *drawing {
	f := &stripFigure{p: stripPlane(s, dim), dim: dim}
	f.lo, f.hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for S := range int64(stripsShown) {
		t := tile{0, 0, S}
		f.tiles = append(f.tiles, t)
		for _, q := range f.p.outline(t) {
			f.lo = point{min(f.lo.x, q.x), min(f.lo.y, q.y)}
			f.hi = point{max(f.hi.x, q.x), max(f.hi.y, q.y)}
		}
	}
	f.w = width
	f.fit(width-axisRoom-30, 240, f.hi.x-f.lo.x, f.hi.y-f.lo.y, 26)
	f.origin = point{axisRoom - f.lo.x*f.cell, 52 + f.hi.y*f.rise}
	f.h = f.at(0, f.lo.y).y + 96
	f.shapes()
	f.axes()
	f.sizes(cone)
	return &f.drawing
}

func (f *stripFigure) shapes() {
	colour := phaseTint(2)
	f.group(attrs{"stroke", ink.axis, "stroke-width", 0.9, "stroke-linejoin", "round"}, func() {
		for i, t := range f.tiles {
			fill := [...]string{colour.fill, colour.light}[i%2]
			f.polygon(f.all(f.p.outline(t)), attrs{"class", "tile", "data-tile", fmt.Sprintf("%d %d %d", t.T, t.Phase, t.S), "fill", fill})
		}
	})
	var boxes []label
	for i, t := range f.tiles {
		l := label{first: fmt.Sprintf("S_%d=%d", f.dim, i), second: fmt.Sprintf("runs %s", ordinal(i+1))}
		if f.tight(l) {
			l.first, l.second = fmt.Sprint(i), ordinal(i+1)
		}
		if f.p.dim(0).Role == schedule.Block {
			l.second = ""
		}
		if f.tight(l) {
			continue
		}
		l.w, l.h = wideOf(l), min(2*lineHigh+4, (f.hi.y-f.lo.y)*f.rise-4)
		first, last, _ := f.p.span(t)
		loFirst, hiFirst, _ := f.p.row(t, first)
		loLast, hiLast, _ := f.p.row(t, last)
		mid := f.at(float64(loFirst+hiFirst+loLast+hiLast)/4, float64(first+last)/2)
		l.x, l.y = mid.x, mid.y
		boxes = append(boxes, l)
	}
	covered := func(p point, r float64) bool {
		for _, l := range boxes {
			if math.Abs(p.x-l.x) < l.w/2+r && math.Abs(p.y-l.y) < l.h/2+1 {
				return true
			}
		}
		return false
	}
	K := max(1, f.p.s.Canonical.K)
	rows := make([][]row, K)
	for _, t := range f.tiles {
		for a := range f.p.s.Height {
			if lo, hi, ok := f.p.row(t, f.p.tau(t, a)); ok {
				rows[int(a)%K] = append(rows[int(a)%K], row{float64(a), float64(lo), float64(hi)})
			}
		}
	}
	for i, rs := range rows {
		f.marks(f.frame, f.p.s.Canonical, i, rs, 0.8, covered)
	}
	for i, l := range boxes {
		if f.lined() {
			f.rect(l.x-l.w/2, l.y-l.h/2, l.w, l.h, attrs{"rx", 3, "fill", [...]string{colour.fill, colour.light}[i%2]})
		}
		if l.second == "" {
			f.text(l.x, l.y+4, l.first, style{size: 12, fill: colour.word, anchor: "middle", bold: true})
			continue
		}
		f.text(l.x, l.y-3, l.first, style{size: 12, fill: colour.word, anchor: "middle", bold: true})
		f.text(l.x, l.y+12, l.second, style{size: 11, fill: colour.word, anchor: "middle"})
	}
}

// wideOf is the width of the words of l.
func wideOf(l label) float64 { return max(1.06*textWidth(l.first, 12), textWidth(l.second, 11)) + 8 }

// tight reports whether l is wider than a tile.
func (f *stripFigure) tight(l label) bool { return wideOf(l) > float64(f.p.dim(0).Stride)*f.cell }

// ordinal writes 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	switch {
	case n == 1:
		return "1st"
	case n == 2:
		return "2nd"
	case n == 3:
		return "3rd"
	}
	return fmt.Sprintf("%dth", n)
}

func (f *stripFigure) axes() {
	small := style{size: 11, fill: ink.faint, anchor: "middle"}
	bottom, left := f.at(0, f.lo.y).y, f.at(f.lo.x, 0).x
	step := tickStep(f.cell, 34)
	for s := multipleFrom(f.lo.x, step); s <= f.hi.x; s += step {
		f.text(f.at(s, 0).x, bottom+22, integer(s), small)
	}
	small.anchor = "end"
	step = tickStep(f.rise, 18)
	for a := multipleFrom(max(0, f.lo.y), step); a <= f.hi.y; a += step {
		f.text(left-16, f.at(0, a).y+4, integer(a), small)
	}
	f.arrow(point{left - 4, bottom + 8}, point{f.at(f.hi.x, 0).x + 16, bottom + 8}, ink.axis, 1.2)
	f.arrow(point{left - 9, bottom + 3}, point{left - 9, f.at(0, f.hi.y).y - 10}, ink.axis, 1.2)
	word := style{size: 13, fill: ink.text}
	f.text(left-44, f.at(0, f.hi.y).y-22, "a, the local time", word)
	f.text(left, bottom+44, spaceAxis(f.p.s.Canonical, f.dim), word)
	if note := f.stretch(); note != "" {
		f.text(left-44, f.h-8, note, style{size: 12, fill: ink.faint, italic: true})
	}
}

// sizes draws the width below the tile in the middle, and says how it leans.
func (f *stripFigure) sizes(cone schedule.Cone) {
	d := f.p.dim(0)
	first, _, _ := f.p.span(f.tiles[1])
	lo, _, _ := f.p.row(f.tiles[1], first)
	y := f.at(0, f.lo.y).y + 52
	p, q := point{f.at(float64(lo)-0.5, 0).x, y}, point{f.at(float64(lo+d.Stride)-0.5, 0).x, y}
	f.line(p.add(0, -6), p.add(0, 6), attrs{"stroke", ink.text, "stroke-width", 0.9})
	f.line(q.add(0, -6), q.add(0, 6), attrs{"stroke", ink.text, "stroke-width", 0.9})
	mid := half(p, q)
	if q.x-p.x > 24 {
		f.arrow(mid, p, ink.text, 0.9)
		f.arrow(mid, q, ink.text, 0.9)
	}
	f.text(mid.x, y+18, fmt.Sprintf("w_%d = %d", f.dim, d.Stride), style{size: 12, fill: ink.text, anchor: "middle"})
	lean := "upright: nothing depends on what lies to the right"
	if f.p.dim(0).Role == schedule.Block {
		lean = ""
	} else if f.dim < len(cone.Lo) && cone.Lo[f.dim].Sign() > 0 {
		lean = fmt.Sprintf("leans by %s a step", ratText(cone.Lo[f.dim]))
	}
	f.text(f.w-12, f.at(0, f.hi.y).y-22, lean, style{size: 12, fill: ink.faint, anchor: "end"})
}
