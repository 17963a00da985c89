package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file reads a C++ file by its projection. What cannot be read outside of regions is left out, and the file read again.

// projected returns the text that the C front end reads.
func (f *file) projected() []byte {
	if f.cxx != nil {
		return f.cxx.text
	}
	return f.text
}

// isCxx reports whether a file of this name is C++.
func (o Options) isCxx(name string) bool { return o.Cxx || isCxx(name) }

// prelude is what is declared before a file of this name.
func (o Options) prelude(name string) string {
	if o.isCxx(name) {
		return cxxPrelude
	}
	return ""
}

// isCxxMacro reports whether a macro of the prelude may stand for calls of the function called name.
func isCxxMacro(name string) bool {
	_, math := scop.Computable(name)
	return math || name == "min" || name == "max" || name == "swap"
}

// maxCxxRounds bounds how often a C++ file is read again with more left out: each syntax error is a round.
const maxCxxRounds = 24

// translateCxx parses and checks a C++ file.
func translateCxx(f *file, o Options, macros string) (*unit, diag.List) {
	forced, headers := map[int]int{}, newCxxHeaders(f, o)
	var first diag.List
	for range maxCxxRounds {
		f.cxx = project(f.text, cxxRole{copies: f.copies}, forced, headers)
		f.cxx.headers = headers
		if len(f.cxx.refusals) > 0 {
			return nil, f.refused(f.cxx.refusals)
		}
		u, errs := parse(f, o, macros+f.cxx.pairTypes(), nil)
		if len(errs) == 0 {
			return u, nil
		}
		if first == nil {
			first = errs
		}
		more := false
		for _, d := range errs {
			if at := f.cxx.around(f.offsetOf(d.At.Pos)); at >= 0 && forced[at] == 0 {
				headers.note(f.cxx, at, d)
				forced[at], more = 1, true
			} else if d.At.Pos.File != f.name {
				more = headers.leaveOut(d) || more
			}
		}
		if !more {
			first = errs
			break
		}
	}
	if at := unmatched(cxxTokens(f.text)); at != nil { // nothing of the file was read as C++
		return nil, diag.List{{Code: "HX005", At: f.spanOf(at.from, at.to), Msg: fmt.Sprintf("'%s' has no counterpart", at.s),
			Notes: []diag.Note{{Msg: "brackets of a C++ file must match as it is written, also where #if leaves a part out"}}}}
	}
	for i, d := range first {
		first[i] = headers.placed(d)
	}
	return nil, f.inCxx(first)
}

// refused returns errors of what stands in regions.
func (f *file) refused(all []cxxRefusal) (errs diag.List) {
	for _, r := range all {
		errs = append(errs, &diag.Diagnostic{Code: "HX005", At: f.spanOf(r.from, r.to), Msg: r.msg, Notes: []diag.Note{{Msg: r.note}}, Help: r.help})
	}
	return errs
}

// unreadHere returns why what name declares was not read, nil if it was, or is not there.
func (f *file) unreadHere(name string) *diag.Diagnostic {
	if f.cxx == nil {
		return nil
	}
	return f.cxx.headers.unread[name]
}

// isReference reports whether the parameter whose name is at w is a reference in C++, and a value in its projection.
func (f *file) isReference(w where) bool {
	at := f.offset(w.first)
	return f.cxx != nil && slices.ContainsFunc(f.cxx.byReference, func(t cxxToken) bool { return t.from == at })
}

// offsetOf returns the byte that a diagnostic is about, -1 if it is in another file.
func (f *file) offsetOf(p diag.Pos) int {
	if p.File != f.name || p.Line < 1 || p.Line > len(f.lines) {
		return -1
	}
	return f.lines[p.Line-1] + max(p.Col-1, 0)
}

// around returns where the statement or declaration begins that may be left out and holds the byte at offset, or -1.
func (p *projection) around(offset int) int {
	found := -1
	for _, s := range p.optional {
		if s[0] <= offset && offset < s[1] {
			found = max(found, s[0]) // the innermost
		}
	}
	return found
}
