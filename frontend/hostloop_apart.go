package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file decides whether what a nest gathers may be gathered in a loop of its own, after all that the nest stores, or before.

// separable reports whether what the nest gathers is used by nothing else in it.
func (r *reduction) separable() bool {
	for i := range r.leaves {
		if l := &r.leaves[i]; l.purpose != toGather && (mentionsAny(l.exprs(), r.gathered)) || mentionsAny(l.under, r.gathered) {
			return false
		}
		for _, f := range r.leaves[i].loops {
			if mentionsAny([]expr{initOf(f), f.cond}, r.gathered) {
				return false
			}
		}
	}
	return true
}

// apart reports whether what is gathered may be gathered after all that is stored, or else, which it notes, before.
func (r *reduction) apart() bool {
	if !r.separable() {
		return false
	}
	for _, r.first = range []bool{false, true} {
		r.tests = nil
		if r.keepsEffects() && !slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool { return r.later(&l) && !r.stable(&l) }) {
			return true
		}
	}
	return false
}

// needed returns the scalars that statements of a purpose are made of.
func (r *reduction) needed(what purpose) (ds []*cc.Declarator) {
	note := func(xs []expr) (more bool) {
		for _, x := range xs {
			eachExpr(x, func(e expr) {
				if y, ok := e.(ident); ok && y.decl != nil && !slices.Contains(ds, y.decl) {
					ds, more = append(ds, y.decl), true
				}
			})
		}
		return more
	}
	for more := true; more; {
		more = false
		for i := range r.leaves {
			if l := &r.leaves[i]; l.purpose == what || l.purpose == toSet && r.sets(l, ds) {
				more = note(l.exprs()) || more
				for _, f := range l.loops {
					more = note([]expr{initOf(f), f.cond}) || more
				}
			}
		}
	}
	return ds
}

// later reports whether l is evaluated where the terms are gathered.
func (r *reduction) later(l *gatherLeaf) bool {
	return l.purpose == toGather || l.purpose == toSet && r.sets(l, r.needed(toGather))
}

// stable reports whether what l reads of arrays is the same after all iterations, or, if what is gathered comes first, before them.
func (r *reduction) stable(l *gatherLeaf) bool {
	ok := true
	read := func(x expr, order int) {
		r.eachRead(x, nil, func(e expr, p path) {
			for _, s := range r.stored() {
				if s.target == nil { // of an array that a function changes
					ok = ok && s.to != p.root.decl && !isPointer(s.to) && !isPointer(p.root.decl)
					continue
				}
				target, _ := lvalue(s.target)
				set, from := r.values.path(target), r.values.path(p)
				switch {
				case declaredWithin(r.nest, p.root.decl): // an array of one iteration
				case s.to == p.root.decl && s.order < order != r.first && sameExpr(r.values.in(s.target), r.values.in(e)) && !r.moving(from.subs) && r.ofIteration(s):
				case r.otherPlane(set, from):
				case s.to == p.root.decl:
					ok = false
				case isPointer(s.to) || isPointer(p.root.decl):
					ok = ok && (r.touches(p.root.decl) || r.neverOverlap(s.to, p.root.decl))
				}
			}
		})
	}
	own := l.exprs()
	for _, x := range own[:len(own)-len(l.under)] {
		read(x, l.order)
	}
	for i, c := range l.under { // which its own branch may change
		read(c, l.asked[i])
	}
	return ok
}

// eachRead calls f for what x reads of arrays: elements, and arrays and pointers of which it is not seen which elements those are. Functions in calls
// are those that x is in.
func (r *reduction) eachRead(x expr, calls []*cc.FunctionDefinition, f func(expr, path)) {
	if x == nil {
		return
	}
	if p, ok := lvalue(x); ok {
		_, number := storedType(p.typ)
		if len(p.subs) > 0 || !number && !isStruct(p.typ) {
			f(x, p)
		}
		for _, sub := range p.subs {
			r.eachRead(sub, calls, f)
		}
		return
	}
	if c, ok := x.(call); ok {
		for _, y := range c.args {
			r.eachRead(y, calls, f)
		}
		g, _ := c.fun.(ident)
		fd := r.definition(g)
		if fd == nil || slices.Contains(calls, fd) {
			return
		}
		eachExprIn(r.bodyOf(fd), func(e expr) { // what it reads of its parameters is seen where it is called
			p, ok := lvalue(e)
			if _, number := storedType(p.typ); ok && !(number && len(p.subs) == 0) && !within(fd, p.root.decl) && !slices.Contains(parameters(fd), p.root.decl) {
				f(otherExpr{where: e.at()}, p)
			}
			if c, ok := e.(call); ok {
				r.eachRead(c, append(calls[:len(calls):len(calls)], fd), f)
			}
		})
		return
	}
	for _, y := range children(x) {
		r.eachRead(y, calls, f)
	}
}

// ofIteration reports whether no two iterations set the same element by s, as far as that is seen without the bounds of loops: each
// of its loops counts in a subscript, by itself or in a sum.
func (r *reduction) ofIteration(s *gatherLeaf) bool {
	p, _ := lvalue(s.target)
	var counted []*cc.Declarator
	var sum func(e expr)
	sum = func(e expr) {
		switch e := e.(type) {
		case ident:
			counted = append(counted, e.decl)
		case binary:
			if e.op == "+" || e.op == "-" || e.op == "*" {
				sum(e.x)
				sum(e.y)
			}
		case cast:
			sum(e.x)
		}
	}
	for _, sub := range r.values.path(p).subs {
		sum(sub)
	}
	return !slices.ContainsFunc(s.loops, func(f forStmt) bool { return !slices.Contains(counted, iteratorOf(f)) })
}

// moving reports whether subs are made of scalars that the nest sets.
func (r *reduction) moving(subs []expr) bool {
	var set []*cc.Declarator
	for _, l := range r.leaves {
		if l.purpose != toStore {
			set = append(set, l.to)
		}
		for _, e := range l.effects {
			if slices.ContainsFunc(r.shared, e.is) {
				set = append(set, e.of)
			}
		}
	}
	return mentionsAny(subs, set)
}

// touches reports whether array d is used by what is stored: then it is tested not to overlap with what is written.
func (r *reduction) touches(d *cc.Declarator) bool {
	stored := r.needed(toStore)
	return slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool {
		return (l.purpose == toStore || l.purpose == toSet && r.sets(&l, stored)) && mentionsAny(l.exprs(), []*cc.Declarator{d})
	})
}
