package report

import (
	"fmt"
	"slices"
	"strings"
)

// text says what a processor has.
func (c Processor) text() string {
	return fmt.Sprintf("a processor with %s of l1 and %s of l2 a core, %s of l3 for each of %s, lines of %d bytes", sizeText(c.L1), sizeText(c.L2), sizeText(c.L3), count(int(c.Cores), "core"), c.Line)
}

// sizeText writes bytes in the largest unit of which there is one at least.
func sizeText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
	}
	return count(int(n), "byte")
}

// textThreads writes how a CPU runs the region.
func (in *Inspection) textThreads(w *writer) {
	t := in.Threads
	if t == nil {
		return
	}
	w.section("Threads: " + map[string]string{"phases": "phase by phase", "ready": "each tile when those that it needs have ended", "in turn": "one"}[t.Launch])
	for i, text := range t.Order {
		name := ""
		if i == 0 {
			name = "order"
		}
		w.item(name, text, plainWords)
	}
	for _, ph := range t.Phases {
		w.item(fmt.Sprintf("phase %d", ph.Phase), ph.text(t), plainWords)
	}
	for _, b := range t.Buffers {
		w.item("buffer", fmt.Sprintf("%s: %s of each tile, shape %v", b.Array, sizeText(b.Bytes), b.Shape), plainWords)
	}
	w.section("Rows of points")
	for i, r := range t.Rows {
		if name, again := t.rowsName(i); !again {
			w.item(name, r.text(), plainWords)
		}
	}
	for _, x := range t.passes() {
		w.item("pass", x.text(), plainWords)
	}
	w.section("Vectors: what -march makes of them")
	rows := [][]string{{"", "-march=", "", "bytes", "points", "rows run in"}}
	for _, v := range t.Vectors {
		rows = append(rows, []string{"", v.March, v.Instructions, orDash(v.Bytes), orDash(v.Lanes), ""})
	}
	for i, v := range t.Vectors {
		rows[i+1][5] = fmt.Sprintf("(%d)", 1+slices.IndexFunc(t.Vectors, func(x VectorSet) bool { return x.How == v.How }))
	}
	w.table(rows)
	for i, v := range t.Vectors {
		if slices.IndexFunc(t.Vectors, func(x VectorSet) bool { return x.How == v.How }) == i {
			w.item(fmt.Sprintf("(%d)", i+1), v.How, plainWords)
		}
	}
	w.item("native", "is the first of these that the processor at hand has, and all else that it has", plainWords)
	in.textSets(w)
}

// orDash writes a number, - for what the processor says.
func orDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// text says who runs the tiles of a phase.
func (ph ThreadPhase) text(t *Threads) string {
	text := "threads share out the tiles along " + ph.Shared
	if t.Launch == "in turn" {
		text = "tiles along " + ph.Shared + " in order"
	}
	if len(ph.InTurn) > 0 {
		text += "; of each, those along " + strings.Join(ph.InTurn, ", ") + " run one after the other"
	}
	if ph.AtOnce > 0 && t.Launch != "in turn" {
		text += fmt.Sprintf("; %d at the same time, if there are so many threads", ph.AtOnce)
	}
	return text
}

// rowsName names the statement of some rows, and the phase where others run it in other ways; again: it is said already, of another phase.
func (t *Threads) rowsName(i int) (name string, again bool) {
	r, alike := t.Rows[i], true
	for k, x := range t.Rows {
		if x.Statement == r.Statement {
			same := x.text() == r.text()
			alike, again = alike && same, again || same && k < i
		}
	}
	if alike {
		return r.Statement, again
	}
	return fmt.Sprintf("%s, %d", r.Statement, r.Phase), false
}

// text says how the rows run.
func (r Rows) text() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch r.Order {
	case "any":
	case "in order":
		add("points in order")
		if r.Beside > 1 {
			add("%d rows at once, each one place behind the one before", r.Beside)
		}
	default:
		add("rows in turn, %s along columns", r.Order)
	}
	if r.Order == "any" && r.Beside > 1 {
		add("%d rows at once", r.Beside)
	}
	if r.Aligned != "" {
		add("whole cache lines, which start at elements of %s", r.Aligned)
	}
	switch r.Vectors {
	case inLines, inHalves, inApart:
		add("%d points of %s at once", r.Lanes, r.Element)
		if r.Repeat {
			add("points at the ends of a row may run twice")
		}
	case byCompiler:
		add("in the vectors that compilers make: points are independent")
	}
	if r.Every > 0 {
		add("one of %d points, one at a time", r.Every)
	}
	if r.Back {
		add("to and fro: a step starts where the one before ended")
	}
	for _, f := range r.Fetched {
		add("fetched ahead: %s", f)
	}
	return orNone(strings.Join(parts, "; "))
}

// text says how steps run together.
func (x PassText) text() string {
	return fmt.Sprintf("%s: %d steps of a tile in one pass over rows, each %s and %d points along them behind the one before, %s of each at once; of what a step reads, %s of the one before are handed on in registers",
		x.Statement, x.Steps, count(int(x.Rows), "row"), x.Places, count(int(x.Beside), "row"), count(x.Handed, "row"))
}

// textSets writes what a full tile runs and touches.
func (in *Inspection) textSets(w *writer) {
	t := in.Threads
	if len(t.Instances) > 0 {
		w.section("Full tile: what it runs")
	}
	for _, x := range t.Instances {
		text := fmt.Sprintf("%s, each with %s and %s", count(int(x.Points), "instance"), count(x.Reads, "read"), count(x.Writes, "write"))
		if x.Owned != x.Points {
			text += fmt.Sprintf("; it stores the results of %d", x.Owned)
		}
		if x.Idle {
			text += "; those of another colour do nothing"
		}
		name := x.Statement
		if len(t.Phases) > 1 {
			name += fmt.Sprintf(", %d", x.Phase)
		}
		w.item(name, text, plainWords)
	}
	if len(t.Sets) == 0 {
		return
	}
	w.section("Footprint: different elements that a full tile touches, and parts of its largest step")
	rows := [][]string{{"phase", "part", "bytes", "fits", "of arrays, elements"}}
	for _, s := range t.Sets {
		var arrays []string
		for _, a := range s.Arrays {
			arrays = append(arrays, fmt.Sprintf("%s %d", a.Array, a.Elements))
		}
		most := ""
		if s.Most {
			most = "at most "
		}
		row := []string{fmt.Sprint(s.Phase), s.Part, most + fmt.Sprint(s.Bytes), s.HeldBy}
		for _, line := range inLinesOf(arrays, widestList) {
			rows = append(rows, append(row, line))
			row = []string{"", "", "", ""}
		}
	}
	w.table(rows)
	var left []string
	for _, s := range t.Sets {
		for _, a := range s.Left {
			left = with(left, a)
		}
	}
	if len(left) > 0 {
		w.item("not known", strings.Join(left, ", ")+": subscripts do not follow the loops one by one", plainWords)
	}
}

// widestList bounds the last column of a table, which lists.
const widestList = 50

// inLinesOf returns items between commas, in lines that are no longer than so many characters where an item is not.
func inLinesOf(items []string, most int) (lines []string) {
	line := ""
	for i, x := range items {
		if i < len(items)-1 {
			x += ","
		}
		if line != "" && len(line)+1+len(x) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += x
	}
	return append(lines, line)
}
