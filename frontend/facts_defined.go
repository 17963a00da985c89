package frontend

import "github.com/hexcc/hexcc/scop"

// This file takes facts from variables that are set before the region to sums of others, as in int rows = n + 2.

// stateValue notes that v, which is set to e before the region, is equal to e, where that is a sum of parameters of which none
// changes from there on.
func (fs *facts) stateValue(v ident, e expr) {
	if _, known := fs.params[v.decl]; !known || !fs.isAutomatic(v.decl) || !keeps(v, e) || mentions(e, v.decl) {
		return
	}
	for _, constraint := range fs.constraintsOfComparison("==", v, mapExpr(e, fs.asNumber)) {
		if fs.keptSince(e, constraint) {
			fs.stated = append(fs.stated, constraint)
		}
	}
}

// keeps reports whether v takes all values of e as they are: it is of the type that e is computed in, or of a wider one, and both are signed.
func keeps(v ident, e expr) bool {
	to, ok := storedType(v.decl.Type())
	from := intType(e)
	return ok && !to.IsFloat() && !isUnsigned(to) && !isUnsigned(from) && from.Size() <= to.Size() && to != scop.Bool
}

// asNumber returns, for a variable that keeps the number which it is declared with, and is no parameter, that number: the region has it in its place. Others stay.
func (fs *facts) asNumber(e expr) expr {
	x, ok := e.(ident)
	if _, isParam := fs.params[x.decl]; !ok || x.decl == nil || isParam || !fs.isKept(x.decl) {
		return e
	}
	init := fs.declarationOf(x.decl).init
	if t, number := storedType(x.decl.Type()); number && t == scop.Int {
		if _, constant := literal(init); constant {
			return init
		}
	}
	return e
}
