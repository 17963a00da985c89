package randc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Generate returns the program of a seed.
func Generate(seed uint64, name string) *Program {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 11)), name: name}
	return g.program()
}

// Prelude is what a file with programs begins with.
const Prelude = `#include <math.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SQUARE(x) ((x) * (x))
enum { SEVEN = 7 };
`

// A generator makes one program.
type generator struct {
	rng     *rand.Rand
	name    string
	may     []string
	reach   int      // offsets of subscripts are from -reach to reach
	extents []string // of the space dimensions
	arrays  []array
	helpers []*node
	late    bool // the time loop begins at 1, and the last plane is (t - 1) % 2
	locals  []local
	loops   []string // iterators in scope, by dimension; "" where the dimension is fixed
	at      []string // subscripts of fixed dimensions
	count   int

	branches, windows, calls, strides bool // whether the program has such
}

// An array has planes copies in time (0: it has no time dimension) and the space
// dimensions dims.
type array struct {
	name, elem string
	planes     int
	dims       []int
	constant   bool
}

type local struct {
	name string
	kind kind
}

func (g *generator) pick(xs ...string) string { return xs[g.rng.IntN(len(xs))] }
func (g *generator) one(in int) bool          { return g.rng.IntN(in) == 0 }

// allow notes that the program uses what the front end may refuse with code.
func (g *generator) allow(code string) {
	if !slices.Contains(g.may, code) {
		g.may = append(g.may, code)
	}
}

func (g *generator) program() *Program {
	dims := 1 + g.rng.IntN(3)
	g.reach = 1 + g.rng.IntN(2)
	for range dims {
		g.extents = append(g.extents, g.pick("n", "n", "m", "n + 2", "m + 1", "12"))
	}
	g.late = g.one(4)
	g.branches, g.windows, g.calls, g.strides = g.one(4), g.one(4), g.one(4), g.one(4)
	g.declare(dims)
	var nests []*node
	for range 1 + g.rng.IntN(3) {
		nests = append(nests, g.nest(dims))
	}
	start := "0"
	if g.late {
		start = "1"
	}
	head := leaf(fixed, "  for (int t = %s; t %s; t++) {\n", start, g.pick("< T", "<= T - 1", "< T"))
	region := &node{fixed, "#pragma scop\n%s%s  }\n#pragma endscop\n", []*node{head, {list, "", nests}}}
	var params []string
	for _, a := range g.arrays {
		params = append(params, g.parameter(a))
	}
	text := fmt.Sprintf("void %s(int T, int n, int m, int c, float alpha, double beta, %s)\n{\n%%s}\n", g.name, strings.Join(params, ", "))
	root := &node{fixed, "%s" + text, []*node{{list, "", g.helpers}, region}}
	return &Program{Name: g.name, May: g.may, root: root}
}

// declare makes the arrays: some with planes, some without, some of lower rank.
func (g *generator) declare(dims int) {
	all := []int{0, 1, 2}[:dims]
	add := func(a array) {
		a.name = string(rune('A' + len(g.arrays)))
		a.elem = g.pick("float", "float", "double", "int")
		g.arrays = append(g.arrays, a)
	}
	for range 1 + g.rng.IntN(2) {
		a := array{dims: all}
		if g.one(2) {
			a.planes = 2
			if !g.late && g.one(4) {
				a.planes = 3
			}
		}
		add(a)
	}
	if g.one(2) {
		add(array{dims: all})
	}
	if g.one(3) {
		add(array{dims: all[g.rng.IntN(dims):][:1], constant: true})
	}
}

// parameter declares a.
func (g *generator) parameter(a array) string {
	text := a.name
	qualifier := "restrict "
	if a.planes > 0 {
		text += fmt.Sprintf("[%s%d]", qualifier, a.planes)
		qualifier = ""
	}
	for _, d := range a.dims {
		text += fmt.Sprintf("[%s%s]", qualifier, g.extents[d])
		qualifier = ""
	}
	if a.constant {
		return "const " + a.elem + " " + text
	}
	return a.elem + " " + text
}

// nest returns a loop nest over all dimensions, or over a face of the grid.
func (g *generator) nest(dims int) *node {
	g.loops, g.at, g.locals = make([]string, dims), make([]string, dims), nil
	face := -1
	if dims > 1 && g.one(3) {
		face = g.rng.IntN(dims)
		g.at[face] = g.pick("0", "1", g.extents[face]+" - 1", g.extents[face]+" - 2")
		if g.at[face] != "0" && !strings.HasSuffix(g.at[face], " - 1") {
			g.allow("HX105") // the extent may be 1
		}
	}
	order := []int{0, 1, 2}[:dims]
	if g.one(8) {
		slices.Reverse(order)
	}
	var heads []*node
	for _, d := range order {
		if d != face {
			g.loops[d] = string(rune('i' + d))
			heads = append(heads, g.head(d))
		}
	}
	body := g.statements(1+g.rng.IntN(3), true)
	inner := &node{fixed, "    {\n%s    }\n", []*node{body}}
	for i := len(heads) - 1; i >= 0; i-- {
		inner = &node{fixed, "%s%s", []*node{heads[i], inner}}
	}
	return inner
}

// head returns the head of the loop of dimension d, which keeps reach away from both ends.
func (g *generator) head(d int) *node {
	i, low := g.loops[d], g.reach+g.rng.IntN(2)
	high := fmt.Sprintf("%s - %d", g.extents[d], g.reach+g.rng.IntN(2))
	plain := leaf(fixed, "    for (int %s = %d; %s < %s; %s++)\n", i, low, i, high, i)
	var text string
	switch g.rng.IntN(14) {
	case 0:
		text = fmt.Sprintf("for (int %s = %d; %s <= %s - 1; ++%s)", i, low, i, high, i)
	case 1:
		text = fmt.Sprintf("for (int %s = %d; %s > %s; %s += 1)", i, low, high, i, i)
	case 2:
		text = fmt.Sprintf("for (int %s = %s - 1; %s >= %d; %s--)", i, high, i, low, i)
	case 3:
		text = fmt.Sprintf("for (int %s = %s - 1; %s > %d; %s -= 1)", i, high, i, low-1, i)
	case 4:
		text = fmt.Sprintf("for (int %s = %d; %s < %s && %s < m; %s++)", i, low, i, high, i, i)
	case 5:
		text = fmt.Sprintf("for (int %s = %d; %s < MIN(%s, n + 1); %s++)", i, low, i, high, i)
	case 6:
		text = fmt.Sprintf("for (int %s = MAX(%d, c - 6); %s < %s; %s = %s + 1)", i, low, i, high, i, i)
	case 7:
		text = fmt.Sprintf("for (int %s = %d; %s < %s; %s += %d)", i, low, i, high, i, 2+g.rng.IntN(2))
		if !g.strides {
			return plain
		}
	case 8:
		text = fmt.Sprintf("for (long %s = %d; %s < %s - t; %s++)", i, low, i, high, i)
	case 9:
		text = fmt.Sprintf("for (int %s = %d + t; %s < %s; %s++)", i, low, i, high, i)
	default:
		return plain
	}
	return &node{either, "", []*node{leaf(fixed, "    %s\n", text), plain}}
}
