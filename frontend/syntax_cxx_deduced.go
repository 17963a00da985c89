package frontend

// This file deduces the arguments of templates of functions from those of calls: minmod(u[i] - u[i - 1], 0.5 * d).

// deduced returns the type that a template's parameter is by the arguments of the call whose parentheses open there, or "".
func (c *cxxFile) deduced(t *cxxTemplate, param string, open int) string {
	of := t.item.in
	for k, p := range of.parameters(of.parens(t.item)) {
		if p.typ != param || p.vector {
			if typ := c.argumentOf(of, p, param, k, open); typ != "" {
				return typ
			}
			continue
		}
		pointers := 0
		for j := p.from; j < p.to; j++ {
			if of.is(j, "*") || of.is(j, "[") {
				pointers++
			}
		}
		args := c.arguments(open)
		if k >= len(args) {
			continue
		}
		if args[k][1] != args[k][0]+1 {
			if t, ok := c.typeAt(args[k][0]); ok && pointers == 0 && c.makes(t, args[k][1]) {
				return t.text
			}
			if typ := c.typeOfArgument(of, p, args[k], pointers); typ != "" {
				return typ
			}
			continue
		}
		if typ := c.typeOfName(args[k][0], pointers); typ != "" {
			return typ
		}
		if !c.isWord(args[k][0]) || c.isWord(args[k][0], "true", "false") || c.substitute[c.toks[args[k][0]].s] != "" {
			if typ := c.typeOfArgument(of, p, args[k], pointers); typ != "" {
				return typ
			}
			continue
		}
		if t, at, _ := c.variableAt(args[k][0]); at >= 0 && t.shape != nil && t.elem == nil && t.pointers == pointers {
			return t.text
		}
		if typ := c.typeOfArgument(of, p, args[k], pointers); typ != "" { // declared by auto
			return typ
		}
	}
	return ""
}

// makes reports whether an object of type t, whose class is named in front of what it is made of, ends in front of token to: Minmod{} or Rational(kappa).
func (c *cxxFile) makes(t cxxType, to int) bool {
	return t.shape != nil && t.elem == nil && t.pointers == 0 && !t.reference && (c.is(t.end, "(") || c.is(t.end, "{")) && c.match[t.end] == to-1
}

// argumentOf returns what a template's parameter is by argument k of the call whose parentheses open there, which is of a class that has it as an argument, as
// in Grid<T> &g; or "".
func (c *cxxFile) argumentOf(of *cxxFile, p cxxParam, param string, k, open int) string {
	args := c.arguments(open)
	if k >= len(args) || args[k][1] != args[k][0]+1 || !c.isWord(args[k][0]) {
		return ""
	}
	for j := p.from; j < p.to; j++ {
		def := of.shapes[of.toks[j].s]
		if !of.isWord(j) || !of.is(j+1, "<") || def == nil && !of.isWord(j, "vector") {
			continue
		}
		t, at, _ := c.variableAt(args[k][0])
		if at < 0 || t.pointers > 0 {
			return ""
		}
		if def == nil {
			if of.isWord(j+2, param) && of.is(j+3, ">") && t.elem != nil && t.dims == "" && t.elem.pointers == 0 && t.elem.elem == nil {
				return t.elem.text
			}
			return ""
		}
		if t.shape == nil || t.elem != nil || t.shape.def.name != def.name {
			return ""
		}
		n := 0
		for from := j + 2; from < of.angle(j+1); n++ {
			to := min(of.until(from, of.angle(j+1), ","), of.angle(j+1))
			if to == from+1 && of.isWord(from, param) && n < len(t.shape.args) {
				return t.shape.args[n]
			}
			from = to + 1
		}
		return ""
	}
	return ""
}

// typeOfArgument returns the type that a template's parameter T is by an argument, tokens a, of parameter p of the function, which is T x, const T &x or, of so many
// pointers, T *x; "" if it is not known.
func (c *cxxFile) typeOfArgument(of *cxxFile, p cxxParam, a [2]int, pointers int) string {
	end := p.to
	if p.value > 0 {
		end = p.value
	}
	for j := p.from; j < end; j++ {
		if !of.isWord(j, "const", p.typ, p.name) && !of.is(j, "&") && !of.is(j, "*") || of.is(j, "&") && of.is(j-1, "&") {
			return "" // what does not say which type T is, as T::value_type x
		}
	}
	if pointers > 0 {
		if _, end, t, _ := c.links(a[0]); end == a[1] && t.elem == nil && t.shape == nil && t.pointers == pointers {
			return t.text
		}
		return ""
	}
	return c.numberOf(a[0], a[1])
}

// typeOfName returns the type of the variable that token i names, without that many pointers or dimensions, "" if it is not known.
func (c *cxxFile) typeOfName(i, pointers int) string {
	name := c.toks[i].s
	if s, ok := c.substitute[name]; ok && s != "" {
		return ""
	}
	for j := i - 1; j > 0; j-- { // the nearest declaration before
		if !c.isWord(j, name) || !c.inScope(j, i) {
			continue
		}
		stars, k := 0, j-1
		for c.is(k, "*") || c.is(k, "&") || c.isWord(k, "const", "restrict", "__restrict", "__restrict__") {
			if c.is(k, "*") {
				stars++
			}
			k--
		}
		if c.is(k, ",") { // double *a, *b
			for k > 0 && !c.is(k, ";") && !c.is(k, "{") && !c.is(k, "(") && c.toks[k].kind != cxxDirective {
				if c.match[k] >= 0 && c.match[k] < k {
					k = c.match[k]
				}
				k--
			}
			for c.isWord(k+1, "const", "static", "extern", "constexpr") || c.isWord(k+1) && c.types[c.toks[k+1].s] {
				k++
			}
		}
		if !c.isWord(k) || c.isWord(k, "return", "else", "do", "case", "throw", "new", "delete", "sizeof", "goto") {
			if c.is(k, ">") {
				return "" // a template's
			}
			continue
		}
		last := k
		for k >= 0 && c.isWord(k) && c.types[c.toks[k].s] {
			k--
		}
		for d := j + 1; c.is(d, "["); d = c.match[d] + 1 {
			stars++
		}
		if k == last || stars != pointers {
			return ""
		}
		return c.rewritten(k+1, last+1)
	}
	return ""
}

// inScope reports whether what token j declares is known at token i, behind it.
func (c *cxxFile) inScope(j, i int) bool {
	for k := j - 1; k >= 0; k-- {
		switch {
		case c.is(k, "{"):
			return c.match[k] > i
		case c.is(k, "("): // a parameter, or in the head of a loop
			for n := c.match[k]; n < len(c.toks); n++ {
				switch {
				case n >= i || c.is(n, ";"):
					return n >= i
				case c.is(n, "("): // the head of a loop in it
					n = c.match[n]
				case c.is(n, "{"):
					return c.match[n] > i
				}
			}
			return false
		case c.match[k] >= 0 && c.match[k] < k:
			k = c.match[k]
		}
	}
	return true
}
