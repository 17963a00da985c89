package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file places programs for tiles that overlap whose nests carry dependences along one dimension of space, the vertical one of a weather model, say: sums
// down a column, and solvers of lines, which go there and back. A tile then holds whole columns, so that it runs several sweeps, each its own way, one after
// the other, and nests without an order between them:
//
//	for k, i: d[k][i] = a[k][i-1] + a[k][i+1]           s0 = k    any order
//	for k, i: p[k][i] = f(d[k][i], p[k-1][i])           s0 = k    up
//	for k down, i: x[k][i] = g(p[k][i], x[k+1][i])      s0 = k    down
//	for k, i: y[k][i] = x[k][i-1] + x[k][i+1]           s0 = k    any order
//
// The dimension in order is the first. Widths of tiles along the others are free: a tile computes the columns beside its own that it needs.

// A Way is in which order the points of a step run along the first dimension of space.
type Way int8

// The ways. Any: points of a step do not depend on each other.
const (
	Down Way = iota - 1
	Any
	Up
)

var wayNames = map[Way]string{Down: "down", Any: "in any order", Up: "up"}

func (w Way) String() string { return wayNames[w] }

// Way returns in which order the points of a step of st run.
func (c *Canonical) Way(st *scop.Stmt) Way {
	if c.Ways == nil {
		return Any
	}
	return c.Ways[st.Order]
}

// Columns places the statements of p in a canonical space whose first dimension is in order for those that carry dependences along it. The error, a diag.List,
// says which statement cannot be placed so; it has no way out, which is that of others.
func Columns(p *scop.Program, deps []Dependence) (*Canonical, error) {
	var found *Canonical
	err := poly.Limited(func() (err error) {
		found, err = columnar(p, deps)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, st := range p.Stmts {
		found.Maps = append(found.Maps, found.relation(st).IntersectDomain(st.Domain))
	}
	found.Column = found.columnOf()
	return found, nil
}

func columnar(p *scop.Program, deps []Dependence) (*Canonical, error) {
	if dimensions(p) < 2 {
		return nil, noColumns(p.Stmts[0], "one dimension of space, which carries dependences, leaves nothing to tile")
	}
	c, carried := aligned(p), carriedBySpace(deps)
	vertical := -1
	for _, d := range carried {
		at, ok := c.along(d)
		if !ok || vertical >= 0 && vertical != at {
			return nil, noColumns(d.Dst, fmt.Sprintf("%s carries dependences along another dimension, too", d.Dst.Name),
				diag.Note{At: d.SrcAccess.Pos, Msg: "what has to run before"}, diag.Note{At: d.DstAccess.Pos, Msg: "what depends on it"})
		}
		vertical = at
	}
	if vertical < 0 {
		return nil, fmt.Errorf("schedule: no space loop of the region in line %d carries a dependence", p.Region.StartLine)
	}
	from := []int{vertical}
	for q := range c.Space {
		if q != vertical {
			from = append(from, q)
		}
	}
	c.permute(from)
	c.level(oneIteration(c.Scop, deps), false) // moved along columns, elements would belong to other tiles than the instances that write them
	c.Ways = make([]Way, len(p.Stmts))
	for i := range p.Stmts { // nests of one level run one after the other: the way of one says nothing of others
		c.Ranks[i] = i
	}
	for _, d := range carried {
		way, ok := c.wayOf(d)
		if have := &c.Ways[d.Src.Order]; !ok || *have != Any && *have != way {
			return nil, noColumns(d.Dst, fmt.Sprintf("%s carries dependences both ways along a column", d.Dst.Name))
		} else {
			*have = way
		}
	}
	for _, st := range p.Stmts {
		if at := c.Places[st.Order][0].Iter; c.Ways[st.Order] != Any && !square(st, at) {
			return nil, noColumns(st, fmt.Sprintf("other loops of %s begin or end where %s says", st.Name, st.Iters[at]))
		}
	}
	return &c, nil
}

// square reports whether no bound of st is over an iterator and another one of space.
func square(st *scop.Stmt, iter int) bool {
	return !slices.ContainsFunc(slices.Concat(st.Bounds, st.Whole), func(row scop.Affine) bool {
		return coef(row.Iters, iter) != 0 && slices.ContainsFunc(st.Iters[1:], func(other string) bool {
			i := slices.Index(st.Iters, other)
			return i != iter && coef(row.Iters, i) != 0
		})
	})
}

// noColumns says why there are no columns.
func noColumns(st *scop.Stmt, why string, notes ...diag.Note) error {
	return diag.List{{Code: "HX218", At: st.Pos, Msg: "boxes that overlap hold no columns: " + why, Notes: notes}}
}

// along returns the dimension of space along which the instances that d relates lie apart; ok is false if there are several.
func (c *Canonical) along(d Dependence) (dim int, ok bool) {
	dim = -1
	for i := 1; i < len(d.Src.Iters); i++ {
		x, y := poly.In(i), poly.Out(i)
		if d.Map.Intersect(poly.NewMap(nil, d.Src.Tuple(), d.Dst.Tuple(), poly.Or(poly.Less(x, y), poly.Less(y, x)))).IsEmpty() {
			continue
		}
		if dim >= 0 {
			return dim, false
		}
		dim = slices.IndexFunc(c.Places[d.Src.Order], func(at Place) bool { return at.Iter == i })
	}
	return dim, dim >= 0 && d.Src.Folded == nil
}

// wayOf returns the order along the first dimension that keeps d, which relates instances of one column; ok is false if there is none.
func (c *Canonical) wayOf(d Dependence) (way Way, ok bool) {
	x, y := c.place(d.Src, 0, poly.Ins(len(d.Src.Iters))), c.place(d.Dst, 0, poly.Outs(len(d.Dst.Iters)))
	never := func(wrong poly.Formula) bool {
		return d.Map.Intersect(poly.NewMap(c.Scop.ParamNames(), d.Src.Tuple(), d.Dst.Tuple(), wrong)).IsEmpty()
	}
	switch {
	case never(poly.AtMost(y, x)):
		return Up, true
	case never(poly.AtMost(x, y)):
		return Down, true
	}
	return Any, false
}

// A Column is the coordinates along the first dimension that instances have, from the first to the last one. Known is false where they are not between two numbers.
type Column struct {
	First, Points int64
	Known         bool
}

// columnOf finds the column of c.
func (c *Canonical) columnOf() (x Column) {
	last := int64(0)
	for i := range c.Scop.Stmts {
		m := c.Maps[i].IntersectParams(c.Scop.Context)
		if m.IsEmpty() {
			continue
		}
		n := len(c.Scop.Stmts[i].Iters)
		s0 := poly.Affine{In: make([]int64, n), Out: make([]int64, 1+len(c.Space)), Params: make([]int64, len(m.Params()))}
		one := poly.Affine{Const: 1, In: make([]int64, n), Out: make([]int64, 1+len(c.Space)), Params: make([]int64, len(m.Params()))}
		s0.Out[1] = 1
		ratios := m.Ratios()
		most, okMost := ratios.Max(s0, one)
		least, okLeast := ratios.Max(negated(s0), one)
		if !okMost || !okLeast {
			return Column{}
		}
		lo, hi := -floorRat(least), floorRat(most)
		if !x.Known {
			x.First, last, x.Known = lo, hi, true
		}
		x.First, last = min(x.First, lo), max(last, hi)
	}
	x.Points = last - x.First + 1
	return x
}

// checkColumns returns nil where tiles of c hold whole columns as sizes say, and otherwise a diag.List.
func (c *Canonical) checkColumns(sizes Sizes) error {
	n, wrong := c.Column.Points, CheckWidths(c, sizes)
	switch {
	case !c.Column.Known:
		return diag.List{{Code: "HX204", Msg: "a tile holds whole columns, of which nobody knows how long they are: the bounds of the loops in order are no numbers",
			Help: c.knownColumns()}}
	case wrong != nil:
		return wrong
	case sizes.W[0] < n:
		return diag.List{{Code: "HX204", Msg: fmt.Sprintf("w0=%d: a tile holds whole columns, of %d points here", sizes.W[0], n), Help: fmt.Sprintf("choose w0=%d", n)}}
	case sizes.Stream != nil:
		return diag.List{{Code: "HX204", Msg: "stream: tiles that hold whole columns run step by step", Help: "leave stream out of --tile"}}
	}
	return nil
}

// knownColumns says how a user tells how long columns are.
func (c *Canonical) knownColumns() string {
	names := c.Scop.ParamNames()
	name := names[0]
	for _, st := range c.Scop.Stmts {
		for _, row := range st.Bounds {
			for k := range names {
				if at := c.Places[st.Order][0].Iter; at >= 0 && coef(row.Iters, at) != 0 && coef(row.Params, k) != 0 {
					name = names[k]
				}
			}
		}
	}
	return fmt.Sprintf("say how many levels there are at most, as in --assume='%s<=60', or write a number; or take --strategy=space", name)
}

// columns returns the tile dimension of whole columns.
func (c *Canonical) columns(w, height int64) TileDim {
	d := TileDim{Tile: "S0", Point: c.Space[0], Role: Seq, Stride: w, Offset: c.Column.First, Owned: []HalfPlane{{B: 1}, {B: -1, C: w - 1}}}
	for range height {
		d.Lo, d.Hi = append(d.Lo, 0), append(d.Hi, w-1)
	}
	return d
}

// turn returns what orders the points of a step of an instance at [tau, s0, ..].
func (c *Canonical) turn(st *scop.Stmt, v []affine.Sum) affine.Sum {
	return v[1].Times(int64(c.Way(st)))
}

// acrossColumns returns an instance of st that depends on one of another column in its own step, where points of columns are in order; "" if none does. Columns of one
// step run at once, whatever the order along each.
func (p prover) acrossColumns(st *scop.Stmt, deps []Dependence) string {
	c := p.s.Canonical
	var apart []poly.Formula
	for q := 1; q < len(c.Space); q++ {
		x, y := c.place(st, q, poly.Ins(len(st.Iters))), c.place(st, q, poly.Outs(len(st.Iters)))
		apart = append(apart, poly.Less(x, y), poly.Less(y, x))
	}
	other := poly.NewMap(c.Scop.ParamNames(), st.Tuple(), st.Tuple(), poly.Or(apart...)).Intersect(sameTime(st, st))
	for _, d := range DistinctMaps(deps) {
		if d.Src != st || d.Dst != st {
			continue
		}
		if bad := d.Map.Intersect(other); !p.empty(bad) {
			return p.reversal(d, bad)
		}
	}
	return ""
}
