package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file says which sums are in another order, what that saves, and what the region is then.

type (
	// RegroupedSums are what became of sums that are regrouped. Statements and lines are those of the source.
	RegroupedSums struct {
		Sums   []RegroupedSum `json:"statements"`
		Before string         `json:"textBefore"` // the region in C; "" where Why says why it is not shown
		Text   string         `json:"text"`       // the same with its sums regrouped
		Why    string         `json:"why"`
	}
	// A RegroupedSum is a statement whose sums are regrouped.
	RegroupedSum struct {
		Statement string  `json:"statement"`
		Line      int     `json:"line"`
		Points    int     `json:"points"`           // how many points operations are counted for, each common subexpression once
		Along     string  `json:"along"`            // the loop along which they are neighbours; "" where there is one
		Before    float64 `json:"operationsBefore"` // for each of the points
		Now       float64 `json:"operations"`
	}
)

// regroupedOf returns what r did to the program of a region, p; nil if r is.
func regroupedOf(r *rewrite.Regrouping, p *scop.Program) *RegroupedSums {
	if r == nil {
		return nil
	}
	x := &RegroupedSums{}
	for _, s := range r.Stmts {
		x.Sums = append(x.Sums, RegroupedSum{s.Stmt.Name, p.Line(s.Stmt.Pos.Line), s.Points, s.Along, s.Before, s.Now})
	}
	var err error
	if x.Before, err = ctext.Region(r.Before()); err == nil {
		x.Text, err = ctext.Region(r.Program)
	}
	if err != nil {
		x.Before, x.Text, x.Why = "", "", err.Error()
	}
	return x
}

// operations says how many operations n is for a point.
func (s RegroupedSum) operations(n float64) string {
	return fmt.Sprintf("%g operations for a point", n)
}

// textRegrouped says which sums are regrouped, and shows the region before and after.
func (in *Inspection) textRegrouped(w *writer) {
	x := in.Regrouped
	if x == nil {
		return
	}
	w.section("Sums regrouped (--reassociate): results differ from those of the source by rounding")
	for _, s := range x.Sums {
		text := fmt.Sprintf("line %d, %s: %s in place of %g", s.Line, s.Statement, s.operations(s.Now), s.Before)
		if s.Along != "" {
			text += fmt.Sprintf(", where %d in a row along %s share what they have in common", s.Points, s.Along)
		}
		w.item("fewer", text, plainWords)
	}
	if x.Why != "" {
		w.item("in C", "not shown: "+x.Why, plainWords)
		return
	}
	for _, v := range []struct{ head, text string }{{"the region before, in C:", x.Before}, {"with sums regrouped:", x.Text}} {
		w.line("  %s", v.head)
		for _, line := range strings.Split(strings.TrimSuffix(v.text, "\n"), "\n") {
			w.line("  %s", line)
		}
	}
}
