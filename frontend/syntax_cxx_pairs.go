package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file writes std::pair and std::tuple of numbers as structs of C, as functions return them, and what takes them apart:
//
//	std::pair<double, double> grad(..) { return {a, b}; }        pair__double__double grad(..) { return (pair__double__double){a, b}; }
//	const auto [gx, gy] = grad(..);                         =>   const pair__double__double parts = grad(..); const double gx = parts.first, gy = parts.second;
//	std::tie(gx, gy) = grad(..);                                 { pair__double__double parts = grad(..); gx = parts.first; gy = parts.second; }
//
// What names such a type becomes one token, a word like the name of any struct.

// A cxxPair is a type of pairs or tuples: its name in C++, and the types of its members.
type cxxPair struct {
	shown string
	types []string
}

// isTuple reports whether p is a std::tuple.
func (p cxxPair) isTuple() bool { return strings.HasPrefix(p.shown, "std::tuple") }

// members returns the names that the members have in C: those of a pair are the same in C++.
func (p cxxPair) members() (names []string) {
	for k := range p.types {
		if name := fmt.Sprintf("hexcc_%d", k); p.isTuple() {
			names = append(names, name)
		} else {
			names = append(names, [...]string{"first", "second"}[k])
		}
	}
	return names
}

// pairOf returns the type of pairs, or tuples, of numbers of these types, and its name in C.
func pairOf(kind string, types []string) (name string, p cxxPair) {
	name = kind
	for _, t := range types {
		name += "__" + strings.ReplaceAll(t, " ", "_")
	}
	return name, cxxPair{"std::" + kind + "<" + shownTypes.Replace(strings.Join(types, ", ")) + ">", types}
}

// joinedTokens returns the tokens of text, with types of the library that stand for numbers in C, or for structs, as one word each: complexes says whether there are
// complex numbers, pairs which pairs and tuples there are.
func joinedTokens(text []byte) (toks []cxxToken, complexes bool, pairs map[string]cxxPair) {
	toks, complexes = joinComplex(cxxTokens(text))
	toks, pairs = joinPairs(toks)
	return toks, complexes, pairs
}

// joinPairs returns toks with each std::pair and std::tuple of numbers as one word, and the types that they are by their names in C.
func joinPairs(toks []cxxToken) (joined []cxxToken, pairs map[string]cxxPair) {
	is := func(i int, s string) bool { return 0 <= i && i < len(toks) && toks[i].s == s }
	pairs = map[string]cxxPair{}
	names, opened := map[string]string{}, false
	for _, t := range cxxNumbers {
		names[t] = t
		if as := cxxWords[t]; as != "" {
			names[t] = as
		}
	}
	for i := range toks {
		opened = opened || is(i, "using") && is(i+1, "namespace") && is(i+2, "std")
		if is(i, "using") && is(i+2, "=") && is(i+4, ";") && names[toks[i+3].s] != "" {
			if names[toks[i+1].s] != "" {
				names[toks[i+1].s] = "?" // of two meanings none is taken
			} else {
				names[toks[i+1].s] = names[toks[i+3].s]
			}
		}
	}
	for i := 0; i < len(toks); i++ {
		at := i
		if is(i, "std") && is(i+1, "::") {
			at += 2
		}
		if !(is(at, "pair") || is(at, "tuple")) || !is(at+1, "<") || at == i && (!opened || is(i-1, "::") || is(i-1, ".")) {
			joined = append(joined, toks[i])
			continue
		}
		var types []string
		j := at + 2
		for ; j < len(toks) && toks[j].kind == cxxWord; j++ {
			text := ""
			for ; j < len(toks) && toks[j].kind == cxxWord && names[toks[j].s] != ""; j++ {
				text = strings.TrimLeft(text+" "+names[toks[j].s], " ")
			}
			if numberText(text) == "" || !is(j, ",") && !is(j, ">") {
				break
			}
			if types = append(types, text); is(j, ">") {
				break
			}
		}
		if !is(j, ">") || is(at, "pair") != (len(types) == 2) && is(at, "pair") || len(types) == 0 || len(types) > maxTupled || is(j-1, ",") {
			joined = append(joined, toks[i])
			continue
		}
		name, p := pairOf(toks[at].s, types)
		pairs[name] = p
		joined = append(joined, cxxToken{cxxWord, toks[i].from, toks[j].to, name})
		i = j
	}
	return joined, pairs
}

// maxTupled bounds the members of a tuple.
const maxTupled = 16

// pairTypes returns the declarations, in C, of all types of pairs and tuples of the file and its headers, on one line.
func (p *projection) pairTypes() string {
	all := map[string]cxxPair{}
	for name, of := range p.pairs {
		all[name] = of
	}
	for _, h := range p.headers.files {
		for name, of := range h.pairs {
			all[name] = of
		}
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	text := ""
	for _, name := range names {
		text += "typedef struct " + name + " { "
		for k, member := range all[name].members() {
			typ := all[name].types[k]
			if part := partOf(typ); part != "" {
				typ = part + " _Complex"
			}
			text += typ + " " + member + "; "
		}
		text += "} " + name + "; "
	}
	if text != "" {
		text += "\n"
	}
	return text
}

// pairAt rewrites what makes or takes apart a pair or a tuple, which token i begins, and returns what follows it; i, if it is something else.
func (c *cxxFile) pairAt(i, to int) int {
	if !c.isWord(i) || c.is(i-1, ".") || c.is(i-1, "->") {
		return i
	}
	j := i
	if c.isWord(j, "std") && c.is(j+1, "::") {
		j += 2
	}
	std := j > i || c.opened["std"] && !c.functions[c.toks[j].s]
	switch {
	case c.isWord(i, "auto", "const"):
		return c.bindsParts(i, to)
	case c.pairs[c.toks[i].s].types != nil && (c.is(i+1, "(") || c.is(i+1, "{")) && c.makesPair(c.toks[i].s, i, i+1):
		return c.match[i+1] + 1
	case c.pairs[c.toks[i].s].types != nil && c.isWord(i+1) && (c.is(i+2, "(") || c.is(i+2, "{")) && c.is(c.match[i+2]+1, ";") && len(c.arguments(i+2)) == len(c.pairs[c.toks[i].s].types) && c.beginsStatement(i):
		c.edit(i, i+1, c.toks[i].s)
		c.behind(i+1, " = ")
		c.makesPair(c.toks[i].s, i+2, i+2)
		return c.match[i+2] + 1
	case !std:
		return i
	case c.isWord(j, "make_pair", "make_tuple") && c.is(j+1, "("):
		var types []string
		for _, a := range c.arguments(j + 1) {
			typ := c.numberOf(a[0], a[1])
			if typ == "" {
				return i
			}
			types = append(types, typ)
		}
		name, p := pairOf(strings.TrimPrefix(c.toks[j].s, "make_"), types)
		if len(types) == 0 || len(types) > maxTupled {
			return i
		}
		c.pairs[name] = p
		if c.isWord(i-1, "return") && len(c.pairs[c.returns].types) == len(types) { // it is converted, member by member
			name = c.returns
		}
		c.makesPair(name, i, j+1)
		return c.match[j+1] + 1
	case c.isWord(j, "get") && c.is(j+1, "<") && c.toks[j+2].kind == cxxNumber && c.is(j+3, ">") && c.is(j+4, "("):
		k, err := strconv.Atoi(c.toks[j+2].s)
		p, known := c.pairIn(j+5, c.match[j+4])
		if err != nil || !known || k >= len(p.types) || p.isTuple() && c.isTupleOutside(j+5, c.match[j+4]) {
			return i
		}
		c.edit(i, j+5, "(")
		c.rewrite(j+5, c.match[j+4], false)
		c.edit(c.match[j+4], c.match[j+4]+1, ")."+p.members()[k])
		return c.match[j+4] + 1
	case c.isWord(j, "tie") && c.is(j+1, "(") && c.is(c.match[j+1]+1, "=") && c.beginsStatement(i):
		return c.ties(i, j+1, to)
	}
	return i
}

// makesPair rewrites what makes a pair or a tuple called name of the numbers in the brackets at open, behind token i; it reports whether there are as many as it has members.
func (c *cxxFile) makesPair(name string, i, open int) bool {
	args := c.arguments(open)
	if len(args) != len(c.pairs[name].types) {
		return false
	}
	c.edit(i, open+1, "("+name+"){")
	for k, a := range args {
		c.before(a[0], "("+c.pairs[name].types[k]+")(")
		c.rewrite(a[0], a[1], false)
		c.behind(a[1]-1, ")")
	}
	c.edit(c.match[open], c.match[open]+1, "}")
	return true
}

// pairIn returns the type of pairs or tuples that tokens[from:to] are.
func (c *cxxFile) pairIn(from, to int) (p cxxPair, ok bool) {
	x := c.expression(from, to)
	if x == nil || x.to != to || x.t.pointers > 0 || x.t.elem != nil {
		return p, false
	}
	p, ok = c.pairs[x.t.text]
	return p, ok
}

// isTupleOutside reports whether tokens[from:to] are a tuple that is neither a variable of a region or of a function that it calls nor what a function returns: elements of
// arrays and what stands in front of a region are named in the generated file, where the members of a tuple have no names.
func (c *cxxFile) isTupleOutside(from, to int) bool {
	if c.is(to-1, ")") {
		return false
	}
	if to != from+1 {
		c.refuse(from, "tuples are read where functions return them, and as variables of the region", "let it be a struct, or a std::pair", "an element or a member that is a std::tuple")
		return true
	}
	at := -1
	if to == from+1 && c.isWord(from) {
		at = c.declaredAt(c.toks[from].s, from)
	}
	if at < 0 {
		return false
	}
	for _, it := range c.items {
		if it.from <= at && at < it.to && it.body > 0 && !c.around(it) {
			return false
		}
	}
	for j := at; j >= 0; j-- {
		if mark := c.mark(j); mark == "scop" {
			return false
		} else if mark != "" {
			break
		}
	}
	c.refuse(from, "tuples are read where functions return them, and as variables of the region", "let it be a struct, or a std::pair", "'%s' is a std::tuple of the program around the region", c.toks[from].s)
	return true
}

// bindsParts rewrites the declaration of names for the members of what an expression computes, const auto [gx, gy] = grad(u, i);, which token i begins, and returns what
// follows it; i, if it is another one.
func (c *cxxFile) bindsParts(i, to int) int {
	j, constant := i, ""
	for c.isWord(j, "auto", "const") {
		if c.isWord(j, "const") {
			constant = "const "
		}
		j++
	}
	reference := c.is(j, "&") || c.is(j, "&&")
	if reference {
		j++
	}
	if !c.isWord(i+1, "auto") && !c.isWord(i, "auto") || !c.is(j, "[") || !c.is(c.match[j]+1, "=") || !c.beginsStatement(i) {
		return i
	}
	from := c.match[j] + 2
	end := c.until(from, to, ";")
	x := c.expression(from, end)
	if x == nil || x.to != end || end >= to || x.t.pointers > 0 || reference && !c.isCall(from, end) {
		return i
	}
	var names []string
	for _, a := range c.arguments(j) {
		names = append(names, c.toks[a[0]].s)
	}
	of := x.t
	of.reference = false
	parts := c.membersOf(of, len(names))
	if of.dims != "" || len(parts) != len(names) || c.pairs[of.text].isTuple() && c.isTupleOutside(from, end) {
		return i
	}
	whole := fmt.Sprintf("hexcc_parts%d", i)
	text := fmt.Sprintf("%s%s %s = %s;", constant, of.text, whole, c.rewritten(from, end))
	for k, name := range names {
		text += fmt.Sprintf(" %s__typeof__(%s%s) %s = %[2]s%[3]s;", constant, whole, parts[k], name)
	}
	c.edit(i, end+1, text)
	return end + 1
}

// isCall reports whether tokens[from:to] are a call that returns a value.
func (c *cxxFile) isCall(from, to int) bool { return c.is(to-1, ")") && c.returnsValue(from, to) }

// ties rewrites std::tie(a, b) = f(x);, whose arguments open there, and returns what follows it; i, if C has no form for it.
func (c *cxxFile) ties(i, open, to int) int {
	from := c.match[open] + 2
	end := c.until(from, to, ";")
	p, ok := c.pairIn(from, end)
	args := c.arguments(open)
	if !ok || end >= to || len(args) != len(p.types) || p.isTuple() && c.isTupleOutside(from, end) {
		return i
	}
	name, _ := pairOf(strings.TrimPrefix(p.shown[:strings.Index(p.shown, "<")], "std::"), p.types)
	text := fmt.Sprintf("{ const %s hexcc_parts = %s;", name, c.rewritten(from, end))
	for k, a := range args {
		if c.isWord(a[0], "std") && c.is(a[0]+1, "::") && c.isWord(a[0]+2, "ignore") && a[0]+3 == a[1] {
			continue
		}
		text += fmt.Sprintf(" %s = hexcc_parts.%s;", c.rewritten(a[0], a[1]), p.members()[k])
	}
	c.edit(i, end+1, text+" }")
	return end + 1
}
