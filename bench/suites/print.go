package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// line says in one line how a program fared.
func (r result) line(targets []string) string {
	if r.absent != "" {
		return fmt.Sprintf("%s: %s", r.key(), r.absent)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.key())
	for i, a := range r.answers {
		fmt.Fprintf(&b, " %s %s", targets[i], cmp.Or(a.code, "taken"))
	}
	if r.verified != "" {
		fmt.Fprintf(&b, ", %s", r.verified)
	}
	return b.String()
}

// printSuites prints a row for each suite, and the sum of them.
func printSuites(out io.Writer, t table, results []result) {
	type counts struct{ asked, taken, timed, equal, compared int }
	count := func(name string) (n counts) {
		for _, r := range results {
			if r.absent != "" || name != "" && r.suite != name {
				continue
			}
			n.asked++
			if r.taken() {
				n.taken++
			}
			if r.timed() {
				n.timed++
			}
			if r.taken() && r.compared != "" {
				n.compared++
			}
			if r.taken() && r.compared == "equal" {
				n.equal++
			}
		}
		return n
	}
	row := func(name, where string, n counts) {
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %s |\n", name, where, n.asked, n.taken, n.timed, of(n.equal, n.compared))
	}
	fmt.Fprint(out, "| suite | repository, commit | programs | taken | with the time loop | equal to gcc |\n|---|---|--:|--:|--:|--:|\n")
	for _, s := range t.suites {
		if n := count(s.name); n.asked > 0 {
			row(s.name, fmt.Sprintf("%s, %.8s", s.repository, s.commit), n)
		}
	}
	row("all", "", count(""))
}

func of(part, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", part, whole)
}

// printReasons prints how many programs each error stops first.
func printReasons(out io.Writer, results []result) {
	stopped := map[string][]string{}
	for _, r := range results {
		if r.absent == "" && !r.taken() {
			stopped[r.answers[0].code] = append(stopped[r.answers[0].code], r.key())
		}
	}
	codes := make([]string, 0, len(stopped))
	for code := range stopped {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(stopped[b]), len(stopped[a])), cmp.Compare(a, b))
	})
	if len(codes) == 0 {
		return
	}
	fmt.Fprint(out, "\n| first error | stops | programs |\n|---|--:|---|\n")
	for _, code := range codes {
		fmt.Fprintf(out, "| %s | %d | %s |\n", code, len(stopped[code]), strings.Join(stopped[code], ", "))
	}
}

// printPrograms prints a row for each program.
func printPrograms(out io.Writer, targets []string, results []result) {
	verified := slices.ContainsFunc(results, func(r result) bool { return r.verified != "" })
	fmt.Fprintln(out)
	head := append([]string{"program", "lines", "marks"}, targets...)
	if verified {
		head = append(head, "verified")
	}
	head = append(head, "equal to gcc", "reason")
	printRow(out, head)
	fmt.Fprintf(out, "|---|--:|%s\n", strings.Repeat("---|", len(head)-2))
	for _, r := range results {
		cells := make([]string, 3, len(head))
		cells[0] = r.key()
		if r.absent == "" {
			cells[1], cells[2] = fmt.Sprint(r.lines), r.marks.String()
		}
		reason := r.absent
		for i := range targets {
			if r.absent != "" {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, cmp.Or(r.answers[i].code, "taken"))
			reason = cmp.Or(reason, r.answers[i].message)
		}
		if verified {
			cells = append(cells, r.verified)
		}
		compared := ""
		if r.taken() {
			compared = r.compared
		}
		printRow(out, append(cells, compared, reason))
	}
}

// printIntensity prints a row for each program that is taken: what a point of it computes, of how much data.
func printIntensity(out io.Writer, results []result) {
	fmt.Fprint(out, "\n| program | operations | arrays | bytes | operations a byte |\n|---|--:|--:|--:|--:|\n")
	for _, r := range results {
		if a := r.arithmetic; a.bytes > 0 {
			fmt.Fprintf(out, "| %s | %d | %d | %d | %.2f |\n", r.key(), a.operations, a.arrays, a.bytes, float64(a.operations)/float64(a.bytes))
		}
	}
}

func printRow(out io.Writer, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(out, "| %s ", strings.ReplaceAll(c, "|", `\|`))
	}
	fmt.Fprintln(out, "|")
}
