package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// This file prints expressions as C.

// exprText returns e as C, for what stands in no source: the expansion of a macro.
func exprText(e expr) string {
	inner := func(e expr) string {
		switch e.(type) {
		case ident, number, index, memberExpr, call:
			return exprText(e)
		}
		return "(" + exprText(e) + ")"
	}
	switch e := e.(type) {
	case ident:
		return e.name
	case number:
		return e.spelling()
	case index:
		return inner(e.base) + "[" + exprText(e.sub) + "]"
	case memberExpr:
		if e.arrow {
			return inner(e.x) + "->" + e.field.Name()
		}
		return inner(e.x) + "." + e.field.Name()
	case call:
		var args []string
		for _, a := range e.args {
			args = append(args, exprText(a))
		}
		return inner(e.fun) + "(" + list(args) + ")"
	case unary:
		return e.op + inner(e.x)
	case binary:
		return inner(e.x) + " " + e.op + " " + inner(e.y)
	case assign:
		if e.y == nil {
			return inner(e.x) + e.op
		}
		return inner(e.x) + " " + e.op + " " + inner(e.y)
	case cond:
		return inner(e.c) + " ? " + inner(e.x) + " : " + inner(e.y)
	case cast:
		return "(" + typeName(e.typ) + ")" + inner(e.x)
	case comma:
		var xs []string
		for _, x := range e.xs {
			xs = append(xs, exprText(x))
		}
		return list(xs)
	case literalExpr:
		return "compound literal"
	case otherExpr:
		return e.what
	}
	panic(fmt.Sprintf("frontend: exprText: unknown expression %T", e))
}

// spelling returns n as it was written, or its value.
func (n number) spelling() string {
	if n.of != "" {
		return n.of
	}
	if n.text != "" {
		return n.text
	}
	switch v := n.val.(type) {
	case cc.Int64Value, cc.UInt64Value:
		return fmt.Sprint(v)
	}
	return "?"
}

// oneLine returns s with each run of blanks and line ends as one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func list(xs []string) string { return strings.Join(xs, ", ") }
