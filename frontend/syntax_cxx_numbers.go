package frontend

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file tells of which type of numbers an expression of C++ is, by the conversions of arithmetic: what C's front end computes of the projection is too
// late for the arguments of templates. Where a part of an expression has a type that is not surely known, so has the expression.

// numberOf returns the type of the number that tokens[from:to] compute, "" if it is not known.
func (c *cxxFile) numberOf(from, to int) string {
	compares := false
	for j := from; j < to; j++ {
		switch {
		case c.is(j, "(") || c.is(j, "[") || c.is(j, "{"):
			j = c.match[j]
		case c.isWord(j) && c.is(j+1, "<") && c.angle(j+1) > 0 && c.angle(j+1) < to && c.is(c.angle(j+1)+1, "("): // arguments of a template
			j = c.angle(j + 1)
			continue
		case c.is(j, "?"):
			colon := c.until(j+1, to, ":")
			if c.until(j+1, to, "?") < colon {
				return ""
			}
			return commonNumber(c.numberOf(j+1, colon), c.numberOf(colon+1, to))
		case c.is(j, ","), c.isAssignment(j), c.is(j, "++"), c.is(j, "--"):
			return ""
		}
		compares = compares || c.toks[j].kind == cxxPunct && slices.Contains([]string{"<", ">", "<=", ">=", "==", "!=", "&&", "||"}, c.toks[j].s)
	}
	if compares {
		return "_Bool"
	}
	typ := ""
	for first := true; ; first = false {
		signed := false
		for c.is(from, "-") || c.is(from, "+") {
			signed = true
			from++
		}
		t, end := c.operand(from, to)
		switch {
		case t == "" || end > to:
			return ""
		case !first:
			typ = arithmetic(typ, t)
		case signed || end < to:
			typ = arithmetic(t, "int")
		default:
			typ = t
		}
		if end == to || typ == "" {
			return typ
		}
		if !c.is(end, "+") && !c.is(end, "-") && !c.is(end, "*") && !c.is(end, "/") && !c.is(end, "%") {
			return ""
		}
		from = end + 1
	}
}

// commonNumber returns the type of x ? a : b, for a and b of types s and t; "" if it is not known.
func commonNumber(s, t string) string {
	if s == t {
		return s
	}
	return arithmetic(s, t)
}

// cxxRanks are types of numbers, of which arithmetic makes the one that stands last; narrower ones become int before.
var cxxRanks = []string{"int", "unsigned", "long", "long unsigned", "float", "double"}

// arithmetic returns the type of a sum of numbers of types s and t, "" if it is not known.
func arithmetic(s, t string) string {
	rank := func(t string) int {
		if slices.Contains([]string{"char", "char signed", "char unsigned", "short", "short unsigned", "_Bool"}, numberText(t)) {
			return 0
		}
		return slices.Index(cxxRanks, numberText(t))
	}
	if partOf(s) != "" || partOf(t) != "" { // the other one is of the same type, or of that of its parts
		if partOf(s) == "" {
			return t
		}
		return s
	}
	if s == "" || t == "" || rank(s) < 0 || rank(t) < 0 {
		return ""
	}
	return [...]string{"int", "unsigned int", "long", "unsigned long", "float", "double"}[max(rank(s), rank(t))]
}

// resolved returns the type of numbers that text names: that of using real = double for real; "" if it is not known.
func (c *cxxFile) resolved(text string) string {
	if text != "" && numberText(text) != "" {
		return text
	}
	declared, typ := 0, ""
	for j := range c.toks {
		if !c.isWord(j, text) {
			continue
		}
		if c.isWord(j-1, "using") {
			declared++
			if t, ok := c.typeAt(j + 2); ok && c.is(j+1, "=") && t.elem == nil && t.shape == nil && t.pointers == 0 && !t.reference && c.is(t.end, ";") {
				typ = t.text
			}
		}
		start := j
		for start > 0 && !c.isWord(start, "typedef") && !c.is(start, ";") && !c.is(start, "{") && !c.is(start, "}") && c.toks[start].kind != cxxDirective {
			start--
		}
		if c.isWord(start, "typedef") && (c.is(j+1, ";") || c.is(j+1, "[") || c.is(j+1, ",")) {
			declared++
			if t, ok := c.typeAt(start + 1); ok && t.end == j && c.is(j+1, ";") && t.elem == nil && t.shape == nil && t.pointers == 0 {
				typ = t.text
			}
		}
	}
	if declared != 1 || numberText(typ) == "" {
		return "" // of several scopes, or of a header
	}
	return typ
}

// operand returns the type of the number that the operand at token i is, and what follows it; "" if it is not known.
func (c *cxxFile) operand(i, to int) (typ string, end int) {
	switch {
	case i >= to:
		return "", i
	case c.toks[i].kind == cxxNumber:
		return literalNumber(c.toks[i].s), i + 1
	case c.isWord(i, "true", "false"):
		return "_Bool", i + 1
	case c.is(i, "!"):
		return "", i
	case c.is(i, "("):
		if t, ok := c.typeAt(i + 1); ok && t.end == c.match[i] { // (T)x
			_, end = c.operand(c.match[i]+1, to)
			return c.numberType(t), end
		}
		if !c.is(i+1, "*") {
			return c.numberOf(i+1, c.match[i]), c.match[i] + 1
		}
	case c.isWord(i, "static_cast") && c.is(i+1, "<") && c.angle(i+1) > 0:
		close := c.angle(i + 1)
		if t, ok := c.typeAt(i + 2); ok && t.end == close && c.is(close+1, "(") {
			return c.numberType(t), c.match[close+1] + 1
		}
		return "", i
	}
	if t, ok := c.typeAt(i); ok && (c.is(t.end, "(") || c.is(t.end, "{")) && c.isWord(t.end-1) { // double(x)
		return c.numberType(t), c.match[t.end] + 1
	}
	if c.isWord(i, "std") && c.is(i+1, "::") && c.is(i+3, "(") {
		return c.libraryNumber(i+2, true), c.match[i+3] + 1
	}
	if typ, end, ok := c.passedNumber(i); ok {
		return typ, end
	}
	if c.isWord(i) && c.templates[c.toks[i].s] != nil {
		return c.instanceNumber(i)
	}
	if l, ok := c.lambdaOf(i); ok && c.is(i+1, "(") {
		return c.lambdaNumber(l, i), c.match[i+1] + 1
	}
	if c.isWord(i) && (c.mayHide(i) || c.substitute[c.toks[i].s] != "") {
		return "", i
	}
	list, end, t, _ := c.links(i)
	if end > i && (len(list) > 0 || !c.is(end, "(")) {
		if at := c.declaredAt(c.toks[i].s, i); end == i+1 && at >= 0 && t.text == "" {
			t = c.typeOfMade(at)
		}
		t, end = c.memberNumber(t, end)
		if part := partOf(c.numberType(t)); part != "" && c.is(end, ".") && c.isWord(end+1, "real", "imag") && c.is(end+2, "(") {
			return part, c.match[end+2] + 1
		}
		return c.numberType(t), end
	}
	if c.isWord(i) && c.is(i+1, "(") && !c.isLocal(c.declaredAt(c.toks[i].s, i)) {
		return c.functionNumber(i), c.match[i+1] + 1
	}
	return "", i
}

// isLocal reports whether token at, where a variable or a function is declared, or -1, is in a function or a class.
func (c *cxxFile) isLocal(at int) bool {
	return at >= 0 && !slices.ContainsFunc(c.items, func(it cxxItem) bool {
		return it.from <= at && at < it.body && slices.Contains(it.names, c.toks[at].s) && c.is(at+1, "(")
	})
}

// numberType returns the type of numbers that t is, "" if it is none or not known.
func (c *cxxFile) numberType(t cxxType) string {
	if t.shape != nil || t.elem != nil || t.pointers > 0 {
		return ""
	}
	return c.resolved(t.text)
}

// literalNumber returns the type of a literal, "" if it is not known.
func literalNumber(s string) string {
	hex := strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X")
	switch {
	case fitsInt(s):
		return "int"
	case hex || strings.HasSuffix(s, "l") || strings.HasSuffix(s, "L") || !strings.ContainsAny(s, ".eE"):
		return ""
	case strings.HasSuffix(s, "f") || strings.HasSuffix(s, "F"):
		return "float"
	}
	return "double"
}

// mayHide reports whether something of the name of token i that variableAt does not find may be declared before: a pointer to an array or to a function,
// a part of a structured binding, or a copy that a lambda has.
func (c *cxxFile) mayHide(i int) bool {
	for j := i - 1; j > 0; j-- {
		if !c.isWord(j, c.toks[i].s) {
			continue
		}
		if (c.is(j-1, "*") || c.is(j-1, "&")) && c.is(j-2, "(") && c.isWord(j-3) && c.is(j+1, ")") && c.inScope(j, i) {
			return true
		}
		open := j - 1
		for open > 0 && c.is(open, ",") {
			for open--; open > 0 && !c.is(open, ",") && !c.is(open, "[") && !c.is(open, "(") && !c.is(open, "{") && !c.is(open, ";"); open-- {
			}
		}
		if c.is(open, "[") && c.is(open-1, "=") && c.is(c.match[open]+1, "(") && (c.is(j+1, ",") || c.is(j+1, "]")) {
			continue // of a lambda, a copy of the same type
		}
		if c.is(open, "[") && !(c.isWord(open-1) && !c.isWord(open-1, "auto", "return")) && !c.is(open-1, "]") && !c.is(open-1, ")") {
			return true
		}
	}
	return false
}

// libraryNumber returns the type of what the function of <cmath> or <algorithm> that token i names returns, "" if it is not known; qualified says that std:: stands before it.
func (c *cxxFile) libraryNumber(i int, qualified bool) string {
	name, args := c.toks[i].s, c.arguments(i+1)
	var types []string
	for _, a := range args {
		types = append(types, c.numberOf(a[0], a[1]))
	}
	if len(types) == 0 || slices.Contains(types, "") {
		return ""
	}
	all := func(typ string) bool {
		return !slices.ContainsFunc(types, func(t string) bool { return numberText(t) != typ })
	}
	n, computable := scop.Computable(name)
	single := strings.HasSuffix(name, "f") && name != "erf" || strings.HasSuffix(name, "l") && name != "ceil"
	if partOf(types[0]) != "" {
		return complexResult(name, types[0])
	}
	if _, _, complex := scop.ComplexFunction(name); complex {
		return ""
	}
	switch {
	case (name == "max" || name == "min") && len(types) == 2 || name == "clamp" && len(types) == 3, name == "abs" && len(types) == 1 && (all("double") || all("float") || all("int")):
		if qualified {
			return types[0]
		}
	case !computable || n != len(types) || single || name == "labs" || name == "llabs" || name == "abs":
	case all("double"):
		return "double"
	case qualified && all("float"):
		return "float"
	case qualified && !slices.ContainsFunc(types, func(t string) bool { return arithmetic(t, t) == "" }):
		return "double"
	}
	return ""
}

// functionNumber returns the type of what the function that token i names and calls returns, "" if it is not known.
func (c *cxxFile) functionNumber(i int) string {
	name, found, typ := c.toks[i].s, 0, ""
	for _, it := range c.items {
		if !slices.Contains(it.names, name) {
			continue
		}
		found++
		if t, ok := c.typeAt(it.from); ok && it.kind == cxxPlain && it.body > 0 {
			typ = c.numberType(t)
		}
	}
	switch {
	case found == 1:
		return typ
	case found > 1:
		return ""
	}
	return c.libraryNumber(i, false)
}

// instanceNumber returns the type of what the function that calls make of the template that token i names returns, and what follows the call; "" if it is not known.
func (c *cxxFile) instanceNumber(i int) (typ string, end int) {
	t := c.templates[c.toks[i].s]
	name, open, ok := c.instance(i)
	if !ok {
		return "", i
	}
	for _, m := range *t.made {
		if m.name == name {
			of := t.item.in.with(t, m.args)
			if u, ok := of.typeAt(t.head); ok {
				typ = of.numberType(u)
			}
		}
	}
	return typ, c.match[open] + 1
}
