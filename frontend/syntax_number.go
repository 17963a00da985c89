package frontend

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads numbers: literals, in the type that C gives them, and macros that stand for one.

// intValue returns the value of an integer constant.
func intValue(v cc.Value) (int64, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return int64(v), abs(int64(v)) < maxCoefficient
	case cc.UInt64Value:
		return int64(v), v < maxCoefficient
	}
	return 0, false
}

// maxCoefficient bounds what a program may hold, so that sums never overflow.
const maxCoefficient = 1 << 40

func abs(x int64) int64 { return max(x, -x) }

// literal returns the value of an integer constant expression without variables.
func literal(e expr) (int64, bool) {
	switch e := e.(type) {
	case number:
		return intValue(e.val)
	case unary:
		v, ok := literal(e.x)
		return -v, ok && e.op == "-"
	}
	return 0, false
}

// numberAt returns v as an expression.
func numberAt(w where, v int64) number {
	return number{w, strconv.FormatInt(v, 10), "", nil, cc.Int64Value(v), "", nil}
}

// foldedNumbers returns e with sums and products of numbers of type int as numbers, where these are.
func foldedNumbers(e expr) expr {
	return mapExpr(e, func(e expr) expr {
		b, ok := e.(binary)
		if !ok {
			return e
		}
		x, isX := b.x.(number)
		y, isY := b.y.(number)
		if !isX || !isY || intType(x) != scop.Int || intType(y) != scop.Int {
			return e
		}
		v, okX := intValue(x.val)
		w, okY := intValue(y.val)
		if !okX || !okY || max(abs(v), abs(w)) > math.MaxInt32 {
			return e
		}
		switch b.op {
		case "+":
			v += w
		case "-":
			v -= w
		case "*":
			v *= w
		default:
			return e
		}
		if abs(v) > math.MaxInt32 {
			return e
		}
		return numberAt(b.where, v)
	})
}

// floatValue returns the literal text rounded once to t; v is its value in double.
func floatValue(text string, t scop.Type, v float64) float64 {
	if t != scop.Float {
		return v
	}
	text = strings.ToLower(text)
	if short, ok := strings.CutSuffix(text, "f16"); ok && strings.ContainsAny(short, ".ep") {
		text = short
	}
	digits := strings.TrimRight(text, "f")
	if strings.HasPrefix(text, "0x") {
		digits, _, _ = strings.Cut(text, "p")
		digits += strings.TrimRight(text[len(digits):], "f")
	}
	if f, err := strconv.ParseFloat(digits, 32); err == nil {
		return f
	}
	return float64(float32(v))
}

// isTruth reports whether e is 0 or 1.
func isTruth(e expr) bool {
	switch e := withoutCasts(e).(type) {
	case binary:
		return slices.Contains([]string{"<", "<=", ">", ">=", "==", "!=", "&&", "||"}, e.op)
	case unary:
		return e.op == "!"
	}
	return false
}

// constantMacros returns the macros without parameters that are one token or stand in
// parentheses, so that they are one operand wherever they stand. Those of the command
// line, and those that the file with that name and text defines only if they are not, are left out: who compiles the output with them would change the names.
func constantMacros(ast *cc.AST, file string, text []byte) map[string]bool {
	found, open := map[string]bool{}, guardedMacros(ast, file, text)
	for name, m := range ast.Macros {
		if from := m.Position().Filename; m.IsFnLike || open[name] || strings.HasPrefix(from, "<") && !strings.HasPrefix(from, builtinDir) {
			continue
		}
		tokens := tokensOf(m)
		found[name] = len(tokens) == 1 || enclosed(tokens)
	}
	return found
}

var guards = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:ifndef[ \t]+|(?:el)?if\b[^\n]*!\s*defined[ \t]*\(?[ \t]*)(\w+)`)

// guardedMacros returns the macros of ast that the file with that name and text defines, and only if they are not.
func guardedMacros(ast *cc.AST, file string, text []byte) map[string]bool {
	open := map[string]bool{}
	for _, found := range guards.FindAllSubmatch(text, -1) {
		name := string(found[1])
		if m := ast.Macros[name]; m != nil && m.Position().Filename == file {
			open[name] = true
		}
	}
	return open
}

// tokensOf returns what m stands for.
func tokensOf(m *cc.Macro) (tokens []string) {
	for _, t := range m.ReplacementList() {
		if s := strings.TrimSpace(t.SrcStr()); s != "" {
			tokens = append(tokens, s)
		}
	}
	return tokens
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

// eachInitial calls visit for each value in n, until it returns false; it reports whether it never did.
func eachInitial(n *cc.Initializer, visit func(*cc.Initializer) bool) bool {
	if n.Case == cc.InitializerExpr {
		return visit(n)
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		if !eachInitial(l.Initializer, visit) {
			return false
		}
	}
	return true
}

func plural(n int64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
