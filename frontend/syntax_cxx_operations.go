package frontend

import (
	"slices"
	"strings"
)

// This file writes expressions with operators of classes as calls of functions: see syntax_cxx_operators.go.

// operatorsAt rewrites the expression that token i begins, if it calls operators of classes, and returns its end; i, if it calls none.
func (c *cxxFile) operatorsAt(i, to int) int {
	if c.within == i {
		c.within = -1
		return i
	}
	if !c.beginsExpression(i) || !c.hasValues() {
		return i
	}
	x := c.expression(i, to)
	if x != nil {
		c.refuseUncalled(x)
	}
	if x == nil || !x.any(func(x *cxxExpr) bool { return x.calls.isCalled() }) {
		return i
	}
	c.emit(x)
	return x.to
}

// refuseUncalled notes which operators in x are of objects and not known.
func (c *cxxFile) refuseUncalled(x *cxxExpr) {
	for _, p := range x.parts {
		c.refuseUncalled(p)
	}
	if cxxOperatorNames[x.op] == "" || x.calls.isCalled() {
		return
	}
	for _, p := range x.parts {
		if !c.isObject(p.t) || c.isRefused(x.at) {
			continue
		}
		class := p.t.text
		if p.t.shape != nil {
			class = p.t.shape.def.name
		}
		c.refuse(x.at, "taken: those of classes of numbers, defined in the file or in a header of yours, that take values or const references, and that the types of what they are given tell apart; one that assigns returns its object, and reads nothing that it has set",
			"compute its members, one by one", "which operator %s of '%s' this is, or that it does no more than compute, is not known", x.op, class)
	}
}

// isRefused reports whether something is wrong with token i.
func (c *cxxFile) isRefused(i int) bool {
	return slices.ContainsFunc(c.refusals, func(r cxxRefusal) bool { return r.from == c.toks[i].from })
}

// any reports whether is holds of x or of one of its parts.
func (x *cxxExpr) any(is func(*cxxExpr) bool) bool {
	return is(x) || slices.ContainsFunc(x.parts, func(p *cxxExpr) bool { return p.any(is) })
}

// beginsExpression reports whether an expression may begin with token i, and with none before.
func (c *cxxFile) beginsExpression(i int) bool {
	if c.toks[i].kind == cxxDirective || c.is(i, "{") || c.is(i, "}") || c.is(i, ";") {
		return false
	}
	b := i - 1
	switch {
	case b < 0:
		return true
	case c.toks[b].kind == cxxDirective:
		return true
	case c.is(b, ")"):
		return c.isWord(c.match[b]-1, "if", "for", "while", "switch") || c.isWord(c.match[b]-1, "constexpr")
	case c.isWord(b):
		return c.isWord(b, "return", "else", "do")
	}
	return c.isAssignment(b) || slices.Contains([]string{"(", "[", "{", "}", ";", ",", "?", ":", "&&", "||"}, c.toks[b].s)
}

// emit rewrites x, an expression with operators of classes.
func (c *cxxFile) emit(x *cxxExpr) {
	if x.op == "." {
		c.emitCall(x)
		return
	}
	if x.op == "" {
		c.within = x.from
		for j := x.from; j < x.to; {
			j = c.rewriteOne(j, x.to, false)
		}
		c.within = -1
		return
	}
	if !x.calls.isCalled() {
		for _, p := range x.parts {
			c.emit(p)
		}
		if x.op == "member" {
			c.rewriteLinks(x.at, x.to)
		}
		return
	}
	name := c.calledOperator(x.calls)
	if strings.HasSuffix(x.op, "=") && !c.isReturnedLocal(x) {
		name = c.rewritten(x.parts[0].from, x.parts[0].to) + " = " + name
	}
	c.before(x.from, name+"(")
	if len(x.parts) == 1 {
		c.edit(x.at, x.at+1, "")
		c.emit(x.parts[0])
	} else {
		c.emit(x.parts[0])
		c.edit(x.at, x.at+1, ",")
		c.emit(x.parts[1])
	}
	c.behind(x.to-1, ")")
}

// emitCall rewrites x, the call of a method of what has no name: (a - b).norm().
func (c *cxxFile) emitCall(x *cxxExpr) {
	m := x.calls.method
	open := x.at + 2
	x.calls.shape.used[m.at] = true
	c.before(x.from, x.calls.shape.methodName(m)+"(")
	c.emit(x.parts[0])
	args := c.arguments(open)
	sep := ""
	if len(args) > 0 {
		sep = ", "
	}
	c.edit(x.at, open+1, sep)
	for _, a := range args {
		c.rewrite(a[0], a[1], false)
	}
	in := x.calls.shape.def.in.of(x.calls.shape, m)
	for _, p := range in.parameters(m.open)[len(args):] {
		c.before(c.match[open], ", "+in.rewritten(p.value+1, p.to))
	}
}

// isReturnedLocal reports whether x, an assignment, is what a function returns, and sets a variable of its own that is no reference: nothing sees what that becomes.
func (c *cxxFile) isReturnedLocal(x *cxxExpr) bool {
	if !c.isWord(x.from-1, "return") || x.parts[0].to != x.from+1 || !c.is(x.to, ";") {
		return false
	}
	t, at, member := c.variableAt(x.from)
	return at >= 0 && !member && !t.reference && !c.isWord(c.declares(at), "static")
}

// calledOperator returns the name in C of o, which is called.
func (c *cxxFile) calledOperator(o cxxOperator) string {
	if o.method != nil {
		o.shape.used[o.method.at] = true
		return o.shape.methodName(o.method)
	}
	for _, m := range *o.template.made {
		if slices.Equal(m.args, o.args) {
			return m.name
		}
	}
	return o.template.instance(o.args)
}
