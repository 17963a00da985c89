package poly

import (
	"math/big"
)

// This file parses Counts in isl's notation of piecewise quasi-polynomials:
//
//	count   = [ "[" names "]" "->" ] "{" [ value { ";" value } ] "}"
//	value   = [ tuple "->" ] sum [ ":" formula ]
//	sum     = product { ("+" | "-") product }
//	product = factor { "*" factor | "/" number }
//	factor  = "-" factor | primary [ "^" number ]
//	primary = number | name | "(" sum ")" | floor "(" affine ")" | "infty"
//
// The arguments of floor, and conditions, are those of sets.

// ParseCount parses a piecewise quasi-polynomial, such as [n] -> { S[i] -> 1/2*i^2 + n*floor(i/2) : 0 <= i < n }.
// Where its pieces overlap, their values are added. The error is a *ParseError or a *LimitError.
func ParseCount(text string) (count Count, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ParseError:
			count, err = Count{}, r
		case *LimitError:
			count, err = Count{}, r
		default:
			panic(r)
		}
	}()
	p := &parser{text: text, toks: tokens(text)}
	var params []string
	if p.at("[") {
		params = p.params()
		p.expect("->")
	}
	p.expect("{")
	for !p.at("}") {
		piece := p.countPiece(params)
		if count, err = count.Plus(piece); err != nil {
			return Count{}, err
		}
		if !p.accept(";") {
			break
		}
	}
	p.expect("}")
	if t := p.toks[0]; t != (token{pos: len(text)}) {
		p.fail(t.pos, "expected the end, found %s", t.text)
	}
	return count, nil
}

// MustCount is ParseCount for text that is known to be right.
func MustCount(text string) Count {
	c, err := ParseCount(text)
	if err != nil {
		panic(misuse("MustCount: %v", err))
	}
	return c
}

// countPiece parses one value. Its divs are in the table of c, over the columns of the piece.
func (p *parser) countPiece(params []string) Count {
	piece := pieceNode{pos: p.toks[0].pos}
	if p.at("[") || p.isName(0) && len(p.toks) > 1 && p.toks[1].text == "[" {
		piece.tuples = append(piece.tuples, p.tuple())
		p.expect("->")
	}
	value := p.quasiSum()
	piece.where = p.where()
	m := newMeaning(p.text, params, nil)
	dom := m.piece(piece)
	c := newCounter(m.space.cols())
	q := m.quasi(c, value)
	if len(dom) == 0 || q.isZero() {
		return Count{}
	}
	return Count{groups: []countGroup{c.group(m.space, []countPiece{{dom, q}})}}
}

// A quasiNode is a quasi-polynomial expression: an affine node, an operation, or a number.
type quasiNode struct {
	op   byte // one of + - * / ^, n for a leaf, i for infinity
	pos  int
	leaf *node
	args []*quasiNode
	exp  int
}

func (p *parser) quasiSum() *quasiNode {
	defer p.nested()()
	n := p.quasiProduct()
	for p.at("+") || p.at("-") {
		t := p.next()
		n = &quasiNode{op: t.text[0], pos: t.pos, args: []*quasiNode{n, p.quasiProduct()}}
	}
	return n
}

func (p *parser) quasiProduct() *quasiNode {
	n := p.quasiFactor()
	for {
		t := p.toks[0]
		switch {
		case p.accept("*"):
			n = &quasiNode{op: '*', pos: t.pos, args: []*quasiNode{n, p.quasiFactor()}}
		case p.accept("/"):
			n = &quasiNode{op: '/', pos: t.pos, args: []*quasiNode{n, p.quasiFactor()}}
		case n.op == 'n' && n.leaf.kind == numberNode && (p.isName(0) || p.at("floor") || p.at("(")): // 2n
			n = &quasiNode{op: '*', pos: t.pos, args: []*quasiNode{n, p.quasiFactor()}}
		default:
			return n
		}
	}
}

func (p *parser) quasiFactor() *quasiNode {
	defer p.nested()()
	t := p.toks[0]
	if p.accept("-") {
		zero := &quasiNode{op: 'n', pos: t.pos, leaf: &node{kind: numberNode, pos: t.pos}}
		return &quasiNode{op: '-', pos: t.pos, args: []*quasiNode{zero, p.quasiFactor()}}
	}
	n := p.quasiPrimary()
	if t := p.toks[0]; t.text == "^" {
		p.next()
		k := p.next()
		if k.kind != number || len(k.text) > 2 || atoi(k.text) > maxDegree {
			p.fail(k.pos, "expected an exponent of at most %d", maxDegree)
		}
		n = &quasiNode{op: '^', pos: t.pos, args: []*quasiNode{n}, exp: atoi(k.text)}
	}
	return n
}

func atoi(digits string) (n int) {
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
}

func (p *parser) quasiPrimary() *quasiNode {
	t := p.toks[0]
	switch {
	case p.accept("infty"):
		return &quasiNode{op: 'i', pos: t.pos}
	case p.accept("("):
		n := p.quasiSum()
		p.expect(")")
		return n
	case t.kind == number || p.isName(0) || p.at("floor"):
		leaf := p.primary()
		return &quasiNode{op: 'n', pos: t.pos, leaf: leaf}
	}
	p.fail(t.pos, "expected a polynomial, found %s", p.found())
	return nil
}

// quasi evaluates n over the columns of m and the table of c.
func (m *meaning) quasi(c *counter, n *quasiNode) polynomial {
	switch n.op {
	case 'i':
		return infinity
	case 'n':
		r := m.value(c.table, n.leaf)
		return linear(r.num).scaled(ratOf(one, r.den))
	}
	x := m.quasi(c, n.args[0])
	if n.op == '^' {
		power := constant(1, 1)
		for range n.exp {
			power = power.times(x)
		}
		return power
	}
	y := m.quasi(c, n.args[1])
	switch n.op {
	case '+':
		return x.plus(y)
	case '-':
		if y.infinite {
			m.fail(n.pos, "minus infinity is not supported")
		}
		return x.minus(y)
	case '*':
		return x.times(y)
	}
	if len(y.terms) != 1 || len(y.terms[0].mono) > 0 {
		m.fail(n.pos, "the divisor must be a constant other than 0")
	}
	return x.scaled(new(big.Rat).Inv(y.terms[0].coef))
}
