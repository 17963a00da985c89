package frontend

import "strings"

// This file rewrites what is done with objects of classes: g(i, j), g.at(i, j), g[i], g.data()[k] and, inside of methods, members without this->.

// variableAt returns the type of the variable that token i names; from is where it is declared, -1 if it is not known. member says that it is one of the object whose method
// we are in.
func (c *cxxFile) variableAt(i int) (t cxxType, from int, member bool) {
	name := c.toks[i].s
	least := 0
	if c.self != nil {
		least = c.inside
	}
	if t, from := c.declarationOf(name, i, least); from >= 0 {
		return t, from, false
	}
	if c.self == nil {
		return t, -1, false
	}
	if f := c.self.def.field(name); f != nil {
		t, ok := c.self.typeOf(f)
		if !ok {
			return t, -1, false
		}
		t.constant = t.constant || c.unchanged && t.pointers == 0
		return t, f.at, true
	}
	t, from = c.declarationOf(name, c.self.def.item.from, 0)
	return t, from, false
}

// declarationOf returns the type of the nearest variable called name that is declared in tokens[least:i] and known at token i, and where its name stands; -1 if there is none.
func (c *cxxFile) declarationOf(name string, i, least int) (t cxxType, at int) {
	for j := i - 1; j > least; j-- {
		if c.toks[j].s != name || !c.isWord(j) {
			continue
		}
		start := c.declares(j)
		if start < 0 || !c.inScope(j, i) {
			continue
		}
		if u, ok := c.typeAt(start); ok {
			return c.declared1(u, j), j
		}
		if u, _, end := c.makesObject(j + 2); end > 0 && c.is(j+1, "=") && c.declaresAuto(start) {
			return u, j
		}
		if c.is(j-1, "&") && c.isWord(j-2, "auto") && c.is(j+1, "=") && c.is(j+2, "*") && !c.isWord(j+3, name) { // a reference to what a pointer leads to
			if u, end := c.objectBehind(j + 2); c.is(end, ";") || c.is(end, ",") {
				u.constant = u.constant || c.isWord(j-3, "const")
				return u, j
			}
		}
		if u, ok := c.constructed(j + 2); ok && c.is(j+1, "=") && c.isWord(j-1, "auto") {
			u.constant = c.isWord(j-2, "const")
			return u, j
		}
		if c.is(j-1, "&") && c.isWord(j-2, "auto") && c.is(j+1, "=") && !c.isWord(j+2, name) { // a reference to a place
			if list, end, u, _ := c.links(j + 2); len(list) == 0 && end > j+2 && (c.is(end, ";") || c.is(end, ",")) {
				u.constant = u.constant || c.isWord(j-3, "const")
				return u, j
			}
		}
		if o, ok := c.makesOwned(j + 2); ok && c.is(j+1, "=") && c.isWord(j-1, "auto") && !c.isWord(j+2, "new") {
			o.t.constant = c.isWord(j-2, "const")
			return o.t, j
		}
		if u := c.typeOfMade(j); c.hasValues() && c.isObject(u) && (u.shape == nil || u.shape.isValue()) {
			return u, j
		}
		return t, j
	}
	return t, -1
}

// declares returns where the declaration begins in which token j is the name of a variable, -1 if it is none.
func (c *cxxFile) declares(j int) int {
	if c.is(j+1, "::") || c.is(j-1, "::") || c.is(j-1, ".") || c.is(j-1, "->") {
		return -1
	}
	k := j - 1
	for c.is(k, "*") || c.is(k, "&") || c.is(k, "&&") || c.isWord(k, "const", "restrict", "__restrict", "__restrict__") {
		k--
	}
	if c.is(k, ",") {
		for k--; k >= 0 && !c.is(k, ";") && !c.is(k, "{") && !(c.is(k, "}") && !c.is(k+1, ",")) && !c.is(k, "(") && c.toks[k].kind != cxxDirective; k-- {
			if c.match[k] >= 0 && c.match[k] < k {
				k = c.match[k]
			}
			if c.is(k, "<") && (c.isWord(k-1, "vector", "array", "unique_ptr", "template") || c.isWord(k-1) && (c.shapes[c.toks[k-1].s] != nil || c.templates[c.toks[k-1].s] != nil || c.vectorTypes[c.toks[k-1].s].params != nil)) && c.angle(k) > j {
				return -1 // an argument of a template
			}
		}
		if t, ok := c.typeAt(k + 1); ok && t.end < j && (c.isWord(t.end) || c.is(t.end, "*") || c.is(t.end, "&")) && t.end > k+1 {
			return k + 1
		}
		if _, _, end := c.makesObject(j + 2); end > 0 && c.is(j+1, "=") && c.isWord(k+1, "auto") { // auto a = std::make_unique<T>(), b = std::make_unique<T>()
			return k + 1
		}
		return -1
	}
	if c.is(k, ">") {
		depth := 0
		for ; k >= 0; k-- {
			if c.is(k, ">") {
				depth++
			} else if c.is(k, "<") {
				if depth--; depth == 0 {
					break
				}
			} else if c.is(k, ";") || c.is(k, "{") || c.is(k, "}") {
				return -1
			}
		}
		k--
	}
	if !c.isWord(k) || c.isWord(k, "return", "else", "do", "case", "throw", "new", "delete", "sizeof", "goto", "using", "namespace", "typename", "class", "struct", "operator") && k == j-1 {
		return -1
	}
	last := k
	if c.is(j-1, ">") {
		last = j - 1
	}
	for c.isWord(k-1) && !c.isWord(k-1, "return", "else", "do", "case", "throw", "new", "delete", "sizeof", "goto") || c.is(k-1, "::") {
		k--
	}
	if k < last && last == j-1 {
		return k
	}
	if t, ok := c.typeAt(k); last < j-1 && (!ok || t.end <= last) { // a product
		if !c.isWord(k, "auto") && !(c.isWord(k, "const") && c.isWord(k+1, "auto")) {
			return -1
		}
	}
	return k
}

// object rewrites what token i begins, if that is done with an object of a class, and returns its end; i, if it is not.
func (c *cxxFile) object(i, to int) int {
	if c.is(i-1, ".") || c.is(i-1, "->") || c.is(i-1, "::") && !(c.isClass(i) && !c.is(i-2, ">") && !c.isClass(i-2)) {
		return i
	}
	if c.isWord(i) && c.declares(i) >= 0 && !c.isWord(i-1, "return") {
		if start := c.declares(i); start < i {
			if _, ok := c.typeAt(start); ok || c.isWord(start, "auto") {
				return i
			}
		}
	}
	list, end, _, implicit := c.links(i)
	if len(list) == 0 && !implicit || end > to {
		return i
	}
	if len(list) == 1 && list[0].library == "size" && c.isWord(i) && list[0].open == i+3 {
		if text, ok := c.declaredCount(i, map[int]bool{}); ok {
			c.edit(i, end, "((unsigned long)("+text+"))")
			return end
		}
	}
	prefix := ""
	done := i
	if c.is(i, "(") {
		c.rewrite(i+2, c.match[i], false)
		done = c.match[i] + 1
	} else if c.isWord(i, "this") || implicit || c.pointed[c.toks[i].s] {
		done = i + 1
	}
	if implicit {
		prefix = c.objectText()
	} else if c.isWord(i) && c.pointed[c.toks[i].s] {
		c.edit(i, i+1, "(*"+c.toks[i].s+")")
	} else if text := c.substitute[c.toks[i].s]; c.isWord(i) && text != "" {
		c.edit(i, i+1, text)
		done = i + 1
	}
	for _, l := range list {
		if !l.implicit {
			c.rewriteLinks(done, l.from)
		}
		close := c.match[l.open]
		done = close + 1
		switch l.library {
		case "data":
			c.edit(l.from, close+1, "")
			continue
		case "size":
			prefix = cxxSizeOf + "(" + prefix
			c.edit(l.from, close+1, ")")
			continue
		case "swap":
			prefix = "__hexcc_swap(" + prefix
			c.edit(l.from, l.open+1, ", ")
			c.rewrite(l.open+1, close, false)
			continue
		}
		if !l.implicit && !l.pointer && l.shape.exchanges(l.method) {
			prefix = "__hexcc_swap(" + prefix
			c.edit(l.from, l.open+1, ", ")
			c.rewrite(l.open+1, close, false)
			continue
		}
		in := l.shape.def.in.of(l.shape, l.method)
		name := l.shape.methodName(l.method)
		projects := in.projects(l.shape, l.method)
		if !projects && !l.implicit && c.isPrinted(i) && in.onlyReads(l.shape, l.method) {
			l.shape.read[l.method.at], projects, name = true, true, name+cxxReads
		} else {
			l.shape.used[l.method.at] = true
		}
		if !projects {
			at := l.from
			if c.is(at, ".") || c.is(at, "->") {
				at++
			}
			c.refuse(at, "allowed: methods that throw and allocate nothing, and return a value or a reference to an element, or else nothing: those may set numbers of their object",
				"let it do nothing else, or use the elements themselves", "a method of class '%s' that a region cannot call", l.shape.def.name)
		}
		args := c.arguments(l.open)
		object, sep := "&", ", "
		if l.pointer {
			object = ""
		}
		byValue := l.shape.byValue(l.method)
		if byValue && l.pointer {
			object = "*"
		} else if byValue {
			object = ""
		}
		if len(args) == 0 {
			sep = ""
		}
		closing := ")"
		if t := c.result(l.shape, l.method); t.reference {
			closing = "))"
			name = "(*" + name
		}
		if l.implicit {
			if l.method.static {
				sep = ""
				prefix += name + "("
			} else {
				if prefix += name + "("; byValue {
					prefix += strings.TrimPrefix("*"+c.addressText(), "*&")
				} else {
					prefix += c.addressText()
				}
			}
			c.edit(l.from, l.open+1, sep)
		} else {
			prefix = name + "(" + object + prefix
			c.edit(l.from, l.open+1, sep)
		}
		c.edit(close, close+1, closing)
		ps := in.parameters(l.method.open)
		for n, a := range args {
			if n < len(ps) {
				if t, ok := in.typeAt(ps[n].from); ok && in.reference(l.method, t) != "" {
					c.before(a[0], "&(")
					c.behind(a[1]-1, ")")
				}
			}
			c.rewrite(a[0], a[1], false)
		}
		for n := len(args); n < len(ps); n++ { // what the call leaves out
			text := in.rewritten(ps[n].value+1, ps[n].to)
			if n > 0 || !l.method.static {
				text = ", " + text
			}
			c.before(close, text)
		}
	}
	if prefix != "" {
		c.edits = append(c.edits, cxxEdit{from: c.toks[i].from, to: c.toks[i].from, text: prefix})
	}
	c.rewriteLinks(done, end)
	return end
}

// objectText returns what stands in front of a member of the object whose method c is in, where it is named alone.
func (c *cxxFile) objectText() string {
	if c.valued {
		return cxxObject + "."
	}
	return "this->"
}

// addressText returns the address of the object whose method c is in.
func (c *cxxFile) addressText() string {
	if c.valued {
		return "&" + cxxObject
	}
	return "this"
}

// rewriteLinks rewrites what stands in brackets in tokens[from:to], which are names of members, brackets and their own contents.
func (c *cxxFile) rewriteLinks(from, to int) {
	for j := from; j < to; j++ {
		if c.is(j, "[") {
			c.rewrite(j+1, c.match[j], false)
			j = c.match[j]
		}
	}
}

// declaresObjects rewrites the declaration of objects whose type begins with token i, and returns what follows their names; i, if it declares none. What
// constructors make of them is not known.
func (c *cxxFile) declaresObjects(i, to int) int {
	if !c.isClass(i) || c.is(i-1, ".") || c.is(i-1, "->") {
		return i
	}
	s, end := c.shapeAt(i)
	if s == nil || end > to || c.is(end, "::") {
		return i
	}
	c.edit(i, end, s.cname)
	j := end
	for j < to && c.isWord(j) && !c.isWord(j, "const") && !c.is(j+1, "::") {
		next := j + 1
		value := ""
		switch {
		case c.is(next, "(") || c.is(next, "{"):
			text := "0"
			for _, a := range c.arguments(next) {
				text += ", " + c.made(a[0], a[1])
			}
			next, value = c.match[next]+1, text
		case c.is(next, "="):
			from := next + 1
			for next < to && !c.is(next, ",") && !c.is(next, ";") {
				if c.is(next, "(") || c.is(next, "{") || c.is(next, "[") {
					next = c.match[next]
				}
				next++
			}
			value = "0, " + c.made(from, next)
		case next < to && (c.is(next, ";") || c.is(next, ",")):
			value = "0"
		default:
			return end
		}
		c.edit(j, next, c.toks[j].s+" = "+s.cname+"__any("+value+")")
		if !c.is(next, ",") {
			return next
		}
		j = next + 1
	}
	return end
}

// constructed returns the class of the object that a constructor makes at token i, as in Grid<double>(n, m), and where its arguments open as the end; ok is
// false if it is something else, or a part of something.
func (c *cxxFile) constructed(i int) (t cxxType, ok bool) {
	t, ok = c.typeAt(i)
	if !ok || t.shape == nil || t.elem != nil || t.pointers > 0 || t.reference || !c.is(t.end, "(") && !c.is(t.end, "{") {
		return t, false
	}
	return t, c.is(c.match[t.end]+1, ";")
}

// made returns a number that is made of the variables in tokens[from:to].
func (c *cxxFile) made(from, to int) string {
	text := "__hexcc_use(0"
	for j := from; j < to; j++ {
		if c.isWord(j) && !c.types[c.toks[j].s] && !c.is(j-1, ".") && !c.is(j-1, "->") && !c.is(j-1, "::") && !c.is(j+1, "::") && !c.is(j+1, "(") {
			if _, at, member := c.variableAt(j); at >= 0 {
				name := c.toks[j].s
				if member {
					name = c.objectText() + name
				}
				text += ", " + name
			}
		}
	}
	return text + ")"
}
