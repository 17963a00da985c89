package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file tells how kernels come about from loops: one named step after the other, each with what it makes of what, what it takes to be right and how that was
// shown. The steps that a schedule file can say have its lines, so that the text of a derivation is such a file: one can be changed, and all is proved again.

// A DerivationStep is one of these.
type DerivationStep struct {
	Name  string   `json:"name"`  // as in: interchange, tile, skew, overlap, stage, promote
	What  string   `json:"what"`  // in words, with sizes
	From  string   `json:"from"`  // what there was before
	To    string   `json:"to"`    // what there is after
	If    string   `json:"if"`    // what it takes; empty: nothing
	Shown string   `json:"shown"` // how that was shown
	Lines []string `json:"lines"` // of a schedule file, which say it; empty where there is no form for it, or nothing to choose
}

// A derivation is the steps so far.
type derivation struct {
	Products
	in    *Inspection
	lines []string // of the schedule file, that no step has yet
	steps []DerivationStep
}

// derivationOf returns the steps from the loops of p to its kernels, nil where it has no schedule.
func derivationOf(p Products, in *Inspection) []DerivationStep {
	if p.Schedule == nil {
		return nil
	}
	d := &derivation{Products: p, in: in}
	if s := p.Schedule; s.Sizes.H == schedule.NoHeight || s.Overlaps() || len(s.Cone.Lo) == len(s.Canonical.Space) { // as all that come from a program
		d.lines = strings.Split(schedule.Save(s, p.Clauses...), "\n")
	}
	d.rewritten()
	d.placed()
	d.tiled()
	if p.onCPU() {
		if in.Threads != nil {
			d.threaded()
		}
	} else {
		d.mapped()
	}
	if p.GPU != nil && p.Streams == nil {
		d.staged()
	}
	if p.Streams != nil {
		shape := p.Streams.Fit().Shape
		d.add(DerivationStep{Name: "pipeline", What: fmt.Sprintf("rows stream through the registers of warps: %v", shape), From: "steps of a tile", To: "beats of warps, each a few steps behind the one before",
			If: "no dependence is against the order of beats; what full turns compute are the values of the program", Shown: d.shown("pipeline", "full turns")}, "clause")
	}
	d.rest()
	return d.steps
}

// rest lets the last step rest on the proofs that no other one does, such as that of copies where there are none.
func (d *derivation) rest() {
	last := &d.steps[len(d.steps)-1]
	for _, p := range d.in.Proofs {
		if text := d.shown(p.Name); !slices.ContainsFunc(d.steps, func(s DerivationStep) bool { return strings.Contains(s.Shown, text) }) {
			last.Shown = strings.TrimPrefix(last.Shown+"; "+text, "; ")
		}
	}
}

// add adds a step, with the lines of the schedule file that begin with one of these words.
func (d *derivation) add(s DerivationStep, words ...string) {
	s.Lines = []string{}
	d.lines = slices.DeleteFunc(d.lines, func(line string) bool {
		word, _, _ := strings.Cut(line, " ")
		if line == "" || !slices.Contains(words, word) {
			return false
		}
		text, _, _ := strings.Cut(line, "#")
		s.Lines = append(s.Lines, strings.TrimSpace(text))
		return true
	})
	d.steps = append(d.steps, s)
}

// shown says what came of the proofs of those names.
func (d *derivation) shown(names ...string) string {
	var all []string
	for _, p := range d.in.Proofs {
		if slices.Contains(names, p.Name) {
			all = append(all, fmt.Sprintf("%s: %s", p.Name, verdictText(p)))
		}
	}
	return strings.Join(all, "; ")
}

// rewritten tells of what was done to the program before.
func (d *derivation) rewritten() {
	if d.in.Regrouped != nil {
		for _, s := range d.in.Regrouped.Sums {
			d.add(DerivationStep{Name: "reassociate", What: "sums of " + s.Statement + " regrouped, for parts in common", From: s.operations(s.Before), To: s.operations(s.Now),
				If: "--reassociate: results differ by rounding", Shown: d.shown("sums")})
		}
	}
	if d.in.Folding != nil {
		for _, a := range d.in.Folding.Arrays {
			d.add(DerivationStep{Name: "fold", What: a.Array + " holds a combination of arrays", From: fmt.Sprintf("%s at %s", strings.Join(a.Of, ", "), count(a.Places, "place")), To: a.text(),
				If: "what is put back where it is read is what was there", Shown: d.shown("folding")})
		}
	}
	if d.in.Fission != nil {
		for _, n := range d.in.Fission.Nests {
			d.add(DerivationStep{Name: "fission", What: "a nest for each array", From: n.Statement, To: n.text(), If: "none of them reads before another one writes what it read behind it, or the other way round", Shown: "proved on exact sets"})
		}
	}
	if d.in.Inlined != nil {
		for _, v := range d.in.Inlined.Values {
			d.add(DerivationStep{Name: "inline", What: fmt.Sprintf("%s is computed where %s reads it", v.Array, v.Reader), From: fmt.Sprintf("%s stores %s, %s loads it", v.Writer, v.Array, v.Reader),
				To: fmt.Sprintf("%s computes it at %s", v.Reader, count(v.Places, "place")), If: "what it is made of has not been stored anew until it is read", Shown: "proved on exact sets"})
		}
	}
	if d.Scop.Fusions > 0 {
		d.add(DerivationStep{Name: "fma", What: fmt.Sprintf("%s fused with the sums that they feed", count(d.Scop.Fusions, "product")), From: "a*b + c", To: "fma(a, b, c)", If: "--fma: results differ by rounding", Shown: "asked for"})
	}
}

// placed tells where instances lie: the order of loops, and shifts.
func (d *derivation) placed() {
	c := d.Space
	name, from, to := "keep the order of loops", []string{}, []string{}
	for i, st := range d.in.Statements {
		from = append(from, fmt.Sprintf("%s[%s]", st.Name, strings.Join(st.Iterators, ", ")))
		_, at, _ := strings.Cut(placeText(st.Place), "->")
		to = append(to, fmt.Sprintf("%s at %s", st.Name, strings.TrimSpace(at)))
		last := 0
		for _, p := range c.Places[c.Scop.Stmts[i].Order] {
			switch {
			case p.Iter >= 0 && p.Iter < last || p.Down:
				name = "interchange"
			case name == "keep the order of loops" && (p.Shift.Const != 0 || slices.ContainsFunc(p.Shift.Params, func(k int64) bool { return k != 0 })):
				name = "shift"
			}
			last = max(last, p.Iter)
		}
	}
	what := fmt.Sprintf("%s of time in an iteration", count(c.K, "step"))
	d.add(DerivationStep{Name: name, What: what, From: strings.Join(from, ", "), To: strings.Join(to, "; "), If: "dependences go forward in time, or are at one place",
		Shown: count(len(d.Deps), "dependence")}, "strategy", "place", "sweep", "order")
	if len(d.in.Cone) > 0 && d.Schedule.Sizes.H != schedule.NoHeight && !d.Schedule.Overlaps() {
		var slopes []string
		for _, s := range d.in.Cone {
			hi := s.Hi
			if hi == "" {
				hi = "inf"
			}
			slopes = append(slopes, fmt.Sprintf("%s %s..%s", s.Dim, strings.Replace("-"+s.Lo, "-0", "0", 1), hi))
		}
		to := strings.Join(slopes, ", ")
		for i, lo := range d.slopes().Lo {
			if d.onCPU() && lo.Cmp(d.Cone.Lo[i]) != 0 {
				to += fmt.Sprintf("; tiles lean by %s in a step along %s, which is whole cache lines", ratText(lo), d.in.Cone[i].Dim)
			}
		}
		d.add(DerivationStep{Name: "bound the slopes", What: "how far dependences reach in a step of time", From: count(len(d.Deps), "dependence"), To: to,
			If: "tiles with such sides can be run one after the other", Shown: d.shown("legality")}, "slope")
	}
}

// placeText returns the map of a place without its domain.
func placeText(place string) string {
	text, _, _ := strings.Cut(strings.Trim(place[strings.Index(place, "{")+1:], " }"), ":")
	return strings.TrimSpace(text)
}

// tiled tells how time and space are cut into tiles.
func (d *derivation) tiled() {
	s, t := d.Schedule, d.in.Tile
	dims := t.Phases[len(t.Phases)-1].Dims
	partition := d.shown("partition")
	switch {
	case s.Overlaps():
		d.add(DerivationStep{Name: "overlap", What: fmt.Sprintf("boxes own %s points, and compute what they need of their neighbours, too, in %s", wide(t.W), count(int(t.Height), "step")),
			From: fmt.Sprintf("[time, %s]", strings.Join(d.in.SpaceNames, ", ")), To: fmt.Sprintf("tiles [T, %s], each a box for every statement and step", tiles(dims)),
			If: "each result that is stored has one owner", Shown: partition}, "tile", "group", "box")
	case s.Sizes.H == schedule.NoHeight:
		d.add(DerivationStep{Name: "split-join", What: "space alone is cut, into boxes of " + wide(t.W) + " points",
			From: strings.Join(d.in.SpaceNames, ", "), To: fmt.Sprintf("tiles [%s], points in them", tiles(dims)), If: "each instance is in one tile", Shown: partition}, "tile")
	case len(t.Inequalities) > 0:
		d.add(DerivationStep{Name: "tile", What: fmt.Sprintf("time and %s by hexagons of %s, %d points wide at the narrowest, in %s that fit into each other", d.in.SpaceNames[0], count(int(t.Height), "step"), t.W[0]+1, count(len(t.Phases), "phase")),
			From: fmt.Sprintf("[time, %s]", d.in.SpaceNames[0]), To: fmt.Sprintf("[T, phase, %s] and in a tile [a, b0]", dims[0].Tile), If: "each instance is in one tile", Shown: partition}, "tile", "phase")
		for i, dim := range dims[1:] {
			d.add(DerivationStep{Name: "skew and tile", What: fmt.Sprintf("%s by strips of %d points%s", d.in.SpaceNames[i+1], t.W[i+1], leans(dim)),
				From: d.in.SpaceNames[i+1], To: fmt.Sprintf("[%s] and in a tile [b%d]", dim.Tile, i+1), If: "each instance is in one tile", Shown: partition})
		}
	default:
		d.add(DerivationStep{Name: "skew and tile", What: fmt.Sprintf("time and space by parallelograms of %s and %s points", count(int(t.Height), "step"), wide(t.W)),
			From: fmt.Sprintf("[time, %s]", strings.Join(d.in.SpaceNames, ", ")), To: fmt.Sprintf("tiles [T, %s]", tiles(dims)), If: "each instance is in one tile", Shown: partition}, "tile", "front")
	}
	if t.Stream >= 0 {
		d.add(DerivationStep{Name: "stream", What: fmt.Sprintf("a tile runs plane by plane along %s, and holds the few planes in use", d.in.SpaceNames[t.Stream]), From: "whole boxes, step by step", To: "planes of all steps in turn, each as far behind as it must be",
			If: "what a plane reads has been computed", Shown: d.shown("legality")}, "delay")
	}
}

// leans says how a strip moves from step to step.
func leans(dim TileDim) string {
	first, last := 0, len(dim.Lo)-1
	for first < last && dim.Lo[first] > dim.Hi[first] {
		first++
	}
	for last > first && dim.Lo[last] > dim.Hi[last] {
		last--
	}
	if by := dim.Lo[first] - dim.Lo[last]; by > 0 {
		return fmt.Sprintf(", %d to the left in %d steps", by, last-first+1)
	}
	return ""
}

// wide returns widths as 4 x 64.
func wide(w []int64) string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(w), "[]"), " ", " x ") }

// tiles returns the names of tile indices.
func tiles(dims []TileDim) string {
	var names []string
	for _, d := range dims {
		names = append(names, d.Tile)
	}
	return strings.Join(names, ", ")
}

// mapped tells who runs the tiles.
func (d *derivation) mapped() {
	var from, to []string
	for _, x := range d.in.Schedule.Dims {
		from, to = append(from, x.Name), append(to, x.Name+": "+who[x.Role])
	}
	threads := ""
	if len(d.in.Kernels) > 0 {
		n := d.in.Kernels[0].Threads
		threads = fmt.Sprintf(", %d x %d threads in a block", n[0], max(1, n[1]))
	}
	d.add(DerivationStep{Name: "map to blocks and threads", What: "the order of tiles and points" + threads, From: "[" + strings.Join(from, ", ") + "]", To: strings.Join(to, "; "),
		If: "what depends on an instance runs after it", Shown: d.shown("legality", "emission")})
	if r := d.in.Ready; r != nil && r.Kept && d.Schedule.Waits != nil {
		var waits, asked []string
		for _, w := range r.Waits {
			waits = append(waits, w.Text)
		}
		if len(d.Clauses) == 0 { // else a step of its own has all that is asked
			asked = []string{"clause"}
		}
		d.add(DerivationStep{Name: "wait", What: "tiles start when those that they need have ended", From: "launches in turn", To: strings.Join(waits, "; "), If: "waits imply the order of dependences", Shown: d.shown("waits")}, asked...)
	}
}

// who says who runs the values of a dimension.
var who = map[string]string{"host": "a loop on the host", "block": "blocks", "seq": "a loop of a block", "thread": "threads", "wave": "threads, wave by wave"}

// staged tells what is in shared memory and in registers.
func (d *derivation) staged() {
	k := d.in.Kernels[0]
	staged, full := d.shown("staging", "full tiles"), k.Points > 0
	if full {
		d.add(DerivationStep{Name: "isolate", What: "full tiles have code of their own, without tests", From: "tiles", To: fmt.Sprintf("full tiles of %s, and partial ones", count(int(k.Points), "point")),
			If: "a tile that counts as full is whole", Shown: d.shown("emission")})
	}
	for i, b := range k.Shared {
		array := d.GPU.Kernels[0].Shared[i].Array
		s := DerivationStep{Name: "stage to shared", What: fmt.Sprintf("%s, %s", b.Array, count(int(b.Bytes), "byte")), From: d.arrayText(array) + " in global memory",
			To: fmt.Sprintf("%s%s in shared memory", b.Name, brackets(b.Shape)), If: "tiles copy in what they use, and copy out what they computed", Shown: staged}
		for _, x := range k.Traffic {
			if x.Array == b.Array && full {
				s.What += "; of a full tile, " + trafficText(x)
			}
		}
		d.add(s)
	}
	if full {
		uses := int64(0)
		for _, st := range d.Scop.Stmts {
			uses += int64(len(st.Accesses))
		}
		d.add(DerivationStep{Name: "unroll", What: fmt.Sprintf("a full tile is straight code, %s of it", count(int(d.Schedule.Height), "step")), From: "loops over steps and rows", To: "straight code, as far as it is not too long", Shown: "by construction"})
		memory := k.Reads + k.Writes
		for _, x := range k.Traffic {
			memory += x.SharedReads + x.SharedWrites
		}
		d.add(DerivationStep{Name: "promote to registers", What: "values that a thread uses again", From: fmt.Sprintf("%d reads and writes in %s", uses, count(len(d.Scop.Stmts), "statement")),
			To: fmt.Sprintf("%.3g accesses of memory for a point", float64(memory)/float64(k.Points)), If: "full tiles compute the values of the program", Shown: d.shown("full tiles")})
	}
	if len(d.Clauses) > 0 {
		d.add(DerivationStep{Name: "ask", What: "what the user asks of kernels", From: "choices of the model", To: strings.Join(d.Clauses, ", "), If: "each wish is kept", Shown: strings.TrimSuffix("checked: "+strings.Join(d.in.Wishes, "; "), ": ")}, "clause")
	}
}

// arrayText returns an array as it is declared.
func (d *derivation) arrayText(a *scop.Array) string {
	for _, x := range d.in.Arrays {
		if x.Name == a.Name {
			return x.Name + brackets(x.Extents)
		}
	}
	return a.Name
}

// brackets returns [2][16] of 2, 16.
func brackets[T any](all []T) (text string) {
	for _, x := range all {
		text += fmt.Sprintf("[%v]", x)
	}
	return text
}

// DerivationText returns the derivation as a text that --load-schedule reads: steps are comments there.
func (in *Inspection) DerivationText() string {
	w := &writer{}
	w.line("hexcc schedule 1")
	what := "kernels"
	if in.onCPU() {
		what = "loops"
	}
	w.wrap("#", plainWords(fmt.Sprintf("How the %s of %s, lines %d to %d, come about. Change a line that is no comment, and hexcc --load-schedule proves everything again.",
		what, diag.Printable(in.File), in.FirstLine, in.LastLine)))
	for i, s := range in.Derivation {
		w.line("")
		w.wrap("#", plainWords(fmt.Sprintf("%d. %s: %s", i+1, s.Name, s.What)))
		for _, x := range [][2]string{{"from:", s.From}, {"to:", s.To}, {"if:", s.If}, {"shown:", s.Shown}} {
			if x[1] != "" {
				w.wrap("#  ", plainWords(x[0]+" "+x[1]))
			}
		}
		for _, line := range s.Lines {
			w.line("%s", line)
		}
	}
	return w.String()
}
