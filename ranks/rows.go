package ranks

import (
	"math"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file makes the tables of rows: by how far a time tile is from an end of the time loop.

// rows returns the least and the greatest value of row at the elements of part, by the value of a sum from least to most; it
// does not depend on it beyond.
func (p *planner) rows(part poly.Set, row, by affine.Sum, least, most int64) (r Rows, err error) {
	to := poly.NewMap(p.params, elementsOf(part), pairs, poly.Equal(poly.Out(0), row), poly.Equal(poly.Out(1), by))
	all := to.Apply(part).ProjectOut(p.params...)
	r.Start = least
	t := &table{all: all, at: map[int64][2]int64{}}
	step := int64(1) // of values that the sum has
	if len(by.Terms) == 1 && by.Terms[0].Var == p.T {
		step = p.perTile()
	}
	switch first := least + affine.Remainder(by.Const-least, step); {
	case least == most:
		err = t.add(&r, all)
	case step == 1:
		if err = t.between(&r, least, most-1); err == nil {
			err = t.add(&r, t.from(most))
		}
	default: // one value in each time tile: those between two have what the first of these has
		for k := least; k <= most && err == nil; k++ {
			switch {
			case k < first || k == most || affine.Remainder(k-first, step) == 0:
				at := all.FixDim(1, k)
				if k == most {
					at = t.from(most)
				}
				err = t.add(&r, at)
			default:
				r.Lo, r.Hi = append(r.Lo, r.Lo[len(r.Lo)-1]), append(r.Hi, r.Hi[len(r.Hi)-1])
			}
		}
	}
	if err != nil {
		return r, err
	}
	for len(r.Lo) > 1 && r.Lo[0] == r.Lo[1] && r.Hi[0] == r.Hi[1] {
		r.Start, r.Lo, r.Hi = r.Start+1, r.Lo[1:], r.Hi[1:]
	}
	for n := len(r.Lo); n > 1 && r.Lo[n-1] == r.Lo[n-2] && r.Hi[n-1] == r.Hi[n-2]; n-- {
		r.Lo, r.Hi = r.Lo[:n-1], r.Hi[:n-1]
	}
	return r, nil
}

// pairs are a row and a number of iterations.
var pairs = poly.Tuple{Dims: poly.Dims(2)}

// A table finds rows by a number, of pairs.
type table struct {
	all poly.Set
	at  map[int64][2]int64 // what is known
}

// add adds to r the least and the greatest row of pairs.
func (t *table) add(r *Rows, pairs poly.Set) error {
	lo, hi, err := between(pairs)
	r.Lo, r.Hi = append(r.Lo, lo), append(r.Hi, hi)
	return err
}

// from returns the pairs with numbers from least on.
func (t *table) from(least int64) poly.Set {
	return t.all.Intersect(poly.NewSet(nil, pairs, poly.AtMost(affine.Num(least), poly.Out(1))))
}

// rows returns the least and the greatest row for a number.
func (t *table) rows(k int64) (lo, hi int64, err error) {
	if x, ok := t.at[k]; ok {
		return x[0], x[1], nil
	}
	if lo, hi, err = between(t.all.FixDim(1, k)); err == nil {
		t.at[k] = [2]int64{lo, hi}
	}
	return lo, hi, err
}

// between adds to r the least and the greatest row by their number, from least to most: of halves, until all of one together have no other ones than both ends.
func (t *table) between(r *Rows, least, most int64) error {
	lo, hi, err := t.rows(least)
	if err != nil {
		return err
	}
	l, h, err := t.rows(most)
	if err != nil {
		return err
	}
	alike := least == most
	if !alike && lo == l && hi == h {
		l, h, err := between(t.all.Intersect(poly.NewSet(nil, pairs, poly.AtMost(affine.Num(least), poly.Out(1)), poly.AtMost(poly.Out(1), affine.Num(most)))))
		if err != nil {
			return err
		}
		alike = lo == l && hi == h
	}
	if alike {
		for range most - least + 1 {
			r.Lo, r.Hi = append(r.Lo, lo), append(r.Hi, hi)
		}
		return nil
	}
	half := (least + most) >> 1
	if err := t.between(r, least, half); err != nil {
		return err
	}
	return t.between(r, half+1, most)
}

// elementsOf returns the tuple of the elements in part, with dimensions that have no names: those of part may have been named by subscripts such as a
// parameter alone, which is what the name means here.
func elementsOf(part poly.Set) poly.Tuple {
	t := part.Basics()[0].Space().Out
	return poly.Tuple{Name: t.Name, Dims: poly.Dims(len(t.Dims))}
}

// between returns the least and the greatest value of the first dimension in a set without parameters; none where it is empty.
func between(s poly.Set) (lo, hi int64, err error) {
	if s.IsEmpty() {
		return none, -none, nil
	}
	s = poly.NewMap(nil, poly.Tuple{Dims: poly.Dims(2)}, poly.Tuple{Dims: poly.Dims(1)}, poly.Equal(poly.Out(0), poly.In(0))).Apply(s)
	lo, hi = math.MaxInt64, math.MinInt64
	for _, b := range []poly.Set{s.LexMin(), s.LexMax()} {
		_, x, ok := b.Sample()
		if !ok {
			return 0, 0, errUnbounded
		}
		lo, hi = min(lo, x[0]), max(hi, x[0])
	}
	return lo, hi, nil
}
