package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// A hexagonFigure is one tile in local coordinates: b to the right, a upwards.
type hexagonFigure struct {
	drawing
	frame
	s      *schedule.Schedule
	p      plane
	bounds []bound // nil if the rows are not those of a hexagon
	rows   int64
	left   float64 // first and last b, drawn outline included
	right  float64
}

// hexagonPicture draws one tile of s: its points, the six lines around it with their
// numbers in the paper, and its sizes.
func hexagonPicture(s *schedule.Schedule, cone schedule.Cone) *drawing {
	f := &hexagonFigure{s: s, p: plane{s}, rows: s.Height}
	f.bounds, _ = hexagonOf(s, cone)
	f.layout()
	f.grid()
	f.shape()
	f.points()
	if f.bounds != nil {
		f.labels(cone)
		f.dimensions(slopesOf(s, cone))
	}
	return &f.drawing
}

const (
	sideRoom = 176 // for the words beside the hexagon
	topRoom  = 84
	footRoom = 124
)

func (f *hexagonFigure) layout() {
	f.left, f.right = math.Inf(1), math.Inf(-1)
	for _, p := range f.outline() {
		f.left, f.right = min(f.left, p.x), max(f.right, p.x)
	}
	width, height := f.right-f.left+1, float64(f.rows)+1
	f.fit(380, 340, width, height, 44)
	side := 0.0
	for _, b := range f.bounds {
		if b.Slope != "" {
			side = max(side, 30+1.1*textWidth(sideText(b), 13)+70)
		}
	}
	f.w = max(2*max(side, sideRoom)+width*f.cell+40, 640)
	f.h = topRoom + height*f.rise + footRoom
	f.origin.x = (f.w+20)/2 - (f.left+f.right)/2*f.cell
	f.origin.y = topRoom + (float64(f.rows))*f.rise
}

// outline is that of the tile with T = S0 = 0 of the last phase, moved to local coordinates.
func (f *hexagonFigure) outline() []point {
	t := tile{0, len(f.s.Phases) - 1, 0}
	d := f.p.dim(t.Phase)
	var ps []point
	for _, p := range f.p.outline(t) {
		ps = append(ps, point{p.x - float64(d.Offset), p.y - float64(f.p.tau(t, 0))})
	}
	return ps
}

// grid draws a line for each integer, or for each fifth or tenth on a fine grid, and the axes.
func (f *hexagonFigure) grid() {
	ticks := tickStep(f.cell, 26)
	lo, hi := math.Floor(f.left), math.Ceil(f.right)
	bottom, top := -1.0, float64(f.rows)
	f.group(attrs{"stroke", ink.grid, "stroke-width", 1}, func() {
		step := tickStep(f.cell, 14)
		for b := multipleFrom(lo, step); b <= hi; b += step {
			f.line(f.at(b, bottom), f.at(b, top), nil)
		}
		step = tickStep(f.rise, 14)
		for a := multipleFrom(bottom, step); a <= top; a += step {
			f.line(f.at(lo, a), f.at(hi, a), nil)
		}
	})
	small := style{size: 11, fill: ink.faint}
	f.group(nil, func() {
		small.anchor = "middle"
		y := f.h - 34
		for b := multipleFrom(lo, ticks); b <= hi; b += ticks {
			p := f.at(b, 0)
			f.text(p.x, y, integer(b), small)
		}
		ticks = tickStep(f.rise, 18)
		for a := multipleFrom(0, ticks); a < float64(f.rows); a += ticks {
			f.text(34, f.at(0, a).y+4, integer(a), small)
		}
	})
	word := style{size: 13, fill: ink.text, anchor: "middle"}
	f.text((f.at(lo, 0).x+f.at(hi, 0).x)/2, f.h-12, "b, the local s_0", word)
	f.arrow(f.at(lo, 0).add(0, f.h-50-f.at(0, 0).y), f.at(hi, 0).add(18, f.h-50-f.at(0, 0).y), ink.axis, 1.2)
	f.arrow(point{46, f.at(0, bottom).y}, point{46, f.at(0, top).y - 18}, ink.axis, 1.2)
	word.anchor = "start"
	if note := f.stretch(); note != "" {
		f.text(12, 14, note, style{size: 12, fill: ink.faint, italic: true})
	}
	f.text(12, f.at(0, top).y-26, "a, the local time: later is higher", word)
}

// shape draws the tile: the outline that it shares with its neighbours, and
// inside it the hexagon of the lines through its outermost points.
func (f *hexagonFigure) shape() {
	colour := phaseTint(0)
	f.polygon(f.all(f.outline()), attrs{"fill", colour.light})
	if corners, ok := hexagonCorners(f.bounds); ok {
		f.polygon(f.all(corners), attrs{"fill", colour.fill, "fill-opacity", 0.75})
		f.group(attrs{"stroke", colour.edge, "stroke-width", 1.6, "stroke-dasharray", "6 4"}, func() {
			for i, a := range corners {
				b := corners[(i+1)%len(corners)]
				p, q := f.at(a.x, a.y), f.at(b.x, b.y)
				length := math.Hypot(q.x-p.x, q.y-p.y)
				if length < 1e-9 {
					continue
				}
				dx, dy := 20*(q.x-p.x)/length, 20*(q.y-p.y)/length // pixels beyond each corner
				f.line(p.add(-dx, -dy), q.add(dx, dy), nil)
			}
		})
		return
	}
	f.polygon(f.all(f.outline()), attrs{"fill", "none", "stroke", colour.edge, "stroke-width", 1.6})
}

// hexagonCorners returns the corners of the six lines, from the lower left and around to the left.
func hexagonCorners(bs []bound) ([]point, bool) {
	if len(bs) != 6 {
		return nil, false
	}
	around := []int{3, 5, 4, 2, 1, 0} // (10), (13), (12), (8), (7), (6)
	var ps []point
	for i := range around {
		p, ok := crossing(bs[around[i]], bs[around[(i+1)%6]])
		if !ok {
			return nil, false
		}
		ps = append(ps, p)
	}
	return ps, true
}

// points draws the points of the tile, in the colours of the statements of their steps.
func (f *hexagonFigure) points() {
	t := tile{0, len(f.s.Phases) - 1, 0}
	d := f.p.dim(t.Phase)
	rows := make([][]row, max(1, f.s.Canonical.K))
	for a := range f.rows {
		i := int(a) % len(rows)
		rows[i] = append(rows[i], row{float64(a), float64(d.Lo[a]), float64(d.Hi[a])})
	}
	for i, rs := range rows {
		f.marks(f.frame, f.s.Canonical, i, rs, 1, nil)
	}
}

// labels writes beside each side its number, its inequality and its slope.
func (f *hexagonFigure) labels(cone schedule.Cone) {
	corners, ok := hexagonCorners(f.bounds)
	if !ok {
		return
	}
	mid := func(i int) point {
		a, b := corners[i], corners[(i+1)%6]
		return f.at((a.x+b.x)/2, (a.y+b.y)/2)
	}
	up := 8.0
	if f.rows == 2 { // the words of two sides lie beside one row each
		up = 20
	}
	// side i runs from corner i to corner i+1; corner i lies between around[i] and around[i+1]
	f.label(mid(0).add(0, 24), f.bounds[5], "middle", "")
	f.label(mid(1).add(30, 4), f.bounds[4], "start", "slope δ_0 = "+ratText(cone.Hi[0]))
	f.label(mid(2).add(30, -up), f.bounds[2], "start", "slope δ_1 = "+ratText(cone.Lo[0]))
	f.label(mid(3).add(0, -56), f.bounds[1], "middle", "")
	f.label(mid(4).add(-30, -up), f.bounds[0], "end", "slope δ_0 = "+ratText(cone.Hi[0]))
	f.label(mid(5).add(-30, 4), f.bounds[3], "end", "slope δ_1 = "+ratText(cone.Lo[0]))
}

func (f *hexagonFigure) label(p point, b bound, anchor, slope string) {
	colour := phaseTint(0).word
	f.text(p.x, p.y, sideText(b), style{size: 13, fill: colour, anchor: anchor, bold: true})
	if slope != "" {
		f.text(p.x, p.y+15, slope, style{size: 12, fill: ink.faint, anchor: anchor})
	}
}

// sideText is what stands beside a side.
func sideText(b bound) string { return fmt.Sprintf("(%s)  %s", b.Number, mathText(b.String())) }

// dimensions draws w0 above the top row, the three parts of the width below the
// bottom row and h at the right.
func (f *hexagonFigure) dimensions(g slopes) {
	last := f.rows - 1
	d := f.p.dim(len(f.s.Phases) - 1)
	top := f.at(0, float64(last)).y - 30
	f.across(float64(d.Lo[last]), float64(d.Hi[last]), top, f.at(0, float64(last)).y, fmt.Sprintf("w_0 = %d", g.w0), -6)
	low := f.at(0, 0).y + 48
	parts := []struct {
		size int64
		name string
	}{{g.f1, "⌊δ_1h⌋"}, {g.w0, "w_0"}, {g.f0, "⌊δ_0h⌋"}}
	at, end, drop := int64(0), math.Inf(-1), 16.0
	for _, part := range parts {
		words := fmt.Sprintf("%s = %d", part.name, part.size)
		if part.size > 0 {
			mid, wide := f.at(float64(at)+float64(part.size)/2, 0).x, textWidth(words, 12)+6
			if drop = 16; mid-wide/2 < end { // below those to the left
				drop = 29
			} else {
				end = mid + wide/2
			}
		}
		f.across(float64(at), float64(at+part.size), low, f.at(0, 0).y, words, drop)
		at += part.size
	}
	if g.h == 0 {
		return
	}
	x := f.w - 34
	f.upright(x, 0, float64(g.h), fmt.Sprintf("h = %d", g.h))
	f.upright(x, float64(g.h+1), float64(last), fmt.Sprintf("h = %d", g.h))
}

// across draws a horizontal dimension line at y from b0 to b1, with thin lines from the points at height from.
func (f *hexagonFigure) across(b0, b1, y, from float64, words string, drop float64) {
	if b0 == b1 {
		return
	}
	p, q := point{f.at(b0, 0).x, y}, point{f.at(b1, 0).x, y}
	f.witness(point{p.x, from}, point{p.x, y})
	f.witness(point{q.x, from}, point{q.x, y})
	f.ends(p, q)
	f.text((p.x+q.x)/2, y+drop, words, style{size: 12, fill: ink.text, anchor: "middle"})
}

// upright draws a vertical dimension line at x from row a0 to row a1.
func (f *hexagonFigure) upright(x, a0, a1 float64, words string) {
	p, q := point{x, f.at(0, a0).y}, point{x, f.at(0, a1).y}
	edge := f.at(f.right, 0).x
	f.witness(point{edge, p.y}, p)
	f.witness(point{edge, q.y}, q)
	f.ends(p, q)
	f.text(x-6, (p.y+q.y)/2+4, words, style{size: 12, fill: ink.text, anchor: "end"})
}

func (f *hexagonFigure) witness(a, b point) {
	f.line(a, b, attrs{"stroke", ink.axis, "stroke-width", 0.6, "stroke-dasharray", "2 2"})
}

func (f *hexagonFigure) ends(p, q point) {
	if math.Hypot(q.x-p.x, q.y-p.y) < 16 {
		f.line(p, q, attrs{"stroke", ink.text, "stroke-width", 1})
		return
	}
	mid := point{(p.x + q.x) / 2, (p.y + q.y) / 2}
	f.arrow(mid, p, ink.text, 0.9)
	f.arrow(mid, q, ink.text, 0.9)
}

func (p point) add(dx, dy float64) point { return point{p.x + dx, p.y + dy} }

// tickStep is the smallest of 1, 2, 5, 10, 20, .. cells that takes at least room pixels.
func tickStep(cell, room float64) float64 {
	for step := 1.0; ; step *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if step*m*cell >= room {
				return step * m
			}
		}
	}
}

func multipleFrom(lo, step float64) float64 { return math.Ceil(lo/step) * step }

func integer(f float64) string { return strings.ReplaceAll(num(f), "-", "−") }

// mathText writes an inequality with the signs of print.
func mathText(s string) string {
	return strings.NewReplacer("<=", "≤", ">=", "≥", "-", "−").Replace(s)
}
