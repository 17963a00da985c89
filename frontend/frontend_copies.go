package frontend

import (
	"errors"

	"github.com/hexcc/hexcc/diag"
)

// This file writes regions of templates of functions, which a C++ file uses with several lists of arguments, once for each list:
//
//	if constexpr (__is_same(T, double)) {
//	#pragma scop
//	  ..
//	#pragma endscop
//	} else if constexpr (__is_same(T, float)) {
//	#pragma scop
//	  ..
//	#pragma endscop
//	} else {
//	  ..
//	}
//
// Each is a region of its own then. The last branch is for what uses the template unseen.

// newTextOf reads f, or the text that has copies of its regions; inner is that text, nil if it is f itself.
func newTextOf(f *file, o Options) (t, inner *text, err error) {
	t, err = newText(f, o)
	if f.cxx == nil {
		return t, nil, err
	}
	origin, of := f.withCopies()
	if origin == nil {
		return t, nil, err
	}
	inner = &text{origin: origin}
	for _, i := range of {
		inner.inner = append(inner.inner, innerRegion{of: i})
	}
	t, err = newText(origin.text, o)
	var wrong diag.List
	if errors.As(err, &wrong) {
		err = origin.Moved(wrong)
	}
	return t, inner, err
}

// withCopies returns f with the regions of templates once for each list of arguments, and for each region then its number in f; nil if it has no such regions.
func (f *file) withCopies() (origin *Origin, of []int) {
	w := &patchwork{user: f}
	var all []cxxCopies
	for i, r := range f.markedRegions() {
		k := f.cxx.repeatedAt(r.from)
		if k == nil || len(k.conditions) == 0 {
			of = append(of, i)
			continue
		}
		w.upTo(r.from)
		x := cxxCopies{from: w.text.Len()}
		for n, condition := range k.conditions {
			if n > 0 {
				w.put("} else ")
			}
			w.put("if constexpr (%s) {\n", condition)
			from := w.text.Len()
			w.copy(r.from, r.to)
			x.copies = append(x.copies, cxxCopy{from, w.text.Len(), k.args[n]})
			of = append(of, i)
		}
		w.put("} else {\n")
		from := w.text.Len()
		w.copy(r.inner, r.end)
		x.rest = [2]int{from, w.text.Len()}
		w.put("}")
		x.to = w.text.Len()
		w.put("\n")
		w.skipTo(r.to)
		all = append(all, x)
	}
	if all == nil {
		return nil, nil
	}
	w.upTo(len(f.text))
	origin = w.origin()
	origin.text.copies = all
	return origin, of
}

// A markedRegion is a region as its pragmas mark it, in whole lines: source[from:to], the pragmas that belong to it included, and what is between them, source[inner:end].
type markedRegion struct{ from, inner, end, to int }

// markedRegions returns the regions of a C++ file, in order, as far as they can be told from its tokens alone.
func (f *file) markedRegions() (all []markedRegion) {
	toks := cxxTokens(f.text)
	var r markedRegion
	first := -1 // of the directives in front of a region
	for _, t := range toks {
		word := ""
		if t.kind == cxxDirective {
			if m := regionMark.FindStringSubmatch(t.s); m != nil {
				word = m[1]
			}
		}
		line := f.lines[f.line(t.from)-1]
		next := len(f.text)
		if n := f.line(t.to - 1); n < len(f.lines) {
			next = f.lines[n]
		}
		switch word {
		case "hexcc":
			if first < 0 {
				first = line
			}
			continue
		case "scop":
			if r = (markedRegion{from: line, inner: next}); first >= 0 {
				r.from = first
			}
		case "endscop":
			r.end, r.to = line, next
			all = append(all, r)
		}
		first = -1
	}
	return all
}

// behindCopies returns t, which was read in place of f with the copies of its regions, in places of f.
func (t *text) behindCopies(inner *text) *text {
	switch {
	case inner == nil:
		return t
	case t.origin != nil:
		return t.behind(inner)
	}
	t.origin, t.inner = inner.origin, inner.inner
	return t
}

// copies returns where the copies of regions of the user's file are in the text.
func (o *Origin) copies() (all []cxxCopies) {
	for _, x := range o.user.copies {
		y := cxxCopies{from: o.behindByte(x.from - 1), to: o.behindByte(x.to - 1), rest: [2]int{o.behindByte(x.rest[0] - 1), o.behindByte(x.rest[1] - 1)}}
		for _, c := range x.copies { // of what is between the lines around them anything may have become
			to, _ := o.copied(c.to)
			y.copies = append(y.copies, cxxCopy{o.behindByte(c.from - 1), to, c.args})
		}
		all = append(all, y)
	}
	return all
}

// behindByte returns what follows in the text a byte of the user's file that is there once.
func (o *Origin) behindByte(at int) int {
	made, _ := o.copied(at)
	return made + 1
}
