package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file makes values of structs into values of their members:
//
//	vec2 s = add(v[i - 1], v[i]);         double s_x, s_y;
//	w[i] = scale(0.5, s);            =>   ..            the statements of add, with members in the place of structs
//	                                      w[i].x = ..;  w[i].y = ..;
//
// Functions that return structs are put where they are called, and so are those that are passed small arrays of the body, whose elements become
// variables (survey_scratch.go), or addresses of its variables. What is evaluated under a condition in an expression stays, and is refused if it is a struct.

// A structs goes through statements.
type structs struct {
	*survey
	calls  callStack
	result *ident // what a return sets, of a function that is put in its place
}

// withoutStructs returns ss without values of structs.
func (sv *survey) withoutStructs(ss []stmt, calls callStack) []stmt {
	return (&structs{survey: sv, calls: calls}).stmts(ss)
}

// A leaf is a number in a struct: the members that lead to it, outside in, and of an array its subscripts there.
type leaf struct {
	fields []*cc.Field
	subs   []int64
	at     int64 // how far it is into the array, in bytes
}

// leavesOf returns the numbers in t, a struct of numbers, of small arrays of numbers and of such structs; ok is false for other types.
func leavesOf(t cc.Type) (list []leaf, ok bool) {
	if list, ok = leavesIn(t); len(list) > mostCopied {
		return nil, false
	}
	return list, ok
}

func leavesIn(t cc.Type) (list []leaf, ok bool) {
	s, ok := t.(*cc.StructType)
	if !ok || s.NumFields() == 0 {
		return nil, false
	}
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		if f == nil || f.IsBitfield() || f.Declarator() == nil || f.Type().Attributes().IsVolatile() {
			return nil, false
		}
		if _, number := storedType(f.Type()); number {
			list = append(list, leaf{fields: []*cc.Field{f}})
			continue
		}
		if a, isArray := f.Type().(*cc.ArrayType); isArray {
			elements, ok := elementsOf(a)
			if !ok {
				return nil, false
			}
			for _, l := range elements {
				l.fields = []*cc.Field{f}
				list = append(list, l)
			}
			continue
		}
		inner, ok := leavesIn(f.Type())
		if !ok {
			return nil, false
		}
		for _, l := range inner {
			l.fields = append([]*cc.Field{f}, l.fields...)
			list = append(list, l)
		}
	}
	return list, true
}

// elementsOf returns the elements of t, a small array of numbers; ok is false for other arrays.
func elementsOf(t *cc.ArrayType) (list []leaf, ok bool) {
	if t.Attributes() != nil && t.Attributes().IsVolatile() || t.Len() <= 0 || t.Len() > mostCopied {
		return nil, false
	}
	inner := []leaf{{}}
	if _, number := storedType(t.Elem()); !number {
		of, isArray := t.Elem().(*cc.ArrayType)
		if !isArray {
			return nil, false
		}
		if inner, ok = elementsOf(of); !ok {
			return nil, false
		}
	}
	for k := range t.Len() {
		for _, l := range inner {
			list = append(list, leaf{subs: append([]int64{k}, l.subs...), at: k*t.Elem().Size() + l.at})
		}
	}
	return list, len(list) <= mostCopied
}

// of returns the number l of e, a struct.
func (l leaf) of(u *unit, e expr) expr {
	e = l.member(u, e)
	for _, k := range l.subs {
		e = index{e.at(), e, numberAt(e.at(), k)}
	}
	return e
}

// member returns the member of e, a struct, that the number l is, or is an element of.
func (l leaf) member(u *unit, e expr) expr {
	w := e.at()
	for _, f := range l.fields {
		e = u.members.resolved(memberExpr{w, e, f, false})
	}
	return e
}

// offset returns where l lies in its struct, in bytes.
func (l leaf) offset() int64 {
	at := l.at
	for _, f := range l.fields {
		at += f.Offset()
	}
	return at
}

// isFirst reports whether l is no element of an array but its first one.
func (l leaf) isFirst() bool {
	return !slices.ContainsFunc(l.subs, func(k int64) bool { return k > 0 })
}

// variable returns a variable like the number l.
func (l leaf) variable(u *unit) *cc.Declarator {
	d := l.fields[len(l.fields)-1].Declarator()
	if len(l.subs) > 0 {
		t := d.Type()
		for range l.subs {
			t = t.(*cc.ArrayType).Elem()
		}
		number, _ := storedType(t)
		d = u.numbers[number]
	}
	copied := *d
	return &copied
}

// structOf returns the type of e if that is a struct of numbers.
func (st *structs) structOf(e expr) (t cc.Type, ok bool) {
	switch e := direct(e).(type) {
	case ident:
		if e.decl != nil {
			t = e.decl.Type()
		}
	case literalExpr:
		t = e.typ
	case cond:
		return st.structOf(e.x)
	case call:
		if fd := st.called(e); fd != nil {
			t = fd.Declarator.Type().(*cc.FunctionType).Result()
		}
	default:
		if p, ok := lvalue(e); ok {
			t = p.typ
		}
	}
	if t == nil {
		return nil, false
	}
	_, ok = leavesOf(t)
	return t, ok
}

// called returns the function of the file that e calls, or nil.
func (st *structs) called(e call) *cc.FunctionDefinition {
	f, ok := e.fun.(ident)
	if !ok {
		return nil
	}
	fd := st.definition(f)
	if fd == nil {
		return nil
	}
	if _, ok := fd.Declarator.Type().(*cc.FunctionType); !ok {
		return nil
	}
	return fd
}

func (st *structs) stmts(ss []stmt) (out []stmt) {
	for _, s := range ss {
		out = append(out, st.stmt(s)...)
	}
	return out
}

func (st *structs) stmt(s stmt) []stmt {
	switch s := s.(type) {
	case block:
		s.items = st.stmts(s.items)
		return []stmt{s}
	case declStmt:
		return st.declaration(s)
	case exprStmt:
		if c, ok := s.x.(comma); ok {
			return st.inTurn(s, c)
		}
		if a, ok := s.x.(assign); ok && a.op == "=" {
			if _, ok := st.structOf(a.x); ok {
				return []stmt{block{s.where, st.assign(s.where, a.x, a.y, false)}}
			}
			if numbers, ok := st.copied(s, a); ok {
				return numbers
			}
		}
		return st.withValues(s.x, func(x expr) stmt { s.x = x; return s })
	case ifStmt:
		s.then = st.one(s.then)
		if s.orElse != nil {
			s.orElse = st.one(s.orElse)
		}
		return st.withValues(s.cond, func(x expr) stmt { s.cond = x; return s })
	case forStmt:
		s.body = st.one(s.body)
		return []stmt{s}
	case resultStmt:
		if st.result != nil {
			return st.setResult(s)
		}
		return st.withValues(s.x, func(x expr) stmt { s.x = x; return s })
	case otherStmt:
		s.inner = st.stmts(s.inner)
		return []stmt{s}
	}
	return []stmt{s}
}

// one returns s as one statement.
func (st *structs) one(s stmt) stmt {
	if s == nil {
		return nil
	}
	out := st.stmt(s)
	if len(out) == 1 {
		return out[0]
	}
	return block{s.at(), out}
}

// withValues returns the statement that with makes of e, after those that compute structs in e.
func (st *structs) withValues(e expr, with func(expr) stmt) []stmt {
	if e == nil {
		return []stmt{with(nil)}
	}
	pre, x := st.hoist(e)
	if len(pre) == 0 {
		return []stmt{with(x)}
	}
	return []stmt{block{e.at(), append(pre, with(x))}}
}

func (st *structs) declaration(s declStmt) (out []stmt) {
	for _, v := range s.vars {
		leaves, ok := leavesOf(v.decl.Type())
		if !ok || v.decl.IsStatic() || v.decl.IsExtern() || isVolatile(v.decl) {
			if v.init == nil {
				out = append(out, declStmt{s.where, []varDecl{v}})
				continue
			}
			pre, x := st.hoist(v.init)
			v.init = x
			out = append(append(out, pre...), declStmt{s.where, []varDecl{v}})
			continue
		}
		out = append(out, st.declare(v.where, v.decl, leaves))
		x := ident{v.where, v.decl.Name(), v.decl}
		switch {
		case v.list != nil && v.list.Case != cc.InitializerExpr:
			list, _ := v.init.(otherExpr)
			out = append(out, st.assign(v.where, x, literalExpr{v.init.at(), v.decl.Type(), v.list, list.inner}, true)...)
		case v.init != nil:
			out = append(out, st.assign(v.where, x, v.init, true)...)
		}
	}
	return out
}

// declare returns the declaration of the numbers of d.
func (st *structs) declare(w where, d *cc.Declarator, leaves []leaf) stmt {
	st.apart[d] = true
	s := declStmt{where: w}
	for _, l := range leaves {
		if m, ok := l.member(st.u, ident{w, d.Name(), d}).(ident); ok && l.isFirst() {
			s.vars = append(s.vars, varDecl{where: w, decl: m.decl})
		}
	}
	return s
}

// fresh returns a variable like d, and its declaration if it is a struct.
func (st *structs) fresh(w where, d *cc.Declarator, t cc.Type) (ident, []stmt) {
	copied := *d
	x := ident{w, d.Name(), &copied}
	leaves, ok := leavesOf(t)
	if !ok {
		return x, nil
	}
	return x, []stmt{st.declare(w, &copied, leaves)}
}

// assign returns the statements that set x to y, both structs; isNew says that nothing in y is of x.
func (st *structs) assign(w where, x, y expr, isNew bool) (out []stmt) {
	t, ok := st.structOf(x)
	if !ok { // it stands for the result of a function
		t, ok = st.structOf(y)
	}
	var leaves []leaf
	if ok {
		leaves, _ = leavesOf(t)
	}
	if at := st.f.span(where{x.at().first, x.at().first}).Pos; ok {
		st.whole[at] = len(leaves)
	}
	each := func(value func(k int) expr) {
		for k, l := range leaves {
			out = append(out, exprStmt{w, assign{w, "=", l.of(st.u, x), value(k)}})
		}
	}
	refuse := func() []stmt { return []stmt{exprStmt{w, assign{w, "=", x, y}}} }
	switch y := y.(type) {
	case call:
		pre, root, ok := st.call(y)
		if !ok {
			return append(pre, refuse()...)
		}
		out = pre
		each(func(k int) expr { return leaves[k].of(st.u, root) })
		return out
	case cond:
		pre, c := st.hoist(y.c)
		return append(pre, ifStmt{w, c, block{w, st.assign(w, x, y.x, isNew)}, block{w, st.assign(w, x, y.y, isNew)}})
	case literalExpr:
		values, pre, ok := st.literal(y, leaves)
		if !ok {
			return refuse()
		}
		out = pre
		if isNew {
			each(func(k int) expr { return values[k] })
			return out
		}
		for k, l := range leaves { // all are computed before one is set
			kept := l.variable(st.u)
			out = append(out, declStmt{w, []varDecl{{where: values[k].at(), decl: kept, init: values[k]}}})
			values[k] = ident{values[k].at(), kept.Name(), kept}
			st.apart[kept] = true
		}
		each(func(k int) expr { return values[k] })
		return out
	}
	if from, ok := st.structOf(y); !ok || leaves == nil || from.Size() != t.Size() {
		return refuse()
	}
	each(func(k int) expr { return leaves[k].of(st.u, y) })
	return out
}

// literal returns the values of the numbers of a compound literal or a list.
func (st *structs) literal(e literalExpr, leaves []leaf) (values []expr, pre []stmt, ok bool) {
	values = make([]expr, len(leaves))
	for k := range values {
		values[k] = truthNumber(e.where, false)
	}
	next := 0
	ok = eachInitial(e.list, func(n *cc.Initializer) bool {
		if next >= len(e.inner) {
			return false
		}
		if t, isStruct := st.structOf(e.inner[next]); isStruct {
			before, found, good := st.parts(e.inner[next], t)
			pre = append(pre, before...)
			for k, l := range leaves {
				if l.offset() == n.Offset() && k+len(found) <= len(leaves) && good {
					copy(values[k:], found)
					next++
					return true
				}
			}
			return false
		}
		for k, l := range leaves {
			if l.offset() == n.Offset() {
				before, x := st.hoist(e.inner[next])
				pre, values[k] = append(pre, before...), x
				next++
				return true
			}
		}
		return false
	})
	return values, pre, ok && next == len(e.inner)
}

// parts returns the numbers of e, a struct of type t, after the statements that compute it.
func (st *structs) parts(e expr, t cc.Type) (pre []stmt, values []expr, ok bool) {
	leaves, _ := leavesOf(t)
	switch x := e.(type) {
	case literalExpr:
		values, pre, ok = st.literal(x, leaves)
		return pre, values, ok
	case call:
		var root ident
		if pre, root, ok = st.call(x); !ok {
			return pre, nil, false
		}
		e = root
	case cond:
		return nil, nil, false
	}
	for _, l := range leaves {
		values = append(values, l.of(st.u, e))
	}
	return pre, values, true
}

// call returns the statements of the function that e calls, and the variable that holds its result, a struct.
func (st *structs) call(e call) (out []stmt, result ident, ok bool) {
	fd := st.called(e)
	if fd == nil {
		return nil, ident{}, false
	}
	params := parameters(fd)
	if st.calls.holds(fd) || len(params) != len(e.args) || st.u.attributes.names[fd.Declarator.Name()+"()"] != "" {
		st.enter(st.calls, e, fd) // says what is wrong
		return nil, ident{}, false
	}
	st.noLongerCalls(fd)
	body := convertBlock(fd.CompoundStatement)
	st.inlined = append(st.inlined, body.where)
	args := map[*cc.Declarator]expr{}
	for i, d := range params {
		arg := e.args[i]
		if _, isStruct := leavesOf(d.Type()); isStruct {
			st.apart[d] = true // what the function sets of it is its own
			x, declared := st.fresh(arg.at(), d, d.Type())
			out = append(append(out, declared...), st.assign(arg.at(), x, arg, true)...)
			args[d] = x
			continue
		}
		if !st.checkArgument(fd, d, arg) {
			return out, ident{}, false
		}
		if st.isNamed(params, e.args, i, body) {
			args[d] = arg
			continue
		}
		pre, x := st.hoist(arg)
		kept, _ := st.fresh(arg.at(), d, d.Type())
		out = append(append(out, pre...), declStmt{arg.at(), []varDecl{{arg.at(), kept.decl, x, nil}}})
		args[d] = kept
	}
	t := fd.Declarator.Type().(*cc.FunctionType).Result()
	result, declared := st.fresh(e.where, fd.Declarator, t)
	if number, ok := storedType(t); ok {
		result, declared = st.numberLike(e.where, result, number)
	}
	out = append(out, declared...)
	calls := st.calls.with(fd, e.where)
	ss, open := lowerJumps(flatten(st.bodyWith(fd, putting(args)).items), "'return'")
	if open {
		st.errorf("HX103", e.where, pureRule, "end every way through it with return", "function '%s' may end without a value", fd.Declarator.Name())
		return out, ident{}, false
	}
	inside := &structs{st.survey, calls, &result}
	out = append(out, inside.returning((&expander{st.survey, calls}).expand(ss))...)
	return out, result, true
}

// returning returns ss, in which returns set the result.
func (st *structs) returning(ss []stmt) (out []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case resultStmt:
			out = append(out, st.setResult(s)...)
		case ifStmt:
			s.then = block{s.where, st.returning(flatten([]stmt{s.then}))}
			if s.orElse != nil {
				s.orElse = block{s.where, st.returning(flatten([]stmt{s.orElse}))}
			}
			out = append(out, st.withValues(s.cond, func(x expr) stmt { s.cond = x; return s })...)
		default:
			out = append(out, st.stmt(s)...)
		}
	}
	return out
}

// hoist returns e without calls that give or take structs which are no variables, after the statements that compute these.
func (st *structs) hoist(e expr) (pre []stmt, out expr) {
	if e == nil {
		return nil, nil
	}
	whole := e
	var walk func(expr) expr
	walk = func(e expr) expr {
		switch x := e.(type) {
		case comma:
			return x
		case cond:
			x.c = walk(x.c)
			return x
		case binary:
			if x.op == "&&" || x.op == "||" {
				x.x = walk(x.x)
				return x
			}
		case memberExpr:
			if c, ok := x.x.(call); ok && !x.arrow {
				if _, ok := st.structOf(c); ok {
					more, root, good := st.call(c)
					if pre = append(pre, more...); good {
						return st.u.members.resolved(memberExpr{x.where, root, x.field, false})
					}
					return e
				}
			}
		case call:
			fd := st.called(x)
			if fd == nil || len(parameters(fd)) != len(x.args) {
				break
			}
			if st.takesLocals(x, fd) && !st.changesBeside(x, fd, whole) {
				more, root, good := st.call(x)
				if pre = append(pre, more...); good {
					return root
				}
				return e
			}
			params, args := parameters(fd), make([]expr, len(x.args))
			for i, a := range x.args {
				_, isStruct := leavesOf(params[i].Type())
				if isStruct {
					a = direct(a)
				}
				if _, variable := a.(ident); !isStruct || variable {
					args[i] = walk(a)
					continue
				}
				t, declared := st.fresh(a.at(), params[i], params[i].Type())
				pre = append(append(pre, declared...), st.assign(a.at(), t, a, true)...)
				args[i] = t
			}
			x.args = args
			return x
		}
		return mapChildren(e, walk)
	}
	out = walk(e)
	return pre, out
}
