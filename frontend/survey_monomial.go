package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file multiplies out subscripts and sizes, as (i * m + j) * l + k and n * m * sizeof(double).

// A monomial is a product of a number and of variables, these in the order of their declarations.
type monomial struct {
	factor int64
	vars   []ident
}

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

// exact reports whether products of sizes, in type t as C calculates with it, are those of the integers: where they are too large, C does not say
// what they are, or no memory has so many elements.
func exact(t scop.Type) bool { return !t.IsFloat() && !t.IsComplex() && calculated(t) != scop.Uint }

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
