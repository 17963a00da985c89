package calc

import (
	"math/big"
	"slices"
	"strings"
)

// This file parses the language of iscc:
//
//	program   = { statement }
//	statement = [ name ":=" | "print" ] expr ";" | "source" string ";"
//	expr      = object { operator object }
//	object    = simple { "^" ( number | "+" ) | "[" number "]" | "(" expr ")" }
//	simple    = set | relation | function | [ "-" ] number | string | "True" | "False" | name
//	          | "(" [ expr { "," expr } ] ")" | prefix object | ( "typeof" | "assert" ) expr
//	          | ( "any" | "last" ) object "before" object "under" object
//	          | "codegen" expr [ "using" expr ] | "read" string
//	prefix    = "card" | "dom" | ...
//	operator  = "+" | "*" | "cross" | ...
//
// All operators bind alike, to the left, and a prefix binds to the object after it: card A + card B adds two numbers,
// and card A + B is (card A) + B.

// maxNesting bounds the depth of expressions, so that no text overflows the stack.
const maxNesting = 200

type parser struct {
	source
	scan  scanner
	tok   token
	end   int // of the token before
	depth int
}

// newParser returns a parser of src, whose comments are blanked.
func newParser(src source) *parser {
	p := &parser{source: src, scan: scanner{text: blankComments(src.text)}}
	p.tok = p.scan.next(true)
	return p
}

// advance passes the token and scans the next one, where an operand is due or not.
func (p *parser) advance(operand bool) token {
	t := p.tok
	p.end = p.scan.pos
	p.tok = p.scan.next(operand)
	return t
}

// here returns the place of the token: that after the token before for the end.
func (p *parser) here() int {
	if p.atEnd() {
		return p.end
	}
	return p.tok.pos
}

func (p *parser) fail(pos int, format string, args ...any) { panic(p.errorAt(pos, format, args...)) }

// at reports whether the token is the symbol or word text.
func (p *parser) at(text string) bool {
	return p.tok.text == text && text != "" && (p.tok.kind == symbol || p.tok.kind == word)
}

// accept passes the token if it is text; what comes then is an operand or not.
func (p *parser) accept(text string, operand bool) bool {
	if !p.at(text) {
		return false
	}
	p.advance(operand)
	return true
}

func (p *parser) expect(text string, operand bool) {
	if !p.accept(text, operand) {
		p.fail(p.here(), "expected %s, found %s", text, p.found())
	}
}

// found describes the token.
func (p *parser) found() string {
	switch {
	case p.tok.kind == symbol && p.tok.text == "":
		return "the end"
	case p.tok.kind == stray && p.tok.text == "\"":
		return "a string without an end"
	case p.tok.kind == stray:
		return "the character " + p.tok.text
	case p.tok.kind == quoted:
		return "a string"
	case p.tok.kind == literal:
		return "a set, relation or function"
	}
	return p.tok.text
}

// atEnd reports whether the program has ended.
func (p *parser) atEnd() bool { return p.tok.kind == symbol && p.tok.text == "" }

// statement parses the next one.
func (p *parser) statement() statement {
	st := statement{place: place(p.tok.pos)}
	switch {
	case p.accept("source", true):
		st.source = p.string("the name of a file")
	case p.accept("print", true):
		st.print = true
		st.expr = p.expr()
	default:
		st.name, st.expr = p.assignment()
	}
	if !p.at(";") {
		p.fail(p.here(), "expected an operator or ;, found %s", p.found())
	}
	p.advance(true)
	return st
}

// assignment parses name := expr, or expr.
func (p *parser) assignment() (name string, x node) {
	if p.tok.kind != word || isReserved(p.tok.text) || p.tok.text[0] == '$' {
		return "", p.expr()
	}
	ahead := p.scan
	if sym := ahead.next(false); sym.kind != symbol || sym.text != ":=" {
		return "", p.expr()
	}
	name = p.advance(false).text
	p.advance(true)
	return name, p.expr()
}

func (p *parser) string(what string) string {
	if p.tok.kind != quoted {
		p.fail(p.here(), "expected %s in quotes, found %s", what, p.found())
	}
	return p.advance(false).text
}

// nested guards a recursion.
func (p *parser) nested() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.here(), "nested more than %d deep", maxNesting)
	}
	return func() { p.depth-- }
}

func (p *parser) expr() node {
	defer p.nested()()
	x := p.object()
	for length := 0; (p.tok.kind == symbol || p.tok.kind == word) && isOperator(p.tok.text); length++ {
		if length > maxNesting {
			p.fail(p.here(), "more than %d operators in a row", maxNesting)
		}
		op := p.advance(true)
		x = binaryNode{place(op.pos), op.text, x, p.object()}
	}
	return x
}

func (p *parser) object() node {
	defer p.nested()()
	x := p.simple()
	for length := 0; ; length++ {
		pos := p.tok.pos
		if length > maxNesting {
			p.fail(pos, "more than %d operators in a row", maxNesting)
		}
		switch {
		case p.accept("^", false):
			n := powerNode{place: place(pos), base: x}
			if n.plus = p.at("+"); n.plus {
				p.advance(false)
			} else {
				n.exp = p.integer(p.accept("-", false))
			}
			x = n
		case p.accept("[", false):
			x = indexNode{place(pos), x, p.integer(false)}
			p.expect("]", false)
		case p.at("("):
			p.advance(true)
			x = applyNode{place(pos), x, p.expr()}
			p.expect(")", false)
		default:
			return x
		}
	}
}

// integer parses a small number.
func (p *parser) integer(negative bool) int {
	n := 0
	if p.tok.kind != number || len(p.tok.text) > 4 {
		p.fail(p.here(), "expected a number below 10000, found %s", p.found())
	}
	for _, d := range p.advance(false).text {
		n = 10*n + int(d-'0')
	}
	if negative {
		n = -n
	}
	return n
}

func (p *parser) simple() node {
	t := p.tok
	pos := place(t.pos)
	switch t.kind {
	case literal:
		p.advance(false)
		return literalNode{pos, t.text}
	case unfinished:
		if !strings.Contains(t.text, "{") {
			p.fail(t.pos, "[ starts parameters, as in [n] -> { .. }, but no { follows")
		}
		p.fail(t.pos+strings.IndexByte(t.text, '{'), "{ without }")
	case number:
		return p.number(false)
	case quoted:
		p.advance(false)
		return valueNode{pos, Text(t.text)}
	case word:
		return p.word()
	}
	switch {
	case p.accept("(", true):
		return p.parentheses(pos)
	case p.accept("-", true):
		if p.tok.kind != number {
			p.fail(p.here(), "expected a number, found %s", p.found())
		}
		return p.number(true)
	}
	p.fail(p.here(), "expected an expression, found %s", p.found())
	return nil
}

func (p *parser) number(negative bool) node {
	t := p.advance(false)
	x, _ := new(big.Int).SetString(t.text, 10)
	if negative {
		x.Neg(x)
	}
	return valueNode{place(t.pos), Number{x}}
}

// parentheses parses what follows an opening one: an expression, or a list.
func (p *parser) parentheses(pos place) node {
	if p.accept(")", false) {
		return listNode{place: pos}
	}
	first := p.expr()
	if p.accept(")", false) {
		return first
	}
	list := listNode{pos, []node{first}}
	for p.accept(",", true) {
		list.items = append(list.items, p.expr())
	}
	p.expect(")", false)
	return list
}

// word parses what starts with a name or keyword.
func (p *parser) word() node {
	t := p.tok
	pos := place(t.pos)
	switch {
	case t.text == "True" || t.text == "true" || t.text == "False" || t.text == "false":
		p.advance(false)
		return valueNode{pos, Bool(t.text[0] == 'T' || t.text[0] == 't')}
	case t.text == "any" || t.text == "last":
		return p.flow()
	case t.text == "codegen":
		return p.codegen()
	case t.text == "read":
		p.advance(true)
		return readNode{pos, p.string("the name of a file")}
	case t.text == "typeof" || t.text == "assert":
		p.advance(true)
		return unaryNode{pos, t.text, p.expr()}
	case isPrefix(t.text):
		p.advance(true)
		return unaryNode{pos, t.text, p.object()}
	case isReserved(t.text):
		p.fail(t.pos, "expected an expression, found %s", t.text)
	}
	if ahead := p.scan; slices.Contains(absent, t.text) && startsOperand(ahead.next(true)) {
		p.fail(t.pos, noOperation, t.text)
	}
	p.advance(false)
	return nameNode{pos, t.text}
}

// noOperation is the message about a word that is an operation of iscc, but not here.
const noOperation = "%s is an operation of iscc that this calculator does not have"

// startsOperand reports whether t can only be the start of an operand.
func startsOperand(t token) bool {
	return t.kind == literal || t.kind == quoted || t.kind == number || t.kind == word && !isOperator(t.text)
}

// codegen parses codegen A and codegen A using B.
func (p *parser) codegen() node {
	n := codegenNode{place: place(p.advance(true).pos), schedule: p.expr()}
	if p.accept("using", true) {
		n.options = p.expr()
	}
	return n
}

// flow parses any A before B under C and last A before B under C.
func (p *parser) flow() node {
	t := p.advance(true)
	n := flowNode{place: place(t.pos), last: t.text == "last"}
	n.writes = p.object()
	if p.at("last") {
		p.fail(p.here(), "any .. last .. before .. under is an operation of iscc that this calculator does not have")
	}
	p.expect("before", true)
	n.reads = p.object()
	p.expect("under", true)
	n.order = p.object()
	return n
}
