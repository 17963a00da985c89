package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file says which temporaries are computed where they are read, what that costs, and what the region is then.

type (
	// An Inlined is what became of temporaries that are computed where they are read. Statements and lines are those of the source.
	Inlined struct {
		Values  []InlinedValue `json:"values"`
		LeftOut []string       `json:"leftOut"` // statements whose results nobody reads any more
		Rewritten
	}
	// A Rewritten is what a rewrite made of a region.
	Rewritten struct {
		Before int64  `json:"operationsBefore"` // of an instance of each statement, added up
		Now    int64  `json:"operations"`
		Text   string `json:"text"` // the region in C, as it is then; "" where Why says why it is not shown
		Why    string `json:"why"`
	}
	// An InlinedValue is what a statement computes in place of reading it.
	InlinedValue struct {
		Array      string `json:"array"`
		Writer     string `json:"writer"`
		WriterLine int    `json:"writerLine"`
		Reader     string `json:"reader"`
		ReaderLine int    `json:"readerLine"`
		Places     int    `json:"places"` // how many elements each instance computes in place of reads
	}
)

// inlinedOf returns what r did to the program of a region, p; nil if r is.
func inlinedOf(r *rewrite.Result, p *scop.Program) *Inlined {
	if r == nil {
		return nil
	}
	in := &Inlined{Rewritten: rewritten(r)}
	for _, v := range r.Values {
		in.Values = append(in.Values, InlinedValue{v.Array.Name, v.Writer.Name, p.Line(v.Writer.Pos.Line), v.Reader.Name, p.Line(v.Reader.Pos.Line), v.Places})
	}
	left := map[int]bool{}
	for _, i := range r.Orders {
		left[i] = true
	}
	for i, s := range r.Before().Stmts {
		if !left[i] {
			in.LeftOut = append(in.LeftOut, s.Name)
		}
	}
	return in
}

// rewritten returns what r made.
func rewritten(r *rewrite.Result) (x Rewritten) {
	x.Before, x.Now = r.Cost()
	text, err := ctext.Region(r.Program)
	if x.Text = text; err != nil {
		x.Why = err.Error()
	}
	return x
}

// text says what the operations are, and shows the region in C, which is so.
func (x Rewritten) text(w *writer, so string) {
	w.item("operations", fmt.Sprintf("%d, of an instance of each statement, in place of %d", x.Now, x.Before), plainWords)
	if x.Why != "" {
		w.item("in C", "not shown: "+x.Why, plainWords)
		return
	}
	w.line("  the region %s, in C:", so)
	for _, line := range strings.Split(strings.TrimSuffix(x.Text, "\n"), "\n") {
		w.line("  %s", line)
	}
}

// textInlined says what was computed where it is read, and shows the region as it is translated.
func (in *Inspection) textInlined(w *writer) {
	x := in.Inlined
	if x == nil {
		return
	}
	w.section("Temporaries in registers")
	for _, v := range x.Values {
		w.item("computes", fmt.Sprintf("line %d, %s: what %s of line %d stores to %s, for %s of each point", v.ReaderLine, v.Reader, v.Writer, v.WriterLine, v.Array, count(v.Places, "element")), plainWords)
	}
	if len(x.LeftOut) > 0 {
		w.item("left out", strings.Join(x.LeftOut, ", ")+", whose results nobody reads any more", plainWords)
	}
	x.text(w, "as it is translated")
}
