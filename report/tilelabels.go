package report

import (
	"fmt"
	"math"
)

// A label is the words on a tile and the box they take, in pixels. Points under
// the box of a label that is a plate are not drawn.
type label struct {
	share         share
	first, second string
	x, y, w, h    float64 // centre and size
	plate         bool
}

const lineHigh = 14

// label finds a place for the words of each tile: its indices and its launch.
// Where rows of points are far enough apart the two lines lie between rows, else on a plate.
func (f *tilingFigure) label() {
	for i, sh := range f.shares {
		for _, words := range [][2]string{
			{fmt.Sprintf("T=%d S_0=%d", sh.T, sh.S), f.launchOf(sh, f.terms.launch+" ", "front ")},
			{fmt.Sprintf("%d, %d", sh.T, sh.S), f.launchOf(sh, "", "")},
			{fmt.Sprintf("%d, %d", sh.T, sh.S), ""},
		} {
			l := label{share: sh, first: mathText(words[0]), second: words[1]}
			l.w = max(textWidth(l.first, 12), textWidth(l.second, 11)) + 8
			l.plate = f.rise < 28
			l.h = 2*lineHigh + 4
			switch {
			case l.second == "":
				l.h = lineHigh
			case !l.plate:
				l.h = f.rise + lineHigh
			}
			if f.settle(&l, f.outlines[i]) {
				f.labels = append(f.labels, l)
				break
			}
		}
	}
}

// launchOf returns the launch of a tile, or its front where there are fronts: the least of those of tiles with its indices.
func (f *tilingFigure) launchOf(sh share, launch, front string) string {
	if fronts := f.p.s.Fronts; fronts != nil {
		return fmt.Sprint(front, fronts.Tiles*sh.T+sh.S)
	}
	return fmt.Sprint(launch, sh.Launch)
}

// settle moves l to the place nearest to the middle of its tile at which it lies
// inside the outline and clear of the frame of the region; false if there is none.
func (f *tilingFigure) settle(l *label, outline []point) bool {
	mid := f.middle(l.share.tile)
	c := f.at(mid.x, mid.y)
	stepX, stepY := 6.0, 5.0
	if !l.plate { // the first line between two rows, the second in the gap below
		stepY = f.rise
		if l.second != "" {
			c.y += f.rise / 2
		}
	}
	best := math.Inf(1)
	at := point{}
	for dy := -80 / stepY; dy <= 80/stepY; dy++ {
		for dx := -20.0; dx <= 20; dx++ {
			// up and down cost more than aside: rows of labels look calm
			x, y := dx*stepX, math.Round(dy)*stepY
			cost := math.Abs(x) + 1.5*math.Abs(y) + 0.01*max(x, 0) + 0.01*max(y, 0)
			if cost >= best {
				continue
			}
			if l.x, l.y = c.x+x, c.y+y; f.fits(*l, outline) {
				best, at = cost, point{l.x, l.y}
			}
		}
	}
	l.x, l.y = at.x, at.y
	return !math.IsInf(best, 1)
}

// fits reports whether the box of l lies in the outline and does not touch the frame of the region.
func (f *tilingFigure) fits(l label, outline []point) bool {
	left, right, top, low := l.x-l.w/2, l.x+l.w/2, l.y-l.h/2, l.y+l.h/2
	for _, c := range []point{{left, top}, {right, top}, {left, low}, {right, low}} {
		if !insidePolygon(outline, (c.x-f.origin.x)/f.cell, (f.origin.y-c.y)/f.rise) {
			return false
		}
	}
	const clear = 2
	for _, side := range f.r.frameSides(f.lo, f.hi) {
		p, q := f.at(side[0].x, side[0].y), f.at(side[1].x, side[1].y)
		if max(left, min(p.x, q.x))-clear < min(right, max(p.x, q.x))+clear &&
			max(top, min(p.y, q.y))-clear < min(low, max(p.y, q.y))+clear {
			return false
		}
	}
	return true
}

// words writes the labels.
func (f *tilingFigure) words() {
	for _, l := range f.labels {
		colour := phaseTint(l.share.Phase)
		if f.lined() {
			fill := colour.fill
			if !l.share.Full {
				fill = colour.light
			}
			f.rect(l.x-l.w/2, l.y-l.h/2, l.w, l.h, attrs{"rx", 3, "fill", fill})
		}
		gap := float64(lineHigh) / 2
		switch {
		case l.second == "":
			gap = 0
		case !l.plate:
			gap = f.rise / 2
		}
		f.text(l.x, l.y-gap+4, l.first, style{size: 12, fill: colour.word, anchor: "middle", bold: true})
		if l.second != "" {
			f.text(l.x, l.y+gap+4, l.second, style{size: 11, fill: colour.word, anchor: "middle"})
		}
	}
}

// covered reports whether a dot of radius r at p would touch the words on a plate.
func (f *tilingFigure) covered(p point, r float64) bool {
	for _, l := range f.labels {
		if l.plate && math.Abs(p.x-l.x) < l.w/2+r && math.Abs(p.y-l.y) < l.h/2+r {
			return true
		}
	}
	return false
}

// middle returns the place half way up t, between two rows if it has an even number of them.
func (f *tilingFigure) middle(t tile) point {
	first, last, _ := f.p.span(t)
	down := floorDiv(first+last, 2)
	up := min(down+1, last)
	l0, h0, _ := f.p.row(t, down)
	l1, h1, _ := f.p.row(t, up)
	return point{float64(l0+h0+l1+h1) / 4, float64(down) + 0.5}
}

// insidePolygon counts the sides that a ray from (x, y) to the right crosses.
func insidePolygon(ps []point, x, y float64) bool {
	in := false
	for i, a := range ps {
		b := ps[(i+1)%len(ps)]
		if (a.y > y) != (b.y > y) && x < a.x+(y-a.y)/(b.y-a.y)*(b.x-a.x) {
			in = !in
		}
	}
	return in
}
