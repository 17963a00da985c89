package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// An Offset says how far the element that an access touches lies from the point of space at which its statement runs. It is in points of tiles, which
// statements that are moved against each other share.
type Offset struct {
	At      []int64 // by dimension of space, 0 where no subscript follows it
	Follows []bool  // by dimension of space: whether a subscript does
	Plane   string  // the subscripts that follow none, as in "0,,": other elements have others
}

// Offset returns that of a, by st; ok is false where it is no numbers: a subscript is more than a loop variable and a number, or points are moved by parameters.
func (c *Canonical) Offset(st *scop.Stmt, a *scop.Access) (o Offset, ok bool) {
	if o.At, ok = c.readAt(st, a); !ok || st.Folded != nil {
		return o, false
	}
	o.Follows = make([]bool, len(c.Space))
	for _, x := range a.Index {
		iter := -1
		for i, k := range x.Iters {
			if i > 0 && k != 0 {
				iter = i
			}
		}
		if iter < 0 {
			o.Plane += fmt.Sprint(x.Const, x.Params, ",")
			continue
		}
		o.Plane += ","
		p := slices.IndexFunc(c.Places[st.Order], func(at Place) bool { return at.Iter == iter })
		at := c.Places[st.Order][p]
		skewed := slices.ContainsFunc(c.Skew(p), func(k int64) bool { return k != 0 })
		if skewed || at.Sign() != 1 || slices.ContainsFunc(at.Shift.Params, func(k int64) bool { return k != 0 }) {
			return o, false
		}
		o.Follows[p] = true
		o.At[p] -= at.Shift.Const
	}
	return o, true
}

// Precede returns, by statement, those of which an instance must run before one of it in the same iteration of the time loop, because one of them
// writes what the other one reads or writes. There are at most 64 statements: they are a set of bits.
func (c *Canonical) Precede(deps []Dependence) (before []uint64, err error) {
	before = make([]uint64, len(c.Scop.Stmts))
	err = poly.Limited(func() error {
		for _, d := range deps {
			src, dst := d.Src.Order, d.Dst.Order
			if src != dst && before[dst]&(1<<src) == 0 && !d.Map.Intersect(sameTime(d.Src, d.Dst)).IsEmpty() {
				before[dst] |= 1 << src
			}
		}
		return nil
	})
	return before, err
}
