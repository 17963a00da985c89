package poly

import (
	"math/big"
	"slices"
)

// This file parses isl's notation into trees:
//
//	union    = [ "[" names "]" "->" ] "{" [ piece { ";" piece } ] "}"
//	piece    = [ tuple [ "->" tuple ] ] [ ":" [ formula ] ]
//	tuple    = [ name ] "[" [ entry { "," entry } ] "]" | [ name ] "[" tuple "->" tuple "]"
//	entry    = sum | name "=" sum
//	formula  = conj { ("or" | "=>") conj }
//	conj     = literal { "and" literal }
//	literal  = "not" literal | "exists" ... | chain
//	chain    = sums { ("<" | "<=" | "=" | "!=" | ">" | ">=") sums }
//	sums     = sum { "," sum }
//	sum      = product { ("+" | "-") product }
//	product  = unary { ("*" | "/" | "mod") unary }
//	unary    = "-" unary | number [ primary ] | primary
//	primary  = name | number | "(" formula ")" | function "(" sum { "," sum } ")" | "true" | "false"
//
// A formula in parentheses may turn out to be an expression; what stands around it tells, and wantFormula and
// wantExpr check.

// keywords cannot be names.
var keywords = []string{
	"and", "or", "not", "exists", "mod", "true", "false", "floor", "floord", "ceil", "ceild", "min", "max", "implies",
}

// maxNesting bounds the depth of parentheses and the like, so that no text overflows the stack.
const maxNesting = 100

type parser struct {
	text  string
	toks  []token
	depth int
}

// parseUnion returns the tree of text. It panics with a *ParseError.
func parseUnion(text string) unionNode {
	p := &parser{text: text, toks: tokens(text)}
	for _, t := range p.toks {
		if t.kind == stray {
			p.fail(t.pos, "the character %s has no meaning here", t.text)
		}
	}
	var u unionNode
	if p.at("[") {
		u.params = p.params()
		p.expect("->")
	}
	p.expect("{")
	for !p.at("}") {
		u.pieces = append(u.pieces, p.piece())
		if !p.accept(";") {
			break
		}
	}
	p.expect("}")
	if t := p.toks[0]; t != (token{pos: len(text)}) {
		p.fail(t.pos, "expected the end, found %s", t.text)
	}
	return u
}

func (p *parser) fail(pos int, format string, args ...any) {
	panic(parseError(p.text, pos, format, args...))
}

func (p *parser) next() token {
	t := p.toks[0]
	if len(p.toks) > 1 {
		p.toks = p.toks[1:]
	}
	return t
}

// at reports whether the next token is the symbol or keyword text.
func (p *parser) at(text string) bool {
	t := p.toks[0]
	return t.text == text && (t.kind == symbol || t.kind == word) && text != ""
}

func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(p.toks[0].pos, "expected %s, found %s", text, p.found())
	}
}

// found describes the next token.
func (p *parser) found() string {
	t := p.toks[0]
	if t.kind == symbol && t.text == "" {
		return "the end"
	}
	return t.text
}

// isName reports whether token i ahead is a name.
func (p *parser) isName(i int) bool {
	return i < len(p.toks) && p.toks[i].kind == word && !slices.Contains(keywords, p.toks[i].text)
}

// nested guards a recursion.
func (p *parser) nested() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.toks[0].pos, "nested more than %d deep", maxNesting)
	}
	return func() { p.depth-- }
}

func (p *parser) params() []string {
	p.expect("[")
	var names []string
	for !p.at("]") {
		pos := p.toks[0].pos
		name := p.name("a parameter")
		if slices.Contains(names, name) {
			p.fail(pos, "the parameter %s appears twice", name)
		}
		names = append(names, name)
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return names
}

func (p *parser) name(what string) string {
	if !p.isName(0) {
		p.fail(p.toks[0].pos, "expected the name of %s, found %s", what, p.found())
	}
	return p.next().text
}

func (p *parser) piece() pieceNode {
	c := pieceNode{pos: p.toks[0].pos}
	if !p.at(":") {
		c.tuples = append(c.tuples, p.tuple())
		if p.accept("->") {
			c.tuples = append(c.tuples, p.tuple())
		}
	}
	if p.accept(":") && !p.at(";") && !p.at("}") {
		c.where = p.wantFormula(p.formula())
	}
	return c
}

func (p *parser) tuple() *tupleNode {
	defer p.nested()()
	t := &tupleNode{pos: p.toks[0].pos}
	if p.isName(0) {
		t.name = p.next().text
	}
	p.expect("[")
	if p.at("[") || p.isName(0) && len(p.toks) > 1 && p.toks[1].text == "[" {
		t.pair = append(t.pair, p.tuple())
		p.expect("->")
		t.pair = append(t.pair, p.tuple())
		p.expect("]")
		return t
	}
	for !p.at("]") {
		t.entries = append(t.entries, p.entry())
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return t
}

// entry parses a dimension: a name, an expression, or name = expression.
func (p *parser) entry() *node {
	n := p.wantExpr(p.sum())
	if n.kind == nameNode && p.at("=") {
		pos := p.next().pos
		return &node{kind: compareNode, pos: pos, name: "=", args: []*node{n, p.wantExpr(p.sum())}}
	}
	return n
}

func (p *parser) formula() *node {
	defer p.nested()()
	n := p.conjunction()
	for {
		pos := p.toks[0].pos
		switch {
		case p.accept("or"):
			n = &node{kind: orNode, pos: pos, args: []*node{p.wantFormula(n), p.wantFormula(p.conjunction())}}
		case p.accept("=>"), p.accept("implies"):
			not := &node{kind: notNode, pos: pos, args: []*node{p.wantFormula(n)}}
			n = &node{kind: orNode, pos: pos, args: []*node{not, p.wantFormula(p.conjunction())}}
		default:
			return n
		}
	}
}

func (p *parser) conjunction() *node {
	n := p.literal()
	if !p.at("and") {
		return n
	}
	all := &node{kind: andNode, pos: n.pos, args: []*node{p.wantFormula(n)}}
	for p.accept("and") {
		all.args = append(all.args, p.wantFormula(p.literal()))
	}
	return all
}

func (p *parser) literal() *node {
	defer p.nested()()
	pos := p.toks[0].pos
	switch {
	case p.accept("not"):
		return &node{kind: notNode, pos: pos, args: []*node{p.wantFormula(p.literal())}}
	case p.accept("exists"):
		return p.exists(pos)
	}
	return p.chain()
}

// exists parses "(a, b = e : formula)" and "a, b : formula".
func (p *parser) exists(pos int) *node {
	n := &node{kind: existsNode, pos: pos}
	inside := p.accept("(")
	for {
		at := p.toks[0].pos
		v := &node{kind: nameNode, pos: at, name: p.name("a variable")}
		if p.accept("=") {
			v = &node{kind: compareNode, pos: at, name: "=", args: []*node{v, p.wantExpr(p.sum())}}
		}
		n.vars = append(n.vars, v)
		if !p.accept(",") {
			break
		}
	}
	p.expect(":")
	n.args = []*node{p.wantFormula(p.formula())}
	if inside {
		p.expect(")")
	}
	return n
}

var comparisons = []string{"<", "<=", "=", "!=", ">", ">="}

// chain parses a chain of comparisons, each between all expressions of two lists.
func (p *parser) chain() *node {
	first := p.sum()
	left := p.more([]*node{first})
	if !slices.ContainsFunc(comparisons, p.at) {
		if len(left) > 1 {
			p.fail(p.toks[0].pos, "expected a comparison, found %s", p.found())
		}
		return first
	}
	all := &node{kind: andNode, pos: first.pos}
	for slices.ContainsFunc(comparisons, p.at) {
		op := p.next()
		right := p.more([]*node{p.sum()})
		for _, l := range left {
			for _, r := range right {
				all.args = append(all.args,
					&node{kind: compareNode, pos: op.pos, name: op.text, args: []*node{p.wantExpr(l), p.wantExpr(r)}})
			}
		}
		left = right
	}
	return all
}

// more parses the rest of a list of expressions.
func (p *parser) more(list []*node) []*node {
	for p.at(",") {
		p.next()
		list = append(list, p.wantExpr(p.sum()))
	}
	return list
}

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
	for {
		pos := p.toks[0].pos
		switch {
		case p.accept("*"):
			n = &node{kind: productNode, pos: pos, args: []*node{p.wantExpr(n), p.wantExpr(p.unary())}}
		case p.accept("/"):
			n = &node{kind: quotNode, pos: pos, args: []*node{p.wantExpr(n), p.wantExpr(p.unary())}}
		case p.accept("mod"):
			n = &node{kind: callNode, pos: pos, name: "mod", args: []*node{p.wantExpr(n), p.wantExpr(p.unary())}}
		default:
			return n
		}
	}
}

func (p *parser) unary() *node {
	defer p.nested()()
	t := p.toks[0]
	if p.accept("-") {
		return &node{kind: negNode, pos: t.pos, args: []*node{p.wantExpr(p.unary())}}
	}
	n := p.primary()
	if t.kind == number && (p.isName(0) || p.at("(") || slices.ContainsFunc(functions, p.at)) { // 2i, 2(i+j)
		n = &node{kind: productNode, pos: t.pos, args: []*node{n, p.wantExpr(p.primary())}}
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
		p.expect(")")
		return n
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
