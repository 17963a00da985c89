package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file says which arrays are folded into the combinations in which they are used, what that saves, and what the region is then.

type (
	// A Folding is what became of arrays that are folded.
	Folding struct {
		Arrays []FoldedArray `json:"arrays"`
		Rewritten
	}
	// A FoldedArray is an array that holds a combination of others. Statements are those after folding, before nests are several and temporaries go to registers.
	FoldedArray struct {
		Array   string   `json:"array"`
		Of      []string `json:"of"`
		Writer  string   `json:"writer"`
		Readers []string `json:"readers"`
		Places  int      `json:"places"` // at how many places a point of the reader that has most reads it
	}
)

// foldingOf returns what r did; nil if r is.
func foldingOf(r *rewrite.Folding) *Folding {
	if r == nil {
		return nil
	}
	f := &Folding{Rewritten: rewritten(&rewrite.Result{Program: r.Program})}
	for _, x := range r.Folds {
		a := FoldedArray{Array: x.Array.Name, Writer: x.Writer.Name, Places: x.Places}
		for _, of := range x.Of {
			a.Of = append(a.Of, of.Name)
		}
		a.Readers = statementNames(x.Readers)
		f.Arrays = append(f.Arrays, a)
	}
	return f
}

func statementNames(all []*scop.Stmt) (names []string) {
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

// text says what a holds.
func (a FoldedArray) text() string {
	return fmt.Sprintf("%s computes %s, a combination of %s, which %s reads at %s", a.Writer, a.Array, strings.Join(a.Of, ", "), strings.Join(a.Readers, ", "), count(a.Places, "place"))
}

// textFolding says which arrays are folded, and shows the region then.
func (in *Inspection) textFolding(w *writer) {
	x := in.Folding
	if x == nil {
		return
	}
	w.section("Folding: combinations of arrays computed once")
	for _, a := range x.Arrays {
		w.item("folded", a.text(), plainWords)
	}
	x.text(w, "after that")
}
