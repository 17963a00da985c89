package tree

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// treeStart matches the start of a schedule tree, where comments are blank: a key of the form that has indented lines, or of that
// in braces.
var treeStart = regexp.MustCompile(`^(?:---\s*)?\{?\s*["']?[a-z]+["']?\s*:(?:\s|$)`)

// Parse parses a schedule in one of the two forms that isl reads: a tree in YAML, or three texts in isl's notation, a relation from
// instances to times, a context, and options, of which the last two may be left out. Comments are from # to the end of the line. The error
// is an *Error.
func Parse(text string) (n Node, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			n, err = nil, r
		default:
			panic(r)
		}
	}()
	src := source{text}
	bare := withoutComments(text)
	if strings.TrimSpace(bare) == "" {
		src.fail(1, 1, "no schedule: neither a tree in YAML nor a relation in isl's notation")
	}
	limit := poly.Limited(func() error {
		if StartsTree(text) {
			n = src.tree()
		} else {
			n = src.relation(bare)
		}
		return nil
	})
	if limit != nil {
		return nil, src.errorAt(1, 1, limit.Error(), limit)
	}
	return n, nil
}

// StartsTree reports whether text, a schedule or the text of one set or relation, is a tree in YAML.
func StartsTree(text string) bool {
	return treeStart.MatchString(strings.TrimSpace(withoutComments(text)))
}

// withoutComments returns text with blanks for the characters of comments, so that places stay. A # in quotes starts none.
func withoutComments(text string) string {
	b := []byte(text)
	var quote byte
	comment := false
	for i, c := range b {
		switch {
		case c == '\n':
			comment, quote = false, 0
		case comment:
			b[i] = ' '
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '#':
			comment = true
			b[i] = ' '
		}
	}
	return string(b)
}

// relation returns the tree of a relation, a context and options. text is that of s without comments.
func (s source) relation(text string) Node {
	parts, places := s.braces(text)
	if len(parts) > 3 {
		line, col := s.place(places[3])
		s.fail(line, col, "expected the end: a schedule is a relation, a context, and options")
	}
	for len(parts) < 3 {
		parts, places = append(parts, []string{1: "{ : }", 2: "{ }"}[len(parts)]), append(places, len(text))
	}
	fail := func(i int, err error) {
		line, col := s.place(places[i])
		var wrong *poly.ParseError
		if errors.As(err, &wrong) {
			wrong.Msg = []string{"the schedule", "the context", "the options"}[i] + ": " + wrong.Msg
		}
		s.inSet(line, col, true, err)
	}
	times, err := poly.ParseMap(parts[0])
	if err != nil {
		fail(0, err)
	}
	context, err := poly.ParseSet(parts[1])
	if err != nil {
		fail(1, err)
	}
	options, err := poly.ParseMap(parts[2])
	if err != nil {
		fail(2, err)
	}
	for _, b := range context.Basics() {
		if len(b.Space().Out.Dims) > 0 || b.Space().Out.Name != "" {
			line, col := s.place(places[1])
			s.fail(line, col, "the context: expected a set of parameters, such as [n] -> { : n >= 1 }")
		}
	}
	return Relation(times, context, options)
}

// braces splits text behind each closing brace, and returns the parts and where they start.
func (s source) braces(text string) (parts []string, places []int) {
	for at := 0; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		if at == len(text) {
			return parts, places
		}
		end := strings.IndexByte(text[at:], '}')
		if end < 0 {
			line, col := s.place(at)
			s.fail(line, col, "expected a set or relation in braces, such as { S[i] -> [i] : 0 <= i < 10 }, or a tree that starts with domain:")
		}
		parts, places = append(parts, text[at:at+end+1]), append(places, at)
		at += end + 1
	}
}

// dimsOutside is the message for tuples of times with another number of dimensions than there are.
const dimsOutside = "the times of the bands around have %s, not %s"

// dimensions returns "n dimensions".
func dimensions(n int) string {
	if n == 1 {
		return "1 dimension"
	}
	return fmt.Sprintf("%d dimensions", n)
}
