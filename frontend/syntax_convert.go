package frontend

import (
	"slices"

	"modernc.org/cc/v4"
	"modernc.org/token"
)

// This file folds the productions of the C front end into the grammar of
// syntax.go. Whatever has no place there becomes otherExpr or otherStmt.

func at(first cc.Node, last cc.Token) where { return where{first.Position(), last.Position()} }

func tokenAt(t cc.Token) where { return where{t.Position(), t.Position()} }

// convertExpr returns n in our grammar.
func convertExpr(n cc.ExpressionNode) expr {
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		return convertPrimary(n)
	case *cc.PostfixExpression:
		return convertPostfix(n)
	case *cc.UnaryExpression:
		return convertUnary(n)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			x := convertExpr(n.CastExpression)
			return cast{where{n.Token.Position(), x.at().last}, n.TypeName.Type(), x, n.TypeName}
		}
	case *cc.MultiplicativeExpression:
		return convertBinary(n.MultiplicativeExpression, n.Token, n.CastExpression)
	case *cc.AdditiveExpression:
		return convertBinary(n.AdditiveExpression, n.Token, n.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return convertBinary(n.ShiftExpression, n.Token, n.AdditiveExpression)
	case *cc.RelationalExpression:
		return convertBinary(n.RelationalExpression, n.Token, n.ShiftExpression)
	case *cc.EqualityExpression:
		return convertBinary(n.EqualityExpression, n.Token, n.RelationalExpression)
	case *cc.AndExpression:
		return convertBinary(n.AndExpression, n.Token, n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return convertBinary(n.ExclusiveOrExpression, n.Token, n.AndExpression)
	case *cc.InclusiveOrExpression:
		return convertBinary(n.InclusiveOrExpression, n.Token, n.ExclusiveOrExpression)
	case *cc.LogicalAndExpression:
		return convertBinary(n.LogicalAndExpression, n.Token, n.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return convertBinary(n.LogicalOrExpression, n.Token, n.LogicalAndExpression)
	case *cc.ConditionalExpression:
		return convertConditional(n)
	case *cc.AssignmentExpression:
		x, y := convertExpr(n.UnaryExpression), convertExpr(n.AssignmentExpression)
		return assign{x.at().to(y.at()), n.Token.SrcStr(), x, y}
	case *cc.ExpressionList:
		return convertList(n)
	case *cc.ConstantExpression:
		return convertExpr(n.ConditionalExpression)
	}
	return otherExpr{where{n.Position(), n.Position()}, "expression", nil}
}

func convertBinary(x cc.ExpressionNode, op cc.Token, y cc.ExpressionNode) expr {
	a, b := convertExpr(x), convertExpr(y)
	return binary{a.at().to(b.at()), op.SrcStr(), a, b}
}

func convertConditional(n *cc.ConditionalExpression) expr {
	c, y := convertExpr(n.LogicalOrExpression), convertExpr(n.ConditionalExpression)
	if n.ExpressionList == nil {
		return otherExpr{c.at().to(y.at()), "'?:' without a middle operand", []expr{c, y}}
	}
	return cond{c.at().to(y.at()), c, convertExpr(n.ExpressionList), y}
}

func convertList(n *cc.ExpressionList) expr {
	var xs []expr
	for ; n != nil; n = n.ExpressionList {
		xs = append(xs, convertExpr(n.AssignmentExpression))
	}
	return comma{xs[0].at().to(xs[len(xs)-1].at()), xs}
}

func convertPrimary(n *cc.PrimaryExpression) expr {
	w := tokenAt(n.Token)
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		switch d := n.ResolvedTo().(type) {
		case *cc.Enumerator:
			return number{w, "", n.Token.SrcStr(), nil, d.Value(), "", nil}
		case *cc.Declarator:
			return ident{w, n.Token.SrcStr(), d}
		case *cc.Parameter:
			return ident{w, n.Token.SrcStr(), d.Declarator}
		}
		return ident{w, n.Token.SrcStr(), nil}
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionFloat:
		return number{w, n.Token.SrcStr(), "", n.Type(), n.Value(), "", nil}
	case cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return number{w, "", "", nil, n.Value(), "", nil}
	case cc.PrimaryExpressionExpr:
		return widened(convertExpr(n.ExpressionList), at(n.Token, n.Token2))
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return otherExpr{w, "string", nil}
	case cc.PrimaryExpressionStmt:
		return otherExpr{at(n.Token, n.Token2), "statement expression", exprsIn(convertBlock(n.CompoundStatement))}
	case cc.PrimaryExpressionGeneric:
		if a := n.GenericSelection.Associated(); a != nil {
			return widened(convertExpr(a.AssignmentExpression), at(n.GenericSelection, n.GenericSelection.Token4))
		}
	}
	return otherExpr{w, "expression", nil}
}

func convertPostfix(n *cc.PostfixExpression) expr {
	switch n.Case {
	case cc.PostfixExpressionIndex:
		base := convertExpr(n.PostfixExpression)
		return index{where{base.at().first, n.Token2.Position()}, base, convertExpr(n.ExpressionList)}
	case cc.PostfixExpressionCall:
		fun := convertExpr(n.PostfixExpression)
		var args []expr
		for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
			args = append(args, convertExpr(a.AssignmentExpression))
		}
		at := where{fun.at().first, n.Token2.Position()}
		if f, ok := fun.(ident); ok && slices.Contains([]string{"__builtin_isnan", "__builtin_isnanf"}, f.name) && len(args) == 1 && !hasEffect(args[0]) {
			return binary{at, "!=", args[0], args[0]}
		}
		return call{at, fun, args}
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		x := convertExpr(n.PostfixExpression)
		return assign{where{x.at().first, n.Token.Position()}, n.Token.SrcStr(), x, nil}
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		x := convertExpr(n.PostfixExpression)
		w := where{x.at().first, n.Token2.Position()}
		if n.Field() == nil {
			return otherExpr{w, "struct member", []expr{x}}
		}
		return memberExpr{w, x, n.Field(), n.Case == cc.PostfixExpressionPSelect}
	case cc.PostfixExpressionComplit:
		list := &cc.Initializer{Case: cc.InitializerInitList, InitializerList: n.InitializerList}
		return literalExpr{at(n.Token, n.Token2), n.TypeName.Type(), list, initializers(n.InitializerList)}
	}
	return otherExpr{where{n.Position(), n.Position()}, "expression", nil}
}

func convertUnary(n *cc.UnaryExpression) expr {
	first := n.Token.Position()
	switch n.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		x := convertExpr(n.UnaryExpression)
		return assign{where{first, x.at().last}, n.Token.SrcStr(), x, nil}
	case cc.UnaryExpressionAddrof, cc.UnaryExpressionDeref, cc.UnaryExpressionPlus,
		cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		x := convertExpr(n.CastExpression)
		if u, ok := x.(unary); ok && u.op == "*" && n.Case == cc.UnaryExpressionAddrof { // which C takes as if both were left out
			return widened(u.x, where{first, x.at().last})
		}
		return unary{where{first, x.at().last}, n.Token.SrcStr(), x}
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
		x, of := convertExpr(n.UnaryExpression), n.UnaryExpression.Type().Undecay()
		if v, ok := x.(ident); ok && v.decl != nil && v.decl.IsParam() {
			of = v.decl.Type() // of an array as a parameter the front end takes the array's size, C that of the pointer
		}
		return sizeOf(n, of, where{first, x.at().last})
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return sizeOf(n, n.TypeName.Type(), at(n.Token, n.Token3))
	}
	return otherExpr{where{first, first}, "'" + n.Token.SrcStr() + "'", nil}
}

// sizeOf returns n, the size or the alignment of t, at w.
func sizeOf(n *cc.UnaryExpression, t cc.Type, w where) expr {
	if n.Token.SrcStr() != "sizeof" {
		return number{w, "", "", n.Type(), n.Value(), "", nil}
	}
	for of := t; ; {
		a, ok := of.(*cc.ArrayType)
		switch {
		case !ok && t.Kind() == cc.Ptr:
			return number{w, "", "", n.Type(), cc.UInt64Value(t.Size()), "", nil}
		case !ok:
			return number{w, "", "", n.Type(), n.Value(), "", nil}
		case a.Len() < 0:
			return number{w, "", "", n.Type(), cc.Unknown, "", t}
		}
		of = a.Elem()
	}
}

// widened returns e with the stretch w of the parentheses around it.
func widened(e expr, w where) expr {
	switch e := e.(type) {
	case ident:
		e.where = w
		return e
	case number:
		e.where = w
		return e
	case index:
		e.where = w
		return e
	case memberExpr:
		e.where = w
		return e
	case call:
		e.where = w
		return e
	case unary:
		e.where = w
		return e
	case binary:
		e.where = w
		return e
	case assign:
		e.where = w
		return e
	case cond:
		e.where = w
		return e
	case cast:
		e.where = w
		return e
	case comma:
		e.where = w
		return e
	case literalExpr:
		e.where = w
		return e
	case otherExpr:
		e.where = w
		return e
	}
	return e
}

// convertStmt returns n in our grammar.
func convertStmt(n *cc.Statement) stmt {
	switch n.Case {
	case cc.StatementCompound:
		return convertBlock(n.CompoundStatement)
	case cc.StatementExpr:
		return convertExprStmt(n.ExpressionStatement)
	case cc.StatementIteration:
		return convertLoop(n.IterationStatement)
	case cc.StatementSelection:
		return convertSelection(n.SelectionStatement)
	case cc.StatementJump:
		j := n.JumpStatement
		last := j.Token2
		if j.Token3.SrcStr() != "" {
			last = j.Token3
		}
		other := otherStmt{where: at(j.Token, last), what: "'" + j.Token.SrcStr() + "'"}
		if j.ExpressionList != nil {
			other.exprs = []expr{convertExpr(j.ExpressionList)}
		}
		return other
	case cc.StatementLabeled:
		l := n.LabeledStatement
		inner := convertStmt(l.Statement)
		return otherStmt{where{l.Token.Position(), inner.at().last}, "a label", []stmt{inner}, nil}
	case cc.StatementAsm:
		return otherStmt{at(n.AsmStatement, n.AsmStatement.Token), "assembly", nil, nil}
	}
	return otherStmt{where{n.Position(), n.Position()}, "statement", nil, nil}
}

func convertExprStmt(n *cc.ExpressionStatement) stmt {
	if n.ExpressionList == nil {
		return exprStmt{tokenAt(n.Token), nil}
	}
	x := convertExpr(n.ExpressionList)
	if c, ok := x.(cast); ok && c.typ.Kind() == cc.Void && !hasEffect(c.x) { // (void)x, as assert is without checks, does nothing
		return exprStmt{where{c.first, n.Token.Position()}, nil}
	}
	return exprStmt{where{x.at().first, n.Token.Position()}, x}
}

func convertBlock(n *cc.CompoundStatement) block {
	b := block{where: at(n.Token, n.Token2)}
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		s := convertItem(l.BlockItem)
		if d, ok := s.(declStmt); ok && len(d.vars) == 1 && d.vars[0].decl.Name() == "__func__" {
			continue // every function has it
		}
		b.items = append(b.items, s)
	}
	return b
}

func convertItem(n *cc.BlockItem) stmt {
	switch n.Case {
	case cc.BlockItemDecl:
		return convertDecl(n.Declaration)
	case cc.BlockItemStmt:
		return convertStmt(n.Statement)
	case cc.BlockItemFuncDef:
		return otherStmt{at(n.Declarator, n.CompoundStatement.Token2), "a nested function", nil, nil}
	}
	return otherStmt{where{n.Position(), n.Position()}, "a label", nil, nil}
}

func convertDecl(n *cc.Declaration) stmt {
	if n.Case != cc.DeclarationDecl {
		return otherStmt{where{n.Position(), n.Position()}, "this declaration", nil, nil}
	}
	d := declStmt{where: at(n, n.Token)}
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		i := l.InitDeclarator
		v := varDecl{tokenAt(i.Declarator.NameTok()), i.Declarator, nil, nil}
		if i.Initializer != nil {
			v.list = i.Initializer
			if i.Initializer.Case == cc.InitializerExpr {
				v.init = convertExpr(i.Initializer.AssignmentExpression)
			} else {
				v.init = otherExpr{at(i.Initializer.Token, i.Initializer.Token3), "initializer list", initializers(i.Initializer.InitializerList)}
			}
		}
		d.vars = append(d.vars, v)
	}
	return d
}

func convertLoop(n *cc.IterationStatement) stmt {
	body := convertStmt(n.Statement)
	w := where{n.Token.Position(), body.at().last}
	switch n.Case {
	case cc.IterationStatementWhile:
		return otherStmt{w, "a while loop", []stmt{body}, []expr{convertExpr(n.ExpressionList)}}
	case cc.IterationStatementDo:
		do := otherStmt{where{n.Token.Position(), n.Token5.Position()}, "a do loop", []stmt{body}, []expr{convertExpr(n.ExpressionList)}}
		if do.isOnce() && !jumps(body, "'break'") && !jumps(body, "'continue'") {
			return block{do.where, do.inner}
		}
		return do
	}
	f := forStmt{where: w, body: body}
	opt := func(e cc.ExpressionNode) expr {
		if e == nil {
			return nil
		}
		return convertExpr(e)
	}
	if n.Case == cc.IterationStatementForDecl {
		f.head = where{n.Token.Position(), lastSet(n.Token4, n.Token3).Position()}
		f.init = convertDecl(n.Declaration)
		f.cond, f.step = opt(n.ExpressionList), opt(n.ExpressionList2)
		return f
	}
	f.head = where{n.Token.Position(), lastSet(n.Token5, n.Token4).Position()}
	if x := opt(n.ExpressionList); x != nil {
		f.init = exprStmt{x.at(), x}
	}
	f.cond, f.step = opt(n.ExpressionList2), opt(n.ExpressionList3)
	return f
}

// lastSet returns t, or u where the production left t out.
func lastSet(t, u cc.Token) cc.Token {
	if t.Position() == (token.Position{}) {
		return u
	}
	return t
}

func convertSelection(n *cc.SelectionStatement) stmt {
	then := convertStmt(n.Statement)
	w := where{n.Token.Position(), then.at().last}
	switch n.Case {
	case cc.SelectionStatementSwitch:
		if s, ok := convertSwitch(n); ok {
			return s
		}
		return otherStmt{w, "a switch", []stmt{then}, []expr{convertExpr(n.ExpressionList)}}
	case cc.SelectionStatementIf:
		return ifStmt{w, convertExpr(n.ExpressionList), then, nil}
	}
	other := convertStmt(n.Statement2)
	w.last = other.at().last
	return ifStmt{w, convertExpr(n.ExpressionList), then, other}
}

// exprsIn returns the expressions in s, at any depth.
func exprsIn(s stmt) (xs []expr) {
	eachStmt(s, func(s stmt) { xs = append(xs, exprsOf(s)...) })
	return xs
}

// initializers returns the values of a list in braces.
func initializers(l *cc.InitializerList) (xs []expr) {
	for ; l != nil; l = l.InitializerList {
		if i := l.Initializer; i.Case == cc.InitializerExpr {
			xs = append(xs, convertExpr(i.AssignmentExpression))
		} else {
			xs = append(xs, initializers(i.InitializerList)...)
		}
	}
	return xs
}
