package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file walks through a region in order: the time loop, what the pointers hold that it exchanges, and the nests
// between those exchanges.

// A nestReader reads the nests of a region, in order.
type nestReader struct {
	*storage
	timeless  bool // the region has no time loop
	byClass   bool // nests are taken apart by residue classes: see nests_class.go
	byColour  bool // nests are taken apart by tests of remainders: see nests_colour.go
	nests     []*nest
	loopIDs   int
	turnsLeft int // of loops to look into: see wrapInTurns
}

// region reads the time loop and what it holds, or, in a region without a time
// loop, what one step holds.
func (nr *nestReader) region() {
	stmts := slices.DeleteFunc(flatten(nr.stmts), declaresOnly)
	if nr.timeless {
		nr.timeBody(stmts, place{}.inside(onceLoop(nr.unique(map[string]bool{}, "t"))), true)
		return
	}
	isTime := func(s stmt) bool { _, ok := s.(forStmt); return ok }
	time := slices.IndexFunc(stmts, isTime)
	if time < 0 {
		nr.note(&diag.Diagnostic{Code: "HX102", At: nr.r.at,
			Msg: "no time loop in this region", Notes: []diag.Note{{Msg: shapeRule}}, Help: "put the time loop, a for loop, between the pragmas"})
	}
	steady := 0 // of the statements: they say what each step may say as well
	for time > 0 && steady < time && steadyDeclaration(stmts[steady], stmts[time].(forStmt)) {
		steady++
	}
	for i, s := range stmts {
		if i != time && i >= steady {
			nr.errorf("HX102", firstPart(s), shapeRule, "keep it out of the region", "%s beside the time loop", describe(s))
		}
	}
	if time >= 0 {
		f := stmts[time].(forStmt)
		if steady > 0 {
			f.body = block{firstPart(f.body), append(slices.Clone(stmts[:steady]), f.body)}
		}
		nr.timeLoop(f)
	}
}

// steadyDeclaration reports whether s declares constant integers, as const int now = t % 2, that the head of f does not use, and that have the same
// values in every iteration of f.
func steadyDeclaration(s stmt, f forStmt) bool {
	d, ok := s.(declStmt)
	if !ok {
		return false
	}
	set, head := setsAny(f), exprsOf(f)
	if f.init != nil {
		head = append(head, exprsOf(f.init)...)
	}
	for _, v := range d.vars {
		t, isNumber := storedType(v.decl.Type())
		if !isNumber || t.IsFloat() || !v.decl.IsConst() || v.init == nil || mentionsAny([]expr{v.init}, set) || mentionsAny(head, []*cc.Declarator{v.decl}) {
			return false
		}
		steady := true
		eachExpr(v.init, func(e expr) {
			switch e := e.(type) {
			case ident:
				steady = steady && e.decl != nil && !e.decl.AddressTaken() && !isVolatile(e.decl)
			case number, binary, unary, cast:
			default:
				steady = false
			}
		})
		if !steady {
			return false
		}
	}
	return true
}

const shapeRule = "allowed: one time loop that holds loop nests and assignments, one after the other; or only loop nests and assignments"

func (nr *nestReader) timeLoop(f forStmt) {
	at := place{locals: map[*cc.Declarator]*local{}} // the variable of a loop in steps
	l, ok := nr.loop(f, at, map[string]bool{}, true)
	if l.decl == nil {
		return
	}
	body := slices.DeleteFunc(flatten([]stmt{f.body}), declaresOnly)
	if len(body) == 0 {
		nr.errorf("HX102", f.head, shapeRule, "put loop nests in it, or remove the pragmas", "the time loop is empty")
	}
	nr.timeBody(body, at.inside(l), ok)
}

// timeBody reads what one step of the time loop holds, which is around a place; ok says that it is sound.
func (nr *nestReader) timeBody(body []stmt, at place, ok bool) {
	l := at.loops[0]
	nr.findCycles(body, l)
	var run, prefix []stmt // statements since the last move of a pointer, and the locals set before
	flush := func() {
		for _, p := range nr.pieces(run, around{at: at}, prefix) {
			if nests := nr.read(p); ok {
				nr.nests = append(nr.nests, nests...)
			}
		}
		prefix = append(prefix, slices.DeleteFunc(run, func(s stmt) bool { return !setsLocalsOnly(s) })...)
		run = nil
	}
	for _, s := range body {
		ms, isMove := nr.moves(s)
		switch {
		case isMove:
			if len(ms) > 0 {
				flush()
				at.pointers = at.pointers.after(ms)
			}
		case !nr.moveIn(s):
			run = append(run, s)
		}
	}
	flush()
	if x, gathers := nr.gathered(block{l.where, body}); len(nr.nests) == 0 && !nr.errs.HasErrors() && gathers {
		nr.carried(x)
	}
	if len(nr.nests) == 0 && !nr.errs.HasErrors() {
		nr.errorf("HX102", l.where, shapeRule, "assign to an element of an array, or remove the pragmas", "the time loop changes no array")
	}
	if !nr.errs.HasErrors() {
		nr.checkCyclesUsed()
	}
	if !nr.errs.HasErrors() {
		nr.orderPlanes()
	}
}

// onceLoop returns a time loop of one iteration, 0, with the given name.
func onceLoop(name string) loop {
	d := new(cc.Declarator) // stands for itself only
	return loop{decl: d, name: name, typ: scop.Int, constraints: []linear{variable(d), variable(d).scale(-1)}}
}

func (nr *nestReader) remarkTimeless() {
	nr.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX118", At: nr.r.at,
		Msg: "this region has no time loop: only space is tiled, and each nest is a launch of its own"})
}

// moveIn reports a move inside of s, such as an if: of a pointer, or of a struct that is not declared there.
func (nr *nestReader) moveIn(s stmt) (found bool) {
	own := map[*cc.Declarator]bool{}
	eachStmt(s, func(in stmt) {
		if d, ok := in.(declStmt); ok {
			for _, v := range d.vars {
				own[v.decl] = true
			}
		}
		ms, ok := nr.moves(in)
		if !ok || len(ms) == 0 || found || !isPointer(ms[0].to) && own[ms[0].to] {
			return
		}
		found = true
		what := "struct"
		if isPointer(ms[0].to) {
			what = "pointer"
		}
		nr.errorf("HX117", ms[0].where, rotationRule, "move the assignment out, so that every step runs it",
			"%s '%s' is assigned inside %s", what, nr.u.members.name(ms[0].to), describe(s))
	})
	return found
}

// cannotBeTimeLoop reports whether ss, the statements of a region, cannot be a time loop and
// what it holds: there are two loops or more, also under conditions, or loops beside assignments to elements.
func cannotBeTimeLoop(ss []stmt) bool {
	loops, stores := 0, 0
	var count func(ss []stmt)
	count = func(ss []stmt) {
		for _, s := range flatten(ss) {
			switch s := s.(type) {
			case forStmt:
				loops++
			case ifStmt:
				if contains(s, func(s stmt) bool { _, loop := s.(forStmt); return loop }) {
					count([]stmt{s.then, s.orElse})
				}
			case exprStmt:
				if a, ok := s.x.(assign); ok {
					if _, ok := a.x.(index); ok {
						stores++
					}
				}
			}
		}
	}
	count(ss)
	return loops > 1 || loops == 1 && stores > 0
}

// String returns the nests in order, with their accesses.
func (nr *nestReader) String() string {
	return strings.Join(mapAll(nr.nests, func(n *nest) string { return n.text(nr.frame()) }), "")
}
