package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// textTile writes the shape of the tiles, with a hexagon in letters.
func (in *Inspection) textTile(w *writer) {
	t := in.Tile
	if t == nil {
		return
	}
	w.section("Tiles: " + t.Scheme)
	w.item("sizes", sizesText(t.H, t.W), plainWords)
	w.item("shape", fmt.Sprintf("%s in %s", count(int(t.Points), "point"), count(int(t.Height), "step")), plainWords)
	for i, ph := range t.Phases {
		w.item(fmt.Sprintf("phase %d", i), fmt.Sprintf("step a of time tile T at time %s", linearText([]int64{t.Height, 1}, []string{"T", "a"}, -ph.TimeShift)), plainWords)
		for _, d := range ph.Dims {
			w.item("", fmt.Sprintf("%s = %s", d.Point, linearText([]int64{d.Stride, d.Drift, 1}, []string{d.Tile, "T", "b"}, d.Offset)), plainWords)
		}
	}
	in.textHexagon(w)
	in.textBoxes(w)
	for i := 1; i < len(t.Phases[0].Dims) && t.H != schedule.NoHeight && len(t.Boxes) == 0; i++ {
		d := t.Phases[0].Dims[i]
		last := len(d.Lo) - 1
		w.line("  in %s: %d <= b <= %d at step 0, down to %d <= b <= %d at step %d", d.Point, d.Lo[0], d.Hi[0], d.Lo[last], d.Hi[last], last)
	}
}

// textBoxes writes what a tile computes, where tiles overlap.
func (in *Inspection) textBoxes(w *writer) {
	t := in.Tile
	if len(t.Boxes) == 0 {
		return
	}
	var own []string
	for _, n := range t.W {
		own = append(own, fmt.Sprintf("0..%d", n-1))
	}
	w.item("owns", fmt.Sprintf("the points b = %s: it stores what statements compute there", strings.Join(own, " x ")), plainWords)
	if g := t.groups(); len(g) > 1 {
		w.item(in.terms().launches, fmt.Sprintf("%d in an iteration: %s", len(g), strings.Join(g, ", then ")), plainWords)
	}
	for i, b := range t.Boxes {
		var sides []string
		for p := range b.Lo {
			sides = append(sides, fmt.Sprintf("%d..%d", b.Lo[p], b.Hi[p]))
		}
		name := ""
		if i == 0 {
			name = "computes"
		}
		at := ""
		if t.Stream >= 0 {
			at = fmt.Sprintf(", at plane %s", linearText([]int64{1}, []string{fmt.Sprint("b", t.Stream)}, b.Delay))
		}
		if b.Way != "" {
			at = ", in turn, " + b.Way + " along b0"
		}
		w.item(name, fmt.Sprintf("%s at step %d: %s%s", b.Statement, b.Step, strings.Join(sides, " x "), at), plainWords)
	}
	if t.Stream >= 0 {
		w.item("streams", fmt.Sprintf("along s%d: a tile runs plane by plane, at each all steps in turn, and keeps the planes in use", t.Stream), plainWords)
	}
	if len(t.Temporaries) > 0 {
		where := "in shared memory alone, or in buffers of a CPU"
		if in.onCPU() {
			where = "in buffers of a tile"
		}
		w.item("for itself", strings.Join(t.Temporaries, ", ")+", which nobody else sees: "+where, plainWords)
	}
}

func sizesText(h int64, ws []int64) string {
	var parts []string
	if h != schedule.NoHeight {
		parts = append(parts, fmt.Sprintf("h = %d", h))
	}
	for i, w := range ws {
		parts = append(parts, fmt.Sprintf("w%d = %d", i, w))
	}
	return strings.Join(parts, ", ")
}

// ways are the words for those to run a region.
var ways = map[string]string{"hybrid": "tiles of space and time", "streaming": "tiles of space and time, whose rows stream through registers", "overlapped": "boxes that overlap", "space": "boxes of space", "untiled": "plain loops"}

// textStrategy writes what the model expects of each way to run the region.
func (in *Inspection) textStrategy(w *writer) {
	s := in.Strategy
	if len(s.Expected) == 0 {
		return
	}
	way := s.Name
	if in.Pipeline != nil {
		way = "streaming"
	}
	title := "Strategy: " + ways[way]
	if s.Why != "" {
		title += ", since " + s.Why
	}
	w.section(title)
	for _, e := range s.Expected {
		text := fmt.Sprintf("%.3g ps a point by the model, not measured", e.PerPoint)
		if s.Unit != "ps" {
			text = fmt.Sprintf("%.2f of what plain loops take by the model, not measured", e.PerPoint)
		}
		if len(e.W) > 0 {
			text += fmt.Sprintf(": %s, %d at the same time", sizesText(e.H, e.W), e.Tiles)
		}
		if e.Ready {
			text += ", each when those that it needs have ended"
		}
		if e.Stream >= 0 {
			text += fmt.Sprintf(", plane by plane along s%d", e.Stream)
		}
		if x := e.Other; x != nil && s.Unit == "ps" {
			how := "step by step"
			if x.Stream >= 0 {
				how = fmt.Sprintf("plane by plane along s%d", x.Stream)
			}
			text += fmt.Sprintf("; %.3g ps %s, %s", x.PerPoint, how, sizesText(x.H, x.W))
		}
		w.item(e.Way, text, plainWords)
	}
	for _, d := range s.Doubts {
		w.item("but", d, plainWords)
	}
}

// textChoice writes the best sizes and why the others were not chosen.
func (in *Inspection) textChoice(w *writer) {
	c := in.Choice
	if c == nil || len(c.Best) == 0 {
		return
	}
	w.section(fmt.Sprintf("Tile sizes: the best of %d that fit %s", c.Tried, c.Arch))
	w.item("counted for", orNone(gridText(c.Grid)), listWords)
	w.item("times", "those of a model of "+c.Part+", not measured", plainWords)
	if o := c.Other; o != nil {
		order := map[bool]string{false: "if all of a phase end before the next starts", true: "if each starts when those that it needs have ended"}
		w.item("other order", fmt.Sprintf("%.3g ps a point %s, with %s", o.PerPoint, order[o.Ready], sizesText(o.H, o.W)), plainWords)
	}
	rows := [][]string{{"no.", "sizes", "ps/point", "points", "bytes/point", "steps", "shared", "threads", "blocks"}}
	for i, x := range c.Best {
		number := fmt.Sprint(i + 1)
		if i == 0 {
			number = "chosen 1"
		}
		rows = append(rows, []string{number, strings.ReplaceAll(strings.ReplaceAll(sizesText(x.H, x.W), " ", ""), ",", ", "), fmt.Sprintf("%.3f", x.PicosPerPoint), fmt.Sprint(x.Points),
			fmt.Sprintf("%.3f", float64(x.Bytes)/float64(max(1, x.Points))), fmt.Sprint(x.Steps), fmt.Sprint(x.SharedBytes),
			fmt.Sprint(x.Threads), fmt.Sprint(x.BlocksPerSM)})
	}
	w.table(rows)
	for i, x := range c.Best[1:] {
		w.item(fmt.Sprintf("not no. %d", i+2), x.Why, plainWords)
	}
}

// gridText writes values of parameters.
func gridText(values []GridValue) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprintf("%s = %d (%s)", v.Name, v.Value, v.From)
	}
	return strings.Join(texts, ", ")
}

// linearText writes a sum with a constant, such as "6T + a - 3".
func linearText(coefs []int64, names []string, constant int64) string {
	text := linear(coefs, names)
	switch {
	case constant > 0:
		text += fmt.Sprintf(" + %d", constant)
	case constant < 0:
		text += fmt.Sprintf(" - %d", -constant)
	}
	return text
}

// textHexagon draws the rows of the first space dimension, the last step at the
// top, a digit for the statement of each point, and the inequalities beside them.
func (in *Inspection) textHexagon(w *writer) {
	t := in.Tile
	d := t.Phases[len(t.Phases)-1].Dims[0]
	lo, hi := d.Lo[0], d.Hi[0]
	for a := range d.Lo {
		lo, hi = min(lo, d.Lo[a]), max(hi, d.Hi[a])
	}
	if len(t.Inequalities) > 0 {
		w.line("")
		w.line("  A tile in local time a and local %s, called b, is what satisfies", d.Point)
		for _, q := range t.Inequalities {
			w.line("    %4s  %-18s %s", "("+q.Number+")", q.Numbers, q.General)
		}
		w.line("  where f0 = floor(delta0*h), f1 = floor(delta1*h), and d0, d1 are denominators of the slopes")
	}
	if hi-lo >= 44 || t.Height > 32 {
		w.line("  (too large to draw here: hexcc plot draws it)")
		return
	}
	w.line("")
	w.line("     a")
	for a := t.Height - 1; a >= 0; a-- {
		mark := "o"
		if K := int64(len(in.Statements)); K > 1 {
			mark = fmt.Sprint(a % K)
		}
		row := strings.Repeat("  ", int(d.Lo[a]-lo)) + strings.TrimRight(strings.Repeat(mark+" ", int(max(0, d.Hi[a]-d.Lo[a]+1))), " ")
		w.line("  %4d   %s", a, row)
	}
	w.line("%s", hexagonAxis(lo, hi))
	if K := len(in.Statements); K > 1 {
		w.line("  digits: the statement of the step, %s is 0", in.Statements[0].Name)
	}
}

// hexagonAxis writes the first and last b under the drawing.
func hexagonAxis(lo, hi int64) string {
	first, last := fmt.Sprint(lo), fmt.Sprint(hi)
	gap := int(2*(hi-lo)) + 1 - len(first) - len(last)
	if gap < 1 {
		return "     b   " + first
	}
	return "     b   " + first + strings.Repeat(" ", gap) + last
}

// groups returns the statements of each phase, where tiles overlap and each statement is in one phase; else nil.
func (t *Tile) groups() (all []string) {
	of := map[string]int{}
	for _, b := range t.Boxes {
		if phase, known := of[b.Statement]; known && phase != b.Phase {
			return nil // of two versions
		} else if known {
			continue
		}
		of[b.Statement] = b.Phase
		if all = append(all, make([]string, max(0, b.Phase+1-len(all)))...); all[b.Phase] != "" {
			all[b.Phase] += " and "
		}
		all[b.Phase] += b.Statement
	}
	return all
}
