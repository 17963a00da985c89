package schedule

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file takes the lines of a schedule file apart, and tells of mistakes with their place.

// A loader reads a file line by line.
type loader struct {
	prog          *scop.Program
	tuples, space []string
	sums          []string // what sums are over that say where boxes and tiles lie
	plan          Plan
	tokens        []token // what is left of the line; the last is its end
	list          diag.List
}

// A token is a word, a number or a sign, or the end of a line, "".
type token struct {
	text string
	at   diag.Span
}

var tokenPattern = regexp.MustCompile(`^(?:[A-Za-z_][A-Za-z0-9_']*|[0-9]+|->|\.\.|.)`)

// scan cuts a line into tokens. A token of any other character is an error in the grammar.
func (l *loader) scan(pos diag.Pos, line string) {
	l.tokens = nil
	line, _, _ = strings.Cut(strings.TrimSuffix(line, "\r"), "#")
	rest := line
	for {
		trimmed := strings.TrimLeft(rest, " \t")
		pos.Col += len(rest) - len(trimmed)
		text := tokenPattern.FindString(trimmed)
		l.tokens = append(l.tokens, token{text, diag.Span{Pos: pos, Len: max(1, len(text))}})
		if text == "" {
			return
		}
		pos.Col, rest = pos.Col+len(text), trimmed[len(text):]
	}
}

// A mistake ends the reading of one line: guard reports it.
type mistake struct{ *diag.Diagnostic }

// guard runs f, which reads a line, up to the first mistake.
func (l *loader) guard(f func()) {
	defer func() {
		switch m := recover().(type) {
		case nil:
		case mistake:
			l.list = append(l.list, m.Diagnostic)
		default:
			panic(m)
		}
	}()
	f()
}

// fail ends the line with a mistake.
func fail(at diag.Span, help, format string, args ...any) {
	panic(mistake{&diag.Diagnostic{Code: "HX011", At: at, Msg: fmt.Sprintf(format, args...), Help: help}})
}

// next takes a token.
func (l *loader) next() token {
	t := l.tokens[0]
	if t.text != "" {
		l.tokens = l.tokens[1:]
	}
	return t
}

// peek returns the text of the next token.
func (l *loader) peek() string { return l.tokens[0].text }

// take takes the given tokens.
func (l *loader) take(texts ...string) {
	for _, want := range texts {
		if t := l.next(); t.text != want {
			fail(t.at, "", "%s instead of '%s'", said(t), want)
		}
	}
}

func said(t token) string {
	if t.text == "" {
		return "the line ends"
	}
	return "'" + t.text + "'"
}

// end checks that the line ends.
func (l *loader) end() {
	if t := l.next(); t.text != "" {
		fail(t.at, "", "%s behind the end of what belongs here", said(t))
	}
}

// number takes an integer from lo to hi that has no sign.
func (l *loader) number(lo, hi int64) int64 {
	t := l.next()
	n, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil || n < lo || n > hi {
		fail(t.at, "", "%s is not a number from %d to %d", said(t), lo, hi)
	}
	return n
}

// rational reads 2 or 1/2.
func (l *loader) rational() *big.Rat {
	n, d := l.number(0, slopeLimit), int64(1)
	if l.peek() == "/" {
		l.next()
		d = l.number(1, slopeLimit)
	}
	return big.NewRat(n, d)
}
