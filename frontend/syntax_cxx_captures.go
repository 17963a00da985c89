package frontend

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the variables of the function around a lambda that the lambda names, and whether it may set one.

// A cxxCapture is a variable of the function around a lambda that the lambda names: where it is declared, and its type.
type cxxCapture struct {
	name string
	at   int
	t    cxxType
}

// A cxxReason says why a region cannot call a lambda, and what to do about it.
type cxxReason struct{ msg, help string }

// byPointer reports whether what a lambda captures is passed by its address.
func (v cxxCapture) byPointer() bool {
	return v.t.shape != nil && v.t.elem == nil && v.t.pointers == 0
}

// homeOf returns the token with which the function around token i begins, or the declaration outside of functions that it is part of; -1 in a part of a
// file, such as the text of a macro.
func (c *cxxFile) homeOf(i int) int {
	if c.self != nil {
		return c.inside
	}
	for _, it := range c.items {
		if it.from > i || i >= it.to || len(it.in.toks) != len(c.toks) || it.in.toks[it.from].from != c.toks[it.from].from {
			continue
		}
		if c.isWord(it.from, "template") && c.is(it.from+1, "<") {
			return c.angle(it.from+1) + 1
		}
		return it.from
	}
	return -1
}

// capturesOf returns what l names of the function around it, which begins at token home, what the lambdas that it calls name included.
func (c *cxxFile) capturesOf(l cxxLambda, home int) (all []cxxCapture, why *cxxReason) {
	add := func(v cxxCapture) {
		if !slices.ContainsFunc(all, func(o cxxCapture) bool { return o.name == v.name }) {
			all = append(all, v)
		}
	}
	for j := l.open; j < l.end; j++ {
		if !c.isWord(j) || c.is(j-1, ".") || c.is(j-1, "->") || c.is(j-1, "::") || c.is(j+1, "::") {
			continue
		}
		if p, _ := c.passedAt(j); p != nil {
			for _, v := range p.given {
				v.at = -1 // no name of the source
				add(v)
			}
			continue
		}
		if why := c.oddly(c.toks[j].s, home, l); why != nil {
			return nil, why
		}
		called, why := c.capturesOfCalled(j, home)
		if why != nil {
			return nil, why
		}
		for _, v := range called {
			add(v)
		}
		for _, name := range c.namedBy(c.toks[j].s) {
			v, why := c.captured(name, j, l, home)
			if why != nil {
				return nil, why
			}
			if v.at >= 0 {
				add(v)
			}
		}
	}
	return all, nil
}

// capturesOfCalled returns what the lambda that token j names, in another lambda, captures.
func (c *cxxFile) capturesOfCalled(j, home int) (all []cxxCapture, why *cxxReason) {
	m, ok := c.lambdaOf(j)
	if !ok {
		if u := c.unusableAt(j); u != nil && u.why != nil {
			return nil, u.why
		}
		return nil, nil
	}
	if m.at < home {
		return nil, nil
	}
	if all = m.captures; !m.several {
		if all, why = c.capturesOf(m, home); why != nil {
			return nil, why
		}
	}
	for _, v := range all {
		if c.declaredAt(v.name, j) != v.at {
			return nil, &cxxReason{"it calls '" + m.name + "' where '" + v.name + "' is another variable", "give one of them another name"}
		}
	}
	return all, nil
}

// captured returns the variable of the function from token home on that name is at token j, in l: its place is -1 if it is none of that function.
func (c *cxxFile) captured(name string, j int, l cxxLambda, home int) (v cxxCapture, why *cxxReason) {
	v = cxxCapture{name: name, at: c.declaredAt(name, j)}
	if v.at < home || v.at >= l.open || c.isLambdaName(v.at) || !slices.Contains(behindNames, c.toks[v.at+1].s) {
		v.at = -1
		return v, nil
	}
	least := 0
	if c.self != nil {
		least = c.inside
	}
	if v.t, _ = c.declarationOf(name, j, least); v.t.text == "" {
		v.t = c.typeOfMade(v.at)
	}
	switch {
	case c.substitute[name] != "":
		return v, &cxxReason{"it names '" + name + "', which is a reference", "use what it refers to"}
	case v.t.text == "":
		return v, &cxxReason{"the type of '" + name + "', which it names, is not known", "declare '" + name + "' with its type"}
	case v.t.dims != "" && c.namesLocal(v.t.dims, j, home):
		return v, &cxxReason{"it names '" + name + "', an array whose size is no constant", "use a std::vector"}
	}
	return v, nil
}

// behindNames is what may stand behind the name of a variable that is declared; behind that of a type stands something else.
var behindNames = strings.Fields("= ; , ( ) [ { :")

// isLambdaName reports whether token at names a lambda where it is declared.
func (c *cxxFile) isLambdaName(at int) bool { return c.is(at+1, "=") && c.is(at+2, "[") }

// typeOfMade returns the type of the variable that is declared at token at by auto, with text "" if it is not known.
func (c *cxxFile) typeOfMade(at int) cxxType {
	t, known := c.madeTypes[at]
	if !known {
		t = c.findTypeOfMade(at)
		c.madeTypes[at] = t
	}
	return t
}

func (c *cxxFile) findTypeOfMade(at int) (t cxxType) {
	if !c.isWord(at-1, "auto") || !c.is(at+1, "=") {
		return t
	}
	end := min(c.until(at+2, len(c.toks), ";"), c.until(at+2, len(c.toks), ","))
	if slices.ContainsFunc(c.toks[at+2:max(end, at+2)], func(t cxxToken) bool { return t.s == c.toks[at].s }) {
		return t // of itself, which is no C++
	}
	if _, to, u, _ := c.links(at + 2); to == end && u.pointers > 0 {
		return u
	}
	if x := c.expression(at+2, end); x != nil && x.to == end && c.isObject(x.t) {
		x.t.reference, x.t.constant = false, c.isWord(at-2, "const")
		return x.t
	}
	return cxxType{text: c.numberOf(at+2, end), constant: c.isWord(at-2, "const")}
}

// namesLocal reports whether text names what is declared in the function around token j that begins at token home.
func (c *cxxFile) namesLocal(text string, j, home int) bool {
	return slices.ContainsFunc(cxxTokens([]byte(text)), func(t cxxToken) bool {
		return t.kind == cxxWord && c.declaredAt(t.s, j) >= home
	})
}

// oddly returns why l cannot be lifted for what the function around it declares by name, a type or what has no type that is read.
func (c *cxxFile) oddly(name string, home int, l cxxLambda) *cxxReason {
	for j := home; j < l.end; j++ {
		if !c.isWord(j, name) || j < l.open && !c.inScope(j, l.open) {
			continue
		}
		inner := l.open < j
		switch {
		case c.isWord(j-1, "using", "class", "struct", "enum", "union") && !c.isWord(j+1), c.isTypedef(j), c.isEnumerator(j, home):
			return &cxxReason{"it uses '" + name + "', which is declared in the function", "declare '" + name + "' outside of it"}
		case (c.is(j-1, "*") || c.is(j-1, "&")) && c.is(j-2, "(") && c.isWord(j-3) && c.types[c.toks[j-3].s] && c.is(j+1, ")"), !inner && c.isBinding(j):
			return &cxxReason{"the type of '" + name + "', which it names, is not known", "declare '" + name + "' with its type"}
		}
	}
	return nil
}

// isTypedef reports whether token j is in a typedef.
func (c *cxxFile) isTypedef(j int) bool {
	for j > 0 && !c.is(j, ";") && !c.is(j, "{") && !c.is(j, "}") && c.toks[j].kind != cxxDirective {
		if j--; c.isWord(j, "typedef") {
			return true
		}
	}
	return false
}

// isEnumerator reports whether token j stands in the braces of an enumeration of the function that begins at token home.
func (c *cxxFile) isEnumerator(j, home int) bool {
	for k := j; k > home && !c.is(k, ";"); k-- {
		if c.is(k, "{") && c.match[k] > j {
			for k--; k > home && (c.isWord(k) || c.is(k, ":")); k-- {
				if c.isWord(k, "enum") {
					return true
				}
			}
			return false
		}
	}
	return false
}

// isBinding reports whether token j is a name of a structured binding: auto [a, b] = c.
func (c *cxxFile) isBinding(j int) bool {
	for j > 0 && (c.isWord(j) || c.is(j, ",")) {
		j--
	}
	return c.is(j, "[") && (c.isWord(j-1, "auto") || c.is(j-1, "&") && c.isWord(j-2, "auto") || c.is(j-1, "&&"))
}

// macros returns the texts that the file gives the macro called name.
func (c *cxxFile) macros(name string) (texts [][]cxxToken) {
	for _, t := range c.toks {
		if t.kind != cxxDirective {
			continue
		}
		if head := defineOf.FindString(t.s); head != "" && strings.Fields(strings.SplitN(head, "(", 2)[0][1:])[1] == name {
			texts = append(texts, cxxTokens([]byte(t.s[len(head):])))
		}
	}
	return texts
}

// namedBy returns what name names: itself, or, if it is a macro, what stands in its text.
func (c *cxxFile) namedBy(name string) []string {
	names := []string{name}
	for k := 0; k < len(names) && k < 100; k++ {
		for _, text := range c.macros(names[k]) {
			for _, t := range text {
				if t.kind == cxxWord && !slices.Contains(names, t.s) {
					names = append(names, t.s)
				}
			}
		}
	}
	return names
}

// setBy returns a variable that l captures as a value and that it may set, or ""; values are the names of its captures and parameters that are such.
func (c *cxxFile) setBy(l cxxLambda, values map[string]bool) string {
	for j := l.from; j < l.to; j++ {
		if c.isWord(j) && values[c.toks[j].s] && !c.is(j-1, ".") && !c.is(j-1, "->") && (c.declares(j) < 0 || c.is(j-1, "&")) && c.mayChange(j) {
			return c.toks[j].s
		}
	}
	return ""
}

// mayChange reports whether what stands around token k, a variable, may set it or a part of it.
func (c *cxxFile) mayChange(k int) bool {
	from, to := k, k+1
	if c.is(to, ".") && c.isWord(to+1, "size") && c.is(to+2, "(") {
		return false
	}
	for c.is(to, "[") || (c.is(to, ".") || c.is(to, "->")) && c.isWord(to+1) {
		if c.is(to, "[") {
			to = c.match[to]
		} else {
			to++
		}
		to++
	}
	for c.is(from-1, "(") && c.match[from-1] == to && !c.isWord(from-2) && !c.is(from-2, "]") && !c.is(from-2, ")") && !c.is(from-2, ">") {
		from, to = from-1, to+1
	}
	switch {
	case c.isAssignment(to), c.is(to, "++"), c.is(to, "--"), c.is(from-1, "++"), c.is(from-1, "--"):
		return true
	case c.is(from-1, "&"):
		return !c.isWord(from-2) && !c.is(from-2, ")") && !c.is(from-2, "]") && c.toks[from-2].kind != cxxNumber || c.isWord(from-2, "return")
	case c.is(to, "(") && to > k+1, c.is(to, ".") || c.is(to, "->"):
		return true
	case (c.is(from-1, "(") || c.is(from-1, ",")) && (c.is(to, ")") || c.is(to, ",")):
		return c.callSets(k)
	case c.is(from-1, "=") && c.isWord(from-2) && (c.is(from-3, "&") || c.is(from-3, "&&")):
		start := c.declares(from - 2)
		return start < 0 || !slices.ContainsFunc(c.toks[start:from-2], func(t cxxToken) bool { return t.s == "const" })
	}
	return false
}

// changesParts reports whether an element or a member of the variable called name, declared at token at, which l holds a copy of, may be set after l is
// made, or may be known by another name.
func (c *cxxFile) changesParts(l cxxLambda, name string, at int) bool {
	for k := at + 1; k < len(c.toks) && c.inScope(at, k); k++ {
		if l.at < k && k < l.end || !c.isWord(k, name) || c.is(k-1, ".") || c.is(k-1, "->") || c.declares(k) >= 0 {
			continue
		}
		alias := c.is(k-1, "&") || c.is(k-1, "=") && c.is(k-3, "&") || c.is(k+1, ".") && c.isWord(k+2, "data", "begin", "end")
		if alias || k >= l.end && (c.mayChange(k) || c.setHere(k)) {
			return true
		}
	}
	return false
}

// callSets reports whether the call of which token k begins an argument may set what that names: it may unless what is called is known.
func (c *cxxFile) callSets(k int) bool {
	open := k - 1
	for open > 0 && !(c.is(open, "(") || c.is(open, "{") || c.is(open, "[")) || c.match[open] < k {
		if open--; c.match[open] >= 0 && c.match[open] < open {
			open = c.match[open] - 1
		}
	}
	name := c.toks[max(open-1, 0)].s
	switch {
	case c.is(open, "{"), c.is(open, "["), !c.isWord(open-1) && !c.is(open-1, ">") && !c.is(open-1, "]") && !c.is(open-1, ")"):
		return false
	case c.is(open-1, ">"):
		before := open - 1
		for before > 0 && !c.is(before, "<") && !c.is(before, ";") {
			before--
		}
		return !c.isWord(before-1, "static_cast", "max", "min", "clamp")
	case !c.isWord(open - 1):
		return true
	case c.isWord(open-1, "if", "while", "for", "switch", "return", "sizeof"), c.types[name], c.isLambda(open - 1):
		return false
	}
	if p, _ := c.passedAt(open - 1); p != nil {
		return false
	}
	return c.namedSets(name, open, k)
}

// namedSets reports whether a call of what is called name, whose parentheses open there, may set its argument that begins with token k.
func (c *cxxFile) namedSets(name string, open, k int) bool {
	known := false
	for _, k := range c.shapes {
		for _, m := range k.methods {
			if m.name != name && (m.name != "call" || c.declaredAt(name, open) < 0) {
				continue
			}
			known = true
			if slices.ContainsFunc(k.in.parameters(m.open), func(p cxxParam) bool { return p.reference >= 0 && !p.constant }) {
				return true
			}
		}
	}
	for _, it := range c.items {
		if !slices.Contains(it.names, name) || it.body == 0 {
			continue
		}
		known = true
		if slices.ContainsFunc(it.in.parameters(it.in.parens(it)), func(p cxxParam) bool { return p.reference >= 0 && !p.constant }) {
			return true
		}
	}
	if texts := c.macros(name); len(texts) > 0 {
		return !slices.ContainsFunc(texts, func(text []cxxToken) bool { return c.computes(text) })
	}
	_, computable := scop.Computable(name)
	switch {
	case c.functions[name] || c.templates[name] != nil:
		return c.isGivenByReference(k)
	case known, computable:
		return false
	}
	return !slices.Contains([]string{"max", "min", "abs", "clamp"}, name)
}

// setByMacro returns a macro that l uses and by which it may set a variable, or "".
func (c *cxxFile) setByMacro(l cxxLambda) string {
	values := l.values()
	for j := l.from; j < l.to; j++ {
		if !c.isWord(j) {
			continue
		}
		for _, name := range c.namedBy(c.toks[j].s) {
			for _, text := range c.macros(name) {
				named := slices.ContainsFunc(text, func(t cxxToken) bool { return values[t.s] })
				if named && !c.computes(text) || slices.ContainsFunc(text, isSetting) {
					return name
				}
			}
		}
	}
	return ""
}

// isSetting reports whether t is an operator that sets what stands beside it.
func isSetting(t cxxToken) bool {
	return t.kind == cxxPunct && (strings.HasSuffix(t.s, "=") && !slices.Contains([]string{"==", "<=", ">=", "!="}, t.s) || t.s == "++" || t.s == "--")
}

// computes reports whether the text of a macro does nothing but arithmetic.
func (c *cxxFile) computes(text []cxxToken) bool {
	for j, t := range text {
		if isSetting(t) || t.kind == cxxPunct && (t.s == "&" || t.s == "{") {
			return false
		}
		if t.kind == cxxWord && j+1 < len(text) && text[j+1].s == "(" && !c.types[t.s] {
			return false
		}
	}
	return true
}

// neededByLambdas adds what lambdas of the function it name that are needed.
func (c *cxxFile) neededByLambdas(it cxxItem, needed map[string]bool) {
	for j := it.to - 1; j > it.body; j-- { // those that are called stand before
		if l, ok := c.lambdaAt(j); ok && needed[l.name] {
			c.words(l.open, l.end, func(w string) { needed[w] = true })
		}
	}
}
