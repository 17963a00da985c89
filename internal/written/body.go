package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file says what a point computes of its neighbours.

// offsets returns the neighbours that a point reads.
func (m *maker) offsets() (all [][]int) {
	for d := range m.dims {
		for r := 1; r <= m.radius; r++ {
			for _, o := range []int{-r, r} {
				x := make([]int, len(m.dims))
				x[d] = o
				all = append(all, x)
			}
		}
	}
	if m.box {
		for _, a := range []int{-1, 1} {
			for _, b := range []int{-1, 1} {
				all = append(all, []int{a, b})
			}
		}
	}
	return all
}

// point returns an element at the point, or near to it.
func (m *maker) point(a ref, offsets ...int) string {
	var subs []sub
	for d := range m.dims {
		off := 0
		if offsets != nil {
			off = offsets[d]
		}
		subs = append(subs, m.near(d, off))
	}
	return m.at(a, subs...)
}

// number writes a constant in the type of elements.
func (m *maker) number(text string) string {
	if m.elem == "float" && m.pick("suffix", "f", "f", "") == "f" {
		return text + "f"
	}
	return text
}

// store returns the statements that compute a field of others.
func (m *maker) store(dst ref, src []ref, own string) string {
	target := m.point(dst)
	n := len(m.offsets())
	center := m.point(src[0])
	var terms []string
	if m.body != "loop" && m.body != "table" {
		for _, o := range m.offsets() {
			terms = append(terms, m.point(src[0], o...))
		}
	}
	rest := ""
	for _, x := range src[1:] {
		rest += " + " + m.number("0.0625") + " * " + m.point(x)
	}
	for _, x := range m.extras {
		if x == "src" {
			rest += " + " + m.number("0.03125") + " * " + m.point(ref{name: m.named(x)})
		}
	}
	weight := m.number(fmt.Sprintf("%.4g", 0.5/float64(n)))
	half := m.number("0.5")
	if slices.Contains(m.extras, "coef") {
		weight = m.point(ref{name: m.named("coef")}) + " * " + weight
	}
	switch m.pick("weights", "numbers", "variables", "macros") {
	case "variables":
		half = "alpha"
	case "macros":
		m.helper("HALF", "#define HALF "+half+"\n")
		half = "HALF"
	}
	value := func(sum string) string {
		if !m.floating() {
			whole := fmt.Sprintf("(%s + %s) / %d", center, sum, n+1)
			if len(src) > 1 {
				whole = fmt.Sprintf("(%s + %s + %s) / %d", center, sum, m.point(src[1]), n+2)
			}
			if m.elem != "int" && m.pick("cast", "no", "yes") == "yes" {
				return fmt.Sprintf("(%s)(%s)", m.elem, whole)
			}
			return whole
		}
		if m.kind == "wave" {
			return fmt.Sprintf("%s * %s - %s + %s * (%s - %d * %s)", m.number("1.9"), center, strings.ReplaceAll(own, "@", ""), m.number("0.05"), sum, n, center)
		}
		return fmt.Sprintf("%s * %s + %s * (%s)%s", half, center, weight, sum, rest)
	}
	sum := strings.Join(terms, " + ")
	typ := m.elem
	if !m.floating() {
		typ = "int"
	}
	text := ""
	switch m.body {
	case "named":
		var names []string
		for i, t := range terms {
			name := fmt.Sprintf("%c%d", 'p', i)
			if len(terms) == 4 && m.radius == 1 {
				name = []string{"north", "south", "west", "east"}[i]
			}
			names = append(names, name)
			text += fmt.Sprintf("const %s %s = %s;\n", typ, name, t)
		}
		text += fmt.Sprintf("%s = %s;\n", target, value(strings.Join(names, " + ")))
	case "sum":
		text = typ + " sum = 0;\n"
		for _, t := range terms {
			text += "sum += " + t + ";\n"
		}
		text += target + " = " + value("sum") + ";\n"
	case "loop":
		text = m.overOffsets(src[0], typ)
		text += target + " = " + value("sum") + ";\n"
	case "table":
		text = m.overTable(src[0], typ)
		text += target + " = " + value("sum") + ";\n"
	case "local array":
		text = fmt.Sprintf("%s nb[%d] = {%s};\n%s sum = 0;\nfor (int q = 0; q < %d; q++)\n    sum += nb[q];\n", typ, n, strings.Join(terms, ", "), typ, n)
		text += target + " = " + value("sum") + ";\n"
	case "function":
		var formal []string
		var names []string
		for i := range terms {
			formal = append(formal, fmt.Sprintf("%s a%d", typ, i))
			names = append(names, fmt.Sprintf("a%d", i))
		}
		m.helper("gather", fmt.Sprintf("static inline %s gather(%s)\n{\n    return %s;\n}\n", typ, strings.Join(formal, ", "), strings.Join(names, " + ")))
		text = target + " = " + value("gather("+strings.Join(terms, ", ")+")") + ";\n"
	case "struct":
		m.helper("pair", fmt.Sprintf("typedef struct { %s lo, hi; } pair;\n", typ))
		m.helper("flux", fmt.Sprintf("static pair flux(%s a, %s b)\n{\n    pair p = { a - b, a + b };\n    return p;\n}\n", typ, typ))
		text = fmt.Sprintf("pair f = flux(%s, %s);\n", terms[0], terms[1])
		text += target + " = " + value(strings.Join(append([]string{"f.hi"}, terms[2:]...), " + ")) + ";\n"
	case "if":
		text = fmt.Sprintf("%s val = %s;\nif (val > %s)\n    val = %s;\n", typ, value(sum), m.limit(), m.limit())
		if m.pick("two sided", "no", "yes") == "yes" {
			text += fmt.Sprintf("else if (val < %s)\n    val = %s;\n", m.least0(), m.least0())
		}
		text += target + " = val;\n"
	case "mask":
		text = fmt.Sprintf("if (%s)\n    %s = %s;\nelse\n    %s = %s;\n", m.masked(), target, center, target, value(sum))
	case "continue":
		text = fmt.Sprintf("if (%s) {\n    %s = %s;\n    continue;\n}\n%s = %s;\n", m.masked(), target, center, target, value(sum))
	case "compound":
		text = fmt.Sprintf("%s = %s;\n", target, value(terms[0]))
		for _, t := range terms[1:] {
			text += fmt.Sprintf("%s += %s;\n", target, m.part(weight, t))
		}
	default:
		text = target + " = " + value(sum) + ";\n"
	}
	return text
}

// part is a term that is added to what a point holds already.
func (m *maker) part(weight, term string) string {
	if !m.floating() {
		return term + " / 64"
	}
	return weight + " * " + term
}

func (m *maker) limit() string {
	if m.floating() {
		return m.number("0.75")
	}
	return "90"
}

func (m *maker) least0() string {
	if m.floating() {
		return m.number("0.25")
	}
	return "3"
}

// masked is a condition on data.
func (m *maker) masked() string {
	return m.point(ref{name: m.named("mask")}) + m.pick("mask test", " > ", " >= ") + m.limit()
}

// overOffsets sums over all neighbours by loops.
func (m *maker) overOffsets(src ref, typ string) string {
	text := typ + " sum = 0;\n"
	var subs []sub
	indent := ""
	var zero []string
	for d, x := range m.dims {
		o := "d" + x.loop
		text += fmt.Sprintf("%sfor (int %s = -%d; %s <= %d; %s++)\n", indent, o, m.radius, o, m.radius, o)
		subs = append(subs, m.both(d, x.loop+" + "+o))
		zero = append(zero, o+" == 0")
		indent += "    "
	}
	if m.pick("centre", "continue", "if") == "continue" {
		text = strings.TrimSuffix(text, "\n") + " {\n" + fmt.Sprintf("%sif (%s)\n%s    continue;\n", indent, strings.Join(zero, " && "), indent) +
			fmt.Sprintf("%ssum += %s;\n%s}\n", indent, m.at(src, subs...), indent[4:])
		return text
	}
	return text + fmt.Sprintf("%sif (!(%s))\n%s    sum += %s;\n", indent, strings.Join(zero, " && "), indent, m.at(src, subs...))
}

// overTable sums over neighbours that a table lists.
func (m *maker) overTable(src ref, typ string) string {
	all := m.offsets()
	var subs []sub
	tables := ""
	for d, x := range m.dims {
		var numbers []string
		for _, o := range all {
			numbers = append(numbers, fmt.Sprint(o[d]))
		}
		tables += fmt.Sprintf("static const int step_%s[%d] = { %s };\n", x.loop, len(all), strings.Join(numbers, ", "))
		subs = append(subs, m.both(d, fmt.Sprintf("%s + step_%s[q]", x.loop, x.loop)))
	}
	m.helper("tables", tables)
	return fmt.Sprintf("%s sum = 0;\nfor (int q = 0; q < %d; q++)\n    sum += %s;\n", typ, len(all), m.at(src, subs...))
}

func (m *maker) chooseBody() {
	all := []string{"expression", "expression", "expression", "named", "sum", "loop", "table", "local array", "function", "struct", "if", "mask", "continue", "compound"}
	if m.kind == "staggered" {
		all = []string{"expression"}
	}
	if m.kind == "red-black" {
		all = []string{"expression", "named", "sum", "function", "if"}
	}
	m.body = m.pick("body", all...)
	if m.body == "loop" && len(m.dims) == 3 {
		m.radius = 1
	}
	if m.body == "mask" || m.body == "continue" {
		m.extras = append(m.extras, "mask")
	}
	if m.body == "loop" {
		m.box = false
	}
	m.feature("body", m.body)
	if m.floating() && m.kind != "wave" {
		switch m.pick("extra", "none", "none", "none", "coef", "src") {
		case "coef":
			m.extras = append(m.extras, "coef")
			m.feature("fields", "coefficients")
		case "src":
			m.extras = append(m.extras, "src")
			m.feature("fields", "source")
		}
	}
}
