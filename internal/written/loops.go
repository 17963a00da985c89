package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes loop nests and the time loop.

// loopType is the type of the loop variables.
func (m *maker) loopType() string {
	t := m.pick("loop type", "int", "int", "int", "int", "int", "long", "short", "size_t", "unsigned", "int64_t", "ptrdiff_t")
	if t == "size_t" || t == "unsigned" {
		signed := []string{"clamp MAX/MIN", "clamp if", "wrap if", "mirror ?:"}
		if m.body == "loop" || m.body == "table" || slices.ContainsFunc(m.dims, func(d dim) bool { return slices.Contains(signed, d.border) }) ||
			m.asked["subscripts"] == "function" || m.kind == "red-black" {
			return "int"
		}
	}
	return t
}

// indent moves lines to the right.
func indent(text string, by int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if line != "" && !strings.HasPrefix(line, "#") {
			lines[i] = strings.Repeat(" ", by) + line
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// braced puts braces around statements, unless they are one line.
func braced(head, body string) string {
	if strings.Count(body, "\n") == 1 {
		return head + "\n" + indent(body, 4)
	}
	return head + " {\n" + indent(body, 4) + "}\n"
}

// head is the head of a loop over dimension d.
func (m *maker) head(d int, low, high string) string {
	i, typ := m.dims[d].loop, m.loopType()
	way := m.pick("loop form", "up", "up", "up", "before", "<=", "down")
	if m.unsigned() && way == "down" {
		way = "up"
	}
	m.feature("loops", way)
	m.feature("loop variables", typ)
	decl := typ + " "
	switch way {
	case "before":
		decl = ""
	case "<=":
		if last, ok := strings.CutSuffix(high, " - 1"); ok {
			return fmt.Sprintf("for (%s%s = %s; %s <= %s - 2; %s++)", decl, i, low, i, last, i)
		}
		if last, ok := strings.CutSuffix(high, " + 1"); ok {
			return fmt.Sprintf("for (%s%s = %s; %s <= %s; %s++)", decl, i, low, i, last, i)
		}
		return fmt.Sprintf("for (%s%s = %s; %s <= %s - 1; %s++)", decl, i, low, i, high, i)
	case "down":
		return fmt.Sprintf("for (%s%s = %s - 1; %s >= %s; %s--)", decl, i, high, i, low, i)
	}
	return fmt.Sprintf("for (%s%s = %s; %s < %s; %s)", decl, i, low, i, high, m.pick("step form", i+"++", "++"+i, i+" += 1"))
}

// over puts the loops over the grid around a body, with the locals that it declared.
func (m *maker) over(body string) string {
	return m.overRows("", body, "")
}

// overRows puts loops over all dimensions but the first around a body, and, with what is before and behind them, the first around these.
func (m *maker) overRows(before, body, behind string) string {
	text := body
	for d := len(m.dims) - 1; d >= 0; d-- {
		low, high := m.bounds(d)
		if d == 0 {
			text = before + text + behind
		}
		if d < len(m.locals) && m.locals[d] != nil {
			text = strings.Join(m.locals[d], "\n") + "\n" + text
		}
		text = braced(m.head(d, low, high), text)
	}
	m.locals = nil
	return text
}

// declared are the loop variables that are declared before the loops.
func (m *maker) declared() string {
	if m.asked["loop form"] != "before" {
		return ""
	}
	var names []string
	for _, d := range m.dims {
		names = append(names, d.loop)
	}
	return fmt.Sprintf("    %s %s;\n", m.loopType(), strings.Join(names, ", "))
}

// sweep is a nest that computes new fields of old ones.
func (m *maker) sweep(dst, src func(field string) ref) string {
	text := m.fill(src)
	body := ""
	border := slices.ContainsFunc(m.dims, func(d dim) bool { return d.border == "if" })
	var tests []string
	for d, x := range m.dims {
		if x.border == "if" {
			i, r := m.dims[d].loop, m.radius
			if r == 1 && m.pick("border test", "==", "<") == "==" {
				tests = append(tests, fmt.Sprintf("%s == 0 || %s == %s - 1", i, i, x.size))
			} else {
				tests = append(tests, fmt.Sprintf("%s < %d || %s >= %s - %d", i, r, i, x.size, r))
			}
		}
	}
	for k, f := range m.fields {
		all := []ref{src(f)}
		if len(m.fields) > 1 {
			all = append(all, src(m.fields[1-k]))
		}
		own := ""
		if m.kind == "wave" {
			own = m.point(m.before(f))
		}
		one := m.store(dst(f), all, own)
		if strings.Contains(one, "\n") && len(m.fields) > 1 && strings.Count(one, "\n") > 1 {
			one = "{\n" + indent(one, 4) + "}\n"
		}
		if m.gathers != "" {
			one += m.gather(m.point(dst(f)), m.point(src(f)))
		}
		if border {
			edge := m.point(dst(f)) + " = " + m.point(src(f)) + ";\n"
			if m.pick("edge value", "copy", "constant") == "constant" {
				edge = m.point(dst(f)) + " = 0;\n"
			}
			one = braced("if ("+strings.Join(tests, " || ")+")", edge) + braced("else", one)
		}
		body += one
	}
	return text + m.pragma() + m.over(body)
}

// pragma is what programs have in front of their loops.
func (m *maker) pragma() string {
	if m.one("omp", 5) && m.asked["loop form"] != "before" && m.gathers == "" {
		return "#pragma omp parallel for\n"
	}
	return ""
}

// fill sets the points outside of the grid.
func (m *maker) fill(src func(field string) ref) (text string) {
	for d, x := range m.dims {
		if !x.ghost() || x.border == "ghost zero" {
			continue
		}
		body := ""
		for _, f := range m.fields {
			for r := 1; r <= m.radius; r++ {
				low, high := "", ""
				n := x.size
				switch x.border {
				case "ghost copy":
					low, high = fmt.Sprint(m.radius), fmt.Sprintf("%s + %d", n, m.radius-1)
				case "ghost mirror":
					low, high = fmt.Sprint(m.radius+r-1), fmt.Sprintf("%s + %d", n, m.radius-r)
				case "ghost periodic":
					low, high = fmt.Sprintf("%s + %d", n, m.radius-r), fmt.Sprint(m.radius+r-1)
				}
				low, high = strings.TrimSuffix(low, " + 0"), strings.TrimSuffix(high, " + 0")
				at := func(text string) string {
					var subs []sub
					for e, y := range m.dims {
						if e == d {
							subs = append(subs, sub{text: text})
						} else {
							subs = append(subs, sub{loop: y.loop})
						}
					}
					return m.at(src(f), subs...)
				}
				body += fmt.Sprintf("%s = %s;\n%s = %s;\n", at(fmt.Sprint(m.radius-r)), at(low), at(fmt.Sprintf("%s + %d", n, m.radius+r-1)), at(high))
			}
		}
		m.locals = nil
		for e := len(m.dims) - 1; e >= 0; e-- {
			if e == d {
				continue
			}
			low, high := m.bounds(e)
			if m.box || m.body == "loop" {
				low, high = "0", m.extent(e)
			}
			body = braced(m.head(e, low, high), body)
		}
		text += body
	}
	return text
}

// copyBack copies one array to another.
func (m *maker) copyBack(dst, src func(field string) ref) string {
	if m.copies() {
		text := ""
		for _, f := range m.fields {
			to, from := dst(f).name, src(f).name
			size := fmt.Sprintf("(size_t)%s * sizeof(%s)", m.count(f), m.elem)
			if m.globals() && m.pick("size of copies", "object", "count") == "object" {
				size = "sizeof " + to
			}
			text += fmt.Sprintf("memcpy(%s, %s, %s);\n", to, from, size)
		}
		return text
	}
	body := ""
	for _, f := range m.fields {
		body += m.point(dst(f)) + " = " + m.point(src(f)) + ";\n"
	}
	return m.over(body)
}

// copies reports whether arrays are copied by memcpy, their borders too.
func (m *maker) copies() bool {
	if m.storage == "array of structs" || m.storage == "rows of pointers" || m.planes() > 0 || !m.one("copies by memcpy", 3) {
		return false
	}
	m.feature("copies", "memcpy")
	return true
}

// gather adds to the norm of what changes.
func (m *maker) gather(new, old string) string {
	if !m.floating() {
		return fmt.Sprintf("err += %s != %s;\n", new, old)
	}
	abs := "fabs"
	if m.elem == "float" && m.pick("abs", "fabs", "fabsf") == "fabsf" {
		abs = "fabsf"
	}
	diff := fmt.Sprintf("%s(%s - %s)", abs, new, old)
	switch m.gathers {
	case "fmax":
		return fmt.Sprintf("err = fmax(err, %s);\n", diff)
	case "if":
		return fmt.Sprintf("if (%s > err)\n    err = %s;\n", diff, diff)
	}
	return "err += " + diff + ";\n"
}
