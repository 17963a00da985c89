package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the values of variables that hold an index: those that are declared around a nest, as next in
//
//	const int next = 1 - cur;
//	for (int i = 0; i < n; i++) u[next * n + i] = f(u[cur * n + i]);
//
// and those that each iteration of it declares. What a nest that gathers reads and sets is compared with their values in their place.

// A definitions holds the values of variables, made of variables that are not in it.
type definitions map[*cc.Declarator]expr

// in returns e with values in place of variables.
func (ds definitions) in(e expr) expr {
	if len(ds) == 0 {
		return e
	}
	return mapExpr(e, func(e expr) expr {
		if x, ok := e.(ident); ok && ds[x.decl] != nil {
			return ds[x.decl]
		}
		return e
	})
}

// path returns p with values in its subscripts.
func (ds definitions) path(p path) path {
	p.subs = mapAll(p.subs, ds.in)
	return p
}

// define notes that d has the value of e, if that is an index that d holds unchanged.
func (ds definitions) define(d *cc.Declarator, e expr) {
	if e == nil || isVolatile(d) || d.AddressTaken() || !isIndex(e) {
		return
	}
	to, number := storedType(d.Type())
	from := intType(e)
	if !number || to.IsFloat() || to.Size() < 8 && to != from {
		return
	}
	own := true
	eachExpr(e, func(e expr) {
		if x, ok := e.(ident); ok { // calls do not change it
			own = own && x.decl != nil && x.decl.StorageDuration() == cc.Automatic && !x.decl.AddressTaken()
		}
	})
	if own {
		ds[d] = inType(ds.in(e), d.Type())
	}
}

// forget takes out what does not hold any more once the variables of set may have changed.
func (ds definitions) forget(set []*cc.Declarator) {
	for d, e := range ds {
		if slices.Contains(set, d) || mentionsAny([]expr{e}, set) {
			delete(ds, d)
		}
	}
}

// before adds what holds before nest, if that is in ss, and reports whether it is.
func (ds definitions) before(ss []stmt, nest forStmt) bool {
	for _, s := range ss {
		if !contains(s, func(s stmt) bool { f, ok := s.(forStmt); return ok && f.head == nest.head }) {
			ds.forget(setsAny(s))
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					ds.define(v.decl, v.init)
				}
			}
			continue
		}
		switch s := s.(type) {
		case forStmt:
			if s.head == nest.head {
				return true
			}
			ds.forget(setsAny(s))
			return ds.before([]stmt{s.body}, nest)
		case block:
			return ds.before(s.items, nest)
		case ifStmt:
			for _, branch := range []stmt{s.then, s.orElse} {
				in := maps.Clone(ds)
				if branch != nil && in.before([]stmt{branch}, nest) {
					clear(ds)
					maps.Copy(ds, in)
					return true
				}
			}
			return false
		case otherStmt:
			ds.forget(setsAny(s))
			return len(s.inner) == 1 && s.what != "a switch" && ds.before(s.inner, nest)
		}
		return false
	}
	return false
}

// definitionsOf returns the values of variables that are declared around nest f, if they hold in all of its iterations.
func (h *hostLoops) definitionsOf(f forStmt) definitions {
	ds := definitions{}
	around := h.r.stmts
	if h.of != nil {
		around = []stmt{h.bodyOf(h.of)}
	}
	if !ds.before(around, f) {
		return definitions{}
	}
	ds.forget(setsAny(f))
	return ds
}

// valuesWithin returns the values of variables in s that hold an index, if s is a nest.
func (h *hostLoops) valuesWithin(s stmt) definitions {
	f, ok := s.(forStmt)
	if !ok {
		return nil
	}
	r := &reduction{source: h.source, nest: f, values: h.definitionsOf(f)}
	if !r.walk(f, gatherLeaf{}) {
		return r.values
	}
	r.defineLocals()
	return r.values
}

// defineLocals adds the values of variables that each iteration of the nest declares, and sets only there.
func (r *reduction) defineLocals() {
	set := map[*cc.Declarator]int{}
	for i := range r.leaves {
		set[r.leaves[i].to]++
		for _, e := range r.leaves[i].effects {
			set[e.of]++
		}
	}
	for i := range r.leaves {
		l := &r.leaves[i]
		d, ok := l.stmt.(declStmt)
		if !ok || d.vars[0].init == nil || set[l.to] > 1 {
			continue
		}
		steady := true
		eachExpr(d.vars[0].init, func(e expr) {
			x, ok := e.(ident)
			if !ok || r.values[x.decl] != nil {
				return
			}
			around := slices.ContainsFunc(l.loops, func(f forStmt) bool { return iteratorOf(f) == x.decl })
			steady = steady && set[x.decl] == 0 && (around || !iterates(r.nest, x.decl))
		})
		if steady {
			r.values.define(l.to, d.vars[0].init)
		}
	}
}

// valuesIn adds to edits that nests in ss name the values of variables that are declared around them, which a region of
// its own would not know, and returns declarations with their values of those that stand in macros, for the region to begin with. named holds the names of
// those that have gone from the text.
func (h *hostLoops) valuesIn(ss []stmt, edits []edit) (all []edit, declared, named []string) {
	declare := func(d *cc.Declarator, value expr) {
		text := fmt.Sprintf("const %s %s = %s;", typeName(d.Type()), d.Name(), exprText(value))
		if !slices.Contains(declared, text) {
			declared = append(declared, text)
		}
	}
	for _, s := range ss {
		f, ok := s.(forStmt)
		if !ok {
			continue
		}
		values := h.definitionsOf(f)
		eachExprIn(f, func(e expr) {
			x, ok := e.(ident)
			if !ok || values[x.decl] == nil || !usedAsIndex(f, x.decl) || ofBits(values[x.decl]) {
				return
			}
			name := func() {
				if !slices.Contains(named, x.name) {
					named = append(named, x.name)
				}
			}
			from, to, ok := h.f.bytes(x.where)
			if !ok || string(h.f.text[from:to]) != x.name {
				declare(x.decl, values[x.decl])
				name()
				return
			}
			if slices.ContainsFunc(edits, func(e edit) bool { return from < e.to && e.from < to }) {
				return
			}
			text := "(" + exprText(values[x.decl]) + ")"
			if h.f.text[from-1] == '[' && h.f.text[to] == ']' {
				text = exprText(values[x.decl])
			}
			edits = append(edits, edit{from, to, text})
			name()
		})
	}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return edits, declared, named
}

// ofBits reports whether e, an index, is made of bits or of what holds, such as cur ^ 1 or !cur: no subscript takes that apart, and a region can as well do without it.
func ofBits(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case binary:
			found = found || e.op == "^" || e.op == "|"
		case unary:
			found = found || e.op == "!" || e.op == "~"
		}
	})
	return found
}

// wrapsAt32 reports whether arithmetic in e is that of unsigned numbers of 32 bits.
func wrapsAt32(e expr) (found bool) {
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case binary, unary, cast:
			found = found || intType(e) == scop.Uint
		}
	})
	return found
}
