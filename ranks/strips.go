package ranks

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds closed forms of what is sent. Tiles of all borders are alike, and so are those of all time tiles but for the
// steps that they have: so the rows of a strip, counted from the border, depend on no more than how far the time tile is
// from both ends of the time loop, and are the same where it is further than a tile or two. They are computed by exact projection.

// errUnbounded: elements lie at any distance from a border.
var errUnbounded = errors.New("elements at any distance")

// mostPlanes is the most values of a subscript that each have strips of their own: planes of A[t%2][..], components.
const mostPlanes = 16

// time finds the first and the last iteration of the time loop.
func (p *planner) time() error {
	found := [2]bool{}
	for _, st := range p.scop.Stmts {
		for _, b := range st.Bounds {
			space := slices.ContainsFunc(b.Iters[min(1, len(b.Iters)):], func(c int64) bool { return c != 0 })
			if space || len(b.Iters) == 0 || b.Iters[0] == 0 {
				continue
			}
			rest := p.scop.Sum(scop.Affine{Const: b.Const, Params: b.Params}, nil)
			switch {
			case b.Iters[0] == 1 && !found[0]:
				p.first, found[0] = rest.Times(-1), true
			case b.Iters[0] == -1 && !found[1]:
				p.last, found[1] = rest, true
			}
		}
	}
	if !found[0] || !found[1] {
		return &NotShared{p.scop.Start(), "the time loop has no first and last iteration that are sums of parameters", "let the time loop count up by 1 between sums of parameters"}
	}
	return nil
}

// strips returns boxes that hold set, a part of an array that is sent after a phase, or before the first one: -1. No element is in two. Where there is a class, stores of it have written what
// is sent, and boxes are of what they write.
func (p *planner) strips(array Array, of *class, phase int, set poly.Set) (list []Strip, err error) {
	a, planes := array.Array, p.planes(array)
	if of != nil {
		for _, every := range of.every {
			part := set
			if len(of.every) > 1 {
				part = part.Intersect(poly.NewSet(p.params, elements(a), holds(every, outs(a))))
			}
			found, err := p.planeStrips(array, of.box, every, planes, phase, part)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		return list, nil
	}
	all, err := p.columns(array, phase < 0)
	if err != nil {
		return nil, err
	}
	for _, columns := range all {
		some := set
		if len(all) > 1 {
			some = set.Intersect(columns.set(p.params, a))
		}
		found, err := p.planeStrips(array, columns, nil, planes, phase, some)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// outs returns the subscripts of elements of an array.
func outs(a *scop.Array) (x []affine.Expr) {
	for d := range a.Extents {
		x = append(x, poly.Out(d))
	}
	return x
}

// planeStrips returns boxes that hold set, those for each plane and each half of a ring, of elements in steps.
func (p *planner) planeStrips(array Array, columns box, every []Every, planes []int, phase int, set poly.Set) (list []Strip, err error) {
	a, dim := array.Array, array.Dim
	if phase >= 0 {
		planes = append(slices.Clone(planes), p.histories(array)...)
	}
	choices := make([][]affine.Expr, len(planes)) // of subscripts, by dimension
	for i, d := range planes {
		if p.history(a, d) && phase >= 0 {
			choices[i] = p.stepPlanes(a, d, phase)
			continue
		}
		for k := range a.Extents[d].Const {
			choices[i] = append(choices[i], p.plane(a, d, phase, k))
		}
	}
	at := make([]int64, len(planes))
	for {
		part := set
		subscripts := make([]affine.Expr, len(planes))
		for i, d := range planes {
			subscripts[i] = choices[i][at[i]]
			if n, ok := subscripts[i].(affine.Sum); ok && n.IsNum() {
				part = part.FixDim(d, n.Const)
			} else {
				part = part.Intersect(poly.NewSet(p.params, elements(a), poly.Equal(subscripts[i], poly.Out(d))))
			}
		}
		halves := []poly.Set{part}
		if array.Ring {
			low := poly.NewSet(p.params, elements(a), p.lower(array, poly.Out(dim)))
			halves = []poly.Set{part.Intersect(low), part.Subtract(low)}
		}
		for half, part := range halves {
			if part.IsEmpty() {
				continue
			}
			found, err := p.halfStrips(array, half > 0, columns, every, phase, part, planes, subscripts)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
		if !next(at, func(i int) int64 { return int64(len(choices[i])) }) {
			return list, nil
		}
	}
}

// halfStrips returns boxes that hold part, elements of one plane, which has these subscripts along some dimensions, and of one half of a ring.
func (p *planner) halfStrips(array Array, upper bool, columns box, every []Every, phase int, part poly.Set, planes []int, subscripts []affine.Expr) (list []Strip, err error) {
	boxes, combs := []box{columns}, []comb{{step: 1}}
	switch {
	case phase < 0:
		if boxes, err = p.before(array, columns, planes, subscripts); err != nil {
			return nil, err
		}
	case every == nil:
		combs = p.combs(array, upper, part)
	}
	for _, b := range boxes {
		for _, c := range combs {
			some := part
			if len(boxes) > 1 {
				some = some.Intersect(b.set(p.params, array.Array))
			}
			if len(combs) > 1 {
				some = some.Intersect(poly.NewSet(p.params, elements(array.Array), c.holds(p.offset(array, upper, poly.Out(array.Dim)))))
			}
			if some.IsEmpty() {
				continue
			}
			s, err := p.strip(array, upper, b, phase, some)
			if err != nil {
				return nil, err
			}
			for i, d := range planes {
				s.Lo[d], s.Hi[d] = subscripts[i], subscripts[i]
			}
			if s.Every = every; c.step > 1 {
				s.Every = p.everyRow(array, upper, c)
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// next sets at to what comes behind it in lexicographic order, of numbers from 0 that are less than below says by their index; false: there is nothing.
func next(at []int64, below func(i int) int64) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < below(i) {
			return true
		}
		at[i] = 0
	}
	return false
}

// before returns boxes that hold the elements that are read of what was in memory before, of those with these subscripts along some dimensions. Where all of them lie beside what the region
// writes, as rows and columns at the ends do of a second plane, those of each side have a box; else that is columns.
func (p *planner) before(array Array, columns box, dims []int, subscripts []affine.Expr) (list []box, err error) {
	a := array.Array
	writes := p.touched(a, true)
	if writes.IsEmpty() {
		return []box{columns}, nil
	}
	var rest poly.Set
	for _, f := range p.flowsOf(a) {
		if f.From.a == nil {
			rest = rest.Union(f.Pairs.Range())
		}
	}
	for i, d := range dims {
		rest = rest.FixDim(d, subscripts[i].(affine.Sum).Const)
	}
	of := func(set poly.Set) (box, error) { return p.boxOf(a, set) }
	inside, err := of(writes)
	if err != nil {
		return nil, err
	}
	for d := range a.Extents {
		for _, beside := range []poly.Formula{poly.Less(poly.Out(d), inside.lo[d]), poly.Less(inside.hi[d], poly.Out(d))} {
			side := rest.Intersect(poly.NewSet(p.scop.ParamNames(), elements(a), beside))
			if side.IsEmpty() {
				continue
			}
			b, err := of(side)
			if err != nil {
				return nil, err
			}
			list = append(list, b)
		}
		rest = rest.Intersect(poly.NewSet(p.scop.ParamNames(), elements(a), poly.AtMost(inside.lo[d], poly.Out(d)), poly.AtMost(poly.Out(d), inside.hi[d])))
	}
	if !rest.IsEmpty() {
		return []box{columns}, nil
	}
	return list, nil
}

// strip returns the box of part.
func (p *planner) strip(array Array, upper bool, columns box, phase int, part poly.Set) (Strip, error) {
	a, dim := array.Array, array.Dim
	columns = p.half(array, columns, upper)
	s := Strip{Array: a, Upper: upper, Lo: columns.lo, Hi: columns.hi, sent: part}
	if err := p.atEnds(array, &s); err != nil {
		return s, p.tooFar(a)
	}
	row := p.offset(array, upper, poly.In(dim))
	if phase < 0 {
		until, err := p.rows(part, row, affine.Num(0), 0, 0)
		if err != nil {
			return s, p.tooFar(a)
		}
		s.Until, s.Since = until, until
		return s, nil
	}
	start, n := affine.Var(p.T).Times(p.perTile()), p.perTile()
	since, err := p.rows(part, row, start.Minus(p.first), -2*n, n)
	if err != nil {
		return s, p.tooFar(a)
	}
	until, err := p.rows(part, row, p.last.Minus(start), -2*n, 3*n)
	if err != nil {
		return s, p.tooFar(a)
	}
	s.Since, s.Until = since, until
	return s, nil
}

// atEnds lets s have no more rows of the array than are read, where all of these are near an end of it, as those that a nest for borders reads: at other borders nothing is sent then.
func (p *planner) atEnds(array Array, s *Strip) (err error) {
	if array.Ring || !p.OneByOne() || p.anywhere(array, s.sent, p.Plan) {
		return nil
	}
	s.Lo, s.Hi = slices.Clone(s.Lo), slices.Clone(s.Hi)
	s.Lo[array.Dim], s.Hi[array.Dim], err = p.extent(s.sent.ProjectOut(p.T, p.Border), array.Dim)
	return err
}

// short returns s with the rows that it has in time loops that are shorter than two time tiles.
func (p *planner) short(a Array, s Strip) (Strip, error) {
	steps, err := p.rows(s.sent, p.offset(a, s.Upper, poly.In(a.Dim)), p.Steps(), 0, 2*p.perTile())
	if err != nil {
		return s, p.tooFar(a.Array)
	}
	s.Steps = steps
	return s, nil
}

// tooFar says that what is sent of a has no bounds.
func (p *planner) tooFar(a *scop.Array) error {
	return &NotShared{a.Pos, fmt.Sprintf("tiles read elements of array %s at any distance", a.Name), "read elements at distances that are numbers, along the outermost loop over space"}
}
