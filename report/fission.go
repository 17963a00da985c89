package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file says which nests are several, one for each array that they write, what that costs, and what the region is then.

type (
	// A Fission is what became of nests that are several. Lines are those of the source.
	Fission struct {
		Nests []FissionNest `json:"nests"`
		Rewritten
	}
	// A FissionNest is a nest of the source, and what it is now.
	FissionNest struct {
		Statement string   `json:"statement"`
		Line      int      `json:"line"`
		Parts     []string `json:"parts"`  // names of statements now, before temporaries go to registers
		Arrays    []string `json:"arrays"` // by part, those that it writes, with commas between them
	}
)

// fissionOf returns what r did to the program of a region, p; nil if r is.
func fissionOf(r *rewrite.Result, p *scop.Program) *Fission {
	if r == nil {
		return nil
	}
	f := &Fission{Rewritten: rewritten(r)}
	for from, parts := range r.Parts() {
		if len(parts) < 2 {
			continue
		}
		s := r.Before().Stmts[from]
		nest := FissionNest{Statement: s.Name, Line: p.Line(s.Pos.Line)}
		for _, i := range parts {
			nest.Parts, nest.Arrays = append(nest.Parts, r.Program.Stmts[i].Name), append(nest.Arrays, strings.Join(written(r.Program.Stmts[i]), ","))
		}
		f.Nests = append(f.Nests, nest)
	}
	return f
}

// written returns the names of the arrays that s writes, each once.
func written(s *scop.Stmt) (names []string) {
	for _, a := range s.Accesses {
		if a.Write && !slices.Contains(names, a.Array.Name) {
			names = append(names, a.Array.Name)
		}
	}
	return names
}

// text says what n is now, as in S0 (a), S1 (b).
func (n FissionNest) text() string {
	var parts []string
	for i, name := range n.Parts {
		parts = append(parts, fmt.Sprintf("%s (%s)", name, n.Arrays[i]))
	}
	return strings.Join(parts, ", ")
}

// textFission says which nests are several, and shows the region then.
func (in *Inspection) textFission(w *writer) {
	x := in.Fission
	if x == nil {
		return
	}
	w.section("Fission: a nest for each array")
	for _, n := range x.Nests {
		w.item("several", fmt.Sprintf("line %d: %s is %s", n.Line, n.Statement, n.text()), plainWords)
	}
	x.text(w, "after that")
}
