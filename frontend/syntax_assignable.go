package frontend

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file says where a program assigns to what is no variable or element: the C front end says only that it was surprised.

// surprised begins what the C front end says of programs that it did not expect.
const surprised = "internal error"

// gaveUp begins what is said of such a program where we do not know better.
const gaveUp = "the C parser gives up on this file: "

// explained returns errs with the assignments that cannot be in the place of the surprise of the front end
// by them; parse parses without a check.
func explained(f *file, errs diag.List, parse func(*cc.AST) diag.List) diag.List {
	k := slices.IndexFunc(errs, func(d *diag.Diagnostic) bool { return strings.HasPrefix(d.Msg, gaveUp) })
	if k < 0 {
		return errs
	}
	var ast cc.AST
	if len(parse(&ast)) > 0 || ast.TranslationUnit == nil {
		return errs
	}
	constants := map[string]bool{}
	eachNode(reflect.ValueOf(ast.TranslationUnit), func(n any) {
		if e, ok := n.(*cc.Enumerator); ok {
			constants[e.Token.SrcStr()] = true
		}
	})
	var found diag.List
	eachNode(reflect.ValueOf(ast.TranslationUnit), func(n any) {
		var to cc.ExpressionNode
		switch n := n.(type) {
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				to = n.UnaryExpression
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
				to = n.PostfixExpression
			}
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
				to = n.UnaryExpression
			}
		}
		if to != nil && !isAssignable(to, constants) {
			w := convertExpr(to).at()
			found = append(found, &diag.Diagnostic{Code: "HX005", At: f.span(w), Msg: fmt.Sprintf("'%s' cannot be assigned to", oneLine(f.slice(w))),
				Help: "assign to a variable or an element; to choose one, use if and else"})
		}
	})
	if len(found) == 0 {
		return errs
	}
	return append(found, slices.DeleteFunc(errs, func(d *diag.Diagnostic) bool { return strings.HasPrefix(d.Msg, gaveUp) })...)
}

// isAssignable reports whether n may designate an object; constants are the names of enumerators.
func isAssignable(n cc.ExpressionNode, constants map[string]bool) bool {
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		return n.Case == cc.PrimaryExpressionIdent && !constants[n.Token.SrcStr()] || n.Case == cc.PrimaryExpressionExpr && isAssignable(n.ExpressionList, constants)
	case *cc.PostfixExpression:
		return n.Case != cc.PostfixExpressionInc && n.Case != cc.PostfixExpressionDec && n.Case != cc.PostfixExpressionCall
	case *cc.UnaryExpression:
		return slices.Contains([]cc.UnaryExpressionCase{cc.UnaryExpressionDeref, cc.UnaryExpressionReal, cc.UnaryExpressionImag}, n.Case)
	}
	return false
}
