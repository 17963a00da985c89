package frontend

import (
	"bytes"
	"sort"
	"sync"

	"modernc.org/token"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file maps places that the C front end reports to bytes of the user's
// own text. All tokens of a macro expansion report the place where the macro
// is named, so a place is good for finding a token there, not its length.

// A file is the user's text and where its lines begin.
type file struct {
	name   string
	text   []byte
	lines  []int           // offset of the start of each line
	macros map[string]bool // the function-like macros of the translation unit

	constants map[string]bool // macros without parameters that may stand for a constant

	flat map[string][]byte // headers of the system, by path, with all that they include

	// asksForUs: a header of the user may be another one for hexcc than it is for the compiler.
	asksForUs bool

	cxx *projection // of a C++ file: what the C front end reads; else nil

	copies []cxxCopies // regions of a C++ file that were written for several lists of arguments of a template

	ends sync.Map // of arguments of macros that expand to many tokens, all of which end there: offsets, by that where the parenthesis opens
}

func newFile(src Source) *file {
	f := &file{name: src.Name, text: src.Text, lines: []int{0}}
	for i, c := range src.Text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// offset returns the byte offset of p, or -1 if p is not in f.
func (f *file) offset(p token.Position) int {
	if p.Filename != f.name || p.Line < 1 || p.Line > len(f.lines) {
		return -1
	}
	if f.cxx != nil {
		return min(f.cxx.source(p), len(f.text))
	}
	return min(f.lines[p.Line-1]+p.Column-1, len(f.text))
}

// line returns the number of the line that holds offset, from 1.
func (f *file) line(offset int) int {
	return sort.SearchInts(f.lines, offset+1)
}

// A where is a stretch of source by its first and last token.
type where struct{ first, last token.Position }

func (w where) at() where { return w }

// to returns the stretch from the start of w to the end of v.
func (w where) to(v where) where { return where{w.first, v.last} }

// bytes returns the stretch of f.text that w covers; ok is false if w is not in f.
// Where w is in a macro expansion, that is the whole invocation.
func (f *file) bytes(w where) (from, to int, ok bool) {
	from, last := f.offset(w.first), f.offset(w.last)
	if from < 0 || last < from {
		return 0, 0, false
	}
	if f.cxx != nil {
		return f.qualifierOf(from), f.cxx.endOf(w.last, f.tokenEnd(last)), true
	}
	return from, f.tokenEnd(last), true
}

// slice returns the text of w as the user wrote it, or "".
func (f *file) slice(w where) string {
	from, to, ok := f.bytes(w)
	if !ok {
		return ""
	}
	return string(f.text[from:to])
}

// span returns w cut to its first line.
func (f *file) span(w where) diag.Span {
	from, to, ok := f.bytes(w)
	if !ok {
		p := w.first
		return diag.Span{Pos: diag.Pos{File: p.Filename, Line: p.Line, Col: p.Column}, Len: 1}
	}
	return f.spanOf(from, to)
}

// spanOf returns the bytes from:to cut to their first line.
func (f *file) spanOf(from, to int) diag.Span {
	line := f.line(from)
	if i := bytes.IndexByte(f.text[from:to], '\n'); i >= 0 {
		to = from + len(bytes.TrimRight(f.text[from:from+i], " \t\r\\"))
	}
	pos := diag.Pos{File: f.name, Line: line, Col: from - f.lines[line-1] + 1}
	return diag.Span{Pos: pos, Len: max(to-from, 1)}
}

// end returns the place of the last byte of f that is not blank.
func (f *file) end() diag.Span {
	n := len(bytes.TrimRight(f.text, " \t\r\n"))
	return f.spanOf(max(n-1, 0), max(n, 0))
}

// macroAt returns the function-like macro that w begins with, or "".
func (f *file) macroAt(w where) string {
	from, _, ok := f.bytes(w)
	if !ok {
		return ""
	}
	name := f.word(from, f.plainTokenEnd(from))
	if !f.macros[name] {
		return ""
	}
	return name
}

// tokenEnd returns the end of the token at offset i, with its arguments if it
// names a function-like macro.
func (f *file) tokenEnd(i int) int {
	end := f.plainTokenEnd(i)
	if name := f.word(i, end); !f.macros[name] && (f.cxx == nil || !isCxxMacro(name)) {
		return end
	}
	open := end
	for open < len(f.text) && bytes.IndexByte([]byte(" \t\r\n\\"), f.text[open]) >= 0 {
		open++
	}
	if open == len(f.text) || f.text[open] != '(' {
		return end
	}
	return f.closing(open)
}

// word returns the identifier or other token from offset i to end as the C front end has it.
func (f *file) word(i, end int) string {
	return string(bytes.TrimRight(scop.Unescaped(f.text[i:end]), " "))
}

// closing returns the end of the parenthesis that opens at offset i.
func (f *file) closing(i int) int {
	if end, known := f.ends.Load(i); known {
		return end.(int)
	}
	end := f.findClosing(i)
	f.ends.Store(i, end)
	return end
}

func (f *file) findClosing(i int) int {
	depth := 0
	for i < len(f.text) {
		switch f.text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		i = f.plainTokenEnd(i)
		if depth == 0 {
			break
		}
	}
	return i
}

func (f *file) plainTokenEnd(i int) int {
	s := f.text[i:]
	switch {
	case len(s) == 0:
		return i
	case inWord(s) > 0 || s[0] == '.' && len(s) > 1 && isDigit(s[1]):
		return i + wordLen(s)
	case s[0] == '"' || s[0] == '\'':
		return i + quotedLen(s)
	}
	return i + punctLen(s)
}

// wordLen returns the length of the identifier or number at the start of s.
func wordLen(s []byte) int {
	number := isDigit(s[0]) || s[0] == '.'
	n := max(inWord(s), 1)
	for n < len(s) {
		size := inWord(s[n:])
		if number && (s[n] == '.' || (s[n] == '+' || s[n] == '-') && bytes.IndexByte([]byte("eEpP"), s[n-1]) >= 0) {
			size = 1
		}
		if size == 0 {
			break
		}
		n += size
	}
	return n
}

// quotedLen returns the length of the string or character at the start of s.
func quotedLen(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

// punctuators are those of more than one character, longest first.
var punctuators = []string{
	"<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
}

func punctLen(s []byte) int {
	for _, p := range punctuators {
		if bytes.HasPrefix(s, []byte(p)) {
			return len(p)
		}
	}
	return 1
}

// inWord returns the length of what s, which is not empty, begins with if that is part of a word, else 0: a byte, or the
// number of a character.
func inWord(s []byte) int {
	if scop.InIdentifier(s[0]) {
		return 1
	}
	return scop.EscapeLen(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
