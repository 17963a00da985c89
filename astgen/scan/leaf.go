package scan

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file writes instances.

// leaf writes instances that run in any order.
func (w *writer) leaf(active poly.Set, at place) (list []graft) {
	for _, s := range active.ByTuple() {
		s = tidy(s)
		if calls, ok := w.calls(s, at); ok {
			list = append(list, calls...)
			continue
		}
		// several instances of the statement at once: loops over them
		tuple := s.Basics()[0].Space().Out
		each := poly.NewFunction(nil, tuple, poly.Tuple{}, sums(poly.Ins(len(tuple.Dims)))).IntersectDomain(s)
		b := band{Band: &tree.Band{Dims: len(tuple.Dims)}, times: each}
		in := at
		in.inner = len(tuple.Dims)
		list = append(list, w.member(b, in)...)
	}
	return list
}

// calls writes the instance of a statement, or returns false if there are several at a time.
func (w *writer) calls(s poly.Set, at place) (list []graft, ok bool) {
	s = plain(s, at.known)
	whole := s.Basics()
	if len(whole) == 0 {
		return nil, true
	}
	if len(whole) > 1 {
		whole = s.Intersect(poly.UniverseSet(nil, whole[0].Space().Out).IntersectParams(at.known)).AffineHull().Basics()
	}
	if args, ok := solved(whole[0]); ok {
		guard := simplified(s.ParamDomain(), at.known)
		return []graft{{guard, &Call{whole[0].Space().Out.Name, args, at.clock(), at.leaf}}}, true
	}
	f, ok := poly.NewPoint("").Relate(s).Function()
	if !ok {
		return nil, false
	}
	for _, p := range f.Pieces() {
		args := make([]affine.Expr, len(p.Values))
		for i, a := range p.Values {
			args[i] = affine.Remainders(newReader(a.Space(), a.Divs()).expr(a.Affine()))
		}
		guard := simplified(p.Domain.Set().ParamDomain(), at.known)
		list = append(list, graft{guard, &Call{p.Tuple.Name, args, at.clock(), at.leaf}})
	}
	return list, true
}

// clock returns the times of the bands around.
func (p place) clock() []affine.Expr {
	for _, b := range p.times.Basics() {
		if all, ok := solved(b); ok {
			return all[:len(all)-p.inner]
		}
	}
	return nil
}

// plain returns s where what is known holds, without floors that have one value there.
func plain(s, known poly.Set) poly.Set {
	for _, b := range s.Basics() {
		if len(b.Divs()) > 0 {
			return s.IntersectParams(known).RemoveRedundant()
		}
	}
	return s
}

// solved returns the values of the dimensions of b, each of which an equality gives, or false.
func solved(b poly.Basic) ([]affine.Expr, bool) {
	space := b.Space()
	n := len(space.Out.Dims)
	values := make([]affine.Expr, n)
	r := newReader(space, b.Divs())
	for found := 0; found < n; {
		at := -1
		for _, row := range b.Constraints() {
			if at = r.solve(row, values); at >= 0 {
				break
			}
		}
		if at < 0 {
			return nil, false
		}
		found++
	}
	for i, v := range values {
		values[i] = affine.Remainders(v)
	}
	return values, true
}

// solve finds the value of a dimension that lacks one from a row, in which all others have one. It returns which, or -1.
func (r *rowReader) solve(row poly.Constraint, values []affine.Expr) int {
	at := -1
	if !row.Eq {
		return at
	}
	for i, c := range row.Divs {
		if c != 0 && r.uses[i] {
			return -1
		}
	}
	for i, c := range row.Out {
		switch {
		case c == 0 || values[i] != nil:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	if at < 0 {
		return -1
	}
	rest := row.Affine
	rest.Out = nil
	e := r.expr(rest)
	for i, c := range row.Out {
		if c != 0 && i != at {
			e = affine.Total(e, c, values[i])
		}
	}
	c := row.Out[at]
	if c > 0 {
		e = affine.Scaled(e, -1)
	} else {
		c = -c
	}
	values[at] = affine.Floor(e, c)
	return at
}
