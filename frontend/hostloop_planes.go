package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file tells planes of one array apart, as in
//
//	u[(t + 1) % 2][i][j] = u[t % 2][i][j] + ..;    u[1 - old][i] = f(u[old][i]);
//
// by what their subscripts leave when they are divided by a number. C's remainder of x by a multiple of m is, modulo m, x itself, whatever
// its sign.

// mostPlanes is the largest number that subscripts are divided by.
const mostPlanes = 64

// otherPlane reports whether p and q are elements of one array that lie in different planes of it in every iteration of r's nest, and in any
// two: a subscript of them that the nest does not change differs.
func (r *reduction) otherPlane(p, q path) bool {
	if p.root.decl != q.root.decl || p.choice != nil || q.choice != nil || len(p.fields)+len(q.fields) > 0 {
		return false
	}
	var moved []*cc.Declarator
	for _, l := range r.leaves {
		for _, f := range l.loops {
			moved = append(moved, iteratorOf(f))
		}
	}
	for k := range min(len(p.subs), len(q.subs)) {
		after := p.typ
		if k+1 < len(p.types) {
			after = p.types[k+1]
		}
		if after.Kind() == cc.Ptr {
			return false // two pointers may lead to one plane
		}
		both := []expr{p.subs[k], q.subs[k]}
		if !mentionsAny(both, moved) && !r.moving(both) && alwaysDiffer(p.subs[k], q.subs[k]) || r.otherBlock(p.subs[k], q.subs[k]) {
			return true
		}
	}
	return false
}

// alwaysDiffer reports whether integers x and y differ whatever their variables are; false is not certain.
func alwaysDiffer(x, y expr) bool {
	opposite := func(x, y expr) bool {
		u, ok := x.(unary)
		return ok && u.op == "!" && sameExpr(u.x, y)
	}
	if opposite(x, y) || opposite(y, x) {
		return true
	}
	moduli := []int64{2}
	for _, e := range []expr{x, y} {
		eachExpr(e, func(e expr) {
			if b, ok := e.(binary); ok && b.op == "%" {
				if m, ok := literal(b.y); ok && m > 2 && m <= mostPlanes {
					moduli = append(moduli, m)
				}
			}
		})
	}
	return slices.ContainsFunc(moduli, func(m int64) bool {
		a, ok := residueOf(x, m)
		b, too := residueOf(y, m)
		if !ok || !too {
			return false
		}
		d := a.sub(b)
		for _, c := range d.v.all() {
			if c%m != 0 {
				return false
			}
		}
		return d.c%m != 0
	})
}

// residueOf returns a sum that leaves what e leaves when both are divided by m; ok is false if none is seen.
func residueOf(e expr, m int64) (sum linear, ok bool) {
	if v, ok := literal(e); ok {
		return constant(v % m), true
	}
	wraps := m&(m-1) == 0 // so that arithmetic modulo a power of 2 leaves the same
	switch e := e.(type) {
	case ident:
		if e.decl == nil {
			return linear{}, false
		}
		t, number := storedType(e.decl.Type())
		return variable(e.decl), number && !t.IsFloat() && (wraps || !t.IsUnsigned())
	case cast:
		t, number := storedType(e.typ)
		if !wraps || !number || t.IsFloat() || e.typ.Kind() == cc.Bool {
			return linear{}, false
		}
		return residueOf(e.x, m)
	case binary:
		x, ok := residueOf(e.x, m)
		if !ok || !wraps && intType(e).IsUnsigned() {
			return linear{}, false
		}
		if n, is := literal(e.y); is {
			switch e.op {
			case "%":
				return x, n > 0 && n%m == 0
			case "&":
				return x, n > 0 && n < 1<<30 && n&(n+1) == 0 && (n+1)%m == 0
			case "^":
				return x.addc(n), m == 2
			case "*":
				return x.scale(n % m), true
			}
		}
		y, ok := residueOf(e.y, m)
		if n, is := literal(e.x); is && e.op == "*" {
			return y.scale(n % m), ok
		}
		switch e.op {
		case "+":
			return x.plus(1, y), ok
		case "-":
			return x.sub(y), ok
		}
	}
	return linear{}, false
}
