package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds what statements of a nest that gathers change besides what they are for, such as k in v[k++] = x, and q in b[i][j] = q = x or in s += f(&q): where
// the nest is divided, a statement that is in only one part changes that only there.

// An effect is that an expression changes a variable, or elements of it.
type effect struct {
	at     where
	of     *cc.Declarator
	target expr // the element, if it is seen which it is
	called bool // by a function
	own    bool // in the statement, and not in a condition or the head of a loop around it
}

// read finds the leaves of nest f; it reports whether all of its statements are known, and what gathers changes nothing else around the nest: of several steps only the
// last one may gather.
func (r *reduction) read(f forStmt) bool {
	if !r.walk(f, gatherLeaf{}) || r.twice() || slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool {
		return l.purpose == toGather && slices.ContainsFunc(l.effects, func(e effect) bool { return (e.own || e.called) && !declaredWithin(f, e.of) })
	}) {
		return false
	}
	for i := range r.leaves { // what other statements use
		for _, e := range r.leaves[i].effects {
			if !slices.ContainsFunc(r.shared, e.is) && slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool { return !l.has(e) && r.uses(&l, e.of) }) {
				r.shared = append(r.shared, e)
			}
		}
	}
	return true
}

// is reports whether e and f are the same.
func (e effect) is(f effect) bool { return e.at == f.at && e.of == f.of }

// has reports whether l has effect e.
func (l *gatherLeaf) has(e effect) bool { return slices.ContainsFunc(l.effects, e.is) }

// effectsAround returns the effects of l, and of the conditions and heads of loops around it, but for that of what it is for.
func (r *reduction) effectsAround(l gatherLeaf) (all []effect) {
	add := func(x expr, own bool) {
		for _, e := range r.effectsOf(x, nil) {
			e.own = own
			all = append(all, e)
		}
	}
	eachStmt(l.meaning(), func(s stmt) {
		x, ok := s.(exprStmt)
		if !ok {
			for _, x := range exprsOf(s) {
				add(x, true)
			}
			return
		}
		a, ok := x.x.(assign)
		if !ok {
			add(x.x, true)
			return
		}
		add(a.y, true)
		for _, sub := range children(a.x) {
			add(sub, true)
		}
	})
	for _, c := range l.under {
		add(c, false)
	}
	for _, f := range l.loops {
		all = append(all, r.effectsOfHead(f)...)
	}
	return all
}

// effectsOfHead returns the effects of the head of f: what it counts in, if that is declared around it, and others.
func (r *reduction) effectsOfHead(f forStmt) (all []effect) {
	d := iteratorOf(f)
	if _, own := f.init.(declStmt); !own {
		all = append(all, effect{at: f.head, of: d})
	}
	all = append(all, r.effectsOf(initOf(f), nil)...)
	all = append(all, r.effectsOf(f.cond, nil)...)
	return append(all, slices.DeleteFunc(r.effectsOf(f.step, nil), func(e effect) bool { return e.of == d })...)
}

// effectsOf returns the effects of x; calls are the functions that it is in.
func (r *reduction) effectsOf(x expr, calls []*cc.FunctionDefinition) (all []effect) {
	if x == nil {
		return nil
	}
	eachExpr(x, func(e expr) {
		switch e := e.(type) {
		case assign:
			if y, ok := e.x.(ident); ok && y.decl != nil {
				all = append(all, effect{at: e.where, of: y.decl})
			} else if p, ok := lvalue(e.x); ok {
				all = append(all, effect{at: e.where, of: p.root.decl, target: e.x})
			}
		case call:
			all = append(all, r.effectsOfCall(e, calls)...)
		}
	})
	return all
}

// effectsOfCall returns what the function that c calls changes: variables of the file, and what it is passed the address of.
func (r *reduction) effectsOfCall(c call, calls []*cc.FunctionDefinition) (all []effect) {
	f, _ := c.fun.(ident)
	fd := r.definition(f)
	if slices.Contains(calls, fd) && fd != nil {
		return nil
	}
	note := func(d *cc.Declarator) { all = append(all, effect{at: c.where, of: d, called: true}) }
	passed := false // it changes what it is passed the address of
	if fd == nil {
		_, computed := scop.Computable(f.name)
		passed = !computed
	} else if r.hasEffects(fd, map[*cc.FunctionDefinition]bool{}) {
		eachExprIn(r.bodyOf(fd), func(e expr) {
			var inside []effect
			switch e := e.(type) {
			case assign:
				inside = r.effectsOf(assign{where: e.where, op: e.op, x: e.x}, nil)
			case call:
				inside = r.effectsOfCall(e, append(calls[:len(calls):len(calls)], fd))
			}
			for _, e := range inside {
				switch own := within(fd, e.of) || slices.Contains(parameters(fd), e.of); {
				case !own:
					note(e.of)
				case isPointer(e.of):
					passed = true
				}
			}
		})
	}
	if !passed {
		return all
	}
	for _, arg := range c.args {
		eachExpr(arg, func(e expr) {
			u, address := e.(unary)
			if address && u.op == "&" {
				if p, ok := lvalue(u.x); ok {
					note(p.root.decl)
				}
			}
			y, ok := e.(ident)
			if ok && y.decl != nil && fd != nil && (isPointer(y.decl) || y.decl.Type().Kind() == cc.Array) {
				note(y.decl)
			}
		})
	}
	return all
}

// parts reports whether one of two variables is, or is part of, the other.
func (r *reduction) parts(d, e *cc.Declarator) bool {
	return d == e || d == r.u.members.rootOf(e) || e == r.u.members.rootOf(d)
}

// mentionsParts reports whether some of xs mentions d, or a part of it.
func (r *reduction) mentionsParts(xs []expr, d *cc.Declarator) (found bool) {
	for _, x := range xs {
		eachExpr(x, func(e expr) {
			y, ok := e.(ident)
			found = found || ok && y.decl != nil && r.parts(y.decl, d)
		})
	}
	return found
}

// uses reports whether l, or a condition or the head of a loop around it, uses a value of d that it is not seen to have from the head of a loop.
func (r *reduction) uses(l *gatherLeaf, d *cc.Declarator) bool {
	xs := slices.Clone(l.under)
	for _, f := range l.loops {
		if iteratorOf(f) == d {
			return r.mentionsParts([]expr{initOf(f)}, d)
		}
		xs = append(xs, initOf(f), f.cond, f.step)
	}
	if x, ok := l.stmt.(exprStmt); ok {
		if a, ok := x.x.(assign); ok && a.op == "=" && isIdent(a.x, d) {
			return r.mentionsParts(append(xs, a.y), d)
		}
	}
	return r.mentionsParts(append(xs, l.exprs()...), d)
}

// sets reports whether l sets one of ds, or has an effect on it that other statements use.
func (r *reduction) sets(l *gatherLeaf, ds []*cc.Declarator) bool {
	return slices.ContainsFunc(ds, func(d *cc.Declarator) bool {
		return r.parts(l.to, d) || slices.ContainsFunc(l.effects, func(e effect) bool { return r.parts(e.of, d) && slices.ContainsFunc(r.shared, e.is) })
	})
}

// whole reports whether the statements that are kept have all effects that those of a purpose need.
func (r *reduction) whole(what purpose, kept func(l *gatherLeaf) bool) bool {
	needed := r.needed(what)
	return !slices.ContainsFunc(r.shared, func(e effect) bool {
		return slices.ContainsFunc(needed, func(d *cc.Declarator) bool { return r.parts(d, e.of) }) &&
			!slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool { return l.has(e) && kept(&l) })
	})
}

// keepsEffects reports whether all that a statement uses is changed in the same part of the nest, if that is divided.
func (r *reduction) keepsEffects() bool {
	for i := range r.leaves {
		l := &r.leaves[i]
		for _, e := range l.effects {
			if l.purpose == toGather && e.own && (e.target != nil || e.called && (r.first || !isScalarVariable(e.of))) && !declaredWithin(r.nest, r.u.members.rootOf(e.of)) {
				return false
			}
		}
	}
	return r.whole(toStore, func(l *gatherLeaf) bool { return l.purpose != toGather }) && r.whole(toGather, r.later)
}

// stored returns the statements that set elements; one that sets several, or calls a function that does, is there for each array.
func (r *reduction) stored() (all []*gatherLeaf) {
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.purpose == toStore {
			all = append(all, l)
		}
		for _, e := range l.effects {
			if e.target != nil || e.called && !isScalarVariable(e.of) {
				also := *l
				also.purpose, also.to, also.target = toStore, e.of, e.target
				all = append(all, &also)
			}
		}
	}
	return all
}

// plainly reports whether l has no effect of its own.
func (l *gatherLeaf) plainly() bool {
	return !slices.ContainsFunc(l.effects, func(e effect) bool { return e.own })
}

// private reports whether what the leaves change, besides what they are for, is that of one iteration, or counts loops.
func (r *reduction) private() bool {
	return !slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool {
		return slices.ContainsFunc(l.effects, func(e effect) bool {
			return !declaredWithin(r.nest, r.u.members.rootOf(e.of)) && !iterates(r.nest, e.of)
		})
	})
}
