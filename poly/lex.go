package poly

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A ParseError is a mistake in the text of a set or relation.
type ParseError struct {
	Line, Col int    // from 1; Col counts characters
	Msg       string // "expected ), found ;"
	Text      string // the line
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%d:%d: %s\n\t%s\n\t%s", e.Line, e.Col, e.Msg, e.Text, Caret(e.Text, e.Col))
}

// Caret returns a line that has a caret below column col of text, after blanks and the tabs of text.
func Caret(text string, col int) string {
	var b strings.Builder
	for _, r := range text {
		if col--; col <= 0 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String() + "^"
}

// A token is a word, a number or a symbol, at a place in the text. The end is the empty symbol.
type token struct {
	kind tokenKind
	text string
	pos  int
}

type tokenKind uint8

const (
	symbol tokenKind = iota
	word
	number
	stray // no token of the notation
)

// symbols are the tokens of more than one character, and other spellings; longer ones come first.
var symbols = []struct{ text, means string }{
	{"<<=", "<<="}, {">>=", ">>="}, {"<<", "<<"}, {">>", ">>"}, {"->", "->"}, {"<=", "<="}, {">=", ">="}, {"!=", "!="}, {"==", "="}, {"<>", "!="}, {"&&", "and"}, {"||", "or"},
	{"=>", "=>"}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="}, {"∧", "and"}, {"∨", "or"}, {"¬", "not"}, {"∃", "exists"},
	{"→", "->"}, {"!", "not"}, {"%", "mod"},
}

// tokens splits text; the last token is the end.
func tokens(text string) []token {
	var list []token
	for pos := 0; pos < len(text); {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if unicode.IsSpace(r) {
			pos += size
			continue
		}
		t := scan(text, pos)
		list = append(list, t.meaning)
		pos += t.size
	}
	return append(list, token{pos: len(text)})
}

type scanned struct {
	meaning token
	size    int
}

// scan returns the token at pos, where no blank is.
func scan(text string, pos int) scanned {
	rest := text[pos:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isDigit(r):
		n := len(rest) - len(strings.TrimLeftFunc(rest, isDigit))
		return scanned{token{number, rest[:n], pos}, n}
	case isLetter(r):
		n := len(rest) - len(strings.TrimLeftFunc(rest, isWordPart))
		return scanned{token{word, keyword(rest[:n]), pos}, n}
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s.text) {
			kind := symbol
			if isLetter(rune(s.means[0])) {
				kind = word
			}
			return scanned{token{kind, s.means, pos}, len(s.text)}
		}
	}
	if strings.ContainsRune("[]{}(),;:=<>+-*/?", r) {
		return scanned{token{symbol, rest[:size], pos}, size}
	}
	return scanned{token{stray, rest[:size], pos}, size}
}

// keyword returns name, or exists for what Omega's texts write as Exists.
func keyword(name string) string {
	if strings.EqualFold(name, "exists") {
		return "exists"
	}
	return name
}

func isDigit(r rune) bool    { return '0' <= r && r <= '9' }
func isLetter(r rune) bool   { return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
func isWordPart(r rune) bool { return isLetter(r) || isDigit(r) || r == '\'' }

// parseError returns a ParseError at a byte of text.
func parseError(text string, pos int, format string, args ...any) *ParseError {
	before := text[:pos]
	start := strings.LastIndexByte(before, '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	return &ParseError{
		Line: 1 + strings.Count(before, "\n"),
		Col:  1 + utf8.RuneCountInString(text[start:pos]),
		Msg:  fmt.Sprintf(format, args...),
		Text: line,
	}
}
