package randc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes programs whose bodies are sums and products of numbers of one type, which
// processors run in vectors along rows, mostly: some have one operation that they do not.

// Rows returns such a program of a seed. It is valid C without undefined behaviour for n >= 1, m >= 1.
func Rows(seed uint64, name string) *Program {
	r := &rows{generator: generator{rng: rand.New(rand.NewPCG(seed, 12)), name: name}}
	return r.program()
}

// rows makes one program.
type rows struct {
	generator
	elem  string
	reach []int      // by dimension: how far offsets go
	shift int        // what is added to subscripts along rows
	own   []rowArray // what has been stored to at this point, in place
}

// A rowArray is an array with all dimensions of the grid.
type rowArray struct {
	name   string
	planes int    // copies in time, 0: none
	form   string // how it is declared
}

// rowForms are how arrays are declared: as parameters with extents, as pointers to elements, and as
// members of a global struct.
var rowForms = []string{"extents", "extents", "extents", "flat", "member"}

func (r *rows) program() *Program {
	dims := 1 + r.rng.IntN(3)
	r.elem = r.pick("double", "double", "float")
	for range dims {
		r.reach = append(r.reach, r.rng.IntN(2)+1)
		r.extents = append(r.extents, "n")
	}
	r.reach[dims-1] = []int{0, 1, 1, 1, 2, 3, 4, 7, 8, 9, 16, 17}[r.rng.IntN(12)]
	r.extents[dims-1] = r.pick("m", "m", "m", "m + 3")
	if r.extents[dims-1] != "m" {
		r.shift = r.rng.IntN(4)
	}
	r.allow("HX105")
	r.allow("HX109")
	r.allow("HX119")
	form := func() string { return rowForms[r.rng.IntN(len(rowForms))] }
	a := rowArray{"A", 2 + r.rng.IntN(4)/3, form()}
	b := rowArray{"B", []int{0, 2, 2}[r.rng.IntN(3)], form()}
	constant := rowArray{"C", 0, "extents"}
	var nests []*node
	switch r.rng.IntN(4) {
	case 0, 1: // one statement, which may store to both
		near := []rowArray{a, constant}
		if b.planes > 0 {
			near = append(near, b)
		}
		nests = append(nests, r.nest([]rowArray{a, b}, near, nil))
	case 2: // there and back
		a.planes, b.planes = 0, 0
		nests = append(nests, r.nest([]rowArray{b}, []rowArray{a, constant}, nil), r.nest([]rowArray{a}, []rowArray{b, constant}, []rowArray{a}))
	case 3: // two stages, the second in place
		b.planes = 0
		nests = append(nests, r.nest([]rowArray{a}, []rowArray{a, constant}, nil), r.nest([]rowArray{b}, []rowArray{constant, a}, []rowArray{b}))
	}
	head := leaf(fixed, "  for (int t = 0; t < T; t++) {\n")
	region := &node{fixed, "#pragma scop\n%s%s  }\n#pragma endscop\n", []*node{head, {list, "", nests}}}
	var globals string
	var params []string
	for _, x := range []rowArray{a, b, constant} {
		switch x.form {
		case "extents":
			params = append(params, r.elem+" "+r.declared(x, "restrict "))
		case "flat":
			params = append(params, r.elem+" *restrict "+x.name)
		case "member":
			globals += "  " + r.elem + " " + r.fixedExtents(x) + ";\n"
		}
	}
	if globals != "" {
		globals = fmt.Sprintf("static struct {\n%s} %s_s;\n", globals, r.name)
	}
	text := fmt.Sprintf("%svoid %s(int T, int n, int m, int k, %s alpha, float beta, %s row[restrict n], %s few[restrict 8], %s)\n{\n%%s}\n",
		globals, r.name, r.elem, r.elem, r.elem, strings.Join(params, ", "))
	return &Program{Name: r.name, May: r.may, root: &node{fixed, text, []*node{region}}}
}

// declared returns the declarator of x.
func (r *rows) declared(x rowArray, qualifier string) string {
	text := x.name
	extents := r.extents
	if x.planes > 0 {
		extents = append([]string{fmt.Sprint(x.planes)}, extents...)
	}
	for _, e := range extents {
		text += fmt.Sprintf("[%s%s]", qualifier, e)
		qualifier = ""
	}
	return text
}

// LargestRows are the largest n and m that programs of Rows are made for.
var LargestRows = [2]int64{12, 75}

func (r *rows) fixedExtents(x rowArray) string {
	text := x.name
	if x.planes > 0 {
		text += fmt.Sprintf("[%d]", x.planes)
	}
	for d := range r.extents {
		size := LargestRows[0]
		if d == len(r.extents)-1 {
			size = LargestRows[1] + 4
		}
		text += fmt.Sprintf("[%d]", size)
	}
	return text
}

// nest returns a loop nest that stores to some arrays, reads elements near to a point of
// others, and those of the point itself of own.
func (r *rows) nest(targets, near, own []rowArray) *node {
	r.loops, r.locals, r.own = nil, nil, own
	text := ""
	for d, extent := range r.extents {
		i := string(rune('i' + d))
		r.loops = append(r.loops, i)
		low, high := r.reach[d], r.reach[d]
		if d == len(r.extents)-1 {
			low, high = max(0, low-r.shift), high+r.shift
		}
		if r.one(3) {
			low++
		}
		from, to := fmt.Sprint(low), fmt.Sprintf("%s - %d", extent, high)
		switch {
		case d > 0 && r.one(8):
			text += fmt.Sprintf("    for (int %s = %s - 1; %s >= %s; %s--)\n", i, to, i, from, i)
		case r.one(16):
			text += fmt.Sprintf("    for (int %s = %s; %s < %s; %s += 2)\n", i, from, i, to, i)
		default:
			text += fmt.Sprintf("    for (int %s = %s; %s < %s; %s++)\n", i, from, i, to, i)
		}
	}
	var all []*node
	for range r.rng.IntN(4) {
		all = append(all, r.set(near))
	}
	for i, x := range targets {
		if i > 0 && r.one(2) {
			break
		}
		all = append(all, r.storeTo(x, near))
		if x.planes == 0 {
			r.own = append(r.own, x)
		} else if i == 0 {
			r.own = append(r.own, rowArray{x.name, -x.planes, x.form})
		}
		for range r.rng.IntN(3) {
			all = append(all, r.set(near))
		}
		if r.one(4) {
			all = append(all, r.storeTo(x, near))
		}
	}
	return &node{fixed, text + "    {\n%s    }\n", []*node{{list, "", all}}}
}

// set declares a local, or sets one again.
func (r *rows) set(near []rowArray) *node {
	if l := r.local(); l.kind == floating && r.one(2) {
		return &node{fixed, "      " + l.name + " " + r.pick("=", "=", "+=", "-=", "*=", "/=") + " %s;\n", []*node{r.number(near, 2)}}
	}
	r.count++
	name := fmt.Sprintf("x%d", r.count)
	typ, k := r.elem, floating
	value := r.number(near, 2)
	switch r.rng.IntN(12) {
	case 0:
		typ, value = r.pick("float", "double"), r.same()
	case 1:
		typ, k, value = "int", whole, leaf(floating, "%s", r.pick("k", "t + n", "7", "k / 2"))
	case 2, 3, 4:
		value = r.same()
	}
	r.locals = append(r.locals, local{name, k})
	return &node{fixed, "      " + typ + " " + name + " = %s;\n", []*node{value}}
}

// local returns one of the locals; its kind is fixed if there is none.
func (r *rows) local() local {
	if len(r.locals) == 0 {
		return local{}
	}
	return r.locals[r.rng.IntN(len(r.locals))]
}

func (r *rows) storeTo(x rowArray, near []rowArray) *node {
	op := "="
	if x.planes == 0 && r.one(4) {
		op = r.pick("+=", "-=", "*=")
	}
	return &node{fixed, "      " + escape(r.at(x, r.planeStored(x), false)) + " " + op + " %s;\n", []*node{r.number(near, 3)}}
}

func (r *rows) planeStored(x rowArray) string {
	if x.planes == 3 {
		return "(t + 2) % 3"
	}
	return "(t + 1) % 2"
}

// number returns an expression.
func (r *rows) number(near []rowArray, depth int) *node {
	if depth == 0 || r.one(6) {
		return r.leaf(near)
	}
	x := func() *node { return &node{floating, "(%s)", []*node{r.number(near, depth-1)}} }
	switch r.rng.IntN(24) {
	case 0, 1:
		return &node{floating, "%s / (" + r.elem + ")(%s)", []*node{x(), r.same()}} // integers may be zero
	case 2:
		return &node{floating, r.pick("-", "+", "- -") + "%s", []*node{x()}}
	case 3:
		return &node{floating, "(" + r.elem + ")%s", []*node{x()}}
	case 4:
		return &node{floating, "%s / (" + r.elem + ")%s", []*node{x(), x()}}
	case 5:
		return &node{floating, "(t > 1 ? %s : %s)", []*node{r.same(), r.same()}}
	case 6:
		if r.one(6) {
			return &node{floating, r.pick("fabs(%s)", "(%s > 0 ? 1 : 2)", "(float)%s", "(double)%s"), []*node{x()}}
		}
	}
	sum := &node{floating, "%s " + r.pick("+", "+", "-", "*") + " %s", []*node{x(), r.leaf(near)}}
	if r.one(2) {
		return &node{floating, sum.text + " " + r.pick("+", "-", "*") + " %s", append(sum.kids, x())}
	}
	return sum
}

// leaf returns a local, an element or something that is the same for all points of a row.
func (r *rows) leaf(near []rowArray) *node {
	switch {
	case len(r.locals) > 0 && r.one(3):
		return leaf(floating, "%s", r.locals[r.rng.IntN(len(r.locals))].name)
	case r.one(4):
		return r.same()
	case len(r.own) > 0 && r.one(3):
		x := r.own[r.rng.IntN(len(r.own))]
		plane := ""
		if x.planes < 0 {
			x.planes = -x.planes
			plane = r.planeStored(x)
		}
		return leaf(floating, "%s", r.at(x, plane, false))
	}
	x := near[r.rng.IntN(len(near))]
	plane := "t % 2"
	if x.planes == 3 {
		plane = r.pick("t % 3", "(t + 1) % 3")
	}
	return leaf(floating, "%s", r.at(x, plane, true))
}

// same returns an operand that is the same for all points of a row.
func (r *rows) same() *node {
	choice := []string{"alpha", "few[0]", "few[3]", "few[t % 2 + 1]", "2", "n", "t", "k", "2 * k - n", "1 / 3", "alpha * 2", "-few[2]", "1L", "3u", "beta", "few[1] / few[4]", "-0.0f", "alpha + k"}
	if len(r.loops) > 1 {
		choice = append(choice, "row[i]", "row[i] * 2", "i")
	}
	if r.elem == "double" {
		choice = append(choice, "0.1", "0.25f", "1e-3", "-0.0", "1.0 / 3", "beta * 0.5f", "(float)alpha")
	} else {
		choice = append(choice, "0.1f", "0.25f", ".3f", "-0.0f")
		if r.one(10) {
			choice = []string{"0.5"}
		}
	}
	return leaf(floating, "%s", r.pick(choice...))
}

// at returns the element of x at the point, or near to it.
func (r *rows) at(x rowArray, plane string, near bool) string {
	last := len(r.loops) - 1
	subs := make([]string, len(r.loops))
	for d, i := range r.loops {
		off := 0
		if near && (d == last || r.one(2)) {
			off = r.rng.IntN(2*r.reach[d]+1) - r.reach[d]
			if d == last && r.one(2) {
				off = []int{r.reach[d], -r.reach[d], min(1, r.reach[d])}[r.rng.IntN(3)]
			}
		}
		if d == last {
			off += r.shift
		}
		subs[d] = i
		if off != 0 {
			subs[d] = fmt.Sprintf("%s %+d", i, off)
		}
	}
	if x.planes == 0 {
		plane = ""
	}
	if x.form == "flat" {
		text := ""
		if plane != "" {
			text = "(" + plane + ")"
		}
		for d, s := range subs {
			if text == "" {
				text = "(" + s + ")"
			} else {
				text = fmt.Sprintf("(%s) * (%s) + %s", text, r.extents[d], s)
			}
		}
		return x.name + "[" + text + "]"
	}
	text := x.name
	if x.form == "member" {
		text = r.name + "_s." + x.name
	}
	if plane != "" {
		text += "[" + plane + "]"
	}
	return text + "[" + strings.Join(subs, "][") + "]"
}
