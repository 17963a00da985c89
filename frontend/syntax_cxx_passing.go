package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes templates of functions for the lambdas that calls pass to them (syntax_cxx_passed.go), in front of the function around the call.

// writePassing writes the template t for the lambdas that the call of it which token i names passes, rewrites the call, and returns what follows it.
func (c *cxxFile) writePassing(t *cxxTemplate, i int) (end int, why *cxxReason) {
	home := c.homeOf(i)
	switch {
	case home < 0:
		return i, &cxxReason{"it is part of a macro", "write the call without the macro"}
	case c.passing.depth > maxPassed:
		return i, &cxxReason{"it is passed on too often", "call it in a loop"}
	}
	if why := c.staysAlike(t, home); why != nil {
		return i, why
	}
	open := c.parensOfCall(i)
	of, args := t.item.in, c.arguments(open)
	ps := of.parameters(of.parens(t.item))
	if len(args) != len(ps) {
		return i, &cxxReason{"the call leaves arguments out", "give all of them"}
	}
	passed := map[string]*cxxPassed{}
	all := make([]*cxxPassed, len(args))
	for k, a := range args {
		if !c.isPassable(a) {
			continue
		}
		typ, at := of.passedTo(t, ps[k])
		if at < 0 {
			return i, &cxxReason{"parameter " + fmt.Sprintf("%d", k+1) + " is not 'F f', 'F &&f' or 'const F &f'", "write the parameter so, for a parameter F of the template"}
		}
		p, why := c.passable(a)
		if why != nil {
			return i, why
		}
		p.at, p.name, p.typ, p.seen = at, of.toks[at].s, typ, map[int]bool{}
		for n := range p.given {
			p.given[n].name = p.name + "__" + p.given[n].name
		}
		passed[p.name], all[k] = p, p
	}
	for _, p := range byName(passed) {
		if name := p.aliased(t); name != "" {
			return i, &cxxReason{"'" + c.toks[i].s + "' sets something, which '" + name + "' may refer to", "give the lambda a copy of another name"}
		}
	}
	for k, a := range args {
		if name := c.setsCaptured(a, of, ps[k], passed); all[k] == nil && name != "" {
			return i, &cxxReason{"'" + c.toks[i].s + "' may set '" + name + "', which the lambda names", "give the lambda a copy of another name"}
		}
	}
	values, why := c.templateArguments(t, i, passed)
	if why != nil {
		return i, why
	}
	name, references, why := c.passedInstance(t, values, passed, home)
	if why != nil {
		return i, why
	}
	c.edit(i, open+1, name+"(")
	for k, a := range args {
		switch {
		case all[k] != nil && len(all[k].texts) == 0:
			c.edit(a[0], a[1], "0")
		case all[k] != nil:
			c.edit(a[0], a[1], strings.Join(all[k].texts, ", "))
		default:
			c.passReference(references, k, a)
			c.rewrite(a[0], a[1], false)
		}
		if l := all[k]; l != nil && c.isWord(a[0]) && l.in == c {
			c.called = append(c.called, cxxCall{l.lambda.name, c.toks[a[0]].from, c.toks[l.lambda.at].from})
		}
	}
	return c.match[open] + 1, nil
}

// byName returns lambdas that are passed in the order of the names that they have in the template, so that what is said of them is always the same.
func byName(passed map[string]*cxxPassed) (all []*cxxPassed) {
	for _, name := range slices.Sorted(maps.Keys(passed)) {
		all = append(all, passed[name])
	}
	return all
}

// staysAlike returns why t would mean something else in front of the function that begins at token home, nil if it would not.
func (c *cxxFile) staysAlike(t *cxxTemplate, home int) *cxxReason {
	of, it := t.item.in, t.function()
	move := &cxxReason{"a directive stands around the template or in it, or changes a macro that it uses", "write the template without the directive"}
	if !c.sameText(of) { // where loops stand tells what is written of them
		return &cxxReason{"the template is in another file", "move the template into this file"}
	}
	if of.around(it) {
		return &cxxReason{"a region is in the template", "put the region around the call"}
	}
	for j := it.from; j < it.to; j++ {
		if of.toks[j].kind == cxxDirective && directiveWord([]byte(of.toks[j].s)) != "pragma" {
			return move
		}
		if of.isWord(j, "static") && j > it.body {
			return &cxxReason{"a variable of the template is static", "pass the variable by reference"}
		}
	}
	depth := 0
	for j := range of.toks[:it.from] {
		switch word := of.directiveAt(j); {
		case strings.HasPrefix(word, "if") && !of.isGuard(j):
			depth++
		case word == "endif" && depth > 0:
			depth--
		}
	}
	if depth > 0 {
		return move
	}
	from, to := min(it.to, home), max(it.to, home)
	for j := from; j < to; j++ {
		if word := c.directiveAt(j); word != "define" && word != "undef" {
			continue
		}
		name := strings.Fields(strings.NewReplacer("(", " ", "#", " ").Replace(c.toks[j].s) + " ? ?")[1]
		if slices.ContainsFunc(of.toks[it.from:it.to], func(t cxxToken) bool { return t.s == name }) {
			return move
		}
	}
	return nil
}

// sameText reports whether c and of are the same file.
func (c *cxxFile) sameText(of *cxxFile) bool {
	return len(c.text) == len(of.text) && len(c.text) > 0 && &c.text[0] == &of.text[0]
}

// directiveAt returns the word of the directive that token j is, "" if it is none.
func (c *cxxFile) directiveAt(j int) string {
	if c.toks[j].kind != cxxDirective {
		return ""
	}
	return directiveWord([]byte(c.toks[j].s))
}

// isGuard reports whether token j begins what keeps a header from being read twice.
func (c *cxxFile) isGuard(j int) bool {
	return c.directiveAt(j) == "ifndef" && j == 0 && len(c.toks) > 1 && c.directiveAt(1) == "define"
}

// passedTo returns the parameter of t that is the type of p, a parameter of the function, and where the name of p stands; -1 if p cannot be a lambda.
func (c *cxxFile) passedTo(t *cxxTemplate, p cxxParam) (typ string, at int) {
	at = -1
	for j := p.from; j < p.to; j++ {
		switch {
		case c.isWord(j, "const"), c.is(j, "&"), c.is(j, "&&"):
		case typ == "" && c.isWord(j) && slices.ContainsFunc(t.params, func(q cxxTemplateParam) bool { return q.typ && q.name == c.toks[j].s }):
			typ = c.toks[j].s
		case typ != "" && at < 0 && c.isWord(j):
			at = j
		default:
			return "", -1
		}
	}
	return typ, at
}

// setsCaptured returns a variable that a lambda which is passed captures as a value, and that the function may set by its parameter p, for which it is given
// tokens a; "" if there is none.
func (c *cxxFile) setsCaptured(a [2]int, of *cxxFile, p cxxParam, passed map[string]*cxxPassed) string {
	if p.constant {
		return ""
	}
	pointer := slices.ContainsFunc(of.toks[p.from:p.to], func(t cxxToken) bool { return t.s == "*" || t.s == "[" || t.s == "vector" })
	if p.reference < 0 && !pointer && !p.moved && !c.is(a[0], "&") {
		return ""
	}
	for _, l := range byName(passed) {
		for k, v := range l.given {
			if v.byPointer() || v.t.elem != nil || k == 0 && l.texts[0] == "this" {
				continue
			}
			for j := a[0]; j < a[1]; j++ {
				if c.isWord(j, l.texts[k]) && (v.t.pointers == 0 || !pointer || c.is(j-1, "&")) {
					return l.texts[k]
				}
			}
		}
	}
	return ""
}

// aliased returns something that p captures as a value and that may be what t sets, as an element or by a pointer, or "".
func (p *cxxPassed) aliased(t *cxxTemplate) string {
	it := t.function()
	if !t.item.in.changesAny(it) && !t.item.in.stores(cxxLambda{from: it.body, to: it.to}) {
		return ""
	}
	for k, v := range p.given {
		of := cxxCapture{name: p.texts[k], at: v.at}
		if !v.byPointer() && v.t.elem == nil && v.t.pointers == 0 && (v.t.reference || v.at >= 0 && p.in.isAliased(of, p.home)) {
			return of.name
		}
	}
	return ""
}

// templateArguments returns the arguments of t, whose call token i names, in C: "" for the types of lambdas that are passed.
func (c *cxxFile) templateArguments(t *cxxTemplate, i int, passed map[string]*cxxPassed) (args []string, why *cxxReason) {
	args = make([]string, len(t.params))
	open := c.parensOfCall(i)
	if c.is(i+1, "<") {
		k := 0
		for from := i + 2; from < open-1; k++ {
			to := min(c.until(from, open-1, ","), open-1)
			if k == len(args) {
				return nil, &cxxReason{"it has more arguments than parameters", "leave the arguments of the template out"}
			}
			args[k] = c.argumentText(t.params[k], from, to)
			from = to + 1
		}
	}
	for k, p := range t.params {
		n := 0
		for _, l := range passed {
			if l.typ == p.name {
				n++
			}
		}
		switch {
		case n > 1 || n == 1 && args[k] != "":
			return nil, &cxxReason{"of '" + p.name + "' it follows from more than one argument", "give each lambda a parameter of the template of its own"}
		case n == 1:
			continue
		case args[k] == "" && p.typ:
			args[k] = c.deduced(t, p.name, open)
		}
		if args[k] == "" {
			args[k] = p.value
		}
		if args[k] == "" || len(args[k]) > maxArgument {
			return nil, &cxxReason{"what '" + p.name + "' of the template is here is not known", "give it variables whose types are declared"}
		}
	}
	return args, nil
}

// passedInstance writes t, with arguments and for lambdas that are passed, in front of the function that begins at token home, and returns its name and which of its
// parameters are pointers in C.
func (c *cxxFile) passedInstance(t *cxxTemplate, args []string, passed map[string]*cxxPassed, home int) (name string, references []cxxReference, why *cxxReason) {
	name = t.item.names[0] + "__passed"
	for c.lifted[name] {
		name += "_"
	}
	c.lifted[name] = true
	it := t.function()
	sub := t.item.in.with(t, args)
	sub.passed, sub.passing, sub.lifted = passed, c.passing, c.lifted
	sub.snapshots, sub.claims, sub.called, sub.refusals = c.snapshots, c.claims, c.called, c.refusals
	references = slices.DeleteFunc(sub.referencesOf(it), func(r cxxReference) bool { return passed[r.name] != nil })
	sub.references = maps.Clone(sub.references)
	sub.references[it.names[0]] = references
	open := sub.parens(it)
	sub.edit(open-1, open, name)
	sub.function(it)
	c.snapshots, c.claims, c.called, c.refusals = sub.snapshots, sub.claims, sub.called, sub.refusals
	if c.passing.why != nil {
		return "", nil, c.passing.why
	}
	for _, p := range byName(passed) {
		if why := sub.isOnlyCalled(p, t, open); why != nil {
			return "", nil, why
		}
	}
	text, parts, ok := sub.onLine(sub.toks[it.from].from, sub.toks[it.to-1].to, sub.edits)
	if !ok {
		return "", nil, &cxxReason{"a directive stands around the template or in it, or changes a macro that it uses", "write the template without the directive"}
	}
	at := c.toks[home].from
	c.edits = append(c.edits, cxxEdit{from: at, to: at, text: text + " ", parts: parts})
	return name, references, nil
}

// isOnlyCalled returns what t does with p beside calling it and passing it on, nil if there is nothing.
func (c *cxxFile) isOnlyCalled(p *cxxPassed, t *cxxTemplate, open int) *cxxReason {
	for j := t.head; j < t.item.to; j++ {
		named := c.isWord(j, p.name) || c.isWord(j, p.typ)
		if named && !p.seen[j] && !(open < j && j <= p.at) && !c.is(j-1, ".") && !c.is(j-1, "->") {
			return &cxxReason{"'" + t.item.names[0] + "' does more with '" + c.toks[j].s + "' than call it", "call it, as in " + p.name + "(i), or pass it on to a template"}
		}
	}
	return nil
}

// passedParameter rewrites parameter p of a function, if that is a lambda which was passed; it reports whether it is.
func (c *cxxFile) passedParameter(p cxxParam) bool {
	l := c.passed[p.name]
	if l == nil || l.at < p.from || l.at >= p.to {
		return false
	}
	var params []string
	for _, v := range l.given {
		c.vectors[v.name] = c.vectors[v.name] || v.t.elem != nil && v.t.dims == ""
		params = append(params, v.inC())
	}
	if params == nil {
		params = []string{"int " + p.name + "__none"}
	}
	c.edit(p.from, p.to, strings.Join(params, ", "))
	return true
}

// ahead keeps of edits those in front of the offset start, which are functions in front of the one around it, for c, and returns the others.
func (c *cxxFile) ahead(edits []cxxEdit, start int) (inner []cxxEdit) {
	for _, e := range edits {
		if e.from < start {
			c.edits = append(c.edits, e)
		} else {
			inner = append(inner, e)
		}
	}
	return inner
}
