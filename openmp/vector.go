package openmp

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints rows a cache line at a time, in vectors that fill one.

// vectors is the text of a group that runs a vector at a time.
type vectors struct {
	*cpu.Vectors
	first []string // what is loaded before the first vector
	body  []string
	ends  []string // body for vectors that need not start a cache line nor be next to each other
}

// A window is one of a group, with its names.
type window struct {
	cpu.Window
	base string // the pointer to its row
	name string
}

// vectors returns the text of rows in vectors, nil if they do not run so.
func (p *point) vectors(g cpu.Group) *vectors {
	if g.Vectors == nil {
		return nil
	}
	v := &vectors{Vectors: g.Vectors}
	windows := make([]window, len(v.Windows))
	for i, w := range v.Windows {
		p.shift(w.Row)
		base, _ := p.element(w.From)
		windows[i] = window{w, base, p.numbered("x", i)}
	}
	p.shift(0)
	var next []string
	for _, w := range windows {
		next = append(next, v.window(p, w)...)
	}
	var lines, stores []string
	for row := range g.Size {
		p.shift(row)
		body, last := p.vectorLines(v, windows, row, g.Size)
		lines, stores = append(lines, body...), append(stores, last...)
	}
	p.shift(0)
	if v.Repeat {
		v.ends = slices.Concat(v.loads(p, windows), lines, stores)
	}
	v.body = slices.Concat(v.body, lines, stores, next)
	return v
}

// loads returns text that loads each vector of windows by itself.
func (v *vectors) loads(p *point, windows []window) (lines []string) {
	for _, w := range windows {
		for _, c := range w.Offsets {
			lines = append(lines, v.constant(p.elements(w, c), v.load("&"+w.at(p, w.Index, c))))
		}
	}
	return lines
}

// window adds the loads of w, and returns what hands its lines on to the next vector.
func (v *vectors) window(p *point, w window) (next []string) {
	here := p.elements(w, w.Center)
	before, after := "", ""
	if w.Before() {
		before = p.own("window", w.name+"_before")
		v.first = append(v.first, fmt.Sprintf("%s %s = {0};", v.typeName(), before))
		for c := w.Offsets[0]; c < w.Center; c++ {
			v.first = append(v.first, fmt.Sprintf("%s[%d] = %s;", before, v.Lanes+c-w.Center, w.at(p, p.fromStart(w.Index), c)))
		}
		next = append(next, fmt.Sprintf("%s = %s;", before, here))
	}
	if w.After() {
		after = p.own("window", w.name+"_after")
		v.first = append(v.first, fmt.Sprintf("%s %s = %s;", v.typeName(), here, v.load("&"+w.at(p, p.fromStart(w.Index), w.Center))))
		v.body = append(v.body, v.constant(after, v.load("&"+w.at(p, w.Index, w.Center+v.Lanes))))
		next = append(next, fmt.Sprintf("%s = %s;", here, after))
	} else {
		v.body = append(v.body, v.constant(here, v.load("&"+w.at(p, w.Index, w.Center))))
	}
	for _, c := range w.Offsets {
		switch {
		case c < w.Center:
			v.body = append(v.body, v.constant(p.elements(w, c), v.join(v.Lanes+c-w.Center, before, here)))
		case c > w.Center:
			v.body = append(v.body, v.constant(p.elements(w, c), v.join(c-w.Center, here, after)))
		}
	}
	return next
}

// at returns the element of w at an offset from a place along the row.
func (w window) at(p *point, place affine.Sum, offset int64) string {
	return fmt.Sprintf("%s[%s]", w.base, p.Expr(place.Add(offset)))
}

// fromStart returns a subscript at the first point of what is left of a row.
func (p *point) fromStart(index affine.Sum) affine.Sum {
	loop := p.step.Loops[len(p.step.Loops)-1].Var
	return index.Subst(p.step.Along()).Subst(map[string]affine.Sum{loop: affine.Var(p.start)})
}

// elements returns the name of the elements of w at an offset.
func (p *point) elements(w window, c int64) string {
	switch d := c - w.Center; {
	case d < 0:
		return p.own("window", fmt.Sprintf("%s_m%d", w.name, -d))
	case d > 0:
		return p.own("window", fmt.Sprintf("%s_p%d", w.name, d))
	}
	return w.name
}

// typeName returns the name of the type of vectors.
func (v *vectors) typeName() string { return fmt.Sprintf("hexcc_%v%d", v.Elem, v.Lanes) }

func (v *vectors) constant(name, value string) string {
	return fmt.Sprintf("const %s %s = %s;", v.typeName(), name, value)
}

func (v *vectors) load(at string) string { return fmt.Sprintf("HEXCC_LOAD%d(%s)", v.Lanes, at) }

func (v *vectors) join(from int64, a, b string) string {
	return fmt.Sprintf("HEXCC_JOIN%d(%d, %s, %s)", v.Lanes, from, a, b)
}

// vectorLines is lines in vectors.
func (p *point) vectorLines(v *vectors, windows []window, row, size int) (body, stores []string) {
	return p.actions(row, size, p.vectorForm(v, row, p.fromWindows(v, windows, row)))
}

// fromWindows returns what names the elements that an access touches at a row of a group, of those of windows.
func (p *point) fromWindows(v *vectors, windows []window, row int) func(*scop.Access) string {
	return func(a *scop.Access) string {
		i, offset := v.Window(p.prog, p.step, a, row)
		return p.elements(windows[i], offset)
	}
}

// vectorForm returns how the actions of a body are spelled in vectors, at a row of a group; loaded names the elements that an access touches which nothing has stored before.
func (p *point) vectorForm(v *vectors, row int, loaded func(*scop.Access) string) form {
	stored := map[*scop.Array]bool{}
	t := p.valuer()
	t.Typed = true
	t.Read = func(a *scop.Access) string {
		switch {
		case v.Kinds.Access(a) == cpu.Uniform:
			return p.ref(a)
		case stored[a.Array]:
			return v.load("&" + p.ref(a))
		}
		return loaded(a)
	}
	// operand prints a vector, whatever e is.
	operand := func(e scop.Expr) string {
		text := t.Assigned(e, false)
		if v.Kinds.Of(e) == cpu.Uniform {
			text = fmt.Sprintf("(%s) - (%s){0}", text, v.typeName()) // x - 0 is x, also for x = -0
		}
		return text
	}
	t.Vector = func(e scop.Call) (string, func(scop.Expr) string) {
		if v.Kinds.Of(e) != cpu.Varying {
			return "", nil
		}
		return fmt.Sprintf("HEXCC_FMA%d", v.Lanes), operand // the only function of vectors, see cpu.Kinds
	}
	vector := func(e scop.Expr) (typeName, text string) {
		return v.typeName(), operand(e)
	}
	return form{
		local: func(a scop.Let) (string, string) {
			if v.Kinds.Local(a.Name) == cpu.Varying {
				return vector(a.Value)
			}
			return a.Type.String(), t.Assigned(a.Value, false)
		},
		result: func(a scop.Store) (string, string) {
			typeName, value := vector(a.Value)
			stored[a.To.Array] = true
			return typeName, value
		},
		store: func(element, value string) string {
			return fmt.Sprintf("HEXCC_STORE%d(&%s, %s);", v.Lanes, element, value)
		},
	}
}

// wholeLines prints the vectors that fill cache lines, of a row that starts with one.
func (p *point) wholeLines(v *vectors) {
	limits := make([]affine.Expr, len(v.Limits))
	for i, x := range v.Limits {
		limits[i] = x.Subst(map[string]affine.Sum{cpu.RowEnd: affine.Var(p.stop)})
	}
	p.Line("const %v %s = %s;", p.Index, p.lastVector, p.Expr(affine.MinOf(limits...)))
	p.Braces(fmt.Sprintf("if (%s <= %s)", p.start, p.lastVector), func() {
		for _, line := range v.first {
			p.Line("%s", line)
		}
		p.Braces(fmt.Sprintf("for (; %s <= %s; %s += %d)", p.start, p.lastVector, p.start, v.Lanes), func() {
			p.vector(p.start, v.body)
		})
	})
}

// wholeRow prints all of a row of at least one vector. What is before the first cache line and
// after the last runs in vectors too, which have points in common with others.
func (p *point) wholeRow(v *vectors) {
	p.Line("const %v %s = %s;", p.Index, p.rowStart, p.start)
	p.Line("%s += (%v)(-%s %% %d / %d);", p.start, p.Index, p.address(), cacheLine, v.Elem.Size())
	p.Line("const %v %s = %s;", p.Index, p.aligned, p.start)
	p.wholeLines(v)
	p.Braces(fmt.Sprintf("for (%v %s = %s < %s ? %s : %s; %s <= %s; %s = %s < %s ? %s : %s + %d)", p.Index, p.at, p.rowStart, p.aligned, p.rowStart, p.start,
		p.at, p.stop, p.at, p.at, p.aligned, p.start, p.at, v.Lanes), func() {
		p.vector(p.Expr(affine.MinOf(affine.Var(p.at), affine.Var(p.stop).Add(1-v.Lanes))), v.ends)
	})
}

// vector prints the vector that starts at a place.
func (p *point) vector(at string, body []string) {
	p.Line("const %v %s = %s;", p.Index, p.step.Loops[len(p.step.Loops)-1].Var, at)
	p.iterators(len(p.step.Loops) - 1)
	p.running(func() {
		for _, line := range body {
			p.Line("%s", line)
		}
	})
}

// vectorHead defines what vectors are called.
const vectorHead = `
// Vectors that fill cache lines, where the processor has them. With -DHEXCC_VECTORS=0 compilers make their own.
#if !defined HEXCC_VECTORS && defined __AVX512F__ && defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HEXCC_VECTORS 1
#endif
#endif
#if HEXCC_VECTORS
typedef double hexcc_double8 __attribute__((vector_size(64)));
typedef hexcc_double8 hexcc_double8_at __attribute__((aligned(8), may_alias));
#define HEXCC_LOAD8(at) (*(const hexcc_double8_at *)(at))
#define HEXCC_STORE8(at, value) (*(hexcc_double8_at *)(at) = (value))
// 8 elements, from element k on, of a followed by b.
#define HEXCC_JOIN8(k, a, b) __builtin_shufflevector(a, b, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7)
typedef float hexcc_float16 __attribute__((vector_size(64)));
typedef hexcc_float16 hexcc_float16_at __attribute__((aligned(4), may_alias));
#define HEXCC_LOAD16(at) (*(const hexcc_float16_at *)(at))
#define HEXCC_STORE16(at, value) (*(hexcc_float16_at *)(at) = (value))
#define HEXCC_JOIN16(k, a, b) __builtin_shufflevector(a, b, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, \
    k + 8, k + 9, k + 10, k + 11, k + 12, k + 13, k + 14, k + 15)
#endif
`

const vectorTail = `
#undef HEXCC_LOAD8
#undef HEXCC_STORE8
#undef HEXCC_JOIN8
#undef HEXCC_LOAD16
#undef HEXCC_STORE16
#undef HEXCC_JOIN16
`
