package openmp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file says which lines of the text run a statement. While regions are printed, lines that no C has stand before and behind such lines; Join takes them out.

// mark begins such a line: a region and statements follow where lines begin that run them, nothing where they end.
const mark = "\x00"

// running prints what runs the statement of p, or those of its variants.
func (p *point) running(text func()) {
	p.Raw(fmt.Sprintf("%s%d %s\n", mark, p.names.Region, strings.ReplaceAll(p.statements(), ",", "")))
	text()
	p.Raw(mark + "\n")
}

// unmarked returns text without marks, and the lines that stood between them, in order and apart from each other.
func unmarked(text string) (string, []ctext.Span) {
	var out strings.Builder
	var all []ctext.Span
	var open *ctext.Span
	line := 1
	for text := range strings.SplitAfterSeq(text, "\n") {
		what, marked := strings.CutPrefix(text, mark)
		switch region, stmt, begins := strings.Cut(strings.TrimSuffix(what, "\n"), " "); {
		case !marked:
			out.WriteString(text)
			line++
		case begins:
			n, err := strconv.Atoi(region)
			if err != nil || open != nil {
				panic(fmt.Sprintf("openmp: unmarked: %q in line %d", text, line))
			}
			open = &ctext.Span{First: line, Region: n}
			open.Stmt, open.Also, _ = strings.Cut(stmt, " ")
		default:
			open.Last = line - 1
			if n := len(all); n > 0 && all[n-1].Region == open.Region && all[n-1].Stmt == open.Stmt && all[n-1].Also == open.Also && all[n-1].Last == open.First-1 {
				all[n-1].Last = open.Last
			} else if open.Last >= open.First {
				all = append(all, *open)
			}
			open = nil
		}
	}
	return out.String(), all
}
