package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file keeps what is wrong. A part of a region may be read more than once, such as a nest
// that its conditions divide: each time, what was noted before is taken back. So
// whoever remembers that something is wrong remembers the diagnostics, and notes them again
// wherever it is met: a refusal without a diagnostic would be wrong code.

// A mark is a place in the reading of a region to come back to.
type mark struct{ errs, obligations, joined int }

func (b *builder) mark() mark { return mark{len(b.errs), len(b.obligations), len(b.joined)} }

// back takes back what was noted since m.
func (b *builder) back(m mark) {
	b.errs, b.obligations = b.errs[:m.errs:m.errs], b.obligations[:m.obligations]
	b.joined = b.joined[:m.joined]
}

// noting returns what read notes; it stays noted.
func (b *builder) noting(read func()) diag.List {
	before := len(b.errs)
	read()
	return slices.Clone(b.errs[before:])
}

// refuse remembers that d cannot be used, for reasons that were noted.
func (b *builder) refuse(d *cc.Declarator, why diag.List) {
	if !why.HasErrors() {
		panic(fmt.Sprintf("frontend: '%s' is refused, and nobody says why", b.u.members.name(d)))
	}
	b.refused[d] = why
}

// isRefused reports whether d cannot be used, and notes why.
func (b *builder) isRefused(d *cc.Declarator) bool {
	why := b.refused[d]
	b.again(why)
	return why != nil
}

// again notes list, but for what is noted.
func (b *builder) again(list diag.List) {
	for _, d := range list {
		if !slices.Contains(b.errs, d) {
			b.errs = append(b.errs, d)
		}
	}
}

// dropped stands where part of a body is left out, at w, since it could not be read: then
// a diagnostic is noted.
func (b *builder) dropped(w where) {
	if !b.errs.HasErrors() {
		p := b.f.span(w).Pos
		panic(fmt.Sprintf("frontend: %s:%d:%d is left out, and nobody says why", p.File, p.Line, p.Col))
	}
}
