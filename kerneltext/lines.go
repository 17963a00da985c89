package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// WithLines returns text, which is the file of that name, with #line directives
// by which compilers, debuggers and profilers take each run for the line of the
// user's source of its statement's first assignment, and all else for what it is; and
// the runs as of that. Runs are in order and whole lines.
func WithLines(text, file string, runs []Run) (string, []Run) {
	var b strings.Builder
	moved := make([]Run, len(runs))
	line, done := 1, 0 // of b, and of text
	write := func(s string) {
		b.WriteString(s)
		line += strings.Count(s, "\n")
	}
	for i, r := range runs {
		write(text[done:r.from])
		write(fmt.Sprintf("#line %d %s\n", r.at.Line, ctext.Quote(r.at.File)))
		moved[i] = r
		moved[i].from = b.Len()
		write(text[r.from:r.to])
		moved[i].to = b.Len()
		if i+1 == len(runs) || runs[i+1].from > r.to {
			write(fmt.Sprintf("#line %d %s\n", line+1, ctext.Quote(file)))
		}
		done = r.to
	}
	write(text[done:])
	return b.String(), moved
}
