package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// This file prints diagnostics as C compilers do: the place, the message, the
// line with the piece of text underlined, then notes and help.

// Sources returns the text of a file, or nil if it is not at hand.
type Sources func(file string) []byte

// String returns the name of s in messages.
func (s Severity) String() string { return [...]string{"error", "warning", "remark"}[s] }

// Text writes l for people.
func Text(w io.Writer, l List, src Sources) error {
	var b strings.Builder
	for _, d := range l {
		fmt.Fprintf(&b, "%s: %s: %s", place(d.At.Pos), d.Severity, d.Msg)
		if d.Code != "" {
			fmt.Fprintf(&b, " [%s]", d.Code)
		}
		b.WriteString("\n" + excerpt(d.At, src))
		for _, n := range d.Notes {
			if n.At.Line > 0 {
				fmt.Fprintf(&b, "%s: ", place(n.At.Pos))
			}
			fmt.Fprintf(&b, "note: %s\n%s", n.Msg, excerpt(n.At, src))
		}
		if d.Help != "" {
			fmt.Fprintf(&b, "help: %s\n", d.Help)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// place returns p as far as it is known.
func place(p Pos) string {
	switch {
	case p.File == "":
		return "hexcc"
	case p.Line == 0:
		return p.File
	}
	return p.String()
}

// excerpt returns the line of s and, below it, a mark: ^~~~ under the bytes of s.
func excerpt(s Span, src Sources) string {
	if s.Line < 1 || src == nil {
		return ""
	}
	line, ok := lineOf(src(s.File), s.Line)
	if !ok || s.Col < 1 || s.Col > len(line)+1 {
		return ""
	}
	before := line[:s.Col-1]
	marked := line[s.Col-1 : min(s.Col-1+s.Len, len(line))]
	blank := func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}
	marks := "^" + strings.Repeat("~", max(utf8.RuneCount(marked)-1, 0))
	return fmt.Sprintf("%5d | %s\n      | %s%s\n", s.Line, line, bytes.Map(blank, before), marks)
}

// lineOf returns line n of text, from 1, without its end.
func lineOf(text []byte, n int) ([]byte, bool) {
	for ; n > 1; n-- {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return nil, false
		}
		text = text[i+1:]
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return bytes.TrimRight(text, "\r"), len(text) > 0
}
