package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes operators of classes, State operator+(const State &a, const State &b), as functions, and expressions with such operators as their calls:
//
//	State d = 0.5 * (u[i + 1] - u[i]);   =>   State d = operator_times(0.5, (operator_minus(u[i + 1], u[i])));
//	u[i] += d;                                u[i] = operator_add(u[i], d);
//
// They are members, friends that are defined in their class, or functions of the file, templates too. Objects are passed by their values: only
// classes are taken that are their numbers. An operator that assigns returns what the object becomes.

// cxxOperatorNames are the operators that may be those of a class, with names that C can have.
var cxxOperatorNames = map[string]string{
	"+": "plus", "-": "minus", "*": "times", "/": "divided",
	"+=": "add", "-=": "subtract", "*=": "multiply", "/=": "divide",
}

// operatorName begins the names, in C, of operators.
const operatorName = "operator_"

// A cxxOperator is an operator of a class that an expression calls.
type cxxOperator struct {
	template *cxxTemplate // a function of the file, or a template of such
	args     []string
	shape    *cxxShape // or a method or a friend of a class
	method   *cxxMethod
	result   cxxType
	exact    bool // the numbers that it takes are what it is given
}

// isCalled reports whether there is such an operator.
func (o cxxOperator) isCalled() bool { return o.template != nil || o.method != nil }

// operatorItem reports whether it, whose parameters open at parens, is an operator that is no member, and notes it.
func (c *cxxFile) operatorItem(it *cxxItem, parens int) bool {
	if it.body == 0 || parens < 2 || !c.isWord(parens-2, "operator") || c.is(parens-3, "::") || cxxOperatorNames[c.toks[parens-1].s] == "" || c.forced[c.toks[it.from].from] > 0 {
		return false
	}
	t := &cxxTemplate{head: it.from, made: &[]cxxInstance{}}
	if c.isWord(it.from, "template") {
		end := -1
		if c.is(it.from+1, "<") {
			end = c.angle(it.from + 1)
		}
		if end < 0 || end > parens || c.isWord(end+1, "requires", "template") {
			return false
		}
		var ok bool
		if t.params, ok = c.templateParams(it.from+1, end); !ok {
			return false
		}
		t.head = end + 1
	}
	sign := c.toks[parens-1].s
	it.kind, it.open = cxxTemplated, parens
	name := operatorName + cxxOperatorNames[sign]
	for n := 2; c.templates[name] != nil; n++ {
		if known := c.templates[name]; known.item.from == it.from && string(known.item.in.text) == string(c.text) { // by what headers say
			t.made = known.made
			c.operators[sign] = slices.DeleteFunc(c.operators[sign], func(o *cxxTemplate) bool { return o == known })
			break
		}
		name = fmt.Sprint(operatorName, cxxOperatorNames[sign], "_", n)
	}
	it.names = []string{name}
	t.item = *it
	c.templates[name] = t
	c.operators[sign] = append(c.operators[sign], t)
	return true
}

// operates reports whether it is an operator of a class that is in needed.
func (c *cxxFile) operates(it cxxItem, needed map[string]bool) (found bool) {
	if it.open > 0 {
		c.words(it.open, c.match[it.open], func(w string) {
			found = found || needed[w] && (c.records[w] || c.shapes[w] != nil || c.classTypes[w].in != nil)
		})
	}
	return found
}

// hasValues reports whether any class has operators that are functions in C, or is its numbers.
func (c *cxxFile) hasValues() bool {
	if !c.scanned {
		return false
	}
	if len(c.operators) > 0 {
		return true
	}
	for _, k := range c.shapes {
		if k.operates || slices.ContainsFunc(*k.made, (*cxxShape).isValue) {
			return true
		}
	}
	return false
}

// isValue reports whether objects of s are their numbers: they are copied and passed as C does it.
func (s *cxxShape) isValue() bool {
	is, known := s.def.values[s.cname]
	if known || !s.def.in.scanned {
		return is
	}
	s.def.values[s.cname] = false // as long as it is not known
	is = s.hasOnlyNumbers()
	s.def.values[s.cname] = is
	return is
}

// hasOnlyNumbers reports whether the members of s are numbers, arrays of such, and objects that are their numbers.
func (s *cxxShape) hasOnlyNumbers() bool {
	if s.def.copies || len(s.def.fields) == 0 {
		return false
	}
	for i := range s.def.fields {
		t, ok := s.typeOf(&s.def.fields[i])
		for ok && t.elem != nil && t.dims != "" {
			t = *t.elem
		}
		switch {
		case !ok || t.pointers > 0 || t.elem != nil || t.reference:
			return false
		case t.shape != nil:
			if t.shape.cname == s.cname || !t.shape.isValue() {
				return false
			}
		case !s.def.in.records[t.text] && !s.def.in.types[t.text] && numberText(t.text) == "":
			return false
		}
	}
	return true
}

// byValue reports whether m, a method of s, has its object as a value in C: of a class that is its numbers, an operator, or a method that returns a value and is const.
func (s *cxxShape) byValue(m *cxxMethod) bool {
	return m != nil && !m.static && (m.makes || m.isOperator() || m.constant && s.returnsValue(m)) && s.isValue()
}

// returnsValue reports whether m returns neither a reference nor a pointer, and something.
func (s *cxxShape) returnsValue(m *cxxMethod) bool {
	c := s.def.in.putting(s.def.params, s.args)
	c.self = s
	t, ok := c.typeAt(c.resultOf(m))
	return ok && !t.reference && t.pointers == 0 && t.elem == nil
}

// assigns reports whether m is an operator that sets its object.
func (m *cxxMethod) assigns() bool { return assigningOperator(m.name) }

// assigningOperator reports whether name, in C, is that of an operator like +=.
func assigningOperator(name string) bool {
	for sign, word := range cxxOperatorNames {
		if strings.HasSuffix(sign, "=") && (name == operatorName+word || strings.HasPrefix(name, operatorName+word+"_")) {
			return true
		}
	}
	return false
}

// keepsObject reports whether m, an operator that is not const, and does not say so, sets nothing of its object.
func (s *cxxShape) keepsObject(m *cxxMethod) bool {
	c := s.def.in
	for j := m.body; j < m.to; j++ {
		if c.isWord(j, "this") || c.isAssignment(j) || c.is(j, "++") || c.is(j, "--") {
			return false
		}
		if _, any := s.method(c.toks[j].s, 0, false); any {
			return false
		}
	}
	return true
}

// operated returns x, whose parts are known, with what its operator is and its type.
func (c *cxxFile) operated(x *cxxExpr) *cxxExpr {
	if cxxOperatorNames[x.op] != "" && slices.ContainsFunc(x.parts, func(p *cxxExpr) bool { return c.isObject(p.t) }) {
		if x.calls = c.operatorOf(x); x.calls.isCalled() {
			x.t = x.calls.result
		}
		return x
	}
	if x.op == "=" || x.t.text != "" || x.t.shape != nil {
		return x
	}
	if slices.ContainsFunc(x.parts, func(p *cxxExpr) bool { return p.t.text == "" || p.t.pointers > 0 || p.t.elem != nil || c.isObject(p.t) }) {
		return x
	}
	switch {
	case slices.Contains([]string{"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"}, x.op):
		x.t = cxxType{text: "_Bool"}
	case len(x.parts) == 1:
		x.t = cxxType{text: arithmetic(c.numberType(x.parts[0].t), "int")}
	default:
		x.t = cxxType{text: arithmetic(c.numberType(x.parts[0].t), c.numberType(x.parts[1].t))}
	}
	return x
}

// operatorOf returns which operator x calls, one of whose parts is an object; one that is not called if that is not known.
func (c *cxxFile) operatorOf(x *cxxExpr) cxxOperator {
	name := operatorName + cxxOperatorNames[x.op]
	var all []cxxOperator
	seen := map[*cxxShape]bool{}
	for k, p := range x.parts {
		s := p.t.shape
		if !c.isObject(p.t) || s == nil || seen[s] {
			continue
		}
		seen[s] = true
		for i := range s.def.methods {
			m := &s.def.methods[i]
			if m.name != name || !m.static && k > 0 {
				continue
			}
			given := x.parts
			if !m.static {
				if given = x.parts[1:]; p.t.constant && !m.constant {
					continue
				}
			}
			in := s.def.in.of(s, m)
			if exact, ok := c.takes(in, m.open, given, m.assigns() && m.static); ok && (m.static || s.isValue()) {
				all = append(all, cxxOperator{shape: s, method: m, exact: exact, result: c.result(s, m)})
			}
		}
	}
	for _, t := range c.operators[x.op] {
		args := make([]string, len(t.params))
		if !c.deducesAll(t, x.parts, args) {
			continue
		}
		in := t.item.in.with(t, args)
		if exact, ok := c.takes(in, t.item.open, x.parts, strings.HasSuffix(x.op, "=")); ok {
			result, known := in.typeAt(t.head)
			if !known {
				return cxxOperator{}
			}
			all = append(all, cxxOperator{template: t, args: args, exact: exact, result: result})
		}
	}
	if c.hasUnread(x.op) {
		return cxxOperator{}
	}
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(o cxxOperator) bool { return !o.exact })
	}
	if len(all) > 1 { // a function is a better match than a template
		if plain := slices.DeleteFunc(slices.Clone(all), func(o cxxOperator) bool { return o.template != nil && len(o.template.params) > 0 }); len(plain) == 1 {
			all = plain
		}
	}
	if len(all) != 1 {
		return cxxOperator{}
	}
	if assigns := strings.HasSuffix(x.op, "="); !assigns && all[0].result.reference || all[0].method != nil && !assigns && !all[0].method.constant && !all[0].method.static && !all[0].shape.keepsObject(all[0].method) {
		return cxxOperator{}
	}
	all[0].result.reference = false
	if strings.HasSuffix(x.op, "=") && (!c.isObject(all[0].result) || all[0].result.text != x.parts[0].t.text || !c.mayCopy(all[0], x)) {
		return cxxOperator{}
	}
	return all[0]
}

// hasUnread reports whether an operator of this sign is defined that is not read, as a template in a class: it may be what is called.
func (c *cxxFile) hasUnread(sign string) bool {
	read, other := map[string]bool{}, []string{}
	for _, of := range append([]*cxxFile{c}, c.beside...) {
		known := map[int]bool{}
		for _, it := range of.items {
			known[it.open-2] = it.open > 0
		}
		for _, k := range of.shapes {
			for _, m := range k.methods {
				known[m.at] = known[m.at] || k.in.text != nil && &k.in.text[0] == &of.text[0]
			}
		}
		for j := range of.toks {
			if !of.isWord(j, "operator") || !of.is(j+1, sign) || !of.is(j+2, "(") {
				continue
			}
			key := ""
			for _, p := range of.parameters(j + 2) {
				key += of.typeText(p) + ", "
			}
			if known[j] {
				read[key] = true
			} else if other = append(other, key); !of.isDeclared(j + 2) {
				return true
			}
		}
	}
	return slices.ContainsFunc(other, func(key string) bool { return !read[key] })
}

// isDeclared reports whether the function whose parameters open there is declared, and not defined.
func (c *cxxFile) isDeclared(open int) bool {
	end := c.match[open] + 1
	for c.isWord(end, "const", "noexcept") {
		end++
	}
	return c.is(end, ";")
}

// takes reports whether the parameters that open there in file in can be given, and whether without converting a number; sets says that the first one is set.
func (c *cxxFile) takes(in *cxxFile, open int, given []*cxxExpr, sets bool) (exact, ok bool) {
	ps := in.parameters(open)
	if len(ps) != len(given) {
		return false, false
	}
	exact = true
	for k, p := range ps {
		t, known := in.typeAt(p.from)
		if !known || p.moved || p.value > 0 || t.pointers > 0 || t.elem != nil || t.reference && !t.constant && !(sets && k == 0) {
			return false, false
		}
		g := given[k].t
		switch {
		case in.isObject(t):
			if !c.isObject(g) || g.text != t.text || t.shape != nil && !t.shape.isValue() {
				return false, false
			}
		case in.numberType(t) == "" || c.isObject(g) || g.pointers > 0 || g.elem != nil:
			return false, false
		default:
			exact = exact && numberText(in.numberType(t)) == numberText(c.numberType(g)) && g.text != ""
		}
	}
	return exact, true
}

// deducesAll finds the arguments of t, an operator, by the types of what it is given; it reports false if it is not t that is called, or they are not known.
func (c *cxxFile) deducesAll(t *cxxTemplate, given []*cxxExpr, args []string) bool {
	of := t.item.in
	ps := of.parameters(t.item.open)
	if len(ps) != len(given) {
		return false
	}
	for n, param := range t.params {
		for k, p := range ps {
			g := given[k].t
			for j := p.from; j < p.to && args[n] == ""; j++ {
				switch {
				case of.isWord(j, param.name) && param.typ && p.typ == param.name:
					if c.isObject(g) {
						args[n] = g.text
					} else if g.pointers == 0 && g.elem == nil {
						args[n] = c.numberType(g)
					}
				case of.isWord(j) && of.shapes[of.toks[j].s] != nil && of.is(j+1, "<") && c.isObject(g) && g.shape != nil && g.shape.def.name == of.toks[j].s:
					at := 0
					for from := j + 2; from < of.angle(j+1); at++ {
						to := min(of.until(from, of.angle(j+1), ","), of.angle(j+1))
						if to == from+1 && of.isWord(from, param.name) && at < len(g.shape.args) {
							args[n] = g.shape.args[at]
						}
						from = to + 1
					}
				}
			}
		}
		if args[n] == "" {
			args[n] = param.value
		}
		if args[n] == "" || len(args[n]) > maxArgument {
			return false
		}
	}
	return true
}

// mayCopy reports whether o, an operator that assigns in x, does the same where what it is given is copied before: nothing of the object that it sets is read behind by
// what it is given.
func (c *cxxFile) mayCopy(o cxxOperator, x *cxxExpr) bool {
	in, open, body, to := (*cxxFile)(nil), 0, 0, 0
	if o.method != nil {
		in, open, body, to = o.shape.def.in.of(o.shape, o.method), o.method.open, o.method.body, o.method.to
	} else {
		in, open, body, to = o.template.item.in.with(o.template, o.args), o.template.item.open, o.template.item.body, o.template.item.to
	}
	if c.hasEffect(x.parts[0].from, x.parts[0].to) || !in.returnsObject(body, to, open, o.method == nil || o.method.static) {
		return false
	}
	ps := in.parameters(open)
	last := ps[len(ps)-1]
	t, _ := in.typeAt(last.from)
	given := x.parts[1]
	switch {
	case !t.reference, c.isNewValue(given.from, given.to), given.op != "" && given.op != "=" && given.op != "?" && given.op != "*":
		return true
	case given.to == given.from+1 && c.isWord(given.from): // a variable, and not a reference to something
		if t, at, _ := c.variableAt(given.from); at >= 0 && !t.reference && !c.is(at-1, "&") && x.parts[0].to == x.parts[0].from+1 && !c.isWord(x.parts[0].from, c.toks[given.from].s) {
			return true
		}
	}
	set := map[string]bool{}
	for j := body; j < to; j++ {
		switch {
		case in.isWord(j, "for", "while", "do", "goto"):
			return false
		case in.isWord(j, last.name) && len(set) > 0:
			if !in.is(j+1, ".") || set[in.toks[j+2].s] {
				return false
			}
		case in.isAssignment(j) && in.isWord(j-1):
			end := in.until(j, to, ";")
			for k := j + 1; k < end; k++ {
				if in.isWord(k, last.name) && (set[in.toks[min(k+2, end)].s] || len(set) > 0 && !in.is(k+1, ".")) {
					return false
				}
			}
			set[in.toks[j-1].s] = true
			j = end
		case in.isAssignment(j), in.is(j, "++"), in.is(j, "--"):
			return false
		}
	}
	return true
}

// returnsObject reports whether all that the operator with this body returns is the object that it sets: *this, or of a function the first of the parameters that open there.
func (c *cxxFile) returnsObject(body, to, open int, function bool) bool {
	any := false
	for j := body; j < to; j++ {
		if !c.isWord(j, "return") {
			continue
		}
		any = true
		if function {
			ps := c.parameters(open)
			if len(ps) == 0 || ps[0].name == "" || !c.isWord(j+1, ps[0].name) || !c.is(j+2, ";") {
				return false
			}
		} else if !c.is(j+1, "*") || !c.isWord(j+2, "this") || !c.is(j+3, ";") {
			return false
		}
	}
	return any
}

// operators rewrites the expression that token i begins, if it calls operators of classes, and returns its end; i, if it calls none.
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
