package calc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a piece of a program: a word, a number, a string, a symbol, or the whole text of a set, relation or
// function. The end is the empty symbol.
type token struct {
	kind tokenKind
	text string // of a string: its value
	pos  int
}

type tokenKind uint8

const (
	symbol tokenKind = iota
	word
	number
	quoted
	literal
	unfinished // a literal without an end
	stray      // no token of the language
)

// symbols are the tokens of more than one character; longer ones come first.
var symbols = []string{"->-", "->*", "<<=", ">>=", ":=", "->", "<<", ">>", "<=", ">=", "=="}

// A scanner splits a text, of which comments are blank.
type scanner struct {
	text string
	pos  int
}

// blankComments returns text with all that follows a #, outside of strings, as blanks, so that positions stay.
func blankComments(text string) string {
	out := []byte(text)
	inString := false
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			inString = !inString
		case out[i] == '\n':
			inString = false
		case out[i] == '#' && !inString:
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// skip passes over blanks.
func (s *scanner) skip() {
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		s.pos += size
	}
}

// next returns the next token and passes it. Where an operand is due, brackets open a set, relation or function.
func (s *scanner) next(operand bool) token {
	s.skip()
	start := s.pos
	rest := s.text[start:]
	if rest == "" {
		return token{pos: start}
	}
	take := func(kind tokenKind, n int) token {
		s.pos += n
		return token{kind, rest[:n], start}
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case isDigit(r):
		return take(number, prefix(rest, isDigit))
	case isLetter(r):
		return take(word, prefix(rest, isWordPart))
	case r == '$':
		if n := prefix(rest[1:], isDigit); n > 0 {
			return take(word, 1+n)
		}
	case r == '"':
		return s.quoted()
	case operand && (r == '{' || r == '['):
		if n := literalSize(rest); n > 0 {
			return take(literal, n)
		}
		return take(unfinished, len(rest))
	}
	for _, sym := range symbols {
		if strings.HasPrefix(rest, sym) {
			return take(symbol, len(sym))
		}
	}
	if strings.ContainsRune("()[],;=<>+-*.^%@", r) {
		return take(symbol, size)
	}
	return take(stray, size)
}

// quoted returns a string, whose text ends at the next quote or, unfinished, at the end of the line.
func (s *scanner) quoted() token {
	start := s.pos
	rest := s.text[start+1:]
	end := strings.IndexAny(rest, "\"\n")
	if end < 0 || rest[end] == '\n' {
		s.pos = len(s.text)
		return token{stray, "\"", start}
	}
	s.pos = start + end + 2
	return token{quoted, rest[:end], start}
}

// literalSize returns the length of the set, relation or function that text starts with, parameters included, or 0 if
// it has no end.
func literalSize(text string) int {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return 0
	}
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// literalKind returns which kind of value the text of a literal stands for, by its first piece.
func literalKind(text string) kind {
	_, body, _ := strings.Cut(text, "{")
	depth, after := 0, ""
	piece := body
scan:
	for i, r := range body {
		switch {
		case strings.ContainsRune("[(", r):
			depth++
		case strings.ContainsRune("])", r):
			depth--
		case depth == 0 && strings.ContainsRune(":;}", r):
			piece = body[:i]
			break scan
		case depth == 0 && (r == '→' || strings.HasPrefix(body[i:], "->")):
			after = body[i+2:]
			if r == '→' {
				after = body[i+len("→"):]
			}
		}
	}
	switch {
	case after != "" && startsTuple(after):
		return mapKind
	case after != "":
		return functionKind
	case strings.TrimSpace(piece) == "" || startsTuple(piece):
		return setKind
	}
	return functionKind
}

// startsTuple reports whether text starts with a tuple: [ or a name and [.
func startsTuple(text string) bool {
	text = strings.TrimSpace(text)
	if text != "" && isLetter(rune(text[0])) {
		text = strings.TrimSpace(text[prefix(text, isWordPart):])
	}
	return strings.HasPrefix(text, "[")
}

// prefix returns the length of the longest prefix of text that is of runes for which is holds.
func prefix(text string, is func(rune) bool) int {
	return len(text) - len(strings.TrimLeftFunc(text, is))
}

func isDigit(r rune) bool    { return '0' <= r && r <= '9' }
func isLetter(r rune) bool   { return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
func isWordPart(r rune) bool { return isLetter(r) || isDigit(r) || r == '\'' }
