package written

import (
	"fmt"
	"slices"
	"strings"
)

// This file says how time passes: the loop, and what becomes of the buffers at each step.

func (m *maker) chooseKind() {
	m.kind = m.pick("kind", "relaxation", "relaxation", "relaxation", "relaxation", "relaxation", "system", "wave", "staggered", "red-black", "red-black")
	m.feature("kind", m.kind)
	m.fields = []string{m.pick("field", "u", "A", "T", "phi", "a")}
	switch m.kind {
	case "system":
		m.fields = []string{"u", "w"}
	case "staggered":
		m.fields = []string{"e", "h"}
	}
	m.counter = m.pick("counter", "t", "t", "it", "time", "iter")
	if m.fields[0] == "T" || m.one("steps name", 2) {
		m.steps = m.pick("steps", "steps", "nsteps", "iterations", "maxit")
	} else {
		m.steps = "steps"
	}
	m.place = m.pick("place", "main", "solve", "solve", "step", "step in main")
}

func (m *maker) chooseTime() {
	m.feature("place", m.place)
	all := []string{"copy back", "swap", "swap function", "swap macro", "planes", "index", "half steps", "alternate", "choose"}
	if m.kind == "wave" {
		all = []string{"copy back", "swap", "planes", "index"}
	}
	drop := func(names ...string) {
		all = slices.DeleteFunc(all, func(x string) bool { return slices.Contains(names, x) })
	}
	inMain := m.place == "main" || m.place == "step in main"
	switch m.storage {
	case "rows of pointers":
		drop("planes", "index")
	case "array of structs":
		drop("swap", "swap function", "swap macro", "planes", "index", "choose")
		if !inMain && m.place != "solve" || m.place == "step in main" {
			drop("half steps", "alternate")
		}
	case "declared":
		drop("swap function", "swap macro")
		if inMain || m.globals() {
			drop("swap", "choose")
		}
	case "pointer to rows":
		if len(m.dims) > 1 {
			drop("swap function", "swap macro")
		}
	case "struct of pointers":
		if m.place == "step" || m.place == "step in main" {
			drop("planes", "index", "half steps", "alternate", "choose")
		}
	}
	if m.kind == "staggered" || m.kind == "red-black" {
		all = []string{"in place"}
	}
	m.buffers = m.pick("buffers", all...)
	m.feature("buffers", m.buffers)
	all = []string{"for", "for", "for", "<=", "down", "while", "while --", "do", "break", "long", "max norm", "max norm", "sum norm", "check every"}
	if m.kind != "relaxation" {
		drop("max norm", "sum norm", "check every")
	}
	switch m.buffers {
	case "half steps":
		drop("while --", "do", "break", "long", "max norm", "sum norm", "check every")
	case "planes", "alternate", "choose":
		drop("while --")
	}
	if m.storage == "array of structs" || m.place == "step" || m.place == "step in main" {
		drop("max norm", "sum norm", "check every")
	}
	m.clock = m.pick("time", all...)
	m.feature("time", m.clock)
	if m.clock == "max norm" {
		m.gathers = m.pick("max form", "fmax", "if")
	}
	if m.clock == "sum norm" {
		m.gathers = "sum"
	}
	if m.buffers == "in place" && m.kind == "red-black" {
		m.feature("colours", m.pick("colours", "start", "start", "if", "start by and", "if continue"))
	}
}

// field returns the array that holds a field.
func (m *maker) field(f string) ref { return ref{name: m.named(f)} }

// other returns the array that holds the next values of a field.
func (m *maker) other(f string) ref { return ref{name: m.named(m.second(f))} }

// before returns the array that holds the values of a field one step ago.
func (m *maker) before(f string) ref {
	switch {
	case m.planes() == 0 || m.place == "step" || m.place == "step in main":
		return ref{name: m.named(m.third(f))}
	case m.buffers == "index":
		return ref{m.named(f), "prev"}
	}
	return ref{m.named(f), "(" + m.counter + " + 2) % 3"}
}

// now and next return the refs of a step.
func (m *maker) now(f string) ref {
	switch m.buffers {
	case "planes":
		plane := m.counter + " % 2"
		if m.kind == "wave" {
			plane = m.counter + " % 3"
		}
		return ref{m.named(f), m.pick("plane form", plane, plane, strings.Replace(plane, "% 2", "& 1", 1))}
	case "index":
		return ref{m.named(f), "cur"}
	case "choose":
		return ref{name: "src"}
	}
	return m.field(f)
}

func (m *maker) next(f string) ref {
	switch m.buffers {
	case "planes":
		if m.kind == "wave" {
			return ref{m.named(f), "(" + m.counter + " + 1) % 3"}
		}
		return ref{m.named(f), m.pick("next form", "("+m.counter+" + 1) % 2", "1 - "+m.counter+" % 2", "("+m.counter+" + 1) & 1")}
	case "index":
		if m.kind == "wave" {
			return ref{m.named(f), "nxt"}
		}
		return ref{m.named(f), m.pick("nxt form", "1 - cur", "1 - cur", "nxt")}
	case "choose":
		return ref{name: "dst"}
	}
	return m.other(f)
}

// apply is a step from one set of arrays to another: a nest, or a call of a function that holds it.
func (m *maker) apply(dst, src func(string) ref) string {
	if m.place != "step" && m.place != "step in main" {
		return m.sweep(dst, src)
	}
	return m.call(dst, src)
}

// step returns the body of the time loop.
func (m *maker) step() string {
	switch m.kind {
	case "staggered":
		return m.staggered()
	case "red-black":
		return m.redBlack()
	}
	switch m.buffers {
	case "half steps":
		return m.apply(m.other, m.field) + m.apply(m.field, m.other)
	case "alternate":
		return braced(fmt.Sprintf("if (%s %% 2 == 0)", m.counter), m.apply(m.other, m.field)) + braced("else", m.apply(m.field, m.other))
	case "choose":
		c := m.counter
		return fmt.Sprintf("%s = %s %% 2 ? %s : %s;\n%s = %s %% 2 ? %s : %s;\n",
			m.pointer("src"), c, m.other(m.fields[0]).name, m.field(m.fields[0]).name, m.pointer("dst"), c, m.field(m.fields[0]).name, m.other(m.fields[0]).name) +
			m.apply(m.next, m.now)
	}
	text := ""
	if m.buffers == "index" && m.kind != "wave" && m.next(m.fields[0]).plane == "nxt" {
		text = "const int nxt = 1 - cur;\n"
	}
	text += m.apply(m.next, m.now)
	wave := m.kind == "wave"
	switch m.buffers {
	case "copy back":
		if wave {
			text += m.copyBack(m.before, m.field)
		}
		text += m.copyBack(m.field, m.other)
	case "index":
		if wave {
			return text + "const int old = prev;\nprev = cur;\ncur = nxt;\nnxt = old;\n"
		}
		text += m.pick("exchange of index", "cur = 1 - cur;\n", "cur ^= 1;\n", "cur = !cur;\n")
	case "swap", "swap function", "swap macro":
		for _, f := range m.fields {
			a, b := m.field(f).name, m.other(f).name
			switch {
			case wave:
				text += fmt.Sprintf("%s = %s;\n%s = %s;\n%s = %s;\n%s = tmp;\n", m.pointer("tmp"), m.before(f).name, m.before(f).name, a, a, b, b)
			case m.buffers == "swap function":
				level := "*"
				if m.storage == "rows of pointers" {
					level = strings.Repeat("*", len(m.dims))
				}
				m.helper("swap", fmt.Sprintf("static void swap(%[1]s *%[2]sa, %[1]s *%[2]sb)\n{\n    %[1]s %[2]stmp = *a;\n    *a = *b;\n    *b = tmp;\n}\n", m.elem, level))
				text += fmt.Sprintf("swap(&%s, &%s);\n", a, b)
			case m.buffers == "swap macro":
				m.helper("SWAP", fmt.Sprintf("#define SWAP(a, b) do { %s = a; a = b; b = tmp; } while (0)\n", m.pointer("tmp")))
				text += fmt.Sprintf("SWAP(%s, %s);\n", a, b)
			default:
				tmp := "tmp"
				if len(m.fields) > 1 {
					tmp += "_" + f
				}
				text += fmt.Sprintf("%s = %s;\n%s = %s;\n%s = %s;\n", m.pointer(tmp), a, a, b, b, tmp)
			}
		}
	}
	return text
}

// pointer declares a pointer that can lead to an array.
func (m *maker) pointer(name string) string {
	switch m.storage {
	case "rows of pointers":
		return m.elem + " " + strings.Repeat("*", len(m.dims)) + name
	case "pointer to rows", "declared":
		return m.elem + " " + m.declarator(name, true)
	}
	return m.elem + " *" + name
}

// staggered updates two fields in turn, each from differences of the other.
func (m *maker) staggered() string {
	text := ""
	e, h := m.field("e"), m.field("h")
	if m.place == "step" || m.place == "step in main" {
		text = m.call(m.field, m.field)
		return text
	}
	text = m.fill(m.field)
	body := ""
	for d := range m.dims {
		back := make([]int, len(m.dims))
		back[d] = -1
		body += fmt.Sprintf("%s += %s * (%s - %s);\n", m.point(e), m.number("0.25"), m.point(h), m.point(h, back...))
	}
	text += m.over(body)
	body = ""
	for d := range m.dims {
		on := make([]int, len(m.dims))
		on[d] = 1
		body += fmt.Sprintf("%s %s %s * (%s - %s);\n", m.point(h), m.pick("sign", "+=", "-="), m.number("0.25"), m.point(e, on...), m.point(e))
	}
	return text + m.over(body)
}

// redBlack updates points in two colours.
func (m *maker) redBlack() string {
	if m.place == "step" || m.place == "step in main" {
		return braced(fmt.Sprintf("for (int %[1]s = 0; %[1]s < 2; %[1]s++)", m.colourName()), m.call(m.field, m.field))
	}
	if m.one("colours unrolled", 4) {
		m.feature("colours", "written twice")
		return m.colour("0") + m.colour("1")
	}
	return braced(fmt.Sprintf("for (int %[1]s = 0; %[1]s < 2; %[1]s++)", m.colourName()), m.colour(m.colourName()))
}

// colour is the nest of one colour.
func (m *maker) colour(c string) string {
	text := m.fill(m.field)
	f := m.fields[0]
	body := m.store(m.field(f), []ref{m.field(f)}, "")
	var sum []string
	for _, d := range m.dims {
		sum = append(sum, d.loop)
	}
	sum = append(sum, c)
	last := len(m.dims) - 1
	low, high := m.bounds(last)
	whole := strings.Join(sum, " + ")
	form := m.asked["colours"]
	if len(m.dims) > 2 && m.radius > 1 || m.box || slices.ContainsFunc(m.dims, func(d dim) bool { return d.border == "if" }) {
		form = "if"
	}
	test := ""
	if d := m.dims[last]; d.border == "if" {
		var tests []string
		for _, x := range m.dims {
			tests = append(tests, fmt.Sprintf("%s > 0 && %s < %s - 1", x.loop, x.loop, x.size))
		}
		test = strings.Join(tests, " && ") + " && "
	}
	switch form {
	case "if":
		body = braced(fmt.Sprintf("if (%s(%s) %% 2 == 0)", test, whole), body)
	case "if continue":
		body = fmt.Sprintf("if ((%s) & 1)\n    continue;\n", whole) + body
	default:
		rest := strings.Join(append(sum[:last:last], c), " + ")
		start := fmt.Sprintf("%s + (%s) %% 2", low, rest)
		if form == "start by and" {
			start = fmt.Sprintf("%s + ((%s) & 1)", low, rest)
		}
		i := m.dims[last].loop
		head := fmt.Sprintf("for (int %s = %s; %s < %s; %s += 2)", i, start, i, high, i)
		if m.asked["loop form"] == "before" {
			head = strings.Replace(head, "int ", "", 1)
		}
		if last < len(m.locals) && m.locals[last] != nil {
			body = strings.Join(m.locals[last], "\n") + "\n" + body
		}
		text2 := braced(head, body)
		for d := last - 1; d >= 0; d-- {
			low, high := m.bounds(d)
			if d < len(m.locals) && m.locals[d] != nil {
				text2 = strings.Join(m.locals[d], "\n") + "\n" + text2
			}
			text2 = braced(m.head(d, low, high), text2)
		}
		m.locals = nil
		return text + text2
	}
	return text + m.over(body)
}

// timed puts the time loop around a step.
func (m *maker) timed(step string) string {
	t, n := m.counter, m.steps
	by := "++"
	if m.buffers == "half steps" {
		by = " += 2"
	}
	text := ""
	if m.buffers == "index" {
		text = "int cur = 0;\n"
		if m.kind == "wave" {
			text = "int prev = 0, cur = 1, nxt = 2;\n"
		}
	}
	step += m.moments()
	var loop string
	switch m.clock {
	case "<=":
		loop = braced(fmt.Sprintf("for (int %[1]s = 1; %[1]s <= %[2]s; %[1]s%[3]s)", t, n, by), step)
	case "down":
		loop = braced(fmt.Sprintf("for (int %[1]s = %[2]s; %[1]s > 0; %[1]s%[3]s)", t, n, strings.ReplaceAll(by, "+", "-")), step)
	case "while":
		loop = fmt.Sprintf("int %s = 0;\n", t) + braced(fmt.Sprintf("while (%s < %s)", t, n), step+t+by+";\n")
	case "while --":
		loop = fmt.Sprintf("int left = %s;\n", n) + braced(m.pick("countdown", "while (left-- > 0)", "while (left--)"), step)
	case "do":
		loop = fmt.Sprintf("int %s = 0;\n", t) + "do {\n" + indent(step, 4) + fmt.Sprintf("} while (++%s < %s);\n", t, n)
	case "break":
		loop = braced(fmt.Sprintf("for (int %[1]s = 0;; %[1]s++)", t), fmt.Sprintf("if (%s >= %s)\n    break;\n", t, n)+step)
	case "long":
		loop = braced(fmt.Sprintf("for (%[4]s %[1]s = 0; %[1]s < %[2]s; %[1]s%[3]s)", t, n, by, m.pick("time type", "long", "int64_t", "short")), step)
	case "max norm", "sum norm":
		zero, tol := "double err = 1.0;\n", m.pick("tolerance", "0.01", "0.001", "1e-9")
		if m.gathers == "sum" {
			tol = m.pick("tolerance of sums", "0.5", "0.01")
		}
		if !m.floating() {
			zero, tol = "int err = 1;\n", "0"
		}
		loop = zero + fmt.Sprintf("int %s = 0;\n", t) + braced(fmt.Sprintf("while (err > %s && %s < %s)", tol, t, n), "err = 0;\n"+step+t+"++;\n")
	case "check every":
		every := m.pick("every", "10", "5", "7")
		m.gathers = m.pick("norm", "fmax", "if", "sum")
		a, b := m.field(m.fields[0]), m.other(m.fields[0])
		switch m.buffers {
		case "planes":
			a, b = ref{a.name, "0"}, ref{a.name, "1"}
		case "index":
			a, b = ref{a.name, "0"}, ref{a.name, "1"}
		}
		decl, tol := "double err = 0;\n", "0.001"
		if !m.floating() {
			decl, tol = "int err = 0;\n", "1"
		}
		norm := m.over(m.gather(m.point(a), m.point(b)))
		m.gathers = ""
		loop = braced(fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]s; %[1]s++)", t, n), step+
			braced(fmt.Sprintf("if (%s %% %s == 0)", t, every), decl+norm+fmt.Sprintf("if (err < %s)\n    break;\n", tol)))
	default:
		loop = braced(fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]s; %[1]s%[3]s)", t, n, by), step)
	}
	after := ""
	if m.gathers != "" {
		after = fmt.Sprintf("printf(\"%%d steps, %s\\n\", %s, err);\n", map[bool]string{true: "%a", false: "%d"}[m.floating()], t)
	}
	if first, rest, ok := strings.Cut(loop, "\n"); ok && !strings.HasPrefix(first, "for") && !strings.HasPrefix(first, "while") && first != "do {" {
		text += first + "\n"
		loop = rest
		if first, rest, ok := strings.Cut(loop, "\n"); ok && strings.HasPrefix(first, "int ") {
			text += first + "\n"
			loop = rest
		}
	}
	return text + "#pragma scop\n" + loop + "#pragma endscop\n" + after + m.printedMoments()
}

// colourName is the variable of a loop over colours.
func (m *maker) colourName() string {
	if m.isLoop("c") {
		return "colour"
	}
	return m.pick("colour", "c", "colour", "rb")
}
