package randc

import (
	"fmt"
	"slices"
	"strings"
)

// statements returns n statements; the last stores, so that no body is idle.
func (g *generator) statements(n int, nested bool) *node {
	var all []*node
	before := len(g.locals)
	for range n {
		if s := g.statement(nested); s != nil {
			all = append(all, s)
		}
	}
	all = append(all, g.store())
	g.locals = g.locals[:before]
	return &node{list, "", all}
}

func (g *generator) statement(nested bool) *node {
	switch g.rng.IntN(8) {
	case 0, 1:
		return g.declaration()
	case 2:
		return g.update()
	case 3:
		if nested && g.branches {
			return g.branch()
		}
	case 4:
		if nested && g.windows {
			return g.window()
		}
	}
	return g.store()
}

func (g *generator) declaration() *node {
	g.count++
	name := fmt.Sprintf("x%d", g.count)
	k, typ := floating, g.pick("float", "double")
	if g.one(3) {
		k, typ = whole, g.pick("int", "int", "long", "unsigned")
	}
	n := &node{fixed, "      " + typ + " " + name + " = %s;\n", []*node{g.value(k, 2)}}
	g.locals = append(g.locals, local{name, k})
	return n
}

// update sets a local again.
func (g *generator) update() *node {
	if len(g.locals) == 0 {
		return nil
	}
	l := g.locals[g.rng.IntN(len(g.locals))]
	return &node{fixed, "      " + l.name + " " + g.pick("=", "+=", "-=", "*=") + " %s;\n", []*node{g.value(l.kind, 2)}}
}

// store assigns to an array element.
func (g *generator) store() *node {
	var targets []array
	for _, a := range g.arrays {
		if !a.constant {
			targets = append(targets, a)
		}
	}
	a := targets[g.rng.IntN(len(targets))]
	k := floating
	if a.elem == "int" {
		k = whole
	}
	op := g.pick("=", "=", "=", "+=", "-=", "*=")
	return &node{fixed, "      " + escape(g.element(a, true, nil)) + " " + op + " %s;\n", []*node{g.value(k, 3)}}
}

// branch returns an if, affine or not, with or without else.
func (g *generator) branch() *node {
	then := g.statements(g.rng.IntN(2), false)
	orElse := &node{optional, "", nil}
	if g.one(2) {
		orElse.kids = []*node{{fixed, "      } else {\n%s", []*node{g.statements(g.rng.IntN(2), false)}}}
	}
	return &node{fixed, "      if (%s) {\n%s%s      }\n", []*node{g.condition(), then, orElse}}
}

// condition compares iterators and parameters, or values.
func (g *generator) condition() *node {
	if i := g.iterator(); i != "" && g.one(2) {
		g.allow("HX116") // parts of a nest that depend on each other
		affine := func() string {
			return fmt.Sprintf("%s %s %s", i, g.pick("<", "<=", ">", ">=", "==", "!="), g.pick("3", "n - 3", "m / 2", "c", "t", "n - c"))
		}
		text := affine()
		if g.one(3) {
			text += g.pick(" && ", " || ") + affine()
		}
		return leaf(whole, "%s", text)
	}
	return &node{whole, "%s " + g.pick("<", ">=", "==") + " %s", []*node{g.operand(floating, 1), g.operand(floating, 1)}}
}

// window sums over a small constant range of offsets.
func (g *generator) window() *node {
	free := g.free()
	if len(free) == 0 {
		return nil
	}
	var a array
	for _, b := range g.arrays {
		if len(b.dims) == len(g.extents) {
			a = b
		}
	}
	g.count++
	name, w := fmt.Sprintf("x%d", g.count), fmt.Sprintf("w%d", g.count)
	offset := map[int]string{free[g.rng.IntN(len(free))]: " + " + w}
	k, typ := floating, "float"
	if a.elem == "int" {
		k, typ = whole, "int"
	}
	g.locals = append(g.locals, local{name, k})
	element := escape(g.element(a, false, offset))
	return &node{fixed, fmt.Sprintf("      %s %s = 0;\n      for (int %s = -%d; %s <= %d; %s++)\n        %s += %s * (%s + 2);\n",
		typ, name, w, g.reach, w, g.reach, w, name, element, w), nil}
}

// free returns the dimensions that have a loop.
func (g *generator) free() (dims []int) {
	for d, i := range g.loops {
		if i != "" {
			dims = append(dims, d)
		}
	}
	return dims
}

func (g *generator) iterator() string {
	free := g.free()
	if len(free) == 0 {
		return ""
	}
	return g.loops[free[g.rng.IntN(len(free))]]
}

// element returns an element of a: the one of this place where it is written, one near
// it where it is read, or with an offset that is given for some dimensions.
func (g *generator) element(a array, write bool, offset map[int]string) string {
	text := a.name
	if a.planes > 0 {
		text += "[" + g.plane(a, write) + "]"
	}
	for _, d := range a.dims {
		i := g.loops[d]
		switch {
		case i == "":
			text += "[" + g.at[d] + "]"
		case offset[d] != "":
			text += "[" + i + offset[d] + "]"
		case write && !a.constant && g.rng.IntN(12) > 0:
			text += "[" + i + "]"
		default:
			text += "[" + g.near(i) + "]"
		}
	}
	return text
}

// near returns a subscript at most reach away from i.
func (g *generator) near(i string) string {
	switch off := g.rng.IntN(2*g.reach+1) - g.reach; {
	case off == 0:
		return i
	case off < 0:
		return g.pick(fmt.Sprintf("%s - %d", i, -off), fmt.Sprintf("-%d + %s", -off, i))
	default:
		return g.pick(fmt.Sprintf("%s + %d", i, off), fmt.Sprintf("%d + %s", off, i), fmt.Sprintf("%s + %d - 1", i, off+1))
	}
}

// plane returns the first subscript of a.
func (g *generator) plane(a array, write bool) string {
	switch {
	case a.planes == 3 && write:
		return "(t + 2) % 3"
	case a.planes == 3:
		return g.pick("t % 3", "(t + 1) % 3")
	case g.late && write:
		return g.pick("t % 2", "t & 1")
	case g.late:
		return g.pick("(t - 1) % 2", "(t + 1) % 2", "1 - t % 2")
	case write:
		return g.pick("(t + 1) % 2", "(t+1)&1", "1 - t % 2", "(1 + t) % 2")
	}
	return g.pick("t % 2", "t & 1", "(t + 2) % 2", "t%2")
}

// escape returns text for a node.
func escape(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// readable returns the arrays with elements of kind k.
func (g *generator) readable(k kind) []array {
	return slices.DeleteFunc(slices.Clone(g.arrays), func(a array) bool { return k == whole && a.elem != "int" })
}
