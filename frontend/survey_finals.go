package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file writes out what loops leave in their variables, and what these are set to between loops, where that is read behind them:
//
//	for (c = 1; c < m - 1; c++)         =>   for (..) ..
//	  ..                                     u[0] = u[(m - 1 > 1 ? m - 1 : 1) - 1];
//	u[0] = u[c - 1];
//	c = m - 1;
//	u[c] = u[0];                             u[m - 1] = u[0];
//
// It follows from the bounds of a loop that counts by 1 to its end. What a loop inside of another one leaves is known if the outer one
// is known to run, or if the variable has no value before it, which C then does not let the program read.

// A finalReader goes through statements.
type finalReader struct {
	*survey
	assigned map[*cc.Declarator]bool // what the region assigns
	shared   map[*cc.Declarator]bool // of these, what is assigned by its address
	counts   map[*cc.Declarator]bool // variables of loops
	whole    []stmt
	fresh    map[*cc.Declarator]bool // declared without a value, and not assigned up to this place
}

// withFinals returns ss with the values that loops leave in their variables in the place of those.
func (sv *survey) withFinals(ss []stmt) []stmt {
	fr := &finalReader{sv, map[*cc.Declarator]bool{}, map[*cc.Declarator]bool{}, map[*cc.Declarator]bool{}, ss, map[*cc.Declarator]bool{}}
	for _, s := range ss {
		for _, d := range iteratorsIn(s) {
			fr.counts[d] = true
		}
		for _, d := range append(assignedIn(s), iteratorsIn(s)...) {
			fr.assigned[d] = true
		}
		eachExprIn(s, func(e expr) {
			if u, ok := e.(unary); ok && u.op == "&" {
				if x, ok := u.x.(ident); ok {
					fr.assigned[x.decl], fr.shared[x.decl] = true, true
				}
			}
		})
	}
	return fr.list(ss, true)
}

// list returns ss with values that loops among them leave in the statements behind them; whole says that they are all of the region.
func (fr *finalReader) list(ss []stmt, whole bool) []stmt {
	out := make([]stmt, len(ss))
	for i, s := range ss {
		out[i] = fr.inside(s)
	}
	for i, s := range ss {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				fr.fresh[v.decl] = v.init == nil
			}
		}
		for d, value := range fr.left(s) {
			fr.put(out[i+1:], d, value)
		}
		if d, value := fr.between(s); d != nil && fr.put(out[i+1:], d, value) && (slices.ContainsFunc(ss[i+1:], func(s stmt) bool { return fr.replaces(s, d) }) || fr.endsWith(ss, whole, d)) {
			out[i] = block{where: s.at()}
		}
		for _, d := range append(assignedIn(s), iteratorsIn(s)...) {
			delete(fr.fresh, d)
		}
	}
	return out
}

// put puts value in the place of d in ss, up to where that is set anew; it reports whether none of ss uses d otherwise.
func (fr *finalReader) put(ss []stmt, d *cc.Declarator, value expr) bool {
	for k := range ss {
		switch {
		case fr.replaces(ss[k], d):
			return true
		case assigns(ss[k], d):
			return false // under a condition, or after it was read
		}
		ss[k] = replaced(ss[k], putting(map[*cc.Declarator]expr{d: value}))
	}
	return true
}

// replaces reports whether s sets d before it uses it.
func (fr *finalReader) replaces(s stmt, d *cc.Declarator) bool {
	f, isLoop := s.(forStmt)
	return isLoop && setsFirst(f, d) || isSet(s, d)
}

// between returns the variable of a loop that s sets, and its value.
func (fr *finalReader) between(s stmt) (d *cc.Declarator, value expr) {
	x, _ := s.(exprStmt)
	a, _ := x.x.(assign)
	to, ok := a.x.(ident)
	if !ok || !fr.counts[to.decl] || fr.shared[to.decl] || !isSet(s, to.decl) || !fr.isAutomatic(to.decl) || !fr.steady(a.y, to.decl) {
		return nil, nil
	}
	return to.decl, a.y
}

// endsWith reports whether nothing reads the value that d has at the end of ss: of the whole region, or of the body of a loop outside of which it does not use d.
func (fr *finalReader) endsWith(ss []stmt, whole bool, d *cc.Declarator) bool {
	if fr.isReadAfter(d) {
		return false
	}
	if whole {
		return true
	}
	uses := func(ss []stmt) (n int) {
		for _, s := range ss {
			eachExprIn(s, func(e expr) {
				if isIdent(e, d) {
					n++
				}
			})
		}
		return n
	}
	again := &liveness{source: fr.source, decl: d, inside: true}
	for _, s := range ss {
		again.stmt(s)
	}
	return again.fate == killed && uses(ss) == uses(fr.whole)
}

// inside returns s with lists in it treated alike.
func (fr *finalReader) inside(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = fr.list(s.items, false)
		return s
	case forStmt:
		s.body = fr.inside(s.body)
		return s
	}
	return s
}

// setsFirst reports whether f begins by setting d, without reading it.
func setsFirst(f forStmt, d *cc.Declarator) bool {
	return iteratorOf(f) == d && !mentionsAny([]expr{initOf(f)}, []*cc.Declarator{d})
}

// isSet reports whether s sets d, and does nothing else with it.
func isSet(s stmt, d *cc.Declarator) bool {
	x, ok := s.(exprStmt)
	if !ok {
		return false
	}
	a, ok := x.x.(assign)
	return ok && a.op == "=" && isIdent(a.x, d) && !mentionsAny([]expr{a.y}, []*cc.Declarator{d})
}

// left returns what s, a loop, leaves in variables that are declared before it.
func (fr *finalReader) left(s stmt) map[*cc.Declarator]expr {
	values := map[*cc.Declarator]expr{}
	f, ok := s.(forStmt)
	if !ok || contains(f, func(s stmt) bool { o, ok := s.(otherStmt); return ok && !o.isOnce() }) {
		return values
	}
	own, from, to, ok := fr.ends(f)
	if !ok {
		return values
	}
	first, starts := literal(from)
	last, ends := literal(to)
	runs := starts && ends && first < last
	body := flatten([]stmt{f.body})
	for k, in := range body {
		for d, v := range fr.left(in) {
			again := false
			for _, s := range body[k+1:] {
				again = again || assigns(s, d)
			}
			if !again && (runs || fr.fresh[d]) && d != own {
				values[d] = v
			}
		}
	}
	if !assigns(f.body, own) {
		values[own] = fr.greater(f, from, to, starts && ends, first, last)
		if values[own] == nil {
			delete(values, own)
		}
	}
	return values
}

// ends returns the variable of f, if that is declared before it, its first value, and the first that it does not run.
func (fr *finalReader) ends(f forStmt) (own *cc.Declarator, from, to expr, ok bool) {
	init, ok := f.init.(exprStmt)
	own = iteratorOf(f)
	c, compares := f.cond.(binary)
	if !ok || own == nil || fr.shared[own] || !compares || c.op != "<" && c.op != "<=" || !isIdent(c.x, own) || init.x == nil {
		return nil, nil, nil, false
	}
	by, constant := stepOf(f.step, own)
	from, to = initOf(f), c.y
	if !constant || by != 1 || from == nil || !fr.steady(from, own) || !fr.steady(to, own) {
		return nil, nil, nil, false
	}
	if c.op == "<=" {
		if v, ok := literal(to); ok {
			to = number{to.at(), "", "", own.Type(), cc.Int64Value(v + 1), "", nil}
		} else {
			to = binary{to.at(), "+", to, numberAt(to.at(), 1)}
		}
	}
	return own, from, to, true
}

// steady reports whether e is an integer of the type of d, or a number, that the region does not change.
func (fr *finalReader) steady(e expr, d *cc.Declarator) bool {
	if !isIndex(e) || readsElement(e) {
		return false
	}
	same := true
	eachExpr(e, func(e expr) {
		x, ok := e.(ident)
		same = same && (!ok || x.decl != nil && !fr.assigned[x.decl] && fr.isAutomatic(x.decl))
	})
	t, ok := storedType(d.Type())
	if _, isNumber := literal(e); isNumber {
		return ok && same && !t.IsFloat()
	}
	return ok && same && !t.IsNarrow() && intType(e) == t
}

// greater returns the greater one of from and to.
func (fr *finalReader) greater(f forStmt, from, to expr, known bool, first, last int64) expr {
	w := f.cond.at()
	if known {
		return number{w, "", "", iteratorOf(f).Type(), cc.Int64Value(max(first, last)), "", nil}
	}
	return cond{w, binary{w, ">", to, from}, to, from}
}
