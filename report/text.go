package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hexcc/hexcc/diag"
)

// textWide is the column at which the text report breaks lines where it can.
const textWide = 96

// A writer writes the sections of the text report.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *writer) section(title string) {
	if w.Len() > 0 {
		w.WriteByte('\n')
	}
	w.line("%s", title)
}

// wrap writes words with indent before each line, broken between words.
func (w *writer) wrap(indent string, words []string) {
	line := indent
	for _, word := range words {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWide && line != indent {
			w.line("%s", line)
			line = indent + "  "
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	w.line("%s", line)
}

const itemIndent = "              "

// item writes a name in a column of its own and text beside it, broken where words says.
func (w *writer) item(name, text string, words func(string) []string) {
	var body writer
	body.wrap(itemIndent, words(text))
	fmt.Fprintf(w, "  %-11s %s", name, strings.TrimPrefix(body.String(), itemIndent))
}

// cWords splits C text at white space outside subscripts.
func cWords(text string) []string { return splitOutside(text, "[", "]", unicode.IsSpace) }

// listWords splits a list at the spaces between its elements.
func listWords(text string) []string { return splitOutside(text, "[(", "])", unicode.IsSpace) }

// splitOutside splits text where sep holds and no bracket is open.
func splitOutside(text, opening, closing string, sep func(rune) bool) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch {
		case strings.ContainsRune(opening, r):
			depth++
		case strings.ContainsRune(closing, r):
			depth--
		}
		return depth == 0 && sep(r)
	})
}

// plainWords splits at spaces.
func plainWords(text string) []string { return strings.Fields(text) }

// islWords splits isl text before "and" and after ":" and ";".
func islWords(text string) []string {
	mark := strings.NewReplacer(" and ", "\nand ", " : ", " :\n", "; ", ";\n")
	return strings.Split(mark.Replace(text), "\n")
}

// Text returns the inspection for people, in reading order: the program, its
// dependences, the tiles, the schedule, the proofs and the kernels.
func (in *Inspection) Text() string {
	w := &writer{}
	w.line("%s: function %s, lines %d to %d", diag.Printable(in.File), in.Function, in.FirstLine, in.LastLine)
	in.textRegrouped(w)
	in.textFolding(w)
	in.textFission(w)
	in.textInlined(w)
	in.textProgram(w)
	in.textGraph(w)
	in.textFusions(w)
	in.textDependences(w)
	in.textStrategy(w)
	in.textChoice(w)
	in.textRanking(w)
	in.textTile(w)
	in.textSchedule(w)
	in.textReady(w)
	in.textPipeline(w)
	in.textLoops(w)
	in.textProofs(w)
	in.textKernels(w)
	in.textThreads(w)
	in.textRanks(w)
	return w.String()
}

func (in *Inspection) textProgram(w *writer) {
	w.section("Program")
	w.item("parameters", orNone(variables(in.Params)), listWords)
	if len(in.Scalars) > 0 {
		w.item("scalars", variables(in.Scalars), listWords)
	}
	w.item("known", conditions(in.Context), islWords)
	var arrays []string
	for _, a := range in.Arrays {
		text := a.Type + " " + a.Name + "[" + strings.Join(a.Extents, "][") + "]"
		text += arrayNotes(a)
		arrays = append(arrays, text)
	}
	w.item("arrays", orNone(strings.Join(arrays, ", ")), listWords)
	if a := in.Arithmetic; a.Operations > 0 && a.Bytes > 0 {
		w.item("arithmetic", fmt.Sprintf("%s a point, on %s of arrays if each moves once: %.2f a byte",
			count(int(a.Operations), "operation"), count(int(a.Bytes), "byte"), float64(a.Operations)/float64(a.Bytes)), plainWords)
	}
	w.item("time loop", fmt.Sprintf("%s, around %s", in.Time, count(len(in.Statements), "nest")), plainWords)
	if in.Fused > 0 {
		w.item("fused", count(in.Fused, "product")+" with sums (--fma): results differ from those of the source by rounding", plainWords)
	}
	for _, s := range in.Statements {
		w.section(fmt.Sprintf("Statement %s[%s], line %d", s.Name, strings.Join(s.Iterators, ", "), s.Line))
		if s.Text != "" {
			w.item("source", s.Text, cWords)
		}
		w.item("domain", conditions(s.Domain), islWords)
		w.item("reads", accesses(s, false), listWords)
		w.item("writes", accesses(s, true), listWords)
		if at := in.placeText(s.Place); at != "" {
			w.item("runs at", at, listWords)
		}
	}
}

// conditions returns what stands between the colon and the brace of an isl set
// with one part, which for people says it all; other sets stay whole.
func conditions(set string) string {
	_, rest, found := strings.Cut(set, " : ")
	if !found || strings.Contains(set, ";") || !strings.HasSuffix(rest, " }") {
		return set
	}
	return strings.TrimSuffix(rest, " }")
}

// levelsText says at which times the statements of an iteration run, as in
// "Iteration t runs S0, S1 at time 2t and S2 at time 2t + 1".
func (in *Inspection) levelsText() string {
	var runs []string
	for level, names := range in.Levels {
		at := in.Time
		if len(in.Levels) > 1 {
			at = fmt.Sprint(len(in.Levels), in.Time)
		}
		if level > 0 {
			at += fmt.Sprint(" + ", level)
		}
		if len(names) > 0 { // a schedule file may have levels without a nest
			runs = append(runs, strings.Join(names, ", ")+" at time "+at)
		}
	}
	last := runs[len(runs)-1]
	if len(runs) > 1 {
		last = strings.Join(runs[:len(runs)-1], ", ") + " and " + last
	}
	return "Iteration " + in.Time + " runs " + last
}

// placeText writes a map to [4t + 1, i, j] as "time 4t + 1, s0 = i, s1 = j".
func (in *Inspection) placeText(place string) string {
	_, rest, found := strings.Cut(place, "] -> [")
	tuple, _, closed := strings.Cut(rest, "]")
	if i := strings.LastIndex(rest, "] -> ["); i >= 0 { // the first arrow was the parameters'
		tuple, _, closed = strings.Cut(rest[i+len("] -> ["):], "]")
	}
	parts := strings.Split(tuple, ", ")
	if !found || !closed || len(parts) != len(in.SpaceNames)+1 {
		return place
	}
	parts[0] = "time " + parts[0]
	for i, name := range in.SpaceNames {
		parts[i+1] = name + " = " + parts[i+1]
	}
	return strings.Join(parts, ", ")
}

func variables(vs []Variable) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, v.Type+" "+v.Name)
	}
	return strings.Join(texts, ", ")
}

// accesses lists the elements that s reads or writes, each once.
func accesses(s Statement, write bool) string {
	var texts []string
	for _, a := range s.Accesses {
		if a.Write == write && !slices.Contains(texts, a.Element) {
			texts = append(texts, a.Element)
		}
	}
	return orNone(strings.Join(texts, ", "))
}

func (in *Inspection) textDependences(w *writer) {
	kind := map[string]int{}
	for _, d := range in.Dependences {
		kind[d.Kind]++
	}
	w.section(fmt.Sprintf("Dependences: %d flow, %d anti, %d output", kind["flow"], kind["anti"], kind["output"]))
	if len(in.Dependences) == 0 {
		return
	}
	dims := append([]string{"dt"}, in.SpaceNames...)
	for i := range in.SpaceNames {
		dims[i+1] = "d" + in.SpaceNames[i]
	}
	rows := [][]string{{"", "kind", "from", "", "to", "", "(" + strings.Join(dims, ", ") + ")"}}
	k := false
	for _, d := range in.Dependences {
		rows = append(rows, []string{fmt.Sprint(d.Number), d.Kind,
			place(d.Source), d.Source.Element, place(d.Target), d.Target.Element, d.Distance})
		k = k || strings.Contains(d.Distance, "k,") || strings.Contains(d.Distance, "k)")
	}
	w.table(rows)
	if len(in.Statements) > 1 {
		w.line("  %s; dt counts these times.", in.levelsText())
	}
	if k {
		w.line("  k stands for 0, 1, 2, ..")
	}
	if len(in.Cone) > 0 {
		w.section("Cone: what bounds all distances")
	}
	for i, c := range in.Cone {
		note := ""
		if i == 0 && c.Hi != "" {
			note = fmt.Sprintf("   so delta0 = %s, delta1 = %s", c.Hi, c.Lo)
		}
		w.line("  %s%s", coneText(c), note)
	}
	for _, m := range in.Moves {
		why := "which makes these slopes smaller"
		if m.Shares {
			why = "to where what it depends on in the same iteration is: both run in one step"
		}
		w.line("  %s is moved by %d along %s, %s", m.Statement, m.By, m.Dim, why)
	}
}

// coneText writes the bounds of one dimension.
func coneText(c Slope) string {
	upper := " <= " + slopeText(c.Hi, false)
	if c.Hi == "" {
		upper = ", not bounded from above"
	}
	return fmt.Sprintf("%s <= d%s%s", slopeText(c.Lo, true), c.Dim, upper)
}

// slopeText writes slope times dt.
func slopeText(slope string, negative bool) string {
	text := slope + " dt"
	switch slope {
	case "0":
		return "0"
	case "1":
		text = "dt"
	case "inf":
		text = slope
	}
	if negative {
		return "-" + text
	}
	return text
}

func place(p Place) string { return fmt.Sprintf("%s:%d", p.Statement, p.Line) }

// table writes rows in columns; the first row is the heading.
func (w *writer) table(rows [][]string) {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell))
			switch {
			case wide[i] == 0:
			case i == 0:
				line += " " + pad + cell
			default:
				line += "  " + cell + pad
			}
		}
		w.line("%s", strings.TrimRight(line, " "))
	}
}

func (in *Inspection) textSchedule(w *writer) {
	if in.Schedule == nil {
		return
	}
	w.section("Schedule")
	var dims []string
	for _, d := range in.Schedule.Dims {
		dims = append(dims, d.Name+" "+d.Role)
	}
	w.item("order", strings.Join(dims, ", "), plainWords)
	for i, line := range in.Schedule.Fronts {
		name := ""
		if i == 0 {
			name = "fronts"
		}
		w.item(name, line, plainWords)
	}
	for i, part := range islParts(in.Schedule.Map) {
		name := ""
		if i == 0 {
			name = "map"
		}
		w.item(name, part, islWords)
	}
}

// islParts splits an isl relation at the semicolons between its parts.
func islParts(s string) []string {
	var parts []string
	for _, p := range strings.SplitAfter(s, ";") {
		parts = append(parts, strings.TrimSpace(p))
	}
	return parts
}

// textLoops prints the loops of a schedule of the user's own.
func (in *Inspection) textLoops(w *writer) {
	if in.Loops == "" {
		return
	}
	w.section("Loops, with a call for each iteration of a statement")
	w.WriteString(in.Loops)
}

func (in *Inspection) textProofs(w *writer) {
	if len(in.Proofs) == 0 {
		return
	}
	w.section("Proofs, for all values of the parameters")
	for _, p := range in.Proofs {
		w.item(p.Name, verdictText(p), plainWords)
		for _, q := range p.Questions {
			mark := "yes"
			if !q.Holds {
				mark = "NO "
			}
			w.item("", fmt.Sprintf("%s %s (%s)", mark, q.Text, count(q.Tests, p.Unit)), plainWords)
		}
	}
}

// verdictText says what p found, and what it took.
func verdictText(p Proof) string {
	verdict := "holds"
	switch {
	case p.Undecided != "":
		verdict = "undecided: " + p.Undecided
	case !p.Holds:
		verdict = "FAILS: " + p.Violation
	}
	return fmt.Sprintf("%s (%s)", verdict, count(p.Tests, p.Unit))
}

func (in *Inspection) textKernels(w *writer) {
	for _, k := range in.Kernels {
		w.section("Kernel " + k.Name)
		w.item("threads", fmt.Sprintf("%d x %d x %d", k.Threads[0], k.Threads[1], k.Threads[2]), plainWords)
		w.item("shared", fmt.Sprintf("%d bytes", k.SharedBytes), plainWords)
		for _, b := range k.Shared {
			w.item("", fmt.Sprintf("%s of %s: %d bytes, shape %v", b.Name, b.Array, b.Bytes, b.Shape), plainWords)
		}
		if k.Points == 0 {
			continue
		}
		what := "full tile"
		if in.Pipeline != nil {
			what = "full turn"
		}
		w.item(what, fmt.Sprintf("%s, %s, %s", count(int(k.Points), "point"), count(int(k.Loads), "load"), count(int(k.Stores), "store")), plainWords)
		if k.Reads+k.Writes > 0 {
			w.item("", fmt.Sprintf("and %d reads, %d writes of global memory", k.Reads, k.Writes), plainWords)
		}
		for _, x := range k.Traffic {
			w.item("of "+x.Array, trafficText(x), plainWords)
		}
		w.item("", fmt.Sprintf("%.3f loads per point, %s", float64(k.Loads+k.Reads)/float64(k.Points), count(int(k.Barriers), "barrier")), plainWords)
	}
	if len(in.Wishes) > 0 {
		w.section("Wishes")
		for _, r := range in.Wishes {
			w.wrap("  ", plainWords(r))
		}
	}
	if len(in.Remarks) > 0 {
		w.section("Remarks")
		for _, r := range in.Remarks {
			w.wrap("  ", plainWords(r))
		}
	}
}

// trafficText lists what moves of an array.
func trafficText(x Traffic) string {
	var parts []string
	for _, part := range []struct {
		n    int64
		what string
	}{{x.Loads, "load"}, {x.Stores, "store"}, {x.Reads, "global read"}, {x.Writes, "global write"}, {x.SharedReads, "shared read"}, {x.SharedWrites, "shared write"}} {
		if part.n > 0 {
			parts = append(parts, count(int(part.n), part.what))
		}
	}
	return orNone(strings.Join(parts, ", "))
}

// count writes 1 nest, 2 nests.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
