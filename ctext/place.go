package ctext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says which part of a text computes which expression of the source. While regions are printed, what computes one
// stands between marks that no C has, of which the first says where the source has it; Unplaced takes them out.

// A Place is a part of a printed file that computes an expression of the source, or is the element that one names: bytes From (included) to
// To (excluded) of a line, which count from 0, and lines from 1. Places of a line do not overlap, but may lie in each other; the outer ones are first.
type Place struct {
	Line, From, To int
	At             diag.Span
}

// What stands around a text: open LINE:COLUMN:LENGTH:FILE begins text ends.
const (
	placeOpens  = '\x01'
	placeBegins = '\x02'
	placeEnds   = '\x03'
)

// Placed returns text, which computes what the source has at a place, with marks around it; text itself if at is nil.
func Placed(text string, at *diag.Span) string {
	if at == nil || strings.ContainsRune(text, '\n') {
		return text
	}
	return opening(*at) + text + string(placeEnds)
}

// Placed returns text, which computes e, with marks around it if v.Places.
func (v Valuer) Placed(text string, e scop.Expr) string {
	if !v.Places {
		return text
	}
	return Placed(text, scop.Place(e))
}

// Target returns text, which is the element that a touches, with marks around it if v.Places.
func (v Valuer) Target(text string, a *scop.Access) string {
	return v.Placed(text, scop.Read{From: a})
}

// begins returns the first character of what is between marks.
func begins(text string) byte {
	for text[0] == placeOpens {
		_, text, _ = strings.Cut(text, string(placeBegins))
	}
	return text[0]
}

// Unplaced returns text without marks, and the places that they said, in order.
func Unplaced(text string) (string, []Place) {
	if !strings.ContainsRune(text, placeOpens) {
		return text, nil
	}
	var out strings.Builder
	var all []Place
	var open []int // of all, those that have not ended
	line, start := 1, 0
	for text != "" {
		i := strings.IndexAny(text, "\n\x01\x03")
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		c := text[i]
		text = text[i+1:]
		switch c {
		case '\n':
			out.WriteByte(c)
			line, start = line+1, out.Len()
		case placeOpens:
			var p Place
			head, rest, _ := strings.Cut(text, string(placeBegins))
			numbers := strings.SplitN(head, ":", 4)
			if len(numbers) != 4 {
				panic(fmt.Sprintf("ctext: Unplaced: %q in line %d", head, line))
			}
			for i, to := range []*int{&p.At.Line, &p.At.Col, &p.At.Len} {
				if _, err := fmt.Sscan(numbers[i], to); err != nil {
					panic(fmt.Sprintf("ctext: Unplaced: %q in line %d", head, line))
				}
			}
			p.At.File, p.Line, p.From = numbers[3], line, out.Len()-start
			open, all, text = append(open, len(all)), append(all, p), rest
		case placeEnds:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			all[last].To = out.Len() - start
		}
	}
	out.WriteString(text)
	if len(open) > 0 {
		panic(fmt.Sprintf("ctext: Unplaced: line %d: %d places without an end", line, len(open)))
	}
	return out.String(), slices.Clip(all)
}

// replaced returns bytes from to to of text, of one line, with the marks of places of it, cut to these.
func replaced(text string, from, to int, places []Place) string {
	if len(places) == 0 {
		return text[from:to]
	}
	var out strings.Builder
	var ends []int // of places that are open, the inner ones last
	at := from
	write := func(until int) {
		for n := len(ends); n > 0 && ends[n-1] <= until; n-- {
			out.WriteString(text[at:ends[n-1]])
			out.WriteByte(placeEnds)
			at, ends = ends[n-1], ends[:n-1]
		}
		out.WriteString(text[at:until])
		at = until
	}
	for _, p := range places {
		if first, last := max(p.From, from), min(p.To, to); first < last {
			write(first)
			out.WriteString(opening(p.At))
			ends = append(ends, last)
		}
	}
	write(to)
	return out.String()
}

func opening(at diag.Span) string {
	return fmt.Sprintf("%c%d:%d:%d:%s%c", placeOpens, at.Line, at.Col, at.Len, at.File, placeBegins)
}
