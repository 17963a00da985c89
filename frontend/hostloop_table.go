package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file takes tables of indices, such as north[i] in J[north[i] * m + j], for what they seem to hold:
//
//	for (i = 0; i < n; i++) north[i] = i - 1;
//	north[0] = 0;
//
// says that north[i] is i == 0 ? 0 : i - 1. That is a guess, whatever happens between this and the region: it is tested of each element
// that the region reads, right before it, and the original loops run where it does not hold.

// A tableUse is an element of a table that a region reads.
type tableUse struct {
	decl  *cc.Declarator
	sub   ident
	loops []forStmt // around it
	loop  forStmt   // the one that counts sub
	under bool      // it may not be read in all of their iterations
	at    expr
}

// A tableGuess is what a table seems to hold.
type tableGuess struct {
	by    *cc.Declarator // the variable of the value
	value expr           // of element by
	at    [][2]expr      // elements that are set afterwards, and what to
}

// tables returns what is written in ss for elements of tables, and statements that set ok to 0 if the tables do not hold that.
func (h *hostLoops) tables(ss []stmt, ok string) (edits []edit, tests []string) {
	var uses []tableUse
	for _, s := range ss {
		h.tableUses(s, &uses)
	}
	var seen []*cc.Declarator
	for _, u := range uses {
		if slices.Contains(seen, u.decl) {
			continue
		}
		seen = append(seen, u.decl)
		g, found := h.guessTable(u.decl, ss)
		if !found {
			continue
		}
		of := slices.DeleteFunc(slices.Clone(uses), func(v tableUse) bool { return v.decl != u.decl })
		e, t, tested := h.testTable(of, g, ok)
		if !tested {
			continue
		}
		edits, tests = append(edits, e...), append(tests, t...)
		h.found = true
		if slices.Contains(h.told, u.decl) {
			continue
		}
		h.told = append(h.told, u.decl)
		if h.o.Parts {
			h.remark(exprStmt{u.at.at(), u.at}, fmt.Sprintf("'%s' is taken to be '%s', as '%s' is set in front of the region; ranks do not test that", h.spelled(u.at), g.text(u.sub), u.decl.Name()),
				diag.Note{Msg: fmt.Sprintf("'%s' is no parameter of the function that they call", u.decl.Name())})
			continue
		}
		h.remark(exprStmt{u.at.at(), u.at}, fmt.Sprintf("'%s' is taken to be '%s', which is tested of all elements of '%s' that are read, before they are", h.spelled(u.at), g.text(u.sub), u.decl.Name()),
			diag.Note{Msg: "where it does not hold, the original loops run"})
	}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return edits, tests
}

// tableUses adds to uses the elements of integer tables in s that a loop counts and that are part of subscripts, or of integers that
// are computed.
func (h *hostLoops) tableUses(s stmt, uses *[]tableUse) {
	eachInLoops(s, nil, false, func(s stmt, loops []forStmt, under bool) {
		switch s := s.(type) {
		case ifStmt:
			h.tableUsesIn(s.cond, false, loops, under, uses)
		case declStmt:
			for _, v := range s.vars {
				t, number := storedType(v.decl.Type())
				h.tableUsesIn(v.init, number && !t.IsFloat(), loops, under, uses)
			}
		case exprStmt:
			h.tableUsesIn(s.x, false, loops, under, uses)
		}
	})
}

// tableUsesIn adds to uses those in e; part: e is, or becomes, part of a subscript.
func (h *hostLoops) tableUsesIn(e expr, part bool, loops []forStmt, under bool, uses *[]tableUse) {
	both := func(xs ...expr) {
		for _, x := range xs {
			h.tableUsesIn(x, part, loops, under, uses)
		}
	}
	switch e := e.(type) {
	case nil:
	case cond:
		both(e.c)
		h.tableUsesIn(e.x, part, loops, true, uses)
		h.tableUsesIn(e.y, part, loops, true, uses)
	case binary:
		both(e.x)
		h.tableUsesIn(e.y, part, loops, under || e.op == "&&" || e.op == "||", uses)
	case assign:
		both(e.x)
		t, number := storedType(typeOfTarget(e.x))
		_, scalar := e.x.(ident)
		h.tableUsesIn(e.y, scalar && number && !t.IsFloat(), loops, under, uses)
	case index:
		base, named := e.base.(ident)
		sub, counted := withoutCasts(e.sub).(ident)
		if part && named && counted && base.decl != nil && h.isTable(base.decl) {
			if k := slices.IndexFunc(loops, func(f forStmt) bool { return iteratorOf(f) == sub.decl }); k >= 0 && sub.decl != nil {
				*uses = append(*uses, tableUse{base.decl, sub, loops, loops[k], under, e})
				return
			}
		}
		h.tableUsesIn(e.base, false, loops, under, uses)
		h.tableUsesIn(e.sub, true, loops, under, uses)
	default:
		both(children(e)...)
	}
}

// typeOfTarget returns the type of what e designates, nil if that is not known.
func typeOfTarget(e expr) cc.Type {
	p, ok := lvalue(e)
	if !ok {
		return nil
	}
	return p.typ
}

// isTable reports whether the elements of d, an array or a pointer, are signed integers.
func (h *hostLoops) isTable(d *cc.Declarator) bool {
	t, number := storedType(elemOf(d.Type()))
	return number && !t.IsFloat() && !t.IsUnsigned() && t.Size() >= 2 && !isVolatile(d)
}

// guessTable returns what d seems to hold where ss, which leaves it alone, runs.
func (h *hostLoops) guessTable(d *cc.Declarator, ss []stmt) (g tableGuess, ok bool) {
	t, _ := storedType(elemOf(d.Type()))
	left := !slices.ContainsFunc(ss, func(s stmt) bool { return assigns(s, d) })
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case assign:
				p, known := lvalue(e.x)
				of, _ := storedType(p.typ)
				left = left && known && (len(p.subs) == 0 || of != t && of.Size() > 1 || p.root.decl != d && h.neverOverlap(p.root.decl, d))
			case call:
				f, named := e.fun.(ident)
				left = left && named && (h.definition(f) == nil || !h.hasEffects(h.definition(f), map[*cc.FunctionDefinition]bool{}))
			}
		})
	}
	if !left {
		return g, false
	}
	h.initialised(h.r.body, d, &g)
	if g.value == nil {
		return g, false
	}
	fit := h.fitsTable(g.value, g.by, ss)
	for _, x := range g.at {
		fit = fit && h.fitsTable(x[0], nil, ss) && h.fitsTable(x[1], nil, ss)
	}
	return g, fit
}

// initialised finds what s, as far as it stands before the region, sets elements of d to.
func (h *hostLoops) initialised(s stmt, d *cc.Declarator, g *tableGuess) {
	set := func(s stmt) (sub, value expr, ok bool) {
		x, is := s.(exprStmt)
		a, sets := x.x.(assign)
		if !is || !sets || a.op != "=" {
			return nil, nil, false
		}
		e, element := a.x.(index)
		return e.sub, a.y, element && isIdent(e.base, d)
	}
	if from, _, ok := h.f.bytes(s.at()); !ok || from >= h.r.Start {
		return
	}
	switch s := s.(type) {
	case block:
		for _, x := range s.items {
			h.initialised(x, d, g)
		}
	case forStmt:
		by := iteratorOf(s)
		for _, x := range flatten([]stmt{s.body}) {
			if sub, value, ok := set(x); ok && by != nil && isIdent(sub, by) {
				*g = tableGuess{by: by, value: value}
			}
		}
	case exprStmt:
		if sub, value, ok := set(s); ok {
			g.at = append(g.at, [2]expr{sub, value})
		}
	}
}

// fitsTable reports whether e is made of numbers, variable by, and integers that mean the same where ss runs, and there all the time.
func (h *hostLoops) fitsTable(e expr, by *cc.Declarator, ss []stmt) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case number, binary, unary, cond:
			if u, is := e.(unary); is && (u.op == "&" || u.op == "*") {
				ok = false
			}
			if b, is := e.(binary); is && (b.op == "*" || b.op == "/") && by != nil && mentionsAny([]expr{e}, []*cc.Declarator{by}) {
				_, x := literal(b.x)
				_, y := literal(b.y)
				ok = ok && (x && b.op == "*" || y) // else it is no sum, and no subscript
			}
		case ident:
			if by != nil && e.decl == by {
				return
			}
			t, number := storedTypeOf(e.decl)
			ok = ok && number && !t.IsFloat() && !t.IsUnsigned() && h.isSeen(e.decl) && !slices.ContainsFunc(ss, func(s stmt) bool {
				return assigns(s, e.decl) || iterates(s, e.decl) || h.declaresName(s, e.name)
			})
		default:
			ok = false
		}
	})
	return ok
}

// isSeen reports whether d can be named in the region.
func (h *hostLoops) isSeen(d *cc.Declarator) bool {
	if h.u.members.is(d) || h.ofFunction(d) || d.StorageDuration() == cc.Static {
		return !h.u.members.is(d)
	}
	return slices.ContainsFunc(h.r.around, func(s stmt) bool {
		b, ok := s.(block)
		return ok && slices.ContainsFunc(b.items, func(s stmt) bool {
			x, decl := s.(declStmt)
			from, _, in := h.f.bytes(s.at())
			return decl && in && from < h.r.Start && slices.ContainsFunc(x.vars, func(v varDecl) bool { return v.decl == d })
		})
	})
}

// declaresName reports whether s declares a variable of that name.
func (h *hostLoops) declaresName(s stmt, name string) bool {
	return contains(s, func(s stmt) bool {
		x, ok := s.(declStmt)
		return ok && slices.ContainsFunc(x.vars, func(v varDecl) bool { return v.decl.Name() == name })
	})
}

// text returns what g holds at sub.
func (g tableGuess) text(sub expr) string {
	text := exprText(replacedIdent(g.value, g.by, sub))
	for _, x := range g.at {
		text = fmt.Sprintf("%s == %s ? %s : %s", exprText(sub), sumText(x[0]), exprText(x[1]), text)
	}
	return text
}

// sumText returns e in C, as an operand of a comparison.
func sumText(e expr) string {
	switch e := e.(type) {
	case ident, number:
		return exprText(e)
	case binary:
		if e.op == "+" || e.op == "-" || e.op == "*" {
			return exprText(e)
		}
	}
	return "(" + exprText(e) + ")"
}

// replacedIdent returns e with by in place of d.
func replacedIdent(e expr, d *cc.Declarator, by expr) expr {
	return mapExpr(e, func(e expr) expr {
		if isIdent(e, d) {
			return by
		}
		return e
	})
}

// testTable returns what is written for uses of a table, and the tests that it holds g where they read it; ok is false where it is not
// known for certain that they do.
func (h *hostLoops) testTable(uses []tableUse, g tableGuess, flag string) (edits []edit, tests []string, ok bool) {
	var tested []forStmt
	for _, u := range uses {
		if u.under || slices.ContainsFunc(tested, func(f forStmt) bool { return sameHeads([]forStmt{f}, []forStmt{u.loop}) }) {
			continue
		}
		var some []string // that the loops around it run
		var ds []*cc.Declarator
		for _, f := range u.loops {
			ds = append(ds, iteratorOf(f))
		}
		for _, f := range u.loops {
			d := iteratorOf(f)
			if mentionsAny([]expr{initOf(f), replacedIdent(f.cond, d, initOf(f))}, ds) || f.cond == nil || hasEffect(f.cond) {
				return nil, nil, false
			}
			if f.head != u.loop.head {
				some = append(some, "("+exprText(replacedIdent(f.cond, d, initOf(f)))+")")
			}
		}
		test := fmt.Sprintf("%s\nif ((long)%s != (long)(%s)) %s = 0;", h.head(u.loop), exprText(u.at), g.text(u.sub), flag)
		if len(some) > 0 {
			test = fmt.Sprintf("if (%s)\n%s", strings.Join(some, " && "), test)
		}
		tests, tested = append(tests, test), append(tested, u.loop)
	}
	for _, u := range uses {
		from, to, in := h.f.bytes(u.at.at())
		if !in || h.f.macroAt(u.at.at()) != "" || !slices.ContainsFunc(tested, func(f forStmt) bool { return sameHeads([]forStmt{f}, []forStmt{u.loop}) }) {
			return nil, nil, false
		}
		edits = append(edits, edit{from, to, "(" + g.text(u.sub) + ")"})
	}
	return edits, tests, len(tests) > 0
}
