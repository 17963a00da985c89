package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file puts programs together.

// program returns the text.
func (m *maker) program() string {
	m.chooseKind()
	// The grid wants to know of structs, and storage of dimensions.
	m.storage = m.pick("storage", storages...)
	m.chooseGrid()
	m.chooseStorage()
	m.chooseBody()
	if m.kind == "red-black" {
		m.box = false
	}
	m.chooseTime()
	if m.buffers == "choose" && len(m.fields) > 1 {
		m.fields = m.fields[:1]
	}
	if m.globals() && m.place == "step in main" {
		m.place = "main"
	}
	solve, step := m.solve(), ""
	if m.place == "step" || m.place == "step in main" {
		step = m.stepFunction()
	}
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n")
	if m.static {
		var all []string
		for _, d := range m.dims {
			if one := fmt.Sprintf("%s = %d", d.size, d.value); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
		fmt.Fprintf(&b, "enum { %s };\n", strings.Join(all, ", "))
	}
	m.objects(&b)
	macros, functions := "", ""
	for _, h := range m.helpers {
		if strings.HasPrefix(h, "#") {
			macros += h
		} else {
			functions += h + "\n"
		}
	}
	b.WriteString(macros + functions + library(m.elem, m.floating()))
	b.WriteString(step)
	main := m.main(solve)
	if m.place == "solve" || m.place == "step" {
		fmt.Fprintf(&b, "%svoid solve(%s)\n{\n%s%s%s%s}\n\n", m.pick("linkage", "static ", ""), m.parameters(m.arrays(), true), m.declared(), m.strides(), m.scalars(), indent(solve, 4))
	}
	b.WriteString(main)
	return b.String()
}

// library returns what fills arrays and prints them.
func library(elem string, floating bool) string {
	value := "(x >> 8) % 100"
	if floating {
		value = "(x >> 8) % 1000 / 1000.0"
	}
	return fmt.Sprintf(`static void fill(%[1]s *a, size_t count, unsigned x)
{
    for (size_t i = 0; i < count; i++) {
        x = x * 1664525u + 1013904223u;
        a[i] = %[2]s;
    }
}

static void show(const char *name, const %[1]s *a, size_t count)
{
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < count * sizeof *a; i++)
        hash = (hash ^ ((const unsigned char *)a)[i]) * 1099511628211ull;
    printf("%%s %%016llx\n", name, hash);
}

`, elem, value)
}

// objects declares types, and arrays of the file.
func (m *maker) objects(b *strings.Builder) {
	switch m.storage {
	case "struct of pointers":
		b.WriteString("struct grid {\n")
		if m.members {
			fmt.Fprintf(b, "    int %s;\n", strings.ReplaceAll(strings.Join(m.sizes(), ", "), "g->", ""))
		}
		fmt.Fprintf(b, "    %s *%s;\n};\n", m.elem, strings.Join(m.arrays(), ", *"))
	case "array of structs":
		fmt.Fprintf(b, "struct cell {\n    %s %s;\n};\n", m.elem, strings.Join(m.arrays(), ", "))
		if m.globals() {
			fmt.Fprintf(b, "static struct cell %s;\n", m.declarator("cell", false))
		}
	case "declared":
		if m.globals() {
			for _, a := range m.arrays() {
				fmt.Fprintf(b, "static %s %s;\n", m.elem, m.declarator(a, false))
			}
		}
	}
	b.WriteString("\n")
}

// scalars declares coefficients.
func (m *maker) scalars() string {
	if m.floating() && m.kind != "wave" && m.kind != "staggered" && m.asked["weights"] == "variables" {
		return fmt.Sprintf("    const %s alpha = 0.5;\n", m.elem)
	}
	return ""
}

// values returns the sizes that are passed to functions.
func (m *maker) values() (all []string) {
	if m.static || m.members {
		return nil
	}
	return m.sizes()
}

// parameters declares sizes and arrays.
func (m *maker) parameters(arrays []string, steps bool) string {
	var all []string
	for _, v := range m.values() {
		all = append(all, "int "+v)
	}
	switch {
	case m.storage == "struct of pointers":
		all = append(all, "struct grid *g")
	case m.storage == "array of structs" && !m.globals():
		all = append(all, "struct cell *cell")
	case m.storage != "array of structs" && (!m.globals() || !steps):
		for _, a := range arrays {
			all = append(all, m.parameter(a))
		}
	}
	if steps {
		all = append(all, "int "+m.steps)
	}
	if all == nil {
		return "void"
	}
	return strings.Join(all, ", ")
}

// stepFunction returns the function that holds the nests.
func (m *maker) stepFunction() string {
	arrays, c := m.stepArrays(), ""
	place, planes := m.place, m.buffers
	m.place = "inside"
	if m.planes() > 0 {
		m.buffers = "planes gone"
	}
	text := ""
	switch m.kind {
	case "red-black":
		text, c = m.colour(m.colourName()), ", int "+m.colourName()
	case "staggered":
		text = m.staggered()
	default:
		text = m.sweep(m.other, m.field)
	}
	decl := m.declared()
	parameters := m.parameters(arrays, false)
	m.place, m.buffers = place, planes
	parameters = strings.TrimPrefix(strings.Replace(parameters, "void", "", 1)+c, ", ")
	if parameters == "" {
		parameters = "void"
	}
	return fmt.Sprintf("%svoid step(%s)\n{\n%s%s%s%s}\n\n", m.pick("step linkage", "static ", "", "static inline "), parameters, decl, m.strides(), m.scalars(), indent(text, 4))
}

// stepArrays are the arrays that the function is given, by the names that it has for them.
func (m *maker) stepArrays() (all []string) {
	for _, f := range m.fields {
		all = append(all, f)
		if m.buffers != "in place" {
			all = append(all, m.second(f))
		}
		if m.kind == "wave" {
			all = append(all, m.third(f))
		}
	}
	return append(all, m.extras...)
}

// call calls it.
func (m *maker) call(dst, src func(string) ref) string {
	args := slices.Clone(m.values())
	switch {
	case m.storage == "struct of pointers":
		args = append(args, "g")
	case m.storage == "array of structs" && m.globals():
	case m.storage == "array of structs":
		args = append(args, "cell")
	default:
		for _, f := range m.fields {
			args = append(args, m.argument(src(f)))
			if m.buffers != "in place" {
				args = append(args, m.argument(dst(f)))
			}
			if m.kind == "wave" {
				args = append(args, m.argument(m.previous(f)))
			}
		}
		args = append(args, m.extras...)
	}
	if m.kind == "red-black" {
		args = append(args, m.colourName())
	}
	return "step(" + strings.Join(args, ", ") + ");\n"
}

func (m *maker) previous(f string) ref {
	switch m.buffers {
	case "index":
		return ref{m.named(f), "prev"}
	case "planes":
		return ref{m.named(f), "(" + m.counter + " + 2) % 3"}
	}
	return m.before(f)
}

// argument is an array as a function is given it.
func (m *maker) argument(a ref) string {
	switch {
	case a.plane == "":
		return a.name
	case !m.flat():
		return a.name + "[" + a.plane + "]"
	}
	var counts []string
	for d := range m.dims {
		e := m.extent(d)
		if strings.Contains(e, " ") {
			e = "(" + e + ")"
		}
		counts = append(counts, e)
	}
	plane := a.plane
	if strings.Contains(plane, " ") {
		plane = "(" + plane + ")"
	}
	at := plane + " * " + strings.Join(counts, " * ")
	if m.pick("plane argument", "+", "&") == "&" {
		return fmt.Sprintf("&%s[%s]", a.name, at)
	}
	return a.name + " + " + at
}

// solve returns the region and what stands around it.
func (m *maker) solve() string { return m.timed(m.step()) }
