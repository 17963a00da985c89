package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/frontend"
)

// actions returns what can be done about the diagnostics in a range: edits that do what their help says, and telling what codes mean.
func (s *Server) actions(uri string, in span) any {
	s.lock.Lock()
	defer s.lock.Unlock()
	list := []action{}
	d := s.documents[uri]
	if d == nil {
		return list
	}
	for _, f := range d.found {
		r := f.diagnostic.Range
		if before(r.End, in.Start) || before(in.End, r.Start) {
			continue
		}
		for _, fix := range fixes(d.text, f) {
			list = append(list, action{
				Title: fix.title, Kind: "quickfix", Diagnostics: []diagnostic{f.diagnostic}, Preferred: fix.preferred,
				Edit: &workspaceEdit{map[string][]textEdit{uri: {fix.edit}}},
			})
		}
		if code := f.diagnostic.Code; code != "" {
			title := "Explain " + code
			list = append(list, action{Title: title, Diagnostics: []diagnostic{f.diagnostic}, Command: &command{title, explainCommand, []any{code}}})
		}
	}
	return list
}

func before(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// A fix is an edit that does what the help of a diagnostic says.
type fix struct {
	title     string
	edit      textEdit
	preferred bool
}

var (
	declared = regexp.MustCompile(`declare '([^']+)'`)
	flagged  = regexp.MustCompile(`--([a-z-]+)=('[^']*'|[^\s,;:]*[^\s,;:.])`)
)

// fixes returns the edits for a diagnostic.
func fixes(t text, f found) (list []fix) {
	line := f.line
	switch f.diagnostic.Code {
	case "HX001": // scop without endscop
		if end := endOfStatement(t, line+1); end >= 0 {
			at := position{end + 1, 0}
			list = append(list, fix{"Insert #pragma endscop behind the loop", textEdit{span{at, at}, insertedLine(t, end, "#pragma endscop")}, true})
		}
	case "HX002", "HX003": // a pragma that is too many
		list = append(list, fix{"Remove this line", textEdit{t.whole(line), ""}, false})
	}
	if f.diagnostic.Data == nil {
		return list
	}
	help := f.diagnostic.Data.Help
	if m := declared.FindStringSubmatch(help); m != nil {
		if from, to, ok := parameterAt(t.line(line), f.column); ok {
			list = append(list, fix{"Declare " + m[1], textEdit{t.span(line, from, to-from), m[1]}, false})
		}
	}
	for _, m := range flagged.FindAllStringSubmatch(help, -1) {
		if !slices.Contains(frontend.ClauseNames, m[1]) {
			continue
		}
		clause := fmt.Sprintf("%s(%s)", m[1], strings.Trim(m[2], "'"))
		at := t.find(line, func(s string) bool { return isPragma(s, "scop") })
		if at < 0 {
			continue
		}
		edit := textEdit{span{position{at, 0}, position{at, 0}}, t.indent(at) + "#pragma hexcc " + clause + "\n"}
		if at > 0 && isPragma(t.line(at-1), "hexcc") { // one line for each region
			if strings.Contains(t.line(at-1), m[1]+"(") {
				continue
			}
			end := position{at - 1, units(t.line(at - 1))}
			edit = textEdit{span{end, end}, " " + clause}
		}
		list = append(list, fix{"Add " + clause + " to #pragma hexcc", edit, false})
	}
	return list
}

// insertedLine returns a line that stands behind another one, which may be the last and have no end.
func insertedLine(t text, behind int, line string) string {
	if !strings.HasSuffix(t.lines[behind], "\n") {
		return "\n" + line + "\n"
	}
	return line + "\n"
}

// parameterAt returns which bytes of a line are the parameter that has a name at a byte.
func parameterAt(s string, column int) (from, to int, ok bool) {
	if column >= len(s) {
		return 0, 0, false
	}
	depth := 0
	for from = column; from > 0; from-- {
		switch s[from-1] {
		case ')', ']':
			depth++
		case '[':
			depth--
		case '(':
			if depth == 0 {
				goto end
			}
			depth--
		case ',':
			if depth == 0 {
				goto end
			}
		}
	}
end:
	for from < column && s[from] == ' ' {
		from++
	}
	depth = 0
	for to = column; to < len(s); to++ {
		switch s[to] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth == 0 {
				return from, to, true
			}
			depth--
		case ',':
			if depth == 0 {
				return from, to, true
			}
		}
	}
	return 0, 0, false // it goes on in another line
}

// endOfStatement returns the line in which the statement ends that begins at a line or behind it, -1 if it does not end: a loop with its
// body, a block, or what a semicolon ends.
func endOfStatement(t text, line int) int {
	c := &scanner{text: []byte(strings.Join(t.lines[min(line, len(t.lines)):], ""))}
	if !c.statement() {
		return -1
	}
	return line + strings.Count(string(c.text[:c.at]), "\n")
}

// A scanner reads C by brackets, semicolons and words.
type scanner struct {
	text []byte
	at   int
}

// blank skips what is between tokens: spaces, comments, and lines of the preprocessor.
func (c *scanner) blank() {
	for c.at < len(c.text) {
		rest := string(c.text[c.at:min(c.at+2, len(c.text))])
		switch {
		case strings.ContainsAny(rest[:1], " \t\r\n\\"):
			c.at++
		case rest == "//" || rest[0] == '#':
			c.upTo("\n")
		case rest == "/*":
			c.upTo("*/")
		default:
			return
		}
	}
}

// upTo goes on behind the next place of an end, or to the end of the text.
func (c *scanner) upTo(end string) {
	if i := strings.Index(string(c.text[c.at:]), end); i >= 0 {
		c.at += i + len(end)
		return
	}
	c.at = len(c.text)
}

// word reads a word, which may be none.
func (c *scanner) word() string {
	from := c.at
	for c.at < len(c.text) && (c.text[c.at] == '_' || c.text[c.at] >= '0' && c.text[c.at] <= '9' || c.text[c.at]|32 >= 'a' && c.text[c.at]|32 <= 'z') {
		c.at++
	}
	return string(c.text[from:c.at])
}

// closed skips from a bracket to behind the one that closes it.
func (c *scanner) closed() bool {
	for depth := 0; c.at < len(c.text); {
		if c.blank(); c.at >= len(c.text) {
			return false
		}
		switch b := c.text[c.at]; b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				c.at++
				return true
			}
		case '"', '\'':
			for c.at++; c.at < len(c.text) && c.text[c.at] != b; c.at++ {
				if c.text[c.at] == '\\' {
					c.at++
				}
			}
		}
		c.at++
	}
	return false
}

// statement skips a statement, and says whether it ends.
func (c *scanner) statement() bool {
	c.blank()
	if c.at >= len(c.text) {
		return false
	}
	if c.text[c.at] == '{' {
		return c.closed()
	}
	switch from := c.at; c.word() {
	case "for", "while", "if":
		if c.blank(); c.at >= len(c.text) || c.text[c.at] != '(' || !c.closed() || !c.statement() {
			return false
		}
		behind := c.at
		if c.blank(); c.word() == "else" {
			return c.statement()
		}
		c.at = behind
		return true
	case "do":
		return c.statement() && c.plain()
	default:
		c.at = from
		return c.plain()
	}
}

// plain skips up to a semicolon that is in no bracket.
func (c *scanner) plain() bool {
	for c.blank(); c.at < len(c.text); c.blank() {
		switch c.text[c.at] {
		case ';':
			c.at++
			return true
		case '(', '[', '{':
			if !c.closed() {
				return false
			}
		case ')', ']', '}':
			return false
		case '"', '\'':
			return false // no statement of a region has text
		default:
			c.at++
		}
	}
	return false
}
