package poly

import "slices"

// This file parses isl's notation into trees:
//
//	union    = [ "[" [ param { "," param } ] "]" "->" ] "{" [ piece { ";" piece } ] "}"
//	param    = name [ "=" sum | "=" [ sum ] ":" [ sum ] ]
//	piece    = [ tuple [ "->" tuple ] ] [ ":" [ formula ] ]
//	tuple    = [ name ] "[" [ entry { "," entry } ] "]" | [ name ] "[" tuple "->" tuple "]"
//	entry    = [ name "=" ] sum | [ name "=" ] [ sum ] ":" [ sum ] | "*"
//	formula  = conj { ("or" | "=>" | "implies") conj }
//	conj     = literal { "and" literal }
//	literal  = "not" literal | "exists" ... | chain
//	chain    = sums { ("<" | "<=" | "=" | "!=" | ">" | ">=") sums }
//	sums     = sum { "," sum }
//	sum      = product { ("+" | "-") product }
//	product  = unary { ("*" | "/") unary }
//	unary    = "-" unary | number factor | factor
//	factor   = primary { "mod" primary }
//	primary  = name | number | "(" formula [ "?" sum ":" sum ] ")" | "[" sum "]" | function "(" sum { "," sum } ")" |
//	           "true" | "false" | list ("<<" | "<<=" | ">>" | ">>=") list
//	list     = "[" [ sum { "," sum } ] "]"
//
//	multi    = [ "[" [ param { "," param } ] "]" "->" ] [ name ] "[" [ braces { "," braces } ] "]"
//	braces   = "{" [ piece { ";" piece } ] "}"
//
// "[" sum "]" is floor(sum), and "list << list" the lexicographic order. As in isl, mod binds tighter than a product:
// 2i mod 3 is 2*(i mod 3), and i*2 mod 3 takes parentheses.
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
	fixed []*node // what parameters are equal to or between
}

// parseUnion returns the tree of text. It panics with a *ParseError.
func parseUnion(text string) unionNode {
	p := newParser(text)
	var u unionNode
	if p.at("[") {
		u.params = p.params()
		p.expect("->")
	}
	u.pieces = p.braces()
	p.end()
	return u
}

// parseMulti returns the trees of a list of unions, which share the parameters. It panics with a *ParseError.
func parseMulti(text string) (list []unionNode) {
	p := newParser(text)
	var params []string
	if p.at("[") && p.toks[1].text != "{" {
		if params = p.params(); len(params) == 0 && !p.at("->") {
			p.end()
			return nil
		}
		p.expect("->")
	}
	if p.isName(0) {
		p.next()
	}
	p.expect("[")
	for !p.at("]") {
		list = append(list, unionNode{params, p.braces()})
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	p.end()
	return list
}

// newParser returns a parser of text, whose characters all have a meaning.
func newParser(text string) *parser {
	p := &parser{text: text, toks: tokens(text)}
	for _, t := range p.toks {
		if t.kind == stray {
			p.fail(t.pos, "the character %s has no meaning here", t.text)
		}
	}
	return p
}

func (p *parser) end() {
	if t := p.toks[0]; t != (token{pos: len(p.text)}) {
		p.fail(t.pos, "expected the end, found %s", t.text)
	}
}

func (p *parser) braces() (pieces []pieceNode) {
	p.expect("{")
	for !p.at("}") {
		pieces = append(pieces, p.piece())
		if !p.accept(";") {
			break
		}
	}
	p.expect("}")
	return pieces
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
		if p.accept("=") {
			p.fix(name, pos)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return names
}

// fix parses what a parameter is equal to, or between.
func (p *parser) fix(name string, pos int) {
	require := func(op string) {
		p.fixed = append(p.fixed, comparison(name, op, p.wantExpr(p.sum()), pos))
	}
	if !p.at(":") {
		require("=")
	}
	if !p.accept(":") {
		return
	}
	if n := len(p.fixed); n > 0 && p.fixed[n-1].args[0].name == name {
		p.fixed[n-1].name = ">="
	}
	if !p.at(",") && !p.at("]") {
		require("<=")
	}
}

// where parses a condition, if there is one, and adds what parameters are equal to.
func (p *parser) where() *node {
	var where *node
	if p.accept(":") && !p.at(";") && !p.at("}") {
		where = p.wantFormula(p.formula())
	}
	if len(p.fixed) == 0 {
		return where
	}
	all := &node{kind: andNode, pos: p.fixed[0].pos, args: slices.Clip(p.fixed)}
	if where != nil {
		all.args = append(all.args, where)
	}
	return all
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
	c.where = p.where()
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

// entry parses a dimension.
func (p *parser) entry() entryNode {
	e := entryNode{pos: p.toks[0].pos}
	if p.accept("*") {
		return e
	}
	if p.isName(0) && p.toks[1].text == "=" {
		e.name = p.next().text
		p.next()
	}
	if !p.at(":") {
		e.value = p.wantExpr(p.sum())
	}
	if p.accept(":") {
		e.value, e.low = nil, e.value
		if !p.at(",") && !p.at("]") {
			e.high = p.wantExpr(p.sum())
		}
	}
	return e
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
