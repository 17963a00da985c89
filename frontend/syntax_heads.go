package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file makes loops that count in one variable of those that count in several, as where a second one is the place of a
// row in a block:
//
//	for (i = 1, k = n; i < m; i++, k += n)        for (i = 1; i < m; i++) {
//	  ..                                    =>      k = n + (i - 1) * n;
//	                                                ..
//	                                              }

// A counted is one of the variables of a loop: its first value, and what each iteration adds to it; nil for nothing.
type counted struct {
	where
	decl        *cc.Declarator
	name        string
	first, step expr
	down        bool // the step is taken off
}

// oneCounter returns f, a loop over several variables, as one over the first that counts by one and that its condition
// tests; ok is false if the others are not sums of that one then.
func oneCounter(f forStmt) (one forStmt, ok bool) {
	all, ok := countedIn(f)
	if !ok || len(all) < 2 || f.cond == nil {
		return f, false
	}
	by := int64(0)
	at := slices.IndexFunc(all, func(c counted) bool {
		by = 0
		if v, ok := literal(orNothing(c.step)); ok && v == 1 && mentions(f.cond, c.decl) {
			by = 1
		}
		if c.down {
			by = -by
		}
		return by != 0
	})
	if at < 0 {
		return f, false
	}
	values := map[*cc.Declarator]expr{}
	begin := map[*cc.Declarator]expr{} // of those that are set before
	for k, c := range all {
		first := mapExpr(c.first, putting(begin))
		for _, other := range all {
			if assigns(f.body, other.decl) || c.step != nil && mentions(c.step, other.decl) || mentions(first, other.decl) {
				return f, false
			}
		}
		all[k].first, begin[c.decl] = first, first
	}
	i := all[at]
	for k, c := range all {
		if k != at {
			values[c.decl] = c.sum(i, by)
		}
	}
	if changesAny(f.body, all) {
		return f, false
	}
	decl, declares := f.init.(declStmt)
	body := block{where: f.body.at()}
	for k, c := range all {
		switch {
		case k == at && declares:
			f.init = declStmt{decl.where, []varDecl{decl.vars[k]}}
		case k == at:
			f.init = exprStmt{c.where, assign{c.where, "=", ident{c.where, c.name, c.decl}, c.first}}
		case declares:
			body.items = append(body.items, declStmt{c.where, []varDecl{{c.where, c.decl, values[c.decl], nil}}})
		default:
			body.items = append(body.items, exprStmt{c.where, assign{c.where, "=", ident{c.where, c.name, c.decl}, values[c.decl]}})
		}
	}
	op := "++"
	if by < 0 {
		op = "--"
	}
	f.cond = mapExpr(f.cond, putting(values))
	f.step = assign{f.step.at(), op, ident{f.step.at(), i.name, i.decl}, nil}
	body.items = append(body.items, f.body)
	f.body = body
	return f, true
}

func orNothing(e expr) expr {
	if e == nil {
		return otherExpr{}
	}
	return e
}

// changesAny reports whether s sets what the steps of all are made of.
func changesAny(s stmt, all []counted) (found bool) {
	for _, c := range all {
		for _, e := range []expr{c.first, c.step} {
			eachExpr(e, func(e expr) {
				if x, ok := e.(ident); ok && x.decl != nil {
					found = found || assigns(s, x.decl)
				}
			})
		}
	}
	return found
}

// sum returns the value of c in the iteration that i, which counts by by, is in.
func (c counted) sum(i counted, by int64) expr {
	if c.step == nil {
		return c.first
	}
	var turns expr = binary{c.where, "-", ident{c.where, i.name, i.decl}, i.first}
	if by < 0 {
		turns = binary{c.where, "-", i.first, ident{c.where, i.name, i.decl}}
	}
	op := "+"
	if c.down {
		op = "-"
	}
	return binary{c.where, op, c.first, binary{c.where, "*", cast{c.where, c.decl.Type(), turns, nil}, c.step}}
}

// countedIn returns the variables that the head of f sets, with what it adds to them.
func countedIn(f forStmt) (all []counted, ok bool) {
	switch s := f.init.(type) {
	case declStmt:
		for _, v := range s.vars {
			if v.init == nil || v.list != nil && v.list.Case != cc.InitializerExpr || isPointer(v.decl) {
				return nil, false
			}
			all = append(all, counted{where: v.where, decl: v.decl, name: v.decl.Name(), first: v.init})
		}
	case exprStmt:
		xs := []expr{s.x}
		if c, ok := s.x.(comma); ok {
			xs = c.xs
		}
		for _, e := range xs {
			a, ok := e.(assign)
			x, named := a.x.(ident)
			if !ok || a.op != "=" || !named || x.decl == nil || isPointer(x.decl) {
				return nil, false
			}
			all = append(all, counted{where: a.where, decl: x.decl, name: x.name, first: a.y})
		}
	}
	steps := []expr{f.step}
	if c, ok := f.step.(comma); ok {
		steps = c.xs
	}
	for _, e := range steps {
		a, ok := e.(assign)
		if !ok {
			return nil, false
		}
		x, _ := a.x.(ident)
		k := slices.IndexFunc(all, func(c counted) bool { return c.decl == x.decl })
		if k < 0 || all[k].step != nil {
			return nil, false
		}
		switch a.op {
		case "++", "--":
			all[k].step, all[k].down = truthNumber(a.where, true), a.op == "--"
		case "+=", "-=":
			all[k].step, all[k].down = a.y, a.op == "-="
		default:
			return nil, false
		}
	}
	return all, true
}
