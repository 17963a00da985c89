package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds out where the pointers of a function come from, to tell which
// cannot overlap: each malloc makes an object of its own.

// An origin is where what a pointer points to comes from.
type origin struct {
	kind originKind
	decl *cc.Declarator // the variable that holds it first
}

type originKind uint8

const (
	unknownOrigin  originKind = iota
	anyObject                 // a parameter: an object that the caller has
	restricted                // a restrict parameter: an object that it alone leads to
	freshObject               // allocated in the function
	declaredObject            // an array variable
)

// neverOverlap reports whether what d and e lead to is shown to be different objects.
func (src *source) neverOverlap(d, e *cc.Declarator) bool {
	x, y := src.originOf(d, nil), src.originOf(e, nil)
	if x.kind == unknownOrigin || y.kind == unknownOrigin || x.decl == y.decl {
		return x.kind == freshObject && d == e // of two pointers of a table
	}
	if x.kind > y.kind {
		x, y = y, x
	}
	switch x.kind {
	case anyObject:
		return y.kind == restricted || y.kind == freshObject
	}
	return true
}

// originOf returns the origin of d, or of its elements if it is an array. Those in seen are being looked at.
func (src *source) originOf(d *cc.Declarator, seen []*cc.Declarator) origin {
	switch {
	case tableOf(d.Type()) > 0:
		if src.freshTable(d) {
			return origin{freshObject, d}
		}
		return origin{}
	case src.u.members.is(d), slices.Contains(seen, d):
		return origin{}
	case !isPointer(d):
		return origin{declaredObject, d}
	case d.StorageDuration() != cc.Automatic || src.addressTaken(d):
		return origin{}
	}
	from, ok := src.assignedTo(d)
	switch {
	case !ok:
		return origin{}
	case d.IsParam() && len(from) == 0 && isRestrict(d):
		return origin{restricted, d}
	case d.IsParam() && len(from) == 0:
		return origin{anyObject, d}
	case !d.IsParam() && len(from) > 0 && !slices.ContainsFunc(from, func(e expr) bool { return !src.allocates(e) }):
		return origin{freshObject, d}
	case !d.IsParam() && len(from) == 1:
		if p, _, ok := pointer(withoutCasts(from[0])); ok && !p.throughPointer() {
			return src.originOf(p.root.decl, append(seen, d))
		}
	}
	return origin{}
}

// beginsBlock reports whether d leads to the beginning of a block that the function allocates.
func (src *source) beginsBlock(d *cc.Declarator) bool {
	if d.IsParam() || src.u.members.is(d) || d.StorageDuration() != cc.Automatic || src.addressTaken(d) {
		return false
	}
	from, ok := src.assignedTo(d)
	return ok && len(from) > 0 && !slices.ContainsFunc(from, func(e expr) bool { return !src.allocates(e) })
}

// addressTaken reports whether the function takes the address of d outside of
// the region. In the region only calls that exchange pointers do.
func (src *source) addressTaken(d *cc.Declarator) (taken bool) {
	eachStmt(src.r.body, func(s stmt) {
		for _, e := range append(exprsOf(s), initExpr(s)) {
			eachExpr(e, func(e expr) {
				u, ok := e.(unary)
				at := src.f.offset(e.at().first)
				taken = taken || ok && u.op == "&" && isIdent(u.x, d) && (at < src.r.Start || at >= src.r.End)
			})
		}
	})
	return taken
}

// assignedTo returns what the function assigns to d outside of the region, null
// pointers left out; ok is false if it changes d in another way.
func (src *source) assignedTo(d *cc.Declarator) (from []expr, ok bool) {
	ok = true
	add := func(at where, e expr) {
		offset := src.f.offset(at.first)
		if offset >= src.r.Start && offset < src.r.End {
			return // rotated, which moves objects from one pointer to the other
		}
		if v, isConstant := literal(withoutCasts(e)); !isConstant || v != 0 {
			from = append(from, e)
		}
	}
	eachStmt(src.r.body, func(s stmt) {
		if s, isDecl := s.(declStmt); isDecl {
			for _, v := range s.vars {
				if v.decl == d && v.init != nil {
					add(v.where, v.init)
				}
			}
		}
		for _, e := range append(exprsOf(s), initExpr(s)) {
			eachExpr(e, func(e expr) {
				if a, is := e.(assign); is && isIdent(a.x, d) {
					if a.op != "=" {
						ok = false
						return
					}
					add(a.where, a.y)
				}
			})
		}
	})
	return from, ok
}

// allocators are the functions of stdlib.h that return an object nobody else has.
var allocators = []string{"malloc", "calloc", "aligned_alloc", "__builtin_malloc", "__builtin_calloc"}

// allocates reports whether e is a new object.
func (src *source) allocates(e expr) bool {
	c, ok := withoutCasts(e).(call)
	if _, named := c.fun.(ident); !ok || !named {
		return false
	}
	return slices.ContainsFunc(allocators, func(name string) bool { return isCallOf(c, name) && src.definition(c.fun.(ident)) == nil })
}

// mayOverlap reports whether d, or the struct that it is a member of, is reached through a pointer.
func (src *source) mayOverlap(d *cc.Declarator) bool {
	return isPointer(d) || tableOf(d.Type()) > 0 || strings.Contains(src.u.members.of[d].way, "->")
}

// isRestrict reports whether what d leads to is reached through a restrict
// pointer only: d itself, or for arrays inside of a struct the pointer to that.
func (src *source) isRestrict(d *cc.Declarator) bool {
	if tableOf(d.Type()) > 0 {
		return restrictTable(d)
	}
	m, ok := src.u.members.of[d]
	if !ok || isPointer(d) {
		return isRestrict(d)
	}
	return strings.Count(m.way, "->") == 1 && strings.HasPrefix(m.way, "->") && isRestrict(m.root)
}

// sameStruct reports whether d and e are different arrays inside of one struct.
func (src *source) sameStruct(d, e *cc.Declarator) bool {
	x, ok := src.u.members.of[d]
	y, too := src.u.members.of[e]
	if !ok || !too || isPointer(d) && !src.owns(d) || isPointer(e) && !src.owns(e) || x.root != y.root || x.way == y.way {
		return false
	}
	arrow := strings.LastIndex(x.way, "->")
	return arrow == strings.LastIndex(y.way, "->") && (arrow < 0 || x.way[:arrow] == y.way[:arrow])
}

// owns reports whether d is, in C++, a vector or another object that owns its elements, which are numbers or structs: no other one has any of them.
func (src *source) owns(d *cc.Declarator) bool {
	to, ok := d.Type().(*cc.PointerType)
	if src.f.cxx == nil || !ok || to.Elem().Kind() == cc.Ptr {
		return false
	}
	m, isMember := src.u.members.of[d]
	if !isMember {
		return src.f.cxx.ownedAt[src.f.offset(d.NameTok().Position())]
	}
	if m.field == nil {
		return false
	}
	class, ok := m.field.ParentType().(*cc.StructType)
	if !ok {
		return false
	}
	tag := class.Tag()
	return src.f.cxx.owned[tag.SrcStr()+"."+m.field.Name()]
}

// isSpan reports whether d is a member that is a std::span in C++.
func (src *source) isSpan(d *cc.Declarator) bool {
	m, isMember := src.u.members.of[d]
	if src.f.cxx == nil || !isMember || m.field == nil {
		return false
	}
	class, ok := m.field.ParentType().(*cc.StructType)
	if !ok {
		return false
	}
	tag := class.Tag()
	return src.f.cxx.spans[tag.SrcStr()+"."+m.field.Name()]
}

// freshTable reports whether the function fills array d with blocks of its own,
// and nothing else can change it.
func (src *source) freshTable(d *cc.Declarator) bool {
	if isPointer(d) || src.u.members.is(d) || d.StorageDuration() != cc.Automatic {
		return false
	}
	fresh := true
	var look func(e expr)
	look = func(e expr) {
		switch x := e.(type) {
		case nil:
			return
		case index:
			if isIdent(x.base, d) {
				look(x.sub)
				return
			}
		case assign:
			if to, ok := x.x.(index); ok && isIdent(to.base, d) {
				value, null := literal(withoutCasts(x.y))
				fresh = fresh && x.op == "=" && (src.allocates(x.y) || null && value == 0)
			}
		case unary:
			if to, ok := x.x.(index); ok && x.op == "&" && isIdent(to.base, d) {
				fresh = false // the address of a pointer in the table
			}
		case ident:
			fresh = fresh && x.decl != d
		}
		for _, x := range children(e) {
			look(x)
		}
	}
	eachStmt(src.r.body, func(s stmt) {
		if s, ok := s.(declStmt); ok {
			for _, v := range s.vars {
				fresh = fresh && (v.decl != d || v.init == nil || src.allocatesAll(v.init))
			}
		}
		for _, e := range append(exprsOf(s), initExpr(s)) {
			look(e)
		}
	})
	return fresh
}

// allocatesAll reports whether e, the initial value of a table, is new objects and null pointers.
func (src *source) allocatesAll(e expr) bool {
	list, ok := e.(otherExpr)
	if !ok {
		return false
	}
	for _, x := range list.inner {
		value, constant := literal(withoutCasts(x))
		if !src.allocates(x) && (!constant || value != 0) {
			return false
		}
	}
	return true
}
