package ctext

import (
	"bytes"
	"fmt"
	"strings"
)

// width is where lines are broken if they can be.
const width = 110

// A Printer writes indented lines. A line that is too long is broken before an
// operator or after a comma.
type Printer struct {
	Buf   bytes.Buffer
	Depth int
}

// Take returns the text so far, without which p goes on.
func (p *Printer) Take() string {
	text := p.Buf.String()
	p.Buf.Reset()
	return text
}

func (p *Printer) Line(format string, args ...any) {
	whole, places := Unplaced(fmt.Sprintf(format, args...))
	text := whole
	indent := 2 * p.Depth
	for first := true; text != ""; first = false {
		if !first {
			indent = 2*p.Depth + 4
		}
		n := breakAt(text, width-indent)
		for range indent {
			p.Buf.WriteByte(' ')
		}
		from := len(whole) - len(text)
		p.Buf.WriteString(replaced(whole, from, from+len(strings.TrimRight(text[:n], " ")), places))
		p.Buf.WriteByte('\n')
		text = strings.TrimLeft(text[n:], " ")
	}
}

// Plus returns what adds n to a sum: " + 2", or "" for 0.
func Plus(n int64) string {
	switch {
	case n == 0:
		return ""
	case n < 0:
		return fmt.Sprintf(" - %d", -n)
	}
	return fmt.Sprintf(" + %d", n)
}

// blank writes an empty line.
func (p *Printer) Blank() { p.Buf.WriteByte('\n') }

// raw writes text as it is, unindented: preprocessor lines and fixed pieces.
func (p *Printer) Raw(text string) { p.Buf.WriteString(text) }

// block writes head, then body indented between braces.
func (p *Printer) Braces(head string, body func()) {
	if head == "" {
		p.Line("{")
	} else {
		p.Line("%s {", head)
	}
	p.Depth++
	body()
	p.Depth--
	p.Line("}")
}

// breakAt returns where to break text so that the first part has at most limit
// bytes: late, but rather outside of brackets, and at best after a semicolon. Text
// that fits, has no such place, or is a comment or a directive is not broken.
func breakAt(text string, limit int) int {
	if len(text) <= limit || strings.HasPrefix(text, "//") || text[0] == '#' {
		return len(text)
	}
	best, bestScore, depth := len(text), 0, 0
	quoted := text[0] == '"'
	for i := 1; i < min(len(text), limit); i++ {
		switch c := text[i]; {
		case c == '"' && text[i-1] != '\\':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == '[':
			depth += 4
		case c == ')':
			depth--
		case c == ']':
			depth -= 4
		case c == ' ' && breakable(text[:i], text[i+1:]):
			score := i - 15*depth
			if text[i-1] == ';' {
				score += limit
			}
			if score > bestScore {
				best, bestScore = i+1, score
			}
		}
	}
	return best
}

// breakable reports whether a line may end with before and go on with after.
func breakable(before, after string) bool {
	if strings.HasSuffix(before, ",") || strings.HasSuffix(before, ";") || strings.HasSuffix(before, " =") {
		return true
	}
	for _, op := range []string{"+ ", "- ", "* ", "/ ", "&& ", "|| ", "? ", ": "} {
		if strings.HasPrefix(after, op) {
			return true
		}
	}
	return false
}
