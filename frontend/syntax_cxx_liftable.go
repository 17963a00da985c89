package frontend

import "strings"

// This file tells which lambdas become functions in C (syntax_cxx_lifted.go), and why others do not.

// isCalled reports whether what is read calls l: a region, or a function that holds none, or another lambda.
func (c *cxxFile) isCalled(l cxxLambda, home int) bool {
	around, inRegion := false, false
	for j := home; j < len(c.toks) && (j < l.end || c.inScope(l.at, j)); j++ {
		if mark := c.mark(j); mark != "" {
			around, inRegion = true, mark == "scop"
		}
		if j >= l.end && c.isWord(j, l.name) && (c.is(j+1, "(") || c.isPassed(j)) && (inRegion || c.inLambda(j, home)) {
			return true
		}
	}
	return !around
}

// inLambda reports whether token j is in the braces of a lambda of the function that begins at token home.
func (c *cxxFile) inLambda(j, home int) bool {
	for k := home; k < j; k++ {
		if c.isLambdaName(k) && c.isWord(k-1, "auto") && c.until(k, len(c.toks), ";") > j {
			return true
		}
	}
	return false
}

// liftable returns why l, in the function that begins at token home, cannot be a function in C, nil if it can; it notes what it captures.
func (c *cxxFile) liftable(l *cxxLambda, home int) (why *cxxReason) {
	if why := c.beyond(*l, home); why != nil {
		return why
	}
	if l.captures, why = c.capturesOf(*l, home); why != nil {
		return why
	}
	if name := c.setByMacro(*l); name != "" {
		return &cxxReason{"macro '" + name + "', which it uses, may set something", "write what it sets without the macro"}
	}
	values, others := c.namedAs(*l)
	name := c.setBy(*l, values)
	for _, other := range others {
		if name == "" && c.isExchanged(*l, other) {
			name = other
		}
	}
	if name != "" {
		return &cxxReason{"it may set '" + name + "', which is no variable of its own", "return the value, and set '" + name + "' where it is called"}
	}
	if name := c.stored(*l, home); name != "" {
		return &cxxReason{"it sets something, which '" + name + "' may refer to", "pass '" + name + "' as a value"}
	}
	return nil
}

// beyond returns what in l, in the function that begins at token home, no function in C has in front of that function; nil if there is nothing.
func (c *cxxFile) beyond(l cxxLambda, home int) *cxxReason {
	for j := home; j < l.end; j++ {
		if c.toks[j].kind == cxxDirective && (j > l.at || !strings.Contains(c.toks[j].s, "pragma")) {
			return &cxxReason{"a directive stands before it in the function, or in it", "move it in front of the function"}
		}
	}
	for j := l.from; j < l.to; j++ {
		inner := c.is(j, "[") && (!c.isWord(j-1) || c.isWord(j-1, "auto", "return")) && !c.is(j-1, "]") && !c.is(j-1, ")") && !c.isPassed(j)
		if inner || c.isWord(j, "static", "throw", "try", "new", "delete", "goto", "sizeof") {
			return &cxxReason{"it does more than compute", "make it a function"}
		}
	}
	return nil
}

// namedAs returns the captures and the references among the parameters of l: those that are values in C, and vectors and pointers.
func (c *cxxFile) namedAs(l cxxLambda) (values map[string]bool, others []string) {
	values = map[string]bool{}
	for _, v := range l.captures {
		if values[v.name] = !v.byPointer() && v.t.pointers == 0 && v.t.elem == nil; !values[v.name] && !v.byPointer() {
			others = append(others, v.name)
		}
	}
	for _, p := range c.parameters(l.open) {
		t, _ := c.typeAt(p.from)
		switch {
		case p.reference < 0:
		case t.elem != nil || t.pointers > 0 || p.vector || c.autoOf(p) >= 0:
			others = append(others, p.name)
		case !p.constant:
			values[p.name] = !t.hasMethods()
		}
	}
	return values, others
}

// isExchanged reports whether l may let name, a vector or a pointer, lead elsewhere, not only set its elements.
func (c *cxxFile) isExchanged(l cxxLambda, name string) bool {
	for j := l.from; j < l.to; j++ {
		if !c.isWord(j, name) || c.is(j-1, ".") || c.is(j-1, "->") {
			continue
		}
		if c.setsNamed(j) || c.is(j+1, ".") && !c.isWord(j+2, "size", "data") || c.is(j-1, "&") && !c.is(j+1, "[") && c.declares(j) < 0 {
			return true
		}
		if (c.is(j-1, "(") || c.is(j-1, ",")) && (c.is(j+1, ")") || c.is(j+1, ",")) && c.isSwap(j) {
			return true
		}
	}
	return false
}

// isSwap reports whether token j is an argument of swap or of the like.
func (c *cxxFile) isSwap(j int) bool {
	for j--; j > 0 && !c.is(j, "(") && !c.is(j, ";"); j-- {
		if c.match[j] >= 0 && c.match[j] < j {
			j = c.match[j]
		}
	}
	return c.isWord(j-1, "swap", "exchange", "move")
}

// noteForced notes l, whose declaration begins with token i, if its body could not be read as C; it reports whether that is so.
func (c *cxxFile) noteForced(i int, l cxxLambda) bool {
	if !l.several || c.forced[c.toks[i].from] == 0 {
		return false
	}
	l.why = &cxxReason{"its body could not be read as C", "write it as C does"}
	c.unusable = append(c.unusable, l)
	return true
}

// noteUnread notes the lambda whose declaration token i begins, and that is not read for how it captures.
func (c *cxxFile) noteUnread(i int) {
	static, first := false, i
	for c.isWord(i, "const", "constexpr", "static") {
		static = static || c.isWord(i, "static")
		i++
	}
	if begins := !c.isWord(first-1, "const", "constexpr", "static"); !begins || !c.isWord(i, "auto") || !c.isWord(i+1) || !c.isLambdaName(i+1) || c.is(i+4, "[") {
		return
	}
	u := cxxLambda{name: c.toks[i+1].s, at: i + 1}
	close := c.match[i+3]
	behind := close + 1
	if c.is(behind, "(") {
		behind = c.match[behind] + 1
	}
	switch {
	case static && close > i+4:
		u.why = &cxxReason{"it is static, and keeps what it captures first", "leave 'static' out"}
	case c.isWord(behind, "mutable"):
		u.why = &cxxReason{"it sets copies of its own, which it keeps", "keep them in variables of the loop, and give them as arguments"}
	case c.until(i+4, close, "=") < close && !c.is(i+5, ",") && !c.is(i+5, "]"), c.until(i+4, close, "*") < close:
		u.why = &cxxReason{"it makes what it captures", "declare a const variable in front of it, and capture that"}
	default:
		return
	}
	c.unusable = append(c.unusable, u)
}
