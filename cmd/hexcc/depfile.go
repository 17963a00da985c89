package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// This file writes make dependencies.

// dependencies returns the file that -MD asks for: that outputs are made of inputs.
// With stream the output is none that make could name.
func (c *translateCmd) dependencies(base string, stream bool, outputs []outFile, headers []string) (outFile, error) {
	name := c.MF
	if name == "" {
		name = base + ".d"
	}
	paths := make([]string, len(outputs))
	for i, f := range outputs {
		paths[i] = f.path
	}
	switch {
	case !stream:
	case c.MF == "":
		return outFile{}, errors.New("-MD needs -MF FILE where the translation goes to standard output")
	case c.MT == "":
		return outFile{}, errors.New("-MD needs -MT TARGET where the translation goes to standard output")
	}
	var inputs []string
	for _, in := range append(c.inputs(), headers...) {
		if in != "-" {
			inputs = append(inputs, in)
		}
	}
	text, err := depfile(c.MT, paths, inputs, c.MP)
	return outFile{path: name, text: text, rules: true}, err
}

// inputs returns the files that the flags name.
func (f *sourceFlags) inputs() []string {
	if f.LoadSchedule != "" {
		return []string{f.File, f.LoadSchedule}
	}
	return []string{f.File}
}

// depfile returns make rules: outputs depend on inputs, and with phony each
// input but the first is a target of its own, so that a deleted header is no error.
func depfile(target string, outputs, inputs []string, phony bool) ([]byte, error) {
	for _, name := range append(outputs, inputs...) {
		if beyondMake.MatchString(name) {
			return nil, fmt.Errorf("-MD: rules of make cannot hold the name %q; rename the file, or leave out -MD", name)
		}
	}
	var b strings.Builder
	if target == "" {
		escaped := make([]string, len(outputs))
		for i, o := range outputs {
			escaped[i] = makeTarget(o)
		}
		target = strings.Join(escaped, " ")
	}
	b.WriteString(target + ":")
	for _, in := range inputs {
		b.WriteString(" \\\n  " + makeName(in))
	}
	b.WriteString("\n")
	if phony && len(inputs) > 0 {
		for _, in := range inputs[1:] {
			b.WriteString("\n" + makeTarget(in) + ":\n")
		}
	}
	return []byte(b.String()), nil
}

// beyondMake are names that a rule cannot have: control characters and semicolons anywhere, and
// ends that make reads as something else, such as those of a member of an archive, x(y), and
// a backslash or % beside a wildcard, for which make takes backslashes away twice.
var beyondMake = regexp.MustCompile(`[\x00-\x1f;]|[ &\\]$|\(.*\)$|[\\%].*[*?[]|[*?[].*[\\%]`)

// makeName returns path as a prerequisite, makeTarget as a target of a rule.
func makeName(path string) string   { return escapeMake(path, " #:*?[|") }
func makeTarget(path string) string { return escapeMake(path, " #:*?[%") }

// escapeMake puts a backslash before the special characters of path. Backslashes stand for
// themselves but before those and at the end. No backslash helps against $, = and ~.
func escapeMake(path, special string) string {
	var b strings.Builder
	if strings.HasPrefix(path, "~") {
		b.WriteString("./")
	}
	slashes := 0
	for i := range len(path) {
		c := path[i]
		if strings.IndexByte(special, c) >= 0 {
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		switch slashes++; c {
		case '$':
			b.WriteString("$$")
		case '=': // else the line would be an assignment
			b.WriteString("$(or =)")
		default:
			b.WriteByte(c)
		}
		if c != '\\' {
			slashes = 0
		}
	}
	return b.String() + strings.Repeat(`\`, slashes)
}
