package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file says how neighbours of a point are named: what happens at the borders.

// ghosts are borders of which arrays have points outside of the grid; by index those that subscripts know of.
var (
	ghosts  = []string{"ghost zero", "ghost copy", "ghost mirror", "ghost periodic"}
	byIndex = []string{"clamp ?:", "clamp MAX/MIN", "clamp if", "mirror ?:", "wrap %", "wrap ?:", "wrap &", "wrap if"}
)

func (m *maker) chooseGrid() {
	n := m.pick("dimensions", "2", "2", "2", "2", "2", "1", "1", "3")
	m.feature("dimensions", n)
	names := map[string][]string{
		"1": {"n", "nx", "N", "len"}, "2": {"n m", "ny nx", "rows cols", "n n", "N N", "H W"}, "3": {"n m l", "nz ny nx", "n n n", "NZ NY NX"},
	}[n]
	sizes := strings.Fields(m.pick("names", names...))
	loops := strings.Fields(m.pick("loop names", map[string][]string{
		"1": {"i", "x", "j"}, "2": {"i j", "y x", "r c", "j i"}, "3": {"i j k", "z y x", "k j i"}}[n]...))
	m.static = m.one("static", 6)
	all := slices.Concat([]string{"none", "none", "none", "if"}, byIndex, ghosts, []string{"wrap %", "clamp ?:", "ghost copy"})
	if m.kind == "staggered" {
		all = []string{"none", "none", "ghost zero"}
	}
	m.radius = len(m.pick("radius", "1", "1", "1", "1", "1", "1", "1", "1", "1", "11", "11", "111"))
	if m.kind == "staggered" || m.kind == "red-black" || n == "3" && m.one("wide", 2) {
		m.radius = 1
	}
	first := m.pick("border", all...)
	for d, size := range sizes {
		b := first
		if d > 0 && b != "if" && m.one("other border", 3) {
			b = m.pick(fmt.Sprintf("border %d", d), slices.DeleteFunc(slices.Clone(all), func(x string) bool { return x == "if" })...)
		}
		if b == "wrap &" {
			m.static = true
		}
		if m.storage == "struct of pointers" && m.pick("sizes in struct", "no", "yes") == "yes" {
			m.members = true
			size = "g->" + size
		}
		m.dims = append(m.dims, dim{size: size, loop: loops[d], border: b})
	}
	kinds := map[string]bool{}
	m.members = m.members && !m.static
	for d := range m.dims {
		x := &m.dims[d]
		if !m.members {
			x.size = strings.TrimPrefix(x.size, "g->")
		}
		m.feature("border", x.border)
		kinds[x.border] = true
		if m.static {
			x.value = []int{40, 33, 24}[d]
			if slices.ContainsFunc(m.dims, func(y dim) bool { return y.border == "wrap &" }) {
				x.value = []int{64, 32, 16}[d]
			}
			if len(sizes) > 2 {
				x.value = []int{32, 16, 16}[d]
			}
			for e := range d {
				if m.dims[e].size == x.size {
					x.value = m.dims[e].value
				}
			}
		}
	}
	if len(kinds) > 1 {
		m.feature("border", "several kinds")
	}
	if m.static {
		m.feature("sizes", "constants")
	} else {
		m.feature("sizes", "arguments")
	}
	if m.radius > 1 && len(m.dims) > 1 && slices.ContainsFunc(m.dims, func(d dim) bool { return d.border != "none" && d.border != "if" }) && (len(m.dims) > 2 || !m.one("far borders", 8)) {
		m.radius = 1 // each border multiplies the cases: some far ones are enough
	}
	m.radius = min(m.radius, 4-len(m.dims)+m.far())
	m.feature("radius", fmt.Sprint(m.radius))
	m.box = n == "2" && m.one("box", 4)
}

func (d dim) ghost() bool { return slices.Contains(ghosts, d.border) }

// inside reports whether loops leave the points at the border out.
func (d dim) inside() bool { return d.border == "none" }

// extent returns how many elements arrays have in d.
func (m *maker) extent(d int) string {
	x := m.dims[d]
	if x.ghost() {
		return fmt.Sprintf("%s + %d", x.size, 2*m.radius)
	}
	return x.size
}

// bounds returns the first point that loops run over, and the one behind the last.
func (m *maker) bounds(d int) (low, high string) {
	x := m.dims[d]
	switch {
	case x.inside():
		return fmt.Sprint(m.radius), fmt.Sprintf("%s - %d", x.size, m.radius)
	case x.ghost():
		return fmt.Sprint(m.radius), fmt.Sprintf("%s + %d", x.size, m.radius)
	}
	return "0", x.size
}

// A sub is a subscript: a loop variable and a number, or an expression.
type sub struct {
	loop string
	off  int
	text string
}

func (s sub) String() string {
	switch {
	case s.text != "":
		return s.text
	case s.off == 0:
		return s.loop
	case s.off < 0:
		return fmt.Sprintf("%s - %d", s.loop, -s.off)
	}
	return fmt.Sprintf("%s + %d", s.loop, s.off)
}

// factor is the subscript as it is multiplied.
func (s sub) factor() string {
	text := s.String()
	if strings.ContainsAny(text, " ") && !wrapped(text) {
		return "(" + text + ")"
	}
	return text
}

// wrapped reports whether parentheses are around all of text, or it is one call.
func wrapped(text string) bool {
	depth := 0
	text = strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyzMAXIN_") // a call is one, too
	if !strings.HasPrefix(text, "(") {
		return false
	}
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return false
		}
	}
	return true
}

// near returns the subscript of a neighbour in dimension d. Where it has a name, the local that holds it is declared once.
func (m *maker) near(d, off int) sub {
	x := m.dims[d]
	plain := sub{loop: x.loop, off: off}
	if off == 0 || !slices.Contains(byIndex, x.border) {
		return plain
	}
	text := m.around(d, plain.String(), off)
	way := m.pick("subscripts", "local", "local", "inline", "function")
	if x.border == "clamp if" || x.border == "wrap if" {
		way = "local"
	}
	m.feature("subscripts", way)
	switch way {
	case "inline":
		return sub{text: text}
	case "function":
		if strings.HasPrefix(x.border, "wrap") || strings.HasPrefix(x.border, "clamp") {
			name := strings.Fields(x.border)[0]
			m.helper(name, fmt.Sprintf("static inline int %s(int i, int n)\n{\n    return %s;\n}\n", name, map[string]string{
				"wrap": "i < 0 ? i + n : i >= n ? i - n : i", "clamp": "i < 0 ? 0 : i >= n ? n - 1 : i"}[name]))
			return sub{text: fmt.Sprintf("%s(%s, %s)", name, plain, x.size)}
		}
	}
	name := fmt.Sprintf("%s%s", x.loop, map[bool]string{false: "p", true: "m"}[off < 0])
	if off > 1 || off < -1 {
		name += fmt.Sprint(max(off, -off))
	}
	typ := m.loopType()
	if typ == "short" {
		typ = "int" // as in C the expression is
	}
	decl := fmt.Sprintf("%s %s = %s;", m.pick("const", "", "const ")+typ, name, text)
	switch x.border {
	case "clamp if", "wrap if":
		to := map[string]string{"clamp if-": "0", "clamp if+": x.size + " - 1", "wrap if-": name + " + " + x.size, "wrap if+": name + " - " + x.size}
		test, sign := name+" < 0", "-"
		if off > 0 {
			test, sign = name+" >= "+x.size, "+"
		}
		decl = fmt.Sprintf("int %s = %s;\nif (%s)\n    %s = %s;", name, plain, test, name, to[x.border+sign])
	}
	at := len(m.dims) - 1
	if m.pick("hoisted", "no", "no", "yes") == "yes" {
		at = d
	}
	m.declare(at, decl)
	return sub{loop: name}
}

// around returns the expression of a subscript that does not leave the grid.
func (m *maker) around(d int, plain string, off int) string {
	x := m.dims[d]
	i, n, r := x.loop, x.size, max(off, -off)
	low := off < 0
	switch x.border {
	case "clamp ?:":
		if low {
			return m.pick("clamp form", fmt.Sprintf("(%s > %d ? %s : 0)", i, r-1, plain), fmt.Sprintf("(%s < %d ? 0 : %s)", i, r, plain))
		}
		return fmt.Sprintf("(%s < %s - %d ? %s : %s - 1)", i, n, r, plain, n)
	case "clamp MAX/MIN":
		m.helper("MAX", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n")
		if low {
			return fmt.Sprintf("MAX(%s, 0)", plain)
		}
		return fmt.Sprintf("MIN(%s, %s - 1)", plain, n)
	case "mirror ?:":
		if low {
			return fmt.Sprintf("(%s < %d ? %d - %s : %s)", i, r, r, i, plain)
		}
		return fmt.Sprintf("(%s >= %s - %d ? 2 * (%s - 1) - (%s) : %s)", i, n, r, n, plain, plain)
	case "wrap %":
		if low {
			return m.pick("wrap form", fmt.Sprintf("(%s + %s) %% %s", plain, n, n), fmt.Sprintf("(%s + %s - %d) %% %s", i, n, r, n))
		}
		return fmt.Sprintf("(%s) %% %s", plain, n)
	case "wrap ?:":
		if low {
			if r == 1 {
				return fmt.Sprintf("(%s == 0 ? %s - 1 : %s)", i, n, plain)
			}
			return fmt.Sprintf("(%s < %d ? %s + %s : %s)", i, r, plain, n, plain)
		}
		if r == 1 {
			return fmt.Sprintf("(%s == %s - 1 ? 0 : %s)", i, n, plain)
		}
		return fmt.Sprintf("(%s >= %s - %d ? %s - %s : %s)", i, n, r, plain, n, plain)
	case "wrap &":
		return fmt.Sprintf("(%s) & (%s - 1)", plain, n)
	}
	return plain
}

// helper declares a function or a macro once.
func (m *maker) helper(name, text string) {
	if !slices.Contains(m.helpers, text) {
		m.helpers = append(m.helpers, text)
	}
}

// least returns how many points the program needs in a dimension.
func (m *maker) least() int {
	least := 0
	for _, x := range m.dims {
		switch {
		case strings.HasPrefix(x.border, "mirror"):
			least = max(least, m.radius+1)
		case strings.HasPrefix(x.border, "wrap"):
			least = max(least, m.radius-1)
			if m.radius > 1 {
				least = max(least, m.radius)
			}
		}
		if !x.ghost() && m.unsigned() {
			least = max(least, 2*m.radius+1)
		}
	}
	if m.storage == "declared" || m.storage == "pointer to rows" {
		least = max(least, 1)
	}
	if least == 0 && m.one("guard", 3) {
		least = 2*m.radius + 1
	}
	return least
}

func (m *maker) unsigned() bool {
	t := m.loopType()
	return t == "size_t" || t == "unsigned"
}

// both returns the expression of a subscript that may leave the grid on either side: of a loop over neighbours.
func (m *maker) both(d int, plain string) sub {
	x := m.dims[d]
	n := x.size
	way, _, _ := strings.Cut(x.border, " ")
	switch {
	case x.border == "clamp MAX/MIN":
		m.helper("MAX", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n")
		return sub{text: fmt.Sprintf("MIN(MAX(%s, 0), %s - 1)", plain, n)}
	case way == "clamp":
		return sub{text: fmt.Sprintf("(%s < 0 ? 0 : %s >= %s ? %s - 1 : %s)", plain, plain, n, n, plain)}
	case way == "mirror":
		return sub{text: fmt.Sprintf("(%s < 0 ? -(%s) : %s >= %s ? 2 * (%s - 1) - (%s) : %s)", plain, plain, plain, n, n, plain, plain)}
	case x.border == "wrap &":
		return sub{text: fmt.Sprintf("(%s) & (%s - 1)", plain, n)}
	case way == "wrap":
		return sub{text: fmt.Sprintf("(%s + %s) %% %s", plain, n, n)}
	}
	return sub{text: plain}
}

// far returns 2 if all points that are computed are inside, where a large radius is but longer sums.
func (m *maker) far() int {
	if slices.ContainsFunc(m.dims, func(d dim) bool { return d.border != "none" && d.border != "if" }) {
		return 0
	}
	return 2
}
