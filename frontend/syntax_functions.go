package frontend

import "modernc.org/cc/v4"

// This file says what functions of the file take, and which of their parameters they change.

// parameters returns the parameters of fd.
func parameters(fd *cc.FunctionDefinition) (ds []*cc.Declarator) {
	t, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil
	}
	for _, p := range t.Parameters() {
		if p.Declarator != nil && p.Type().Kind() != cc.Void {
			ds = append(ds, p.Declarator)
		}
	}
	return ds
}

// within reports whether d is declared in the body of fd.
func within(fd *cc.FunctionDefinition, d *cc.Declarator) bool {
	name, body := d.NameTok(), fd.CompoundStatement
	return body.Token.Seq() < name.Seq() && name.Seq() < body.Token2.Seq()
}

// isStruct reports whether t is a struct.
func isStruct(t cc.Type) bool { _, ok := t.(*cc.StructType); return ok }

// changes reports whether body sets d, or a part of it, or takes its address.
func changes(body stmt, d *cc.Declarator) (found bool) {
	root := func(e expr) bool {
		for {
			switch x := e.(type) {
			case memberExpr:
				if x.arrow {
					return false
				}
				e = x.x
			case index:
				e = x.base
			default:
				return isIdent(e, d)
			}
		}
	}
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case assign:
			found = found || root(e.x)
		case unary:
			found = found || e.op == "&" && root(e.x)
		}
	})
	return found
}
