package tree

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hexcc/hexcc/poly"
)

// An Error is a mistake in the text of a schedule, at its place.
type Error struct {
	Line, Col int // from 1; Col counts characters
	Msg       string
	Text      string // the line
	Err       error  // a *poly.LimitError where that is what is wrong
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s\n\t%s\n\t%s", e.Line, e.Col, e.Msg, e.Text, poly.Caret(e.Text, e.Col))
}

// Unwrap returns what went wrong in package poly, or nil.
func (e *Error) Unwrap() error { return e.Err }

// A source is the text that is parsed.
type source struct{ text string }

// fail panics with an Error at a line and column, which Parse returns.
func (s source) fail(line, col int, format string, args ...any) {
	panic(s.errorAt(line, col, fmt.Sprintf(format, args...), nil))
}

func (s source) errorAt(line, col int, msg string, err error) *Error {
	lines := strings.Split(s.text, "\n")
	line = min(max(line, 1), len(lines))
	return &Error{Line: line, Col: max(col, 1), Msg: msg, Text: strings.TrimRight(lines[line-1], "\r"), Err: err}
}

// inSet panics with an Error for what is wrong in the text of a set or relation whose first character is at line and col. If exact
// is not set, the text is not there as it was parsed: the error then shows the text, and is at the start.
func (s source) inSet(line, col int, exact bool, err error) {
	var wrong *poly.ParseError
	switch {
	case !errors.As(err, &wrong):
		panic(s.errorAt(line, col, err.Error(), err))
	case !exact:
		panic(s.errorAt(line, col, fmt.Sprintf("%s, at character %d of %s", wrong.Msg, wrong.Col, wrong.Text), nil))
	case wrong.Line == 1:
		panic(s.errorAt(line, col+wrong.Col-1, wrong.Msg, nil))
	default:
		panic(s.errorAt(line+wrong.Line-1, wrong.Col, wrong.Msg, nil))
	}
}

// place returns the line and column of a byte.
func (s source) place(pos int) (line, col int) {
	before := s.text[:pos]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
