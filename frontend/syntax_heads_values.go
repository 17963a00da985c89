package frontend

import "modernc.org/cc/v4"

// This file finds variables that the head of a loop sets to the same value of its counter, before the first iteration and after each:
//
//	for (int t = 0, now = t % 2; t < n; t++, now = t % 2)

// plainHead returns s, if it is a loop of that kind which declares those variables, with their values in its body.
func plainHead(s stmt) stmt {
	f, ok := s.(forStmt)
	if !ok {
		return s
	}
	d, ok := f.init.(declStmt)
	values := valuesByHead(f)
	if !ok || len(values) == 0 || len(values) != len(d.vars)-1 {
		return s
	}
	var kept []varDecl
	for _, v := range d.vars {
		if values[v.decl] == nil {
			kept = append(kept, v)
		}
	}
	var steps []expr
	for _, e := range f.step.(comma).xs {
		if values[e.(assign).x.(ident).decl] == nil {
			steps = append(steps, e)
		}
	}
	if len(kept) != 1 || len(steps) != 1 {
		return s
	}
	put := func(e expr) expr { return mapExpr(e, putting(values)) }
	f.init, f.cond, f.step, f.body = declStmt{d.where, kept}, put(f.cond), steps[0], mapStmt(f.body, put)
	return f
}

// valuesByHead returns what the variables are that the first part of the head of f and its step set to the same value, of
// variables that keep theirs until the step.
func valuesByHead(f forStmt) map[*cc.Declarator]expr {
	set := map[*cc.Declarator]expr{} // by the step, after what is before it
	var steps []expr
	switch e := f.step.(type) {
	case comma:
		steps = e.xs
	default:
		return nil
	}
	for k, e := range steps {
		a, ok := e.(assign)
		x, named := a.x.(ident)
		if !ok || !named || x.decl == nil {
			return nil
		}
		if _, twice := set[x.decl]; twice {
			return nil
		}
		set[x.decl] = nil
		if a.op == "=" && !hasEffect(a.y) && !setLater(a.y, steps[k:]) {
			set[x.decl] = a.y
		}
	}
	values := map[*cc.Declarator]expr{}
	for _, first := range firstValues(f) {
		e := set[first.decl]
		if e == nil || !sameExpr(e, first.first) || assigns(f.body, first.decl) || anyAssigned(f.body, e) {
			continue
		}
		if t, isNumber := storedType(first.decl.Type()); isNumber && !t.IsFloat() && !t.IsNarrow() && !t.IsUnsigned() && intType(e) == t {
			values[first.decl] = e
		}
	}
	return values
}

// setLater reports whether one of steps sets a variable of e.
func setLater(e expr, steps []expr) (found bool) {
	for _, step := range steps {
		if a, ok := step.(assign); ok {
			if x, ok := a.x.(ident); ok && x.decl != nil {
				found = found || mentions(e, x.decl)
			}
		}
	}
	return found
}

// firstValues returns the variables that the head of f sets before the loop, in order, as far as no other one is set of what they are made of.
func firstValues(f forStmt) (all []counted) {
	switch s := f.init.(type) {
	case declStmt:
		for _, v := range s.vars {
			if v.init == nil || v.list != nil && v.list.Case != cc.InitializerExpr {
				return nil
			}
			all = append(all, counted{where: v.where, decl: v.decl, name: v.decl.Name(), first: v.init})
		}
	case exprStmt:
		c, ok := s.x.(comma)
		if !ok {
			return nil
		}
		for _, e := range c.xs {
			a, ok := e.(assign)
			x, named := a.x.(ident)
			if !ok || a.op != "=" || !named || x.decl == nil {
				return nil
			}
			all = append(all, counted{where: a.where, decl: x.decl, name: x.name, first: a.y})
		}
	}
	for i, c := range all {
		for _, later := range all[i:] {
			if mentions(c.first, later.decl) {
				return nil
			}
		}
	}
	return all
}

// hasEffect reports whether e calls a function, or changes a variable.
func hasEffect(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case call, assign, otherExpr:
			found = true
		}
	})
	return found || e == nil
}

// anyAssigned reports whether s sets a variable in e.
func anyAssigned(s stmt, e expr) (found bool) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok && x.decl != nil {
			found = found || assigns(s, x.decl)
		}
	})
	return found
}
