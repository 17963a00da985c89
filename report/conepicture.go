package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/schedule"
)

// A Distance is how far a dependence reaches in the plane of the hexagons.
type Distance struct{ Tau, S0 int64 }

// conePicture draws the opposite dependence cone of the first space dimension:
// the instances on which the one at (0, 0) may depend lie inside it. The arrows
// go from (0, 0) to the opposites of the distances. time names the time axis.
func conePicture(cone schedule.Cone, distances []Distance, time string) *drawing {
	const width, room = 360.0, 300.0
	d := &drawing{w: width}
	lo, _ := cone.Lo[0].Float64()
	hi, _ := cone.Hi[0].Float64()
	depth, reach := 1.0, 1.0
	for _, e := range distances {
		depth = max(depth, float64(e.Tau))
		reach = max(reach, math.Abs(float64(e.S0)))
	}
	deep := depth + 0.6
	reach = max(reach, lo, hi)
	cell := min(64, (width-70)/(2*reach+1.4), (room-50)/(deep+0.5))
	f := frame{cell: cell, rise: cell}
	f.origin = point{width / 2, 62}
	coneGrid(d, f, math.Floor(reach+0.5), depth, time)
	side := (width/2 - 14) / f.cell
	left, right := coneEdge(hi, deep, side), coneEdge(lo, deep, side)
	area := []point{{0, 0}, {-left.x, left.y}, {-min(left.x, hi*deep), -deep}, {min(right.x, lo*deep), -deep}, {right.x, right.y}}
	d.polygon(f.all(area), attrs{"fill", ink.cone, "fill-opacity", 0.8})
	d.group(attrs{"stroke", ink.coneEdge, "stroke-width", 1.6}, func() {
		d.line(f.at(0, 0), f.at(-left.x, left.y), nil)
		d.line(f.at(0, 0), f.at(right.x, right.y), nil)
	})
	coneArrows(d, f, distances, lo, hi)
	d.circle(f.at(0, 0), 4.5, attrs{"fill", ink.text})
	y := f.at(0, -deep).y + 34
	d.h = y + 12
	d.text(width/2, y, fmt.Sprintf("−δ_1 Δ%s ≤ Δs_0 ≤ δ_0 Δ%s, with δ_0 = %s and δ_1 = %s", time, time, ratText(cone.Hi[0]), ratText(cone.Lo[0])),
		style{size: 13, fill: ink.text, anchor: "middle"})
	return d
}

// coneEdge is where a line of the given slope through (0, 0), downwards and to
// the right, leaves a box that is deep below and side to the right.
func coneEdge(slope, deep, side float64) point {
	if slope*deep > side {
		return point{side, -side / slope}
	}
	return point{slope * deep, -deep}
}

// coneGrid draws the integer grid around the cone and the axes through (0, 0).
func coneGrid(d *drawing, f frame, reach, depth float64, time string) {
	if f.cell >= 9 {
		d.group(attrs{"stroke", ink.grid, "stroke-width", 1}, func() {
			for s := -reach; s <= reach; s++ {
				d.line(f.at(s, 0.3), f.at(s, -depth-0.4), nil)
			}
			for t := 0.0; t <= depth; t++ {
				d.line(f.at(-reach-0.4, -t), f.at(reach+0.4, -t), nil)
			}
		})
	}
	d.arrow(f.at(-reach-0.5, 0), f.at(reach+0.5, 0).add(14, 0), ink.axis, 1.2)
	d.arrow(f.at(0, -depth-0.6), point{f.at(0, 0).x, 26}, ink.axis, 1.2)
	word := style{size: 13, fill: ink.text}
	d.text(f.at(0, 0).x+10, 32, "Δ"+time, word)
	word.anchor = "end"
	d.text(f.at(reach+0.5, 0).x+14, f.at(0, 0).y-8, "Δs_0", word)
}

// coneArrows draws the opposites of the distances, each with its distance where there is room.
func coneArrows(d *drawing, f frame, distances []Distance, lo, hi float64) {
	for _, e := range distances {
		to := f.at(-float64(e.S0), -float64(e.Tau))
		d.note(fmt.Sprintf("distance (%d, %d)", e.Tau, e.S0), func() {
			d.arrow(f.at(0, 0), to, ink.arrow, 1.8)
			d.circle(to, 2.6, attrs{"fill", ink.arrow})
			if f.cell < 44 {
				return
			}
			words := fmt.Sprintf("(%s, %s)", integer(float64(e.Tau)), integer(float64(e.S0)))
			at, st := to.add(9, 5), style{size: 12, fill: ink.arrow, halo: ink.paper}
			if e.S0 > 0 {
				at, st.anchor = to.add(-9, 5), "end"
			}
			if s, t := float64(e.S0), float64(e.Tau); -lo*t < s && s < hi*t {
				st.halo = ink.cone
			}
			d.text(at.x, at.y, words, st)
		})
	}
}
