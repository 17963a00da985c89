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

func (ns *notes) mark() mark { return mark{len(ns.errs), len(ns.obligations), len(ns.joined)} }

// back takes back what was noted since m.
func (ns *notes) back(m mark) {
	ns.errs, ns.obligations = ns.errs[:m.errs:m.errs], ns.obligations[:m.obligations]
	ns.joined = ns.joined[:m.joined]
}

// noting returns what read notes; it stays noted.
func (ns *notes) noting(read func()) diag.List {
	before := len(ns.errs)
	read()
	return slices.Clone(ns.errs[before:])
}

// refuse remembers that d cannot be used, for reasons that were noted.
func (ns *notes) refuse(d *cc.Declarator, why diag.List) {
	if !why.HasErrors() {
		panic(fmt.Sprintf("frontend: '%s' is refused, and nobody says why", ns.u.members.name(d)))
	}
	ns.refused[d] = why
}

// isRefused reports whether d cannot be used, and notes why.
func (ns *notes) isRefused(d *cc.Declarator) bool {
	why := ns.refused[d]
	ns.again(why)
	return why != nil
}

// again notes list, but for what is noted.
func (ns *notes) again(list diag.List) {
	for _, d := range list {
		if !slices.Contains(ns.errs, d) {
			ns.errs = append(ns.errs, d)
		}
	}
}

// dropped stands where part of a body is left out, at w, since it could not be read: then
// a diagnostic is noted.
func (ns *notes) dropped(w where) {
	if !ns.errs.HasErrors() {
		p := ns.f.span(w).Pos
		panic(fmt.Sprintf("frontend: %s:%d:%d is left out, and nobody says why", p.File, p.Line, p.Col))
	}
}
