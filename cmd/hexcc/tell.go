package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc/diag"
)

// This file prints what is wrong: as text at once, in JSON and SARIF as one document when the run ends.

// diagnosticsFormat returns what -fdiagnostics-format says among the arguments, before they are
// parsed: what is wrong with them is told in that format too.
func diagnosticsFormat(args []string) string {
	const flag = "--fdiagnostics-format"
	format := "text"
	for i, arg := range args {
		if arg == "--" {
			break
		}
		value, given := strings.CutPrefix(spell(arg), flag+"=")
		if arg == flag && i+1 < len(args) {
			value, given = args[i+1], true
		}
		if given && slices.Contains(diag.Formats, value) {
			format = value
		}
	}
	return format
}

// diagnosticsColour returns what -fdiagnostics-color says among the arguments.
func diagnosticsColour(args []string) string {
	when := "auto"
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if value, given := strings.CutPrefix(spell(arg), "--fdiagnostics-color="); given {
			when = value
		}
	}
	return when
}

// document reports whether all diagnostics are one document, printed at the end.
func (s *session) document() bool { return s.format == "json" || s.format == "sarif" }

// tell prints diagnostics, or keeps them for the document that the run ends with.
func (s *session) tell(list diag.List) error {
	if !s.document() {
		if stderr := bare(s.stderr); coloured(s.colour, stderr) {
			var text strings.Builder
			if err := diag.Text(&text, list, s.sourceText); err != nil {
				return err
			}
			_, err := io.WriteString(stderr, colour(diag.PrintableLines(text.String())))
			return err
		}
		return diag.Text(s.stderr, list, s.sourceText)
	}
	s.told = append(s.told, list...)
	return nil
}

// remark prints lines that -v asks for.
func (s *session) remark(text string) {
	if !s.document() {
		fmt.Fprint(lockedWriter{&s.printing, s.stderr}, text)
		return
	}
	s.told = append(s.told, &diag.Diagnostic{Severity: diag.Remark, Msg: strings.TrimSuffix(text, "\n")})
}

// end prints the document of all that was told, an empty one where that is nothing: a reader need not tell no file from an empty list.
func (s *session) end() {
	if !s.document() {
		return
	}
	list := s.told
	s.told = nil
	if err := diag.Print(s.stderr, s.format, list, s.sourceText); err != nil {
		fmt.Fprintln(s.stderr, "hexcc: error:", err)
	}
}

// fail tells what ended a run, unless it was told, and returns the status to end with.
func (s *session) fail(err error) int {
	var told exit
	var list diag.List
	var one *diag.Diagnostic
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &told):
		return int(told)
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = diag.List{one}
	default:
		one = &diag.Diagnostic{Msg: err.Error()}
		if usage := (*kong.ParseError)(nil); errors.As(err, &usage) {
			one.Help = "hexcc --help lists the commands and flags"
		}
		list = diag.List{one}
	}
	if s.tell(list) != nil {
		return exitUsage
	}
	return list.ExitStatus()
}

const bugHelp = "This is a fault of hexcc, not of your program. Please report it with the source file and this text."

// bug tells of a panic with value v.
func (s *session) bug(v any, stack []byte) {
	if !s.document() {
		fmt.Fprintf(s.stderr, "hexcc: bug: %v\n\n%s\n%s\n", v, stack, bugHelp)
		return
	}
	s.told = append(s.told, &diag.Diagnostic{Msg: fmt.Sprintf("bug: %v", v), Notes: []diag.Note{{Msg: string(stack)}}, Help: bugHelp})
}

// sourceText returns the text of a file that diagnostics may show, nil if it cannot be read.
func (s *session) sourceText(file string) []byte {
	if file == stdinName {
		return s.texts["-"]
	}
	if text, known := s.texts[file]; known {
		return text
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	text, _, err := readInput(file)
	if err != nil {
		return nil
	}
	return text
}

// A screen shows control characters as text: those of a source or of a name must not
// command the terminal.
type screen struct{ io.Writer }

func (c screen) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.Writer, diag.PrintableLines(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// A lockedWriter holds a lock while it writes.
type lockedWriter struct {
	lock *sync.Mutex
	io.Writer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.Writer.Write(p)
}

// bare returns what w writes to, without the filters of this program.
func bare(w io.Writer) io.Writer {
	for {
		switch x := w.(type) {
		case *sink:
			w = x.Writer
		case screen:
			w = x.Writer
		default:
			return w
		}
	}
}
