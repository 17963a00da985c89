package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
)

// drawnRanks is how many ranks the picture of ranks has, tilesOfRank how many tiles each has, but the last, which may have fewer.
const drawnRanks, tilesOfRank = 3, 2

// A ranksFigure is the tiles of the plane, coloured by the rank that runs them, and what crosses the borders between ranks.
type ranksFigure struct {
	drawing
	frame
	p      plane
	plan   *ranks.Plan
	values []int64
	shares []ranks.Share
	lo, hi point
}

// ranksPicture draws who runs which tiles, and the messages, at most width pixels wide: a small grid, whose sizes given overrides.
func ranksPicture(plan *ranks.Plan, s *schedule.Schedule, given map[string]int64, t terms, width float64) *drawing {
	high, wide := s.Height, s.Phases[0].Space[0].Stride
	f := &ranksFigure{p: plane{s}, plan: plan, values: chooseValues(s.Canonical, given, 2*high, drawnRanks*tilesOfRank*wide-wide/2)}
	domain := extent(s.Canonical, f.values)
	f.w = width
	shares, enough := plan.Shares(f.values, drawnRanks)
	if domain.empty() || !enough || len(shares) == 0 || (domain.sHi-domain.sLo)/wide > 40 || (domain.tauHi-domain.tauLo)/high > 12 {
		f.h = 40
		f.text(12, 24, plain(fmt.Sprintf("at these sizes there are too few tiles for %d ranks, or too many to be drawn", drawnRanks)), style{size: 13, fill: ink.faint})
		return &f.drawing
	}
	f.shares = shares
	tiles, outlines := f.tiles(domain)
	right := 270.0 // for the legend
	f.fit(width-axisRoom-right, 460, f.hi.x-f.lo.x, f.hi.y-f.lo.y, 40)
	f.origin = point{axisRoom - f.lo.x*f.cell, 34 + f.hi.y*f.rise}
	f.group(attrs{"stroke", ink.paper, "stroke-width", 1.5, "stroke-linejoin", "round"}, func() {
		for i, x := range tiles {
			tint := phaseTint(f.rankOf(x.S))
			fill := tint.fill
			if x.Phase == 1 {
				fill = tint.light
			}
			f.note(fmt.Sprintf("%v: rank %d", x, f.rankOf(x.S)), func() {
				f.polygon(f.all(outlines[i]), attrs{"class", "tile", "data-rank", f.rankOf(x.S), "fill", fill, "stroke", tint.edge, "stroke-width", 0.8})
			})
		}
	})
	f.messages(tiles)
	f.axes(t, right)
	return &f.drawing
}

// tiles returns the tiles that have points of the domain, with their outlines, and finds how far they reach.
func (f *ranksFigure) tiles(domain rect) (list []tile, outlines [][]point) {
	f.lo, f.hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	seen := map[tile]bool{}
	for tau := domain.tauLo; tau <= domain.tauHi; tau++ {
		for s := domain.sLo; s <= domain.sHi; s++ {
			if t, ok := f.p.owner(tau, s); ok && !seen[t] {
				seen[t] = true
				list = append(list, t)
			}
		}
	}
	sortTiles(list)
	for _, t := range list {
		ps := f.p.outline(t)
		outlines = append(outlines, ps)
		for _, q := range ps {
			f.lo, f.hi = point{min(f.lo.x, q.x), min(f.lo.y, q.y)}, point{max(f.hi.x, q.x), max(f.hi.y, q.y)}
		}
	}
	return list, outlines
}

// rankOf returns the rank that runs the tiles with this index.
func (f *ranksFigure) rankOf(S int64) int {
	for r, s := range f.shares {
		if S <= s.Last {
			return r
		}
	}
	return len(f.shares) - 1
}

// messages draws an arrow for each message: from the tile at the sender's side, after whose phase it is sent, across the border.
func (f *ranksFigure) messages(tiles []tile) {
	for _, x := range tiles {
		rank := f.rankOf(x.S)
		for _, up := range []bool{true, false} {
			which, border, to := 2*(x.Phase+1), f.shares[rank].Last+1, rank+1
			if !up {
				which, border, to = which+1, f.shares[rank].First, rank-1
			}
			if side := map[bool]int64{true: border - 1, false: border}[up]; x.S != side || to < 0 || to >= len(f.shares) || which >= len(f.plan.Messages()) {
				continue
			}
			bytes, after := f.bytes(which, x.T, border), fmt.Sprintf("after phase %d of", x.Phase)
			if f.plan.Pipeline != nil {
				after = "in the turns of"
			}
			if bytes == 0 {
				continue
			}
			ps := f.p.outline(x)
			mid, edge := centroid(ps), math.Inf(-1)
			dir := 1.0
			if !up {
				dir = -1
			}
			for _, q := range ps {
				edge = max(edge, dir*q.x)
			}
			from := f.at((2*dir*edge+mid.x)/3, mid.y)
			reach := dir * 0.3 * float64(f.p.dim(0).Stride) * f.cell
			f.note(fmt.Sprintf("%s T = %d rank %d sends %d bytes to rank %d", after, x.T, rank, bytes, to), func() {
				f.group(attrs{"class", "message", "data-bytes", bytes, "data-from", rank, "data-to", to}, func() {
					f.arrow(from, point{from.x + reach, from.y - f.rise*float64(f.p.s.Height)/5}, ink.waits, 2.4)
				})
			})
		}
	}
}

// bytes returns how many bytes a message has, or those of all turns of a time tile.
func (f *ranksFigure) bytes(which int, T, border int64) (bytes int64) {
	boxes := f.plan.Boxes(which, f.values, T, border)
	if f.plan.Pipeline != nil {
		first, last := f.plan.TurnsAt(f.values)
		for turn := first; turn <= last; turn++ {
			boxes = append(boxes, f.plan.TurnBoxes(which%2 == 0, f.values, T, turn, border)...)
		}
	}
	for _, b := range boxes {
		bytes += b.Bytes()
	}
	return bytes
}

// axes draws the axes, and what colours mean.
func (f *ranksFigure) axes(t terms, right float64) {
	c := f.p.s.Canonical
	bottom, left := f.at(0, f.lo.y).y+10, f.at(f.lo.x, 0).x-8
	f.arrow(point{left, bottom}, point{f.at(f.hi.x, 0).x + 10, bottom}, ink.axis, 1.2)
	f.arrow(point{left, bottom}, point{left, 24}, ink.axis, 1.2)
	f.text(left+6, bottom+18, spaceAxis(c, 0), style{size: 12, fill: ink.text})
	f.text(left-8, 30, timeName(c), style{size: 12, fill: ink.text, anchor: "end"})
	words := ""
	for i, q := range c.Scop.Params {
		if i > 0 {
			words += ", "
		}
		words += fmt.Sprintf("%s = %d", q.Name, f.values[i])
	}
	f.text(left+120, bottom+18, plain(words), style{size: 12, fill: ink.faint})
	x, y := f.w-right+30, 44.0
	for r, s := range f.shares {
		tint := phaseTint(r)
		f.rect(x, y-11, 14, 14, attrs{"fill", tint.fill, "stroke", tint.edge})
		f.rect(x+16, y-11, 14, 14, attrs{"fill", tint.light, "stroke", tint.edge})
		f.text(x+38, y, plain(fmt.Sprintf("rank %d: S0 from %d to %d", r, s.First, s.Last)), style{size: 12, fill: ink.text})
		f.text(x+38, y+16, plain(fmt.Sprintf("sends %d messages, %d bytes", s.Messages, s.Bytes)), style{size: 11, fill: ink.faint})
		y += 44
	}
	if len(f.p.s.Phases) > 1 {
		f.text(x, y, "phase 0 dark, phase 1 light", style{size: 11, fill: ink.faint})
	}
	f.arrow(point{x, y + 18}, point{x + 30, y + 18}, ink.waits, 2.4)
	f.text(x+38, y+22, "a message", style{size: 12, fill: ink.text})
	if note := f.stretch(); note != "" {
		f.text(left, bottom+38, note, style{size: 11, fill: ink.faint, italic: true})
		bottom += 18
	}
	f.h = max(bottom+34, y+40)
}
