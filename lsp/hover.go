package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/report"
)

// hover returns what was decided for the region under the cursor, and what is known of a statement there; nil elsewhere.
func (s *Server) hover(uri string, at position) any {
	s.lock.Lock()
	defer s.lock.Unlock()
	d := s.documents[uri]
	if d == nil {
		return nil
	}
	for i := range d.regions {
		if r := &d.regions[i]; r.FirstLine-1 <= at.Line && at.Line <= r.LastLine-1 {
			where := span{position{at.Line, 0}, position{at.Line, units(d.text.line(at.Line))}}
			return hover{markup{"markdown", about(r, at.Line+1)}, where}
		}
	}
	return nil
}

// about returns Markdown about a region, and the statements of a line of it, which counts from 1.
func about(r *report.Inspection, line int) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for i := range r.Statements {
		st := &r.Statements[i]
		if !standsAt(st, line) {
			continue
		}
		say("**%s** for each (%s)\n", st.Name, strings.Join(append([]string{r.Time}, without(st.Iterators, r.Time)...), ", "))
		say("```isl\n%s\n```\n", st.Domain)
		if rows := dependencesOf(r, st.Name); len(rows) > 0 {
			say("| depends | of | on | distance (time, %s) |\n|---|---|---|---|\n%s", strings.Join(r.SpaceNames, ", "), strings.Join(rows, "\n"))
			say("")
		}
	}
	say("**Region of lines %d to %d**, function `%s`\n", r.FirstLine, r.LastLine, r.Function)
	if r.Strategy.Name != "" {
		text := "strategy `" + r.Strategy.Name + "`"
		if r.Strategy.Why != "" {
			text += ": " + r.Strategy.Why
		}
		say("- %s", text)
	}
	if len(r.Cone) > 0 {
		var slopes []string
		for _, c := range r.Cone {
			slopes = append(slopes, fmt.Sprintf("%s up to %s back and %s ahead", c.Dim, orAny(c.Lo), orAny(c.Hi)))
		}
		say("- cone: dependences reach, for each step of time, along %s", strings.Join(slopes, ", "))
	}
	if r.Tile != nil {
		widths := make([]string, len(r.Tile.W))
		for i, w := range r.Tile.W {
			widths[i] = fmt.Sprintf("w%d=%d", i, w)
		}
		say("- tile: `h=%d,%s`, %d steps of time, %d points where no border cuts it", r.Tile.H, strings.Join(widths, ","), r.Tile.Height, r.Tile.Points)
	}
	var proofs []string
	for _, p := range r.Proofs {
		if p.Holds {
			proofs = append(proofs, p.Name)
		}
	}
	if len(proofs) > 0 {
		say("- proved for all sizes: %s", strings.Join(proofs, ", "))
	}
	for _, remark := range r.Remarks {
		say("- %s", remark)
	}
	return b.String()
}

// standsAt says whether a statement, or an access of it, stands in a line.
func standsAt(st *report.Statement, line int) bool {
	return st.Line == line || slices.ContainsFunc(st.Accesses, func(a report.Access) bool { return a.Line == line })
}

// without returns names without one.
func without(names []string, one string) (rest []string) {
	for _, n := range names {
		if n != one {
			rest = append(rest, n)
		}
	}
	return rest
}

// orAny is a bound of a slope, which may be none.
func orAny(bound string) string {
	if bound == "" {
		return "any number"
	}
	return bound
}

// mostRows bounds the dependences that are shown of a statement.
const mostRows = 12

// dependencesOf returns rows of a table: the dependences that a statement is the target of.
func dependencesOf(r *report.Inspection, name string) (rows []string) {
	more := 0
	for i := range r.Dependences {
		dep := &r.Dependences[i]
		if dep.Target.Statement != name {
			continue
		}
		if len(rows) == mostRows {
			more++
			continue
		}
		rows = append(rows, fmt.Sprintf("| %s | `%s` | `%s` of %s | %s |", dep.Kind, dep.Target.Element, dep.Source.Element, dep.Source.Statement, dep.Distance))
	}
	if more > 0 {
		rows = append(rows, fmt.Sprintf("| %d more | | | |", more))
	}
	return rows
}
