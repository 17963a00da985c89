package frontend

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file puts a text together of stretches of the user's file and of what is written between them, and tells of each
// place in it where in the user's file that is.

// An Origin says where the places of a rewritten file are in the user's file.
type Origin struct {
	user, text *file
	pieces     []stretch // in order
	written    []writtenRegion
}

// A writtenRegion is the part of a text that was written for a region of the user's file.
type writtenRegion struct{ of, from, to int }

// A stretch is a stretch of the text from at on: of the user's file from offset from on, or, if own, of what was
// written for what stands at from.
type stretch struct {
	at, from int
	own      bool
}

// span returns where s, of the rewritten file, is in the user's.
func (o *Origin) span(s diag.Span) diag.Span {
	if s.File != o.text.name || s.Line < 1 || s.Line > len(o.text.lines) {
		return s
	}
	from, own := o.offset(min(o.text.lines[s.Line-1]+s.Col-1, len(o.text.text)))
	if own {
		s.Len = 1
	}
	line := o.user.line(from)
	s.Line, s.Col = line, from-o.user.lines[line-1]+1
	return s
}

// offset returns where offset at of the text is in the user's file, and whether it was written for what stands there.
func (o *Origin) offset(at int) (from int, own bool) {
	i := sort.Search(len(o.pieces), func(i int) bool { return o.pieces[i].at > at }) - 1
	if i < 0 {
		return 0, true
	}
	if p := o.pieces[i]; p.own {
		return p.from, true
	}
	return o.pieces[i].from + at - o.pieces[i].at, false
}

// Moved returns l with its places in the user's file.
func (o *Origin) Moved(l diag.List) diag.List {
	if o == nil {
		return l
	}
	return mapAll(l, func(d *diag.Diagnostic) *diag.Diagnostic {
		moved := *d
		moved.At, moved.Notes = o.span(d.At), mapAll(d.Notes, func(n diag.Note) diag.Note { n.At = o.span(n.At); return n })
		return &moved
	})
}

// behind returns where the places of o's text are in the file that inner has the origin of: the text of inner is the file of o.
func (o *Origin) behind(inner *Origin) *Origin {
	out := &Origin{inner.user, o.text, nil, o.written}
	for i, p := range o.pieces {
		if p.own {
			from, _ := inner.offset(p.from)
			out.pieces = append(out.pieces, stretch{p.at, from, true})
			continue
		}
		end := p.from + len(o.text.text) - p.at
		if i+1 < len(o.pieces) {
			end = p.from + o.pieces[i+1].at - p.at
		}
		k := sort.Search(len(inner.pieces), func(k int) bool { return inner.pieces[k].at > p.from })
		for from := p.from; from < end; k++ {
			user, own := inner.offset(from)
			out.pieces = append(out.pieces, stretch{p.at + from - p.from, user, own})
			if k == len(inner.pieces) {
				break
			}
			from = inner.pieces[k].at
		}
	}
	return out
}

// linesOf returns, for each line of the text, the line of the user's file that it begins in, 0 for one that is written.
func (o *Origin) linesOf() (lines []int) {
	for _, at := range o.text.lines {
		from, own := o.offset(at)
		if own {
			lines = append(lines, 0)
		} else {
			lines = append(lines, o.user.line(from))
		}
	}
	return lines
}

// A patchwork is a text that is being put together.
type patchwork struct {
	user   *file
	text   strings.Builder
	pieces []stretch
	cursor int // offset in the user's file: what is before it is copied, or left out
	// region: what is copied is of a region, whose pragmas are left out: there they mean nothing to hexcc, and what follows them may be another statement.
	region bool
	// replaced is written in place of stretches wherever they are copied, in order.
	replaced []edit
}

// copy copies a stretch of the user's text, whatever was copied before.
func (w *patchwork) copy(from, to int) {
	for _, e := range w.replaced {
		if from <= e.from && e.to <= to {
			w.copyPlain(from, e.from)
			w.pieces = append(w.pieces, stretch{w.text.Len(), e.from, true})
			w.text.WriteString(e.text)
			from = e.to
		}
	}
	w.copyPlain(from, to)
}

func (w *patchwork) copyPlain(from, to int) {
	switch {
	case from >= to:
	case w.region:
		w.balanced(w.stretchOf(from, to), from)
	default:
		w.pieces = append(w.pieces, stretch{w.text.Len(), from, false})
		w.text.Write(w.stretchOf(from, to))
	}
}

var pragmaLines = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma\b(?:[^\n\\]|\\(?s:.))*`)

// stretchOf returns the user's text from one offset to another, without pragmas if it is of a region.
func (w *patchwork) stretchOf(from, to int) []byte {
	text := w.user.text[from:to]
	if !w.region {
		return text
	}
	text = bytes.Clone(text)
	for _, at := range pragmaLines.FindAllIndex(text, -1) {
		blankAll(text[at[0]:at[1]])
	}
	return text
}

// upTo copies the user's text from the cursor to offset to.
func (w *patchwork) upTo(to int) {
	w.copy(w.cursor, to)
	w.cursor = max(w.cursor, to)
}

// An edit is what is written in place of a stretch of the user's text.
type edit struct {
	from, to int
	text     string
}

// edited copies a stretch of the user's text with edits, which are in order and apart from each other.
func (w *patchwork) edited(from, to int, edits []edit) {
	kept := w.cursor
	for _, e := range edits {
		w.copy(from, e.from)
		w.cursor, from = e.from, e.to
		if e.text != "" {
			w.put("%s", e.text)
		}
	}
	w.copy(from, to)
	w.cursor = kept
}

// skipTo leaves the user's text out from the cursor to offset to.
func (w *patchwork) skipTo(to int) { w.cursor = max(w.cursor, to) }

// put writes text for what stands at the cursor.
func (w *patchwork) put(format string, args ...any) {
	w.pieces = append(w.pieces, stretch{w.text.Len(), min(w.cursor, len(w.user.text)), true})
	fmt.Fprintf(&w.text, format, args...)
}

// line writes a line of its own.
func (w *patchwork) line(format string, args ...any) {
	if text := w.text.String(); text != "" && !strings.HasSuffix(text, "\n") {
		w.put("\n")
	}
	w.put(format+"\n", args...)
}

// origin returns where the places of the text are.
func (w *patchwork) origin() *Origin {
	return &Origin{w.user, newFile(Source{w.user.name, []byte(w.text.String())}), w.pieces, nil}
}

// directive returns a directive of OpenMP as lines of their own, which compilers do not see that would warn of it.
func directive(text string) string { return "#ifdef _OPENMP\n#pragma omp " + text + "\n#endif" }
