package poly

import (
	"math/big"
	"slices"
)

// This file parses expressions, by the grammar that parse.go states.

func (p *parser) sum() *node {
	n := p.product()
	for p.at("+") || p.at("-") {
		op := p.next()
		r := p.wantExpr(p.product())
		if op.text == "-" {
			r = &node{kind: negNode, pos: op.pos, args: []*node{r}}
		}
		n = &node{kind: sumNode, pos: op.pos, args: []*node{p.wantExpr(n), r}}
	}
	return n
}

func (p *parser) product() *node {
	n := p.unary()
	for p.at("*") || p.at("/") {
		op := p.next()
		before := p.toks
		r := &node{kind: productNode, pos: op.pos, args: []*node{p.wantExpr(n), p.wantExpr(p.unary())}}
		if op.text == "/" {
			r.kind = quotNode
		}
		if mod := p.modAmong(before); mod >= 0 && (n.kind != numberNode || op.text == "/") {
			p.fail(mod, "mod after a product or a quotient: put one of them in parentheses")
		}
		n = r
	}
	return n
}

// modAmong returns the place of a mod outside of parentheses among the tokens from before to the next one, or -1.
func (p *parser) modAmong(before []token) int {
	depth := 0
	for _, t := range before[:len(before)-len(p.toks)] {
		switch {
		case t.kind == symbol && (t.text == "(" || t.text == "["):
			depth++
		case t.kind == symbol && (t.text == ")" || t.text == "]"):
			depth--
		case depth == 0 && t.kind == word && t.text == "mod":
			return t.pos
		}
	}
	return -1
}

func (p *parser) unary() *node {
	defer p.nested()()
	t := p.toks[0]
	if p.accept("-") {
		if p.toks[0].kind == number && p.toks[min(1, len(p.toks)-1)].text == "mod" { // -3 mod 2 is 1, as in isl
			n := p.primary()
			n.num = n.num.Neg()
			return p.mod(n)
		}
		return &node{kind: negNode, pos: t.pos, args: []*node{p.wantExpr(p.unary())}}
	}
	n := p.primary()
	if t.kind == number && (p.isName(0) || p.at("(") || slices.ContainsFunc(functions, p.at)) { // 2i, 2(i+j)
		return &node{kind: productNode, pos: t.pos, args: []*node{n, p.mod(p.wantExpr(p.primary()))}}
	}
	return p.mod(n)
}

// mod parses what follows a factor.
func (p *parser) mod(n *node) *node {
	for p.at("mod") {
		pos := p.next().pos
		n = &node{kind: callNode, pos: pos, name: "mod", args: []*node{p.wantExpr(n), p.wantExpr(p.primary())}}
	}
	return n
}

var functions = []string{"floor", "floord", "ceil", "ceild", "min", "max"}

func (p *parser) primary() *node {
	t := p.next()
	switch {
	case t.kind == number:
		x, _ := new(big.Int).SetString(t.text, 10)
		return &node{kind: numberNode, pos: t.pos, num: fromBig(x)}
	case t.kind == symbol && t.text == "(":
		n := p.formula()
		if p.accept("?") {
			n = &node{kind: callNode, pos: t.pos, name: "?", args: []*node{p.wantFormula(n), p.wantExpr(p.sum())}}
			p.expect(":")
			n.args = append(n.args, p.wantExpr(p.sum()))
		}
		p.expect(")")
		return n
	case t.kind == symbol && t.text == "[":
		return p.brackets(t.pos)
	case t.kind != word:
		p.toks = append([]token{t}, p.toks...)
		p.fail(t.pos, "expected an expression or a constraint, found %s", p.found())
	case t.text == "true":
		return &node{kind: boolNode, pos: t.pos, num: one}
	case t.text == "false":
		return &node{kind: boolNode, pos: t.pos}
	case slices.Contains(functions, t.text):
		return p.call(t)
	case slices.Contains(keywords, t.text):
		p.fail(t.pos, "expected an expression or a constraint, found %s", t.text)
	}
	return &node{kind: nameNode, pos: t.pos, name: t.text}
}

// call parses the arguments of a function.
func (p *parser) call(t token) *node {
	p.expect("(")
	n := &node{kind: callNode, pos: t.pos, name: t.text, args: p.more([]*node{p.wantExpr(p.sum())})}
	p.expect(")")
	want := map[string]int{"floor": 1, "ceil": 1, "floord": 2, "ceild": 2}[t.text]
	if want != 0 && len(n.args) != want {
		p.fail(t.pos, "%s takes %d arguments, not %d", t.text, want, len(n.args))
	}
	if want == 2 {
		n.name = n.name[:len(n.name)-1]
		n.args = []*node{{kind: quotNode, pos: t.pos, args: n.args}}
	}
	return n
}

func (p *parser) wantFormula(n *node) *node {
	if n.isExpr() {
		p.fail(n.pos, "expected a constraint, found an expression")
	}
	return n
}

func (p *parser) wantExpr(n *node) *node {
	if !n.isExpr() {
		p.fail(n.pos, "expected an expression, found a constraint")
	}
	return n
}

var lexOrders = []string{"<<", "<<=", ">>", ">>="}

// brackets parses what follows [: the end of [sum], which is a floor, or of a list that is compared with another one.
func (p *parser) brackets(pos int) *node {
	list := p.list()
	if slices.ContainsFunc(lexOrders, p.at) {
		return p.lexOrder(list)
	}
	if len(list) != 1 {
		p.fail(p.toks[0].pos, "expected << or the like after a list, found %s", p.found())
	}
	return &node{kind: callNode, pos: pos, name: "floor", args: list}
}

// list parses expressions up to ].
func (p *parser) list() []*node {
	var list []*node
	if !p.at("]") {
		list = p.more([]*node{p.wantExpr(p.sum())})
	}
	p.expect("]")
	return list
}

// lexOrder parses what follows the first of two lists that are compared, of the same length.
func (p *parser) lexOrder(left []*node) *node {
	op := p.next()
	p.expect("[")
	right := p.list()
	if len(left) != len(right) {
		p.fail(op.pos, "%s of %d and %d expressions", op.text, len(left), len(right))
	}
	if op.text[0] == '>' {
		left, right = right, left
	}
	// [a, b] << [c, d] is a < c or a = c and b < d.
	order := &node{kind: boolNode, pos: op.pos, num: one}
	if len(op.text) == 2 {
		order.num = Int{}
	}
	compare := func(name string, i int) *node {
		return &node{kind: compareNode, pos: op.pos, name: name, args: []*node{left[i], right[i]}}
	}
	for i := range slices.Backward(left) {
		equal := &node{kind: andNode, pos: op.pos, args: []*node{compare("=", i), order}}
		order = &node{kind: orNode, pos: op.pos, args: []*node{compare("<", i), equal}}
	}
	return order
}
