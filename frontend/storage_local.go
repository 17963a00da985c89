package frontend

import (
	"modernc.org/cc/v4"
)

// This file finds the arrays whose values nobody but the region can see: what
// it leaves in them need not come back.

// isLocal reports whether a is a local array of the function, or memory that a
// local pointer got from malloc or calloc, which nothing outside of the region
// mentions but to free it. It is honest: false where more would need to be known.
func (st *storage) isLocal(a *array) bool {
	d := a.decl
	if len(a.planes) > 0 || len(a.rows) > 0 || a.record != nil || st.u.members.is(d) || d.IsParam() || d.StorageDuration() != cc.Automatic {
		return false
	}
	isArray := d.Type().Kind() == cc.Array
	declared, mentioned := false, false
	eachStmt(st.r.body, func(s stmt) {
		if from, to, ok := st.f.bytes(s.at()); ok && from >= st.r.Start && to <= st.r.End {
			return
		}
		if decl, ok := s.(declStmt); ok {
			for _, v := range decl.vars {
				if v.decl == d {
					declared = isArray && v.init == nil || !isArray && isFresh(v.init)
				}
			}
		}
		for _, e := range append(exprsOf(s), initExpr(s)) {
			for _, e := range unfolded(e) {
				if !frees(e, d) {
					eachExpr(e, func(e expr) { mentioned = mentioned || isIdent(e, d) })
				}
			}
		}
	})
	return declared && !mentioned
}

// isFresh reports whether e is memory that nothing else points to.
func isFresh(e expr) bool {
	for {
		c, ok := e.(cast)
		if !ok {
			break
		}
		e = c.x
	}
	c, ok := e.(call)
	if !ok {
		return false
	}
	f, ok := c.fun.(ident)
	return ok && (f.name == "malloc" || f.name == "calloc")
}

// frees reports whether e is free(d).
func frees(e expr, d *cc.Declarator) bool {
	c, ok := e.(call)
	if !ok || len(c.args) != 1 || !isIdent(c.args[0], d) {
		return false
	}
	f, ok := c.fun.(ident)
	return ok && f.name == "free"
}
