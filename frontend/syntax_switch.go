package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file reads a switch as the conditions that it stands for:
//
//	switch (kind[i][j]) {                        if (kind[i][j] == WALL || kind[i][j] == INLET)
//	case WALL:                                     v[i][j] = 0;
//	case INLET: v[i][j] = 0; break;      =>      else
//	default: v[i][j] = u[i - 1][j];                v[i][j] = u[i - 1][j];
//	}
//
// Statements that run on into those of another label are copied. A switch whose statements are left in their midst stays one.

// A branchOf is the statements behind some labels of a switch.
type branchOf struct {
	where
	labels []expr
	rest   bool // one of them is default
	runsOn bool // what is before does not end there
	items  []stmt
}

// convertSwitch returns n, a switch, as conditions; ok is false if it is more than that.
func convertSwitch(n *cc.SelectionStatement) (s stmt, ok bool) {
	value := convertExpr(n.ExpressionList)
	if n.Statement.Case != cc.StatementCompound || hasEffect(value) {
		return nil, false
	}
	var branches []branchOf
	open := false // statements of the last one may still come
	for l := n.Statement.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		st := l.BlockItem.Statement
		if l.BlockItem.Case != cc.BlockItemStmt {
			return nil, false // a declaration that all labels see
		}
		for st.Case == cc.StatementLabeled {
			label := st.LabeledStatement
			if last := len(branches) - 1; !open || len(branches[last].items) > 0 {
				branches, open = append(branches, branchOf{where: tokenAt(label.Token), runsOn: open}), true
			}
			b := &branches[len(branches)-1]
			switch label.Case {
			case cc.LabeledStatementCaseLabel:
				if label.ConstantExpression.Type().Size() > max(4, n.ExpressionList.Type().Size()) {
					return nil, false // it is cut down to the type of the value
				}
				b.labels = append(b.labels, convertExpr(label.ConstantExpression))
			case cc.LabeledStatementDefault:
				b.rest = true
			default:
				return nil, false
			}
			st = label.Statement
		}
		if !open {
			return nil, false // it never runs
		}
		b := &branches[len(branches)-1]
		s := convertStmt(st)
		items, ends := withoutBreak(s)
		b.items, b.last, open = append(b.items, items...), s.at().last, !ends
	}
	for k := len(branches) - 2; k >= 0; k-- {
		if branches[k+1].runsOn {
			branches[k].items = slices.Concat(branches[k].items, branches[k+1].items)
		}
	}
	var orElse stmt
	for _, b := range branches {
		if b.rest {
			orElse = block{b.where, b.items}
		}
		if containsBreak(b.items) {
			return nil, false
		}
	}
	for k := len(branches) - 1; k >= 0; k-- {
		b := branches[k]
		if b.rest {
			continue
		}
		var test expr
		for _, label := range b.labels {
			is := expr(binary{label.at(), "==", value, label})
			if test != nil {
				is = binary{label.at(), "||", test, is}
			}
			test = is
		}
		orElse = ifStmt{b.where, test, block{b.where, b.items}, orElse}
	}
	if orElse == nil {
		orElse = block{where: tokenAt(n.Token)}
	}
	return orElse, true
}

// isCase reports whether s is made of labels of a switch: it begins where its branch does.
func (s ifStmt) isCase() bool { return s.then.at().first == s.at().first }

// withoutBreak returns what s does, up to a break; ends says that nothing behind it in a switch runs.
func withoutBreak(s stmt) (items []stmt, ends bool) {
	switch x := s.(type) {
	case block:
		for _, in := range x.items {
			inner, last := withoutBreak(in)
			items = append(items, inner...)
			if last {
				return []stmt{block{x.where, items}}, true
			}
		}
	case otherStmt:
		if isJump(x, "'break'") {
			return nil, true
		}
		return []stmt{s}, isJump(x, "'continue'") || isJump(x, "'return'")
	}
	return []stmt{s}, false
}

// containsBreak reports whether one of ss leaves a switch around it.
func containsBreak(ss []stmt) (found bool) {
	for _, s := range ss {
		switch s := s.(type) {
		case block:
			found = found || containsBreak(s.items)
		case ifStmt:
			found = found || containsBreak([]stmt{s.then}) || s.orElse != nil && containsBreak([]stmt{s.orElse})
		case otherStmt:
			found = found || isJump(s, "'break'") || !isLoop(s) && containsBreak(s.inner)
		}
	}
	return found
}
