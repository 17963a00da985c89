package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/diag"
)

// This file takes the nests that test conditions on data out of programs for ranks (hostloop_wallranks.go).

// raiseWalls makes walls of the nests that were written for them. What is wrong with such a nest is no concern of the user's: then ranks cannot test the condition.
func (t *text) raiseWalls() {
	for i, m := range t.made {
		b := t.inner[m.r.Index].breach
		if b == nil {
			continue
		}
		written := func(d *diag.Diagnostic) bool {
			_, own := t.origin.offset(t.f.lines[d.At.Line-1] + d.At.Col - 1)
			return own
		}
		why := ""
		if slices.ContainsFunc(m.errs, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && written(d) }) {
			why = "at which points that would have to be so is not understood"
		}
		t.made[i].errs = slices.DeleteFunc(slices.Clone(m.errs), written)
		if m.p != nil {
			t.made[i].p, why = walled(m.p, b)
		}
		if why != "" {
			others := slices.DeleteFunc(slices.Clone(t.remarks), func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
			t.remarks = append(others, b.refused(why))
		}
	}
}
