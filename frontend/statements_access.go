package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file reads assignments to array elements, and accesses.

func (sr *statementReader) assignElement(e assign, x expr) {
	if len(sr.calls) > 0 {
		sr.impure(e.where, sr.textOf(x))
		return
	}
	to, ok := sr.access(x, true)
	old := func() (scop.Expr, bool) {
		a, ok := sr.access(x, false)
		if !ok {
			return nil, false
		}
		sr.byAccess[a.Access] = a
		return promoted(scop.Read{From: a.Access}), true
	}
	t := scop.Double
	if ok {
		t = to.Array.Elem
	}
	v, valued := sr.assigned(e, old, t)
	if !ok || !valued {
		sr.dropped(e.where)
		return
	}
	to.array.stored = true
	sr.byAccess[to.Access] = to
	sr.actions = append(sr.actions, scop.Store{To: to.Access, Value: v})
}

// access reads the array element e. The caller notes it in byAccess.
func (sr *statementReader) access(e expr, write bool) (*access, bool) {
	p, ok := lvalue(e)
	if !ok {
		sr.noArray(e)
		return nil, false
	}
	if _, isNumber := storedType(p.typ); isMixed(p) && !isNumber {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers", "read and write its members, one by one", "'%s' is of type '%s'", sr.textOf(e), typeName(p.typ))
		return nil, false
	}
	for _, f := range p.fields {
		if _, union := f.ParentType().(*cc.UnionType); union {
			sr.errorf("HX106", e.at(), "members of a union are different readings of the same bytes", "use a struct", "'%s' is a member of a union", sr.textOf(e))
			return nil, false
		}
	}
	a, plane := sr.holder(sr.place(), p)
	acc := &access{Access: &scop.Access{Write: write, Pos: sr.f.span(e.at()), Text: sr.textOf(e)}, array: a, where: e.at()}
	ok = a != nil
	if plane != nil {
		acc.index, acc.subs = []subscript{*plane}, []expr{p.root}
	}
	subs, inner := p.subs, []expr(nil)
	if len(p.fields) > 0 {
		subs, inner = p.subs[:p.fields[0].after], p.subs[p.fields[0].after:]
	}
	before := len(sr.errs)
	for _, s := range subs {
		ok = sr.accessSubscript(acc, s, sr.place(), a != nil && len(acc.index) == a.lead && len(subs) == a.subscripts() && a.isOpen()) && ok
	}
	if !ok {
		if a != nil {
			sr.adviseProduct(a, subs, sr.place(), sr.errs[before:])
		}
		return nil, false
	}
	dims := a.subscripts()
	if len(subs) != dims {
		sr.errorf("HX109", e.at(), fmt.Sprintf("'%s' has %d %s", p.root.name, dims, plural(int64(dims), "dimension")), "give one subscript for each dimension",
			"'%s' has %d %s", sr.textOf(e), len(subs), plural(int64(len(subs)), "subscript"))
		return nil, false
	}
	if a.record != nil && !sr.recordSubscript(acc, e, p, inner, sr.place()) {
		return nil, false
	}
	acc.Array = a.Array
	return acc, true
}

// adviseProduct says in errs, about the only subscript of a, which holds products, how to declare a
// such that they give it dimensions: its extent says how many elements it has in all.
func (sr *statementReader) adviseProduct(a *array, subs []expr, at place, errs diag.List) {
	if len(subs) != 1 || a.subscripts() != 1 || a.isFlat() {
		return
	}
	p, _, why := sr.polynomial(subs[0], at)
	if _, ok := sr.coefficients(p, at.loops); why != nil || !ok {
		return // of loop variables alone
	}
	for _, d := range errs {
		if d.Code == "HX101" && slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return strings.HasSuffix(n.Msg, notLinear("*")) }) {
			d.Help = fmt.Sprintf("declare '%s' with the number of its elements as a product, such as '%s %s[n * m]', or as a pointer", a.Name, a.Elem, a.Name)
		}
	}
}

// accessSubscript adds subscript s to acc. If it is open, the first one of an array, it
// may hold products, which give the array dimensions later.
func (sr *statementReader) accessSubscript(acc *access, s expr, at place, open bool) bool {
	acc.subs = append(acc.subs, s)
	if open {
		if _, why := sr.linear(s, at); why != nil {
			p, fits, no := sr.polynomial(s, at)
			if no != nil {
				sr.notAffine("subscript", s, no)
				acc.index = append(acc.index, subscript{})
				return false
			}
			if _, ok := sr.vars.linear(p); !ok || sr.hasRemainder(p) {
				acc.flat, acc.fits = p, fits
				acc.index = append(acc.index, subscript{})
				return true
			}
		}
	}
	x, ok := sr.subscript(s, at)
	acc.index = append(acc.index, x)
	return ok
}

// noArray reports that e is no element of a variable.
func (sr *statementReader) noArray(e expr) {
	for {
		x, ok := e.(index)
		if !ok {
			break
		}
		e = x.base
	}
	if x, ok := e.(memberExpr); ok {
		sr.errorf("HX102", x.where, valueRule, "name the struct by a variable, or by an element of an array", "struct member '%s' in a loop nest", sr.textOf(x))
		return
	}
	if x, ok := e.(unary); ok {
		sr.errorf("HX102", x.where, valueRule, elementHelp(x), "pointer expression '%s' in a loop nest", sr.textOf(x))
		return
	}
	if x, ok := e.(literalExpr); ok {
		e = otherExpr{x.where, "compound literal", x.inner}
	}
	if x, ok := e.(otherExpr); ok {
		sr.errorf("HX102", x.where, valueRule, "put the values into an array before #pragma scop, such as 'static const double w[] = {..};'", "%s in a loop nest", x.what)
		return
	}
	sr.errorf("HX102", e.at(), "allowed: elements of arrays, such as A[t%2][i+1]", "give the array a name", "'%s' is not the name of an array", sr.textOf(e))
}

// recordSubscript adds to acc the subscript of the member that p names, with the
// subscripts inner inside of it.
func (sr *statementReader) recordSubscript(acc *access, e expr, p path, inner []expr, at place) bool {
	if elem, n, ok := recordOf(p.typ); len(p.fields) == 0 || !ok || n != 1 || elem != acc.array.Elem {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers", "read and write its members, one by one", "'%s' is of type '%s'", sr.textOf(e), typeName(p.typ))
		return false
	}
	if k := slices.IndexFunc(p.types[len(p.types)-len(inner):], func(t cc.Type) bool { return t.Kind() != cc.Array }); k >= 0 {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers, and arrays of them", "let a pointer that is declared before #pragma scop lead to its elements, as in 'double *v = l[0].v;'", "'%s' is reached by a pointer in an element of an array", sr.textOf(e))
		return false
	}
	size := int64(acc.array.Elem.Size())
	offset := int64(0)
	for _, f := range p.fields {
		if offset += f.Offset(); f.IsBitfield() {
			offset++ // no element
		}
	}
	if offset%size != 0 {
		sr.errorf("HX106", e.at(), "allowed: members that are numbers where their type is aligned", "keep it in an array of its own", "'%s' is a bit-field, or not aligned", sr.textOf(e))
		return false
	}
	sr.useMember(acc.array, p)
	member := constant(offset / size)
	for k, sub := range inner {
		a := p.types[len(p.types)-len(inner)+k].(*cc.ArrayType)
		l, why := sr.linear(sub, at)
		if why != nil {
			sr.notAffine("subscript", sub, why)
			return false
		}
		msg := fmt.Sprintf("subscript '%s' may be outside of the member, which has %d %s", sr.textOf(sub), a.Len(), plural(a.Len(), "element"))
		sr.require("HX105", sub, msg, l, at)
		sr.require("HX105", sub, msg, constant(a.Len()-1).sub(l), at)
		member = member.plus(a.Elem().Size()/size, l)
	}
	acc.index = append(acc.index, subscript{linear: member})
	acc.subs = append(acc.subs, e)
	return true
}
