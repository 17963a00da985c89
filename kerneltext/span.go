package kerneltext

import (
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// A Span is lines of the kernel file that run a statement.
type Span = ctext.Span

// A Run is a statement as printed: bytes from (included) to to (excluded).
type Run struct {
	Region   int // of the file, from 0
	Stmt     string
	at       diag.Span // of its first assignment, in the source
	from, to int
}

// running notes that the text from byte from on runs the statement.
func (k *printer) running(stmt *scop.Stmt, from int) {
	k.runs = append(k.runs, Run{Stmt: stmt.Name, at: assigned(stmt), from: from, to: k.Buf.Len()})
}

// assigned returns where in the source s first assigns to an element.
func assigned(s *scop.Stmt) diag.Span {
	for _, a := range s.Accesses {
		if a.Write {
			return a.Pos
		}
	}
	return s.Pos
}

// Moved returns runs of a text that starts at byte by of another, as of that.
func Moved(runs []Run, by int) []Run {
	out := make([]Run, len(runs))
	for i, r := range runs {
		out[i] = r
		out[i].from, out[i].to = r.from+by, r.to+by
	}
	return out
}

// Spans returns the lines of text that runs, which are in order and whole lines, are made of.
func Spans(text string, runs []Run) []Span {
	var all []Span
	line, at := 1, 0
	for _, r := range runs {
		first := line + strings.Count(text[at:r.from], "\n")
		next := first + strings.Count(text[r.from:r.to], "\n")
		if n := len(all); n > 0 && all[n-1].Region == r.Region && all[n-1].Stmt == r.Stmt && all[n-1].Last == first-1 {
			all[n-1].Last = next - 1
		} else if next > first {
			all = append(all, Span{First: first, Last: next - 1, Region: r.Region, Stmt: r.Stmt})
		}
		line, at = next, r.to
	}
	return all
}
