package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file takes loops apart that run over all elements of arrays with one subscript, where other loops address these by rows:
//
//	for (i ..) for (j ..) v[i * m + j] = .. u[(i - 1) * m + j] ..;
//	for (k = 0; k < n * m; k++)           =>   for (i = 0; i < n; i++)
//	  u[k] += dt * v[k];                         for (j = 0; j < m; j++)
//	                                               u[i * m + j] += dt * v[i * m + j];
//
// The order of the iterations is the same. That the extents are not negative is tested where it is not known: two negative ones have a positive product.

// A monomial is a product of a number and of variables, these in the order of their declarations.
type monomial struct {
	factor int64
	vars   []ident
}

// mostMonomials bounds what one expression is multiplied out to.
const mostMonomials = 64

// mostExtents bounds the loops that one is taken apart into.
const mostExtents = 4

// A collapsed finds the extents of arrays that loops over all of their elements run through.
type collapsed struct {
	*survey
	values  map[*cc.Declarator]monomial   // of variables that keep it, and are products
	strides map[*cc.Declarator][]monomial // by array: what the variables of loops are multiplied by in its last subscript
}

// withoutCollapsed returns ss, the statements of a region, with loops over all elements of arrays taken apart by the rows of these.
func (sv *survey) withoutCollapsed(ss []stmt) []stmt {
	any := false
	for _, s := range ss {
		any = any || contains(s, func(s stmt) bool { f, ok := s.(forStmt); return ok && isCollapsed(f) })
	}
	if !any {
		return ss
	}
	cl := sv.newCollapsed(ss)
	iterators := map[*cc.Declarator]bool{}
	for _, s := range ss {
		for _, d := range iteratorsIn(s) {
			iterators[d] = true
		}
	}
	for _, s := range ss {
		eachExprIn(s, func(e expr) { cl.noteStrides(e, iterators) })
	}
	return mapAll(ss, func(s stmt) stmt { return cl.stmt(s, ss) })
}

// newCollapsed returns what is known of variables that ss, the statements of the region, use.
func (sv *survey) newCollapsed(ss []stmt) *collapsed {
	cl := &collapsed{sv, map[*cc.Declarator]monomial{}, map[*cc.Declarator][]monomial{}}
	sv.eachKept(cl.noteValue)
	for _, s := range ss {
		eachStmt(s, func(in stmt) {
			if d, ok := in.(declStmt); ok {
				for _, v := range d.vars {
					if !assigns(s, v.decl) {
						cl.noteValue(v)
					}
				}
			}
		})
	}
	return cl
}

// noteValue notes what v is, if that is a product of variables that keep their values, such as int size = n * m.
func (cl *collapsed) noteValue(v varDecl) {
	t, number := storedType(v.decl.Type())
	if !number || t.IsFloat() || v.init == nil {
		return
	}
	m, ok := cl.monomial(v.init)
	for _, x := range m.vars {
		ok = ok && (cl.isKept(x.decl) || !cl.isAutomatic(x.decl) && !assigns(cl.r.body, x.decl))
	}
	if ok && (len(m.vars) > 1 || len(m.vars) == 1 && m.factor != 1) {
		cl.values[v.decl] = m
	}
}

// noteStrides notes what the variables of loops are multiplied by in e, if that is an element of an array.
func (cl *collapsed) noteStrides(e expr, iterators map[*cc.Declarator]bool) {
	x, ok := e.(index)
	if !ok {
		return
	}
	p, ok := lvalue(x)
	if !ok || p.root.decl == nil || elemOf(p.typ) != nil {
		return
	}
	sum, ok := cl.multiplied(x.sub)
	if !ok {
		return
	}
	for _, m := range sum {
		at := slices.IndexFunc(m.vars, func(v ident) bool { return iterators[v.decl] })
		if at < 0 {
			continue
		}
		rest := monomial{max(m.factor, -m.factor), slices.Delete(slices.Clone(m.vars), at, at+1)}
		if slices.ContainsFunc(rest.vars, func(v ident) bool { return iterators[v.decl] }) || rest.factor == 0 {
			continue
		}
		of := cl.strides[p.root.decl]
		if !slices.ContainsFunc(of, rest.equal) {
			cl.strides[p.root.decl] = append(of, rest)
		}
	}
}

// isCollapsed reports whether f counts from 0 by 1, and each use of its variable in its body is a whole subscript, the last of an element.
func isCollapsed(f forStmt) bool {
	d := iteratorOf(f)
	if d == nil || isVolatile(d) {
		return false
	}
	from, zero := literal(initOf(f))
	by, counts := stepOf(f.step, d)
	c, ok := f.cond.(binary)
	if !zero || from != 0 || !counts || by != 1 || !ok || c.op != "<" || !isIdent(c.x, d) || mentions(c.y, d) {
		return false
	}
	uses, subscripts := 0, 0
	eachExprIn(f.body, func(e expr) {
		switch e := e.(type) {
		case ident:
			if e.decl == d {
				uses++
			}
		case index:
			if p, ok := lvalue(e); ok && isIdent(e.sub, d) && elemOf(p.typ) == nil {
				subscripts++
			}
		}
	})
	return subscripts > 0 && uses == subscripts && !assigns(f.body, d)
}

// stmt returns s, of the statements all of the region, with the loops in it taken apart.
func (cl *collapsed) stmt(s stmt, all []stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = mapAll(s.items, func(s stmt) stmt { return cl.stmt(s, all) })
		return s
	case ifStmt:
		s.then = cl.stmt(s.then, all)
		if s.orElse != nil {
			s.orElse = cl.stmt(s.orElse, all)
		}
		return s
	case otherStmt:
		if s.isOnce() {
			s.inner = mapAll(s.inner, func(s stmt) stmt { return cl.stmt(s, all) })
		}
		return s
	case forStmt:
		if extents, ok := cl.extents(s); ok && !usedOutside(all, iteratorOf(s)) {
			return cl.apart(s, extents)
		}
		s.body = cl.stmt(s.body, all)
		return s
	}
	return s
}

// usedOutside reports whether one of ss uses d outside of loops whose variable it is.
func usedOutside(ss []stmt, d *cc.Declarator) bool {
	all, own := 0, 0
	count := func(n *int) func(expr) {
		return func(e expr) {
			if isIdent(e, d) {
				*n++
			}
		}
	}
	for _, s := range ss {
		eachExprIn(s, count(&all))
		eachStmt(s, func(s stmt) {
			if f, ok := s.(forStmt); ok && iteratorOf(f) == d {
				eachExprIn(f, count(&own))
			}
		})
	}
	return own != all
}

// extents returns the extents whose product is the number of iterations of f, outermost first, if f runs over all elements of arrays that
// have rows of such extents.
func (cl *collapsed) extents(f forStmt) (extents []monomial, ok bool) {
	if !isCollapsed(f) {
		return nil, false
	}
	count, ok := cl.monomial(f.cond.(binary).y)
	if !ok {
		return nil, false
	}
	d := iteratorOf(f)
	strides := []monomial{{factor: 1}}
	eachExprIn(f.body, func(e expr) {
		x, ok := e.(index)
		if !ok || !isIdent(x.sub, d) {
			return
		}
		if p, ok := lvalue(x); ok {
			for _, m := range cl.strides[p.root.decl] {
				if !slices.ContainsFunc(strides, m.equal) {
					strides = append(strides, m)
				}
			}
		}
	})
	slices.SortFunc(strides, func(x, y monomial) int {
		return cmp.Or(cmp.Compare(len(y.vars), len(x.vars)), cmp.Compare(y.factor, x.factor))
	})
	if len(strides) > mostExtents {
		return nil, false
	}
	rest := count
	for _, stride := range strides {
		extent, ok := rest.over(stride)
		if !ok || extent.isOne() {
			extents = nil
			break
		}
		extents, rest = append(extents, extent), stride
	}
	if len(extents) > 1 {
		return extents, true
	}
	return cl.factors(f.cond.(binary).y)
}

// factors returns the factors of e, a product of several variables as it is written: a bound that is one is not affine, and rows of any
// length will do where no other loop says which.
func (cl *collapsed) factors(e expr) (extents []monomial, ok bool) {
	written := &collapsed{survey: cl.survey}
	m, ok := written.monomial(e)
	if !ok || len(m.vars) < 2 || len(m.vars) > mostExtents {
		return nil, false
	}
	for k, v := range m.vars {
		extents = append(extents, monomial{1, []ident{v}})
		if k == 0 {
			extents[0].factor = m.factor
		}
	}
	return extents, true
}

// apart returns the loops over extents that f is.
func (cl *collapsed) apart(f forStmt, extents []monomial) stmt {
	d, w := iteratorOf(f), f.head
	var sub expr
	loops := make([]forStmt, len(extents))
	stride := monomial{factor: 1}
	for k := len(extents) - 1; k >= 0; k-- {
		text := d.Name()
		if !stride.isOne() {
			text = fmt.Sprintf("%s / %s", text, stride)
		}
		if k > 0 {
			text = fmt.Sprintf("%s %% %s", text, extents[k])
		}
		own := cl.u.members.computed(d, standIn{name: fmt.Sprintf("%s_%d", d.Name(), k), text: text})
		cl.made[own] = true
		x := ident{w, text, own}
		loops[k] = forStmt{where: f.where, head: w, init: declStmt{w, []varDecl{{w, own, numberAt(w, 0), nil}}},
			cond: binary{w, "<", x, extents[k].expr(w)}, step: assign{w, "++", x, nil}}
		stride = stride.times(extents[k])
	}
	for k, l := range loops {
		x := l.cond.(binary).x
		if k == 0 {
			sub = x
			continue
		}
		sub = binary{w, "+", binary{w, "*", sub, extents[k].expr(w)}, x}
	}
	body := replaced(f.body, func(e expr) expr {
		if isIdent(e, d) {
			return sub
		}
		return e
	})
	cl.split[f.head] = splitLoop{d, f.cond.(binary).y.at(), loops}
	return nestOf(loops, body)
}

// A splitLoop is a loop over all elements and what it was taken apart into, outermost first, with no bodies.
type splitLoop struct {
	decl  *cc.Declarator
	count where // how often it runs
	parts []forStmt
}

// nestOf returns loops, outermost first, around body.
func nestOf(loops []forStmt, body stmt) stmt {
	for _, l := range slices.Backward(loops) {
		l.body = body
		body = l
	}
	return body
}

// checkExtents notes that f, one of the loops that were one, runs through rows that have no negative number of elements.
func (lr *loopReader) checkExtents(f forStmt, at place) {
	one, ok := lr.split[f.head]
	if !ok || one.parts[0].cond != f.cond {
		return
	}
	for _, row := range one.parts[1:] {
		n := row.cond.(binary).y
		x, why := lr.linear(n, at)
		if why != nil {
			lr.notAffine("bound", n, why)
			continue
		}
		if x.isConstant() && x.c >= 0 {
			continue
		}
		text := lr.frame().text(x)
		lr.owe(obligation{where: one.count, code: "HX119", msg: fmt.Sprintf("rows may have '%s' elements, a negative number", text), tested: fmt.Sprintf("counts elements of rows of %s", text), value: x})
	}
}

// monomial returns e as a product, with variables that have one value written out.
func (cl *collapsed) monomial(e expr) (m monomial, ok bool) {
	sum, ok := cl.multiplied(e)
	if !ok || len(sum) != 1 || sum[0].factor <= 0 {
		return monomial{}, false
	}
	return sum[0], true
}

// multiplied returns e, a sum of products of integers, multiplied out.
func (cl *collapsed) multiplied(e expr) (sum []monomial, ok bool) {
	if v, constant := cl.constant(e); constant {
		return []monomial{{factor: v}}, true
	}
	switch e := e.(type) {
	case ident:
		if m, ok := cl.values[e.decl]; ok {
			return []monomial{m}, true
		}
		if e.decl == nil || isVolatile(e.decl) {
			return nil, false
		}
		if t, number := storedType(e.decl.Type()); !number || t.IsFloat() {
			return nil, false
		}
		return []monomial{{1, []ident{e}}}, true
	case cast:
		if t, number := numberType(e.typ); number && (t == scop.Int || t == scop.Long || t == scop.Ulong) {
			return cl.multiplied(e.x)
		}
	case unary:
		x, ok := cl.multiplied(e.x)
		if e.op == "-" {
			x = minus(x)
		}
		return x, ok && (e.op == "-" || e.op == "+")
	case binary:
		x, ok1 := cl.multiplied(e.x)
		y, ok2 := cl.multiplied(e.y)
		if !ok1 || !ok2 || len(x)*len(y) > mostMonomials || len(x)+len(y) > mostMonomials {
			return nil, false
		}
		switch e.op {
		case "-":
			return append(x, minus(y)...), true
		case "+":
			return append(x, y...), true
		case "*":
			for _, a := range x {
				for _, b := range y {
					sum = append(sum, a.times(b))
				}
			}
			return sum, true
		}
	}
	return nil, false
}

func minus(sum []monomial) (out []monomial) {
	for _, m := range sum {
		out = append(out, monomial{-m.factor, m.vars})
	}
	return out
}

func (m monomial) isOne() bool { return m.factor == 1 && len(m.vars) == 0 }

func (m monomial) equal(n monomial) bool {
	return m.factor == n.factor && slices.EqualFunc(m.vars, n.vars, func(v, w ident) bool { return v.decl == w.decl })
}

func (m monomial) times(n monomial) monomial {
	vars := slices.Concat(m.vars, n.vars)
	slices.SortStableFunc(vars, func(v, w ident) int {
		x, y := v.decl.NameTok(), w.decl.NameTok()
		return cmp.Or(cmp.Compare(x.Seq(), y.Seq()), cmp.Compare(v.name, w.name))
	})
	return monomial{m.factor * n.factor, vars}
}

// over returns m divided by n; ok is false if that leaves a rest.
func (m monomial) over(n monomial) (q monomial, ok bool) {
	if n.factor == 0 || m.factor%n.factor != 0 {
		return monomial{}, false
	}
	q = monomial{m.factor / n.factor, slices.Clone(m.vars)}
	for _, v := range n.vars {
		at := slices.IndexFunc(q.vars, func(w ident) bool { return w.decl == v.decl })
		if at < 0 {
			return monomial{}, false
		}
		q.vars = slices.Delete(q.vars, at, at+1)
	}
	return q, true
}

// expr returns m as an expression; variables stand where they are written, and what is made of them at w.
func (m monomial) expr(w where) (e expr) {
	if m.factor != 1 || len(m.vars) == 0 {
		e = numberAt(w, m.factor)
	}
	for _, v := range m.vars {
		if e == nil {
			e = v
		} else {
			e = binary{w, "*", e, v}
		}
	}
	return e
}

func (m monomial) String() string {
	var parts []string
	if m.factor != 1 || len(m.vars) == 0 {
		parts = append(parts, fmt.Sprint(m.factor))
	}
	for _, v := range m.vars {
		parts = append(parts, v.name)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, "*") + ")"
}
