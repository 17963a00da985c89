package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file looks at the function around a region: what the region sets there
// must not be read afterwards, because the generated code leaves no values in
// iterators and local scalars.

// outer returns the names of the variables that the region sets but that are
// declared outside, and reports those whose value may be read later; and the names of
// constants whose values it takes, and of functions that it calls.
func (as *assembly) outer() (names []string) {
	for _, d := range as.setOutside() {
		names = append(names, d.Name())
		as.checkDead(d)
	}
	for _, d := range as.constantsOutside() {
		names = append(names, d.Name())
	}
	return append(names, slices.Sorted(maps.Keys(as.expanded))...)
}

// constantsOutside returns the constants outside of the region whose values were taken.
func (sym *symbols) constantsOutside() []*cc.Declarator {
	taken := map[*cc.Declarator]bool{}
	for d, x := range sym.consts {
		taken[d] = taken[d] || x.ok
	}
	for d, values := range sym.tables {
		taken[d] = taken[d] || values != nil
	}
	return slices.DeleteFunc(inOrder(sym.source, taken), func(d *cc.Declarator) bool { return !taken[d] || sym.inRegion(d) })
}

// setOutside returns the variables that the region sets but that are declared outside,
// but for pointers that rotate.
func (as *assembly) setOutside() []*cc.Declarator {
	set := map[*cc.Declarator]bool{}
	for d := range as.iterators {
		set[d] = true
	}
	for d := range as.written {
		set[d] = true
	}
	return slices.DeleteFunc(inOrder(as.source, set), func(d *cc.Declarator) bool { return as.inRegion(d) || as.cycles[d] != nil })
}

// checkDead reports a use of d after the region that may read what the region
// would have left there.
func (as *assembly) checkDead(d *cc.Declarator) {
	if !as.isAutomatic(d) {
		as.errs = append(as.errs, &diag.Diagnostic{
			Code: "HX113", At: as.f.span(tokenAt(d.NameTok())),
			Msg:   fmt.Sprintf("'%s' is set by the region, and others may read it", d.Name()),
			Notes: []diag.Note{{Msg: "the generated code leaves no values in loop variables and local scalars"}},
			Help:  "declare it in the function, or in the head of the loop",
		})
		return
	}
	u := &liveness{source: as.source, decl: d}
	for i := len(as.r.around) - 1; i >= 0 && u.fate == unknown; i-- {
		switch s := as.r.around[i].(type) {
		case block:
			u.after(s.items)
		case forStmt, otherStmt: // a loop: after its end comes its beginning
			u.stmt(s)
			u.cannotEnd()
		}
	}
	if u.fate == read {
		as.errorf("HX113", u.where, "the generated code leaves no values in loop variables and local scalars",
			fmt.Sprintf("set '%s' after #pragma endscop, or use another variable in the region", d.Name()),
			"'%s' is read after the region, which sets it", d.Name())
	}
}

// A fate is what happens first to a variable.
type fate uint8

const (
	unknown fate = iota // nothing, or not in every case
	read
	killed // it is set
)

// A liveness follows the statements after a region, in the order they run.
type liveness struct {
	*source
	decl   *cc.Declarator
	inside bool // the statements are in the region, not after it
	fate   fate
	where
}

// after follows the items of a block that begin after the region.
func (u *liveness) after(items []stmt) {
	for _, s := range items {
		if from, _, ok := u.f.bytes(s.at()); ok && from >= u.r.End {
			u.stmt(s)
		}
	}
}

// cannotEnd keeps what is known at the end of a loop, which may also end at once.
func (u *liveness) cannotEnd() {
	if u.fate == killed {
		u.fate = unknown
	}
}

func (u *liveness) stmt(s stmt) {
	if s == nil || u.fate != unknown || !u.inside && u.inRegion(s) {
		return
	}
	switch s := s.(type) {
	case block:
		for _, x := range s.items {
			u.stmt(x)
		}
	case declStmt:
		for _, v := range s.vars {
			u.expr(v.init)
		}
	case exprStmt:
		u.expr(s.x)
	case forStmt:
		u.stmt(s.init)
		u.expr(s.cond)
		u.branch(func() { u.stmt(s.body); u.expr(s.step) })
	case ifStmt:
		u.expr(s.cond)
		u.branches(func() { u.stmt(s.then) }, func() { u.stmt(s.orElse) })
	case otherStmt:
		u.other(s)
	}
}

func (u *liveness) inRegion(s stmt) bool {
	from, to, ok := u.f.bytes(s.at())
	return ok && from >= u.r.Start && to <= u.r.End
}

// other follows a statement that is not modelled in detail: any mention may be a read.
func (u *liveness) other(s otherStmt) {
	for _, e := range s.exprs {
		u.expr(e)
	}
	for _, x := range s.inner {
		u.branch(func() { u.stmt(x) })
	}
}

// branch follows what may not run.
func (u *liveness) branch(f func()) { u.branches(f, func() {}) }

// branches follows two alternatives.
func (u *liveness) branches(f, g func()) {
	if u.fate != unknown {
		return
	}
	var fates []fate
	for _, run := range []func(){f, g} {
		u.fate = unknown
		run()
		fates = append(fates, u.fate)
	}
	switch {
	case slices.Contains(fates, read):
		u.fate = read
	case fates[0] == fates[1]:
		u.fate = fates[0]
	default:
		u.fate = unknown
	}
}

// expr follows e, operands first.
func (u *liveness) expr(e expr) {
	if e == nil || u.fate != unknown {
		return
	}
	switch e := e.(type) {
	case ident:
		if e.decl == u.decl {
			u.fate, u.where = read, e.where
		}
	case assign:
		u.expr(e.y)
		if !isIdent(e.x, u.decl) || e.op != "=" {
			u.expr(e.x)
		} else if u.fate == unknown {
			u.fate = killed
		}
	case cond:
		u.expr(e.c)
		u.branches(func() { u.expr(e.x) }, func() { u.expr(e.y) })
	case binary:
		u.expr(e.x)
		if e.op == "&&" || e.op == "||" {
			u.branch(func() { u.expr(e.y) })
			return
		}
		u.expr(e.y)
	default:
		for _, x := range children(e) {
			u.expr(x)
		}
	}
}

// checkSizesKept reports extents that change between the declaration of an
// array and the region, so that they no longer say how large it is.
func (st *storage) checkSizesKept() {
	for _, d := range inOrder(st.source, st.arrays) {
		for _, o := range st.arrays[d].objects() {
			st.checkSizeKept(o)
		}
	}
}

func (ns *notes) checkSizeKept(d *cc.Declarator) {
	sizes := map[*cc.Declarator]bool{}
	for _, e := range ns.sizesOf(d) {
		eachExpr(e, func(e expr) {
			if x, ok := e.(ident); ok && x.decl != nil {
				sizes[x.decl] = true
			}
		})
	}
	if len(sizes) == 0 {
		return
	}
	eachStmt(ns.r.body, func(s stmt) {
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) { ns.checkKept(d, sizes, e) })
		}
	})
}

func (ns *notes) checkKept(array *cc.Declarator, sizes map[*cc.Declarator]bool, e expr) {
	a, ok := e.(assign)
	if !ok {
		return
	}
	x, ok := a.x.(ident)
	if !ok || !sizes[x.decl] {
		return
	}
	at, declared := ns.f.offset(a.first), ns.f.offset(array.NameTok().Position())
	if at > declared && at < ns.r.Start {
		ns.errorf("HX109", a.where, fmt.Sprintf("'%s' keeps the size it had when it was declared", array.Name()), "use another variable",
			"'%s', an extent of array '%s', changes before the region", x.name, array.Name())
	}
}
