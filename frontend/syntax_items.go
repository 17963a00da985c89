package frontend

import "bytes"

// This file finds the declarations of a file without parsing it, so that one of them can be left out.

// An item is a declaration or a function at the outermost level of a file: text[from:to].
type item struct {
	from, to int
	body     int // where the braces of a function open, 0: it is none
}

// itemsOf returns the items of a text; ok is false if its braces do not match.
func itemsOf(text []byte) (items []item, ok bool) {
	s := itemScan{text: text, open: item{from: -1}}
	last := byte(0) // what is no blank, before
	for i := 0; i < len(text); {
		c := text[i]
		if c == '#' && atLineStart(text, i) {
			i = directiveEnd(text, i)
			continue
		}
		n := notWordLen(text[i:])
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\\' || n > 1 && c == '/' {
			i += n
			continue
		}
		if s.open.from < 0 && c != ';' {
			s.open = item{from: i}
		}
		i += n
		if !s.token(c, i, last) {
			return nil, false
		}
		last = c
	}
	return s.items, s.depth == 0 && s.linkage == 0 && s.parens == 0 // what is open is a macro, such as __END_DECLS
}

// An itemScan looks for the items of a text.
type itemScan struct {
	text          []byte
	items         []item
	open          item // that has begun, if from is not negative
	depth, parens int  // of braces inside of it, and of others
	linkage       int  // of extern "C" around it
	isFunction    bool
}

// token takes account of a token that begins with c and ends at i, after one that begins with last; false if it closes what is not open.
func (s *itemScan) token(c byte, i int, last byte) bool {
	switch c {
	case '(', '[':
		s.parens++
	case ')', ']':
		s.parens--
	case '{':
		s.openBrace(i, last)
	case '}':
		if s.depth == 0 && s.linkage > 0 {
			s.linkage--
			s.open = item{from: -1}
			return true
		}
		if s.depth--; s.depth < 0 {
			return false
		}
		if s.depth == 0 && s.parens == 0 && s.open.body > 0 {
			s.end(i)
		}
	case ';':
		if s.depth == 0 && s.parens == 0 && s.open.from >= 0 {
			s.open.body = 0
			s.end(i)
		}
	}
	return true
}

// openBrace takes account of a brace that ends at i, after a token that begins with last.
func (s *itemScan) openBrace(i int, last byte) {
	if s.depth == 0 && last == '"' && bytes.HasPrefix(s.text[s.open.from:], []byte("extern")) { // "C": what is in it is outermost, too
		s.linkage++
		s.open = item{from: -1}
		return
	}
	if s.depth == 0 && s.parens == 0 {
		s.isFunction = last == ')' || s.isFunction && s.open.body == 0
		if s.isFunction {
			s.open.body = i - 1
		}
	}
	s.depth++
}

// end ends the open item at i.
func (s *itemScan) end(i int) {
	s.open.to = i
	s.items, s.open, s.isFunction = append(s.items, s.open), item{from: -1}, false
}

// notWordLen returns the length of the comment, string or character that text begins with, else 1.
func notWordLen(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if n := bytes.IndexByte(text, '\n'); n >= 0 {
			return n
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(text)
	case text[0] == '"' || text[0] == '\'':
		return quotedLen(text)
	}
	return 1
}

// atLineStart reports whether nothing but blanks is before i on its line.
func atLineStart(text []byte, i int) bool {
	return len(bytes.TrimLeft(text[bytes.LastIndexByte(text[:i], '\n')+1:i], " \t")) == 0
}

// directiveWord returns the word behind the # of a directive.
func directiveWord(text []byte) string {
	word := bytes.TrimLeft(text[1:], " \t")
	n := 0
	for n < len(word) && inWord(word[n:]) > 0 {
		n++
	}
	return string(word[:n])
}

// directiveEnd returns the end of the directive at i, with the lines that continue it.
func directiveEnd(text []byte, i int) int {
	for i < len(text) {
		switch n := notWordLen(text[i:]); {
		case text[i] == '\n':
			return i
		case bytes.HasPrefix(text[i:], []byte("\\\r\n")):
			i += 3
		case text[i] == '\\':
			i += 2
		case n > 1 && text[i] == '/':
			i += n
		default: // an apostrophe in #error begins no character
			i++
		}
	}
	return len(text)
}

// blank makes text[from:to] blanks, but for directives and the ends of lines.
func blank(text []byte, from, to int) {
	for i := from; i < to; {
		if text[i] == '#' && atLineStart(text, i) {
			i = directiveEnd(text, i)
			continue
		}
		n := min(notWordLen(text[i:to]), to-i)
		blankAll(text[i : i+n])
		i += n
	}
}

// blankAll makes text blanks, but for the ends of lines.
func blankAll(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// without returns text without some of its items.
func without(text []byte, left []item) []byte {
	if len(left) == 0 {
		return text
	}
	out := bytes.Clone(text)
	for _, it := range left {
		if it.body > 0 {
			blank(out, it.body, it.to)
			out[it.body] = ';'
		} else {
			blank(out, it.from, it.to)
		}
	}
	return out
}
