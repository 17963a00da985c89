package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file follows the statements of a function in the order they run, to tell what happens first to a variable: that
// it is read, or set. What a region sets must not be read after it, because the generated code leaves no values in
// iterators and local scalars.

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
	runs   bool // loops are taken to run at least once
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
		body := func() { u.stmt(s.body); u.expr(s.step) }
		if u.runs {
			body()
		} else {
			u.branch(body)
		}
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
