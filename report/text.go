package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
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

// wrap writes text with indent before each line, broken at spaces.
func (w *writer) wrap(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
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

// item writes a name in a column of its own and text beside it.
func (w *writer) item(name, text string) {
	var body writer
	body.wrap("", text)
	lines := strings.Split(strings.TrimSuffix(body.String(), "\n"), "\n")
	if len(lines) == 1 && len(lines[0])+14 <= textWide {
		w.line("  %-11s %s", name, lines[0])
		return
	}
	body.Reset()
	body.wrap("              ", text)
	first := strings.TrimLeft(body.String(), " ")
	fmt.Fprintf(w, "  %-11s %s", name, first)
}

// Text returns the inspection for people, in reading order: the program, its
// dependences, the tiles, the schedule, the proofs and the kernels.
func (in *Inspection) Text() string {
	w := &writer{}
	w.line("%s: function %s, lines %d to %d", in.File, in.Function, in.FirstLine, in.LastLine)
	in.textProgram(w)
	in.textDependences(w)
	in.textTile(w)
	in.textSchedule(w)
	in.textProofs(w)
	in.textKernels(w)
	return w.String()
}

func (in *Inspection) textProgram(w *writer) {
	w.section("Program")
	w.item("parameters", orNone(variables(in.Params)))
	if len(in.Scalars) > 0 {
		w.item("scalars", variables(in.Scalars))
	}
	w.item("known", in.Context)
	var arrays []string
	for _, a := range in.Arrays {
		text := a.Type + " " + a.Name + "[" + strings.Join(a.Extents, "][") + "]"
		if a.Const {
			text += " (only read)"
		}
		arrays = append(arrays, text)
	}
	w.item("arrays", strings.Join(arrays, ", "))
	w.item("time loop", fmt.Sprintf("%s, around %s", in.Time, count(len(in.Statements), "nest")))
	for _, s := range in.Statements {
		w.section(fmt.Sprintf("Statement %s[%s], line %d", s.Name, strings.Join(s.Iterators, ", "), s.Line))
		if s.Text != "" {
			w.item("source", s.Text)
		}
		w.item("domain", s.Domain)
		w.item("reads", accesses(s, false))
		w.item("writes", accesses(s, true))
		w.item("place", s.Place)
	}
}

func variables(vs []Variable) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, v.Type+" "+v.Name)
	}
	return strings.Join(texts, ", ")
}

// accesses lists the elements that s reads or writes, each text once.
func accesses(s Statement, write bool) string {
	var texts []string
	for _, a := range s.Accesses {
		if a.Write == write && !slices.Contains(texts, a.Text) {
			texts = append(texts, a.Text)
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
			place(d.Source), d.Source.Access, place(d.Target), d.Target.Access, d.Distance})
		k = k || strings.Contains(d.Distance, "k,") || strings.Contains(d.Distance, "k)")
	}
	w.table(rows)
	if len(in.Statements) > 1 {
		w.wrap("  ", fmt.Sprintf("Statement i of iteration %s runs at time %d%s + i; dt counts these times.", in.Time, len(in.Statements), in.Time))
	}
	if k {
		w.line("  k stands for 0, 1, 2, ..")
	}
	if len(in.Cone) > 0 {
		w.section("Cone: what bounds all distances")
	}
	for i, c := range in.Cone {
		note := ""
		if i == 0 {
			note = fmt.Sprintf("   so delta0 = %s, delta1 = %s", c.Hi, c.Lo)
		}
		w.line("  -%s dt <= d%s <= %s dt%s", c.Lo, c.Dim, c.Hi, note)
	}
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
	w.item("order", strings.Join(dims, ", "))
	for i, part := range islParts(in.Schedule.Map) {
		name := ""
		if i == 0 {
			name = "map"
		}
		w.item(name, part)
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

func (in *Inspection) textProofs(w *writer) {
	if len(in.Proofs) == 0 {
		return
	}
	w.section("Proofs, for all values of the parameters")
	for _, p := range in.Proofs {
		verdict := "holds"
		switch {
		case p.Undecided != "":
			verdict = "undecided: " + p.Undecided
		case !p.Holds:
			verdict = "FAILS: " + p.Violation
		}
		w.item(p.Name, fmt.Sprintf("%s (%s)", verdict, count(p.Tests, "emptiness test")))
	}
}

func (in *Inspection) textKernels(w *writer) {
	for _, k := range in.Kernels {
		w.section("Kernel " + k.Name)
		w.item("threads", fmt.Sprintf("%d x %d x %d", k.Threads[0], k.Threads[1], k.Threads[2]))
		w.item("shared", fmt.Sprintf("%d bytes", k.SharedBytes))
		for _, b := range k.Shared {
			w.item("", fmt.Sprintf("%s of %s: %d bytes, shape %v", b.Name, b.Array, b.Bytes, b.Shape))
		}
		if k.Points == 0 {
			continue
		}
		w.item("full tile", fmt.Sprintf("%s, %s, %s", count(int(k.Points), "point"), count(int(k.Loads), "load"), count(int(k.Stores), "store")))
		if k.Reads+k.Writes > 0 {
			w.item("", fmt.Sprintf("and %d reads, %d writes of global memory", k.Reads, k.Writes))
		}
		w.item("", fmt.Sprintf("%.3f loads per point, %s", float64(k.Loads+k.Reads)/float64(k.Points), count(int(k.Barriers), "barrier")))
	}
	if len(in.Remarks) > 0 {
		w.section("Remarks")
		for _, r := range in.Remarks {
			w.wrap("  ", r)
		}
	}
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
