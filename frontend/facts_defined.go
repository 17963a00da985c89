package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file takes facts from variables that are set before the region to sums of others, as in int rows = n + 2.

// stateValue notes that v, which is set to e before the region, is equal to e, where that is a sum of parameters of which none
// changes from there on.
func (fs *facts) stateValue(v ident, e expr) {
	if _, known := fs.params[v.decl]; !known || !fs.isAutomatic(v.decl) || !keeps(v, e) || mentions(e, v.decl) {
		return
	}
	for _, constraint := range fs.constraintsOfComparison("==", v, mapExpr(e, putting(fs.numbers()))) {
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

// numbers returns the values of variables that are declared with a number before the region, keep it, and are no parameters: the region has the number in their place.
func (fs *facts) numbers() map[*cc.Declarator]expr {
	values := map[*cc.Declarator]expr{}
	fs.eachKept(func(v varDecl) {
		_, isParam := fs.params[v.decl]
		t, number := storedType(v.decl.Type())
		if n, ok := literal(v.init); ok && !isParam && number && t == scop.Int && fits(n, t) {
			values[v.decl] = v.init
		}
	})
	return values
}
