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
	depth, parens, linkage := 0, 0, 0
	open := item{from: -1}
	last := byte(0) // what is no blank, before
	isFunction := false
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
		if open.from < 0 && !(c == ';') {
			open = item{from: i}
		}
		i += n
		switch c {
		case '(', '[':
			parens++
		case ')', ']':
			parens--
		case '{':
			if depth == 0 && last == '"' && bytes.HasPrefix(text[open.from:], []byte("extern")) { // "C": what is in it is outermost, too
				linkage++
				open = item{from: -1}
				continue
			}
			if depth == 0 && parens == 0 {
				isFunction = last == ')' || isFunction && open.body == 0
				if isFunction {
					open.body = i - 1
				}
			}
			depth++
		case '}':
			if depth == 0 && linkage > 0 {
				linkage--
				open = item{from: -1}
				continue
			}
			if depth--; depth < 0 {
				return nil, false
			}
			if depth == 0 && parens == 0 && open.body > 0 {
				open.to = i
				items, open, isFunction = append(items, open), item{from: -1}, false
			}
		case ';':
			if depth == 0 && parens == 0 && open.from >= 0 {
				open.to, open.body = i, 0
				items, open, isFunction = append(items, open), item{from: -1}, false
			}
		}
		last = c
	}
	return items, depth == 0 && linkage == 0 && parens == 0 // what is open is a macro, such as __END_DECLS
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

// directiveEnd returns the end of the directive at i, with the lines that continue it.
func directiveEnd(text []byte, i int) int {
	for i < len(text) {
		switch n := notWordLen(text[i:]); {
		case text[i] == '\n':
			return i
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
