package diag

import (
	"embed"
	"regexp"
	"strings"
)

// This file holds, for each code, a command and files that give it: hexcc explain
// shows them, and a test runs them.

//go:embed examples
var examples embed.FS

// An Example is a command that ends with a certain code, and the files it reads by
// name: s.c, and instead.c, a program like it that nothing is wrong with, or "".
type Example struct {
	Command string
	Files   map[string]string
	names   []string // of Files, in order
}

var fileMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// ExampleOf returns the example of c; ok is false if there is none.
func ExampleOf(c Code) (e Example, ok bool) {
	text, err := examples.ReadFile("examples/" + string(c) + ".txtar")
	if err != nil {
		return e, false
	}
	e.Files = map[string]string{}
	marks := fileMark.FindAllSubmatchIndex(text, -1)
	e.Command = strings.TrimSpace(string(text[:marks[0][0]]))
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name := string(text[m[2]:m[3]])
		e.Files[name], e.names = string(text[m[1]:end]), append(e.names, name)
	}
	return e, true
}

// String returns the example for people, indented.
func (e Example) String() string {
	var b strings.Builder
	show := func(title, text string) {
		b.WriteString("\n" + title + "\n\n")
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		for i, l := range lines {
			if i == 12 && len(lines) > 16 { // generated text
				b.WriteString("    ...\n")
				break
			}
			if len(l) > 100 {
				l = l[:100] + "..."
			}
			b.WriteString(strings.TrimRight("    "+l, " ") + "\n")
		}
	}
	for _, name := range e.names {
		title := name + ":"
		switch name {
		case "s.c":
			title = "This is refused, by " + e.Command + ":"
		case "instead.c":
			title = "Instead:"
		}
		show(title, e.Files[name])
	}
	return b.String()
}
