package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file tells loops over time steps from nests: a nest sets elements that lie where its loops count, by itself or by functions that it calls.

// timeLike reports whether f holds several nests, or what nests of functions gather, or does not place elements.
func (h *hostLoops) timeLike(f forStmt) bool {
	items := slices.DeleteFunc(flatten([]stmt{f.body}), func(s stmt) bool { // what a row begins with
		d, declares := s.(declStmt)
		return declares && len(h.callsOfNests(d)) == 0 && !slices.ContainsFunc(d.vars, func(v varDecl) bool { return isPointer(v.decl) })
	})
	if len(items) > 1 && slices.ContainsFunc(items, func(s stmt) bool {
		in, ok := s.(forStmt)
		return ok && !writtenOut(in) && !ofOneIteration(in, f) || h.gathersByCall(s)
	}) {
		return true
	}
	return !h.placesElements(f)
}

// placesElements reports whether an element that f sets lies where what f counts says, but for which plane it lies in, or which colour it is of.
func (h *hostLoops) placesElements(f forStmt) bool {
	by, places := []*cc.Declarator{iteratorOf(f)}, false // and what is computed from it
	var counts func(e expr) bool
	counts = func(e expr) bool {
		if x, ok := e.(ident); ok {
			return slices.Contains(by, x.decl)
		}
		b, ok := e.(binary)
		return !(ok && (b.op == "%" || b.op == "&")) && slices.ContainsFunc(children(e), counts)
	}
	eachStmt(f.body, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				if v.init != nil && !isPointer(v.decl) && counts(v.init) {
					by = append(by, v.decl)
				}
			}
		}
		for _, e := range exprsOf(s) {
			if a, ok := e.(assign); ok {
				if x, scalar := a.x.(ident); scalar && a.op == "=" && a.y != nil && !isPointer(x.decl) && counts(a.y) {
					by = append(by, x.decl)
				}
			}
		}
	})
	eachExprIn(f.body, func(e expr) {
		if a, ok := e.(assign); ok {
			if p, ok := lvalue(a.x); ok {
				places = places || slices.ContainsFunc(p.subs, counts)
			}
		}
		if c, ok := e.(call); ok {
			places = places || h.placesByCall(c, counts)
		}
	})
	return places
}

// placesByCall reports whether c calls a function of the file without loops that sets an element that lies where an argument says that counts.
func (h *hostLoops) placesByCall(c call, counts func(expr) bool) (places bool) {
	f, _ := c.fun.(ident)
	fd := h.definition(f)
	if fd == nil || h.calling[fd] || contains(h.bodyOf(fd), isLoop) {
		return false
	}
	var by []*cc.Declarator
	for i, d := range parameters(fd) {
		if i < len(c.args) && counts(c.args[i]) {
			by = append(by, d)
		}
	}
	eachExprIn(h.bodyOf(fd), func(e expr) {
		if a, ok := e.(assign); ok {
			p, ok := lvalue(a.x)
			places = places || ok && mentionsAny(p.subs, by)
		}
	})
	return places
}

// ofOneIteration reports whether loop s in the body of f, such as one over the neighbours of a point, sets only variables that an
// iteration of f declares.
func ofOneIteration(s, f forStmt) bool {
	only := true
	eachExprIn(s.body, func(e expr) {
		a, ok := e.(assign)
		if !ok {
			return
		}
		p, ok := lvalue(a.x)
		only = only && ok && declaredWithin(f, p.root.decl)
	})
	return only
}

// setsElements reports whether s itself sets elements.
func setsElements(s stmt) (sets bool) {
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			p, ok := lvalue(a.x)
			sets = sets || ok && len(p.subs) > 0
		}
	})
	return sets
}

// setsByNest reports whether s sets elements, or calls functions of the file that do, as statements in loops: functions without loops of their own.
func (h *hostLoops) setsByNest(s stmt) bool {
	return setsElements(s) || contains(s, func(s stmt) bool {
		f, loop := s.(forStmt)
		return loop && contains(f.body, func(s stmt) bool {
			x, ok := s.(exprStmt)
			if !ok {
				return false
			}
			c, _ := x.x.(call)
			g, _ := c.fun.(ident)
			fd := h.definition(g)
			return fd != nil && !h.calling[fd] && !contains(h.bodyOf(fd), isLoop) && setsOutside(h.bodyOf(fd))
		})
	})
}

// setsOutside reports whether body, of a function, sets elements of arrays that are not its own.
func setsOutside(body stmt) (sets bool) {
	eachExprIn(body, func(e expr) {
		if a, ok := e.(assign); ok {
			p, ok := lvalue(a.x)
			sets = sets || ok && len(p.subs) > 0 && !(p.root.decl.Type().Kind() == cc.Array && declaredWithin(body, p.root.decl))
		}
	})
	return sets
}
