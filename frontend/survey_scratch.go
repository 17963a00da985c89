package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// This file makes variables of the elements of small arrays that a body declares for itself, as of the populations of a
// point of a lattice, and writes out the loops over them:
//
//	double f[3];                            double f_0, f_1, f_2;
//	for (int q = 0; q < 3; q++)       =>    f_0 = A[i - 1];
//	  f[q] = A[i + q - 1];                  f_1 = A[i];
//	                                        f_2 = A[i + 1];
//
// An array whose elements are not all told apart by numbers stays, to be refused.

// maxScratch bounds the elements of such an array.
const maxScratch = 128

// maxCopies bounds the iterations of loops that are written out for them.
const maxCopies = 5000

// A scratch is what becomes of the small arrays that a region declares.
type scratch struct {
	*survey
	arrays map[*cc.Declarator][]*cc.Declarator // the elements of each, row by row
	failed map[*cc.Declarator]bool
	copies int // of bodies
	// cursors are integers whose values are known at this place.
	cursors map[*cc.Declarator]int64
}

// withoutScratch returns ss with small arrays of their own as scalars.
func (sv *survey) withoutScratch(ss []stmt) []stmt {
	sc := &scratch{survey: sv, arrays: map[*cc.Declarator][]*cc.Declarator{}}
	for _, s := range ss {
		eachStmt(s, func(s stmt) {
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					sc.find(v)
				}
			}
		})
	}
	for len(sc.arrays) > 0 {
		sc.failed, sc.copies, sc.cursors = map[*cc.Declarator]bool{}, 0, map[*cc.Declarator]int64{}
		out := sc.stmts(ss)
		if len(sc.failed) == 0 {
			for d := range sc.arrays {
				sv.apart[d] = true
			}
			return out
		}
		for d := range sc.failed {
			delete(sc.arrays, d)
		}
	}
	return ss
}

// find notes the array that v declares, if it is a small one of numbers, and automatic or constant.
func (sc *scratch) find(v varDecl) {
	shape, ok := shapeOf(v.decl)
	if !ok || shape.pointer || isVolatile(v.decl) || shape.elem.Attributes().IsVolatile() || sc.attached(v.decl) != "" || v.decl.IsExtern() {
		return
	}
	t, ok := storedType(shape.elem)
	isConst := v.decl.IsConst() || shape.elem.Attributes().IsConst()
	if !ok || sc.u.numbers[t] == nil || v.decl.IsStatic() && (!isConst || v.list == nil) {
		return
	}
	count := int64(1)
	for _, n := range shape.dims {
		if n == nil || n.Len() <= 0 || n.Len() > maxScratch {
			return
		}
		count *= n.Len()
	}
	if count > maxScratch || v.list != nil && v.list.Case == cc.InitializerExpr {
		return
	}
	elements := make([]*cc.Declarator, count)
	for k := range elements {
		elements[k] = sc.u.element(v.decl, int64(k), t)
	}
	sc.arrays[v.decl] = elements
}

func (sc *scratch) stmts(ss []stmt) (out []stmt) {
	for _, s := range ss {
		out = append(out, sc.stmt(s))
	}
	return out
}

func (sc *scratch) stmt(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = sc.stmts(s.items)
		return s
	case declStmt:
		return sc.declaration(s)
	case ifStmt:
		return sc.branch(s)
	case forStmt:
		return sc.loop(s)
	case exprStmt:
		if s.x == nil {
			return s
		}
		all := sc.follow(s)
		for i, s := range all {
			all[i] = mapStmt(s, sc.expr)
		}
		if len(all) == 1 {
			return all[0]
		}
		return block{s.where, all}
	case otherStmt:
		sc.forget(s)
		s.inner = sc.stmts(s.inner)
		s.exprs = mapAll(s.exprs, sc.expr)
		return s
	case nil:
		return nil
	}
	return mapStmt(s, sc.expr)
}

// declaration returns s with variables for the elements of arrays.
func (sc *scratch) declaration(s declStmt) stmt {
	var vars []varDecl
	for _, v := range s.vars {
		elements := sc.arrays[v.decl]
		if elements == nil {
			delete(sc.cursors, v.decl)
			if v.init != nil {
				sc.set(v.decl, assign{v.where, "=", ident{v.where, v.decl.Name(), v.decl}, v.init})
				v.init = sc.expr(v.init)
			}
			vars = append(vars, v)
			continue
		}
		values, ok := sc.initial(v, len(elements))
		if !ok {
			sc.failed[v.decl] = true
			return s
		}
		for k, d := range elements {
			e := varDecl{where: v.where, decl: d}
			if values != nil {
				e.init = values[k]
			}
			vars = append(vars, e)
		}
	}
	s.vars = vars
	return s
}

// initial returns the values that v, an array, begins with; nil for none.
func (sc *scratch) initial(v varDecl, count int) (values []expr, ok bool) {
	if v.list == nil {
		return nil, true
	}
	list, ok := v.init.(otherExpr)
	if !ok {
		return nil, false
	}
	shape, _ := shapeOf(v.decl)
	values = make([]expr, count)
	for k := range values {
		values[k] = truthNumber(v.where, false)
	}
	next := 0
	ok = eachInitial(v.list, func(n *cc.Initializer) bool {
		at := n.Offset() / shape.elem.Size()
		if next >= len(list.inner) || at < 0 || at+n.Len() > int64(count) {
			return false
		}
		for k := range n.Len() {
			values[at+k] = sc.expr(list.inner[next])
		}
		next++
		return true
	})
	return values, ok && next == len(list.inner)
}

// loop returns f, or its iterations one after the other where elements are told apart by its variable.
func (sc *scratch) loop(f forStmt) stmt {
	d := iteratorOf(f)
	values, ok := sc.fixedValues(f)
	if d == nil || !sc.tellsApart(f.body, d) && !(ok && sc.moves(f)) {
		sc.forget(f.body)
		f.body = sc.stmt(f.body)
		sc.forget(f.body)
		return f
	}
	if sc.copies += len(values); !ok || sc.copies > maxCopies || assigns(f.body, d) || jumps(f.body, "'break'") {
		sc.failAll(f)
		return f
	}
	b := block{where: f.where}
	for _, v := range values {
		b.items = append(b.items, sc.stmts(turnOf(f, v))...)
	}
	return b
}

// tellsApart reports whether d stands in a subscript of a small array in s.
func (sc *scratch) tellsApart(s stmt, d *cc.Declarator) (found bool) {
	eachExprIn(s, func(e expr) {
		x, ok := e.(index)
		if !ok || !mentions(x.sub, d) {
			return
		}
		if p, ok := lvalue(x); ok && sc.arrays[p.root.decl] != nil {
			found = true
		}
	})
	return found
}

// failAll gives up the arrays that s uses.
func (sc *scratch) failAll(s stmt) {
	eachExprIn(s, func(e expr) {
		if x, ok := e.(ident); ok && sc.arrays[x.decl] != nil {
			sc.failed[x.decl] = true
		}
	})
}

// fixedValues returns the values that the variable of f takes, if it runs between numbers, a few times.
func (sv *survey) fixedValues(f forStmt) (values []int64, ok bool) {
	d := iteratorOf(f)
	by, known := stepOf(f.step, d)
	v, begins := sv.constant(initOf(f))
	if !known || by == 0 || !begins || f.cond == nil {
		return nil, false
	}
	for len(values) <= maxScratch {
		more, known := sv.holds(f.cond, d, v)
		if !known {
			return nil, false
		}
		if !more {
			return values, true
		}
		values = append(values, v)
		v += by
	}
	return nil, false
}

// holds returns the value of condition e, comparisons of numbers and of d, where d is v.
func (sv *survey) holds(e expr, d *cc.Declarator, v int64) (value, known bool) {
	if not, ok := e.(unary); ok && not.op == "!" {
		v, known := sv.holds(not.x, d, v)
		return !v, known
	}
	c, ok := e.(binary)
	if !ok {
		return false, false
	}
	if c.op == "&&" || c.op == "||" {
		x, ok1 := sv.holds(c.x, d, v)
		y, ok2 := sv.holds(c.y, d, v)
		return c.op == "&&" && x && y || c.op == "||" && (x || y), ok1 && ok2
	}
	at := func(e expr) (int64, bool) {
		return sv.constant(mapExpr(e, func(e expr) expr {
			if isIdent(e, d) {
				return numberAt(e.at(), v)
			}
			return e
		}))
	}
	x, ok1 := at(c.x)
	y, ok2 := at(c.y)
	if !ok1 || !ok2 || isUnsigned(usual(intType(c.x), intType(c.y))) && (x < 0 || y < 0) {
		return false, false
	}
	switch c.op {
	case "<":
		return x < y, true
	case "<=":
		return x <= y, true
	case ">":
		return x > y, true
	case ">=":
		return x >= y, true
	case "!=":
		return x != y, true
	case "==":
		return x == y, true
	}
	return false, false
}

// expr returns e with variables in the place of elements of small arrays.
func (sc *scratch) expr(e expr) expr {
	switch x := e.(type) {
	case ident:
		if sc.arrays[x.decl] != nil {
			sc.failed[x.decl] = true // as a whole
		}
		return e
	case index, unary:
		p, ok := lvalue(x)
		if !ok || sc.arrays[p.root.decl] == nil {
			break
		}
		shape, _ := shapeOf(p.root.decl)
		element := int64(0)
		good := len(p.subs) == len(shape.dims) && !p.cast && len(p.fields) == 0 && p.choice == nil
		for k := 0; good && k < len(p.subs); k++ {
			v, ok := sc.constant(sc.expr(p.subs[k]))
			good = ok && 0 <= v && v < shape.dims[k].Len()
			element = element*shape.dims[k].Len() + v
		}
		if !good {
			sc.failed[p.root.decl] = true
			return e
		}
		return ident{e.at(), fmt.Sprintf("%s[%d]", p.root.name, element), sc.arrays[p.root.decl][element]}
	}
	return mapChildren(e, sc.expr)
}

// constant returns the value of e, if that is an integer constant, with the values that cursors have here, or an element of a table of such by a constant.
func (sc *scratch) constant(e expr) (int64, bool) {
	return sc.survey.constant(mapExpr(e, func(e expr) expr {
		if x, ok := e.(ident); ok {
			if v, known := sc.cursors[x.decl]; known {
				return numberAt(e.at(), v)
			}
		}
		p, values, ok := sc.tableOfPath(e)
		if !ok {
			return e
		}
		shape, _ := shapeOf(p.root.decl)
		element := int64(0)
		for k, sub := range p.subs {
			v, ok := sc.survey.constant(sub)
			if !ok || v < 0 || v >= shape.dims[k].Len() {
				return e
			}
			element = element*shape.dims[k].Len() + v
		}
		return numberAt(e.at(), values[element])
	}))
}
