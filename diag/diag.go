// Package diag defines diagnostics: what hexcc tells a user about a program,
// at the place to mend it.
package diag

import (
	"fmt"
	"strings"
)

// A Pos is a place in a source file. Line and Col count from 1; Col counts bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// A Span is a piece of text on one line: Len bytes from Pos. Len is at least 1.
type Span struct {
	Pos
	Len int
}

// A Code names a kind of diagnostic, such as HX101; its first digit is its class.
type Code string

// Severity says what a diagnostic means for the translation.
type Severity uint8

// The severities. Only an Error stops the translation.
const (
	Error Severity = iota
	Warning
	Remark
)

// A Note adds a place or a fact to a diagnostic. A zero Span has no place.
type Note struct {
	At  Span
	Msg string
}

// A Diagnostic is one message, in the user's words: lower case, no full stop.
type Diagnostic struct {
	Severity Severity
	Code     Code
	At       Span   // zero: about the whole file
	Msg      string // what is wrong, with the offending text
	Notes    []Note
	Help     string // what the user can do; may be empty
	Fact     string // of a remark about what is tested when the program runs: that, as a condition; else empty
}

// Error returns the first line of the text form.
func (d *Diagnostic) Error() string {
	return fmt.Sprintf("%s: %s [%s]", d.At.Pos, d.Msg, d.Code)
}

// A List is the diagnostics of one run, in source order; as an error it holds
// at least one Error.
type List []*Diagnostic

func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}
