package diag

import (
	"cmp"
	"slices"
)

// Sorted returns l in source order, without repetitions. Diagnostics of one
// place keep their order; those without a place come first.
func Sorted(l List) List {
	var out List
	type key struct {
		Span
		Code
		msg string
	}
	seen := map[key]bool{}
	for _, d := range l {
		k := key{d.At, d.Code, d.Msg}
		if !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *Diagnostic) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col))
	})
	return out
}

// HasErrors reports whether l holds an Error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d *Diagnostic) bool { return d.Severity == Error })
}

// First returns l up to its error number limit, from 1, and how many errors come after it.
// A limit of 0 is none. Warnings and remarks stay where no error is left out.
func (l List) First(limit int) (first List, more int) {
	if limit == 0 {
		return l, 0
	}
	errors, end := 0, len(l)
	for i, d := range l {
		if d.Severity == Error {
			if errors++; errors == limit {
				end = i + 1
			}
		}
	}
	if errors <= limit {
		return l, 0
	}
	return l[:end], errors - limit
}

// WarningsAsErrors returns l with each Warning as an Error.
func (l List) WarningsAsErrors() List {
	out := slices.Clone(l)
	for i, d := range out {
		if d.Severity == Warning {
			e := *d
			e.Severity = Error
			out[i] = &e
		}
	}
	return out
}

// ExitStatus returns the exit status of a run that ends with l: that of the
// first error by class, or 0 if l holds no error.
func (l List) ExitStatus() int {
	var codes []Code
	for _, d := range l {
		if d.Severity == Error {
			codes = append(codes, d.Code)
		}
	}
	if len(codes) == 0 {
		return 0
	}
	return slices.Min(codes).Exit()
}
