package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file tells planes of one block apart, as in
//
//	u[(t + 1) % 2 * n * m + i * m + j] = f(u[t % 2 * n * m + i * m + j]);
//
// The planes differ at each step. That no subscript leaves its plane follows from the bounds of the loops where sizes are such that it
// does, which is tested when the program runs.

// mostTested bounds numbers in such a test: all that is computed with them is exact in a double.
const mostTested = "1e15"

// A planeTerm is a product that a subscript adds: the number of a plane times its size.
type planeTerm struct {
	plane expr
	size  []expr // factors
}

// otherBlock reports whether subscripts x and y of one array lie in different planes of it in every two iterations of the nest, under
// tests that it adds.
func (r *reduction) otherBlock(x, y expr) bool {
	if wrapsAt32(x) || wrapsAt32(y) {
		return false
	}
	xs, ys := addends(x, 1), addends(y, 1)
	for i, a := range xs {
		for j, b := range ys {
			for _, p := range r.planeTerms(a) {
				for _, q := range r.planeTerms(b) {
					if !sameFactors(p.size, q.size) || !alwaysDiffer(p.plane, q.plane) {
						continue
					}
					if r.inPlane(slices.Delete(slices.Clone(xs), i, i+1), slices.Delete(slices.Clone(ys), j, j+1), p.size) {
						return true
					}
				}
			}
		}
	}
	return false
}

// An addend is a term of a sum, with its sign.
type addend struct {
	expr
	sign int64
}

func addends(e expr, sign int64) []addend {
	switch e := unwidened(e).(type) {
	case binary:
		switch e.op {
		case "+":
			return append(addends(e.x, sign), addends(e.y, sign)...)
		case "-":
			return append(addends(e.x, sign), addends(e.y, -sign)...)
		}
	case unary:
		if e.op == "-" {
			return addends(e.x, -sign)
		}
	}
	return []addend{{e, sign}}
}

// unwidened returns e without casts around it of which subscripts are the same without them: to 64 bits, and to the type that it has.
func unwidened(e expr) expr {
	for {
		c, ok := e.(cast)
		if !ok {
			return e
		}
		to, number := storedType(c.typ)
		if !number || to.IsFloat() || to.Size() < 8 && to != intType(c.x) {
			return e
		}
		e = c.x
	}
}

func factors(e expr) []expr {
	if b, ok := unwidened(e).(binary); ok && b.op == "*" {
		return append(factors(b.x), factors(b.y)...)
	}
	return []expr{unwidened(e)}
}

func sameFactors(xs, ys []expr) bool {
	return len(xs) == len(ys) && !slices.ContainsFunc(xs, func(x expr) bool {
		return !slices.ContainsFunc(ys, func(y expr) bool { return sameExpr(x, y) })
	}) && !slices.ContainsFunc(ys, func(y expr) bool {
		return !slices.ContainsFunc(xs, func(x expr) bool { return sameExpr(x, y) })
	})
}

// planeTerms returns the ways to read a as a plane times a size, neither of which the nest changes.
func (r *reduction) planeTerms(a addend) (all []planeTerm) {
	fs := factors(a.expr)
	if a.sign < 0 || len(fs) < 2 || mentionsAny(fs, iteratorsIn(r.nest)) || r.moving(fs) {
		return nil
	}
	for i, f := range fs {
		if _, number := literal(f); !number {
			all = append(all, planeTerm{f, slices.Delete(slices.Clone(fs), i, i+1)})
		}
	}
	return all
}

// inPlane reports whether sums xs and ys differ by less than the product of size in every two iterations, under tests that it adds.
func (r *reduction) inPlane(xs, ys []addend, size []expr) bool {
	vs := &variables{}
	bounds := func(as []addend) (low, high polynomial, ok bool) {
		sum := polynomial{}
		for _, a := range as {
			p, ok := vs.product(a.expr)
			if !ok {
				return nil, nil, false
			}
			sum = sum.plus(a.sign, "", p)
		}
		return r.over(vs, sum)
	}
	whole := polynomial{"": 1}
	for _, f := range size {
		p, ok := vs.product(f)
		if !ok {
			return false
		}
		whole = whole.times(p)
	}
	lx, hx, ok := bounds(xs)
	ly, hy, too := bounds(ys)
	if !ok || !too {
		return false
	}
	was := len(r.tests)
	for _, most := range []polynomial{hx.plus(-1, "", ly), hy.plus(-1, "", lx)} {
		if !r.testPositive(vs, whole.plus(-1, "", most)) {
			r.tests = r.tests[:was]
			return false
		}
	}
	return true
}

// product returns the polynomial that e is.
func (v *variables) product(e expr) (polynomial, bool) {
	if n, ok := literal(e); ok {
		return polynomial{}.plus(n, "", polynomial{"": 1}), true
	}
	switch e := unwidened(e).(type) {
	case ident:
		if e.decl == nil {
			return nil, false
		}
		t, number := storedType(e.decl.Type())
		return polynomial{v.number(e.decl): 1}, number && !t.IsFloat()
	case unary:
		p, ok := v.product(e.x)
		return polynomial{}.plus(-1, "", p), ok && e.op == "-"
	case binary:
		p, ok := v.product(e.x)
		q, too := v.product(e.y)
		if !ok || !too {
			return nil, false
		}
		switch e.op {
		case "+":
			return p.plus(1, "", q), true
		case "-":
			return p.plus(-1, "", q), true
		case "*":
			p = p.times(q)
			return p, p.small()
		}
	}
	return nil, false
}

// over returns the least and the greatest value of p over the iterations of the nest.
func (r *reduction) over(vs *variables, p polynomial) (low, high polynomial, ok bool) {
	low, high = p, p
	loops := r.loops()
	seen := map[*cc.Declarator]bool{}
	for _, f := range slices.Backward(loops) { // bounds of inner loops may be made of variables of outer ones
		if seen[iteratorOf(f)] {
			return nil, nil, false // it has other values in the one than in the other
		}
		seen[iteratorOf(f)] = true
		first, last, ok := endsOf(f)
		if !ok {
			return nil, nil, false
		}
		from, ok := vs.product(r.values.in(first))
		to, too := vs.product(r.values.in(last))
		if !ok || !too {
			return nil, nil, false
		}
		name := vs.number(iteratorOf(f))
		for _, bound := range []*polynomial{&low, &high} {
			coef, rest, linear := bound.split(name)
			if !linear {
				return nil, nil, false
			}
			at := from
			if bound == &high {
				at = to
			}
			if c, constant := coef[""]; constant && len(coef) == 1 && c < 0 {
				at = map[bool]polynomial{true: from, false: to}[bound == &high]
			} else if len(coef) > 0 && !r.testPositive(vs, coef.plus(1, "", polynomial{"": 1})) {
				return nil, nil, false
			}
			*bound = rest.plus(1, "", coef.times(at))
		}
	}
	return low, high, low.small() && high.small()
}

// split returns coef and rest with p = coef*m + rest, where m is a variable that neither of them has; ok is false if there are none.
func (p polynomial) split(m string) (coef, rest polynomial, ok bool) {
	coef, rest = polynomial{}, polynomial{}
	for n, c := range p {
		if without, has := over(n, m); has {
			if strings.Contains(without, m) {
				return nil, nil, false
			}
			coef[without] = c
		} else {
			rest[n] = c
		}
	}
	return coef, rest, true
}

// loops returns the loops of the nest, outer ones before those in them.
func (r *reduction) loops() (all []forStmt) {
	eachStmt(r.nest, func(s stmt) {
		if f, ok := s.(forStmt); ok {
			all = append(all, f)
		}
	})
	return all
}

// endsOf returns the least and the greatest value of the variable of f, in iterations that run.
func endsOf(f forStmt) (first, last expr, ok bool) {
	d := iteratorOf(f)
	c, compares := f.cond.(binary)
	by, constant := stepOf(f.step, d)
	if !compares || !constant || by == 0 || initOf(f) == nil {
		return nil, nil, false
	}
	bound, op := c.y, c.op
	if !isIdent(withoutCasts(c.x), d) {
		if !isIdent(withoutCasts(c.y), d) {
			return nil, nil, false
		}
		bound, op = c.x, mirrored[c.op]
	}
	beside := func(e expr, op string) expr {
		return binary{e.at(), op, e, numberAt(e.at(), 1)}
	}
	switch {
	case by > 0 && op == "<":
		return initOf(f), beside(bound, "-"), true
	case by > 0 && op == "<=":
		return initOf(f), bound, true
	case by < 0 && op == ">":
		return beside(bound, "+"), initOf(f), true
	case by < 0 && op == ">=":
		return bound, initOf(f), true
	}
	return nil, nil, false
}

// testPositive reports whether p is positive, under tests that it adds.
func (r *reduction) testPositive(vs *variables, p polynomial) bool {
	if c, constant := p[""]; len(p) == 0 || constant && len(p) == 1 {
		return c > 0
	}
	if !p.small() {
		return false
	}
	var tests, terms []string
	for _, m := range p.ordered() {
		text := fmt.Sprintf("%d.0", p[m])
		for _, d := range vs.of(m) {
			x := ident{r.nest.at(), d.Name(), d}
			if iterates(r.nest, d) || r.moving([]expr{x}) {
				return false
			}
			text += " * " + r.u.members.name(d)
		}
		if m != "" {
			tests = append(tests, fmt.Sprintf("__builtin_fabs(%s) < %s", text, mostTested))
		}
		terms = append(terms, text)
	}
	for _, test := range append(tests, strings.Join(terms, " + ")+" > 0") {
		if !slices.Contains(r.tests, test) {
			r.tests = append(r.tests, test)
		}
	}
	return true
}
