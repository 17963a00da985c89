package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes std::transform and std::for_each with a lambda, over whole vectors and arrays or parts of them, as loops in the order of the library:
//
//	std::transform(u.begin() + 1, u.end() - 1, v.begin() + 1, [=](double x) { return a * x; });
//	std::for_each(u.begin(), u.end(), [](double &x) { x *= 0.5; });
//
// The elements stand for the parameters, as in a loop over all elements.

// transforms writes the statement that token i begins as a loop, if it calls one of them, and returns what follows it; else i.
func (c *cxxFile) transforms(i, to int) int {
	j := i
	if c.isWord(j, "std") && c.is(j+1, "::") {
		j += 2
	} else if !c.opened["std"] {
		return i
	}
	if !c.isWord(j, "transform", "for_each") || !c.is(j+1, "(") || !c.beginsStatement(i) || !c.is(c.match[j+1]+1, ";") {
		return i
	}
	args, end := c.arguments(j+1), c.match[j+1]+2
	each := c.isWord(j, "for_each")
	if end > to || each && len(args) != 3 || !each && len(args) != 4 && len(args) != 5 {
		return i
	}
	s, ok := c.stretchOf(args[0], args[1])
	last := args[len(args)-1]
	if !ok || !c.is(last[0], "[") {
		return i
	}
	l, behind, ok := c.lambdaFrom(cxxLambda{}, last[0], false)
	if !ok || behind != last[1] {
		return i
	}
	inputs := []cxxSequence{s}
	if len(args) == 5 {
		second, ok := c.placeOf(args[2])
		if !ok {
			return i
		}
		inputs = append(inputs, second)
	}
	index := indexName(i)
	put, ok := c.parametersPut(l, inputs, index, each)
	if !ok {
		return i
	}
	if each {
		return c.eachElement(i, end, l, s, put)
	}
	set, ok := c.placeOf(args[len(args)-2])
	if !ok || l.several || c.mentions([2]int{l.from, l.to}, set) || c.copiesArrays(l) {
		return i
	}
	value := c.puttingText(put, l.from, l.to)
	if l.result.text != "" {
		value = "(" + strings.TrimSpace(l.result.inC()) + ")(" + value + ")"
	}
	c.edit(i, end, fmt.Sprintf("%s %s = %s;", s.loop(index), set.element(index), value))
	return end
}

// eachElement writes a loop over s with the body of l, in which put stands for names, in the place of tokens[i:end], and returns end; i, if C has no form for it.
func (c *cxxFile) eachElement(i, end int, l cxxLambda, s cxxSequence, put map[string]string) int {
	body := [2]int{l.body, c.match[l.body] + 1}
	for j := body[0]; j < body[1]; j++ {
		if c.isWord(j, "return") || c.isWord(j) && put[c.toks[j].s] != "" && c.declares(j) >= 0 {
			return i
		}
	}
	if c.mentions(body, s) || c.copiesArrays(l) {
		return i
	}
	c.edit(i, l.body, s.loop(indexName(i))+" ")
	outer := c.substitute
	c.substitute = c.withPut(put)
	c.rewrite(body[0], body[1], false)
	c.substitute = outer
	c.edit(body[1], end, "")
	return end
}

// copiesArrays reports whether l holds copies of variables and uses elements, which might be those of such a copy.
func (c *cxxFile) copiesArrays(l cxxLambda) bool {
	return (l.all || len(l.copies) > 0) && slices.ContainsFunc(c.toks[l.from:l.to], func(t cxxToken) bool { return t.s == "[" || t.s == "." || t.s == "->" })
}

// withPut returns what stands for names, with put.
func (c *cxxFile) withPut(put map[string]string) map[string]string {
	all := maps.Clone(c.substitute)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, put)
	return all
}

// puttingText returns tokens[from:to] in C, in which put stands for names.
func (c *cxxFile) puttingText(put map[string]string, from, to int) string {
	outer := c.substitute
	c.substitute = c.withPut(put)
	text := c.rewritten(from, to)
	c.substitute = outer
	return text
}

// parametersPut returns what stands for the parameters of l: the elements of inputs with an index. sets says that l may set one that is a reference. ok is false if that is not
// what they are.
func (c *cxxFile) parametersPut(l cxxLambda, inputs []cxxSequence, index string, sets bool) (put map[string]string, ok bool) {
	params := c.parameters(l.open)
	if len(params) != len(inputs) {
		return nil, false
	}
	put = map[string]string{}
	for k, p := range params {
		elem := inputs[k].elem
		if p.name == "" || p.value > 0 || p.array || p.moved || elem.elem != nil || elem.dims != "" || p.reference >= 0 && !p.constant && !sets {
			return nil, false
		}
		if (p.reference < 0 || p.constant) && c.setIn(p.name, [2]int{l.body, c.match[l.body]}) {
			return nil, false
		}
		if sets && (p.reference < 0 || p.constant) && c.hasEffect(l.from, l.to) { // the element may be set while its copy is known
			return nil, false
		}
		text := "(" + inputs[k].element(index) + ")"
		first := p.from
		for c.isWord(first, "const") {
			first++
		}
		t, known := c.typeAt(p.from)
		switch {
		case c.isWord(first, "auto"):
		case known && t.pointers == elem.pointers && t.elem == nil && t.text == elem.text && t.shape == elem.shape:
		case known && c.numberType(t) != "" && c.numberType(elem) != "" && (numberText(c.numberType(t)) == numberText(c.numberType(elem)) || p.reference < 0 || p.constant):
			text = "((" + t.text + ")" + text + ")"
		default:
			return nil, false
		}
		put[p.name] = text
	}
	return put, true
}

// stretchOf returns the elements from the place that tokens first are to the one that tokens last are.
func (c *cxxFile) stretchOf(first, last [2]int) (s cxxSequence, ok bool) {
	if s, ok = c.placeOf(first); !ok || c.hasEffect(last[0], last[1]) {
		return s, false
	}
	base, offset, ok := c.offsetIn(last)
	if !ok {
		return s, false
	}
	count := ""
	if e, isEnd := c.endpoint(base, "end", "cend"); isEnd {
		if e.text != s.text || e.count == "" {
			return s, false
		}
		count = e.count + offset
	} else if e, isBegin := c.beginOf(base); isBegin && e.text == s.text && offset != "" {
		count = strings.TrimPrefix(offset, " + ")
	} else {
		return s, false
	}
	if s.first != "" {
		count += " - " + strings.TrimSuffix(s.first, " + ")
	}
	s.count = count
	return s, true
}

// placeOf returns the vector or array into which tokens a are a place, u.begin() + 1, from there on.
func (c *cxxFile) placeOf(a [2]int) (s cxxSequence, ok bool) {
	base, offset, ok := c.offsetIn(a)
	if !ok || strings.HasPrefix(offset, " -") || c.hasEffect(a[0], a[1]) {
		return s, false
	}
	if s, ok = c.beginOf(base); ok && offset != "" {
		s.first = strings.TrimPrefix(offset, " + ") + " + "
	}
	return s, ok
}

// offsetIn returns the parts of a sum or difference of a place and a number, tokens a: the place and, with its sign, in C, the number, "" if there is none.
func (c *cxxFile) offsetIn(a [2]int) (base [2]int, offset string, ok bool) {
	sign := min(c.until(a[0], a[1], "+"), c.until(a[0], a[1], "-"))
	if sign == a[1] {
		return a, "", true
	}
	if sign == a[0] || c.until(sign+1, a[1], "?") < a[1] {
		return a, "", false
	}
	if next := min(c.until(sign+1, a[1], "+"), c.until(sign+1, a[1], "-")); next < a[1] {
		return a, "", false
	}
	return [2]int{a[0], sign}, " " + c.toks[sign].s + " (" + c.rewritten(sign+1, a[1]) + ")", true
}
