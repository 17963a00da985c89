package cuda

import "strings"

// A Span is lines of the kernel file that run a statement, the last included;
// lines count from 1.
type Span struct {
	First, Last int
	Region      int    // of the file, from 0
	Stmt        string // its name: S0
}

// A run is a statement as printed: bytes from (included) to to (excluded).
type run struct {
	region   int
	stmt     string
	from, to int
}

// running notes that the text from byte from on runs the statement.
func (k *kernel) running(stmt string, from int) {
	k.runs = append(k.runs, run{stmt: stmt, from: from, to: k.Buf.Len()})
}

// moved returns runs of a text that starts at byte by of another, as of that.
func moved(runs []run, by int) []run {
	out := make([]run, len(runs))
	for i, r := range runs {
		out[i] = run{r.region, r.stmt, r.from + by, r.to + by}
	}
	return out
}

// spans returns the lines of text that runs, which are in order and whole lines, are made of.
func spans(text string, runs []run) []Span {
	var all []Span
	line, at := 1, 0
	for _, r := range runs {
		first := line + strings.Count(text[at:r.from], "\n")
		next := first + strings.Count(text[r.from:r.to], "\n")
		if n := len(all); n > 0 && all[n-1].Region == r.region && all[n-1].Stmt == r.stmt && all[n-1].Last == first-1 {
			all[n-1].Last = next - 1
		} else if next > first {
			all = append(all, Span{first, next - 1, r.region, r.stmt})
		}
		line, at = next, r.to
	}
	return all
}
