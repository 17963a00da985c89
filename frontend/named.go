package frontend

import (
	"math"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file keeps the names of constants: of enumerators, and of macros without
// parameters that stand for a number, such as
//
//	#define C0 0.25
//	#define C1 (0.5 * C0)
//
// The number is computed as C does, and keeps the name beside its value. Names
// are for people: no meaning depends on them.

// named returns the value of e if that is a number with a name.
func (sr *statementReader) named(e expr) (scop.Const, bool) {
	name := sr.constantName(e)
	if name == "" {
		return scop.Const{}, false
	}
	start := sr.mark()
	x, ok := sr.unnamed(e)
	sr.back(start) // what is wrong is noted when the parts are read
	if !ok {
		return scop.Const{}, false
	}
	c, ok := folded(x)
	c.Name = scop.Plain(name)
	return c, ok
}

// constantName returns the name that e is written as, if it consists of numbers.
func (src *source) constantName(e expr) string {
	w := e.at()
	from := src.f.offset(w.first)
	if from < 0 || w.first != w.last {
		return ""
	}
	switch e.(type) {
	case number, unary, binary, cast:
	default:
		return ""
	}
	text := src.f.word(from, src.f.plainTokenEnd(from))
	if x, ok := e.(number); ok && (src.f.constants[text] || x.name == text) {
		return text
	}
	numbers := src.f.constants[text]
	eachExpr(e, func(e expr) {
		switch e.(type) {
		case number, unary, binary, cast:
		default:
			numbers = false
		}
	})
	if numbers {
		return text
	}
	return ""
}

// constantMacros returns the macros without parameters that are one token or stand in
// parentheses, so that they are one operand wherever they stand. Those of the command
// line are left out: who compiles the output with them would change the names.
func constantMacros(ast *cc.AST) map[string]bool {
	found := map[string]bool{}
	for name, m := range ast.Macros {
		if file := m.Position().Filename; m.IsFnLike || strings.HasPrefix(file, "<") && !strings.HasPrefix(file, builtinDir) {
			continue
		}
		var tokens []string
		for _, t := range m.ReplacementList() {
			if s := strings.TrimSpace(t.SrcStr()); s != "" {
				tokens = append(tokens, s)
			}
		}
		found[name] = len(tokens) == 1 || enclosed(tokens)
	}
	return found
}

// enclosed reports whether the first of tokens is a parenthesis that the last one closes.
func enclosed(tokens []string) bool {
	depth := 0
	for i, t := range tokens {
		switch t {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			return i > 0 && i == len(tokens)-1
		}
	}
	return false
}

// folded returns the value of e, which holds no variables, as C computes it; ok is
// false where C gives it none, where it is not finite, and for operators that are left alone.
func folded(e scop.Expr) (c scop.Const, ok bool) {
	switch e := e.(type) {
	case scop.Const:
		return e, true
	case scop.Cast:
		x, ok := folded(e.X)
		if !ok || e.T == scop.Bool || x.T == scop.Bool {
			return c, false
		}
		return converted(x, e.T)
	case scop.Unary:
		x, ok := folded(e.X)
		if !ok || e.Op != "-" && e.Op != "+" {
			return c, false
		}
		if e.Op == "+" {
			return valued(x.T, x.F, x.I)
		}
		return computed("-", scop.Const{T: x.T, F: math.Copysign(0, -1)}, x)
	case scop.Binary:
		x, ok1 := folded(e.X)
		y, ok2 := folded(e.Y)
		if !ok1 || !ok2 || x.T != y.T {
			return c, false
		}
		return computed(e.Op, x, y)
	}
	return c, false
}

// computed returns x op y for operands of one type.
func computed(op string, x, y scop.Const) (scop.Const, bool) {
	small := func(v int64) bool { return -1<<31 <= v && v < 1<<31 } // so that no result overflows
	if !x.T.IsFloat() && (!small(x.I) || !small(y.I)) {
		return scop.Const{}, false
	}
	switch op {
	case "+":
		return valued(x.T, x.F+y.F, x.I+y.I)
	case "-":
		return valued(x.T, x.F-y.F, x.I-y.I)
	case "*":
		return valued(x.T, x.F*y.F, x.I*y.I)
	case "/":
		if x.T.IsFloat() {
			return valued(x.T, x.F/y.F, 0)
		}
		if y.I != 0 && x.T != scop.Uint && x.T != scop.Ulong {
			return valued(x.T, 0, x.I/y.I)
		}
	}
	return scop.Const{}, false
}

// converted returns x in type t.
func converted(x scop.Const, t scop.Type) (scop.Const, bool) {
	switch {
	case x.T == scop.Ulong && x.I < 0: // above the numbers that are counted here
	case t.IsFloat() && x.T.IsFloat():
		return valued(t, x.F, 0)
	case t.IsFloat() && math.Abs(float64(x.I)) < 1<<53:
		return valued(t, float64(x.I), 0)
	case !t.IsFloat() && !x.T.IsFloat():
		return valued(t, 0, x.I)
	}
	return scop.Const{}, false
}

// valued returns a constant of type t, if its value is one: a float is rounded once from
// the sum, difference, product or quotient of floats in double, which is the rounded result.
func valued(t scop.Type, f float64, i int64) (scop.Const, bool) {
	if t == scop.Float {
		f = float64(float32(f))
	}
	switch t {
	case scop.Float, scop.Double:
		return scop.Const{T: t, F: f}, !math.IsInf(f, 0) && !math.IsNaN(f)
	case scop.Int:
		return scop.Const{T: t, I: i}, i == int64(int32(i))
	case scop.Uint:
		return scop.Const{T: t, I: i}, i == int64(uint32(i))
	case scop.Ulong:
		return scop.Const{T: t, I: i}, i >= 0
	}
	return scop.Const{T: t, I: i}, true
}
