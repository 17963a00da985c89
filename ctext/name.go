package ctext

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hexcc/hexcc/diag"
)

// This file writes names of files into C: they may hold any byte but 0.

// Made is in one of the first lines of all that hexcc writes, but for make dependencies
// and schedules: by it hexcc knows the files that it may replace.
const Made = "hexcc made this"

// MadeFrom returns what a file says of itself in a comment: its own name and that of the source.
func MadeFrom(file, source string) string {
	return fmt.Sprintf("%s: %s from %s", CommentSafe(file), Made, CommentSafe(source))
}

// Quote returns s as a string literal, which is good for #line too: what is not printable
// is spelled in octal, and there are no trigraphs.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '?' && strings.HasSuffix(b.String(), "?"):
			b.WriteString(`\?`)
		case r == utf8.RuneError && n == 1, !unicode.IsPrint(r):
			for i := range n {
				fmt.Fprintf(&b, `\%03o`, s[i])
			}
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	b.WriteByte('"')
	return b.String()
}

// CommentSafe returns s such that it neither ends a comment nor its line, in printable characters.
func CommentSafe(s string) string {
	s = strings.NewReplacer("*/", "* /", "??/", "? ?/", "\n", " ").Replace(s)
	s = strings.ReplaceAll(s, "/*", "/ *") // of */* too, whose / begins a comment once * stands apart
	return diag.Printable(strings.TrimSuffix(s, `\`))
}

// ASCII returns s for languages whose comments hold nothing else.
func ASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, s)
}

var (
	trigraph   = regexp.MustCompile(`\?\?[=/'()!<>-]`)
	unincluded = regexp.MustCompile(`["\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`)
)

// Includable returns an error unless files called base can stand in #include, where
// nothing can be escaped.
func Includable(base string) error {
	switch name := HeaderFile(base); {
	case unincluded.MatchString(name):
		return fmt.Errorf("#include has no way to write quotes and control characters, as in %q", name)
	case trigraph.MatchString(name):
		return fmt.Errorf("in #include \"%s\" compilers take %s for a trigraph", name, trigraph.FindString(name))
	}
	return nil
}

var (
	plainFile  = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)
	plainGuard = regexp.MustCompile(`^[a-z0-9-]*$`)
)

// FileIdentifier returns the identifier of files called base. Those of a-b and a_b are equal, so that common names stay
// readable; names with other characters than letters, digits, - and _ get a number of their own.
func FileIdentifier(base string) string { return numbered(base, plainFile) }

// Guard returns the macro that guards the header of files called base, which no other base has.
func Guard(base string) string {
	return "HEXCC_" + strings.ToUpper(numbered(base, plainGuard)) + "_HEX_H"
}

// numbered returns the identifier of s, with a hash of s behind it unless s is plain.
func numbered(s string, plain *regexp.Regexp) string {
	if plain.MatchString(s) {
		return Identifier(s)
	}
	sum := fnv.New32a()
	sum.Write([]byte(s)) // never fails
	return fmt.Sprintf("%s_%08x", Identifier(s), sum.Sum32())
}

// Identifier replaces what may not stand in a C identifier by underscores.
func Identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, s)
}
