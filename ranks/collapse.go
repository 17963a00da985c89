package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file makes one loop of two that run through the elements of a row one after the other, as those over y and x do here, where one subscript stands for several:
//
//	for (y = 0; y < 48; y++)                              for (u = 0; u < 2304; u++)     // u = 48*y + x
//	  for (x = 0; x < 48; x++)              =>              .. f[46080*z + 20*u + 3] ..
//	    .. f[46080*z + 960*y + 20*x + 3] ..
//
// Which elements a tile touches is a hard question with y and x, of which the remainders of a subscript are, and an easy one with u. Only where values go is asked so: tiles
// stay what they are, along the loop before.

// A rowLoop says which two iterators of a statement one is made of: At and At+1, where the second one has so many values, from First on.
type rowLoop struct {
	at, count int64
	first     int64
}

// view returns the region as this package looks at it: with one loop for those that run through rows.
func (p *Plan) view() *scop.Program {
	if p.flat != nil {
		return p.flat
	}
	own := *p.Scop()
	own.Stmts = nil
	for _, st := range p.Scop().Stmts {
		outer := p.Schedule.Canonical.Places[st.Order][0].Iter
		one := st
		for {
			r, ok := rowLoopOf(one, outer)
			if !ok {
				break
			}
			one = p.collapsed(one, r)
		}
		own.Stmts = append(own.Stmts, one)
	}
	p.flat = &own
	return p.flat
}

// rowLoopOf returns the innermost two loops of st, inside of iterator outer, that run through rows of an array along which outer moves, too.
func rowLoopOf(st *scop.Stmt, outer int) (r rowLoop, ok bool) {
	if outer < 0 || len(st.When) > 0 || len(st.Whole) > 0 || slices.Contains(st.Down, true) || slices.ContainsFunc(st.Folded, func(a *scop.Affine) bool { return a != nil }) {
		return r, false
	}
	for at := len(st.Iters) - 2; at > outer; at-- {
		if r, ok := rowLoopAt(st, at); ok && r.fits(st, outer) {
			return r, true
		}
	}
	return r, false
}

// rowLoopAt returns the loop of iterators at and at+1, if the second one runs from one number to another and no other bounds are about it, nor those of inner loops about the first.
func rowLoopAt(st *scop.Stmt, at int) (r rowLoop, ok bool) {
	lo, hi := int64(none), int64(-none)
	for _, row := range st.Bounds {
		a, b := row.Iters[at], row.Iters[at+1]
		if a != 0 && (a != 1 && a != -1 || slices.ContainsFunc(row.Iters[at+1:], func(c int64) bool { return c != 0 })) {
			return r, false
		}
		if b == 0 {
			continue
		}
		others := slices.Clone(row.Iters)
		others[at+1] = 0
		if b != 1 && b != -1 || slices.ContainsFunc(slices.Concat(others, row.Params), func(c int64) bool { return c != 0 }) {
			return r, false
		}
		if b > 0 {
			lo = -row.Const
		} else {
			hi = row.Const
		}
	}
	return rowLoop{int64(at), hi - lo + 1, lo}, lo < none && hi >= lo
}

// fits reports whether each subscript of st moves by rows with the first iterator, and by elements with the second one, and one of those moves with outer, too.
func (r rowLoop) fits(st *scop.Stmt, outer int) (moves bool) {
	for _, x := range st.Accesses {
		for _, index := range x.Index {
			a, b := iterOf(index, r.at), iterOf(index, r.at+1)
			if a != r.count*b || index.Mod > 0 && b != 0 {
				return false
			}
			moves = moves || b != 0 && iterOf(index, int64(outer)) != 0
		}
	}
	return moves
}

// iterOf returns what iterator i is multiplied with in an index.
func iterOf(x scop.Index, i int64) int64 {
	if i >= int64(len(x.Iters)) {
		return 0
	}
	return x.Iters[i]
}

// collapsed returns st with one iterator, count * first + second - least value of the second, in place of two.
func (p *Plan) collapsed(st *scop.Stmt, r rowLoop) *scop.Stmt {
	own, params := *st, p.Scop().ParamNames()
	drop := func(list []int64) []int64 { return slices.Delete(slices.Clone(list), int(r.at), int(r.at)+1) }
	own.Iters = slices.Delete(slices.Clone(st.Iters), int(r.at), int(r.at)+1)
	own.Down, own.Bounds, own.Accesses, own.Sharing = nil, nil, nil, nil
	var rows []poly.Formula
	iters := poly.Outs(len(own.Iters))
	for _, row := range st.Bounds {
		if row.Iters[r.at+1] != 0 {
			continue // which number of a row it is
		}
		if c := row.Iters[r.at]; c != 0 { // of the row: u is of it where it is one of its elements
			scaled := scop.Affine{Const: row.Const * r.count, Params: slices.Clone(row.Params)}
			for i := range scaled.Params {
				scaled.Params[i] *= r.count
			}
			for _, k := range row.Iters {
				scaled.Iters = append(scaled.Iters, k*r.count)
			}
			if scaled.Iters[r.at+1] = c; c < 0 {
				scaled.Const += r.count - 1
			}
			row = scaled
		}
		row.Iters = drop(row.Iters)
		own.Bounds = append(own.Bounds, row)
		rows = append(rows, poly.NotNegative(p.Scop().Sum(row, iters)))
	}
	own.Domain = poly.NewSet(params, own.Tuple(), rows...)
	iters = poly.Ins(len(own.Iters))
	for _, x := range st.Accesses {
		y := *x
		y.Index = slices.Clone(x.Index)
		var cells []affine.Expr
		for d, index := range y.Index {
			if len(index.Iters) > int(r.at) {
				index.Const += iterOf(index, r.at+1) * r.first
				index.Iters = drop(index.Iters)
			}
			y.Index[d] = index
			sum := p.Scop().Sum(index.Affine, iters)
			if index.Mod > 0 {
				cells = append(cells, affine.Modulo(sum, index.Mod))
			} else {
				cells = append(cells, sum)
			}
		}
		y.Map = poly.NewFunction(params, own.Tuple(), poly.Tuple{Name: x.Array.Name}, cells).IntersectDomain(own.Domain)
		own.Accesses = append(own.Accesses, &y)
	}
	return &own
}

// sameRows returns what is different where the plan looks at a statement with one loop in place of several, with the original: instances, what they touch, or their order.
func (b *border) sameRows() string {
	for k, st := range b.Scop().Stmts {
		outer := b.Schedule.Canonical.Places[st.Order][0].Iter
		for {
			r, ok := rowLoopOf(st, outer)
			if !ok {
				break
			}
			one := b.collapsed(st, r)
			if bad := b.sameRow(st, one, r); bad != "" {
				return bad
			}
			st = one
		}
		if got := b.scop.Stmts[k]; len(got.Iters) != len(st.Iters) || len(got.Accesses) != len(st.Accesses) {
			return "statement " + st.Name + " has other loops"
		}
	}
	return ""
}

// sameRow is sameRows for one step: it takes the map from the instances of st to those of one, and knows nothing of how these were made.
func (b *border) sameRow(st, one *scop.Stmt, r rowLoop) string {
	in, out := poly.Ins(len(st.Iters)), poly.Outs(len(one.Iters))
	var rows []poly.Formula
	for i, x := range out {
		switch at := int(r.at); {
		case i < at:
			rows = append(rows, poly.Equal(x, in[i]))
		case i == at:
			rows = append(rows, poly.Equal(x, in[at].Times(r.count).Plus(in[at+1]).Add(-r.first)))
		default:
			rows = append(rows, poly.Equal(x, in[i+1]))
		}
	}
	context := b.scop.Context
	to := poly.NewMap(b.Scop().ParamNames(), st.Tuple(), one.Tuple(), rows...).IntersectDomain(st.Domain).IntersectParams(context)
	b.Tests += 3 + len(st.Accesses)
	if !to.Range().IsEqual(one.Domain.IntersectParams(context)) {
		return fmt.Sprintf("the loops of %s have other iterations", st.Name)
	}
	if back := to.ApplyRange(to.Inverse()); !back.IsEqual(to.Domain().Identity()) {
		return fmt.Sprintf("two iterations of %s are one", st.Name)
	}
	before := schedule.Before(st, st).IntersectDomain(to.Domain()).IntersectRange(to.Domain())
	if after := to.Inverse().ApplyRange(before).ApplyRange(to); !after.IsSubset(schedule.Before(one, one)) {
		return fmt.Sprintf("iterations of %s run in another order", st.Name)
	}
	for i, x := range st.Accesses {
		y := one.Accesses[i]
		if x.Array != y.Array || x.Write != y.Write || !to.ApplyRange(y.Map).IntersectParams(context).IsEqual(x.Map.IntersectDomain(to.Domain())) {
			return fmt.Sprintf("%s in %s leads to other elements", x.Text, st.Name)
		}
	}
	return ""
}
