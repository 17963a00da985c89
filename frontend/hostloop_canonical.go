package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file writes heads of loops in the form that OpenMP asks for: a variable that is compared, alone, with what the loop does not change:
//
//	for (i = 1; i + 1 < n; i++)    =>   if (1 + 1 < n) for (i = 1; i < n - 1; i++)
//	for (i = n; i-- > 1; )         =>   if (n > 1) for (i = n - 1; i > 0; i--)
//
// What is compared with then is a value that the variable has behind the loop, where the first iteration runs: so it is computed without overflow where
// the loop ends without one. Of unsigned variables that wrap around until then it is less than the first value, so that no iteration runs.

// head returns the head of loop f with a variable of its own.
func (h *hostLoops) head(f forStmt) string {
	d := iteratorOf(f)
	spelled := func(e expr) string {
		if e == nil {
			return ""
		}
		return " " + h.spelled(e)
	}
	step := spelled(f.step)
	if by, constant := stepOf(f.step, d); constant && by != 0 {
		step = " " + countingBy(d, by)
	}
	return fmt.Sprintf("for (%s %s = %s;%s;%s)", h.f.typeText(d.Type()), d.Name(), h.spelled(initOf(f)), spelled(f.cond), step)
}

// countingBy returns what adds by to d, in a form that OpenMP takes for its direction.
func countingBy(d *cc.Declarator, by int64) string {
	switch {
	case by == 1:
		return d.Name() + "++"
	case by == -1:
		return d.Name() + "--"
	case by < 0:
		return fmt.Sprintf("%s -= %d", d.Name(), -by)
	}
	return fmt.Sprintf("%s += %d", d.Name(), by)
}

// canonicalHead returns what stands before the loop f and its pragma, "" for nothing, and the head of f, with a variable of its own, in the form that OpenMP asks for; ok is
// false if none is known that has the same iterations.
func (h *hostLoops) canonicalHead(f forStmt) (guard, head string, ok bool) {
	d, first := iteratorOf(f), initOf(f)
	if d == nil || first == nil {
		return "", "", false
	}
	t, number := storedType(d.Type())
	begins := f.cond // where the first iteration runs, but for the value of d
	one, inCondition := countedInHead(f)
	if inCondition {
		begins = one.cond
		if first = initOf(one); !startsWithSign(f.cond, d) {
			var at expr = ident{first.at(), d.Name(), d}
			one.cond = replacedIdent(one.cond, d, binary{first.at(), "+", at, truthNumber(first.at(), true)})
			first = lessOne(first)
		}
	}
	by, constant := stepOf(one.step, d)
	c, compares := one.cond.(binary)
	if !number || t.IsFloat() || !constant || by == 0 || !compares || hasEffect(one.cond) || hasEffect(first) || mentions(first, d) {
		return "", "", false
	}
	left, op, right := c.x, c.op, c.y
	if mentions(right, d) {
		left, op, right = right, mirrored[op], left
	}
	if mentions(right, d) || !mentions(left, d) {
		return "", "", false
	}
	bound := ""
	if !isIdent(left, d) || inCondition {
		if bound, op, ok = isolated(d, t, left, op, right); !ok || t.IsUnsigned() && max(by, -by) != 1 {
			return "", "", false
		}
	}
	if ends := op == "!=" && max(by, -by) == 1 || by > 0 && strings.HasPrefix(op, "<") || by < 0 && strings.HasPrefix(op, ">"); !ends {
		return "", "", false
	}
	if bound == "" {
		return "", h.head(f), true
	}
	start := initOf(f)
	if inCondition {
		start = initOf(one)
	}
	if intType(start) != t {
		start = cast{start.at(), d.Type(), start, nil}
	}
	guard = fmt.Sprintf("if (%s)\n", exprText(replacedIdent(begins, d, start)))
	return guard, fmt.Sprintf("for (%s %s = %s; %s %s %s; %s)", h.f.typeText(d.Type()), d.Name(), exprText(first), d.Name(), op, bound, countingBy(d, by)), true
}

// mirrored are comparisons of the operands in the other order.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}

// startsWithSign reports whether the condition takes 1 off d before it compares it.
func startsWithSign(cond expr, d *cc.Declarator) (before bool) {
	eachExpr(cond, func(e expr) {
		if a, ok := e.(assign); ok && isIdent(a.x, d) {
			before = a.x.at().first != a.first
		}
	})
	return before
}

// isolated returns the comparison of left, a sum with d, which is of type t, and right as one of d alone: d op bound.
func isolated(d *cc.Declarator, t scop.Type, left expr, op string, right expr) (bound, compared string, ok bool) {
	suits := func(e expr) bool { // turned into t without a change
		if v, constant := literal(e); constant {
			return v >= 0 || !t.IsUnsigned()
		}
		u := intType(e)
		return u == t || !t.IsUnsigned() && !u.IsUnsigned() && !u.IsFloat() && u.Size() <= t.Size()
	}
	if t.IsNarrow() || !suits(right) {
		return "", "", false
	}
	var plus, minus []expr // of bound
	plus = append(plus, right)
	for !isIdent(left, d) {
		switch e := left.(type) {
		case unary:
			if e.op != "-" || t.IsUnsigned() {
				return "", "", false
			}
			left, op, plus, minus = e.x, mirrored[op], minus, plus
		case binary:
			rest, first := e.y, true
			if left = e.x; mentions(rest, d) {
				left, rest, first = rest, left, false
			}
			if mentions(rest, d) || !suits(rest) {
				return "", "", false
			}
			switch {
			case e.op == "+":
				minus = append(minus, rest)
			case e.op == "-" && first:
				plus = append(plus, rest)
			case e.op == "-" && !t.IsUnsigned():
				op, plus, minus = mirrored[op], append(minus, rest), plus
			default:
				return "", "", false
			}
		default:
			return "", "", false
		}
	}
	if t.IsUnsigned() {
		text := boundText("", plus, minus)
		return text, op, !strings.HasPrefix(text, "-")
	}
	few := len(plus)+len(minus) <= 2 && len(plus) > 0 || len(plus)+len(minus) == 1 // else values on the way may need more bits than the bound
	switch {
	case t.Size() < 8 && few:
		return boundText("", plus, minus), op, true
	case t.Size() < 8:
		return fmt.Sprintf("(%v)(%s)", t, boundText("(long)", plus, minus)), op, true
	}
	return boundText("(long)", plus, minus), op, few
}

// boundText returns the sum of what is added and of what is taken off, each as a value of the type of a cast, and last of their numbers.
func boundText(cast string, plus, minus []expr) string {
	var b strings.Builder
	constant := int64(0)
	put := func(op, sign string, e expr, by int64) {
		if v, ok := literal(e); ok {
			constant += by * v
			return
		}
		text := exprText(e)
		switch e.(type) {
		case ident, memberExpr:
		default:
			text = "(" + text + ")"
		}
		if b.Len() > 0 {
			sign = op
		}
		b.WriteString(sign + cast + text)
	}
	for _, e := range plus {
		put(" + ", "", e, 1)
	}
	for _, e := range minus {
		put(" - ", "-", e, -1)
	}
	switch {
	case b.Len() == 0:
		return fmt.Sprint(constant)
	case constant > 0:
		fmt.Fprintf(&b, " + %d", constant)
	case constant < 0:
		fmt.Fprintf(&b, " - %d", -constant)
	}
	return b.String()
}
