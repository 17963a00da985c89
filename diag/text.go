package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
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
		fmt.Fprintf(&b, "%s: %s: %s", place(d.At.Pos), d.Severity, lines(d.Msg))
		if d.Code != "" {
			fmt.Fprintf(&b, " [%s]", d.Code)
		}
		b.WriteString("\n" + excerpt(d.At, src))
		for _, n := range d.Notes {
			if n.At.Line > 0 {
				fmt.Fprintf(&b, "%s: ", place(n.At.Pos))
			}
			fmt.Fprintf(&b, "note: %s\n%s", lines(n.Msg), excerpt(n.At, src))
		}
		if d.Help != "" {
			fmt.Fprintf(&b, "help: %s\n", lines(d.Help))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lines returns s for the terminal, all lines but the first indented: none of them looks like a
// diagnostic, whatever names are in it.
func lines(s string) string { return strings.ReplaceAll(PrintableLines(s), "\n", "\n  ") }

// place returns p as far as it is known.
func place(p Pos) string {
	switch {
	case p.File == "":
		return "hexcc"
	case p.Line == 0:
		return Printable(p.File)
	}
	p.File = Printable(p.File)
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
	return Excerpt(string(line), s)
}

// Excerpt returns line, or what is near s where it is long, in printable characters; below it a mark under the bytes of s.
func Excerpt(line string, s Span) string {
	from, to := s.Col-1, min(s.Col-1+s.Len, len(line))
	before, marked, after := PrintableLines(line[:from]), PrintableLines(line[from:to]), PrintableLines(line[to:])
	if columnsOf(before)+columnsOf(marked)+columnsOf(after) > widest {
		before = ends(before, widest/3, true)
		marked = ends(marked, widest/3, false)
		after = ends(after, max(widest-columnsOf(before)-columnsOf(marked), 0), false)
	}
	marks := "^" + strings.Repeat("~", max(columnsOf(marked)-1, 0))
	return fmt.Sprintf("%5d | %s\n      | %s%s\n", s.Line, before+marked+after, blank(before), marks)
}

// widest is how many columns of a line are shown.
const widest = 180

// ends returns the last or the first n columns of s, with dots for what is left out.
func ends(s string, n int, last bool) string {
	const dots = "..."
	if columnsOf(s) <= n {
		return s
	}
	runes := []rune(s)
	if last {
		runes = runes[max(len(runes)-n, 0):]
		for len(runes) > 0 && columnsOf(string(runes)) > n-len(dots) {
			runes = runes[1:]
		}
		return dots + string(runes)
	}
	runes = runes[:min(len(runes), n)]
	for len(runes) > 0 && columnsOf(string(runes)) > n-len(dots) {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + dots
}

// blank returns s with blanks for what it shows; tabs stay.
func blank(s string) string {
	fields := strings.Split(s, "\t")
	for i, f := range fields {
		fields[i] = strings.Repeat(" ", columnsOf(f))
	}
	return strings.Join(fields, "\t")
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
