package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file answers what can be seen in the text of a region and of the function around it: declarations, definitions,
// and how the user wrote an expression.

// A source is a region as its file has it. Nothing in it changes while the region is read.
type source struct {
	f *file
	u *unit
	r region
	o Options
}

// textOf returns e as the user wrote it, on one line. Of what a macro expands
// to, it returns the expansion.
func (src *source) textOf(e expr) string {
	w := e.at()
	if from, _, ok := src.f.bytes(w); !ok || w.first == w.last && src.f.text[from] != '(' {
		return exprText(e)
	}
	return oneLine(src.f.slice(w))
}

// definition returns the function of the file that f names, or nil.
func (u *unit) definition(f ident) *cc.FunctionDefinition {
	if f.decl == nil || f.decl.Type().Kind() != cc.Function {
		return nil
	}
	for tu := u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil && fd.Declarator.Name() == f.name {
			return fd
		}
	}
	return nil
}

func (src *source) definition(f ident) *cc.FunctionDefinition { return src.u.definition(f) }

// bodyOf returns the statements of fd.
func (src *source) bodyOf(fd *cc.FunctionDefinition) block {
	return src.bodyWith(fd, func(e expr) expr { return e })
}

// bodyWith returns the statements of fd with f applied to every expression in them, inside out. Members of structs are variables
// after that: where f puts a struct of the caller in the place of a parameter, they are members of that. Functions that return
// addresses are in the place of their calls.
func (src *source) bodyWith(fd *cc.FunctionDefinition, f func(expr) expr) block {
	return src.u.dispatched(src.f, src.r, src.u.sized(src.u.members.resolvedStmt(src.u.withElements(src.u.addressed(replaced(convertBlock(fd.CompoundStatement), f)), func(where) bool { return true })))).(block)
}

// declarationOf returns the declaration of d.
func (src *source) declarationOf(d *cc.Declarator) (found varDecl) {
	look := func(s stmt) {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				if v.decl == d {
					found = v
				}
			}
		}
	}
	eachStmt(src.r.body, look)
	for tu := src.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if n := tu.ExternalDeclaration.Declaration; n != nil && declares(n, d) {
			look(convertDecl(n))
		}
	}
	return found
}

// declares reports whether n declares d.
func declares(n *cc.Declaration, d *cc.Declarator) bool {
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if l.InitDeclarator.Declarator == d {
			return true
		}
	}
	return false
}

// initOf returns the first value of d, or nil.
func (src *source) initOf(d *cc.Declarator) expr { return src.declarationOf(d).init }

// ofFunction reports whether d is a parameter of the function around the region.
func (src *source) ofFunction(d *cc.Declarator) bool {
	return slices.Contains(parameters(src.r.function), d)
}

// isAutomatic reports whether nobody else can see d: a local variable or a
// parameter whose address is not taken.
func (src *source) isAutomatic(d *cc.Declarator) bool {
	return !src.u.members.is(d) && d.StorageDuration() == cc.Automatic && !d.AddressTaken()
}

// sizesOf returns the expressions of the extents of d that are not constants.
func (src *source) sizesOf(d *cc.Declarator) (sizes []expr) {
	if d == nil {
		return nil
	}
	return src.sizesOfType(d.Type())
}

func (src *source) sizesOfType(t cc.Type) (sizes []expr) {
	if t == nil {
		return nil
	}
	s, _ := shapeOfType(t)
	if tableOf(t) > 0 {
		return src.sizesOfType(s.elem)
	}
	for _, a := range s.dims {
		if a != nil && a.Len() < 0 && a.SizeExpression() != nil {
			sizes = append(sizes, src.u.extent(a))
		}
	}
	return sizes
}

// constantName returns the name that e is written as, if it consists of numbers.
func (src *source) constantName(e expr) string {
	w := e.at()
	from := src.f.offset(w.first)
	if from < 0 || w.first != w.last {
		return ""
	}
	switch e.(type) {
	case number, unary, binary, cast:
	default:
		return ""
	}
	text := src.f.word(from, src.f.plainTokenEnd(from))
	if x, ok := e.(number); ok && (src.f.constants[text] || x.name == text) {
		return text
	}
	numbers := src.f.constants[text]
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case number, unary, binary, cast:
		default:
			numbers = false
		}
	})
	if numbers {
		return text
	}
	return ""
}

// inOrder returns the keys of m in order of declaration.
func inOrder[V any](src *source, m map[*cc.Declarator]V) []*cc.Declarator {
	var ds []*cc.Declarator
	for d := range m {
		ds = append(ds, d)
	}
	slices.SortFunc(ds, src.u.members.compare)
	return ds
}

// formals returns the parameters of fd, also those without a name.
func formals(fd *cc.FunctionDefinition) (ps []*cc.Parameter) {
	if t, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
		for _, p := range t.Parameters() {
			if p.Type().Kind() != cc.Void {
				ps = append(ps, p)
			}
		}
	}
	return ps
}

func (src *source) before(d, e *cc.Declarator) bool { return src.u.members.compare(d, e) < 0 }

// declared returns where d is declared, or, for an array inside of a struct, the
// variable that leads to it.
func (src *source) declared(d *cc.Declarator) diag.Span {
	if m, ok := src.u.members.of[d]; ok && !isPointer(d) {
		d = m.root
	}
	return src.f.span(tokenAt(d.NameTok()))
}

// moves returns the pointer assignments that s consists of; ok is false if s
// holds anything else.
func (src *source) moves(s stmt) (ms []move, ok bool) {
	switch s := s.(type) {
	case declStmt:
		for _, v := range s.vars {
			if !isPointer(v.decl) && !copiesStruct(v.decl, v.init) {
				return nil, false
			}
			if v.init != nil {
				ms = append(ms, src.newMove(v.where.to(v.init.at()), v.decl, v.init))
			}
		}
		return ms, true
	case exprStmt:
		return src.exprMoves(s.x)
	}
	return nil, false
}

func (src *source) exprMoves(e expr) (ms []move, ok bool) {
	switch e := e.(type) {
	case comma:
		for _, x := range e.xs {
			more, ok := src.exprMoves(x)
			if !ok {
				return nil, false
			}
			ms = append(ms, more...)
		}
		return ms, true
	case assign:
		if x, ok := direct(e.x).(ident); ok && x.decl != nil && (isPointer(x.decl) || copiesStruct(x.decl, assigned(e))) {
			return []move{src.newMove(e.where, x.decl, assigned(e))}, true
		}
	}
	return nil, false
}

// copiesStruct reports whether e, which is assigned to d, is a whole struct.
func copiesStruct(d *cc.Declarator, e expr) bool {
	x, ok := direct(e).(ident)
	return ok && x.decl != nil && holdsStruct(d) && holdsStruct(x.decl)
}

func (src *source) newMove(w where, to *cc.Declarator, from expr) move {
	m := move{where: w, to: to}
	if from != nil {
		m.text = src.textOf(from)
	}
	for {
		c, ok := from.(cast)
		if !ok {
			break
		}
		from = c.x
	}
	switch x := direct(from).(type) {
	case ident:
		if x.decl != nil && (isPointer(x.decl) || holdsStruct(x.decl)) {
			m.from = x.decl
		}
	case cond:
		if p, ok := choiceOfPointers(x); ok {
			m.choice = p.choice
		}
	}
	return m
}
