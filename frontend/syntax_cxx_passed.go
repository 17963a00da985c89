package frontend

import (
	"slices"
	"strings"
)

// This file reads calls that pass lambdas to templates of functions of the file: the template is written in C for the lambda, with a parameter for each
// variable that the lambda captures, and calls the function that the lambda becomes (syntax_cxx_lifted.go).
//
//	template <class F> void loop(int n, F f) {              static inline void lambda__lifted(double *u, int i) { u[i] = 0; }
//	    for (int i = 0; i < n; i++) f(i);             =>     void loop__passed(int n, double *f__u) {
//	}                                                            for (int i = 0; i < n; i++) lambda__lifted(f__u, i);
//	loop(n, [&](int i) { u[i] = 0; });                      }
//	                                                        loop__passed(n, u);

// passedNote says which calls that pass lambdas are read.
const passedNote = "allowed: templates of functions that only call the lambda or pass it on, and " + "lambdas that set no variable but their own and elements of arrays"

// maxPassed bounds how often a lambda is passed on.
const maxPassed = 8

// A cxxPassed is a lambda that is passed to a function: the parameter that it is there, and those that the function has in C for what it captures.
type cxxPassed struct {
	lambda *cxxLambda
	in     *cxxFile // where the lambda is
	home   int      // where the function around it begins
	at     int      // the name of the parameter
	name   string
	typ    string       // the parameter of the template that is its type
	given  []cxxCapture // by their names in the function
	texts  []string     // what the call gives for them
	seen   map[int]bool // tokens that name the parameter and are written
}

// A cxxPassing is a call that passes lambdas, with the calls in what it is written as.
type cxxPassing struct {
	depth int
	why   *cxxReason // one of them cannot be written
}

// passes rewrites the call that token i begins, if that passes a lambda to a template of functions or calls one that was passed, and returns what follows what
// is done; i, if it is something else.
func (c *cxxFile) passes(i int) int {
	if end := c.callsPassed(i); end > i {
		return end
	}
	t := c.templateCalled(i)
	if t == nil || !c.passesAny(i) {
		return i
	}
	outer := c.passing
	if c.passing == nil {
		c.passing = &cxxPassing{}
	}
	c.passing.depth++
	end, why := c.writePassing(t, i)
	c.passing.depth--
	if why != nil {
		c.passing.why = why
		if msg := "this lambda cannot be passed to '" + c.toks[i].s + "': " + why.msg; outer == nil && c.isNeeded(i) {
			c.refusals = append(c.refusals, cxxRefusal{c.toks[i].from, c.toks[i].to, msg, passedNote, why.help})
		} else {
			c.refuse(i, passedNote, why.help, "%s", msg)
		}
		end = i
	}
	c.passing = outer
	return end
}

// isNeeded reports whether token i is in a function without regions that may not be left out.
func (c *cxxFile) isNeeded(i int) bool {
	at := c.toks[i].from
	return slices.ContainsFunc(c.items, func(it cxxItem) bool {
		return it.from <= i && i < it.to && it.kind == cxxPlain && it.body > 0 && it.keep == cxxAll && !c.around(it)
	}) && !slices.ContainsFunc(c.optional, func(o [2]int) bool { return o[0] <= at && at < o[1] })
}

// templateCalled returns the template of functions of the file that token i names, nil if it names something else.
func (c *cxxFile) templateCalled(i int) *cxxTemplate {
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") || c.is(i-1, "::") && !(c.isWord(i-2) && c.spaces[c.toks[i-2].s] && !c.isWord(i-2, "std")) {
		return nil
	}
	name := c.toks[i].s
	t := c.templates[name]
	if t == nil || c.isShared(name) || !(c.is(i+1, "(") || c.is(i+1, "<")) {
		return nil
	}
	if c.self != nil && slices.ContainsFunc(c.self.def.methods, func(m cxxMethod) bool { return m.name == name }) {
		return nil
	}
	if at := c.declaredAt(name, i); at >= 0 && c.isLocal(at) {
		return nil
	}
	return t
}

// parensOfCall returns where the arguments open of the call of a template that token i names, -1 if there are none.
func (c *cxxFile) parensOfCall(i int) int {
	open := i + 1
	if c.is(open, "<") {
		if open = c.angle(open); open < 0 {
			return -1
		}
		open++
	}
	if !c.is(open, "(") {
		return -1
	}
	return open
}

// passesAny reports whether an argument of the call that token i names is a lambda.
func (c *cxxFile) passesAny(i int) bool {
	open := c.parensOfCall(i)
	return open > 0 && slices.ContainsFunc(c.arguments(open), func(a [2]int) bool { return c.isPassable(a) })
}

// isPassable reports whether tokens a are a lambda, its name, or that of a parameter that one is.
func (c *cxxFile) isPassable(a [2]int) bool {
	if p, end := c.passedAt(a[0]); p != nil && end == a[1] {
		return true
	}
	if c.is(a[0], "[") {
		return true
	}
	if a[1] != a[0]+1 || !c.isWord(a[0]) {
		return false
	}
	at := c.declaredAt(c.toks[a[0]].s, a[0])
	return at >= 0 && c.isLambdaName(at)
}

// isPassed reports whether token j, a lambda or its name, is an argument of the call of a template of functions.
func (c *cxxFile) isPassed(j int) bool {
	if !c.is(j-1, "(") && !c.is(j-1, ",") {
		return false
	}
	open := j - 1
	for open > 0 && !c.is(open, "(") {
		if c.is(open, ";") || c.is(open, "{") || c.is(open, "[") {
			return false
		}
		if open--; c.match[open] >= 0 && c.match[open] < open {
			open = c.match[open] - 1
		}
	}
	return c.templateCalled(c.calledAt(open)) != nil && slices.ContainsFunc(c.arguments(open), func(a [2]int) bool { return a[0] == j && c.isPassable(a) })
}

// calledAt returns the name of what a call calls whose parentheses open there, the token in front of the arguments of a template.
func (c *cxxFile) calledAt(open int) int {
	name := open - 1
	for c.is(open-1, ">") && name > 0 && c.angle(name+1) != open-1 && !c.is(name, ";") && !c.is(name, "{") {
		name--
	}
	return name
}

// passedAt returns the lambda that was passed as the parameter that token i names, or that std::forward<F> or std::move gives, and what follows it; nil if it is none.
func (c *cxxFile) passedAt(i int) (p *cxxPassed, end int) {
	if len(c.passed) == 0 {
		return nil, i
	}
	at, end := i, i+1
	if c.isWord(i, "std") && c.is(i+1, "::") && c.isWord(i+2, "forward", "move") {
		open := i + 3
		if c.is(open, "<") {
			open = c.angle(open) + 1
		}
		if open <= 0 || !c.is(open, "(") || c.match[open] != open+2 {
			return nil, i
		}
		at, end = open+1, c.match[open]+1
	}
	if !c.isWord(at) || c.is(at-1, ".") || c.is(at-1, "->") || c.is(at-1, "::") {
		return nil, i
	}
	if p = c.passed[c.toks[at].s]; p == nil || c.declaredAt(p.name, at) != p.at {
		return nil, i
	}
	return p, end
}

// noteSeen notes that what tokens[from:to] name of p is written.
func (p *cxxPassed) noteSeen(c *cxxFile, from, to int) {
	for j := from; j < to; j++ {
		p.seen[j] = true
	}
}

// callsPassed rewrites the call of a lambda that was passed, which token i begins, and returns what follows the parenthesis; i, if it is none.
func (c *cxxFile) callsPassed(i int) int {
	p, open := c.passedAt(i)
	if p == nil || !c.is(open, "(") {
		return i
	}
	f, why := c.liftedPassed(p, open)
	if why != nil {
		if c.passing != nil {
			c.passing.why = why
		}
		return i
	}
	p.noteSeen(c, i, open)
	var first []string
	for _, v := range p.given {
		first = append(first, v.name)
	}
	text := f.name + "(" + strings.Join(first, ", ")
	if len(first) > 0 && c.match[open] > open+1 {
		text += ", "
	}
	c.edit(i, open+1, text)
	ps := p.in.parameters(p.lambda.open)
	for k, a := range c.arguments(open) {
		if t, ok := p.in.typeAt(ps[k].from); ok && t.reference && t.hasMethods() {
			c.before(a[0], "&(")
			c.behind(a[1]-1, ")")
		}
		c.rewrite(a[0], a[1], false)
	}
	return c.match[open] + 1
}

// liftedPassed returns the function that p becomes for the call whose parentheses open there.
func (c *cxxFile) liftedPassed(p *cxxPassed, open int) (f cxxLifted, why *cxxReason) {
	if len(c.arguments(open)) != len(p.in.parameters(p.lambda.open)) {
		return f, &cxxReason{"it is called with another number of arguments", "give it all of its arguments"}
	}
	return p.lambda.lifted[0], nil
}

// passedNumber returns the type of the number that the call of a lambda that was passed, which token i begins, returns, and what follows the call; ok is false if
// it is no such call.
func (c *cxxFile) passedNumber(i int) (typ string, end int, ok bool) {
	p, open := c.passedAt(i)
	if p == nil || !c.is(open, "(") {
		return "", i, false
	}
	if f, why := c.liftedPassed(p, open); why == nil {
		typ = c.resolved(f.result)
	}
	return typ, c.match[open] + 1, true
}

// passable returns what tokens a, an argument, pass.
func (c *cxxFile) passable(a [2]int) (p *cxxPassed, why *cxxReason) {
	if of, _ := c.passedAt(a[0]); of != nil {
		of.noteSeen(c, a[0], a[1])
		p = &cxxPassed{lambda: of.lambda, in: of.in, home: of.home, given: slices.Clone(of.given)}
		for _, v := range of.given {
			p.texts = append(p.texts, v.name)
		}
		return p, nil
	}
	l, why := c.lambdaPassed(a)
	if why != nil {
		return nil, why
	}
	p = &cxxPassed{lambda: &l, in: c, home: c.homeOf(a[0])}
	if c.hasThis() {
		p.given = append(p.given, cxxCapture{name: "this", at: -1, t: cxxType{text: c.self.cname, pointers: 1}})
		p.texts = append(p.texts, "this")
	}
	for _, v := range l.captures {
		p.given, p.texts = append(p.given, v), append(p.texts, c.passedText(v))
	}
	return p, nil
}

// lambdaPassed returns the lambda that tokens a, an argument, are or name, as a function in C.
func (c *cxxFile) lambdaPassed(a [2]int) (l cxxLambda, why *cxxReason) {
	home := c.homeOf(a[0])
	named := !c.is(a[0], "[")
	if named {
		var ok bool
		if l, ok = c.lambdaOf(a[0]); !ok {
			return l, c.whyUnusable(a[0])
		}
		if name := c.hides(l, a[0]); name != "" {
			return l, &cxxReason{"it names '" + name + "', which is another variable here", "give one of them another name"}
		}
		home = c.homeOf(l.at)
	} else {
		var behind int
		l, behind, _ = c.lambdaFrom(cxxLambda{name: "lambda", at: a[0]}, a[0], false)
		if behind != a[1] {
			return l, &cxxReason{"how it captures, or what it returns, is not read", "capture by [&] or [=], and set no copies"}
		}
		l.end = behind
	}
	if !named || !l.several || c.isGeneric(l) {
		l.several, l.from, l.to, l.lifted = true, l.body+1, c.match[l.body], nil
		if why = c.liftable(&l, home); why == nil {
			why = c.writeLiftedFor(&l, cxxGiven{}, home)
		}
		if why != nil {
			return l, why
		}
	}
	if name := c.copiesParts(l); name != "" && !named {
		return l, &cxxReason{"it holds a copy of '" + name + "'", "let the lambda see it as it is: [&]"}
	}
	return l, nil
}

// whyUnusable returns why the lambda that token i names is not read.
func (c *cxxFile) whyUnusable(i int) *cxxReason {
	u := c.unusableAt(i)
	switch {
	case u != nil && u.why != nil:
		return u.why
	case u != nil:
		return &cxxReason{"it holds a copy of '" + u.changes + "', which may be set later", "declare '" + u.changes + "' const, or let the lambda see it as it is: [&]"}
	}
	return &cxxReason{"its declaration is not read", "write the lambda where it is passed"}
}

// copiesParts returns a vector, an array or an object that l holds a copy of and that is not const, or "".
func (c *cxxFile) copiesParts(l cxxLambda) string {
	for _, v := range l.captures {
		copied := l.all && !slices.Contains(l.seen, v.name) || slices.Contains(l.copies, v.name)
		if copied && v.at >= 0 && !v.t.constant && (v.t.elem != nil || v.byPointer()) {
			return v.name
		}
	}
	return ""
}

// takesValue reports whether token k stands in an argument of a call, whose parentheses open there, of a function or a template of functions of the file that takes
// it as a number or by a const reference, so that it does not set it.
func (c *cxxFile) takesValue(k, open int) bool {
	name := c.calledAt(open)
	if !c.isWord(name) || c.is(k-1, "&") {
		return false
	}
	n := slices.IndexFunc(c.arguments(open), func(a [2]int) bool { return a[0] <= k && k < a[1] })
	it := c.onlyFunction(name)
	t := c.templateCalled(name)
	if t != nil {
		it = &t.item
	}
	if n < 0 || it == nil {
		return false
	}
	ps := it.in.parameters(it.in.parens(*it))
	if n >= len(ps) {
		return false
	}
	if ps[n].constant && ps[n].reference >= 0 {
		return true
	}
	typ := ps[n].typ
	number := typ == "" || numberText(it.in.resolved(typ)) != "" || t != nil && name == open-1 && slices.ContainsFunc(t.params, func(p cxxTemplateParam) bool { return p.name == typ })
	u, _, _ := c.variableAt(k)
	return number && c.numberType(u) != "" && ps[n].reference < 0 && !ps[n].moved
}

// onlyFunction returns the function of the file that token i names, nil if it is none or there are several.
func (c *cxxFile) onlyFunction(i int) *cxxItem {
	if c.is(i-1, ".") || c.is(i-1, "->") || c.is(i-1, "::") || c.self != nil || c.isShared(c.toks[i].s) || c.isLocal(c.declaredAt(c.toks[i].s, i)) {
		return nil
	}
	var found *cxxItem
	for k := range c.items {
		if !slices.Contains(c.items[k].names, c.toks[i].s) {
			continue
		}
		if found != nil || c.items[k].body == 0 || c.items[k].kind != cxxPlain {
			return nil
		}
		found = &c.items[k]
	}
	return found
}
