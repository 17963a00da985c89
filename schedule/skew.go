package schedule

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file places programs whose space loops carry dependences, such as Gauss-Seidel in place. An instance then depends on others of
// the same tau, at distances whose first component that is not 0 is positive. Space dimensions are skewed by those before them, by as
// little as makes all components of such distances 0 or more:
//
//	for t, i, j: A[i][j] = f(A[i-1][j+1], A[i][j-1], ..)      distances (0, 1, -1), (0, 0, 1)
//	s0 = i,  s1 = j + i                                       distances (0, 1, 0), (0, 0, 1)
//
// Points of one tau run behind those that are no further in any dimension: in lexicographic order, say, or along diagonals. Parallelograms in skewed space (wavefront.go) then depend on none behind them.

// Skew returns what is added to dimension p: the coefficients of the dimensions before it; nil: nothing.
func (c *Canonical) Skew(p int) []int64 {
	if c.Skews == nil {
		return nil
	}
	return c.Skews[p]
}

// maxSkew bounds the sum of the coefficients of a skewed dimension.
const maxSkew = 8

// Skewed places the statements of p in a canonical space in which points of one tau may depend on each other, as l
// says. The error, a diag.List, is that of Canonicalize where no skews make distances 0 or more.
func (l Layout) Skewed(p *scop.Program, deps []Dependence) (*Canonical, error) {
	_, refused := l.Canonicalize(p, deps)
	if refused == nil {
		return nil, fmt.Errorf("schedule: no space loop of the region in line %d carries a dependence", p.Region.StartLine)
	}
	var found *Canonical
	err := poly.Limited(func() error {
		for _, order := range l.orders(p) {
			c := aligned(p)
			if err := c.reorder(order); err != nil {
				return err
			}
			if c.level(oneIteration(c.Scop, deps), true); c.inOrder(deps) {
				found = &c
				return nil
			}
		}
		return refused
	})
	if err != nil {
		return nil, err
	}
	for _, st := range p.Stmts {
		found.Maps = append(found.Maps, found.relation(st).IntersectDomain(st.Domain))
	}
	return found, nil
}

// orders returns the orders of loops to try: that of the user, or those of the dimensions of arrays, which nil stands for, and of loops.
func (l Layout) orders(p *scop.Program) [][]string {
	if l.Order != nil {
		return [][]string{l.Order}
	}
	return [][]string{nil, deepest(p).Iters[1:]}
}

// inOrder skews c such that dependences in one tau are 0 or more in each dimension. ok is false where none of the skews that are tried does that.
func (c *Canonical) inOrder(deps []Dependence) (ok bool) {
	carried := carriedBySpace(deps)
	if try := *c; !try.skewed(carried) { // whatever nests are moved by: that changes no distance within one
		return false
	}
	moves := c.moves(deps)
	c.Moves = append(c.Moves, moves...)
	for _, m := range moves {
		*c = c.moved(m)
	}
	c.Ordered, c.Carried = true, make([]bool, len(c.Ranks))
	for _, d := range carried {
		c.Carried[d.Src.Order] = true
	}
	for i := range c.Ranks { // where points are in order, so are the statements of a step: one runs after the other
		c.Ranks[i] = i
	}
	return c.skewed(carried)
}

// carriedBySpace returns the parts of deps that relate instances of one statement in one iteration of the time loop.
func carriedBySpace(deps []Dependence) (carried []Dependence) {
	for _, d := range deps {
		if d.Src == d.Dst {
			if d.Map = d.Map.Intersect(sameTime(d.Src, d.Dst)); !d.Map.IsEmpty() {
				carried = append(carried, d)
			}
		}
	}
	return carried
}

// skewed turns and skews dimensions such that no component of a carried dependence is negative; ok is false where none of what is tried does.
func (c *Canonical) skewed(carried []Dependence) (ok bool) {
	c.Skews = make([][]int64, len(c.Space))
	for p := range c.Space {
		if c.backwards(carried, p) {
			*c = c.turnedRound(p)
			if c.backwards(carried, p) {
				return false
			}
		}
		if !c.leastSkew(carried, p) {
			return false
		}
	}
	return true
}

// leastSkew skews dimension p by as little as possible, if it can be.
func (c *Canonical) leastSkew(carried []Dependence, p int) (ok bool) {
	for sum := range int64(maxSkew + 1) {
		for _, by := range compositions(sum, p) {
			c.Skews[p] = by
			if !slices.ContainsFunc(carried, func(d Dependence) bool { return c.negative(d, d.Map, p) }) {
				return true
			}
			if p == 0 {
				return false
			}
		}
	}
	return false
}

// compositions returns the lists of n numbers from 0 on with a sum, the last numbers growing first.
func compositions(sum int64, n int) (all [][]int64) {
	if n == 0 {
		return [][]int64{{}}
	}
	for first := range sum + 1 {
		if n == 1 {
			first = sum
		}
		for _, rest := range compositions(sum-first, n-1) {
			if n > 1 || len(all) == 0 {
				all = append(all, append([]int64{first}, rest...))
			}
		}
	}
	return all
}

// negative reports whether a distance of m, a part of d, is negative in a dimension.
func (c *Canonical) negative(d Dependence, m poly.Map, p int) bool {
	x, y := c.place(d.Src, p, poly.Ins(len(d.Src.Iters))), c.place(d.Dst, p, poly.Outs(len(d.Dst.Iters)))
	return !m.Intersect(poly.NewMap(c.Scop.ParamNames(), d.Src.Tuple(), d.Dst.Tuple(), poly.Less(y, x))).IsEmpty()
}

// backwards reports whether the first component that is not 0 of some distance is negative, and that of dimension p.
func (c *Canonical) backwards(carried []Dependence, p int) bool {
	return slices.ContainsFunc(carried, func(d Dependence) bool {
		m := d.Map
		for q := range p {
			x, y := c.place(d.Src, q, poly.Ins(len(d.Src.Iters))), c.place(d.Dst, q, poly.Outs(len(d.Dst.Iters)))
			m = m.Intersect(poly.NewMap(c.Scop.ParamNames(), d.Src.Tuple(), d.Dst.Tuple(), poly.Equal(x, y)))
		}
		return c.negative(d, m, p)
	})
}

// turnedRound returns c with a dimension turned round.
func (c Canonical) turnedRound(dim int) Canonical {
	c.Places = slices.Clone(c.Places)
	for i := range c.Places {
		c.Places[i] = slices.Clone(c.Places[i])
		at := &c.Places[i][dim]
		at.Down, at.Shift = at.Iter >= 0 && !at.Down, difference(scop.Affine{}, at.Shift)
	}
	return c
}

// BoundSkewed returns the smallest cone around the distances of deps in a space that Skewed made, or BoundCone. Slopes above are not
// asked for: where points of one tau are in order, none bounds them. It fails with a diag.List (HX202) where a distance is not bounded from below.
func BoundSkewed(c *Canonical, deps []Dependence) (cone Cone, err error) {
	if !c.Ordered {
		return BoundCone(c, deps)
	}
	cone.Ordered = true
	for range c.Space {
		cone.Lo, cone.Hi = append(cone.Lo, new(big.Rat)), append(cone.Hi, nil)
	}
	var list diag.List
	err = poly.Limited(func() error {
		for _, d := range deps {
			m := d.Map.Intersect(c.tauRelation(d, poly.AtMost, 1))
			if m.IsEmpty() {
				continue
			}
			m, dtau := m.Intersect(c.tauRelation(d, poly.AtMost, c.shortest(d))), c.distance(d, -1)
			for p := range c.Space {
				if down, ok := m.MaxRatio(negated(c.distance(d, p)), dtau); ok {
					larger(cone.Lo[p], down)
				} else {
					list = append(list, c.unbounded(d, p, false))
				}
			}
		}
		return nil
	})
	if err == nil && len(list) > 0 {
		err = diag.Sorted(list)
	}
	return cone, err
}

// skewText returns s_p as a sum of what places say of p and the dimensions before, "" if that is all.
func (c *Canonical) skewText(p int) string {
	var x affine.Sum
	for q, k := range c.Skew(p) {
		x = x.Plus(affine.Var(c.Space[q]).Times(k))
	}
	if len(x.Terms) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is skewed by %v", c.Space[p], x)
}
