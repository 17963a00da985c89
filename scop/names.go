package scop

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file tells the names of C from those of a Program. C compilers take $ and characters beyond
// ASCII in identifiers; formulas for sets, PTX and OpenCL C do not. So the Names in a Program are letters,
// digits and underscores, and what generated C needs of the source is kept as text beside them.

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsPlain reports whether an identifier of C may be the name of something in a Program.
func IsPlain(name string) bool { return plainName.MatchString(name) }

// Plain returns name with what a Program may not hold spelled as numbers: né is n_u00e9. Different
// names may become the same.
func Plain(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || i > 0 && '0' <= r && r <= '9':
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, "_U%08x", r)
		default:
			fmt.Fprintf(&b, "_u%04x", r)
		}
	}
	return b.String()
}

// IsIdentifier reports whether C text is one identifier.
func IsIdentifier(text string) bool {
	for i := range len(text) {
		if !InIdentifier(text[i]) || i == 0 && '0' <= text[0] && text[0] <= '9' {
			return false
		}
	}
	return text != ""
}

// InIdentifier reports whether a byte may be part of an identifier.
func InIdentifier(c byte) bool {
	return c == '_' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Variable returns the C text that leads to o, less subscripts of its first element: a variable, in C++ perhaps one of a namespace, or more than that.
func (o Plane) Variable() string {
	text := o.Pointer
	if text == "" {
		text = strings.TrimPrefix(o.Flat, "&")
		for strings.HasSuffix(text, "[0]") {
			text = strings.TrimSuffix(text, "[0]")
		}
	}
	return text
}

// Identifier returns the identifier by which C knows o, "" if it takes more than that: a member, or a
// pointer in a table.
func (o Plane) Identifier() string {
	text := o.Variable()
	switch {
	case text == "": // a program that was made without a source
		return o.Name
	case !IsIdentifier(text):
		return ""
	}
	return text
}

// EscapeLen returns the length of the universal character name that C text begins with, such as \u00e9; 0: none.
func EscapeLen(text []byte) int {
	if len(text) < 2 || text[0] != '\\' || text[1] != 'u' && text[1] != 'U' {
		return 0 // as nearly everywhere
	}
	size := 2 + 4
	if text[1] == 'U' {
		size = 2 + 8
	}
	if len(text) < size {
		return 0
	}
	for _, c := range text[2:size] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return 0
		}
	}
	return size
}

var defines = regexp.MustCompile(`^[ \t]*#[ \t]*define[ \t]+$`)

// Unescaped returns C text in which identifiers have characters in place of universal character names. Blanks
// keep what follows an identifier, up to the end of its line, in its column.
func Unescaped(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u`)) && !bytes.Contains(text, []byte(`\U`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if !InIdentifier(text[i]) && EscapeLen(text[i:]) == 0 {
			n := notWordLen(text[i:])
			out = append(out, text[i:i+n]...)
			i += n
			continue
		}
		word, n := unescapedWord(text[i:])
		blanks := bytes.Repeat([]byte(" "), n-len(word))
		i += n
		if i < len(text) && text[i] == '(' && defines.Match(out[bytes.LastIndexByte(out, '\n')+1:]) { // no blank may stand there
			out = append(append(out, blanks...), word...)
		} else {
			out = append(append(out, word...), blanks...)
		}
	}
	return out
}

// unescapedWord returns the word that text begins with, and how long it is there.
func unescapedWord(text []byte) (word []byte, n int) {
	for n < len(text) {
		size := EscapeLen(text[n:])
		switch {
		case size > 0:
			r, _ := strconv.ParseUint(string(text[n+2:n+size]), 16, 32) // digits, as it was counted
			word = utf8.AppendRune(word, rune(r))
		case InIdentifier(text[n]):
			size = 1
			word = append(word, text[n])
		default:
			return word, n
		}
		n += size
	}
	return word, n
}

// notWordLen returns the length of the comment, string or character that text begins with.
func notWordLen(text []byte) int {
	ends := func(mark string) int {
		if n := bytes.Index(text[min(2, len(text)):], []byte(mark)); n >= 0 {
			return n + 2 + len(mark)
		}
		return len(text)
	}
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		return max(ends("\n")-1, 1)
	case bytes.HasPrefix(text, []byte("/*")):
		return ends("*/")
	case text[0] != '"' && text[0] != '\'':
		return 1
	}
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 1
}
