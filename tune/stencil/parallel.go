package stencil

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file writes what people write who do not tile: the loops of a region as they are, with "#pragma omp parallel for" before each outermost one over space.

// parallelLoops returns the source of p with the pragma before those loops; where the region has such pragmas already, it is the source as it is. The error
// says that no loop was found.
func parallelLoops(p *scop.Program) ([]byte, error) {
	region := p.Source[p.Region.Start:p.Region.End]
	if withPragma.Match(region) {
		return p.Source, nil
	}
	r := loopReader{text: blank(region), outer: 1}
	if p.Timeless {
		r.outer = 0
	}
	r.statements(0)
	if len(r.found) == 0 {
		return nil, fmt.Errorf("no loop over space was found in the text of the region")
	}
	out := slices.Clone(p.Source[:p.Region.Start])
	at := 0
	for _, l := range r.found {
		out = append(out, region[at:l.at]...)
		out = append(out, "\n#pragma omp parallel for"...)
		if len(l.private) > 0 {
			out = append(out, " private("+strings.Join(l.private, ", ")+")"...)
		}
		out, at = append(out, '\n'), l.at
	}
	return append(append(out, region[at:]...), p.Source[p.Region.End:]...), nil
}

var (
	withPragma = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]`)
	// noCode is what is no code: comments, texts and lines of the preprocessor.
	noCode = regexp.MustCompile(`(?s)/\*.*?\*/|//(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?m:^[ \t]*#)(?:\\\n|[^\n])*`)
	// assigned is the start of a head that declares no variable.
	assigned = regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*=[^=]`)
	word     = regexp.MustCompile(`^[A-Za-z_]\w*`)
)

// blank returns text with blanks in place of what is no code: all else stays where it is.
func blank(text []byte) []byte {
	return noCode.ReplaceAllFunc(text, func(x []byte) []byte {
		out := bytes.Repeat([]byte(" "), len(x))
		for i, c := range x {
			if c == '\n' {
				out[i] = c
			}
		}
		return out
	})
}

// A loopReader finds the loops of a text by their depth, without knowing more of C than brackets and the words that begin statements.
type loopReader struct {
	text  []byte
	at    int
	outer int // depth of the loops that are wanted
	found []spaceLoop
}

// A spaceLoop is a loop to run in parallel: where it begins, and the variables that inner loops assign without declaring them.
type spaceLoop struct {
	at      int
	private []string
}

// statements reads statements up to the bracket that ends them, or the end.
func (r *loopReader) statements(depth int) {
	for r.skip(); r.at < len(r.text) && r.text[r.at] != '}'; r.skip() {
		r.statement(depth)
	}
}

func (r *loopReader) skip() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n\f\v", r.text[r.at]) >= 0 {
		r.at++
	}
}

// statement reads one statement inside of so many loops.
func (r *loopReader) statement(depth int) {
	r.skip()
	if r.at >= len(r.text) {
		return
	}
	if r.text[r.at] == '{' {
		r.at++
		r.statements(depth)
		r.at = min(r.at+1, len(r.text))
		return
	}
	start := r.at
	switch keyword := string(word.Find(r.text[r.at:])); keyword {
	case "for", "while":
		r.at += len(keyword)
		head := r.brackets()
		if depth == r.outer && keyword == "for" {
			r.found = append(r.found, spaceLoop{at: start})
		} else if m := assigned.FindSubmatch(head); m != nil && depth > r.outer && len(r.found) > 0 {
			last := &r.found[len(r.found)-1]
			if name := string(m[1]); !slices.Contains(last.private, name) {
				last.private = append(last.private, name)
			}
		}
		r.statement(depth + 1)
	case "if", "switch":
		r.at += len(keyword)
		r.brackets()
		r.statement(depth)
	case "else", "do":
		r.at += len(keyword)
		r.statement(depth)
	default:
		r.simple()
	}
}

// brackets reads what stands in parentheses, and returns it.
func (r *loopReader) brackets() []byte {
	r.skip()
	start, open := r.at, 0
	for ; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				r.at++
				return r.text[start+1 : r.at-1]
			}
		}
	}
	return nil
}

// simple reads up to the semicolon of a statement, or to the bracket that ends those around it.
func (r *loopReader) simple() {
	for open := 0; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '(', '[', '{':
			open++
		case ')', ']':
			open--
		case '}':
			if open == 0 {
				return
			}
			open--
		case ';':
			if open == 0 {
				r.at++
				return
			}
		}
	}
}
