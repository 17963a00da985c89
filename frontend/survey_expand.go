package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file puts the statements of functions of the file where the region calls them as statements. What a parameter
// that is a pointer stands for replaces its name; of numbers, those that the function changes become variables.

// A callStack is the functions of the file that are being put where they are called, outside in.
type callStack []inlinedCall

// An inlinedCall is a function and where it is called.
type inlinedCall struct {
	fd *cc.FunctionDefinition
	at where
}

// with returns calls with that of fd at w inside of them.
func (calls callStack) with(fd *cc.FunctionDefinition, w where) callStack {
	return append(calls[:len(calls):len(calls)], inlinedCall{fd, w})
}

func (calls callStack) holds(fd *cc.FunctionDefinition) bool {
	return slices.ContainsFunc(calls, func(c inlinedCall) bool { return c.fd == fd })
}

func (calls callStack) innermost() *cc.FunctionDefinition { return calls[len(calls)-1].fd }

// An expander puts the statements of functions where the region calls them as statements.
type expander struct {
	*survey
	calls callStack // around this place
}

// expand returns ss with each call of a function of the file that stands as a
// statement replaced by the statements of the function.
func (ex *expander) expand(ss []stmt) []stmt {
	return mapAll(ss, ex.expandStmt)
}

func (ex *expander) expandStmt(s stmt) stmt {
	switch s := s.(type) {
	case block:
		return block{s.where, ex.expand(s.items)}
	case forStmt:
		if iteratorOf(s) == nil {
			s, _ = oneCounter(s)
		}
		s, _ = countedInHead(s)
		s.body = ex.expandStmt(s.body)
		if one, ok := ex.unblocked(s); ok {
			return one
		}
		if endsEarly(s.body) {
			s.body = block{s.body.at(), withoutContinue(s.body)}
		}
		return s
	case ifStmt:
		s.then = ex.expandStmt(s.then)
		if s.orElse != nil {
			s.orElse = ex.expandStmt(s.orElse)
		}
		return s
	case otherStmt:
		switch {
		case s.isOnce():
			s.inner = ex.expand(s.inner)
		case isJump(s, "'return'") && len(ex.calls) > 0 && len(s.exprs) > 0: // nobody asks for the value
			effects := ex.effectsOf(s.exprs[0])
			s.exprs = nil
			return block{s.where, append(effects, s)}
		}
		return s
	case exprStmt:
		if _, exchange := ex.moves(s); exchange {
			return s
		}
		e := s.x
		if a, ok := e.(assign); ok {
			if chain, ok := unchained(a, ex.separate); ok {
				return block{s.where, ex.expand(chain)}
			}
		}
		if c, ok := e.(cast); ok && c.typ.Kind() == cc.Void {
			e = c.x
		}
		if c, ok := e.(call); ok {
			if f, ok := c.fun.(ident); ok {
				if fd := ex.definition(f); fd != nil {
					return ex.expandCall(c, fd)
				}
			}
		}
	}
	return s
}

// separate reports whether elements found from x and y are of two objects: variables of the function around the region that
// were declared before it, of which one may not have been set from the other in the region.
func (ex *expander) separate(x, y ident) bool {
	return x.decl != y.decl && len(ex.calls) == 0 && !ex.inRegion(x.decl) && !ex.inRegion(y.decl)
}

// refusedCall stands for a call about which an error was noted.
const refusedCall = "a refused call"

// expandCall returns the statements of fd with the arguments of e in the place
// of its parameters. Arguments that are no plain names or numbers, or that the
// function changes, are assigned to the parameter first.
func (ex *expander) expandCall(e call, fd *cc.FunctionDefinition) stmt {
	params, ok := ex.enter(ex.calls, e, fd)
	if !ok {
		return otherStmt{where: e.where, what: refusedCall}
	}
	ex.noLongerCalls(fd)
	body := convertBlock(fd.CompoundStatement)
	ex.inlined = append(ex.inlined, body.where)
	args := map[*cc.Declarator]expr{}
	out := block{where: e.where}
	for i, d := range params {
		arg := e.args[i]
		if ex.isNamed(params, e.args, i, body) {
			args[d] = arg
			out.items = append(out.items, ex.effectsOf(arg)...)
			continue
		}
		out.items = append(out.items, declStmt{arg.at(), []varDecl{{arg.at(), d, arg, nil}}})
	}
	inside := &expander{ex.survey, ex.calls.with(fd, e.where)}
	stmts, _ := lowerJumps(flatten(inside.expand(ex.bodyWith(fd, putting(args)).items)), "'return'")
	out.items = append(out.items, stmts...)
	return out
}

// effectsOf returns statements that do what C does to compute e, but for the value: none if that has no effect. What is not
// allowed in a region stays in them, to be refused.
func (ex *expander) effectsOf(e expr) (all []stmt) {
	both := func(xs []expr) []stmt {
		for _, x := range xs {
			all = append(all, ex.effectsOf(x)...)
		}
		return all
	}
	under := func(test expr, then, orElse []stmt) []stmt {
		if len(then)+len(orElse) == 0 {
			return ex.effectsOf(test)
		}
		s := ifStmt{e.at(), test, block{e.at(), then}, nil}
		if len(orElse) > 0 {
			s.orElse = block{e.at(), orElse}
		}
		return []stmt{s}
	}
	switch e := e.(type) {
	case number:
		return nil
	case cond:
		return under(e.c, ex.effectsOf(e.x), ex.effectsOf(e.y))
	case binary:
		switch e.op {
		case "&&":
			return under(e.x, ex.effectsOf(e.y), nil)
		case "||":
			return under(e.x, nil, ex.effectsOf(e.y))
		}
		return both(children(e))
	case cast, comma:
		return both(children(e))
	case literalExpr:
		if _, isNumber := storedType(e.typ); isNumber {
			return both(e.inner)
		}
	case unary:
		if e.op != "*" {
			return both(children(e))
		}
	case call:
		f, named := e.fun.(ident)
		if named && ex.definition(f) != nil {
			return []stmt{ex.expandCall(e, ex.definition(f))}
		}
		if _, known := scop.Computable(f.name); known {
			return both(e.args)
		}
	case otherExpr:
		if e.what == "string" {
			return nil
		}
	}
	if p, ok := lvalue(e); ok && !isVolatile(p.root.decl) && !p.typ.Attributes().IsVolatile() {
		return both(children(e)) // it is read, or is an address
	}
	return []stmt{exprStmt{e.at(), e}}
}

const pureRule = "allowed: functions of the file that compute a value from their arguments and from arrays, with assignments to local variables, if and return"

// enter checks a call of fd, inside calls, and returns its parameters.
func (ns *notes) enter(calls callStack, e call, fd *cc.FunctionDefinition) ([]*cc.Declarator, bool) {
	name := fd.Declarator.Name()
	params := parameters(fd)
	t, _ := fd.Declarator.Type().(*cc.FunctionType)
	switch {
	case calls.holds(fd):
		ns.errorf("HX103", e.where, pureRule, "write it as a loop, or keep it out of the region", "function '%s' calls itself", name)
	case t == nil || t.IsVariadic() || len(params) != len(e.args):
		ns.errorf("HX103", e.where, fmt.Sprintf("'%s' takes %d %s", name, len(params), plural(int64(len(params)), "argument")), "give it as many",
			"'%s' is called with %d %s", name, len(e.args), plural(int64(len(e.args)), "argument"))
	case ns.u.attributes.names[name+"()"] != "":
		text := ns.u.attributes.names[name+"()"]
		ns.errorf("HX106", e.where, attributeRule, fmt.Sprintf("remove %s, or write its expression here", text), "function '%s' is declared with %s", name, text)
	default:
		for i, d := range params {
			if !ns.checkAttached(ident{e.args[i].at(), d.Name(), d}) {
				return nil, false
			}
			if !ns.checkArgument(fd, d, e.args[i]) || !ns.checkTemporary(fd, d, e.args, i) {
				return nil, false
			}
		}
		return params, true
	}
	return nil, false
}

const argumentRule = "allowed: parameters that are numbers or pointers, of types float, double, long double, float and double complex, _Float16, _Bool, and signed and unsigned char, short, int and long"

// checkArgument reports an argument arg of function fd that is not what parameter d makes of it.
func (ns *notes) checkArgument(fd *cc.FunctionDefinition, d *cc.Declarator, arg expr) bool {
	t := d.Type()
	if _, isNumber := storedType(t); isNumber {
		return true
	}
	to, isNumber := storedType(pointedTo(t))
	if isStruct(t) && isStructName(arg) && !changes(convertBlock(fd.CompoundStatement), d) {
		return true
	}
	if elemOf(t) == nil {
		ns.errorf("HX106", arg.at(), argumentRule, "give the parameter such a type", "parameter '%s' of function '%s' is of type '%s'", d.Name(), fd.Declarator.Name(), typeName(t))
		return false
	}
	p, _, ok := pointer(arg)
	if !ok || !isNumber {
		return true // what it is used for decides
	}
	if from, ok := storedType(pointedTo(p.typ)); ok && from != to {
		ns.errorf("HX106", arg.at(), "the function would read the elements as numbers of another type", fmt.Sprintf("declare both as '%s', or both as '%s'", from, to),
			"'%s' has elements of type '%s', parameter '%s' of function '%s' of type '%s'", ns.textOf(arg), from, d.Name(), fd.Declarator.Name(), to)
		return false
	}
	return true
}

// checkTemporary reports args[i], of function fd, which is the address of a number that is computed for the call, such as &(double){2 * c}, unless parameter d
// may stand for the number itself: it points to a constant, which is computed of numbers that the function does not set.
func (ns *notes) checkTemporary(fd *cc.FunctionDefinition, d *cc.Declarator, args []expr, i int) bool {
	l, ok := temporaryAt(args[i])
	if !ok {
		return true
	}
	steady := pointedTo(d.Type()).Attributes().IsConst()
	eachExpr(l.inner[0], func(e expr) {
		switch e := e.(type) {
		case number, cast, binary, cond:
		case unary:
			steady = steady && e.op != "*" && e.op != "&"
		case ident:
			if e.decl == nil {
				return // an enumerator
			}
			_, isNumber := storedType(e.decl.Type())
			steady = steady && isNumber && !isVolatile(e.decl) && !slices.ContainsFunc(args, func(a expr) bool { x, ok := scalarAt(a); return ok && x.decl == e.decl })
		default:
			steady = false
		}
	})
	if !steady {
		ns.errorf("HX103", args[i].at(), "allowed: numbers that are computed of numbers which the function does not set", "compute it in a variable before the call, and pass that",
			"'%s' of function '%s' points to what '%s' computes for the call", d.Name(), fd.Declarator.Name(), ns.textOf(l.inner[0]))
	}
	return steady
}

// isStructName reports whether e is a variable that is a struct, or what one points to.
func isStructName(e expr) bool {
	if u, ok := e.(unary); ok && u.op == "*" {
		e = u.x
	}
	x, ok := e.(ident)
	return ok && x.decl != nil
}

// isStructAddress reports whether e is the address of a variable.
func isStructAddress(e expr) bool {
	u, ok := e.(unary)
	if !ok || u.op != "&" {
		return false
	}
	x, ok := u.x.(ident)
	return ok && x.decl != nil && isStruct(x.decl.Type())
}

// isNamed reports whether d, in body, means the same as arg that is passed for it: a pointer, or a name or a
// number that d holds unchanged.
func isNamed(d *cc.Declarator, arg expr, body stmt) bool {
	t, isNumber := storedType(d.Type())
	return !isNumber && !movesParameter(body, d) || isNumber && sameNumber(t, arg) && !assigns(body, d)
}

// movesParameter reports whether body sets d, a pointer that is a parameter, or passes its address: what it is passed stays where it is.
func movesParameter(body stmt, d *cc.Declarator) (moves bool) {
	if !isPointer(d) {
		return false
	}
	eachExprIn(body, func(e expr) {
		if u, ok := e.(unary); ok && u.op == "&" {
			moves = moves || variableOf(u.x) == d
		}
	})
	return moves || assigns(body, d)
}

// sameNumber reports whether arg is a name of a variable of type t, or a number that such a variable holds.
func sameNumber(t scop.Type, arg expr) bool {
	switch arg := arg.(type) {
	case ident:
		if arg.decl == nil {
			return false
		}
		s, ok := storedType(arg.decl.Type())
		return ok && s == t
	case number:
		s, ok := numberType(arg.typ)
		if v, whole := intValue(arg.val); whole && ok && t.IsNarrow() && s == scop.Int {
			lo, hi := t.Range()
			return lo <= v && v <= hi
		}
		return ok && s == t
	}
	return false
}
