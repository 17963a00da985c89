package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the array element that an expression designates, in any of
// C's spellings: A[i][j], (*A)[i][j], *(p + i), ((float (*)[m])p)[i][j].

// A path is a variable, then subscripts.
type path struct {
	root  ident
	shape cc.Type // of the variable, or what a cast makes of it
	cast  bool
	name  *cc.TypeName // of the cast
	subs  []expr
	types []cc.Type // before each subscript
	typ   cc.Type   // after all of them

	choice *choice     // of the variable: root is the first
	fields []fieldStep // members of structs that are elements of an array
}

// A fieldStep is a member, named after so many subscripts.
type fieldStep struct {
	after int
	*cc.Field
}

// step returns p followed by one more subscript.
func (p path) step(sub expr, elem cc.Type) path {
	p.types = append(p.types[:len(p.types):len(p.types)], p.typ)
	p.subs = append(p.subs[:len(p.subs):len(p.subs)], sub)
	p.typ = elem
	return p
}

// lvalue returns the path to what e designates.
func lvalue(e expr) (path, bool) {
	switch e := e.(type) {
	case ident:
		if e.decl == nil {
			return path{}, false
		}
		return path{root: e, shape: e.decl.Type(), typ: e.decl.Type()}, true
	case index:
		p, offset, ok := pointer(e.base)
		if !ok {
			return path{}, false
		}
		return p.step(plus(offset, e.sub, "+"), elemOf(p.typ)), true
	case unary:
		if e.op != "*" {
			return path{}, false
		}
		p, offset, ok := pointer(e.x)
		if !ok {
			return path{}, false
		}
		if offset == nil {
			offset = numberAt(e.where, 0)
		}
		return p.step(offset, elemOf(p.typ)), true
	case memberExpr:
		return memberOf(e)
	}
	return path{}, false
}

// memberOf returns the path to a member of what a path designates, or points to.
func memberOf(e memberExpr) (p path, ok bool) {
	if e.arrow {
		var offset expr
		if p, offset, ok = pointer(e.x); !ok {
			return path{}, false
		}
		if offset == nil {
			offset = numberAt(e.where, 0)
		}
		p = p.step(offset, elemOf(p.typ))
	} else if p, ok = lvalue(e.x); !ok {
		return path{}, false
	}
	p.fields = append(p.fields[:len(p.fields):len(p.fields)], fieldStep{len(p.subs), e.field})
	p.typ = e.field.Type()
	return p, true
}

// pointer returns the path to the pointer, or to the array that turns into one,
// and how many elements e is behind it: nil for none.
func pointer(e expr) (p path, offset expr, ok bool) {
	switch e := e.(type) {
	case binary:
		if e.op != "+" && e.op != "-" {
			return path{}, nil, false
		}
		if p, offset, ok := pointer(e.x); ok {
			return p, plus(offset, e.y, e.op), true
		}
		if p, offset, ok := pointer(e.y); ok && e.op == "+" {
			return p, plus(offset, e.x, "+"), true
		}
		return path{}, nil, false
	case unary:
		if e.op != "&" {
			break
		}
		p, ok := lvalue(e.x)
		if n := len(p.subs) - 1; ok && n >= 0 {
			if k := len(p.fields) - 1; k >= 0 && p.fields[k].after > n {
				return path{}, nil, false // a pointer to a member
			}
			offset, p.typ = p.subs[n], p.types[n]
			p.subs, p.types = p.subs[:n], p.types[:n]
			return p, offset, true
		}
		return path{}, nil, false
	case cond:
		p, ok := choiceOfPointers(e)
		return p, nil, ok
	case cast:
		p, offset, ok := pointer(e.x)
		if ok && offset == nil && len(p.subs) == 0 && isPointer(p.root.decl) && elemOf(e.typ) != nil {
			p.shape, p.typ, p.cast, p.name = e.typ, e.typ, true, e.name
			return p, nil, true
		}
		return path{}, nil, false
	}
	p, ok = lvalue(e)
	return p, nil, ok && elemOf(p.typ) != nil
}

// plus returns x op y; x may be nil.
func plus(x, y expr, op string) expr {
	if x == nil {
		if op == "-" {
			return unary{y.at(), "-", y}
		}
		return y
	}
	at := x.at().to(y.at())
	if x.at().first.Line != y.at().first.Line { // x stands where a pointer is set
		at = y.at()
	}
	return binary{at, op, x, y}
}

// A choice is two pointers of which test chooses: the first if it is true.
type choice struct {
	where
	test    expr
	yes, no ident
}

// choiceOfPointers returns the path to the pointer that e chooses.
func choiceOfPointers(e cond) (p path, ok bool) {
	p, offset, ok1 := pointer(e.x)
	q, other, ok2 := pointer(e.y)
	plain := func(p path) bool { return len(p.subs) == 0 && len(p.fields) == 0 && !p.cast && p.choice == nil }
	if !ok1 || !ok2 || offset != nil || other != nil || !plain(p) || !plain(q) {
		return path{}, false
	}
	p.choice = &choice{e.where, e.c, p.root, q.root}
	return p, true
}

// throughPointer reports whether p reads a pointer that lies in an array.
func (p path) throughPointer() bool {
	for k, t := range append(p.types[:len(p.types):len(p.types)], p.typ) {
		if _, is := t.(*cc.PointerType); is && k > 0 {
			return true
		}
	}
	return false
}

// viewOf returns the type of the member that p leads to, if the structs have members of
// several types.
func viewOf(p path) (elem scop.Type, ok bool) {
	if !isMixed(p) || len(p.fields) == 0 {
		return 0, false
	}
	return storedType(p.typ)
}

// isMixed reports whether p leads into an array of structs with members of several types.
func isMixed(p path) bool {
	s, ok := shapeOfType(p.shape)
	if tableOf(p.shape) > 0 {
		s, ok = shapeOfType(s.elem)
	}
	if _, isStruct := s.elem.(*cc.StructType); !ok || !isStruct {
		return false
	}
	_, _, uniform := recordOf(s.elem)
	return !uniform
}

func withoutCasts(e expr) expr {
	for {
		c, ok := e.(cast)
		if !ok {
			return e
		}
		e = c.x
	}
}

// A move is an assignment of a pointer.
type move struct {
	where
	to, from *cc.Declarator // from is nil if it is not a variable
	text     string         // of what is assigned
	end      *cc.Declarator // what to holds after it, as the pointer that held it when the step began
	choice   *choice        // what is assigned, if that is a choice
}

// direct returns a for *&a, as calls of swap(&a, &b) leave it.
func direct(e expr) expr {
	if u, ok := e.(unary); ok && u.op == "*" {
		if v, ok := u.x.(unary); ok && v.op == "&" {
			return v.x
		}
	}
	return e
}

// assigned returns what e assigns, nil for what is not a plain assignment.
func assigned(e assign) expr {
	if e.op != "=" {
		return nil
	}
	return e.y
}

// variableOf returns the variable that e is, or nil.
func variableOf(e expr) *cc.Declarator {
	if x, ok := e.(ident); ok {
		return x.decl
	}
	return nil
}
