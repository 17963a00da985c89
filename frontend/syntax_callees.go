package frontend

import (
	"cmp"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the functions that a pointer may lead to: those whose address the file takes.

// pointees returns the functions of type t whose address the file takes, in order: its own ones, and those of math.h.
func (u *unit) pointees(t *cc.FunctionType) (of []*cc.Declarator) {
	if u.taken == nil {
		u.taken = u.addressees()
	}
	for _, to := range u.taken {
		ft, ok := to.Type().(*cc.FunctionType)
		if !ok || ft.IsVariadic() || len(ft.Parameters()) != len(t.Parameters()) || !ft.IsCompatible(t) || !u.isReadable(to) {
			continue
		}
		of = append(of, to)
	}
	return of
}

// isReadable reports whether a region may call function to.
func (u *unit) isReadable(to *cc.Declarator) bool {
	if u.definition(ident{name: to.Name(), decl: to}) != nil {
		return u.attributes.names[to.Name()+"()"] == ""
	}
	_, known := scop.Computable(to.Name())
	return known && isPrototype(to)
}

// isPrototype reports whether d is declared with the types of its arguments.
func isPrototype(d *cc.Declarator) bool {
	if d == nil {
		return false
	}
	f, ok := d.Type().(*cc.FunctionType)
	return ok && len(f.Parameters()) > 0
}

// addressees returns the functions that the file uses in another way than by calling them, by their names.
func (u *unit) addressees() []*cc.Declarator {
	taken := map[string]*cc.Declarator{}
	var visit func(e expr)
	visit = func(e expr) {
		switch x := e.(type) {
		case nil:
			return
		case ident:
			if x.decl != nil && x.decl.Type().Kind() == cc.Function {
				taken[x.name] = x.decl
			}
		case call:
			if _, direct := x.fun.(ident); direct {
				for _, a := range x.args {
					visit(a)
				}
				return
			}
		}
		for _, x := range children(e) {
			visit(x)
		}
	}
	look := func(s stmt) {
		eachStmt(s, func(s stmt) {
			for _, e := range append(exprsOf(s), initExpr(s)) {
				visit(e)
			}
			if x, ok := s.(declStmt); ok {
				for _, v := range x.vars {
					for _, e := range valuesIn(v.list) {
						visit(e)
					}
				}
			}
		})
	}
	u.eachPart(look)
	return slices.SortedFunc(maps.Values(taken), func(x, y *cc.Declarator) int {
		s, t := x.NameTok(), y.NameTok()
		return cmp.Compare(s.Seq(), t.Seq())
	})
}

// eachPart calls visit for the bodies of all functions of the file, and for its declarations.
func (u *unit) eachPart(visit func(stmt)) {
	for tu := u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
			visit(convertBlock(fd.CompoundStatement))
		}
		if n := tu.ExternalDeclaration.Declaration; n != nil {
			visit(convertDecl(n))
		}
	}
}

// valuesIn returns the expressions in a list of first values.
func valuesIn(n *cc.Initializer) (all []expr) {
	if n != nil {
		eachInitial(n, func(n *cc.Initializer) bool {
			all = append(all, convertExpr(n.AssignmentExpression))
			return true
		})
	}
	return all
}

// tableOfFunctions returns what the elements of d are, if that is a constant array of pointers to functions of the file, all written in their order; else nil.
func (u *unit) tableOfFunctions(d *cc.Declarator) (of []*cc.Declarator) {
	array, ok := d.Type().(*cc.ArrayType)
	if !ok || !(d.IsConst() || array.Elem().Attributes().IsConst()) {
		return nil
	}
	n := u.listOf(d)
	if n == nil {
		return nil
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		if l.Designation != nil || l.Initializer.Case != cc.InitializerExpr {
			return nil
		}
		f, isName := called(convertExpr(l.Initializer.AssignmentExpression)).(ident)
		if !isName || f.decl == nil || f.decl.Type().Kind() != cc.Function || !u.isReadable(f.decl) {
			return nil
		}
		of = append(of, f.decl)
	}
	if int64(len(of)) != array.Len() {
		return nil
	}
	return of
}

// listOf returns the list of first values of d, or nil.
func (u *unit) listOf(d *cc.Declarator) (list *cc.Initializer) {
	u.eachPart(func(s stmt) {
		eachStmt(s, func(s stmt) {
			if x, ok := s.(declStmt); ok {
				for _, v := range x.vars {
					if v.decl == d {
						list = v.list
					}
				}
			}
		})
	})
	return list
}
