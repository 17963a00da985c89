package randc

import "fmt"

// value returns an expression of kind k: whole for an integer, floating for any.
func (g *generator) value(k kind, depth int) *node {
	if depth == 0 || g.one(6) {
		return g.operand(k, 0)
	}
	if k == whole {
		return g.whole(depth)
	}
	return g.floating(depth)
}

// operand returns an expression that can stand beside an operator.
func (g *generator) operand(k kind, depth int) *node {
	if depth > 0 {
		return &node{k, "(%s)", []*node{g.value(k, depth)}}
	}
	if len(g.locals) > 0 && g.one(3) {
		l := g.locals[g.rng.IntN(len(g.locals))]
		if k == floating || l.kind == whole {
			return leaf(k, "%s", l.name)
		}
	}
	if arrays := g.readable(k); len(arrays) > 0 && !g.one(3) {
		return leaf(k, "%s", g.element(arrays[g.rng.IntN(len(arrays))], false, nil))
	}
	choice := []string{"c", "t", "3", "SEVEN", "0x10", "5L", "12u", "(-2)", "(int)sizeof(double)", "'x'"}
	if i := g.iterator(); i != "" {
		choice = append(choice, i, i)
	}
	if k == floating && !g.one(3) {
		choice = []string{"alpha", "beta", "0.25f", "0.5", "1e-3", ".125f", "2.0f", "3"}
	}
	return leaf(k, "%s", g.pick(choice...))
}

func (g *generator) floating(depth int) *node {
	x := func() *node { return g.operand(floating, depth-1) }
	two := func(text string) *node { return &node{floating, text, []*node{x(), x()}} }
	switch g.rng.IntN(16) {
	case 0, 1, 2, 3, 4, 5:
		return two("%s " + g.pick("+", "-", "*") + " %s")
	case 6:
		return &node{floating, "%s + %s * %s", []*node{x(), x(), x()}}
	case 7:
		return two("%s / (%s + 0.5f)")
	case 8:
		return &node{floating, "%s ? %s : %s", []*node{g.operand(floating, 0), x(), x()}}
	case 9:
		return &node{floating, "(%s) ? %s : %s", []*node{g.condition(), x(), x()}}
	case 10:
		return &node{floating, g.pick("-", "- -", "+") + "%s", []*node{x()}}
	case 11:
		return &node{floating, "(" + g.pick("float", "double") + ")%s", []*node{x()}}
	case 12:
		return &node{floating, g.pick("fabs(%s)", "fabsf(%s)", "sqrtf(fabsf(%s))", "sqrt(fabs(%s))", "fmaxf(%s, 2)", "fmin(1, %s)", "floor(%s)", "ceilf(%s)"), []*node{x()}}
	case 13:
		return &node{floating, "SQUARE(%s)", []*node{x()}}
	case 14:
		if g.calls {
			return g.call(x)
		}
	}
	return two("%s " + g.pick("<", ">=", "==", "&&", "||") + " %s")
}

// call returns a call of a new static function.
func (g *generator) call(x func() *node) *node {
	g.allow("HX103")
	g.count++
	name := fmt.Sprintf("%s_g%d", g.name, g.count)
	typ := g.pick("float", "double")
	body := g.pick("return a * b + 1;", "return a < b ? a : b;", "%[2]s s = a - b;\n  return s * s;", "%[2]s s = a;\n  if (a > b)\n    s = b;\n  return s / 2;")
	text := fmt.Sprintf("static %[2]s %[1]s(%[2]s a, %[2]s b)\n{\n  "+body+"\n}\n", name, typ)
	g.helpers = append(g.helpers, leaf(fixed, "%s", text))
	return &node{floating, name + "(%s, %s)", []*node{x(), x()}}
}

func (g *generator) whole(depth int) *node {
	x := func() *node { return g.operand(whole, depth-1) }
	two := func(text string) *node { return &node{whole, text, []*node{x(), x()}} }
	switch g.rng.IntN(10) {
	case 0, 1, 2, 3:
		return two("%s " + g.pick("+", "-", "*") + " %s")
	case 4:
		return two("%s " + g.pick("/", "%%", "<<", ">>") + " ((%s & 7) + 1)")
	case 5:
		return two("%s " + g.pick("&", "|", "^", "<", "!=", "&&") + " %s")
	case 6:
		return &node{whole, "(%s) ? %s : %s", []*node{g.condition(), x(), x()}}
	case 7:
		return &node{whole, g.pick("-", "~", "!") + "%s", []*node{x()}}
	case 8:
		return &node{whole, "(" + g.pick("int", "long", "unsigned", "unsigned long") + ")%s", []*node{x()}}
	}
	return &node{whole, "abs(%s %% 100)", []*node{x()}}
}
