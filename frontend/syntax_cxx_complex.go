package frontend

import (
	"slices"
	"strings"
)

// This file writes std::complex of float and double as the complex numbers of C. What names such a type becomes one token, a word for a number like any
// other; the functions and macros that its operations become are declared by cxxcomplex.h. GCC computes what its library does with the operators of C,
// so that the results are the same bits.

// The words that std::complex<double> and std::complex<float> become.
const (
	complexDouble = "__hexcc_complexd"
	complexFloat  = "__hexcc_complexf"
)

// complexOf returns the word for complex numbers whose parts have the type called name, "" if there is none.
func complexOf(name string) string {
	return map[string]string{"double": complexDouble, "float": complexFloat}[name]
}

// partOf returns the type of the parts of a type of numbers, "" if it is not complex.
func partOf(typ string) string {
	return map[string]string{complexDouble: "double", complexFloat: "float"}[typ]
}

// makerOfComplex returns the function that makes a number of type typ of its parts.
func makerOfComplex(typ string) string {
	if typ == complexFloat {
		return "__builtin_complexf"
	}
	return "__builtin_complex"
}

// joinComplex returns toks with each std::complex<T> as one word, where T is float or double, perhaps by another name; found says whether there are any.
func joinComplex(toks []cxxToken) (joined []cxxToken, found bool) {
	is := func(i int, s string) bool { return 0 <= i && i < len(toks) && toks[i].s == s }
	opened := false
	names := map[string]string{"double": "double", "float": "float"}
	for i := range toks {
		switch {
		case is(i, "using") && is(i+1, "namespace") && is(i+2, "std"), is(i, "using") && is(i+1, "std") && is(i+3, "complex"):
			opened = true
		case is(i, "using") && is(i+2, "=") && is(i+4, ";") && complexOf(toks[i+3].s) != "":
			names[toks[i+1].s] += toks[i+3].s // of two meanings none is taken
		case is(i, "typedef") && is(i+3, ";") && complexOf(toks[i+1].s) != "":
			names[toks[i+2].s] += toks[i+1].s
		}
	}
	for i := 0; i < len(toks); i++ {
		at := i
		if is(i, "std") && is(i+1, "::") {
			at += 2
		}
		if is(at, "complex") && is(at+1, "<") && is(at+3, ">") && toks[at].kind == cxxWord && complexOf(names[toks[at+2].s]) != "" &&
			(at > i || opened && !is(i-1, "::") && !is(i-1, ".")) {
			joined = append(joined, cxxToken{cxxWord, toks[i].from, toks[at+3].to, complexOf(names[toks[at+2].s])})
			i, found = at+3, true
			continue
		}
		joined = append(joined, toks[i])
	}
	return joined, found
}

// complexType returns the word for the type of complex numbers that token i names, "" if it names something else.
func (c *cxxFile) complexType(i int) string {
	if !c.complexes || !c.isWord(i) || !c.types[c.toks[i].s] || c.is(i-1, ".") || c.is(i-1, "->") {
		return ""
	}
	t, ok := c.typeAt(i)
	if !ok || t.elem != nil || t.shape != nil {
		return ""
	}
	if typ := c.resolved(t.text); partOf(typ) != "" {
		return typ
	}
	return ""
}

// complexAt rewrites what makes or takes apart a complex number, which token i begins, and returns what follows it; i, if it is something else.
func (c *cxxFile) complexAt(i, to int, outside bool) int {
	if !c.complexes {
		return i
	}
	switch t := c.toks[i]; {
	case t.kind == cxxNumber:
		return c.imaginary(i)
	case c.is(i, ".") && c.isWord(i+1, "real", "imag") && c.is(i+2, "(") && i+4 <= to:
		start := c.startOf(i)
		if x := c.operandOf(start, i); x == nil || x.to == i && c.isObject(x.t) {
			return i
		}
		if c.match[i+2] != i+3 {
			c.refuse(i, "a part of a complex number is set together with the other one", "set both: z = {x, z.imag()};", "'%s(..)' sets a part of a complex number", c.toks[i+1].s)
			return i
		}
		at := c.toks[start].from // before all that is put there for parts of the operand
		c.edits = slices.Insert(c.edits, 0, cxxEdit{from: at, to: at, text: "__hexcc_z" + c.toks[i+1].s + "("})
		c.edit(i, i+4, ")")
		return i + 4
	case c.is(i, "=") && c.is(i+1, "{") && i+1 < to: // z = {x, y};
		start := c.startOf(i)
		if x := c.operandOf(start, i); x != nil && x.to == i {
			if typ := c.numberType(x.t); partOf(typ) != "" && c.makesComplex(typ, i+1, i+1) {
				return c.match[i+1] + 1
			}
		}
		return i
	case c.isWord(i, "return") && c.is(i+1, "{") && partOf(c.resolved(c.returns)) != "":
		if c.makesComplex(c.resolved(c.returns), i+1, i+1) {
			return c.match[i+1] + 1
		}
		return i
	}
	typ := c.complexType(i)
	switch {
	case typ == "":
		return i
	case (c.is(i+1, "(") || c.is(i+1, "{")) && !c.is(i+2, "*") && !c.is(i+2, "&"):
		if c.makesComplex(typ, i, i+1) {
			return c.match[i+1] + 1
		}
		return i
	case c.isWord(i + 1):
		return c.declaresComplex(typ, i, to, outside)
	}
	return i
}

// startOf returns where the operand begins that ends in front of token i.
func (c *cxxFile) startOf(i int) int {
	for j := i - 1; j >= 0; j-- {
		for (c.is(j, ")") || c.is(j, "]") || c.is(j, "}")) && c.match[j] > 0 {
			open := c.match[j]
			if c.is(open-1, ")") || c.is(open-1, "]") {
				j = open - 1
				continue
			}
			if !c.isWord(open-1) || c.isWord(open-1, "return", "if", "while", "case", "else") {
				return open
			}
			j = open - 1
		}
		switch {
		case !c.isWord(j):
			return j + 1
		case c.is(j-1, ".") || c.is(j-1, "->") || c.is(j-1, "::"):
			j--
		default:
			return j
		}
	}
	return 0
}

// imaginary rewrites a literal such as 2.0i.
func (c *cxxFile) imaginary(i int) int {
	s := strings.ReplaceAll(c.toks[i].s, "'", "")
	typ, digits := complexDouble, strings.TrimSuffix(s, "i")
	if rest, ok := strings.CutSuffix(s, "if"); ok {
		typ, digits = complexFloat, rest
	}
	if digits == s || strings.HasPrefix(s, "0x") || !(c.opened["complex_literals"] || c.opened["literals"] || c.opened["std"]) {
		return i
	}
	c.edit(i, i+1, makerOfComplex(typ)+"(0, (double)"+digits+")")
	return i + 1
}

// makesComplex rewrites what makes a number of type typ of the arguments in the brackets at open, where tokens[i:open] name the type; it reports whether it is that.
func (c *cxxFile) makesComplex(typ string, i, open int) bool {
	args := c.arguments(open)
	head, tail := makerOfComplex(typ)+"(", ")"
	switch len(args) {
	case 0:
		head, tail = "(("+typ+")0", ")"
	case 1:
		head, tail = "(("+typ+")(", "))"
	case 2:
	default:
		return false
	}
	if len(args) > 0 && c.isWord(args[0][0]) { // a function is declared, or something is cast
		if t, ok := c.typeAt(args[0][0]); ok && !c.is(t.end, "(") && !c.is(t.end, "{") && !c.is(t.end, "::") {
			return false
		}
	}
	c.edit(i, open+1, head)
	for _, a := range args {
		c.rewrite(a[0], a[1], false)
	}
	c.edit(c.match[open], c.match[open]+1, tail)
	return true
}

// declaresComplex rewrites the declaration of variables of type typ that token i begins, and returns what follows; i, if it is another one, or needs nothing. Without
// a value they are 0.
func (c *cxxFile) declaresComplex(typ string, i, to int, outside bool) int {
	end := c.until(i, len(c.toks), ";")
	if end == len(c.toks) || end > to {
		return i
	}
	for j := i + 1; ; {
		if !c.isWord(j) {
			return i
		}
		next := j + 1
		array := c.is(next, "[")
		for c.is(next, "[") {
			next = c.match[next] + 1
		}
		if c.is(next, "(") && (array || c.match[next] == next+1 || c.declaresFunction(next)) {
			return i
		}
		if j = c.until(next, end, ","); j == end {
			break
		}
		j++
	}
	c.edit(i, i+1, typ)
	for j := i + 1; j < end; j++ {
		next := j + 1
		for c.is(next, "[") {
			c.rewriteOne(next, to, outside)
			next = c.match[next] + 1
		}
		comma := c.until(next, end, ",")
		open := next
		if c.is(open, "=") {
			open++
		}
		switch {
		case next > j+1 && c.is(open, "{"): // an array
			if open == next {
				c.before(open, " = ")
			}
			if c.match[open] == open+1 {
				c.before(open+1, "0")
			}
			for _, a := range c.arguments(open) {
				if !c.is(a[0], "{") || !c.makesComplex(typ, a[0], a[0]) {
					c.rewrite(a[0], a[1], false)
				}
			}
		case c.is(open, "{") || c.is(next, "("):
			if open == next {
				c.before(open, " = ")
			}
			if !c.makesComplex(typ, open, open) {
				c.rewrite(open, comma, false)
			}
		case c.is(next, "="):
			c.rewrite(open, comma, false)
		case !outside && next > j+1:
			c.behind(next-1, " = {0}")
		case !outside:
			c.behind(next-1, " = 0")
		}
		j = comma
	}
	return end
}

// declaresFunction reports whether the parentheses at open are those of the parameters of a function.
func (c *cxxFile) declaresFunction(open int) bool {
	t, ok := c.typeAt(open + 1)
	return ok && !c.is(t.end, "(") && !c.is(t.end, "{")
}

// cxxComplexFunctions are functions of std::complex, with how many arguments they have.
var cxxComplexFunctions = map[string]int{"real": 1, "imag": 1, "conj": 1, "norm": 1, "arg": 1, "polar": 2}

// cxxComplexMath are functions of <cmath> that std::complex has, too, and that GCC's library computes as that of C does.
var cxxComplexMath = []string{"exp", "log", "sqrt", "sin", "cos"}

// complexCall rewrites the name of the function of complex numbers that token i calls, with the arguments args; visible says that it may be one of namespace std whatever
// its arguments are, qualified that std:: stands before it. Without, it is such a function if an argument is a complex number. It reports whether it is one, or one of
// the functions of real numbers that have the same name.
func (c *cxxFile) complexCall(i int, args [][2]int, visible, qualified bool) bool {
	name := c.toks[i].s
	if !c.complexes || len(args) == 0 {
		return false
	}
	known := partOf(c.numberOf(args[0][0], args[0][1])) != ""
	switch {
	case c.functions[name] && !qualified: // one of the file goes first, if it takes complex numbers
		return false
	case cxxComplexFunctions[name] == len(args) && (visible || name != "polar"):
		c.edit(i, i+1, "__hexcc_z"+name)
	case name == "abs" && len(args) == 1 && (visible || known || c.wrapped):
		c.edit(i, i+1, "__hexcc_zabs")
		if !known {
			c.claim(qualified, "abs", "abs(0.0)", 8)
		}
	case slices.Contains(cxxComplexMath, name) && len(args) == 1:
		macro, size := "__hexcc_zc", int64(8)
		if visible || c.wrapped {
			macro, size = "__hexcc_z1", 4
		}
		c.edit(i, i+1, macro)
		c.before(i+2, name+", ")
		if !known {
			c.claim(qualified, name, name+"(0.0f)", size)
		}
	default:
		return false
	}
	return true
}

// complexReturned returns the type of complex numbers of a function whose head begins with token i, "" if it returns something else.
func (c *cxxFile) complexReturned(i int) string {
	t, ok := c.typeAt(i)
	if typ := c.numberType(t); ok && !t.reference && partOf(typ) != "" {
		return typ
	}
	return ""
}

// complexResult returns the type of what the function called name of complex numbers of type typ returns, "" if it is not known.
func complexResult(name, typ string) string {
	switch {
	case name == "conj" || slices.Contains(cxxComplexMath, name):
		return typ
	case name == "abs" || name != "polar" && cxxComplexFunctions[name] > 0:
		return partOf(typ)
	}
	return ""
}
