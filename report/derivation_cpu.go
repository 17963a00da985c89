package report

import (
	"fmt"
	"slices"
	"strings"
)

// This file tells how the loops of a CPU come about of tiles: who runs which, and how rows run.

// whoOnCPU says who runs the values of a dimension.
var whoOnCPU = map[string]string{"together": "a loop of all threads together", "threads": "threads share it out", "seq": "a loop of a thread", "points": "points of a tile, row by row"}

// threaded tells what threads do.
func (d *derivation) threaded() {
	t := d.in.Threads
	var from, to []string
	for _, x := range d.in.Schedule.Dims {
		from, to = append(from, x.Name), append(to, x.Name+": "+whoOnCPU[x.Role])
	}
	what := "the order of tiles and points, of as many threads as there are"
	if t.Launch == "in turn" {
		what = "the order of tiles and points, in one thread"
	}
	d.add(DerivationStep{Name: "map to threads", What: what, From: "[" + strings.Join(from, ", ") + "]", To: strings.Join(to, "; "), If: "what depends on an instance runs after it", Shown: d.shown("legality", "emission")})
	if r := d.in.Ready; r != nil && r.Kept && t.Launch == "ready" {
		var waits []string
		for _, w := range r.Waits {
			waits = append(waits, w.Text)
		}
		d.add(DerivationStep{Name: "wait", What: "tiles start when those that they need have ended", From: "a barrier after each phase", To: strings.Join(waits, "; "), If: "waits imply the order of dependences", Shown: d.shown("waits")}, "clause")
	}
	for _, b := range t.Buffers {
		d.add(DerivationStep{Name: "buffer", What: fmt.Sprintf("each tile has its part of %s for itself, %s", b.Array, count(int(b.Bytes), "byte")), From: b.Array + " in memory", To: "a buffer" + brackets(b.Shape),
			If: "whatever a tile touches of it lies inside, and nothing outside of an iteration reads it", Shown: "checked of each subscript, for all parameters"})
	}
	for i, r := range t.Rows {
		if name, again := t.rowsName(i); !again {
			d.rowsOf(name, r)
		}
	}
	for _, x := range t.Passes[:min(1, len(t.Passes))] {
		d.add(DerivationStep{Name: "fuse steps", What: x.text(), From: "a loop over rows for each step", To: fmt.Sprintf("a loop over rows for %d steps", x.Steps), If: "what a point depends on of the step before is no further ahead", Shown: d.shown("passes")})
	}
}

// rowsOf tells how the rows of a statement run.
func (d *derivation) rowsOf(name string, r Rows) {
	if r.Aligned != "" {
		d.add(DerivationStep{Name: "align", What: "rows of " + name + " in whole cache lines", From: "rows that start anywhere", To: "points before the first line, then lines that start at elements of " + r.Aligned, If: "points of a row do not depend on each other", Shown: d.shown("legality")})
	}
	switch {
	case r.Order == "in order" && r.Beside > 1:
		d.add(DerivationStep{Name: "stagger", What: fmt.Sprintf("%d rows of %s at once, each one place behind the one before", r.Beside, name), From: "rows one by one", To: "diagonals, on which no point needs another",
			If: "what a point depends on is no further along any loop", Shown: d.shown("legality")})
	case r.Beside > 1:
		d.add(DerivationStep{Name: "jam", What: fmt.Sprintf("%d rows of %s at once", r.Beside, name), From: "rows one by one", To: "all values of these rows, then their stores", If: "points of a step do not depend on each other", Shown: d.shown("legality")})
	}
	if r.Vectors != noVectors {
		to := "vectors of compilers"
		if r.Vectors != byCompiler {
			to = fmt.Sprintf("%d points of %s in a vector, where -march has such; else vectors of compilers", r.Lanes, r.Element)
		}
		ends := ""
		if r.Repeat {
			ends = ", and those at the ends of a row give the same if they run twice"
		}
		d.add(DerivationStep{Name: "vectorise", What: "rows of " + name, From: "points one by one", To: to, If: "points of a row do not depend on each other" + ends, Shown: d.shown("legality")})
	}
	if r.Back {
		d.add(DerivationStep{Name: "turn", What: "rows of " + name + " to and fro", From: "from the first to the last in each step", To: "from the last to the first in every other step", If: "rows of a step run in any order", Shown: d.shown("legality")})
	}
	if len(r.Fetched) > 0 {
		d.add(DerivationStep{Name: "fetch ahead", What: strings.Join(slices.Clone(r.Fetched), "; "), From: "loads that wait for memory", To: "__builtin_prefetch a step before", If: "", Shown: "changes no value"})
	}
}
