package main

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A table says which programs of which suites are iterated stencils. A line is
//
//	suite NAME REPOSITORY COMMIT
//	SUITE PROGRAM FILE SUM MARKS [FLAGS..]
//
// where FILE is inside of the suite's folder, SUM are the first eight digits of
// its SHA-256, or - for any, and MARKS is "marked" if the file has its own
// #pragma scop, or FIRST-LAST: the lines to put one around; inside:FIRST-LAST if
// these are not the time loop, but nests inside of it. Flags are -D, -U and -I, the
// latter inside of the suite's folder; that of the file is always searched.
// What stands behind # is a comment.
type table struct {
	suites   []suite
	programs []program
}

// A suite is a public repository at a commit.
type suite struct {
	name, repository, commit string
}

// A program is a file with one time loop in question.
type program struct {
	suite, name, file, sum string
	marks                  marks
	flags                  []string
}

// Marks are the first and the last line of a region that has no pragmas of its
// own, counted from 1; zero if it has.
type marks struct {
	first, last int
	inside      bool // inside of the time loop
}

// String says where the pragmas come from.
func (m marks) String() string {
	switch {
	case m == marks{}:
		return "its own"
	case m.inside:
		return "inside"
	}
	return "inserted"
}

func (p program) key() string { return p.suite + "/" + p.name }

func readTable(path string) (table, error) {
	var t table
	f, err := os.Open(path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if err := t.add(strings.Fields(text)); err != nil {
			return t, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return t, lines.Err()
}

// add takes the fields of a line in.
func (t *table) add(fields []string) error {
	switch {
	case len(fields) == 0:
		return nil
	case fields[0] == "suite":
		if len(fields) != 4 {
			return fmt.Errorf("want suite NAME REPOSITORY COMMIT")
		}
		t.suites = append(t.suites, suite{fields[1], fields[2], fields[3]})
		return nil
	case len(fields) < 5:
		return fmt.Errorf("want SUITE PROGRAM FILE SUM MARKS [FLAGS..]")
	}
	p := program{suite: fields[0], name: fields[1], file: fields[2], sum: fields[3], flags: fields[5:]}
	for _, s := range t.programs {
		if s.key() == p.key() {
			return fmt.Errorf("%s is here twice", p.key())
		}
	}
	for _, flag := range p.flags {
		if !strings.HasPrefix(flag, "-D") && !strings.HasPrefix(flag, "-U") && !strings.HasPrefix(flag, "-I") {
			return fmt.Errorf("flag %s is none of -D, -U and -I", flag)
		}
	}
	var err error
	p.marks, err = parseMarks(fields[4])
	t.programs = append(t.programs, p)
	return err
}

func parseMarks(text string) (m marks, err error) {
	if text == "marked" {
		return m, nil
	}
	lines, inside := strings.CutPrefix(text, "inside:")
	m.inside = inside
	first, last, found := strings.Cut(lines, "-")
	if m.first, err = strconv.Atoi(first); err == nil && found {
		m.last, err = strconv.Atoi(last)
	}
	if err != nil || m.first < 1 || m.last < m.first {
		return m, fmt.Errorf("marks %s are none of 'marked', FIRST-LAST and inside:FIRST-LAST", text)
	}
	return m, nil
}

// checksum returns the first digits of a file's SHA-256.
func checksum(text []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(text))[:8]
}

// insert returns a text with pragmas around the lines m, or as it is if m is zero.
func insert(text string, m marks) (string, error) {
	if m == (marks{}) {
		return text, nil
	}
	lines := strings.SplitAfter(text, "\n")
	if m.last > len(lines) || m.last == len(lines) && lines[m.last-1] == "" {
		return "", fmt.Errorf("it has no line %d", m.last)
	}
	last := lines[m.last-1]
	if !strings.HasSuffix(last, "\n") {
		last += "\n"
	}
	return strings.Join(lines[:m.first-1], "") + "#pragma scop\n" +
		strings.Join(lines[m.first-1:m.last-1], "") + last + "#pragma endscop\n" +
		strings.Join(lines[m.last:], ""), nil
}

// regionLines counts the lines between pragmas that are not empty.
func regionLines(text string) (n int) {
	inside := false
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.ReplaceAll(line, "#", " # "))
		switch {
		case len(words) >= 3 && words[0] == "#" && words[1] == "pragma" && words[2] == "scop":
			inside = true
		case len(words) >= 3 && words[0] == "#" && words[1] == "pragma" && words[2] == "endscop":
			inside = false
		case inside && len(words) > 0:
			n++
		}
	}
	return n
}

// sum prints the table with the check sums of the files that are there.
func sum(c config, out io.Writer) error {
	text, err := os.ReadFile(c.table)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		code, _, _ := strings.Cut(line, "#")
		fields := strings.Fields(code)
		if len(fields) >= 5 && fields[0] != "suite" {
			if file, err := os.ReadFile(filepath.Join(c.clones, fields[0], fields[2])); err == nil {
				line = strings.Replace(line, " "+fields[2]+" "+fields[3]+" ", " "+fields[2]+" "+checksum(file)+" ", 1)
			}
		}
		fmt.Fprint(out, line)
	}
	return nil
}

// readCompared reads lines 'suite/program result'; of no file, nothing.
func readCompared(path string) (map[string]string, error) {
	known := map[string]string{}
	if path == "" {
		return known, nil
	}
	text, err := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if key, result, found := strings.Cut(strings.TrimSpace(line), " "); found {
			known[key] = strings.TrimSpace(result)
		}
	}
	return known, err
}
