package frontend

import (
	"slices"
	"strings"
)

// This file finds the operator that an expression calls, of those that classes and the file have.

// operated returns x, whose parts are known, with what its operator is and its type.
func (c *cxxFile) operated(x *cxxExpr) *cxxExpr {
	if cxxOperatorNames[x.op] != "" && slices.ContainsFunc(x.parts, func(p *cxxExpr) bool { return c.isObject(p.t) }) {
		if x.calls = c.operatorOf(x); x.calls.isCalled() {
			x.t = x.calls.result
		}
		return x
	}
	if x.op == "=" || x.t.text != "" || x.t.shape != nil {
		return x
	}
	if slices.ContainsFunc(x.parts, func(p *cxxExpr) bool { return p.t.text == "" || p.t.pointers > 0 || p.t.elem != nil || c.isObject(p.t) }) {
		return x
	}
	switch {
	case slices.Contains([]string{"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"}, x.op):
		x.t = cxxType{text: "_Bool"}
	case len(x.parts) == 1:
		x.t = cxxType{text: arithmetic(c.numberType(x.parts[0].t), "int")}
	default:
		x.t = cxxType{text: arithmetic(c.numberType(x.parts[0].t), c.numberType(x.parts[1].t))}
	}
	return x
}

// operatorOf returns which operator x calls, one of whose parts is an object; one that is not called if that is not known.
func (c *cxxFile) operatorOf(x *cxxExpr) cxxOperator {
	name := operatorName + cxxOperatorNames[x.op]
	var all []cxxOperator
	seen := map[*cxxShape]bool{}
	for k, p := range x.parts {
		s := p.t.shape
		if !c.isObject(p.t) || s == nil || seen[s] {
			continue
		}
		seen[s] = true
		for i := range s.def.methods {
			m := &s.def.methods[i]
			if m.name != name || !m.static && k > 0 {
				continue
			}
			given := x.parts
			if !m.static {
				if given = x.parts[1:]; p.t.constant && !m.constant {
					continue
				}
			}
			in := s.def.in.of(s, m)
			if exact, ok := c.takes(in, m.open, given, m.assigns() && m.static); ok && (m.static || s.isValue()) {
				all = append(all, cxxOperator{shape: s, method: m, exact: exact, result: c.result(s, m)})
			}
		}
	}
	for _, t := range c.operators[x.op] {
		args := make([]string, len(t.params))
		if !c.deducesAll(t, x.parts, args) {
			continue
		}
		in := t.item.in.with(t, args)
		if exact, ok := c.takes(in, t.item.open, x.parts, strings.HasSuffix(x.op, "=")); ok {
			result, known := in.typeAt(t.head)
			if !known {
				return cxxOperator{}
			}
			all = append(all, cxxOperator{template: t, args: args, exact: exact, result: result})
		}
	}
	if c.hasUnread(x.op) {
		return cxxOperator{}
	}
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(o cxxOperator) bool { return !o.exact })
	}
	if len(all) > 1 { // a function is a better match than a template
		if plain := slices.DeleteFunc(slices.Clone(all), func(o cxxOperator) bool { return o.template != nil && len(o.template.params) > 0 }); len(plain) == 1 {
			all = plain
		}
	}
	if len(all) != 1 {
		return cxxOperator{}
	}
	if assigns := strings.HasSuffix(x.op, "="); !assigns && all[0].result.reference || all[0].method != nil && !assigns && !all[0].method.constant && !all[0].method.static && !all[0].shape.keepsObject(all[0].method) {
		return cxxOperator{}
	}
	all[0].result.reference = false
	if strings.HasSuffix(x.op, "=") && (!c.isObject(all[0].result) || all[0].result.text != x.parts[0].t.text || !c.mayCopy(all[0], x)) {
		return cxxOperator{}
	}
	return all[0]
}

// hasUnread reports whether an operator of this sign is defined that is not read, as a template in a class: it may be what is called.
func (c *cxxFile) hasUnread(sign string) bool {
	read, other := map[string]bool{}, []string{}
	for _, of := range append([]*cxxFile{c}, c.beside...) {
		known := map[int]bool{}
		for _, it := range of.items {
			known[it.open-2] = it.open > 0
		}
		for _, k := range of.shapes {
			for _, m := range k.methods {
				known[m.at] = known[m.at] || k.in.text != nil && &k.in.text[0] == &of.text[0]
			}
		}
		for j := range of.toks {
			if !of.isWord(j, "operator") || !of.is(j+1, sign) || !of.is(j+2, "(") {
				continue
			}
			key := ""
			for _, p := range of.parameters(j + 2) {
				key += of.typeText(p) + ", "
			}
			if known[j] {
				read[key] = true
			} else if other = append(other, key); !of.isDeclared(j + 2) {
				return true
			}
		}
	}
	return slices.ContainsFunc(other, func(key string) bool { return !read[key] })
}

// isDeclared reports whether the function whose parameters open there is declared, and not defined.
func (c *cxxFile) isDeclared(open int) bool {
	end := c.match[open] + 1
	for c.isWord(end, "const", "noexcept") {
		end++
	}
	return c.is(end, ";")
}

// takes reports whether the parameters that open there in file in can be given, and whether without converting a number; sets says that the first one is set.
func (c *cxxFile) takes(in *cxxFile, open int, given []*cxxExpr, sets bool) (exact, ok bool) {
	ps := in.parameters(open)
	if len(ps) != len(given) {
		return false, false
	}
	exact = true
	for k, p := range ps {
		t, known := in.typeAt(p.from)
		if !known || p.moved || p.value > 0 || t.pointers > 0 || t.elem != nil || t.reference && !t.constant && !(sets && k == 0) {
			return false, false
		}
		g := given[k].t
		switch {
		case in.isObject(t):
			if !c.isObject(g) || g.text != t.text || t.shape != nil && !t.shape.isValue() {
				return false, false
			}
		case in.numberType(t) == "" || c.isObject(g) || g.pointers > 0 || g.elem != nil:
			return false, false
		default:
			exact = exact && numberText(in.numberType(t)) == numberText(c.numberType(g)) && g.text != ""
		}
	}
	return exact, true
}

// deducesAll finds the arguments of t, an operator, by the types of what it is given; it reports false if it is not t that is called, or they are not known.
func (c *cxxFile) deducesAll(t *cxxTemplate, given []*cxxExpr, args []string) bool {
	of := t.item.in
	ps := of.parameters(t.item.open)
	if len(ps) != len(given) {
		return false
	}
	for n, param := range t.params {
		for k, p := range ps {
			g := given[k].t
			for j := p.from; j < p.to && args[n] == ""; j++ {
				switch {
				case of.isWord(j, param.name) && param.typ && p.typ == param.name:
					if c.isObject(g) {
						args[n] = g.text
					} else if g.pointers == 0 && g.elem == nil {
						args[n] = c.numberType(g)
					}
				case of.isWord(j) && of.shapes[of.toks[j].s] != nil && of.is(j+1, "<") && c.isObject(g) && g.shape != nil && g.shape.def.name == of.toks[j].s:
					at := 0
					for from := j + 2; from < of.angle(j+1); at++ {
						to := min(of.until(from, of.angle(j+1), ","), of.angle(j+1))
						if to == from+1 && of.isWord(from, param.name) && at < len(g.shape.args) {
							args[n] = g.shape.args[at]
						}
						from = to + 1
					}
				}
			}
		}
		if args[n] == "" {
			args[n] = param.value
		}
		if args[n] == "" || len(args[n]) > maxArgument {
			return false
		}
	}
	return true
}

// mayCopy reports whether o, an operator that assigns in x, does the same where what it is given is copied before: nothing of the object that it sets is read behind by
// what it is given.
func (c *cxxFile) mayCopy(o cxxOperator, x *cxxExpr) bool {
	in, open, body, to := (*cxxFile)(nil), 0, 0, 0
	if o.method != nil {
		in, open, body, to = o.shape.def.in.of(o.shape, o.method), o.method.open, o.method.body, o.method.to
	} else {
		in, open, body, to = o.template.item.in.with(o.template, o.args), o.template.item.open, o.template.item.body, o.template.item.to
	}
	if c.hasEffect(x.parts[0].from, x.parts[0].to) || !in.returnsObject(body, to, open, o.method == nil || o.method.static) {
		return false
	}
	ps := in.parameters(open)
	last := ps[len(ps)-1]
	t, _ := in.typeAt(last.from)
	given := x.parts[1]
	switch {
	case !t.reference, c.isNewValue(given.from, given.to), given.op != "" && given.op != "=" && given.op != "?" && given.op != "*":
		return true
	case given.to == given.from+1 && c.isWord(given.from): // a variable, and not a reference to something
		if t, at, _ := c.variableAt(given.from); at >= 0 && !t.reference && !c.is(at-1, "&") && x.parts[0].to == x.parts[0].from+1 && !c.isWord(x.parts[0].from, c.toks[given.from].s) {
			return true
		}
	}
	set := map[string]bool{}
	for j := body; j < to; j++ {
		switch {
		case in.isWord(j, "for", "while", "do", "goto"):
			return false
		case in.isWord(j, last.name) && len(set) > 0:
			if !in.is(j+1, ".") || set[in.toks[j+2].s] {
				return false
			}
		case in.isAssignment(j) && in.isWord(j-1):
			end := in.until(j, to, ";")
			for k := j + 1; k < end; k++ {
				if in.isWord(k, last.name) && (set[in.toks[min(k+2, end)].s] || len(set) > 0 && !in.is(k+1, ".")) {
					return false
				}
			}
			set[in.toks[j-1].s] = true
			j = end
		case in.isAssignment(j), in.is(j, "++"), in.is(j, "--"):
			return false
		}
	}
	return true
}

// returnsObject reports whether all that the operator with this body returns is the object that it sets: *this, or of a function the first of the parameters that open there.
func (c *cxxFile) returnsObject(body, to, open int, function bool) bool {
	any := false
	for j := body; j < to; j++ {
		if !c.isWord(j, "return") {
			continue
		}
		any = true
		if function {
			ps := c.parameters(open)
			if len(ps) == 0 || ps[0].name == "" || !c.isWord(j+1, ps[0].name) || !c.is(j+2, ";") {
				return false
			}
		} else if !c.is(j+1, "*") || !c.isWord(j+2, "this") || !c.is(j+3, ";") {
			return false
		}
	}
	return any
}
