package frontend

import "modernc.org/cc/v4"

// This file finds the variables that have one value wherever the region runs, which the function sets them to before it, and whether that is
// still made of what the region has by the same names:
//
//	int n = 56, m = 52;
//	if (argc == 3) { n = atoi(argv[1]); m = atoi(argv[2]); }
//	const int plane = n * m;       plane is n * m in the region, since neither changes from here on

// isKept reports whether d is a variable of the function that nothing assigns to.
func (sv *survey) isKept(d *cc.Declarator) bool {
	return sv.isAutomatic(d) && !isVolatile(d) && !assigns(sv.r.body, d) && !sv.iterates(d)
}

// isSetOnce reports whether d is a variable of the function to which one statement assigns.
func (sv *survey) isSetOnce(d *cc.Declarator) bool {
	if d == nil || d.IsParam() || !sv.isAutomatic(d) || isVolatile(d) || sv.iterates(d) {
		return false
	}
	times := 0
	eachExprIn(sv.r.body, func(e expr) {
		if a, ok := e.(assign); ok && isIdent(a.x, d) {
			times++
		}
	})
	return times == 1
}

// iterates reports whether d is the variable of a loop of the function.
func (sv *survey) iterates(d *cc.Declarator) bool {
	return contains(sv.r.body, func(s stmt) bool { f, ok := s.(forStmt); return ok && iteratorOf(f) == d })
}

// eachKept calls f for the variables that get a value on the way to the region, where they are declared or by a statement of their own, and
// keep it. keeps reports whether another variable has in the region what it had there.
func (sv *survey) eachKept(f func(v varDecl, keeps func(*cc.Declarator) bool)) {
	labels := sv.hasLabels()
	for _, around := range sv.r.around {
		b, ok := around.(block)
		if !ok {
			continue
		}
		for i, s := range b.items {
			_, to, ok := sv.f.bytes(s.at())
			if !ok || to > sv.r.Start {
				continue
			}
			switch s := s.(type) {
			case declStmt:
				for k, v := range s.vars {
					if v.init == nil || !sv.isKept(v.decl) {
						continue
					}
					if labels {
						f(v, sv.isKept)
					} else {
						f(v, sv.keptBy(sv.fromHere(declStmt{s.where, s.vars[k+1:]}, b.items[i+1:])))
					}
				}
			case exprStmt:
				a, ok := s.x.(assign)
				x, variable := a.x.(ident)
				if ok && variable && a.op == "=" && a.y != nil && !labels && sv.isSetOnce(x.decl) {
					f(varDecl{where: s.where, decl: x.decl, init: a.y}, sv.keptBy(sv.fromHere(nil, b.items[i+1:])))
				}
			}
		}
	}
}

// fromHere returns what runs from a place until the region ends, for the last time: rest, if there is any, and of the statements ss behind it those
// that begin before that.
func (sv *survey) fromHere(rest stmt, ss []stmt) (from []stmt) {
	if rest != nil {
		from = append(from, rest)
	}
	for _, s := range ss {
		if at, _, ok := sv.f.bytes(s.at()); !ok || at < sv.r.End {
			from = append(from, s)
		}
	}
	return from
}

// keptBy returns whether a variable keeps its value while ss run.
func (sv *survey) keptBy(ss []stmt) func(*cc.Declarator) bool {
	var changed *altered
	return func(d *cc.Declarator) bool {
		if isVolatile(d) {
			return false
		}
		if sv.isKept(d) {
			return true
		}
		if changed == nil {
			changed = sv.alteredBy(ss...)
		}
		return !changed.has(d)
	}
}
