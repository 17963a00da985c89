package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file keeps what is wrong. A part of a region may be read more than once, such as a nest
// that its conditions divide: each time, what was noted before is taken back. So
// whoever remembers that something is wrong remembers the diagnostics, and notes them again
// wherever it is met: a refusal without a diagnostic would be wrong code.

// notes is what the stages leave beside their products, for the user and for later proofs. Each stage adds to it, and may
// take back what it added: see mark.
type notes struct {
	*source
	errs        diag.List
	refused     map[*cc.Declarator]diag.List // what is wrong with variables: see refuse
	obligations []obligation
	joined      [][2]diag.Pos // stores of one branch that are one with those of another: see statements_branch.go
	idles       []idle        // what was left out
}

func newNotes(src *source) *notes {
	return &notes{source: src, refused: map[*cc.Declarator]diag.List{}}
}

// note adds to what is wrong, or worth telling.
func (ns *notes) note(ds ...*diag.Diagnostic) { ns.errs = append(ns.errs, ds...) }

// owe adds to what is still to be proved.
func (ns *notes) owe(os ...obligation) { ns.obligations = append(ns.obligations, os...) }

// owing returns what is to be proved for what read reads, which is not added.
func (ns *notes) owing(read func()) []obligation {
	before := len(ns.obligations)
	read()
	owed := slices.Clone(ns.obligations[before:])
	ns.obligations = ns.obligations[:before]
	return owed
}

// leave notes that x is left out.
func (ns *notes) leave(x idle) { ns.idles = append(ns.idles, x) }

// merge notes that the store at one place is, in the program, that at another.
func (ns *notes) merge(one, other diag.Pos) { ns.joined = append(ns.joined, [2]diag.Pos{one, other}) }

// errorf notes an error at w, with what is allowed, or why, and what to do.
func (ns *notes) errorf(code diag.Code, w where, note, help, format string, args ...any) {
	d := &diag.Diagnostic{Code: code, At: ns.f.span(w), Msg: fmt.Sprintf(format, args...), Help: help}
	if m := ns.f.macroAt(w); m != "" {
		d.Notes = append(d.Notes, diag.Note{Msg: fmt.Sprintf("in the expansion of macro '%s'", m)})
	}
	d.Notes = append(d.Notes, diag.Note{Msg: note})
	ns.errs = append(ns.errs, d)
}

// errorCount returns how many errors there are: remarks and warnings do not count.
func (ns *notes) errorCount() (n int) {
	for _, d := range ns.errs {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

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

// An idle is a part of a region that was left out since no instance of it runs: its stretches of
// source, and the instances that there would be, which must be none.
type idle struct {
	parts     []where
	instances poly.Set
}
