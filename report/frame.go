package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// A frame maps the plane, time upwards, onto a picture: a point is cell pixels
// from the next, and a step rise pixels.
type frame struct {
	origin     point // of (0, 0)
	cell, rise float64
}

func (f frame) at(s, tau float64) point { return point{f.origin.x + s*f.cell, f.origin.y - tau*f.rise} }

func (f frame) all(ps []point) []point {
	out := make([]point, len(ps))
	for i, p := range ps {
		out[i] = f.at(p.x, p.y)
	}
	return out
}

// fit chooses the scale at which wide by high fits a box, with at most cell
// pixels for a point. Both axes have one scale, unless that would make one of them
// less than half as large as it could be.
func (f *frame) fit(boxWide, boxHigh, wide, high, cell float64) {
	f.cell, f.rise = min(cell, boxWide/wide), min(cell, boxHigh/high)
	if same := min(f.cell, f.rise); f.cell <= 2*same && f.rise <= 2*same {
		f.cell, f.rise = same, same
	}
}

// stretch says how far the two axes differ, "" if they do not.
func (f frame) stretch() string {
	switch {
	case f.cell == f.rise:
		return ""
	case f.rise > f.cell:
		return fmt.Sprintf("not to scale: time is drawn %.3g times as large as space", f.rise/f.cell)
	}
	return fmt.Sprintf("not to scale: space is drawn %.3g times as large as time", f.cell/f.rise)
}

// A row is the points lo .. hi of a step.
type row struct{ tau, lo, hi float64 }

// pointRadius is how large points are where they are so many pixels apart; 0 where they would run together.
func pointRadius(cell float64) float64 {
	if cell < 6 {
		return 0
	}
	return min(4.5, cell*0.13+0.4)
}

// dotted and lined report whether marks draws points as dots, or rows of them as lines.
func (f frame) dotted() bool { return pointRadius(min(f.cell, f.rise)) > 0 }
func (f frame) lined() bool  { return !f.dotted() && f.rise >= 6 }

// marks draws rows of points of level i: as dots, as lines where dots would
// run together, or not at all where lines would. Dots that hidden holds are left out.
func (d *drawing) marks(f frame, c *schedule.Canonical, i int, rows []row, size float64, hidden func(point, float64) bool) {
	colour := levelInk(c, i)
	switch {
	case f.dotted():
		r := pointRadius(min(f.cell, f.rise)) * size
		var ps []point
		for _, row := range rows {
			for s := row.lo; s <= row.hi; s++ {
				if p := f.at(s, row.tau); hidden == nil || !hidden(p, r) {
					ps = append(ps, p)
				}
			}
		}
		d.dots(ps, r, attrs{"class", "points", "data-s", levelKey(c, i), "stroke", colour})
	case f.lined():
		var path strings.Builder
		for _, row := range rows {
			from, to := f.at(row.lo, row.tau), f.at(row.hi, row.tau)
			fmt.Fprintf(&path, "M%s %sH%s", num(from.x), num(from.y), num(to.x))
		}
		d.element("path", attrs{"class", "rows", "data-s", levelKey(c, i), "stroke", colour, "stroke-opacity", 0.7,
			"stroke-width", min(1.6, f.rise*0.12), "d", path.String()})
	}
}

// levelKey names the statements of a level: what belongs to one statement, in
// pictures and in text, has the same key, and what belongs to several has all of theirs.
func levelKey(c *schedule.Canonical, level int) string {
	keys := levelNames(c, level)
	for i, name := range keys {
		keys[i] = regionKey(c.Scop.Region.Index, name)
	}
	return strings.Join(keys, " ")
}

// levelInk is the colour of a level: that of its first statement. A schedule file may have levels without one.
func levelInk(c *schedule.Canonical, level int) string {
	if all := c.At(level); len(all) > 0 {
		return statementInk(all[0].Order)
	}
	return statementInk(level)
}

// levelNames names the statements of a level.
func levelNames(c *schedule.Canonical, level int) (names []string) {
	for _, st := range c.At(level) {
		names = append(names, st.Name)
	}
	return names
}

// regionKey is the key of a statement of region number index.
func regionKey(index int, stmt string) string { return fmt.Sprintf("%d-%s", index+1, stmt) }
