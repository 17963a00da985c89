package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file lifts lambdas that do more than return a value: they become functions in C, in front of the function around them, with a parameter
// for each variable of it that they name.
//
//	auto lap = [&](int i) {                       static inline double lap__lifted(double *u, int n, int i) {
//	    const int w = (i + n - 1) % n;                const int w = (i + n - 1) % n;
//	    return u[w] - u[i];                    =>     return u[w] - u[i];
//	};                                            }
//	v[i] = lap(i);                                v[i] = lap__lifted(u, n, i);
//
// Numbers are passed as values, so the lambda must set none of them.

// liftedNote says which lambdas are lifted.
const liftedNote = "allowed: lambdas that set no variable but their own, whose parameters and what they return have types that are known"

// A cxxLifted is a function in C that a lambda became, for parameters of these types.
type cxxLifted struct {
	name   string
	types  string
	result string
}

// lift writes the functions that l becomes, whose declaration begins with token i, and returns what follows it; i if it becomes none.
func (c *cxxFile) lift(i int, l cxxLambda) int {
	home := c.homeOf(i)
	if home < 0 || !c.isCalled(l, home) {
		return i
	}
	if c.noteForced(i, l) {
		return i
	}
	if l.why = c.liftable(&l, home); l.why == nil {
		l.why = c.writeLifted(&l, home)
	}
	if l.why != nil {
		c.unusable = append(c.unusable, l)
		return i
	}
	c.lambdas = append(c.lambdas, l)
	c.edit(i, l.end, ";")
	c.optional = append(c.optional, [2]int{c.toks[i].from, c.toks[l.end-1].to})
	return l.end
}

// writeLifted writes l as functions, one for each list of types that its calls give, in front of the function that begins at token home.
func (c *cxxFile) writeLifted(l *cxxLambda, home int) *cxxReason {
	all := []cxxGiven{{}}
	if c.isGeneric(*l) {
		all = c.givenTo(*l)
	}
	for _, g := range all {
		if why := c.writeLiftedFor(l, g, home); why != nil {
			return why
		}
	}
	return nil
}

// writeLiftedFor writes l as a function, for parameters of the types g, in front of the function that begins at token home.
func (c *cxxFile) writeLiftedFor(l *cxxLambda, g cxxGiven, home int) *cxxReason {
	name := l.name + "__lifted"
	for c.lifted[name] {
		name += "_"
	}
	sub := c.taking(*l, g)
	head, why := sub.liftedHead(*l, name)
	if why != nil {
		return why
	}
	c.lifted[name] = true
	result, _ := sub.liftedResult(*l)
	l.lifted = append(l.lifted, cxxLifted{name, g.key(), result})
	if sub.passing == nil {
		sub.passing = &cxxPassing{}
	}
	sub.bodyWith(l.body, c.match[l.body]+1, sub.pointed)
	if sub.passing.why != nil {
		return sub.passing.why
	}
	c.vectors, c.snapshots, c.claims, c.called, c.refusals = sub.vectors, sub.snapshots, sub.claims, sub.called, sub.refusals
	if !c.insertLifted(*l, home, head, sub.edits) {
		return &cxxReason{"a directive stands before it in the function, or in it", "move it in front of the function"}
	}
	return nil
}

// insertLifted puts head and the body of l, with edits, in front of token home.
func (c *cxxFile) insertLifted(l cxxLambda, home int, head string, edits []cxxEdit) bool {
	start, end := c.toks[l.body].from, c.toks[c.match[l.body]].to
	text, parts, ok := c.onLine(start, end, c.ahead(edits, start))
	if !ok {
		return false
	}
	at := c.toks[home].from
	c.edits = append(c.edits, cxxEdit{from: at, to: at, text: head + text + " ", parts: shifted(parts, len(head))})
	return true
}

// liftedHead returns the head of the function that l becomes, whose name is given.
func (c *cxxFile) liftedHead(l cxxLambda, name string) (string, *cxxReason) {
	result, ok := c.liftedResult(l)
	if !ok {
		return "", &cxxReason{"what type it returns is not known", "write '-> double' behind its parameters, or another type"}
	}
	var params []string
	if c.hasThis() {
		params = append(params, c.self.cname+" *this")
	}
	for _, v := range l.captures {
		params = append(params, v.inC())
	}
	for k, p := range c.parameters(l.open) {
		t, known := c.typeAt(p.from)
		if known && t.end == p.to { // it has no name
			p.name = fmt.Sprintf("hexcc_%d", k)
		}
		if p.value > 0 {
			return "", &cxxReason{"calls may leave '" + p.name + "' out", "give it in all calls"}
		}
		if !known || t.dims != "" || p.array || p.name == "" || (t.elem != nil || t.shape != nil && t.pointers == 0) && !t.reference {
			return "", &cxxReason{"of parameter '" + p.name + "' no type is known that C has", "write its type, such as 'const std::vector<double> &'"}
		}
		params = append(params, cxxParameter(t)+p.name)
	}
	if params == nil {
		params = []string{"void"}
	}
	return "static inline " + result + " " + name + "(" + strings.Join(params, ", ") + ") ", nil
}

// cxxParameter returns a parameter of type t in C, without its name.
func cxxParameter(t cxxType) string {
	text := t.inC()
	if t.reference && t.hasMethods() { // others are not set
		text += "*"
	}
	if t.constant && (t.pointers > 0 || t.elem != nil) && !t.isRows() {
		return "const " + text
	}
	return text
}

// inC returns v as a parameter in C.
func (v cxxCapture) inC() string {
	switch {
	case v.byPointer():
		return v.t.text + " *" + v.name
	case v.t.dims != "":
		return v.t.text + " " + strings.Repeat("*", v.t.pointers) + v.name + v.t.dims
	}
	t := v.t
	t.reference = false
	return cxxParameter(t) + v.name
}

// liftedResult returns the type of what l returns, in C.
func (c *cxxFile) liftedResult(l cxxLambda) (string, bool) {
	if l.result.text != "" {
		return strings.TrimSpace(l.result.inC()), true
	}
	found := ""
	for j := l.from; j < l.to; j++ {
		if c.is(j, "[") && c.isPassed(j) { // what another lambda returns
			j = c.until(j, l.to, "{")
			j = c.match[j]
		}
		if !c.isWord(j, "return") {
			continue
		}
		t := "void"
		if end := c.until(j+1, l.to, ";"); end > j+1 {
			t = c.numberOf(j+1, end)
		}
		if t == "" || found != "" && numberText(t) != numberText(found) {
			return "", false
		}
		found = t
	}
	if found == "" {
		found = "void"
	}
	return found, true
}

// lambdaNumber returns the type of the number that the call of l, whose name is token i, returns, "" if it is not known.
func (c *cxxFile) lambdaNumber(l cxxLambda, i int) string {
	switch {
	case l.result.text != "":
		return c.numberType(l.result)
	case !l.several:
		return c.numberOf(l.from, l.to)
	}
	g, ok := c.given(l, i+1)
	for _, f := range l.lifted {
		if ok && g.key() == f.types {
			return c.resolved(f.result)
		}
	}
	return ""
}

// hasThis reports whether the function in which c is has an object, this.
func (c *cxxFile) hasThis() bool {
	return c.self != nil && !slices.ContainsFunc(c.self.def.methods, func(m cxxMethod) bool { return m.from == c.inside && m.static })
}

// liftedCall rewrites the call of l, whose name is token i, and returns what follows; i, if it cannot be called so.
func (c *cxxFile) liftedCall(i int, l cxxLambda) int {
	args, ps := c.arguments(i+1), c.parameters(l.open)
	name := ""
	for _, f := range l.lifted {
		if g, ok := c.given(l, i+1); ok && g.key() == f.types {
			name = f.name
		}
	}
	if hidden := c.hides(l, i); hidden != "" {
		c.refuse(i, "it is given what it names where it is called", "give one of them another name", "lambda '%s' names '%s', which is another variable here", l.name, hidden)
		return i
	}
	if name == "" || len(args) != len(ps) || c.hasEffect(i+1, c.match[i+1]) || c.setBy(cxxLambda{from: i + 2, to: c.match[i+1]}, l.values()) != "" {
		c.refuse(i, liftedNote, "give it numbers, vectors or objects whose types are declared, and set nothing among them", "what lambda '%s' is given here cannot be passed in C", l.name)
		return i
	}
	var first []string
	if c.hasThis() {
		first = append(first, "this")
	}
	for _, v := range l.captures {
		first = append(first, c.passedText(v))
	}
	text := name + "(" + strings.Join(first, ", ")
	if len(first) > 0 && len(args) > 0 {
		text += ", "
	}
	c.edit(i, i+2, text)
	in := c.taking(l, cxxGiven{})
	if g, ok := c.given(l, i+1); ok {
		in = c.taking(l, g)
	}
	for k, a := range args {
		if t, ok := in.typeAt(ps[k].from); ok && t.reference && t.hasMethods() {
			c.before(a[0], "&(")
			c.behind(a[1]-1, ")")
		}
		c.rewrite(a[0], a[1], false)
	}
	c.called = append(c.called, cxxCall{l.name, c.toks[i].from, c.toks[l.at].from})
	return c.match[i+1] + 1
}

// values returns the names of what l captures as values.
func (l cxxLambda) values() map[string]bool {
	values := map[string]bool{}
	for _, v := range l.captures {
		values[v.name] = !v.byPointer()
	}
	return values
}

// passedText returns v in C as a call passes it.
func (c *cxxFile) passedText(v cxxCapture) string {
	name := v.name
	if c.pointed[name] {
		name = "(*" + name + ")"
	}
	if v.byPointer() {
		return "&(" + name + ")"
	}
	return name
}

// taking returns c, without edits, in the function that l becomes for parameters of the types g.
func (c *cxxFile) taking(l cxxLambda, g cxxGiven) *cxxFile {
	sub := *c
	sub.edits, sub.substitute, sub.pointed = nil, maps.Clone(c.substitute), map[string]bool{}
	if sub.substitute == nil {
		sub.substitute = map[string]string{}
	}
	for j := l.open; j < l.end; j++ {
		if c.isWord(j) && slices.Contains(behindNames, c.toks[j+1].s) && c.declares(j) >= 0 {
			delete(sub.substitute, c.toks[j].s)
		}
	}
	g.declare(&sub)
	for _, v := range l.captures {
		sub.pointed[v.name] = v.byPointer()
	}
	for _, p := range sub.parameters(l.open) {
		t, _ := sub.typeAt(p.from)
		sub.pointed[p.name] = t.reference && t.hasMethods()
		if t.elem != nil && t.dims == "" {
			sub.vectors[p.name] = true
		}
	}
	return &sub
}

// capturesAt returns what the lambda that token j names captures, if that is read.
func (c *cxxFile) capturesAt(j int) []cxxCapture {
	l, ok := c.lambdaOf(j)
	if !ok || l.several {
		return l.captures
	}
	all, _ := c.capturesOf(l, c.homeOf(l.at))
	return all
}
