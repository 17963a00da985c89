package frontend_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/golden"
)

// marker is the comment at the end of a line with the diagnostics of that line.
var marker = regexp.MustCompile(` *// ERROR.*`)

// TestErrors checks every diagnostic of testdata/errors*.txt: cases separated by
// lines of ---, each line that is wrong followed by a comment
//
//	// ERROR HX101 at 17+6: subscript 'idx[i]' is not affine
//
// with the code, the column, the length and the message; more than one are
// separated by |. A case may begin with // FLAGS and end with // ERROR for the
// file as a whole. -update writes the comments: read the diff.
func TestErrors(t *testing.T) {
	names, err := filepath.Glob("testdata/errors*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		checkErrors(t, name)
	}
}

func checkErrors(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	cases := strings.Split(string(text), "---\n")
	for i, c := range cases {
		title, _, _ := strings.Cut(c, "\n")
		t.Run(strings.TrimPrefix(title, "// "), func(t *testing.T) {
			got := annotated(t, c)
			if *golden.Update {
				cases[i] = got
				return
			}
			assert.Equal(t, c, got)
			assert.Contains(t, got, "// ERROR")
		})
	}
	if *golden.Update {
		require.NoError(t, os.WriteFile(name, []byte(strings.Join(cases, "---\n")), 0o644))
	}
}

// annotated returns the case with the comments it should have.
func annotated(t *testing.T, c string) string {
	lines := strings.Split(strings.TrimSuffix(c, "\n"), "\n")
	var options frontend.Options
	for i, l := range lines {
		lines[i] = marker.ReplaceAllString(l, "")
		if flags, ok := strings.CutPrefix(l, "// FLAGS "); ok {
			options = flagsOf(flags)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	src := frontend.Source{Name: "s.c", Text: []byte(strings.Join(lines, "\n") + "\n")}
	res, err := frontend.Parse(src, options)
	var list diag.List
	if err != nil {
		require.ErrorAs(t, err, &list)
	} else {
		list = res.Warnings
	}
	comments := make([][]string, len(lines)+1)
	for _, d := range list {
		checkForm(t, d, src.Text)
		at := ""
		if d.At.Line > 0 {
			at = fmt.Sprintf(" at %d+%d", d.At.Col, d.At.Len)
		}
		kind := ""
		if d.Severity != diag.Error {
			kind = " " + d.Severity.String()
		}
		n := d.At.Line
		if d.At.File != src.Name {
			n, at = 0, " in "+d.At.File+at
		}
		said := fmt.Sprintf("%s%s%s: %s", d.Code, kind, at, d.Msg)
		for _, note := range d.Notes {
			if strings.Contains(note.Msg, "' may overlap '") { // which of many may overlap is part of the message
				said += "; " + note.Msg
			}
		}
		comments[n] = append(comments[n], said)
	}
	for i := range lines {
		if c := comments[i+1]; c != nil {
			lines[i] += " // ERROR " + strings.Join(c, " | ")
		}
	}
	if c := comments[0]; c != nil {
		lines = append(lines, "// ERROR "+strings.Join(c, " | "))
	}
	return strings.Join(lines, "\n") + "\n"
}

func flagsOf(text string) (o frontend.Options) {
	for _, f := range strings.Fields(text) {
		switch {
		case strings.HasPrefix(f, "-D"):
			o.Defines = append(o.Defines, f[2:])
		case strings.HasPrefix(f, "-U"):
			o.Undefines = append(o.Undefines, f[2:])
		case strings.HasPrefix(f, "-I"):
			o.IncludeDirs = append(o.IncludeDirs, f[2:])
		case f == "noalias":
			o.NoAlias = true
		case strings.HasPrefix(f, "--assume="):
			o.Assume = append(o.Assume, strings.TrimPrefix(f, "--assume="))
		}
	}
	return o
}

// checkForm checks what every diagnostic must have.
func checkForm(t *testing.T, d *diag.Diagnostic, text []byte) {
	_, known := diag.TopicOf(d.Code)
	assert.True(t, known, "hexcc explain does not know %s", d.Code)
	assert.NotRegexp(t, `^[A-Z][a-z]|\.$|failed to|\n`, d.Msg)
	if d.Severity == diag.Error {
		assert.NotEmpty(t, d.Help, "%v has no help", d)
	}
	if strings.HasPrefix(string(d.Code), "HX1") && d.Severity == diag.Error {
		assert.NotEmpty(t, d.Notes, "%v has no note", d)
	}
	if d.At.Line > 0 && d.At.File == "s.c" {
		lines := bytes.Split(text, []byte("\n"))
		require.LessOrEqual(t, d.At.Line, len(lines))
		assert.LessOrEqual(t, d.At.Col-1+d.At.Len, len(lines[d.At.Line-1])+1, "%v runs past its line", d)
	}
}
