package schedules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// This file runs loops in C, as isl and package astgen/scan print them: for, if, else, blocks, int v = e; and calls. Numbers are
// those of C, but for their size: / and % round to 0.

// A Text is loops in C, ready to run.
type Text struct{ body []stmt }

// A stmt is one of the pointers below.
type stmt interface{}

type (
	forStmt struct {
		name         string
		init         expr
		while, after expr // after is what is added
		body         []stmt
	}
	ifStmt struct {
		cond        expr
		then, else_ []stmt
	}
	letStmt struct {
		name string
		is   expr
	}
	callStmt struct {
		name string
		args []expr
	}
	blockStmt struct{ body []stmt }
)

// An expr is its value for values of the variables.
type expr func(env map[string]int64) int64

var textTokens = regexp.MustCompile(`//[^\n]*|\s+|[A-Za-z_]\w*|\d+|&&|\|\||[<>=!+]=|.`)

type textReader struct {
	tokens []string
}

// Read reads loops in C.
func Read(text string) (t Text, err error) {
	r := &textReader{}
	for _, s := range textTokens.FindAllString(text, -1) {
		if s[0] != ' ' && s[0] != '\n' && s[0] != '\t' && !(len(s) > 1 && s[:2] == "//") {
			r.tokens = append(r.tokens, s)
		}
	}
	defer func() {
		if e, ok := recover().(error); ok && e != nil {
			err = e
		}
	}()
	for len(r.tokens) > 0 {
		t.body = append(t.body, r.stmts()...)
	}
	return t, nil
}

func (r *textReader) at(s string) bool { return len(r.tokens) > 0 && r.tokens[0] == s }

func (r *textReader) next() string {
	if len(r.tokens) == 0 {
		panic(fmt.Errorf("loops end too early"))
	}
	s := r.tokens[0]
	r.tokens = r.tokens[1:]
	return s
}

func (r *textReader) accept(s string) bool {
	if r.at(s) {
		r.next()
		return true
	}
	return false
}

func (r *textReader) expect(list ...string) {
	for _, s := range list {
		if t := r.next(); t != s {
			panic(fmt.Errorf("expected %s, found %s before %v", s, t, r.tokens[:min(5, len(r.tokens))]))
		}
	}
}

// stmts reads a statement, which is none where it is empty.
func (r *textReader) stmts() []stmt {
	switch {
	case r.accept(";"):
		return nil
	case r.accept("{"):
		b := &blockStmt{}
		for !r.accept("}") {
			b.body = append(b.body, r.stmts()...)
		}
		return []stmt{b}
	case r.accept("for"):
		f := &forStmt{}
		r.expect("(", "int")
		f.name = r.next()
		r.expect("=")
		f.init = r.expr()
		r.expect(";")
		f.while = func(map[string]int64) int64 { return 1 }
		if !r.at(";") {
			f.while = r.expr()
		}
		r.expect(";", f.name, "+=")
		f.after = r.expr()
		r.expect(")")
		f.body = r.stmts()
		return []stmt{f}
	case r.accept("if"):
		i := &ifStmt{}
		r.expect("(")
		i.cond = r.expr()
		r.expect(")")
		i.then = r.stmts()
		if r.accept("else") {
			i.else_ = r.stmts()
		}
		return []stmt{i}
	case r.accept("int"):
		l := &letStmt{name: r.next()}
		r.expect("=")
		l.is = r.expr()
		r.expect(";")
		return []stmt{l}
	}
	c := &callStmt{}
	if !r.at("(") {
		c.name = r.next()
	}
	c.args = r.args()
	r.expect(";")
	return []stmt{c}
}

func (r *textReader) args() (list []expr) {
	r.expect("(")
	for !r.accept(")") {
		list = append(list, r.expr())
		if !r.at(")") {
			r.expect(",")
		}
	}
	return list
}

// levels are the operators of C, those first that bind least.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

func (r *textReader) expr() expr {
	c := r.binary(0)
	if !r.accept("?") {
		return c
	}
	x := r.expr()
	r.expect(":")
	y := r.expr()
	return func(env map[string]int64) int64 {
		if c(env) != 0 {
			return x(env)
		}
		return y(env)
	}
}

func (r *textReader) binary(level int) expr {
	if level == len(levels) {
		return r.unary()
	}
	x := r.binary(level + 1)
	for len(r.tokens) > 0 && slices.Contains(levels[level], r.tokens[0]) {
		op, a := r.next(), x
		b := r.binary(level + 1)
		x = func(env map[string]int64) int64 { return apply(op, a, b, env) }
	}
	return x
}

func apply(op string, a, b expr, env map[string]int64) int64 {
	truth := func(t bool) int64 {
		if t {
			return 1
		}
		return 0
	}
	x := a(env)
	switch {
	case op == "&&" && x == 0:
		return 0
	case op == "||" && x != 0:
		return 1
	}
	y := b(env)
	switch op {
	case "&&", "||":
		return truth(y != 0)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case "<=":
		return truth(x <= y)
	case ">":
		return truth(x > y)
	case ">=":
		return truth(x >= y)
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	return x % y
}

func (r *textReader) unary() expr {
	switch {
	case r.accept("-"):
		x := r.unary()
		return func(env map[string]int64) int64 { return -x(env) }
	case r.accept("("):
		x := r.expr()
		r.expect(")")
		return x
	}
	t := r.next()
	if n, err := strconv.ParseInt(t, 10, 64); err == nil {
		return func(map[string]int64) int64 { return n }
	}
	if !r.at("(") {
		return func(env map[string]int64) int64 {
			v, ok := env[t]
			if !ok {
				panic(fmt.Errorf("no value for %s", t))
			}
			return v
		}
	}
	f, ok := map[string]func(x, y int64) int64{
		"min": func(x, y int64) int64 { return min(x, y) },
		"max": func(x, y int64) int64 { return max(x, y) },
		"floord": func(x, y int64) int64 {
			if x%y < 0 {
				return x/y - 1
			}
			return x / y
		},
		"mod": func(x, y int64) int64 { return (x%y + y) % y },
	}[t]
	args := r.args()
	if !ok || len(args) != 2 {
		panic(fmt.Errorf("%s of %d operands", t, len(args)))
	}
	return func(env map[string]int64) int64 { return f(args[0](env), args[1](env)) }
}

// maxIterations bounds the iterations of all loops of a run.
const maxIterations = 50_000_000

// Run calls call for each call in the order in which the loops run them, for values of the parameters. It panics with an error where a
// variable has no value, or where there are too many iterations: those of loops that are mostly empty, or have no end.
func (t Text) Run(env map[string]int64, call func(stmt string, args []int64)) {
	left := maxIterations
	runAll(t.body, env, &left, call)
}

func runAll(list []stmt, env map[string]int64, left *int, call func(stmt string, args []int64)) {
	for _, s := range list {
		switch s := s.(type) {
		case *blockStmt:
			runAll(s.body, env, left, call)
		case *letStmt:
			env[s.name] = s.is(env)
		case *ifStmt:
			if s.cond(env) != 0 {
				runAll(s.then, env, left, call)
			} else {
				runAll(s.else_, env, left, call)
			}
		case *forStmt:
			outer, had := env[s.name]
			for env[s.name] = s.init(env); s.while(env) != 0; env[s.name] += s.after(env) {
				if *left--; *left < 0 {
					panic(fmt.Errorf("more than %d iterations", maxIterations))
				}
				runAll(s.body, env, left, call)
			}
			if delete(env, s.name); had {
				env[s.name] = outer
			}
		case *callStmt:
			args := make([]int64, len(s.args))
			for i, a := range s.args {
				args[i] = a(env)
			}
			call(s.name, args)
		}
	}
}
