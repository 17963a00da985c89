package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file puts what a lambda returns in the place of its calls: const auto at = [=](int i, int j) { return i * n + j; }.

// A cxxLambda is a lambda that a variable holds.
type cxxLambda struct {
	name     string
	at, end  int // the name, and what follows the declaration
	open     int // of its parameters
	from, to int // what it returns
	result   cxxType
	copies   []string // what it holds copies of; of other variables it sees what they hold where it is called
	seen     []string // of these, by their names, it holds none
	all      bool     // it holds copies of all that it names but seen
	changes  string   // of those, what may be set after it is made
	several  bool     // it does more than return a value, and becomes a function (syntax_cxx_lifted.go)
	body     int      // its brace
	captures []cxxCapture
	lifted   []cxxLifted
	why      *cxxReason // it becomes none
}

// A cxxCall is a call of what has no name in C: its offset in the source, and where its name is declared.
type cxxCall struct {
	name         string
	at, declared int
}

// lambdaAt returns the lambda whose declaration token i begins; ok is false if there is none, or one that is not read.
func (c *cxxFile) lambdaAt(i int) (l cxxLambda, ok bool) {
	if c.isWord(i-1, "const", "constexpr", "static") {
		return l, false // the declaration begins before
	}
	static := false
	for c.isWord(i, "const", "constexpr", "static") || c.is(i, "[") && c.is(i+1, "[") {
		if c.is(i, "[") {
			i = c.match[i]
		}
		static = static || c.isWord(i, "static")
		i++
	}
	if !c.isWord(i, "auto") || !c.isWord(i+1) || !c.is(i+2, "=") || !c.is(i+3, "[") || c.is(i+4, "[") {
		return l, false
	}
	l.name, l.at = c.toks[i+1].s, i+1
	l, behind, ok := c.lambdaFrom(l, i+3, static)
	if !ok || !c.is(behind, ";") {
		return l, false
	}
	l.end = behind + 1
	if l.several {
		return l, true
	}
	for _, p := range c.parameters(l.open) {
		t, known := c.typeAt(p.from)
		if p.value > 0 || p.array || !known && !c.isWord(p.from, "auto") && !(c.isWord(p.from, "const") && c.isWord(p.from+1, "auto")) || (t.shape != nil || t.elem != nil) && !t.reference {
			return l, false
		}
	}
	return l, true
}

// lambdaFrom reads the lambda l, whose captures open there, and returns what follows it; static says that its variable is.
func (c *cxxFile) lambdaFrom(l cxxLambda, open int, static bool) (of cxxLambda, behind int, ok bool) {
	close := c.match[open]
	if static && close > open+1 {
		return l, open, false // it keeps what it captures when the function is called first
	}
	for from := open + 1; from < close; {
		to := c.until(from, close, ",")
		switch {
		case to == from+1 && c.is(from, "="):
			l.all = true
		case to == from+1 && (c.is(from, "&") || c.isWord(from, "this")):
		case to == from+2 && c.is(from, "&") && c.isWord(from+1):
			l.seen = append(l.seen, c.toks[from+1].s)
		case to == from+1 && c.isWord(from):
			l.copies = append(l.copies, c.toks[from].s)
		default:
			return l, open, false
		}
		from = to + 1
	}
	if l.open = close + 1; !c.is(l.open, "(") {
		return l, open, false
	}
	j := c.match[l.open] + 1
	for c.isWord(j, "noexcept", "constexpr") {
		j++
	}
	if c.is(j, "->") {
		t, known := c.typeAt(j + 1)
		if c.isWord(j+1, "void") && c.is(j+2, "{") {
			t, known = cxxType{text: "void", end: j + 2}, true
		}
		if !known || t.reference || t.shape != nil || t.elem != nil {
			return l, open, false
		}
		l.result, j = t, t.end
	}
	if !c.is(j, "{") {
		return l, open, false
	}
	l.body = j
	l.from, l.to = j+2, c.until(j+2, c.match[j], ";")
	if !c.isWord(j+1, "return") || l.to != c.match[j]-1 || c.hasEffect(l.from, l.to) {
		l.from, l.to, l.several = j+1, c.match[j], true
	}
	return l, c.match[j] + 1, true
}

// hasEffect reports whether tokens[from:to] may set something.
func (c *cxxFile) hasEffect(from, to int) bool {
	for j := from; j < to; j++ {
		if c.isAssignment(j) || c.is(j, "++") || c.is(j, "--") || c.is(j, "{") || c.isWord(j, "new", "delete", "throw") {
			return true
		}
	}
	return false
}

// lambda leaves out the declaration of a lambda that token i begins, whose calls are replaced, and returns what follows it; i, if there is none.
func (c *cxxFile) lambda(i int) int {
	l, ok := c.lambdaAt(i)
	if !ok {
		c.noteUnread(i)
		return i
	}
	if l.changes = c.changesCopies(l); l.changes != "" {
		c.unusable = append(c.unusable, l)
		return i
	}
	if l.several {
		return c.lift(i, l)
	}
	c.lambdas = append(c.lambdas, l)
	c.edit(i, l.end, ";")
	return l.end
}

// changesCopies returns something that l holds a copy of and that may be set after the copy is made, or "".
func (c *cxxFile) changesCopies(l cxxLambda) string {
	for j := l.from; j < l.to; j++ {
		if !c.isWord(j) || c.is(j-1, ".") || c.is(j-1, "->") || c.is(j-1, "::") || c.is(j+1, "::") {
			continue
		}
		for _, name := range c.namedBy(c.toks[j].s) {
			if (l.all || slices.Contains(l.copies, name)) && c.changesCopy(l, name, j) {
				return name
			}
		}
	}
	return ""
}

// changesCopy reports whether the variable that name is at token j, in l, may be set after l is made.
func (c *cxxFile) changesCopy(l cxxLambda, name string, j int) bool {
	at := c.declaredAt(name, j)
	if at < 0 || at > l.open && at < l.to || c.self != nil && at < c.inside {
		return false // a member is found by this, which stays the same
	}
	t, _ := c.declarationOf(name, j, at-1)
	if t.constant && t.pointers == 0 {
		return false
	}
	if t.pointers == 0 && (t.elem != nil || t.shape != nil || c.records[t.text]) && at >= c.homeOf(l.at) {
		return c.changesParts(l, name, at)
	}
	for k := l.end; k < len(c.toks) && c.inScope(at, k); k++ {
		if c.isWord(k, name) && !c.is(k-1, ".") && !c.is(k-1, "->") && c.declares(k) < 0 && c.setHere(k) {
			return true
		}
	}
	return false
}

// setHere reports whether what stands around token k may set the variable that it names.
func (c *cxxFile) setHere(k int) bool {
	w := &cxxAround{cxxFile: c}
	open := k
	for open > 0 && !c.is(open, "(") && !c.is(open, ";") && !c.is(open, "{") && !c.is(open, "}") {
		if open--; c.match[open] >= 0 && c.match[open] < open {
			open = c.match[open]
		}
	}
	if c.is(open, "(") && (c.isWord(open-1, "printf", "fprintf", "snprintf", "if", "for", "while", "switch", "return", "sizeof") || c.isLambda(open-1) || c.makesNumbers(open-1) || c.takesValue(k, open) || c.isWord(open-1) && c.types[c.toks[open-1].s]) {
		return c.isAssignment(k+1) || c.is(k+1, "++") || c.is(k+1, "--") || c.is(k-1, "++") || c.is(k-1, "--")
	}
	return w.mayBeSet(k, open)
}

// makesNumbers reports whether token i is the name of a number, a vector or an array that is declared there: what it is made of stays as it is.
func (c *cxxFile) makesNumbers(i int) bool {
	if !c.isWord(i) {
		return false
	}
	start := c.declares(i)
	if start < 0 {
		return false
	}
	t, ok := c.typeAt(start)
	return ok && !t.reference && t.shape == nil && (t.elem == nil || t.elem.shape == nil)
}

// isLambda reports whether token i names a lambda whose calls are replaced.
func (c *cxxFile) isLambda(i int) bool {
	_, ok := c.lambdaOf(i)
	return ok
}

// lambdaOf returns the lambda that token i names.
func (c *cxxFile) lambdaOf(i int) (cxxLambda, bool) {
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") || c.is(i-1, "::") {
		return cxxLambda{}, false
	}
	for k := len(c.lambdas) - 1; k >= 0; k-- {
		if l := c.lambdas[k]; l.name == c.toks[i].s && l.end <= i && c.inScope(l.at, i) && c.declaredAt(l.name, i) == l.at {
			return l, true
		}
	}
	return cxxLambda{}, false
}

// lambdaCall puts what a lambda returns in the place of its call, whose name is token i, and returns what follows; i, if that is none.
func (c *cxxFile) lambdaCall(i int) int {
	l, ok := c.lambdaOf(i)
	if u := c.unusableAt(i); u != nil && !ok && c.is(i+1, "(") {
		if u.why != nil {
			c.refuse(i, liftedNote, u.why.help, "a region cannot call lambda '%s': %s", u.name, u.why.msg)
		} else {
			c.refuse(i, "what it returns is put in the place of its calls", fmt.Sprintf("declare '%s' const, or let the lambda see it as it is: [&]", u.changes),
				"lambda '%s' holds a copy of '%s', which may be set later", u.name, u.changes)
		}
	}
	if !ok || !c.is(i+1, "(") {
		return i
	}
	if l.several {
		return c.liftedCall(i, l)
	}
	args, ps := c.arguments(i+1), c.parameters(l.open)
	if name := c.hides(l, i); name != "" {
		c.refuse(i, "what it returns is put in the place of its calls", "give one of them another name", "lambda '%s' names '%s', which is another variable here", l.name, name)
		return i
	}
	if len(args) != len(ps) || c.hasEffect(i+1, c.match[i+1]) {
		return i
	}
	put := map[string]string{}
	for k, p := range ps {
		text := "(" + c.rewritten(args[k][0], args[k][1]) + ")"
		t, ok := c.typeAt(p.from)
		switch {
		case ok && t.reference && (!t.constant || t.shape != nil || t.elem != nil): // it is the variable itself
			if args[k][1] != args[k][0]+1 {
				return i
			}
			text = c.rewritten(args[k][0], args[k][1])
		case ok:
			text = fmt.Sprintf("((%s)%s)", strings.TrimSpace(t.inC()), text)
		}
		put[p.name] = text
	}
	text := c.returned(l, put)
	if len(text) > maxLambda {
		return i
	}
	c.edit(i, c.match[i+1]+1, text)
	c.called = append(c.called, cxxCall{l.name, c.toks[i].from, c.toks[l.at].from})
	return c.match[i+1] + 1
}

// unusableAt returns the lambda that token i names and that is not read, nil if it names none.
func (c *cxxFile) unusableAt(i int) *cxxLambda {
	for k := len(c.unusable) - 1; k >= 0; k-- {
		if u := &c.unusable[k]; c.isWord(i, u.name) && u.at < i && c.inScope(u.at, i) && !c.is(i-1, ".") && !c.is(i-1, "->") {
			return u
		}
	}
	return nil
}

// maxLambda bounds the text of what lambdas return that call each other.
const maxLambda = 1 << 16

// returned returns what l returns, in C, with texts in the place of its parameters.
func (c *cxxFile) returned(l cxxLambda, put map[string]string) string {
	sub := *c
	sub.edits, sub.substitute = nil, maps.Clone(c.substitute)
	if sub.substitute == nil {
		sub.substitute = map[string]string{}
	}
	maps.Copy(sub.substitute, put)
	text := "(" + sub.rewritten(l.from, l.to) + ")"
	c.called, c.claims, c.edits = sub.called, sub.claims, append(c.edits, sub.edits...)
	if l.result.text != "" {
		text = fmt.Sprintf("((%s)%s)", strings.TrimSpace(l.result.inC()), text)
	}
	return text
}

// hides returns a variable that l names and that is another one where it is called, at token i; or "".
func (c *cxxFile) hides(l cxxLambda, i int) string {
	if l.several {
		for _, v := range l.captures {
			if c.declaredAt(v.name, i) != v.at {
				return v.name
			}
		}
		return ""
	}
	for j := l.from; j < l.to; j++ {
		if !c.isWord(j) || c.is(j-1, ".") || c.is(j-1, "->") || c.is(j-1, "::") {
			continue
		}
		if m, ok := c.lambdaOf(j); ok {
			if name := c.hides(m, i); name != "" {
				return name
			}
		}
		_, here, _ := c.variableAt(j)
		if here > l.open && here < l.to { // a parameter
			continue
		}
		if there := c.declaredAt(c.toks[j].s, i); there != here {
			return c.toks[j].s
		}
	}
	return ""
}

// declaredAt returns where the variable is declared that name would name at token i, -1 if it is not known.
func (c *cxxFile) declaredAt(name string, i int) int {
	least := 0
	if c.self != nil {
		least = c.inside
	}
	if _, at := c.declarationOf(name, i, least); at >= 0 || c.self == nil {
		return at
	}
	if f := c.self.def.field(name); f != nil {
		if _, ok := c.self.typeOf(f); !ok {
			return -1
		}
		return f.at
	}
	_, at := c.declarationOf(name, c.self.def.item.from, 0)
	return at
}
