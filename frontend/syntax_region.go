package frontend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the regions: the pragmas, the function around them, and the
// statements between them.

// A region is what lies between #pragma scop and #pragma endscop.
type region struct {
	scop.Region
	at       diag.Span // of #pragma scop
	function *cc.FunctionDefinition
	body     block  // of the function
	around   []stmt // the statements around the region, outside in
	stmts    []stmt // the statements in it
	clauses  []Clause
	every    int      // steps between tests of what ends its loop, that the user wishes: 0 for as many as are exact
	wishes   []string // the other clauses, as lines
	first    int      // the line of the first clause, 0 if there is none
	space    bool     // its loops are over space
	clock    *clock   // what the time loop does to the variables that count its steps; nil: not known
}

// A clock is what a time loop does to the variables that count its steps.
type clock struct {
	where                            // of the head of the loop
	text     string                  // a loop in C that leaves in the variables what the time loop does
	sets     map[*cc.Declarator]bool // the variables
	presumed []expr                  // conditions that are to be tested before the region runs: else it is another program
	taken    []where                 // the variables at assignments that were taken out
}

// findRegions pairs the pragmas of u. What is wrong with one pair does not hide the others.
func findRegions(f *file, u *unit) (found []region, errs diag.List) {
	var open *pragma
	var wishes []pragma // #pragma hexcc before open, or before what comes
	marks := 0
	for i := range u.pragmas {
		p := &u.pragmas[i]
		if p.pos.Filename == fromOperator {
			errs = append(errs, operatorPragma(f, p))
			marks++
			continue
		}
		if f.offset(p.pos) < 0 {
			errs = append(errs, headerPragma(f, p))
			marks++
			continue
		}
		if p.word == "hexcc" {
			if i+1 == len(u.pragmas) || u.pragmas[i+1].word == "endscop" || !f.directlyBefore(p, &u.pragmas[i+1]) {
				errs = append(errs, lonelyClauses(f, p))
			} else if open == nil {
				wishes = append(wishes, *p)
			}
			continue
		}
		marks++
		switch {
		case p.word == "scop" && open == nil:
			open = p
		case p.word == "scop":
			errs = append(errs, nestedScop(f, p, open))
		case open == nil:
			errs = append(errs, strayEndscop(f, p))
		default:
			r, err := findRegion(f, u, open, p)
			if err != nil {
				errs = append(errs, err)
			} else {
				var wrong diag.List
				r.clauses, wrong = f.clauses(wishes)
				if d := r.takeCheck(); d != nil {
					wrong = append(wrong, d)
				}
				errs = append(errs, wrong...)
				found = append(found, r)
			}
			open, wishes = nil, nil
		}
	}
	if open != nil {
		errs = append(errs, openScop(f, open))
	}
	if marks == 0 {
		errs = append(errs, noRegion(f))
	}
	return found, errs
}

// choose returns the regions that the user wants: all, number want, or those of a function.
func choose(f *file, regions []region, want string) (chosen []region, errs diag.List) {
	if want == "" || len(regions) == 0 {
		return regions, nil
	}
	var known []string
	for i, r := range regions {
		name := r.function.Declarator.Name()
		known = append(known, fmt.Sprintf("%d (line %d, function %s)", i+1, r.StartLine, name))
		if want == name || want == fmt.Sprint(i+1) || f.cxx != nil && want == f.cxx.templateOf[name] {
			chosen = append(chosen, r)
		}
	}
	if chosen == nil {
		errs = diag.List{{Code: "HX012", At: diag.Span{Pos: diag.Pos{File: f.name}},
			Msg:   fmt.Sprintf("no region '%s' in this file", want),
			Notes: []diag.Note{{Msg: "there is " + strings.Join(known, ", ")}},
			Help:  "name a region by its number or by the function around it, as in --region=1"}}
	}
	return chosen, errs
}

// findRegion returns the region between two pragmas.
func findRegion(f *file, u *unit, open, end *pragma) (region, *diag.Diagnostic) {
	r := region{Region: scop.Region{StartLine: open.pos.Line, EndLine: end.pos.Line}, at: pragmaSpan(f, open)}
	r.Start = f.lines[open.pos.Line-1]
	r.End = len(f.text)
	if end.pos.Line < len(f.lines) {
		r.End = f.lines[end.pos.Line]
	}
	for tu := u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		fd := tu.ExternalDeclaration.FunctionDefinition
		if fd == nil {
			continue
		}
		// By lines: of several functions that are written for a template, all places are those of the template.
		from, to := fd.CompoundStatement.Token.Position(), fd.CompoundStatement.Token2.Position()
		if f.offset(from) >= 0 && from.Line < open.pos.Line && open.pos.Line <= to.Line {
			r.function = fd
		}
	}
	if r.function == nil || f.cxx != nil && f.cxx.isRepeated(r.Start) {
		return r, outsideFunction(f, open)
	}
	inside := func(w where) bool { at := f.offset(w.first); return at >= r.Start && at < r.End } // of others, members are parameters
	r.body = u.dispatched(f, r, u.sized(u.members.resolvedStmt(u.withElements(u.addressed(convertBlock(r.function.CompoundStatement)), inside)))).(block)
	return r, r.selectStmts(f)
}

// selectStmts finds the statements of r in the innermost block around it.
func (r *region) selectStmts(f *file) *diag.Diagnostic {
	var inner block
	eachStmt(r.body, func(s stmt) {
		from, to, ok := f.bytes(s.at())
		if !ok || from >= r.Start || to <= r.End {
			return
		}
		r.around = append(r.around, s)
		if b, ok := s.(block); ok {
			inner = b
		}
	})
	for _, s := range inner.items {
		from, to, ok := f.bytes(s.at())
		switch {
		case !ok || to <= r.Start || from >= r.End:
		case from >= r.Start && to <= r.End:
			r.stmts = append(r.stmts, plainHead(s))
		default:
			return cutStmt(f, s, *r)
		}
	}
	if inner.items == nil && r.function != nil {
		if _, to, ok := f.bytes(r.body.where); ok && to <= r.End {
			return cutStmt(f, r.body, *r)
		}
	}
	return nil
}

// pragmaSpan returns the whole directive, from its #.
func pragmaSpan(f *file, p *pragma) diag.Span {
	from := f.lines[p.pos.Line-1]
	if i := bytes.IndexByte(f.text[from:], '#'); i >= 0 {
		from += i
	}
	word := f.offset(p.pos)
	return f.spanOf(min(from, word), word+len(p.word))
}

func openScop(f *file, p *pragma) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX001", At: pragmaSpan(f, p),
		Msg:  "#pragma scop without #pragma endscop",
		Help: "write #pragma endscop on a line of its own after the time loop"}
}

func strayEndscop(f *file, p *pragma) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX002", At: pragmaSpan(f, p),
		Msg:  "#pragma endscop without #pragma scop",
		Help: "write #pragma scop on a line of its own before the time loop"}
}

func nestedScop(f *file, p, open *pragma) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX003", At: pragmaSpan(f, p),
		Msg:   "#pragma scop inside a region",
		Notes: []diag.Note{{At: pragmaSpan(f, open), Msg: "the region begins here"}},
		Help:  "close the first region with #pragma endscop, or remove this line"}
}

func noRegion(f *file) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX004", At: diag.Span{Pos: diag.Pos{File: f.name}},
		Msg:  "no #pragma scop in this file",
		Help: "write #pragma scop before the time loop of the stencil and #pragma endscop after it"}
}

func headerPragma(f *file, p *pragma) *diag.Diagnostic {
	at := diag.Span{Pos: diag.Pos{File: p.pos.Filename, Line: p.pos.Line, Col: p.pos.Column}, Len: len(p.word)}
	return &diag.Diagnostic{Code: "HX006", At: at,
		Msg:   fmt.Sprintf("#pragma %s in a header", p.word),
		Notes: []diag.Note{{Msg: "the generated file takes the place of " + f.name + "; a header is shared with other files and stays as it is"}},
		Help:  "move the region into the .c file"}
}

func outsideFunction(f *file, p *pragma) *diag.Diagnostic {
	at := f.lines[p.pos.Line-1]
	if f.cxx != nil && f.cxx.isRepeated(at) {
		return &diag.Diagnostic{Code: "HX007", At: pragmaSpan(f, p),
			Msg:   "#pragma scop in a template of classes that this file uses with several lists of arguments",
			Notes: []diag.Note{{Msg: "a region is translated for the types that its arrays have; one in a template of functions, for each list of arguments"}},
			Help:  "put the pragmas around the time loop in a function, which may be a template, and let it call methods"}
	}
	if f.inTemplate(at) {
		return &diag.Diagnostic{Code: "HX007", At: pragmaSpan(f, p),
			Msg:   "#pragma scop in a template, and no use of it in this file says what its parameters are",
			Notes: []diag.Note{{Msg: "a region is translated for the types that its arrays have"}},
			Help:  "put the pragmas around the time loop in a function for one type; it may call templates"}
	}
	return &diag.Diagnostic{Code: "HX007", At: pragmaSpan(f, p),
		Msg:  "#pragma scop outside a function",
		Help: "put the pragmas around the time loop, inside the function"}
}

// inTemplate reports whether offset at of the source is inside of a template of C++.
func (f *file) inTemplate(at int) bool {
	return f.cxx != nil && inAny(f.cxx.templates, at)
}

// inAny reports whether offset at is in one of the stretches.
func inAny(stretches [][2]int, at int) bool {
	return slices.ContainsFunc(stretches, func(t [2]int) bool { return t[0] <= at && at < t[1] })
}

func cutStmt(f *file, s stmt, r region) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX007", At: f.span(s.at()),
		Msg:   fmt.Sprintf("this statement is only partly between #pragma scop (line %d) and #pragma endscop (line %d)", r.StartLine, r.EndLine),
		Notes: []diag.Note{{Msg: "allowed: a region that holds whole statements of one block"}},
		Help:  "move the pragmas, or put braces around the statements between them"}
}
