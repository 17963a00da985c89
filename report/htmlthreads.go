package report

import (
	"fmt"
	"strings"
)

// This file fills in what a page says of the loops of a CPU.

// threads fills in who runs what, how rows run and which sizes were weighed.
func (r *pageRegion) threads(in *Inspection) {
	t := in.Threads
	r.RolesNote = "together: a loop that all threads run, each value after the one before. threads: they share the values out. seq: a loop of a thread. points: of a tile, row by row."
	r.ProofsNote = "For all values of the parameters, by exact emptiness tests on sets of integers; emission is about the loops that are printed."
	r.Processor = t.Processor.text()
	for _, ph := range t.Phases {
		r.ThreadPhases = append(r.ThreadPhases, []string{fmt.Sprint(ph.Phase), ph.text(t)})
	}
	for i, x := range t.Rows {
		if name, again := t.rowsName(i); !again {
			r.ThreadRows = append(r.ThreadRows, []string{name, x.text(), r.keyOf(x.Statement)})
		}
	}
	for _, x := range t.passes() {
		r.ThreadRows = append(r.ThreadRows, []string{"pass", x.text(), r.keyOf(x.Statement)})
	}
	r.ranking(in.Ranking)
}

// keyOf returns the key of a statement.
func (r *pageRegion) keyOf(stmt string) string { return regionKey(r.Number-1, stmt) }

// ranking fills in the table of tile sizes.
func (r *pageRegion) ranking(x *Ranking) {
	if x == nil {
		return
	}
	taken := "chosen"
	if x.Given {
		taken = "given"
	}
	r.ChoiceTitle = "The sizes " + taken + ", and the best others that were weighed, for " + r.Processor
	r.ChoiceHead = []string{"sizes", "a point", "arithmetic", "row starts", "caches, memory", "waiting", "why not"}
	unit := "what a point takes in plain loops under omp parallel for"
	if x.Unit != "plain loops" {
		unit = "loads of a full vector from the second level of cache"
	}
	r.ChoiceNote = fmt.Sprintf("On %s. Figures are parts of %s, by a model, not measured.", gridText(x.Grid), unit)
	if b := x.Best[0].Bound; b != "" {
		r.ChoiceNote += fmt.Sprintf(" Most of the first is %s.", b)
	}
	for i, s := range x.Best {
		row := []string{strings.ReplaceAll(sizesText(s.H, s.W), " ", "")}
		for _, part := range []float64{s.PerPoint, s.Work, s.Rows, s.Memory, s.Waiting} {
			row = append(row, fmt.Sprintf("%.3f", part))
		}
		why := s.Why
		if i == 0 {
			why = taken
		}
		r.Choice = append(r.Choice, append(row, why))
	}
}
