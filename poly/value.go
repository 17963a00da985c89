package poly

import "slices"

// A ratio is the expression num/den, where den > 0. num may be shorter than the width of its system.
type ratio struct {
	num vec
	den Int
}

// minus returns a - b, scaled to integers, as a row of the given width.
func (a ratio) minus(b ratio, width int) vec {
	den := a.den.lcm(b.den)
	v := newVec(width)
	v.addMul(den.quo(a.den), a.num)
	v.addMul(den.quo(b.den).Neg(), b.num)
	return v
}

// value evaluates an expression; its divs go to s.
func (m *meaning) value(s *system, n *node) ratio {
	switch n.kind {
	case numberNode:
		v := newVec(s.width())
		v[0] = n.num
		return ratio{v, one}
	case nameNode:
		col := m.lookup(n.name)
		if col < 0 {
			m.fail(n.pos, "%s is not defined", n.name)
		}
		return ratio{unitVec(s.width(), col), one}
	case sumNode:
		a, b := m.value(s, n.args[0]), m.value(s, n.args[1])
		b.num = b.num.negated()
		return ratio{a.minus(b, s.width()), a.den.lcm(b.den)}
	case negNode:
		a := m.value(s, n.args[0])
		return ratio{a.num.negated(), a.den}
	case productNode:
		return m.product(s, n)
	case quotNode:
		return m.quotient(s, n)
	case callNode:
		return m.call(s, n)
	case affineNode:
		return ratio{m.affine(s.width(), n.affine), one}
	}
	panic("poly: value: not an expression")
}

func (m *meaning) product(s *system, n *node) ratio {
	a, b := m.value(s, n.args[0]), m.value(s, n.args[1])
	if !a.num.isConst() {
		a, b = b, a
	}
	if !a.num.isConst() {
		m.fail(n.pos, "product of two expressions that are not constant")
	}
	num := b.num.clone()
	num.scale(a.num[0])
	return ratio{num, a.den.Mul(b.den)}
}

func (m *meaning) quotient(s *system, n *node) ratio {
	a, b := m.value(s, n.args[0]), m.value(s, n.args[1])
	if !b.num.isConst() || b.num[0].isZero() {
		m.fail(n.pos, "the divisor must be a constant other than 0")
	}
	num, den := a.num.clone(), a.den.Mul(b.num[0])
	num.scale(b.den)
	if den.Sign() < 0 {
		num.scale(minusOne)
		den = den.Neg()
	}
	return ratio{num, den}
}

// call evaluates floor, ceil and mod; splitExtreme has removed min and max.
func (m *meaning) call(s *system, n *node) ratio {
	a := m.value(s, n.args[0])
	switch n.name {
	case "floor":
		return ratio{s.floor(a.num, a.den), one}
	case "ceil":
		return ratio{s.floor(a.num.negated(), a.den).negated(), one}
	case "mod":
		b := m.value(s, n.args[1])
		if !b.num.isConst() || !b.den.isOne() || b.num[0].Sign() <= 0 {
			m.fail(n.pos, "the modulus must be a positive integer constant")
		}
		if !a.den.isOne() {
			m.fail(n.pos, "mod of a quotient: use floor")
		}
		v := newVec(s.width())
		v.addMul(one, a.num)
		q := s.floor(a.num, b.num[0])
		v = v.grown(len(q))
		v.addMul(b.num[0].Neg(), q)
		return ratio{v, one}
	}
	m.fail(n.pos, "%s is not supported here", n.name)
	return ratio{}
}

// floor returns floor(num/den) as an expression.
func (s *system) floor(num vec, den Int) vec {
	before := len(s.locals)
	img := s.addDiv(num, den)
	divsMade.Add(int64(len(s.locals) - before))
	if img.aff != nil {
		return img.aff
	}
	return unitVec(s.width(), img.col)
}

// splitExtreme returns a comparison without its first min or max(a, b, ..), or choice, or nil if it has none:
//
//	f(max(a, b)) => (a >= b and f(a)) or (b > a and f(b))
//	f((c ? a : b)) => (c and f(a)) or (not c and f(b))
func splitExtreme(f *node) *node {
	call := findExtreme(f)
	if call == nil {
		return nil
	}
	if call.name == "?" {
		when := func(cond, x *node) *node {
			return &node{kind: andNode, pos: call.pos, args: []*node{cond, replace(f, call, x)}}
		}
		not := &node{kind: notNode, pos: call.pos, args: []*node{call.args[0]}}
		return &node{kind: orNode, pos: f.pos, args: []*node{when(call.args[0], call.args[1]), when(not, call.args[2])}}
	}
	a := call.args[0]
	if len(call.args) == 1 {
		return replace(f, call, a)
	}
	b := call.args[1]
	if len(call.args) > 2 {
		rest := *call
		rest.args = call.args[1:]
		b = &rest
	}
	atLeast, less := ">=", "<"
	if call.name == "min" {
		atLeast, less = "<=", ">"
	}
	choose := func(op string, x *node) *node {
		cond := &node{kind: compareNode, pos: call.pos, name: op, args: []*node{a, b}}
		return &node{kind: andNode, pos: call.pos, args: []*node{cond, replace(f, call, x)}}
	}
	return &node{kind: orNode, pos: f.pos, args: []*node{choose(atLeast, a), choose(less, b)}}
}

func findExtreme(n *node) *node {
	if n.kind == callNode && (n.name == "min" || n.name == "max" || n.name == "?") {
		return n
	}
	for _, a := range n.args {
		if c := findExtreme(a); c != nil {
			return c
		}
	}
	return nil
}

// replace returns n with the node old replaced.
func replace(n, old, by *node) *node {
	if n == old {
		return by
	}
	c := *n
	c.args = slices.Clone(n.args)
	for i, a := range c.args {
		c.args[i] = replace(a, old, by)
	}
	return &c
}
