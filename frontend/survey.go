package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file looks over a region before it is read in order: a variable may
// turn out to be a parameter, or local to a nest, only further down.

// A survey is what a look over a whole region finds, before it is read in order: that a variable is a parameter, or
// local to a nest, may show only further down.
type survey struct {
	*notes
	stmts     []stmt                   // the statements of the region, with those of the functions that it calls as statements
	iterators map[*cc.Declarator]bool  // of the loops of the region
	written   map[*cc.Declarator]where // what the region assigns, and where first
	affine    map[*cc.Declarator]bool  // what stands in bounds, subscripts and extents
	inlined   []where                  // bodies of functions that are part of the region
	expanded  map[string]bool          // the functions that the region no longer calls
	flows     []flow
	whole     map[diag.Pos]int        // where structs are set as a whole: of how many numbers
	same      [][2]ident              // integers that are taken to be the same: see survey_moved.go
	apart     map[*cc.Declarator]bool // the small arrays of which the elements are variables
	consts    map[*cc.Declarator]known
	tables    map[tableKey][]int64    // the elements of constant arrays: see tableValue
	calls     callStack               // around what is surveyed
	blocks    []blocking              // loops that were written in blocks
	made      map[*cc.Declarator]bool // the variables of loops that the source has not
	copies    map[where]bool          // the calls that loops stand for: see withoutCopies
	handed    map[where]bool          // addresses of structs that functions without effects are called with
	split     map[where][]splitLoop   // loops over all elements, by their heads: see withoutCollapsed
}

func newSurvey(ns *notes) *survey {
	return &survey{
		notes: ns, iterators: map[*cc.Declarator]bool{}, written: map[*cc.Declarator]where{}, affine: map[*cc.Declarator]bool{},
		expanded: map[string]bool{}, apart: map[*cc.Declarator]bool{}, made: map[*cc.Declarator]bool{}, copies: map[where]bool{}, handed: map[where]bool{}, split: map[where][]splitLoop{}, whole: map[diag.Pos]int{}, consts: map[*cc.Declarator]known{}, tables: map[tableKey][]int64{},
	}
}

func (sv *survey) surveyStmt(s stmt) {
	if f, ok := s.(forStmt); ok {
		if d := iteratorOf(f); d != nil {
			sv.iterators[d] = true
		}
		sv.surveyAffine(initOf(f))
		sv.surveyAffine(f.cond)
		sv.surveyExpr(initOf(f))
		sv.surveyExpr(f.cond) // not the step, which assigns the iterator
		return
	}
	for _, e := range exprsOf(s) {
		sv.surveyExpr(e)
	}
	if f, ok := s.(ifStmt); ok {
		sv.surveyCondition(f.cond)
		if sv.testsCallback(f.cond) && contains(s, isLoop) {
			sv.surveyAffine(f.cond)
		}
	}
	if d, ok := s.(declStmt); ok {
		for _, v := range d.vars {
			if _, known := sv.written[v.decl]; !known {
				sv.written[v.decl] = v.where
			}
			sv.flows = append(sv.flows, flow{v.decl, v.init})
		}
	}
}

// A flow is a value that a variable may get.
type flow struct {
	to   *cc.Declarator
	from expr
}

// noLongerCalls notes that fd is put where the region calls it.
func (sv *survey) noLongerCalls(fd *cc.FunctionDefinition) { sv.expanded[fd.Declarator.Name()] = true }

// look finds the iterators of stmts, what they assign, and what subscripts, bounds
// and extents are made of.
func (sv *survey) look(stmts []stmt) {
	sv.stmts = stmts
	for _, s := range stmts {
		eachStmt(s, sv.surveyStmt)
	}
	for d := range sv.iterators {
		delete(sv.written, d)
	}
	sv.followFlows()
}

// followFlows notes what the values of affine variables are made of.
func (sv *survey) followFlows() {
	for changed := true; changed; {
		before := len(sv.affine)
		for _, f := range sv.flows {
			if sv.affine[f.to] && f.from != nil {
				sv.surveyAffine(f.from)
			}
		}
		changed = len(sv.affine) > before
	}
}

// surveyCall looks over the function of the file that e calls, once.
func (sv *survey) surveyCall(e call) {
	f, ok := e.fun.(ident)
	if !ok {
		return
	}
	fd := sv.definition(f)
	if fd == nil {
		return
	}
	if !sv.hasEffects(fd, map[*cc.FunctionDefinition]bool{}) {
		for _, arg := range e.args {
			if isStructAddress(arg) { // which the function reads
				sv.handed[arg.at()] = true
			}
		}
	}
	params := parameters(fd)
	for i, d := range params {
		if _, isNumber := numberType(d.Type()); isNumber && i < len(e.args) {
			sv.flows = append(sv.flows, flow{d, e.args[i]})
			sv.written[d] = where{d.Position(), d.Position()}
		}
	}
	args := map[*cc.Declarator]expr{}
	for i, d := range params {
		if _, isNumber := numberType(d.Type()); !isNumber && i < len(e.args) && isStructName(e.args[i]) {
			args[d] = e.args[i]
		}
	}
	body := sv.bodyWith(fd, putting(args))
	if slices.Contains(sv.inlined, body.where) && len(args) == 0 || sv.calls.holds(fd) {
		return
	}
	if !slices.Contains(sv.inlined, body.where) {
		sv.inlined = append(sv.inlined, body.where)
	}
	outer := sv.calls
	sv.calls = outer.with(fd, e.where)
	eachStmt(body, sv.surveyStmt)
	sv.calls = outer
}

func (sv *survey) surveyExpr(e expr) {
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case assign:
			if x, ok := e.x.(ident); ok && x.decl != nil {
				if _, known := sv.written[x.decl]; !known {
					sv.written[x.decl] = e.where
				}
				sv.flows = append(sv.flows, flow{x.decl, e.y})
			}
		case call:
			sv.surveyCall(e)
		case cond:
			sv.surveyCondition(e.c)
		case index:
			sv.surveyAffine(e.sub)
			sv.surveyOffset(e.base)
		case unary:
			if e.op == "*" {
				sv.surveyOffset(e.x)
			}
			if x, ok := e.x.(ident); ok && x.decl != nil && e.op == "&" && !sv.handed[e.where] && !(sv.f.cxx != nil && holdsStruct(x.decl)) { // methods in expressions set no numbers of their object, and what others set is seen in their statements
				if _, known := sv.written[x.decl]; !known {
					sv.written[x.decl] = e.where
				}
			}
		case cast:
			for _, size := range sv.sizesOfType(e.typ) {
				sv.surveyAffine(size)
			}
		case ident:
			for _, size := range sv.sizesOf(e.decl) {
				sv.surveyAffine(size)
			}
		}
	})
}

// surveyOffset notes the variables that take part in subscripts of *e.
func (sv *survey) surveyOffset(e expr) {
	if p, offset, ok := pointer(e); ok {
		for _, sub := range append(p.subs, offset) {
			sv.surveyAffine(sub)
		}
	}
}

// surveyCondition notes the variables of e, if that is about integers: then it
// may divide a nest.
func (sv *survey) surveyCondition(e expr) {
	whole := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case ident:
			if e.decl != nil {
				t, ok := storedType(e.decl.Type())
				whole = whole && ok && !t.IsFloat()
			}
		case number:
			t, ok := numberType(e.typ)
			whole = whole && ok && !t.IsFloat()
		case unary, binary, cast:
		default:
			whole = false
		}
	})
	if whole && !sv.testsCallback(e) {
		sv.surveyAffine(e)
	}
}

// testsCallback reports whether e tells which function a pointer leads to: that divides no nest, unless these functions hold its loops.
func (sv *survey) testsCallback(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok {
			_, is := sv.u.callbacks[x.decl]
			found = found || is
		}
	})
	return found
}

// surveyAffine notes the variables of e that take part in a subscript or bound.
func (sv *survey) surveyAffine(e expr) {
	if e == nil {
		return
	}
	if x, ok := e.(index); ok { // an element, not affine
		sv.surveyAffine(x.sub)
		return
	}
	if x, ok := e.(ident); ok && x.decl != nil {
		sv.affine[x.decl] = true
	}
	for _, x := range children(e) {
		sv.surveyAffine(x)
	}
}

// inRegion reports whether d is declared in the region.
func (sv *survey) inRegion(d *cc.Declarator) bool {
	if sv.made[d] || sv.apart[d] || sv.apart[sv.u.members.rootOf(sv.u.members.arrayOf(d))] {
		return true
	}
	d = sv.u.members.arrayOf(d)
	at := sv.f.offset(d.Position())
	for _, w := range sv.inlined {
		if from, to, ok := sv.f.bytes(w); ok && from <= at && at < to || sv.u.members.rootOf(d).Position().Filename == w.first.Filename && !ok {
			return true
		}
	}
	for _, f := range sv.flows { // a parameter of a function that is inlined
		if f.to == d && d.IsParam() && !sv.ofFunction(d) {
			return true
		}
	}
	return at >= sv.r.Start && at < sv.r.End
}

// stores reports whether the region sets elements of d.
func (sv *survey) stores(d *cc.Declarator) (found bool) {
	for _, s := range sv.stmts {
		eachExprIn(s, func(e expr) {
			if x, ok := e.(assign); ok {
				p, ok := lvalue(x.x)
				found = found || ok && len(p.subs) > 0 && p.root.decl == d
			}
		})
	}
	return found
}

// gathered returns the first place where s sets a scalar that is not its own and
// may hold, at the beginning of s, what an earlier iteration left in it.
func (sv *survey) gathered(s stmt) (x ident, found bool) {
	carries := map[*cc.Declarator]bool{}
	for _, d := range assignedIn(s) {
		if _, seen := carries[d]; !seen && !sv.iterators[d] {
			u := &liveness{source: sv.source, decl: d, inside: true}
			u.stmt(s)
			carries[d] = u.fate == read
		}
	}
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok && !found {
			if y, ok := a.x.(ident); ok && carries[y.decl] {
				x, found = y, true
			}
		}
	})
	return x, found
}

// placesElements reports whether the variable of f tells the elements apart that
// its body sets, and the body gathers nothing in a scalar.
func (sv *survey) placesElements(f forStmt) bool {
	d := iteratorOf(f)
	sets, places := false, true
	eachExprIn(f.body, func(e expr) {
		a, ok := e.(assign)
		if !ok {
			return
		}
		if _, scalar := a.x.(ident); scalar {
			return
		}
		used := false
		eachExpr(a.x, func(e expr) { used = used || isIdent(e, d) })
		sets, places = true, places && used
	})
	_, gathers := sv.gathered(f.body)
	return sets && places && !gathers
}

// assigns reports whether the region assigns to a variable of e.
func (sv *survey) assigns(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok {
			_, written := sv.written[x.decl]
			found = found || written
		}
	})
	return found
}

// String returns what was found, a kind on each line, in order of declaration.
func (sv *survey) String() string {
	var b strings.Builder
	line := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "%-10s %s\n", what, list(names))
		}
	}
	line("iterators", namesIn(sv.source, sv.iterators))
	line("assigned", namesIn(sv.source, sv.written))
	line("affine", namesIn(sv.source, sv.affine))
	line("expanded", slices.Sorted(maps.Keys(sv.expanded)))
	return b.String()
}

// namesIn returns the names of the variables that are keys of m, as the user knows them.
func namesIn[V any](src *source, m map[*cc.Declarator]V) []string {
	return mapAll(inOrder(src, m), src.u.members.name)
}
