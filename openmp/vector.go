package openmp

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file prints rows a cache line at a time, in vectors that fill one. Where points
// share elements of a row, each line of it is loaded once, and goes from vector to
// vector in registers: elements next to those of a vector are joined from two lines.
// Compilers by themselves load them across two lines, which takes twice as long.

// vectors is the text of a group that runs a vector at a time.
type vectors struct {
	lanes  int64
	elem   scop.Type
	limits []astgen.Sum // of the loop variable at the start of a vector
	first  []string     // what is loaded before the first vector
	body   []string
	// ends is body for vectors that need not start a cache line nor be next to each other,
	// nil: points must not run twice.
	ends []string
}

// A window is the elements of one row that points near to each other read.
type window struct {
	array   *scop.Array
	base    string
	index   astgen.Sum // without its constant
	offsets []int64    // the constants, in ascending order
	center  int64      // that of the line which holds the element that is stored
	name    string
}

// vectors returns the text of so many rows in vectors, nil if they cannot run so.
func (p *point) vectors(size int) *vectors {
	k := p.lanes()
	if k == nil {
		return nil
	}
	v := &vectors{lanes: cacheLine / int64(k.elem.Size()), elem: k.elem}
	windows := p.windows(k, size)
	for i, w := range windows {
		if w.center-w.offsets[0] > v.lanes || w.offsets[len(w.offsets)-1]-w.center > v.lanes {
			return nil
		}
		windows[i].name = p.numbered("x", i)
	}
	var next []string
	for _, w := range windows {
		next = append(next, v.window(p, w)...)
	}
	v.limits = append(v.limits, astgen.Var(p.stop).Add(1-v.lanes))
	var lines, stores []string
	for row := range size {
		p.shift(row)
		body, last := p.vectorLines(v, k, windows, row, size)
		lines, stores = append(lines, body...), append(stores, last...)
	}
	p.shift(0)
	if p.repeatable() {
		v.ends = slices.Concat(v.loads(p, windows), lines, stores)
	}
	v.body = slices.Concat(v.body, lines, stores, next)
	return v
}

// loads returns text that loads each vector of windows by itself.
func (v *vectors) loads(p *point, windows []window) (lines []string) {
	for _, w := range windows {
		for _, c := range w.offsets {
			lines = append(lines, v.constant(p.elements(w, c), v.load("&"+w.at(p, w.index, c))))
		}
	}
	return lines
}

// windows returns what the rows of a group read, but for what they read after they stored to its array.
func (p *point) windows(k *lanes, size int) (all []window) {
	for row := range size {
		p.shift(row)
		p.step.Stmt.Reads(func(a *scop.Access, stored bool) {
			if stored || k.access(a) != varying {
				return
			}
			base, index := p.element(a)
			i := slices.IndexFunc(all, func(w window) bool { return w.base == base && w.index.Parallel(index) })
			if i < 0 {
				i = len(all)
				all = append(all, window{array: a.Array, base: base, index: index.Add(-index.Const)})
			}
			if w := &all[i]; !slices.Contains(w.offsets, index.Const) {
				w.offsets = append(w.offsets, index.Const)
			}
		})
	}
	stored := p.step.Align.Index[len(p.step.Align.Index)-1].Const
	for i := range all {
		w := &all[i]
		slices.Sort(w.offsets)
		w.center = min(max(stored, w.offsets[0]), w.offsets[len(w.offsets)-1])
	}
	p.shift(0)
	return all
}

// window adds the loads of w, and returns what hands its lines on to the next vector.
func (v *vectors) window(p *point, w window) (next []string) {
	here := p.elements(w, w.center)
	least, most := w.offsets[0], w.offsets[len(w.offsets)-1]
	before, after := "", ""
	if least < w.center {
		before = p.own("window", w.name+"_before")
		v.first = append(v.first, fmt.Sprintf("%s %s = {0};", v.typeName(), before))
		for c := least; c < w.center; c++ {
			v.first = append(v.first, fmt.Sprintf("%s[%d] = %s;", before, v.lanes+c-w.center, w.at(p, p.fromStart(w.index), c)))
		}
		next = append(next, fmt.Sprintf("%s = %s;", before, here))
	}
	if most > w.center {
		after = p.own("window", w.name+"_after")
		v.first = append(v.first, fmt.Sprintf("%s %s = %s;", v.typeName(), here, v.load("&"+w.at(p, p.fromStart(w.index), w.center))))
		v.body = append(v.body, v.constant(after, v.load("&"+w.at(p, w.index, w.center+v.lanes))))
		v.limits = v.limit(p, w)
		next = append(next, fmt.Sprintf("%s = %s;", here, after))
	} else {
		v.body = append(v.body, v.constant(here, v.load("&"+w.at(p, w.index, w.center))))
	}
	for _, c := range w.offsets {
		switch {
		case c < w.center:
			v.body = append(v.body, v.constant(p.elements(w, c), v.join(v.lanes+c-w.center, before, here)))
		case c > w.center:
			v.body = append(v.body, v.constant(p.elements(w, c), v.join(c-w.center, here, after)))
		}
	}
	return next
}

// at returns the element of w at an offset from a place along the row.
func (w window) at(p *point, place astgen.Sum, offset int64) string {
	return fmt.Sprintf("%s[%s]", w.base, p.Expr(place.Add(offset)))
}

// limit returns the limits with that of w: the line after that of a vector must lie in the
// row, or where what there is of the last row is not known, be read by points of the row.
func (v *vectors) limit(p *point, w window) []astgen.Sum {
	loop := p.step.Loops[len(p.step.Loops)-1].Var
	most := w.offsets[len(w.offsets)-1] - w.center
	limit := astgen.Var(p.stop).Add(most + 1 - 2*v.lanes)
	if w.array.Last == nil {
		rest := astgen.Subst(w.index, p.loopValues()).(astgen.Sum).Without(loop)
		limit = p.Affine(w.array.Extents[len(w.array.Extents)-1]).Minus(rest).Add(-w.center - 2*v.lanes)
	}
	for i, other := range v.limits {
		if other.Parallel(limit) {
			v.limits[i].Const = min(other.Const, limit.Const)
			return v.limits
		}
	}
	return append(v.limits, limit)
}

// loopValues returns the iterator that runs along rows in terms of the loop variables.
func (p *point) loopValues() map[string]astgen.Sum {
	values := map[string]astgen.Sum{}
	for i, name := range p.step.Stmt.Iters {
		if p.depth(p.step.Iters[i]) == len(p.step.Loops)-1 {
			values[p.iters[name]] = p.step.Iters[i].(astgen.Sum)
		}
	}
	return values
}

// fromStart returns a subscript at the first point of what is left of a row.
func (p *point) fromStart(index astgen.Sum) astgen.Sum {
	loop := p.step.Loops[len(p.step.Loops)-1].Var
	return index.Subst(p.loopValues()).Subst(map[string]astgen.Sum{loop: astgen.Var(p.start)})
}

// elements returns the name of the elements of w at an offset.
func (p *point) elements(w window, c int64) string {
	switch d := c - w.center; {
	case d < 0:
		return p.own("window", fmt.Sprintf("%s_m%d", w.name, -d))
	case d > 0:
		return p.own("window", fmt.Sprintf("%s_p%d", w.name, d))
	}
	return w.name
}

// typeName returns the name of the type of vectors.
func (v *vectors) typeName() string { return fmt.Sprintf("hexcc_%v%d", v.elem, v.lanes) }

func (v *vectors) constant(name, value string) string {
	return fmt.Sprintf("const %s %s = %s;", v.typeName(), name, value)
}

func (v *vectors) load(at string) string { return fmt.Sprintf("HEXCC_LOAD%d(%s)", v.lanes, at) }

func (v *vectors) join(from int64, a, b string) string {
	return fmt.Sprintf("HEXCC_JOIN%d(%d, %s, %s)", v.lanes, from, a, b)
}

// vectorLines is lines in vectors.
func (p *point) vectorLines(v *vectors, k *lanes, windows []window, row, size int) (body, stores []string) {
	stored := map[*scop.Array]bool{}
	t := p.valuer()
	t.Typed = true
	t.Read = func(a *scop.Access) string {
		switch {
		case k.access(a) == uniform:
			return p.ref(a)
		case stored[a.Array]:
			return v.load("&" + p.ref(a))
		}
		base, index := p.element(a)
		i := slices.IndexFunc(windows, func(w window) bool { return w.base == base && w.index.Parallel(index) })
		return p.elements(windows[i], index.Const)
	}
	vector := func(e scop.Expr) (typeName, text string) {
		if text = t.Assigned(e, false); k.of(e) == uniform {
			text = fmt.Sprintf("(%s) - (%s){0}", text, v.typeName()) // x - 0 is x, also for x = -0
		}
		return v.typeName(), text
	}
	return p.actions(row, size, form{
		local: func(a scop.Let) (string, string) {
			if k.locals[a.Name] == varying {
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
			return fmt.Sprintf("HEXCC_STORE%d(&%s, %s);", v.lanes, element, value)
		},
	})
}

// wholeLines prints the vectors that fill cache lines, of a row that starts with one.
func (p *point) wholeLines(v *vectors) {
	limits := make([]astgen.Expr, len(v.limits))
	for i, x := range v.limits {
		limits[i] = x
	}
	p.Line("const %v %s = %s;", p.Index, p.lastVector, p.Expr(astgen.MinOf(limits...)))
	p.Braces(fmt.Sprintf("if (%s <= %s)", p.start, p.lastVector), func() {
		for _, line := range v.first {
			p.Line("%s", line)
		}
		p.Braces(fmt.Sprintf("for (; %s <= %s; %s += %d)", p.start, p.lastVector, p.start, v.lanes), func() {
			p.vector(p.start, v.body)
		})
	})
}

// wholeRow prints all of a row of at least one vector. What is before the first cache line and
// after the last runs in vectors too, which have points in common with others.
func (p *point) wholeRow(v *vectors) {
	p.Line("const %v %s = %s;", p.Index, p.rowStart, p.start)
	p.Line("%s += (%v)(-%s %% %d / %d);", p.start, p.Index, p.address(), cacheLine, v.elem.Size())
	p.Line("const %v %s = %s;", p.Index, p.aligned, p.start)
	p.wholeLines(v)
	p.Braces(fmt.Sprintf("for (%v %s = %s < %s ? %s : %s; %s <= %s; %s = %s < %s ? %s : %s + %d)", p.Index, p.at, p.rowStart, p.aligned, p.rowStart, p.start,
		p.at, p.stop, p.at, p.at, p.aligned, p.start, p.at, v.lanes), func() {
		p.vector(p.Expr(astgen.MinOf(astgen.Var(p.at), astgen.Var(p.stop).Add(1-v.lanes))), v.ends)
	})
}

// vector prints the vector that starts at a place.
func (p *point) vector(at string, body []string) {
	p.Line("const %v %s = %s;", p.Index, p.step.Loops[len(p.step.Loops)-1].Var, at)
	p.iterators(len(p.step.Loops) - 1)
	for _, line := range body {
		p.Line("%s", line)
	}
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
