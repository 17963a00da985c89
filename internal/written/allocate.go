package written

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file writes main: sizes, memory, output.

// stride matches the name of a stride.
var stride = regexp.MustCompile(`\bld2?\b`)

func (m *maker) main(solve string) string {
	var b strings.Builder
	b.WriteString("int main(int argc, char **argv)\n{\n")
	arg := 0
	next := func() string {
		arg++
		return fmt.Sprintf("argc > %d ? atoi(argv[%d]) : 10", arg, arg)
	}
	if m.storage == "struct of pointers" {
		b.WriteString("    struct grid grid, *g = &grid;\n")
	}
	if !m.static {
		for _, s := range m.sizes() {
			if m.members {
				fmt.Fprintf(&b, "    %s = %s;\n", s, next())
			} else {
				fmt.Fprintf(&b, "    int %s = %s;\n", s, next())
			}
		}
	}
	fmt.Fprintf(&b, "    int %s = %s;\n", m.steps, next())
	if least := m.least(); least > 0 && !m.static {
		var tests []string
		for _, s := range m.sizes() {
			tests = append(tests, fmt.Sprintf("%s < %d", s, least))
		}
		fmt.Fprintf(&b, "    if (%s) {\n        fprintf(stderr, \"too small\\n\");\n        return 1;\n    }\n", strings.Join(tests, " || "))
	}
	for i, a := range m.arrays() {
		m.allocate(&b, a, i+1)
	}
	if m.storage == "array of structs" {
		members := len(m.arrays())
		if !m.globals() {
			fmt.Fprintf(&b, "    struct cell *cell = malloc((size_t)%s * sizeof *cell);\n", m.count("u"))
			fmt.Fprintf(&b, "    fill(&cell->%s, (size_t)%s * %d, 1);\n", m.arrays()[0], m.count("u"), members)
		} else {
			fmt.Fprintf(&b, "    fill(&cell%s.%s, (size_t)%s * %d, 1);\n", strings.Repeat("[0]", len(m.dims)), m.arrays()[0], m.count("u"), members)
		}
	}
	switch m.place {
	case "main", "step in main":
		b.WriteString(m.declared())
		if m.place == "main" {
			b.WriteString(m.strides() + m.scalars())
		} else if stride.MatchString(solve) { // of copies beside the calls
			b.WriteString(m.strides())
		}
		b.WriteString("\n" + indent(solve, 4) + "\n")
	default:
		fmt.Fprintf(&b, "\n    solve(%s);\n\n", strings.Join(m.arguments(), ", "))
	}
	for _, a := range m.arrays() {
		m.print(&b, a)
	}
	if m.storage == "array of structs" {
		first := "cell"
		if m.globals() {
			first = "&cell" + strings.Repeat("[0]", len(m.dims)) + "." + m.arrays()[0]
		} else {
			first = "&cell->" + m.arrays()[0]
		}
		fmt.Fprintf(&b, "    show(\"cell\", %s, (size_t)%s * %d);\n", first, m.count("u"), len(m.arrays()))
	}
	b.WriteString("    return 0;\n}\n")
	return b.String()
}

// arguments are those of solve.
func (m *maker) arguments() []string {
	args := slices.Clone(m.values())
	switch {
	case m.storage == "struct of pointers":
		args = append(args, "g")
	case m.storage == "array of structs" && !m.globals():
		args = append(args, "cell")
	case m.storage != "array of structs" && !m.globals():
		args = append(args, m.arrays()...)
	}
	return append(args, m.steps)
}

// allocate gets memory for an array, and fills it.
func (m *maker) allocate(b *strings.Builder, a string, seed int) {
	count := "(size_t)" + m.count(a)
	elem := m.elem
	switch m.storage {
	case "array of structs":
		return
	case "declared":
		if !m.globals() {
			// on the stack if it is small
			fmt.Fprintf(b, "    %s %s = malloc(%s * sizeof(%s));\n", elem, m.declarator(a, true), count, elem)
		}
		fmt.Fprintf(b, "    fill((%s *)%s, %s, %d);\n", elem, a, count, seed)
	case "pointer to rows":
		fmt.Fprintf(b, "    %s %s = %s;\n", elem, m.declarator(a, true), m.pick("allocation", fmt.Sprintf("malloc(%s * sizeof(%s))", count, elem), fmt.Sprintf("calloc(%s, sizeof(%s))", count, elem)))
		fmt.Fprintf(b, "    fill((%s *)%s, %s, %d);\n", elem, a, count, seed)
	case "struct of pointers":
		fmt.Fprintf(b, "    g->%s = malloc(%s * sizeof *g->%s);\n    fill(g->%s, %s, %d);\n", a, count, a, a, count, seed)
	case "rows of pointers":
		m.rows(b, a, seed)
	default:
		if m.tabled() && !slices.Contains(m.extras, a) {
			one := "(size_t)" + strings.SplitN(m.count(a), " * ", 2)[1]
			fmt.Fprintf(b, "    %s *%s[%d];\n    for (int q = 0; q < %d; q++) {\n        %s[q] = malloc(%s * sizeof(%s));\n        fill(%s[q], %s, %d + q);\n    }\n",
				elem, a, m.planes(), m.planes(), a, one, elem, a, one, seed)
			return
		}
		fmt.Fprintf(b, "    %s *%s = malloc(%s * sizeof *%s);\n    fill(%s, %s, %d);\n", elem, a, count, a, a, count, seed)
	}
}

// rows gets memory for rows that are reached by pointers: one block for all, or one for each.
func (m *maker) rows(b *strings.Builder, a string, seed int) {
	stars := strings.Repeat("*", len(m.dims))
	count := m.count(a)
	together := m.pick("rows", "one block", "one block", "each") == "one block"
	m.feature("rows", map[bool]string{true: "one block", false: "each"}[together])
	last := len(m.dims) - 1
	paren := func(d int) string {
		if e := m.extent(d); strings.Contains(e, " ") {
			return "(" + e + ")"
		}
		return m.extent(d)
	}
	outer := paren(0)
	if last == 2 {
		outer += " * " + paren(1)
	}
	fmt.Fprintf(b, "    %s **%s_rows = malloc((size_t)%s * sizeof *%s_rows);\n", m.elem, a, outer, a)
	if together {
		fmt.Fprintf(b, "    %s *%s_block = malloc((size_t)%s * sizeof *%s_block);\n    fill(%s_block, (size_t)%s, %d);\n", m.elem, a, count, a, a, count, seed)
		fmt.Fprintf(b, "    for (int q = 0; q < %s; q++)\n        %s_rows[q] = %s_block + (size_t)q * %s;\n", outer, a, a, paren(last))
	} else {
		fmt.Fprintf(b, "    for (int q = 0; q < %s; q++) {\n        %s_rows[q] = malloc((size_t)%s * sizeof **%s_rows);\n        fill(%s_rows[q], %s, %d + q);\n    }\n",
			outer, a, paren(last), a, a, paren(last), seed)
	}
	if last == 1 {
		fmt.Fprintf(b, "    %s %s%s = %s_rows;\n", m.elem, stars, a, a)
		return
	}
	fmt.Fprintf(b, "    %s %s%s = malloc((size_t)%s * sizeof *%s);\n    for (int q = 0; q < %s; q++)\n        %s[q] = %s_rows + (size_t)q * %s;\n",
		m.elem, stars, a, paren(0), a, paren(0), a, a, paren(1))
}

// print prints what an array holds.
func (m *maker) print(b *strings.Builder, a string) {
	count := "(size_t)" + m.count(a)
	switch m.storage {
	case "array of structs":
	case "declared", "pointer to rows":
		fmt.Fprintf(b, "    show(\"%s\", (%s *)%s, %s);\n", a, m.elem, a, count)
	case "struct of pointers":
		fmt.Fprintf(b, "    show(\"%s\", g->%s, %s);\n", a, a, count)
	case "rows of pointers":
		last := len(m.dims) - 1
		name, indent := a, "    "
		for d := range last {
			fmt.Fprintf(b, "%sfor (int q%d = 0; q%d < %s; q%d++)\n", indent, d, d, m.extent(d), d)
			name += fmt.Sprintf("[q%d]", d)
			indent += "    "
		}
		fmt.Fprintf(b, "%sshow(\"%s\", %s, %s);\n", indent, a, name, m.extent(last))
	default:
		if m.tabled() && !slices.Contains(m.extras, a) {
			one := "(size_t)" + strings.SplitN(m.count(a), " * ", 2)[1]
			fmt.Fprintf(b, "    for (int q = 0; q < %d; q++)\n        show(\"%s\", %s[q], %s);\n", m.planes(), a, a, one)
			return
		}
		fmt.Fprintf(b, "    show(\"%s\", %s, %s);\n", a, a, count)
	}
}
