package symbolic

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says which elements instances of a chain access, and which instance writes what another one reads, as numbers: a chain's first
// time step, its column 0 and a beat of it are symbols, and all that lies a number of steps, columns and rows away from there is named by these.

// A point is where an instance is: steps of the time loop after the first of the chain, a local coordinate, a row after that of beat 0, and in three
// dimensions a line after the first of the chain.
type point struct{ t, c, r, l int64 }

func (p point) minus(q point) point { return point{p.t - q.t, p.c - q.c, p.r - q.r, p.l - q.l} }

// mostDims bounds the dimensions of arrays.
const mostDims = 4

// An address is an element: its subscripts less their symbols.
type address struct {
	array   *scop.Array
	symbols int // which they are
	at      [mostDims]int64
}

// A streams is a pipeline, and the program that it is of.
type streams struct {
	*gpu.Pipeline
	program  *gpu.Program
	scop     *scop.Program
	schedule *schedule.Schedule
	space    *schedule.Canonical
	iters    [][]affine.Sum // by statement: its iterators, over timeVar and placeVars
	symbols  map[string]int
	access   map[*scop.Access]*form
	border   map[*scop.Stmt]bool // it does not run in full turns
	disjoint map[string]bool
	tests    int // sets shown to be empty since they were last counted
}

// timeVar, and placeVars, stand for the iteration of the time loop and the coordinates in space.
const timeVar = "t "

var placeVars = [3]string{"s0 ", "s1 ", "s2 "}

// streamed returns the dimension along which rows stream: the last one. In three dimensions the one before it is that of lines.
func (x *streams) streamed() int { return len(x.space.Space) - 1 }

// places returns the variables of time, columns, rows and lines; no lines in two dimensions.
func (x *streams) places() (names [4]string) {
	names = [4]string{timeVar, placeVars[0], placeVars[x.streamed()]}
	if x.streamed() == 2 {
		names[3] = placeVars[1]
	}
	return names
}

// at returns what the variables of places are.
func (x *streams) at(time, column, row, line affine.Sum) map[string]affine.Sum {
	at := map[string]affine.Sum{}
	for i, v := range []affine.Sum{time, column, row, line} {
		if name := x.places()[i]; name != "" {
			at[name] = v
		}
	}
	return at
}

func newStreams(p *gpu.Program, s *schedule.Schedule) *streams {
	x := &streams{
		Pipeline: p.Pipeline(), program: p, scop: p.Scop, schedule: s, space: s.Canonical, symbols: map[string]int{},
		access: map[*scop.Access]*form{}, border: map[*scop.Stmt]bool{}, disjoint: map[string]bool{},
	}
	for _, st := range x.scop.Stmts {
		x.border[st] = true
	}
	for _, stage := range x.Stages {
		for _, op := range stage.Beats[0] {
			if e, ok := op.(gpu.Evaluate); ok && !e.Border {
				x.border[e.Stmt] = false
			}
		}
	}
	for _, st := range x.scop.Stmts {
		x.iters = append(x.iters, x.iterators(st))
	}
	for _, border := range []bool{false, true} {
		for _, st := range x.scop.Stmts {
			for _, a := range st.Accesses {
				if x.border[st] == border && (a.Write || !border) {
					x.access[a] = x.form(a.Array, x.subscripts(st, a), x.places())
				}
			}
		}
	}
	return x
}

// iterators returns those of st over timeVar and placeVars.
func (x *streams) iterators(st *scop.Stmt) []affine.Sum {
	iters := make([]affine.Sum, len(st.Iters))
	iters[0] = affine.Var(timeVar)
	for d, place := range x.space.Places[st.Order] {
		switch {
		case d > 2 || x.space.Skew(d) != nil || place.Iter < 1 && !x.border[st]:
			panic(undecided(fmt.Sprintf("%s does not lie along the dimensions of space", st.Name)))
		case place.Iter > 0:
			iters[place.Iter] = affine.Var(placeVars[d]).Minus(x.scop.Sum(place.Shift, nil)).Times(place.Sign())
		}
	}
	return iters
}

// subscripts returns those of an access. Where st lies at one place of a dimension, and a statement in the plane writes along it, a subscript says how far it is from there: 0.
func (x *streams) subscripts(st *scop.Stmt, a *scop.Access) (index []affine.Expr) {
	for k, i := range a.Index {
		sum := x.scop.Sum(i.Affine, x.iters[st.Order])
		for d, place := range x.space.Places[st.Order] {
			if place.Iter < 1 {
				away := affine.Var(placeVars[d]).Minus(x.scop.Sum(place.Shift, nil))
				sum = sum.Plus(away.Times(x.along(a.Array, k, d)))
			}
		}
		e := affine.Expr(sum)
		if i.Mod > 0 {
			e = affine.Mod{X: sum, D: i.Mod}
		}
		index = append(index, e)
	}
	return index
}

// along returns how subscript k of an array grows along a dimension of space where statements in the plane write it.
func (x *streams) along(array *scop.Array, k, d int) int64 {
	for a, f := range x.access {
		if a.Write && a.Array == array {
			switch d {
			case 0:
				return f.dims[k].c
			case x.streamed():
				return f.dims[k].r
			}
			return f.dims[k].l
		}
	}
	return 0
}

// A form is an element over time, place and warp.
type form struct {
	array   *scop.Array
	symbols int
	dims    []dimension
}

// A dimension is the number of a subscript: konst + t*T + c*C + r*R + l*L + w*Warp, modulo mod if that is positive.
type dimension struct{ konst, t, c, r, l, w, mod int64 }

// form compiles subscripts. names stand for time, column, row and line.
func (x *streams) form(array *scop.Array, index []affine.Expr, names [4]string) *form {
	f := &form{array: array}
	if len(index) > mostDims {
		panic(undecided(fmt.Sprintf("%s has %d dimensions", array.Name, len(index))))
	}
	text := ""
	for _, e := range index {
		var d dimension
		if m, ok := e.(affine.Mod); ok {
			e, d.mod = m.X, m.D
		}
		sum, ok := e.(affine.Sum)
		if !ok {
			panic(undecided(fmt.Sprintf("a subscript %v of %s", e, array.Name)))
		}
		d.konst = sum.Const
		var symbols affine.Sum
		for _, t := range sum.Terms {
			coef := t.Coef
			if d.mod > 0 {
				coef = affine.Remainder(coef, d.mod)
			}
			name := t.Var
			switch t.Var {
			case names[0]:
				d.t, name = t.Coef, timeVar
			case names[1]:
				d.c, name = t.Coef, placeVars[0]
			case names[2]:
				d.r, name = t.Coef, placeVars[x.streamed()]
			case names[3]:
				d.l, name = t.Coef, placeVars[1]
			case x.Vars.Warp:
				d.w, coef = t.Coef, 0
			case x.Vars.Column:
				panic(undecided(fmt.Sprintf("a subscript %v of %s", e, array.Name)))
			}
			if coef != 0 {
				symbols = symbols.Plus(affine.Var(name).Times(coef))
			}
		}
		f.dims = append(f.dims, d)
		text += fmt.Sprintf("%v mod %d,", symbols, d.mod)
	}
	f.symbols = x.symbol(text)
	return f
}

func (x *streams) symbol(text string) int {
	n, ok := x.symbols[text]
	if !ok {
		n = len(x.symbols)
		x.symbols[text] = n
	}
	return n
}

// at returns the address at a point, of a warp.
func (f *form) at(p point, warp int64) (a address) {
	a.array, a.symbols = f.array, f.symbols
	for i := range f.dims {
		d := &f.dims[i]
		v := d.konst + d.t*p.t + d.c*p.c + d.r*p.r + d.l*p.l + d.w*warp
		if d.mod > 0 {
			v = affine.Remainder(v, d.mod)
		}
		a.at[i] = v
	}
	return a
}

// away returns by how many columns, rows and lines less the point is at which g, so many iterations earlier, is the element that f is. ok is false if it never is.
func (x *streams) away(f, g *form, earlier int64) (p point, ok bool) {
	if f.symbols != g.symbols {
		panic(undecided(fmt.Sprintf("elements of %s lie at distances that are no numbers", f.array.Name)))
	}
	p.t = earlier
	known := [3]bool{2: x.streamed() == 1}
	set := func(which int, to *int64, v, coef int64) bool {
		if v%coef != 0 || known[which] && *to != v/coef {
			return false
		}
		*to, known[which] = v/coef, true
		return true
	}
	for i := range f.dims {
		a, b := &f.dims[i], &g.dims[i]
		apart := b.konst - b.t*earlier - a.konst // = b.c*c + b.r*r + b.l*l
		some := 0
		for _, coef := range []int64{b.c, b.r, b.l} {
			if coef != 0 {
				some++
			}
		}
		switch {
		case b.mod > 0 && some > 0 || some > 1:
			panic(undecided(fmt.Sprintf("a subscript of %s mixes dimensions", f.array.Name)))
		case b.mod > 0:
			if affine.Remainder(apart, b.mod) != 0 {
				return p, false
			}
		case b.c != 0:
			if !set(0, &p.c, apart, b.c) {
				return p, false
			}
		case b.r != 0:
			if !set(1, &p.r, apart, b.r) {
				return p, false
			}
		case b.l != 0:
			if !set(2, &p.l, apart, b.l) {
				return p, false
			}
		case apart != 0:
			return p, false
		}
	}
	if slices.Contains(known[:], false) {
		panic(undecided(fmt.Sprintf("%s is written at several places to one element", f.array.Name)))
	}
	return p, true
}

// A writer is an instance that writes the element which another one accesses: it lies before that by a distance, or behind where that is negative.
type writer struct {
	stmt   *scop.Stmt
	access int
	before point
}

// writers returns what may write the element that access a of st means, the nearest first: before the instance, or behind it. They end with the first of which
// last holds, of a statement that runs in full turns; nil if there is none as far as a tile is high, and some iterations more.
func (x *streams) writers(st *scop.Stmt, a *scop.Access, behind bool, last func(writer) bool) (all []writer) {
	sign, order := int64(1), slices.Clone(x.scop.Stmts)
	if slices.Reverse(order); behind {
		sign, order = -1, x.scop.Stmts
	}
	for n := range x.schedule.Height + 4 {
		for _, w := range order {
			if n == 0 && int64(st.Order-w.Order)*sign <= 0 {
				continue
			}
			for k, b := range w.Accesses {
				if !b.Write || b.Array != a.Array {
					continue
				}
				before, ok := x.away(x.access[a], x.access[b], sign*n)
				if !ok {
					continue
				}
				all = append(all, writer{w, k, before})
				if !x.border[w] && last(all[len(all)-1]) {
					return all
				}
			}
		}
	}
	return nil
}

// nearest is of writers up to the first.
func nearest(writer) bool { return true }

// domain returns that an instance of st at a place, over timeVar and placeVars as given, is one.
func (x *streams) domain(st *scop.Stmt, at map[string]affine.Sum) poly.Formula {
	var all []poly.Formula
	for _, row := range x.bounds(st, at) {
		all = append(all, poly.NotNegative(row))
	}
	return poly.And(all...)
}

// bounds returns the bounds of st at a place.
func (x *streams) bounds(st *scop.Stmt, at map[string]affine.Sum) (rows []affine.Sum) {
	for _, b := range st.Bounds {
		rows = append(rows, x.scop.Sum(b, x.iters[st.Order]).Subst(at))
	}
	for d, place := range x.space.Places[st.Order] {
		if place.Iter < 1 {
			away := affine.Var(placeVars[d]).Minus(x.scop.Sum(place.Shift, nil)).Subst(at)
			rows = append(rows, away, away.Times(-1))
		}
	}
	return rows
}

// apart reports whether v and w, that much before it, are never both instances.
func (x *streams) apart(v, w *scop.Stmt, before point) bool {
	key := fmt.Sprint(v.Order, w.Order, before)
	if known, ok := x.disjoint[key]; ok {
		return known
	}
	at := func(p point) map[string]affine.Sum {
		return x.at(poly.Out(0).Add(-p.t), poly.Out(1).Add(-p.c), poly.Out(2).Add(-p.r), poly.Out(3).Add(-p.l))
	}
	set := poly.NewSet(x.scop.ParamNames(), poly.Tuple{Dims: poly.Dims(4)}, x.domain(v, at(point{})), x.domain(w, at(before)))
	x.disjoint[key] = set.IntersectParams(x.scop.Context).IsEmpty()
	return x.disjoint[key]
}
