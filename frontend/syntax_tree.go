package frontend

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"
)

// This file asks small questions of the syntax tree: which variable a loop counts in, what a statement sets, whether two
// expressions are written alike, what a condition of numbers decides.

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

func initExpr(s stmt) expr {
	if f, ok := s.(forStmt); ok {
		return initOf(f)
	}
	return nil
}

// stepOf returns what e adds to d.
func stepOf(e expr, d *cc.Declarator) (by int64, ok bool) {
	a, ok := e.(assign)
	if !ok || !isIdent(a.x, d) {
		return 0, false
	}
	switch a.op {
	case "++":
		return 1, true
	case "--":
		return -1, true
	case "+=":
		return literal(a.y)
	case "-=":
		v, ok := literal(a.y)
		return -v, ok
	case "=":
		s, ok := a.y.(binary)
		if !ok || s.op != "+" && s.op != "-" {
			return 0, false
		}
		x, y := s.x, s.y
		if s.op == "+" && isIdent(y, d) {
			x, y = y, x
		}
		v, ok := literal(y)
		if s.op == "-" {
			v = -v
		}
		return v, ok && isIdent(x, d)
	}
	return 0, false
}

func isIdent(e expr, d *cc.Declarator) bool {
	x, ok := e.(ident)
	return ok && x.decl == d
}

// mentions reports whether d stands in e.
func mentions(e expr, d *cc.Declarator) (found bool) {
	eachExpr(e, func(e expr) { found = found || isIdent(e, d) })
	return found
}

// declaresOnly reports whether s declares variables and sets none.
func declaresOnly(s stmt) bool {
	d, ok := s.(declStmt)
	return ok && !slices.ContainsFunc(d.vars, func(v varDecl) bool { return v.init != nil })
}

// firstPart returns what to underline of s: its head.
func firstPart(s stmt) where {
	switch s := s.(type) {
	case forStmt:
		return s.head
	case nil:
		return where{}
	}
	return s.at()
}

// describe names the kind of s.
func describe(s stmt) string {
	switch s := s.(type) {
	case forStmt:
		return "another loop"
	case ifStmt:
		return "an if"
	case declStmt:
		return "a declaration"
	case otherStmt:
		return s.what
	case exprStmt:
		switch s.x.(type) {
		case call:
			return "a function call"
		case assign:
			return "an assignment"
		}
	}
	return "a statement"
}

// assigns reports whether s sets d, or takes its address.
func assigns(s stmt, d *cc.Declarator) (found bool) {
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			found = found || isIdent(e.x, d)
		case unary:
			found = found || e.op == "&" && isIdent(e.x, d)
		}
	})
	return found
}

// iteratorsIn returns the variables of the loops in s.
func iteratorsIn(s stmt) (ds []*cc.Declarator) {
	eachStmt(s, func(s stmt) {
		if f, ok := s.(forStmt); ok && iteratorOf(f) != nil {
			ds = append(ds, iteratorOf(f))
		}
	})
	return ds
}

// declaredWithin reports whether s declares d.
func declaredWithin(s stmt, d *cc.Declarator) (found bool) {
	eachStmt(s, func(s stmt) {
		if x, ok := s.(declStmt); ok {
			found = found || slices.ContainsFunc(x.vars, func(v varDecl) bool { return v.decl == d })
		}
	})
	return found
}

// assignedIn returns the scalars that s sets, but for those that it declares, and the variables of its loops.
func assignedIn(s stmt) (ds []*cc.Declarator) {
	own := map[*cc.Declarator]bool{}
	eachStmt(s, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				own[v.decl] = true
			}
		}
		if f, ok := s.(forStmt); ok {
			own[iteratorOf(f)] = true
		}
	})
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok && x.decl != nil && !own[x.decl] {
				ds = append(ds, x.decl)
			}
		}
	})
	return ds
}

// setsLocalsOnly reports whether s does nothing but set scalars.
func setsLocalsOnly(s stmt) bool {
	only := true
	eachStmt(s, func(s stmt) {
		switch s.(type) {
		case declStmt, exprStmt, ifStmt, block, forStmt, forgetStmt:
		default:
			only = false
		}
	})
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			if _, ok := e.x.(ident); !ok {
				only = false
			}
		}
	})
	return only
}

// mentionsAny reports whether some of xs mentions one of ds.
func mentionsAny(xs []expr, ds []*cc.Declarator) (found bool) {
	for _, x := range xs {
		eachExpr(x, func(e expr) {
			if y, ok := e.(ident); ok && slices.Contains(ds, y.decl) {
				found = true
			}
		})
	}
	return found
}

func readsElement(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case index, call:
			found = true
		}
	})
	return found
}

func hasCond(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		if _, ok := e.(cond); ok {
			found = true
		}
	})
	return found
}

// valueAfter returns what e assigns as one expression.
func valueAfter(e assign) expr {
	one := numberAt(e.where, 1)
	switch {
	case e.op == "=":
		return e.y
	case e.y == nil:
		return binary{e.where, e.op[:1], e.x, one}
	}
	return binary{e.where, e.op[:len(e.op)-1], e.x, e.y}
}

// sameExpr reports whether x and y are written alike.
func sameExpr(x, y expr) bool {
	switch x := x.(type) {
	case ident:
		y, ok := y.(ident)
		return ok && x.decl == y.decl && x.name == y.name
	case number:
		y, ok := y.(number)
		return ok && x.val == y.val && x.text == y.text
	case unary:
		y, ok := y.(unary)
		return ok && x.op == y.op && sameExpr(x.x, y.x)
	case binary:
		y, ok := y.(binary)
		return ok && x.op == y.op && sameExpr(x.x, y.x) && sameExpr(x.y, y.y)
	case cond:
		y, ok := y.(cond)
		return ok && sameExpr(x.c, y.c) && sameExpr(x.x, y.x) && sameExpr(x.y, y.y)
	case cast:
		y, ok := y.(cast)
		return ok && x.typ == y.typ && sameExpr(x.x, y.x)
	case index:
		y, ok := y.(index)
		return ok && sameExpr(x.base, y.base) && sameExpr(x.sub, y.sub)
	case memberExpr:
		y, ok := y.(memberExpr)
		return ok && x.field == y.field && x.arrow == y.arrow && sameExpr(x.x, y.x)
	case call:
		y, ok := y.(call)
		return ok && sameExpr(x.fun, y.fun) && slices.EqualFunc(x.args, y.args, sameExpr)
	}
	return false
}

func hasChoice(body []stmt) (found bool) {
	for _, s := range body {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case cond:
				found = true
			case binary:
				found = found || e.op == "&&" || e.op == "||"
			}
		})
		found = found || contains(s, func(s stmt) bool { _, ok := s.(ifStmt); return ok })
	}
	return found
}

// constantTruth returns the value of condition e where numbers in it decide it,
// whatever its other parts are: nothing in an expression has an effect.
func constantTruth(e expr) (value, known bool) {
	switch e := e.(type) {
	case number:
		v, ok := intValue(e.val)
		return v != 0, ok
	case unary:
		if e.op == "!" {
			value, known = constantTruth(e.x)
			return !value, known
		}
	case binary:
		if e.op != "&&" && e.op != "||" {
			break
		}
		decides := e.op == "||"
		x, knownX := constantTruth(e.x)
		y, knownY := constantTruth(e.y)
		switch {
		case knownX && x == decides, knownY && y == decides:
			return decides, true
		case knownX && knownY:
			return !decides, true
		}
	}
	return false, false
}

// truthNumber returns 1 or 0 as an expression.
func truthNumber(w where, v bool) number {
	if v {
		return numberAt(w, 1)
	}
	return numberAt(w, 0)
}

// leaves returns where the expressions stand that body evaluates as statements.
func leaves(body []stmt) (all []where) {
	for _, s := range body {
		eachStmt(s, func(s stmt) {
			if x, ok := s.(exprStmt); ok {
				all = append(all, x.where)
			}
		})
	}
	return all
}

func isCallOf(c call, name string) bool {
	f, ok := c.fun.(ident)
	return ok && f.name == name
}

// isName reports whether n is a variable of a function, in parentheses or not.
func isName(n cc.ExpressionNode) bool {
	x, ok := n.(*cc.PrimaryExpression)
	if ok && x.Case == cc.PrimaryExpressionExpr {
		return isName(x.ExpressionList)
	}
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return false
	}
	d, ok := x.ResolvedTo().(*cc.Declarator)
	return !ok || d.StorageDuration() == cc.Automatic
}

// eachNode calls visit for the node v of a syntax tree, and for all in it.
func eachNode(v reflect.Value, visit func(any)) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	visit(v.Interface())
	s := v.Elem()
	for i := range s.NumField() {
		if x := s.Field(i); s.Type().Field(i).IsExported() && (x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface) {
			eachNode(x, visit)
		}
	}
}

// eachToken calls visit for the identifiers in v, a part of a syntax tree.
func eachToken(v reflect.Value, visit func(cc.Token)) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	s := v.Elem()
	for i := range s.NumField() {
		if !s.Type().Field(i).IsExported() {
			continue
		}
		switch x := s.Field(i); x.Kind() {
		case reflect.Struct:
			if t, ok := x.Interface().(cc.Token); ok && t.Ch == rune(cc.IDENTIFIER) {
				visit(t)
			}
		case reflect.Pointer, reflect.Interface:
			eachToken(x, visit)
		}
	}
}

// negated returns the condition that holds where e does not.
func negated(e expr) expr {
	switch x := e.(type) {
	case binary:
		if opposite[x.op] != "" {
			x.op = opposite[x.op]
			return x
		}
		if x.op == "||" {
			return binary{x.where, "&&", negated(x.x), negated(x.y)}
		}
	case unary:
		if x.op == "!" {
			return x.x
		}
	}
	return unary{e.at(), "!", e}
}

// opposite has, for each comparison, the one that holds where it does not.
var opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

// isLoop reports whether s is a loop of any form.
func isLoop(s stmt) bool {
	switch s := s.(type) {
	case forStmt:
		return true
	case otherStmt:
		return s.what == "a while loop" || s.what == "a do loop"
	}
	return false
}

// setsAny returns the variables that s sets, those that it declares, too.
func setsAny(s stmt) (ds []*cc.Declarator) {
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok {
				ds = append(ds, x.decl)
			}
		}
	})
	eachStmt(s, func(s stmt) {
		switch s := s.(type) {
		case declStmt:
			for _, v := range s.vars {
				ds = append(ds, v.decl)
			}
		case forStmt:
			ds = append(ds, iteratorOf(s))
		}
	})
	return ds
}
