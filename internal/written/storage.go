package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file says where arrays lie, and how their elements are named.

// A ref is an array, or one of its planes.
type ref struct {
	name  string // "u", "g->u"
	plane string // "t % 2", or ""
}

var storages = []string{"flat", "flat", "macro", "local", "function", "rows of pointers", "pointer to rows", "pointer to rows", "declared", "declared", "declared",
	"struct of pointers", "array of structs"}

func (m *maker) chooseStorage() {
	if m.kind == "wave" && m.storage == "array of structs" {
		m.storage = "flat"
	}
	if len(m.dims) == 1 && slices.Contains([]string{"local", "rows of pointers", "pointer to rows", "function", "macro"}, m.storage) {
		m.storage = "flat"
	}
	m.feature("storage", m.storage)
	m.elem = m.pick("type", "double", "double", "double", "float", "float", "int", "uint8_t", "short")
	if m.kind == "wave" || m.kind == "staggered" {
		m.elem = m.pick("type", "double", "float")
	}
	m.feature("type", m.elem)
}

func (m *maker) floating() bool { return m.elem == "double" || m.elem == "float" }

// flat reports whether elements have one subscript for all dimensions.
func (m *maker) flat() bool {
	switch m.storage {
	case "flat", "macro", "local", "function", "struct of pointers":
		return true
	case "array of structs":
		return !m.static
	}
	return false
}

// globals reports whether arrays are objects of the file.
func (m *maker) globals() bool {
	return m.static && (m.storage == "declared" || m.storage == "array of structs")
}

// planes returns how many planes an array has, 0: each is an array of its own.
func (m *maker) planes() int {
	if m.buffers == "planes" || m.buffers == "index" {
		if m.kind == "wave" {
			return 3
		}
		return 2
	}
	return 0
}

// tabled reports whether planes are reached by an array of pointers.
func (m *maker) tabled() bool {
	return m.planes() > 0 && (m.storage == "flat" || m.storage == "macro" || m.storage == "local") && m.place == "main" && m.pick("plane of", "table", "block") == "table"
}

// width returns the stride of dimension d - 1: the extent of d.
func (m *maker) width(d int) string {
	e := m.extent(d)
	if strings.Contains(e, " ") {
		if m.pick("stride", "expression", "local") == "local" {
			return m.strideName(d)
		}
		return "(" + e + ")"
	}
	return e
}

func (m *maker) strideName(d int) string { return []string{"", "ld", "ld2"}[d] }

// strides declares the strides that have names, at the beginning of a function.
func (m *maker) strides() string {
	text := ""
	if m.flat() && m.pick("stride", "expression", "local") == "local" {
		for d := 1; d < len(m.dims); d++ {
			if strings.Contains(m.extent(d), " ") {
				text += fmt.Sprintf("    const int %s = %s;\n", m.strideName(d), m.extent(d))
			}
		}
	}
	return text
}

// at names an element.
func (m *maker) at(a ref, subs ...sub) string {
	name, member := a.name, ""
	if m.storage == "array of structs" {
		name, member, _ = strings.Cut(a.name, ".")
		member = "." + member
	}
	if !m.flat() {
		text := name
		if a.plane != "" {
			text += "[" + a.plane + "]"
		}
		for _, s := range subs {
			text += "[" + s.String() + "]"
		}
		return text + member
	}
	if a.plane != "" && m.tabled() {
		name, a.plane = name+"["+a.plane+"]", ""
	}
	return name + "[" + m.index(a.plane, subs) + "]" + member
}

// index returns the subscript of an element of a block.
func (m *maker) index(plane string, subs []sub) string {
	last := len(subs) - 1
	var args []string
	for _, s := range subs {
		args = append(args, s.String())
	}
	sum := ""
	switch way := m.storage; {
	case way == "macro" && last > 0:
		var formal []string
		text := ""
		for d := range subs {
			formal = append(formal, string(rune('a'+d)))
			if d == 0 {
				text = "(a)"
			} else {
				text = fmt.Sprintf("(%s) * %s + (%s)", text, m.width(d), formal[d])
			}
		}
		text = strings.Replace(text, "((a))", "(a)", 1)
		m.helper("IDX", fmt.Sprintf("#define IDX(%s) (%s)\n", strings.Join(formal, ", "), text))
		sum = "IDX(" + strings.Join(args, ", ") + ")"
	case way == "function" && last > 0:
		text := "i * m + j"
		formal, widths := "int i, int j, int m", []string{m.width(1)}
		if last == 2 {
			text, formal = "(i * m + j) * l + k", "int i, int j, int k, int m, int l"
			widths = append(widths, m.width(2))
		}
		m.helper("at", fmt.Sprintf("static inline int at(%s)\n{\n    return %s;\n}\n", formal, text))
		sum = "at(" + strings.Join(append(args, widths...), ", ") + ")"
	case way == "local" && last > 0 && !slices.ContainsFunc(subs, func(s sub) bool { return s.text != "" || s.loop == "" || !m.isLoop(s.loop) }):
		sum = m.local(subs)
	default:
		for d, s := range subs {
			switch {
			case d == 0 && last == 0:
				sum = s.String()
			case d == 0:
				sum = s.factor()
			case d == 1:
				sum = fmt.Sprintf("%s * %s + %s", sum, m.width(d), s)
			default:
				sum = fmt.Sprintf("(%s) * %s + %s", sum, m.width(d), s)
			}
		}
	}
	if plane == "" {
		return sum
	}
	var counts []string
	for d := range m.dims {
		e := m.extent(d)
		if strings.Contains(e, " ") {
			e = "(" + e + ")"
		}
		counts = append(counts, e)
	}
	if strings.Contains(plane, " ") {
		plane = "(" + plane + ")"
	}
	return plane + " * " + strings.Join(counts, " * ") + " + " + sum
}

func (m *maker) isLoop(name string) bool {
	return slices.ContainsFunc(m.dims, func(d dim) bool { return d.loop == name })
}

// local returns a subscript from the index of the point, which has a name.
func (m *maker) local(subs []sub) string {
	at := "(" + m.dims[0].loop
	if len(subs) == 2 {
		at = fmt.Sprintf("%s * %s + %s", m.dims[0].loop, m.width(1), m.dims[1].loop)
	} else {
		at = fmt.Sprintf("%s * %s + %s) * %s + %s", at, m.width(1), m.dims[1].loop, m.width(2), m.dims[2].loop)
	}
	name := m.pick("index name", "id", "p", "idx")
	m.declare(len(m.dims)-1, fmt.Sprintf("%s%s %s = %s;", m.pick("const index", "", "const "), m.pick("index type", "int", "int", "size_t", "long"), name, at))
	text := name
	for d, s := range subs {
		off := s.off
		if off == 0 {
			continue
		}
		sign := "+"
		if off < 0 {
			sign, off = "-", -off
		}
		stride := ""
		for e := d + 1; e < len(m.dims); e++ {
			if stride != "" {
				stride += " * "
			}
			stride += m.width(e)
		}
		switch {
		case stride == "":
			text += fmt.Sprintf(" %s %d", sign, off)
		case off == 1:
			text += fmt.Sprintf(" %s %s", sign, stride)
		default:
			text += fmt.Sprintf(" %s %d * %s", sign, off, stride)
		}
	}
	return text
}

// declare adds a statement to the body of the loop over dimension d, once.
func (m *maker) declare(d int, text string) {
	for len(m.locals) <= d {
		m.locals = append(m.locals, nil)
	}
	if !slices.Contains(m.locals[d], text) {
		m.locals[d] = append(m.locals[d], text)
	}
}

// arrays returns the names of all arrays that are written, and of those that are read only.
func (m *maker) arrays() (all []string) {
	for _, f := range m.fields {
		all = append(all, f)
		if m.kind == "red-black" || m.kind == "staggered" || m.planes() > 0 {
			continue
		}
		all = append(all, m.second(f))
		if m.kind == "wave" {
			all = append(all, m.third(f))
		}
	}
	return append(all, m.extras...)
}

func (m *maker) second(f string) string { return f + m.pick("second", "new", "_next", "2", "Old") }
func (m *maker) third(f string) string  { return f + "_prev" }

// named returns how an array is called in the code.
func (m *maker) named(array string) string {
	switch m.storage {
	case "struct of pointers":
		return "g->" + array
	case "array of structs":
		return "cell." + array
	}
	return array
}

// count is the number of elements of an array.
func (m *maker) count(array string) string {
	var parts []string
	if p := m.planes(); p > 0 && !slices.Contains(m.extras, array) {
		parts = append(parts, fmt.Sprint(p))
	}
	for d := range m.dims {
		e := m.extent(d)
		if strings.Contains(e, " ") {
			e = "(" + e + ")"
		}
		parts = append(parts, e)
	}
	return strings.Join(parts, " * ")
}

// declarator declares an array with all its extents, or as a pointer to what its first extent counts.
func (m *maker) declarator(array string, pointer bool) string {
	var extents []string
	if p := m.planes(); p > 0 && !slices.Contains(m.extras, array) {
		extents = append(extents, fmt.Sprint(p))
	}
	for d := range m.dims {
		extents = append(extents, m.extent(d))
	}
	if pointer {
		text := "(*" + array + ")"
		if len(extents) == 1 {
			text = "*" + array
		}
		for _, e := range extents[1:] {
			text += "[" + e + "]"
		}
		return text
	}
	return array + "[" + strings.Join(extents, "][") + "]"
}

// parameter declares an array as a parameter.
func (m *maker) parameter(array string) string {
	elem := m.elem
	switch m.storage {
	case "rows of pointers":
		return elem + " " + strings.Repeat("*", len(m.dims)+min(m.planes(), 1)) + array
	case "pointer to rows":
		return elem + " " + m.declarator(array, true)
	case "declared":
		return elem + " " + m.declarator(array, false)
	}
	return elem + " *" + m.pick("restrict", "", "", "restrict ") + array
}
