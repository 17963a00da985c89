package frontend

import (
	"cmp"
	"fmt"
	"slices"

	"modernc.org/cc/v4"
)

// This file takes loops apart that run over all elements of arrays with one subscript, where other loops address these by rows:
//
//	for (i ..) for (j ..) v[i * m + j] = .. u[(i - 1) * m + j] ..;
//	for (k = 0; k < n * m; k++)           =>   for (i = 0; i < n; i++)
//	  u[k] += dt * v[k];                         for (j = 0; j < m; j++)
//	                                               u[i * m + j] += dt * v[i * m + j];
//
// The order of the iterations is the same. That the extents are not negative is tested where it is not known: two negative ones have a positive product.

// mostExtents bounds the loops that one is taken apart into.
const mostExtents = 4

// A collapsed finds the extents of arrays that loops over all of their elements run through.
type collapsed struct {
	*survey
	values  map[*cc.Declarator]monomial         // of variables that keep it, and are products
	strides map[*cc.Declarator][]sizePolynomial // by array: what the variables of loops are multiplied by in its last subscript
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
	cl := &collapsed{sv, map[*cc.Declarator]monomial{}, map[*cc.Declarator][]sizePolynomial{}}
	sv.eachKept(cl.noteValue)
	keeps := sv.keptBy(ss)
	for _, s := range ss {
		eachStmt(s, func(in stmt) {
			if d, ok := in.(declStmt); ok {
				for _, v := range d.vars {
					if !slices.ContainsFunc(ss, func(s stmt) bool { return assigns(s, v.decl) }) {
						cl.noteValue(v, keeps)
					}
				}
			}
		})
	}
	return cl
}

// noteValue notes what v is, if that is a product of variables that keep their values, such as int size = n * m.
func (cl *collapsed) noteValue(v varDecl, keeps func(*cc.Declarator) bool) {
	t, number := storedType(v.decl.Type())
	if !number || !exact(t) || v.init == nil {
		return
	}
	m, ok := cl.monomial(v.init)
	for _, x := range m.vars {
		ok = ok && keeps(x.decl)
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
	var of []*cc.Declarator
	by := map[*cc.Declarator][]monomial{}
	for _, m := range sum {
		at := slices.IndexFunc(m.vars, func(v ident) bool { return iterators[v.decl] })
		if at < 0 {
			continue
		}
		d, rest := m.vars[at].decl, monomial{m.factor, slices.Delete(slices.Clone(m.vars), at, at+1)}
		if slices.ContainsFunc(rest.vars, func(v ident) bool { return iterators[v.decl] }) {
			continue
		}
		if by[d] == nil {
			of = append(of, d)
		}
		by[d] = append(by[d], rest)
	}
	for _, d := range of {
		stride := collected(by[d])
		if len(stride) > 0 && stride[0].factor < 0 {
			stride = collected(minus(stride))
		}
		if all := cl.strides[p.root.decl]; len(stride) > 0 && !slices.ContainsFunc(all, stride.equal) {
			cl.strides[p.root.decl] = append(all, stride)
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
	if f, ok := s.(forStmt); ok {
		if extents, ok := cl.extents(f); ok && !usedOutside(all, iteratorOf(f)) {
			return cl.apart(f, extents)
		}
		cl.noteSplit(f, nil)
	}
	return mapInner(s, func(s stmt) stmt { return cl.stmt(s, all) })
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
func (cl *collapsed) extents(f forStmt) (extents []sizePolynomial, ok bool) {
	if !isCollapsed(f) {
		return nil, false
	}
	count, ok := cl.size(f.cond.(binary).y)
	if !ok {
		return nil, false
	}
	d := iteratorOf(f)
	strides, flat := []sizePolynomial{{{factor: 1}}}, true
	eachExprIn(f.body, func(e expr) {
		x, ok := e.(index)
		if !ok || !isIdent(x.sub, d) {
			return
		}
		if p, ok := lvalue(x); ok {
			shape, _ := shapeOfType(p.shape)
			flat = flat && len(shape.dims) == 1 && shape.dims[0] == nil
			for _, m := range cl.strides[p.root.decl] {
				if !slices.ContainsFunc(strides, m.equal) {
					strides = append(strides, m)
				}
			}
		}
	})
	slices.SortStableFunc(strides, func(x, y sizePolynomial) int {
		return cmp.Or(cmp.Compare(len(y[0].vars), len(x[0].vars)), cmp.Compare(y[0].factor, x[0].factor))
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
	switch {
	case len(extents) > 1:
		return extents, true
	case flat:
		return cl.factors(f.cond.(binary).y)
	}
	return nil, false
}

// factors returns the factors of e, a product of several variables, or affine sums of them, as it is written: a bound that is one is not affine, and
// no other loop says how long rows are.
func (cl *collapsed) factors(e expr) (extents []sizePolynomial, ok bool) {
	written := &collapsed{survey: cl.survey}
	factor := monomial{factor: 1}
	var add func(e expr) bool
	add = func(e expr) bool {
		switch x := e.(type) {
		case cast:
			if t, number := numberType(x.typ); number && exact(t) {
				return add(x.x)
			}
		case binary:
			if x.op == "*" {
				return add(x.x) && add(x.y)
			}
		}
		p, ok := written.size(e)
		if v, constant := p.number(); ok && constant {
			factor.factor *= v
			return true
		}
		extents = append(extents, p)
		return ok && p.affine()
	}
	if !add(e) || len(extents) < 2 || len(extents) > mostExtents {
		return nil, false
	}
	extents[0] = extents[0].times(sizePolynomial{factor})
	return extents, true
}

// apart returns the loops over extents that f is.
func (cl *collapsed) apart(f forStmt, extents []sizePolynomial) stmt {
	d, w := iteratorOf(f), f.head
	loops := make([]forStmt, len(extents))
	stride := sizePolynomial{{factor: 1}}
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
	body := replaced(f.body, func(e expr) expr {
		if isIdent(e, d) {
			return rowMajor(loops, e.at())
		}
		return e
	})
	cl.noteSplit(f, loops)
	return nestOf(loops, body)
}

// rowMajor returns, at w, what the variable of a loop is that was taken apart into loops.
func rowMajor(loops []forStmt, w where) (sub expr) {
	for _, l := range loops {
		c := l.cond.(binary)
		x := c.x.(ident)
		if x.where = w; sub == nil {
			sub = x
			continue
		}
		sub = binary{w, "+", binary{w, "*", sub, c.y}, x}
	}
	return sub
}

// noteSplit notes that f runs as parts, or as it is where that is nil: in functions and macros, loops with one head may run in several ways.
func (cl *collapsed) noteSplit(f forStmt, parts []forStmt) {
	if d := iteratorOf(f); d != nil && f.cond != nil {
		one := splitLoop{d, f.cond.at(), parts}
		if len(parts) > 0 {
			one.count = f.cond.(binary).y.at()
		}
		for _, x := range cl.split[f.head] {
			if x.decl == d && x.iterator() == one.iterator() {
				return
			}
		}
		cl.split[f.head] = append(cl.split[f.head], one)
	}
}

// iterator returns the variable of the outermost loop that x is.
func (x splitLoop) iterator() *cc.Declarator {
	if len(x.parts) == 0 {
		return x.decl
	}
	return iteratorOf(x.parts[0])
}

// A splitLoop is a loop over all elements and what it was taken apart into, outermost first, with no bodies; none: it was not.
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
