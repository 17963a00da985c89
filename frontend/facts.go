package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file keeps what is known of the parameters beyond the bounds of the
// loops. Some of it the program itself guarantees wherever the region runs; the
// rest is tested at run time, before the kernels start.

// facts are what is known of the parameters of a region beyond what declarations say.
type facts struct {
	*nestReader
	stated []linear // that hold wherever the region runs
	tested []fact   // that are tested before
	edges  []edge   // of arrays, where nests reach beyond them
	bounds []bound  // and these
}

// A fact is a constraint that is to be tested at run time.
type fact struct {
	constraint linear
	at         diag.Span        // zero: from the command line
	remark     *diag.Diagnostic // for the user, who did not state the fact; may be nil
	always     bool             // C does not imply it: it is tested also where facts are taken for granted
}

// rely notes facts to be tested.
func (fs *facts) rely(facts ...fact) { fs.tested = append(fs.tested, facts...) }

// assumptions returns the constraints of all facts, stated or needed.
func (fs *facts) assumptions() []linear {
	constraints := slices.Clone(fs.stated)
	for _, f := range fs.tested {
		constraints = append(constraints, f.constraint)
	}
	return constraints
}

// known returns all that is known of the parameters.
func (fs *facts) known() []linear {
	constraints := fs.declaredFacts()
	for _, r := range fs.assumptions() {
		constraints = added(constraints, r)
	}
	return constraints
}

// settleFacts drops the tested facts that follow from the others, and tells the
// user of those that remain.
func (fs *facts) settleFacts(fr frame) (facts []scop.Fact) {
	tested := fs.tested
	for i := 0; i < len(fs.tested); {
		rest := slices.Delete(slices.Clone(fs.tested), i, i+1)
		claim := fs.tested[i].constraint
		all := fs.tested
		fs.tested = rest
		if !fr.proves(fs.known(), claim) {
			fs.tested = all
			i++
		}
	}
	kept := fs.tested
	fs.tested = tested
	for _, f := range kept {
		f.always = fs.explainDistances(f) || f.always
		text := fr.relation(f.constraint)
		if f.remark != nil {
			how := "this is tested before the kernels run"
			f.remark.Fact = text
			if fs.o.Unchecked && !f.always {
				how, f.remark.Fact = "this is taken for granted, as C does", ""
			}
			f.remark.Msg = fmt.Sprintf("%s only if %s; %s", f.remark.Msg, text, how)
			fs.note(f.remark)
		}
		if f.always || !fs.o.Unchecked {
			facts = append(facts, scop.Fact{Row: fr.affine(f.constraint), Text: text, Pos: f.at})
		}
	}
	return append(facts, fs.settleBounds(fr)...)
}

// explainDistances reports whether f is about the distance of rows, and then says in its remark what that is.
func (fs *facts) explainDistances(f fact) (found bool) {
	for _, d := range inOrder(fs.source, fs.arrays) {
		for _, l := range fs.arrays[d].rows {
			if f.constraint.v.of(l.distance) == 0 {
				continue
			}
			if found = true; f.remark != nil {
				f.remark.Notes = append(f.remark.Notes, diag.Note{Msg: fmt.Sprintf("'%s' is how far the pointers to rows of '%s' lie apart, or 0 if that is not the same for all",
					fs.params[l.distance].Name, fs.u.members.name(d))})
			}
		}
	}
	return found
}

// stateFacts collects what the function says about parameters on the way to
// the region: assert, __builtin_assume, if (..) __builtin_unreachable() or return, the sums that variables
// are set to, and the conditions of the ifs around the region.
func (fs *facts) stateFacts() {
	for _, pair := range fs.same {
		fs.presumeSame(pair[0], pair[1])
	}
	if c := fs.r.clock; c != nil {
		for _, e := range c.presumed {
			fs.presume(e, fs.time.where, "the time loop counts as it is written")
		}
	}
	for _, b := range fs.blocks {
		at := b.size.at()
		eachExpr(b.size, func(e expr) {
			if x, ok := e.(ident); ok && x.decl != nil {
				if t, isNumber := storedType(x.decl.Type()); isNumber && !t.IsFloat() {
					fs.param(x, calculated(t))
				}
			}
		})
		fs.presume(binary{at, ">", b.size, truthNumber(at, false)}, b.head, "this loop runs in blocks as a whole")
	}
	if fs.hasLabels() {
		return // then a statement above the region need not have run
	}
	for i, s := range fs.r.around {
		next := fs.r.Start
		if i+1 < len(fs.r.around) {
			next, _, _ = fs.f.bytes(fs.r.around[i+1].at())
		}
		switch s := s.(type) {
		case block:
			for _, item := range s.items {
				if _, to, ok := fs.f.bytes(item.at()); ok && to <= next {
					fs.stateFact(item)
				}
			}
		case ifStmt:
			_, end, _ := fs.f.bytes(s.then.at())
			fs.state(s.cond, end < fs.r.Start, true)
		}
	}
}

// presumeSame has it tested that x and y, integers in structs that the time loop exchanges, are the same.
func (fs *facts) presumeSame(x, y ident) {
	for _, v := range []ident{x, y} {
		t, _ := storedType(v.decl.Type())
		fs.param(v, calculated(t))
	}
	d := variable(x.decl).sub(variable(y.decl))
	for _, r := range []linear{d, d.scale(-1)} {
		fs.rely(fact{constraint: r, at: fs.f.span(x.where), always: true, remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX117", At: fs.f.span(x.where), Msg: "the structs that the time loop exchanges are alike",
		}})
	}
}

// presume has e tested, without which the loop at w is not what it was read as.
func (fs *facts) presume(e expr, w where, claim string) {
	constraints := fs.constraintsOf(e, false)
	if len(constraints) == 0 {
		if v, known := fs.decide(e, place{}); known && v {
			return
		}
		fs.errorf("HX102", e.at(), "the loop is taken for one that counts as far as that; it would be tested before it begins", "give the variables of the condition one type, such as int", "'%s' cannot be tested here", exprText(e))
		return
	}
	for _, r := range constraints {
		fs.rely(fact{constraint: r, at: fs.f.span(e.at()), remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX102", At: fs.f.span(w), Msg: claim,
		}, always: true})
	}
}

// stateFact takes the facts from a statement that runs before the region.
func (fs *facts) stateFact(s stmt) {
	switch s := s.(type) {
	case ifStmt:
		if endsHere(s.then) {
			fs.state(s.cond, true, true)
		} else if s.orElse != nil && endsHere(s.orElse) {
			fs.state(s.cond, false, true)
		}
	case declStmt:
		for _, v := range s.vars {
			if v.init != nil {
				fs.stateValue(ident{v.where, v.decl.Name(), v.decl}, v.init)
			}
		}
	case exprStmt:
		switch x := s.x.(type) {
		case assign:
			if v, ok := x.x.(ident); ok && x.op == "=" {
				fs.stateValue(v, x.y)
			}
		case call:
			if isCallOf(x, "__builtin_assume") && len(x.args) == 1 {
				fs.state(x.args[0], false, true)
			}
		case cond: // assert, which the compiler of the output may leave out
			if endsExpr(x.y) {
				fs.state(x.c, false, false)
			} else if endsExpr(x.x) {
				fs.state(x.c, true, false)
			}
		}
	}
}

// endsHere reports whether what follows s does not run.
func endsHere(s stmt) bool {
	switch s := s.(type) {
	case block:
		return len(s.items) > 0 && endsHere(s.items[len(s.items)-1])
	case exprStmt:
		return endsExpr(s.x)
	case otherStmt:
		return s.what == "'return'"
	}
	return false
}

// ending are the functions that do not return.
var ending = []string{"__hexcc_assert", "__builtin_unreachable", "__builtin_trap", "__builtin_abort", "__builtin_exit", "abort", "exit", "_Exit"}

func endsExpr(e expr) bool {
	c, ok := e.(call)
	return ok && slices.ContainsFunc(ending, func(name string) bool { return isCallOf(c, name) })
}

// state takes the facts from condition e, which holds in the region or, if not
// says so, does not. Facts that are not sure are tested.
func (fs *facts) state(e expr, not, sure bool) {
	for _, constraint := range fs.constraintsOf(e, not) {
		switch {
		case !fs.keptSince(e, constraint):
		case sure:
			fs.stated = append(fs.stated, constraint)
		default:
			fs.rely(fact{constraint: constraint, at: fs.f.span(e.at())})
		}
	}
}

// constraintsOf returns constraints that hold where e does, or where it does not.
// Parts of e that are no affine comparisons of parameters give none.
func (fs *facts) constraintsOf(e expr, not bool) []linear {
	switch e := e.(type) {
	case unary:
		if e.op == "!" {
			return fs.constraintsOf(e.x, !not)
		}
	case call:
		if isCallOf(e, "__builtin_expect") && len(e.args) == 2 {
			return fs.constraintsOf(e.args[0], not)
		}
	case binary:
		switch {
		case e.op == "&&" && !not, e.op == "||" && not:
			return append(fs.constraintsOf(e.x, not), fs.constraintsOf(e.y, not)...)
		case opposite[e.op] != "":
			op := e.op
			if not {
				op = opposite[op]
			}
			return fs.constraintsOfComparison(op, e.x, e.y)
		}
	}
	return nil
}

func (fs *facts) constraintsOfComparison(op string, x, y expr) []linear {
	t := usual(intType(x), intType(y))
	if !fs.ofParams(x) || !fs.ofParams(y) || isUnsigned(t) && (!plainlyUnsigned(x) || !plainlyUnsigned(y)) {
		return nil
	}
	l, why := fs.linear(x, place{})
	r, whyNot := fs.linear(y, place{})
	if why != nil || whyNot != nil {
		return nil
	}
	d := l.sub(r)
	switch op {
	case "<":
		return []linear{d.scale(-1).addc(-1)}
	case "<=":
		return []linear{d.scale(-1)}
	case ">":
		return []linear{d.addc(-1)}
	case ">=":
		return []linear{d}
	case "==":
		return []linear{d, d.scale(-1)}
	}
	return nil
}

// plainlyUnsigned reports whether the value of e is not changed by converting it
// to an unsigned type that e and something of at most its size have in common.
func plainlyUnsigned(e expr) bool {
	switch e := e.(type) {
	case number:
		v, ok := intValue(e.val)
		return ok && v >= 0
	case ident:
		return isUnsigned(intType(e))
	}
	return false
}

// ofParams reports whether e is made of integers, and of parameters that the
// region has anyway.
func (fs *facts) ofParams(e expr) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			_, known := fs.params[e.decl]
			if !known && e.decl != nil {
				_, known = fs.constValue(e.decl)
			}
			ok = ok && known
		case number, binary, unary:
		default:
			ok = false
		}
	})
	return ok
}

// keptSince reports whether no variable of a constraint changes from e on, so far as the
// text of the function shows: it is not assigned below, its address is not taken,
// and a global is out of reach of calls.
func (fs *facts) keptSince(e expr, constraint linear) bool {
	from, _, ok := fs.f.bytes(e.at())
	if !ok {
		return false
	}
	kept := true
	eachStmt(fs.r.body, func(s stmt) {
		for _, x := range append(exprsOf(s), initExpr(s)) {
			eachExpr(x, func(x expr) {
				at := fs.f.offset(x.at().first)
				switch x := x.(type) {
				case assign:
					if v, ok := x.x.(ident); ok && constraint.v.of(v.decl) != 0 && at > from {
						kept = false
					}
				case call:
					if at > from && !endsExpr(x) {
						for d := range constraint.v.all() {
							kept = kept && fs.isAutomatic(d)
						}
					}
				}
			})
		}
	})
	for d := range constraint.v.all() {
		kept = kept && !d.AddressTaken()
	}
	return kept
}

// context returns all that is known.
func (fs *facts) context() context { return context{fs.frame(), fs.known()} }

// String returns what is known of the parameters, a constraint on each line, with who says so.
func (fs *facts) String() string {
	var b strings.Builder
	fr := fs.frame()
	line := func(who string, constraints []linear) {
		for _, r := range constraints {
			fmt.Fprintf(&b, "%-8s %s\n", who, fr.relation(r))
		}
	}
	line("declared", fs.declaredFacts())
	line("stated", fs.stated)
	for _, f := range fs.tested {
		line("tested", []linear{f.constraint})
	}
	for _, x := range fs.bounds {
		fmt.Fprintf(&b, "%-8s %s <= %d\n", "tested", fr.product(x.factors), x.most)
	}
	return b.String()
}
