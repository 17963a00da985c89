package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file multiplies out subscripts and sizes, as (i * m + j) * l + k and n * m * sizeof(double).

// A monomial is a product of a number and of variables, these in the order of their declarations.
type monomial struct {
	factor int64
	vars   []ident
}

// A sizePolynomial is a sum of monomials no two of which are alike, in descending order: see monomial.compare. 0 has none.
type sizePolynomial []monomial

// mostMonomials bounds what one expression is multiplied out to.
const mostMonomials = 64

// monomial returns e as a product, with variables that have one value written out.
func (cl *collapsed) monomial(e expr) (m monomial, ok bool) {
	sum, ok := cl.multiplied(e)
	if !ok || len(sum) != 1 || sum[0].factor <= 0 {
		return monomial{}, false
	}
	return sum[0], true
}

// size returns e as a polynomial that is no number below 1, with variables that have one value written out.
func (cl *collapsed) size(e expr) (sizePolynomial, bool) {
	sum, ok := cl.multiplied(e)
	p := collected(sum)
	return p, ok && len(p) > 0 && p[0].factor > 0
}

// bytesOf returns what sizeof gives for t, an array of variable length.
func (cl *collapsed) bytesOf(t cc.Type) (sum []monomial, ok bool) {
	a, isArray := t.(*cc.ArrayType)
	switch {
	case !isArray:
		return []monomial{{factor: t.Size()}}, t.Size() > 0
	case a.Len() >= 0:
		sum = []monomial{{factor: a.Len()}}
	case a.SizeExpression() == nil:
		return nil, false
	default:
		if sum, ok = cl.multiplied(cl.u.extent(a)); !ok {
			return nil, false
		}
		for _, m := range sum { // the length is that of where the array is declared
			if slices.ContainsFunc(m.vars, func(v ident) bool { return !cl.isKept(v.decl) && !cl.inRegion(v.decl) }) {
				return nil, false
			}
		}
	}
	of, ok := cl.bytesOf(a.Elem())
	if !ok || len(sum)*len(of) > mostMonomials {
		return nil, false
	}
	return products(sum, of), true
}

// exact reports whether products of sizes, in type t as C calculates with it, are those of the integers: where they are too large, C does not say
// what they are, or no memory has so many elements.
func exact(t scop.Type) bool { return !t.IsFloat() && !t.IsComplex() && calculated(t) != scop.Uint }

// multiplied returns e, a sum of products of integers, multiplied out.
func (cl *collapsed) multiplied(e expr) (sum []monomial, ok bool) {
	if v, constant := cl.constant(e); constant {
		return []monomial{{factor: v}}, true
	}
	switch e := e.(type) {
	case number:
		if e.size != nil {
			return cl.bytesOf(e.size)
		}
	case ident:
		if m, ok := cl.values[e.decl]; ok {
			return []monomial{m}, true
		}
		if e.decl == nil || isVolatile(e.decl) {
			return nil, false
		}
		if t, number := storedType(e.decl.Type()); !number || !exact(t) {
			return nil, false
		}
		return []monomial{{1, []ident{e}}}, true
	case cast:
		if t, number := numberType(e.typ); number && exact(t) {
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
			return products(x, y), true
		}
	}
	return nil, false
}

// products returns the product of x and y, two sums, multiplied out.
func products(x, y []monomial) (sum []monomial) {
	for _, a := range x {
		for _, b := range y {
			sum = append(sum, a.times(b))
		}
	}
	return sum
}

// collected returns sum with monomials of the same variables as one.
func collected(sum []monomial) (p sizePolynomial) {
	for _, m := range sum {
		at, found := slices.BinarySearchFunc(p, m, monomial.compare)
		switch {
		case !found:
			p = slices.Insert(p, at, m)
		default:
			p[at].factor += m.factor
		}
	}
	return slices.DeleteFunc(p, func(m monomial) bool { return m.factor == 0 })
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

// byDeclaration compares the places where v and w are declared.
func byDeclaration(v, w ident) int {
	x, y := v.decl.NameTok(), w.decl.NameTok()
	return cmp.Or(cmp.Compare(x.Seq(), y.Seq()), cmp.Compare(v.name, w.name))
}

// compare orders monomials by their degree, the greatest first, and those of one degree by their variables: an order that products keep, so that
// the first monomial of a product of polynomials is that of their first ones.
func (m monomial) compare(n monomial) int {
	return cmp.Or(cmp.Compare(len(n.vars), len(m.vars)), slices.CompareFunc(m.vars, n.vars, byDeclaration))
}

func (m monomial) times(n monomial) monomial {
	vars := slices.Concat(m.vars, n.vars)
	slices.SortStableFunc(vars, byDeclaration)
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

// over returns p divided by q; ok is false if that leaves a rest.
func (p sizePolynomial) over(q sizePolynomial) (quotient sizePolynomial, ok bool) {
	if len(q) == 0 {
		return nil, false
	}
	for rest := p; len(rest) > 0; {
		m, ok := rest[0].over(q[0])
		if !ok || len(quotient) == mostMonomials {
			return nil, false
		}
		quotient = append(quotient, m)
		rest = collected(slices.Concat(rest, minus(products([]monomial{m}, q))))
	}
	return quotient, true
}

func (p sizePolynomial) times(q sizePolynomial) sizePolynomial { return collected(products(p, q)) }

func (p sizePolynomial) equal(q sizePolynomial) bool { return slices.EqualFunc(p, q, monomial.equal) }

func (p sizePolynomial) isOne() bool { return len(p) == 1 && p[0].isOne() }

// affine reports whether no monomial of p is a product of variables.
func (p sizePolynomial) affine() bool { return len(p) == 0 || len(p[0].vars) < 2 }

// number returns v where p is that number.
func (p sizePolynomial) number() (v int64, ok bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && len(p[0].vars) == 0:
		return p[0].factor, true
	}
	return 0, false
}

// expr returns p as an expression: see monomial.expr.
func (p sizePolynomial) expr(w where) (e expr) {
	for _, m := range p {
		switch {
		case e == nil:
			e = m.expr(w)
		case m.factor < 0:
			e = binary{w, "-", e, monomial{-m.factor, m.vars}.expr(w)}
		default:
			e = binary{w, "+", e, m.expr(w)}
		}
	}
	if e == nil {
		return numberAt(w, 0)
	}
	return e
}

func (p sizePolynomial) String() string {
	if len(p) == 1 {
		return p[0].String()
	}
	var b strings.Builder
	for k, m := range p {
		switch {
		case k == 0:
			b.WriteString(m.String())
		case m.factor < 0:
			b.WriteString(" - " + monomial{-m.factor, m.vars}.String())
		default:
			b.WriteString(" + " + m.String())
		}
	}
	return "(" + b.String() + ")"
}
