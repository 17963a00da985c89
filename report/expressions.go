package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hexcc/hexcc/diag"
)

// This file says which parts of the lines of a page are which expression of the source. An expression has a number, by where the source has it. A line
// of the source, or of what was made of it, has the attribute data-x: the number of a row, which lists from, length and number of each part of the line, in base 36, the outer
// ones first. Units are those of a script's strings. Lines that are made alike have one row.

// expressions are the rows of lines, by their numbers.
type expressions struct {
	number         map[diag.Span]int
	source, kernel map[int]string // rows as text
	rows           []string       // each once
	index          map[string]int // in rows
}

func (p Page) expressions() expressions {
	e := expressions{map[diag.Span]int{}, map[int]string{}, map[int]string{}, nil, map[string]int{}}
	texts := splitLines(string(p.Source))
	var all []diag.Span
	for _, x := range p.Places {
		at := x.At
		if _, seen := e.number[at]; seen || at.File != p.Name || at.Line > len(texts) || at.Col-1+at.Len > len(texts[at.Line-1]) {
			continue // a function of a header has no line on the page
		}
		e.number[at] = 0
		all = append(all, at)
	}
	slices.SortFunc(all, func(a, b diag.Span) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(b.Len, a.Len))
	})
	for i, at := range all {
		e.number[at] = i
		text := texts[at.Line-1]
		if diag.PrintableLines(text) == text {
			e.source[at.Line] = e.part(e.source[at.Line], text, at.Col-1, at.Col-1+at.Len, at)
		}
	}
	lines := splitLines(p.Kernel)
	for _, x := range p.Places {
		if _, known := e.number[x.At]; known {
			e.kernel[x.Line] = e.part(e.kernel[x.Line], lines[x.Line-1], x.From, x.To, x.At)
		}
	}
	for _, rows := range []map[int]string{e.source, e.kernel} {
		for _, n := range slices.Sorted(maps.Keys(rows)) {
			if _, known := e.index[rows[n]]; !known {
				e.index[rows[n]] = len(e.rows)
				e.rows = append(e.rows, rows[n])
			}
		}
	}
	return e
}

// of returns the attribute of a line of the source or the kernel, "" where it has no expressions.
func (e expressions) of(lines map[int]string, n int) string {
	row, ok := lines[n]
	if !ok {
		return ""
	}
	return strconv.Itoa(e.index[row])
}

// part returns the row of a line with another part of its text: bytes from to to.
func (e expressions) part(before, line string, from, to int, at diag.Span) string {
	units := func(s string) string { return strconv.FormatInt(int64(len(utf16.Encode([]rune(s)))), 36) }
	words := []string{units(line[:from]), units(line[from:to]), strconv.FormatInt(int64(e.number[at]), 36)}
	if before != "" {
		words = append([]string{before}, words...)
	}
	return strings.Join(words, " ")
}
