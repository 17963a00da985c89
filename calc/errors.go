package calc

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hexcc/hexcc/diag"
)

// An Error is a mistake in a program, at its place.
type Error struct {
	File      string // as given to Run or source
	Line, Col int    // from 1; Col counts characters
	Msg       string
	Text      string // the line
	Err       error  // what went wrong, where it is a *poly.LimitError or an error of the system
}

// Error returns the message with the line and a caret below its place.
func (e *Error) Error() string {
	at := 0
	for range e.Col - 1 {
		_, n := utf8.DecodeRuneInString(e.Text[at:])
		at += n
	}
	excerpt := diag.Excerpt(e.Text, diag.Span{Pos: diag.Pos{Line: e.Line, Col: at + 1}, Len: 1})
	return fmt.Sprintf("%s:%d:%d: error: %s\n%s", diag.Printable(e.File), e.Line, e.Col, diag.PrintableLines(e.Msg), strings.TrimSuffix(excerpt, "\n"))
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// A source is the text of a program.
type source struct {
	file string
	text string
	line int // of the first line, less 1
}

// errorAt returns an Error at a byte of the text.
func (s source) errorAt(pos int, format string, args ...any) *Error {
	start := strings.LastIndexByte(s.text[:pos], '\n') + 1
	line, _, _ := strings.Cut(s.text[start:], "\n")
	return &Error{
		File: s.file,
		Line: s.line + 1 + strings.Count(s.text[:pos], "\n"),
		Col:  1 + utf8.RuneCountInString(s.text[start:pos]),
		Msg:  fmt.Sprintf(format, args...),
		Text: strings.TrimRight(line, "\r"),
	}
}

// offset returns the byte of a line and column, from 1, that count from the byte at on.
func (s source) offset(at, line, col int) int {
	for ; line > 1; line-- {
		next := strings.IndexByte(s.text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	for ; col > 1 && at < len(s.text) && s.text[at] != '\n'; col-- {
		_, size := utf8.DecodeRuneInString(s.text[at:])
		at += size
	}
	return at
}
