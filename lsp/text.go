package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// A text is a document, by lines.
type text struct{ lines []string }

func textOf(s string) text { return text{strings.SplitAfter(s, "\n")} }

// line returns a line without its end; "" beyond the last one. Lines count from 0.
func (t text) line(n int) string {
	if n < 0 || n >= len(t.lines) {
		return ""
	}
	return strings.TrimRight(t.lines[n], "\r\n")
}

// position returns the place of a byte of a line, both from 0.
func (t text) position(line, column int) position {
	s := t.line(line)
	return position{line, units(s[:min(max(column, 0), len(s))])}
}

// units returns how many units of UTF-16 a text has.
func units(s string) (n int) {
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// span returns a piece of a line: length bytes from a byte on.
func (t text) span(line, column, length int) span {
	return span{t.position(line, column), t.position(line, column+length)}
}

// whole returns the range of a line with its end.
func (t text) whole(line int) span { return span{position{line, 0}, position{line + 1, 0}} }

// indent returns the space that a line begins with.
func (t text) indent(line int) string {
	s := t.line(line)
	return s[:len(s)-len(strings.TrimLeft(s, " \t"))]
}

// find returns the last line, up to a line, that a test holds for; -1 if none does.
func (t text) find(upTo int, holds func(line string) bool) int {
	for n := min(upTo, len(t.lines)-1); n >= 0; n-- {
		if holds(t.line(n)) {
			return n
		}
	}
	return -1
}

// isPragma says whether a line is a #pragma of a word.
func isPragma(line, word string) bool {
	fields := strings.Fields(strings.Replace(line, "#", "# ", 1))
	return len(fields) >= 3 && fields[0] == "#" && fields[1] == "pragma" && fields[2] == word
}

// pathOf returns the path of a file: URI, and whether it is one.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if len(path) > 2 && path[2] == ':' { // /C:/..
		path = path[1:]
	}
	return filepath.FromSlash(path), true
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
