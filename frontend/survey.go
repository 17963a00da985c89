package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file looks over a region before it is read in order: a variable may
// turn out to be a parameter, or local to a nest, only further down.

// lookOver finds the iterators, what is assigned, and what subscripts, bounds
// and extents are made of.
func (nr *nestReader) lookOver(dense bool) {
	ex := &expander{survey: nr.survey}
	nr.stmts = ex.expand(nr.r.stmts)
	if dense {
		nr.stmts = mapAll(nr.stmts, nr.denseLoops)
	}
	for _, s := range nr.stmts {
		eachStmt(s, nr.surveyStmt)
	}
	for d := range nr.iterators {
		delete(nr.written, d)
	}
	nr.followFlows()
	nr.findComponents(nr.timeless)
	for _, s := range nr.stmts {
		eachStmt(s, nr.surveyNames)
	}
	for d := range nr.affine {
		if !nr.iterators[d] {
			nr.names[nr.u.members.name(d)] = true // that of a member is no identifier: it takes none
		}
	}
}

// surveyNames notes the names of the variables that s uses and that keep their
// names: all but iterators and locals.
func (sym *symbols) surveyNames(s stmt) {
	note := func(e expr) {
		x, ok := e.(ident)
		if !ok || x.decl == nil || sym.iterators[x.decl] {
			return
		}
		if _, written := sym.written[x.decl]; !written {
			sym.names[x.name] = true
		}
	}
	for _, e := range append(exprsOf(s), initExpr(s)) {
		eachExpr(e, note)
	}
}

func initExpr(s stmt) expr {
	if f, ok := s.(forStmt); ok {
		return initOf(f)
	}
	return nil
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
	params := parameters(fd)
	for i, d := range params {
		if _, isNumber := numberType(d.Type()); isNumber && i < len(e.args) {
			sv.flows = append(sv.flows, flow{d, e.args[i]})
			sv.written[d] = where{d.Position(), d.Position()}
		}
	}
	body := sv.bodyOf(fd)
	if slices.Contains(sv.inlined, body.where) {
		return
	}
	sv.inlined = append(sv.inlined, body.where)
	eachStmt(body, sv.surveyStmt)
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
			if x, ok := e.x.(ident); ok && x.decl != nil && e.op == "&" {
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
	if whole {
		sv.surveyAffine(e)
	}
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

// iteratorOf returns the variable that f counts with, or nil.
func iteratorOf(f forStmt) *cc.Declarator {
	switch s := f.init.(type) {
	case declStmt:
		if len(s.vars) == 1 {
			return s.vars[0].decl
		}
	case exprStmt:
		if a, ok := s.x.(assign); ok && a.op == "=" {
			if x, ok := a.x.(ident); ok {
				return x.decl
			}
		}
	}
	return nil
}

// initOf returns the first value of the iterator of f, or nil.
func initOf(f forStmt) expr {
	switch s := f.init.(type) {
	case declStmt:
		if len(s.vars) == 1 {
			return s.vars[0].init
		}
	case exprStmt:
		if a, ok := s.x.(assign); ok && a.op == "=" {
			return a.y
		}
	}
	return nil
}

// unique returns name, or name with a number where another variable of the
// region or of n has it.
func (sym *symbols) unique(n *nest, name string) string {
	name = scop.Plain(name)
	u := name
	for i := 1; sym.names[u] || n.names[u] || isReserved(u); i++ {
		u = fmt.Sprintf("%s_%d", name, i)
	}
	n.names[u], sym.own[u] = true, true
	return u
}

// numberType returns the type of a number in the region.
func numberType(t cc.Type) (scop.Type, bool) {
	if t == nil {
		return scop.Int, true
	}
	switch t.Kind() {
	case cc.Enum:
		return numberType(t.(*cc.EnumType).UnderlyingType())
	case cc.Int:
		return scop.Int, true
	case cc.UInt:
		return scop.Uint, true
	case cc.Long, cc.LongLong:
		return scop.Long, true
	case cc.ULong, cc.ULongLong:
		return scop.Ulong, true
	case cc.Float:
		return scop.Float, true
	case cc.Double:
		return scop.Double, true
	}
	return 0, false
}

// storedType returns the type of a number in memory, or of one that is cut down to that type: those
// of numberType, and those with fewer bits than int, in which C does not calculate.
func storedType(t cc.Type) (scop.Type, bool) {
	if t != nil {
		switch t.Kind() {
		case cc.Char:
			if cc.IsSignedInteger(t) {
				return scop.Char, true
			}
			return scop.Uchar, true
		case cc.SChar:
			return scop.Char, true
		case cc.UChar:
			return scop.Uchar, true
		case cc.Short:
			return scop.Short, true
		case cc.UShort:
			return scop.Ushort, true
		}
	}
	return numberType(t)
}

// calculated returns the type in which C calculates with values of type t.
func calculated(t scop.Type) scop.Type {
	if t.IsNarrow() {
		return scop.Int
	}
	return t
}

// reserved are the names with a meaning in isl notation.
var reserved = []string{"and", "or", "not", "exists", "mod", "true", "false", "floor", "floord", "ceil", "ceild", "min", "max", "implies"}

func isReserved(name string) bool { return slices.Contains(reserved, name) }
