package ctext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file writes a program as the C that it could be the region of, to show what was made of a region, and to compile that in its place. Loops are
// those of the statements, in their order.

// Region returns p as C that may stand in place of its region, or why it cannot be written like that.
func Region(p *scop.Program) (string, error) {
	for _, a := range p.Arrays {
		if len(a.Planes) > 0 || slices.ContainsFunc(p.Rows, func(r scop.RowPointers) bool { return len(r.Distances) > 0 }) {
			return "", fmt.Errorf("array %s is reached by several pointers", a.Name)
		}
	}
	var bound []string
	for _, st := range p.Stmts {
		for _, name := range st.Iters {
			if !slices.Contains(bound, name) {
				bound = append(bound, name)
			}
		}
	}
	w := regionWriter{Indexer: NewIndexer(New(p, []string{"restrict", "inline"}, bound)), Printer: &Printer{Depth: 1}, timed: true}
	return w.region()
}

// Rewritten returns the user's file with p in place of the region.
func Rewritten(p *scop.Program) (string, error) {
	text, err := Region(p)
	if err != nil {
		return "", err
	}
	return string(p.Source[:p.Region.Start]) + "#pragma scop\n" + text + "#pragma endscop\n" + string(p.Source[p.Region.End:]), nil
}

type regionWriter struct {
	Indexer
	*Printer
	timed bool // the first iterator of a statement is that of time
}

// region writes declarations of values that have other names in the source, and of arrays that it does not have, and the time loop around all nests.
func (w *regionWriter) region() (string, error) {
	p := w.Scop
	var lines []string
	for _, q := range p.Params {
		if name := w.Outer[q.Name]; name != q.Source() {
			lines = append(lines, fmt.Sprintf("const %v %s = %s;", q.Type, name, q.Source()))
		}
	}
	for _, s := range p.Scalars {
		if name := w.Outer[s.Name]; name != s.Source() {
			lines = append(lines, fmt.Sprintf("const %v %s = %s;", s.Type, name, s.Source()))
		}
	}
	for _, a := range p.Arrays {
		if !a.Scratch {
			continue
		}
		text := ""
		for _, e := range a.Extents {
			text += "[" + w.Sum(p.Sum(e, nil)) + "]"
		}
		lines = append(lines, fmt.Sprintf("%v %s%s;", a.Elem, w.Outer[a.Name], text))
	}
	body := func() {
		for _, st := range p.Stmts {
			w.nest(st)
		}
	}
	block := func() {
		for _, line := range lines {
			w.Line("%s", line)
		}
		if p.Timeless {
			body()
			return
		}
		first := newNest(p.Stmts[0])
		w.loop(first, 0, body)
	}
	for _, st := range p.Stmts[1:] {
		if !slices.EqualFunc(newNest(st).rows[0], newNest(p.Stmts[0]).rows[0], sameRow) || st.CountsDown(0) {
			return "", fmt.Errorf("%s runs at other times than %s", st.Name, p.Stmts[0].Name)
		}
	}
	if len(lines) > 0 || p.Clock != "" {
		w.Braces("", block)
	} else {
		block()
	}
	if p.Clock != "" {
		w.Raw(p.Clock + "\n")
	}
	return w.Buf.String(), nil
}

func sameRow(x, y scop.Affine) bool {
	return x.Const == y.Const && slices.Equal(trimmed(x.Iters), trimmed(y.Iters)) && slices.Equal(trimmed(x.Params), trimmed(y.Params))
}

// trimmed returns coefficients without zeros at the end.
func trimmed(xs []int64) []int64 {
	for len(xs) > 0 && xs[len(xs)-1] == 0 {
		xs = xs[:len(xs)-1]
	}
	return xs
}

// A nest is a statement with its bounds, each at the innermost loop that it names; those that name none are first.
type nest struct {
	*scop.Stmt
	always []scop.Affine
	rows   [][]scop.Affine
}

func newNest(s *scop.Stmt) nest {
	n := nest{Stmt: s, rows: make([][]scop.Affine, len(s.Iters))}
	for _, b := range s.Bounds {
		if at := len(trimmed(b.Iters)) - 1; at >= 0 {
			n.rows[at] = append(n.rows[at], b)
		} else {
			n.always = append(n.always, b)
		}
	}
	return n
}

// nest writes the loops of a statement over space.
func (w *regionWriter) nest(s *scop.Stmt) {
	n := newNest(s)
	var loops func(d int)
	loops = func(d int) {
		if d == len(s.Iters) {
			w.body(s)
			return
		}
		w.loop(n, d, func() { loops(d + 1) })
	}
	inner := func() {
		w.guarded(n, n.rows[0], w.Scop.Timeless, func() { loops(1) })
	}
	w.guarded(n, n.always, true, inner)
}

// Loops prints the loops of a nest of the program of x that has no iterator of time. inside(d) is called where d of them are open, to print what stands there, and returns under what
// condition the rest does; "": always.
func Loops(out *Printer, x Indexer, s *scop.Stmt, inside func(d int) string) {
	w := regionWriter{Indexer: x, Printer: out}
	n := newNest(s)
	var loops func(d int)
	loops = func(d int) {
		rest := func() {
			if d < len(s.Iters) {
				w.loop(n, d, func() { loops(d + 1) })
			}
		}
		if cond := inside(d); cond != "" {
			w.Braces("if ("+cond+")", rest)
		} else {
			rest()
		}
	}
	w.guarded(n, n.always, true, func() { loops(0) })
}

// guarded writes body where all rows hold, if that is to be asked at all: of a time loop it is asked by the loop, and of none where nothing but numbers is in
// the rows.
func (w *regionWriter) guarded(n nest, rows []scop.Affine, ask bool, body func()) {
	var conds []string
	for _, r := range rows {
		if sum := w.sum(n, r); ask && !(sum.IsNum() && sum.Const >= 0) {
			conds = append(conds, w.Sum(sum)+" >= 0")
		}
	}
	if conds == nil {
		body()
		return
	}
	w.Braces(fmt.Sprintf("if (%s)", strings.Join(conds, " && ")), body)
}

// sum returns a row of n over names; time is 0 where there is none.
func (w *regionWriter) sum(n nest, r scop.Affine) affine.Sum {
	return w.Scop.Sum(r, w.iterators(n.Stmt))
}

func (w *regionWriter) iterators(s *scop.Stmt) []affine.Sum {
	sums := make([]affine.Sum, len(s.Iters))
	for i, name := range s.Iters {
		if sums[i] = affine.Var(name); i == 0 && w.timed && w.Scop.Timeless {
			sums[i] = affine.Num(0)
		}
	}
	return sums
}

// loop writes loop d of n. It starts at one of the bounds and ends by all of those on the other side; where several bounds are on the side that it starts at,
// the body runs where all of them hold.
func (w *regionWriter) loop(n nest, d int, body func()) {
	name, step, from := w.Of(n.Iters[d]), "++", int64(1)
	if n.CountsDown(d) {
		step, from = "--", -1
	}
	var start *scop.Affine
	var ends, guards []scop.Affine
	for _, r := range n.rows[d] {
		switch {
		case r.Iters[d]*from < 0:
			ends = append(ends, r)
		case start == nil:
			start = &r
		case abs(r.Iters[d]) < abs(start.Iters[d]):
			start, guards = &r, append(guards, *start)
		default:
			guards = append(guards, r)
		}
	}
	var conds []string
	for _, r := range ends {
		conds = append(conds, w.end(n, r, d))
	}
	head := fmt.Sprintf("for (%v %s = %s; %s; %s%s)", w.Index, name, w.start(n, *start, d), strings.Join(conds, " && "), name, step)
	w.Braces(head, func() { w.guarded(n, guards, true, body) })
}

func abs(x int64) int64 { return max(x, -x) }

// end returns that row r of loop d holds, as a bound of its variable.
func (w *regionWriter) end(n nest, r scop.Affine, d int) string {
	c := r.Iters[d]
	rest := w.sum(n, r).Without(n.Iters[d])
	x := w.Of(n.Iters[d])
	if abs(c) > 1 {
		x = fmt.Sprintf("%d * %s", abs(c), x)
	}
	if c < 0 {
		return fmt.Sprintf("%s <= %s", x, w.Sum(rest))
	}
	return fmt.Sprintf("%s >= %s", x, w.Sum(rest.Times(-1)))
}

// start returns the first value of loop d at which row r holds: the least one, or the greatest of a loop that counts down.
func (w *regionWriter) start(n nest, r scop.Affine, d int) string {
	c := abs(r.Iters[d])
	rest := w.sum(n, r).Without(n.Iters[d])
	if r.Iters[d] > 0 {
		rest = rest.Times(-1)
	}
	text := w.Sum(rest)
	switch {
	case c == 1:
		return text
	case r.Iters[d] > 0: // rounded up
		return fmt.Sprintf("(%s) > 0 ? ((%s) + %d) / %d : (%s) / %d", text, text, c-1, c, text, c)
	}
	return fmt.Sprintf("(%s) < 0 ? -((%d - (%s)) / %d) : (%s) / %d", text, c-1, text, c, text, c)
}

// body writes the actions of s.
func (w *regionWriter) body(s *scop.Stmt) {
	v := Valuer{Indexer: w.Indexer, Iters: map[string]affine.Expr{}}
	for i, x := range w.iterators(s) {
		v.Iters[s.Iters[i]] = x
	}
	v.Read = func(a *scop.Access) string { return w.element(s, a) }
	for _, act := range s.Body {
		switch a := act.(type) {
		case scop.Let:
			w.Line("%s", Let(a, s, a.Type.String(), w.Local[a.Name], v.Assigned(a.Value, false)))
		case scop.Store:
			w.Line("%s = %s;", w.element(s, a.To), v.Assigned(a.Value, false))
		default:
			panic(fmt.Sprintf("ctext: unknown action %T", act))
		}
	}
}

// element returns the element that a touches: as the source has it where that is by subscripts, else by its number.
func (w *regionWriter) element(s *scop.Stmt, a *scop.Access) string {
	array := a.Array
	var subscripts []string
	for _, k := range a.Index {
		sum := w.Scop.Sum(k.Affine, w.iterators(s))
		text := w.Sum(sum)
		if k.Mod > 0 {
			if !scop.IsIdentifier(text) {
				text = "(" + text + ")"
			}
			text = fmt.Sprintf("%s %% %d", text, k.Mod)
		}
		subscripts = append(subscripts, text)
	}
	if array.Scratch {
		return w.Outer[array.Name] + "[" + strings.Join(subscripts, "][") + "]"
	}
	object, plain := strings.CutSuffix(strings.TrimPrefix(array.Flat, "&"), strings.Repeat("[0]", len(a.Index)))
	if plain && strings.HasPrefix(array.Flat, "&") && len(array.Origin) == 0 {
		return object + "[" + strings.Join(subscripts, "][") + "]"
	}
	number := ""
	for d, text := range subscripts {
		if number == "" {
			number = text
			continue
		}
		number = fmt.Sprintf("(%s) * (%s) + %s", number, w.Sum(w.Scop.Sum(array.Extents[d], nil)), text)
	}
	return fmt.Sprintf("((%v *)(%s))[%s]", array.Elem, w.Scop.Base(array, array.Objects()[0]), number)
}
